//! `doctor` and the small commands.

use serde_json::Value;

use crate::harness::{Playout, Ran, World};

fn finding(ran: &Ran, check: &str) -> Value {
    let report = ran.json();
    let findings = report["findings"].as_array().unwrap().clone();
    let is_it = |finding: &Value| finding["check"] == check;
    findings
        .into_iter()
        .find(is_it)
        .unwrap_or_else(|| panic!("no finding {check}: {report:#}"))
}

#[test]
fn a_healthy_set_up_has_no_problem() {
    let world = World::start();
    let ran = world.playout().run(&["doctor"]);
    assert_eq!(ran.ok()["healthy"], true);
    for check in [
        "settings", "address", "key", "network", "clock", "version", "access",
    ] {
        assert_eq!(finding(&ran, check)["status"], "ok", "{check}");
    }
    let version = finding(&ran, "version");
    assert!(
        version["found"]
            .as_str()
            .unwrap()
            .contains(env!("CARGO_PKG_VERSION")),
        "{version}"
    );
}

#[test]
fn every_problem_says_what_to_do_and_is_the_exit_code() {
    let world = World::start();
    let away = world
        .playout()
        .env("PLAYOUT_API_URL", "http://127.0.0.1:1")
        .run(&["doctor"]);
    away.failed(4, "problems_found");
    assert_eq!(finding(&away, "network")["status"], "problem");
    let nobody = world.playout().without("PLAYOUT_API_KEY").run(&["doctor"]);
    nobody.failed(3, "problems_found");
    assert_eq!(finding(&nobody, "key")["status"], "problem");
    assert_eq!(finding(&nobody, "network")["status"], "ok");
    let unknown = playout_domain::key::make_key([7; 32]);
    let revoked = world
        .playout()
        .env("PLAYOUT_API_KEY", unknown.expose())
        .run(&["doctor"]);
    revoked.failed(3, "problems_found");
    for (ran, check) in [(away, "network"), (nobody, "key"), (revoked, "access")] {
        assert!(finding(&ran, check)["advice"].is_string(), "{check}");
    }
}

#[test]
#[cfg(unix)]
fn keys_that_others_may_read_are_found() {
    use std::os::unix::fs::PermissionsExt;
    let world = World::start();
    let playout = Playout::new();
    playout
        .run(&["auth", "login", "--api-key", &world.key, "--api-url", &world.url])
        .ok();
    let file = playout.config().join("credentials.json");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
    let ran = playout.run(&["doctor"]);
    let settings = finding(&ran, "settings");
    assert_eq!((ran.code, &settings["status"]), (0, &Value::from("warning")));
    assert!(
        settings["advice"].as_str().unwrap().contains("chmod 600"),
        "{settings}"
    );
}

#[test]
fn settings_that_cannot_be_read_are_a_finding_too() {
    let playout = Playout::new();
    std::fs::create_dir_all(playout.config()).unwrap();
    std::fs::write(playout.config().join("credentials.json"), "{ nonsense").unwrap();
    let ran = playout.run(&["doctor"]);
    ran.failed(2, "problems_found");
    assert_eq!(finding(&ran, "settings")["status"], "problem");
    playout.run(&["usage"]).failed(2, "file_error");
}

#[test]
fn a_published_post_is_opened_where_it_is_public() {
    let world = World::start();
    let playout = world.playout();
    let draft = playout.draft();
    playout
        .run(&["open", &draft, "--print"])
        .failed(1, "no_public_page");
    playout.run(&["posts", "publish", &draft, "--wait"]).ok();
    let published = playout.with_page(&draft);
    let opened = playout.run(&["open", &draft, "--print"]).ok();
    assert_eq!(opened["url"], published["releaseUrl"]);
    assert_eq!(opened["opened"], false);
    let docs = playout.env("BROWSER", "true").run(&["open"]).ok();
    assert_eq!(
        (docs["url"].as_str(), &docs["opened"]),
        (Some(format!("{}/docs", world.url).as_str()), &Value::from(true))
    );
}

#[test]
fn completions_are_a_script_unless_json_is_asked_for() {
    let playout = Playout::new();
    let script = playout.run(&["completions", "bash"]);
    assert_eq!(script.code, 0);
    assert!(
        script.stdout.contains("complete -F _playout"),
        "{}",
        script.stdout
    );
    let json = playout.run(&["completions", "bash", "--json"]).ok();
    assert_eq!(
        json["script"].as_str().unwrap().trim_end(),
        script.stdout.trim_end()
    );
}

#[test]
fn usage_counts_what_was_queued() {
    let world = World::start();
    let playout = world.playout();
    let used = |playout: &Playout| playout.run(&["usage"]).ok()["posts"]["used"].as_u64().unwrap();
    assert_eq!(used(&playout), 0);
    let draft = playout.draft();
    playout.run(&["posts", "publish", &draft]).ok();
    assert_eq!(used(&playout), 1);
}

#[test]
fn health_says_how_an_account_stands_and_validating_warns() {
    let world = World::start();
    let playout = world.playout();
    let health = playout.run(&["platforms", "health", "kitestudio"]).ok();
    assert_eq!(
        (&health["verdict"], &health["refresh"]),
        (&Value::from("ok"), &Value::Null)
    );
    let asked = playout
        .run(&["platforms", "health", "@kitestudio", "--refresh"])
        .ok();
    assert_eq!(asked["refresh"]["answered"], true);
    let clip = playout.upload("clip.mp4");
    let validate = [
        "posts",
        "validate",
        "--platform",
        "kitestudio",
        "--caption",
        "Up",
        "--media",
        &clip,
    ];
    let inbox = [&validate[..], &["--setting", "post_mode=MEDIA_UPLOAD"]].concat();
    let warned = playout.run(&inbox).ok();
    assert_eq!(warned["results"][0]["warnings"][0]["code"], "caption_not_sent");
    assert_eq!(
        playout.run(&validate).ok()["results"][0]["warnings"],
        Value::from(Vec::<Value>::new())
    );
    let used = playout.run(&["usage"]).ok();
    assert_eq!(used["accounts"][0]["directPosts"]["limit"], 15);
}

#[test]
fn health_finds_an_account_that_must_be_connected_again_by_its_name() {
    let world = World::start();
    let playout = world.playout();
    let platforms = playout.run(&["platforms", "list"]).ok();
    let account = platforms["platforms"][0]["providerAccountId"].as_str().unwrap();
    world.sim.disconnect(account, 1);
    let health = || {
        playout
            .run(&["platforms", "health", "kitestudio", "--refresh"])
            .ok()
    };
    let mut verdicts = (0..100).map(|_| health()["verdict"].clone());
    assert!(verdicts.any(|verdict| verdict == "blocked"));
    let listed = playout.run(&["platforms", "list"]).ok();
    assert_eq!(listed["platforms"], serde_json::json!([]), "it is left out there");
}
