//! Ctrl-C: what was done, and how to go on.

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::json;

use crate::harness::{Ran, World};

/// Interrupts a run once the line to the service has stopped.
fn interrupted(world: &World, arguments: &[&str], prepare: impl Fn(&crate::harness::Playout)) -> Ran {
    let relay = world.relay();
    let playout = world.playout().env("PLAYOUT_API_URL", &relay.url);
    prepare(&playout);
    relay.stop_after(2_000_000);
    let child = playout.spawn(arguments);
    world.runtime.block_on(relay.stopped());
    kill(Pid::from_raw(i32::try_from(child.id()).unwrap()), Signal::SIGINT).unwrap();
    Ran::of(&child.wait_with_output().unwrap())
}

#[test]
fn an_upload_that_is_interrupted_says_how_it_goes_on() {
    let world = World::start();
    let ran = interrupted(&world, &["media", "upload", "large.mp4"], |playout| {
        playout.put("large.mp4", &crate::uploads::large_clip(20_000_000));
    });
    let error = ran.failed(130, "interrupted");
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("Run the same command again"), "{message}");
}

#[test]
fn an_import_that_is_interrupted_says_what_was_sent() {
    let world = World::start();
    let ran = interrupted(&world, &["posts", "import", "posts.jsonl"], |playout| {
        let row = |number: usize| {
            format!(
                "{{\"account\":\"kitestudio\",\"content\":\"{number} {}\",\"when\":\"draft\"}}",
                "x".repeat(9_000)
            )
        };
        let rows: Vec<String> = (0..300).map(row).collect();
        playout.put("posts.jsonl", rows.join("\n").as_bytes());
    });
    let error = ran.failed(130, "interrupted");
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("creates nothing twice"), "{message}");
    assert!(message.contains("of 300 rows"), "{message}");
}

#[test]
fn a_creation_that_is_interrupted_says_how_to_send_it_once() {
    let world = World::start();
    let relay = world.relay();
    let playout = world.playout().env("PLAYOUT_API_URL", &relay.url);
    // More than the relay takes at once: the service never has all of it.
    let post = json!({ "platformIds": ["kitestudio"], "content": "Kites", "mode": "draft", "ignored": "x".repeat(300_000) });
    playout.put("post.json", post.to_string().as_bytes());
    let create = ["posts", "create", "--file", "post.json"];
    relay.stop_after(20_000);
    let child = playout.spawn(&create);
    world.runtime.block_on(relay.stopped());
    kill(Pid::from_raw(i32::try_from(child.id()).unwrap()), Signal::SIGINT).unwrap();
    let ran = Ran::of(&child.wait_with_output().unwrap());
    relay.go_on();
    let error = ran.failed(130, "interrupted");
    let message = error["message"].as_str().unwrap();
    let (_, key) = message.split_once("--idempotency-key ").unwrap();
    let key = key.split('`').next().unwrap();
    let again = [&create[..], &["--idempotency-key", key]].concat();
    playout.run(&again).ok();
    playout.run(&again).ok();
    assert_eq!(
        playout.run(&["posts", "list"]).ok()["posts"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
}

#[test]
fn a_wait_that_is_interrupted_says_that_the_post_goes_on() {
    let world = World::start();
    let playout = world.playout();
    let draft = playout.draft();
    playout.run(&["posts", "reschedule", &draft, "--at", "+2h"]).ok();
    let mut terminal = crate::harness::Terminal::start(&playout, &["posts", "watch", &draft]);
    terminal.wait_for("waits for");
    terminal.press_ctrl_c();
    let (code, shown) = terminal.end();
    assert_eq!(code, 130, "{shown}");
    let shown = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(shown.contains(&format!("playout posts watch {draft}")), "{shown}");
}

/// The parent of a process that has not ended.
#[cfg(target_os = "linux")]
fn parent_of(process: &str) -> Option<i32> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let (_, facts) = text.rsplit_once(')')?;
    let mut facts = facts.split_whitespace();
    let is_running = facts.next()? != "Z";
    facts.next()?.parse().ok().filter(|_| is_running)
}

#[cfg(target_os = "linux")]
#[test]
fn a_program_of_jq_ends_with_the_command_that_is_killed() {
    let world = World::start();
    let playout = world.playout();
    let some_time = || drop(playout.run(&["usage"]).ok());
    for signal in [Signal::SIGTERM, Signal::SIGKILL] {
        let mut command = playout.spawn(&["usage", "--jq", "def f: f; f"]);
        let id = i32::try_from(command.id()).unwrap();
        let child = (0..100).find_map(|_| {
            some_time();
            let processes = std::fs::read_dir("/proc").unwrap();
            let mut names = processes.map(|entry| entry.unwrap().file_name().into_string().unwrap());
            names.find(|name| parent_of(name) == Some(id))
        });
        let child = child.expect("the program runs in a process of its own");
        kill(Pid::from_raw(id), signal).unwrap();
        command.wait().unwrap();
        let has_ended = (0..100).any(|_| {
            some_time();
            parent_of(&child).is_none()
        });
        if !has_ended {
            kill(Pid::from_raw(child.parse().unwrap()), Signal::SIGKILL).unwrap();
        }
        assert!(has_ended, "{signal}");
    }
}
