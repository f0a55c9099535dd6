//! Rows that are too much for a request.

use serde_json::json;

use super::{column, posts};
use crate::harness::World;

#[test]
fn rows_that_are_too_much_for_one_request_are_sent_in_several() {
    let world = World::start();
    let playout = world.playout();
    // Each is too long for a caption, and all together, with 10 MB, for a request.
    let long = "x".repeat(100_000);
    let row = json!({ "account": "kitestudio", "content": long, "when": "draft" }).to_string();
    playout.put("posts.jsonl", [row.as_str(); 100].join("\n").as_bytes());
    let ran = playout.run(&["posts", "import", "posts.jsonl"]);
    ran.failed(1, "invalid_request");
    assert_eq!(column(&ran.json(), "status"), vec!["failed"; 100]);
}

#[test]
fn a_row_that_no_request_can_carry_fails_and_the_others_are_created() {
    let world = World::start();
    let playout = world.playout();
    let row = |content: &str| json!({ "account": "kitestudio", "content": content, "when": "draft" });
    let rows = [row("One"), row(&"x".repeat(9_000_000)), row("Two")];
    playout.put(
        "posts.jsonl",
        rows.map(|row| row.to_string()).join("\n").as_bytes(),
    );
    for (how, statuses) in [
        (&["--dry-run"][..], ["valid", "failed", "valid"]),
        (&[], ["created", "failed", "created"]),
    ] {
        let ran = playout.run(&[&["posts", "import", "posts.jsonl"], how].concat());
        let error = ran.failed(6, "payload_too_large");
        let message = error["message"].as_str().unwrap();
        assert!(
            message.contains("row 2") && message.contains("8 MiB"),
            "{message}"
        );
        assert_eq!(column(&ran.json(), "status"), statuses);
    }
    assert_eq!(posts(&playout).len(), 2);
}
