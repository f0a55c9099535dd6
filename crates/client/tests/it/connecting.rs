//! `platforms connect`: the program opens a page and polls until the account is there.

use std::io::Read;

use serde_json::json;

use crate::harness::{Ran, World};

#[test]
fn the_account_that_a_person_connects_is_shown() {
    let world = World::start();
    let playout = world.playout();
    let browser = playout.program("browser", "echo \"$1\" >opened");
    let playout = playout.env("BROWSER", &browser);
    let program = playout.spawn(&["platforms", "connect"]);
    let opened = playout.dir().join("opened");
    let page = loop {
        match std::fs::read_to_string(&opened) {
            Ok(page) if page.ends_with('\n') => break page,
            _ => std::thread::yield_now(),
        }
    };
    assert_eq!(page.trim(), format!("{}/accounts/connect", world.url));
    world.connect("harborbakes");
    let ran = Ran::of(&program.wait_with_output().unwrap());
    assert_eq!(ran.code, 0, "{ran:#?}");
    assert_eq!(
        (&ran.json()["platform"]["displayHandle"], &ran.json()["opened"]),
        (&json!("harborbakes"), &json!(true))
    );
    assert!(
        ran.stderr.contains("/accounts/connect"),
        "the page is told before it waits: {ran:#?}"
    );
}

#[test]
fn an_account_that_is_connected_again_is_noticed() {
    let world = World::start();
    let playout = world.playout();
    let mut program = playout.spawn(&["platforms", "connect", "--no-browser", "--timeout", "10m"]);
    // It prints the page's address after it has read the accounts.
    let mut told = [0; 1];
    program.stderr.as_mut().unwrap().read_exact(&mut told).unwrap();
    world.connect("kitestudio");
    let ran = Ran::of(&program.wait_with_output().unwrap());
    assert_eq!(ran.json()["platform"]["displayHandle"], "kitestudio", "{ran:#?}");
}

#[test]
fn who_waits_in_vain_is_told() {
    let world = World::start();
    let ran = world
        .playout()
        .run(&["platforms", "connect", "--no-browser", "--timeout", "1s"]);
    assert_eq!(ran.code, 1, "{ran:#?}");
    assert!(ran.stderr.contains("not_connected"), "{ran:#?}");
}
