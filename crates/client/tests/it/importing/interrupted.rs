//! A run that is killed, and what goes on after it or beside it.

use std::fs;

use serde_json::json;

use super::{WITH_PHOTO, column, posts, put_table};
use crate::harness::{PHOTO, Playout, Relay, World};

/// Imports 250 drafts from lines, and is killed after the first of its requests.
fn import_that_is_killed(world: &World, relay: &Relay, playout: &Playout) {
    playout.put("posts.jsonl", drafts("").as_bytes());
    relay.stop_after(14_000);
    let mut child = playout.spawn(&["posts", "import", "posts.jsonl"]);
    world.runtime.block_on(relay.stopped());
    child.kill().unwrap();
    child.wait().unwrap();
    relay.go_on();
}

/// The lines of 250 drafts, and another line.
fn drafts(last: &str) -> String {
    let lines = (0..250).map(|number| {
        json!({ "account": "kitestudio", "content": format!("Kite {number}"), "when": "draft" }).to_string()
    });
    lines.chain([last.to_owned()]).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_file_that_was_changed_since_an_import_of_it_had_no_response_is_refused() {
    let world = World::start();
    let relay = world.relay();
    let playout = world.playout().env("PLAYOUT_API_URL", &relay.url);
    import_that_is_killed(&world, &relay, &playout);
    let more = json!({ "account": "kitestudio", "content": "One more", "when": "draft" });
    playout.put("posts.jsonl", drafts(&more.to_string()).as_bytes());
    let error = playout
        .run(&["posts", "import", "posts.jsonl"])
        .failed(2, "usage");
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("the first being row 1,"), "{message}");
    assert!((100..250).contains(&posts(&playout).len()));
    playout.put("posts.jsonl", drafts("").as_bytes());
    playout.run(&["posts", "import", "posts.jsonl"]).ok();
    assert_eq!(posts(&playout).len(), 250);
}

#[test]
fn a_run_that_is_killed_goes_on_when_it_is_run_again() {
    let world = World::start();
    let relay = world.relay();
    let playout = world.playout().env("PLAYOUT_API_URL", &relay.url);
    import_that_is_killed(&world, &relay, &playout);
    let before = posts(&playout).len();
    assert!((100..250).contains(&before), "{before}");
    let report = playout.run(&["posts", "import", "posts.jsonl"]).ok();
    assert_eq!(report["created"], 250);
    let all = posts(&playout);
    assert_eq!(all.len(), 250);
    assert_eq!(column(&report, "row"), (1..=250).collect::<Vec<_>>());
}

#[test]
fn a_file_that_a_run_uploaded_before_it_was_killed_is_not_uploaded_again() {
    let world = World::start();
    let relay = world.relay();
    let playout = world.playout().env("PLAYOUT_API_URL", &relay.url);
    playout.put("photo.jpg", PHOTO);
    playout.put("film.mp4", &crate::uploads::large_clip(12_000_000));
    put_table(
        &playout,
        "posts.csv",
        &[WITH_PHOTO, "kitestudio,One,draft,film.mp4,SELF_ONLY"],
    );
    let import = ["posts", "import", "posts.csv"];
    relay.stop_after(11_500_000);
    let mut child = playout.spawn(&import);
    world.runtime.block_on(relay.stopped());
    let around = world.playout();
    let names = || {
        around
            .run(&["media", "list", "--jq", ".media[].originalFileName"])
            .stdout
    };
    let is_noted = |entry: fs::DirEntry| {
        let text = fs::read_to_string(entry.path()).unwrap();
        text.contains("\"mediaId\"")
    };
    // The second upload stands where it is; the note on the first one is there once it has ended.
    let notes = playout.state().join("imports");
    let noted = (0..60).any(|_| {
        names().contains("photo.jpg")
            && fs::read_dir(&notes)
                .unwrap()
                .any(|entry| is_noted(entry.unwrap()))
    });
    child.kill().unwrap();
    child.wait().unwrap();
    relay.go_on();
    assert!(noted, "{}", names());
    assert_eq!(playout.run(&import).ok()["created"], 2);
    assert_eq!(names().matches("photo.jpg").count(), 1);
}

#[test]
fn another_import_does_not_begin_while_one_is_running() {
    let world = World::start();
    let relay = world.relay();
    let playout = world.playout();
    let through = playout.env("PLAYOUT_API_URL", &relay.url);
    through.put("posts.jsonl", drafts("").as_bytes());
    put_table(
        &through,
        "others.csv",
        &["kitestudio,One,draft,clip.mp4,SELF_ONLY"],
    );
    relay.stop_after(14_000);
    let mut child = through.spawn(&["posts", "import", "posts.jsonl"]);
    world.runtime.block_on(relay.stopped());
    relay.go_on();
    through
        .run(&["posts", "import", "others.csv"])
        .failed(2, "import_running");
    child.kill().unwrap();
    child.wait().unwrap();
    through.run(&["posts", "import", "others.csv"]).ok();
}
