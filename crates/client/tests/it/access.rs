//! Signing in and out, and which key goes where.

use serde_json::json;

use crate::harness::{Playout, World};

#[test]
fn a_key_from_standard_input_is_tried_and_kept_for_later_commands() {
    let world = World::start();
    let playout = Playout::new();
    let login = ["auth", "login", "--api-key=-", "--api-url", &world.url];
    let kept = playout.run_reading(&format!("{}\n", world.key), &login).ok();
    assert_eq!(kept["profile"], "default");
    assert_eq!(kept["keyLastFour"], world.key[world.key.len() - 4..]);
    let status = playout.run(&["auth", "status"]).ok();
    assert_eq!(status["keySource"], "profile");
    assert_eq!(status["apiUrl"], format!("{}/", world.url));
    assert_eq!(
        playout.run(&["platforms", "list"]).ok()["platforms"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    for shown in [kept, status] {
        assert!(!shown.to_string().contains(&world.key), "a key is never shown");
    }
}

#[test]
#[cfg(unix)]
fn keys_are_kept_where_only_their_owner_can_read_them() {
    use std::os::unix::fs::PermissionsExt;
    let world = World::start();
    let playout = Playout::new();
    playout
        .run(&["auth", "login", "--api-key", &world.key, "--api-url", &world.url])
        .ok();
    let mode = |path: std::path::PathBuf| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(playout.config().join("credentials.json")), 0o600);
    assert_eq!(mode(playout.config()), 0o700);
}

#[test]
fn profiles_that_are_stored_at_once_are_all_kept() {
    let world = World::start();
    let playout = Playout::new().env("PLAYOUT_API_URL", &world.url);
    let names: Vec<String> = (0..12).map(|number| format!("profile-{number}")).collect();
    let login = |name: &String| playout.spawn(&["auth", "login", "--api-key", &world.key, "--profile", name]);
    let children: Vec<_> = names.iter().map(login).collect();
    for child in children {
        assert!(child.wait_with_output().unwrap().status.success());
    }
    for name in &names {
        let status = playout.run(&["auth", "status", "--profile", name]).ok();
        assert_eq!(status["keySource"], "profile", "{name}");
    }
}

#[test]
fn a_key_that_is_refused_is_not_kept() {
    let world = World::start();
    let playout = Playout::new();
    let unknown = playout_domain::key::make_key([7; 32]);
    let login = |key: &str| playout.run(&["auth", "login", "--api-key", key, "--api-url", &world.url]);
    login(unknown.expose()).failed(3, "invalid_api_key");
    let typo = format!("{}x", &world.key[..world.key.len() - 1]);
    login(if typo == world.key { "svc_sk_x" } else { &typo }).failed(2, "usage");
    assert!(!playout.config().exists());
    playout.run(&["auth", "status"]).failed(3, "not_signed_in");
}

#[test]
fn profiles_are_kept_apart_and_forgotten_one_by_one() {
    let (world, other) = (World::start(), World::start());
    let playout = Playout::new();
    for (profile, world) in [("one", &world), ("two", &other)] {
        let login = [
            "auth",
            "login",
            "--api-key",
            &world.key,
            "--api-url",
            &world.url,
            "--profile",
            profile,
        ];
        playout.run(&login).ok();
    }
    let status = |profile: &str| playout.run(&["auth", "status", "--profile", profile]);
    assert_eq!(status("one").ok()["apiUrl"], format!("{}/", world.url));
    assert_eq!(status("two").ok()["apiUrl"], format!("{}/", other.url));
    assert_eq!(
        playout.run(&["auth", "logout", "--profile", "one"]).ok()["signedOut"],
        json!(true)
    );
    status("one").failed(3, "not_signed_in");
    status("two").ok();
    playout
        .run(&["auth", "logout", "--profile", "one"])
        .failed(3, "not_signed_in");
}

#[test]
fn the_environment_wins_over_what_was_kept_and_flags_win_over_both() {
    let world = World::start();
    let playout = Playout::new();
    playout
        .run(&["auth", "login", "--api-key", &world.key, "--api-url", &world.url])
        .ok();
    let wrong = playout_domain::key::make_key([7; 32]);
    let playout = playout.env("PLAYOUT_API_KEY", wrong.expose());
    playout.run(&["usage"]).failed(3, "invalid_api_key");
    playout.run(&["--api-key", &world.key, "usage"]).ok();
    let playout = playout.env("PLAYOUT_API_KEY", &world.key);
    assert_eq!(playout.run(&["auth", "status"]).ok()["keySource"], "environment");
}

#[test]
fn a_kept_key_goes_to_no_other_service() {
    let (world, other) = (World::start(), World::start());
    let playout = Playout::new();
    playout
        .run(&["auth", "login", "--api-key", &world.key, "--api-url", &world.url])
        .ok();
    let error = playout
        .run(&["usage", "--api-url", &other.url])
        .failed(3, "not_signed_in");
    assert!(
        error["message"]
            .as_str()
            .unwrap()
            .contains("is not sent elsewhere"),
        "{error}"
    );
}

#[test]
fn what_makes_no_sense_is_a_usage_error_also_as_json() {
    let playout = Playout::new();
    for arguments in [
        &["posts", "create", "--nonsense"][..],
        &["nonsense"],
        &["posts", "list", "--state", "LOST"],
        &["--api-url", "nowhere", "usage"],
        &["media", "upload"],
    ] {
        let ran = playout.run(arguments);
        ran.failed(2, "usage");
        assert_eq!(ran.stdout, "", "{arguments:?}");
    }
}

#[test]
fn a_service_that_is_not_there_is_a_network_error() {
    let playout = Playout::new().env("PLAYOUT_API_KEY", "any");
    let error = playout
        .run(&["usage", "--api-url", "http://127.0.0.1:1"])
        .failed(4, "network_error");
    assert!(
        error["message"].as_str().unwrap().contains("127.0.0.1:1"),
        "{error}"
    );
}
