//! A request without a response may have been done: the error says what to look at, or how to send it once.

use serde_json::json;

use super::{ACCOUNT, refusal, run, scripted};

#[test]
fn what_may_have_been_done_is_not_done_again_without_a_key() {
    let id = "0196f3a0-7c1e-7d3a-9b5e-000000000001";
    for arguments in [
        &["posts", "delete", id][..],
        &["posts", "reschedule", id, "--at", "+1h"],
    ] {
        let (ran, asked) = run(vec![refusal(500, "internal_error")], arguments);
        ran.failed(5, "internal_error");
        assert_eq!(asked.len(), 1, "{asked:?}");
    }
}

#[test]
fn what_is_sent_once_and_may_have_been_done_says_where_to_look_first() {
    let id = "0196f3a0-7c1e-7d3a-9b5e-000000000001";
    let post = format!("playout posts get {id}");
    let media = format!("playout media get {id}");
    let deliveries = format!("playout api GET /webhooks/{id}/deliveries");
    let commands: [(&[&str], &str); 14] = [
        (&["posts", "delete", id], &post),
        (&["posts", "edit", id, "--caption", "Kites"], &post),
        (&["posts", "reschedule", id, "--at", "+1h"], &post),
        (&["posts", "unschedule", id], &post),
        (&["posts", "mark-published", id], &post),
        (&["media", "move", id, "root"], &media),
        (&["media", "delete", id], &media),
        (&["folders", "rename", id, "Kites"], "playout folders list"),
        (&["folders", "delete", id], "playout folders list"),
        (&["webhooks", "delete", id], "playout webhooks list"),
        (&["webhooks", "trigger", id], &deliveries),
        (&["api", "DELETE", "/posts/x"], "Look before"),
        (&["api", "PATCH", "/posts/x", "--data", "{}"], "Look before"),
        (&["api", "PUT", "/posts/x", "--data", "{}"], "Look before"),
    ];
    for (command, look) in commands {
        let (ran, _) = run(vec![refusal(500, "internal_error"); 10], command);
        let error = ran.failed(5, "internal_error");
        let message = error["message"].as_str().unwrap();
        assert!(
            message.contains(" may ") && message.contains(look),
            "{command:?}: {message}"
        );
        let (ran, _) = run(vec![refusal(400, "invalid_request")], command);
        assert_eq!(ran.failed(1, "invalid_request")["message"], "No.");
    }
    let (ran, _) = run(
        vec![refusal(500, "internal_error"); 10],
        &["api", "GET", "/posts"],
    );
    let error = ran.failed(5, "internal_error");
    assert_eq!(error["message"], "No.", "nothing can have been done");
}

#[test]
fn a_key_that_may_exist_although_it_was_never_shown_is_to_be_revoked() {
    let begun = json!({
        "token": "t",
        "organizations": [{ "id": ACCOUNT, "name": "Kites", "role": "owner" }],
    });
    let answers = vec![(200, None, begun), refusal(500, "internal_error")];
    let (_runtime, playout, _) = scripted(answers);
    let create = ["keys", "create", "Render farm", "--email", "ada@example.org"];
    let error = playout.run_reading("secret", &create).failed(5, "internal_error");
    let message = error["message"].as_str().unwrap();
    for part in ["\"Render farm\" may exist", "keys list", "keys revoke"] {
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn a_post_that_may_have_been_created_says_how_to_send_it_again() {
    let id = "0196f3a0-7c1e-7d3a-9b5e-000000000001";
    let create = [
        "posts",
        "create",
        "--platform",
        id,
        "--caption",
        "Kites",
        "--media",
        id,
        "--draft",
    ];
    let (ran, asked) = run(vec![refusal(500, "internal_error"); 10], &create);
    let error = ran.failed(5, "internal_error");
    let message = error["message"].as_str().unwrap();
    let key = asked[0].1.as_deref().unwrap();
    assert!(
        message.contains(&format!("--idempotency-key {key} --media {id}")),
        "{message}"
    );
    // It is rejected when it is sent again, which says nothing of the first time.
    let (ran, asked) = run(
        vec![refusal(500, "internal_error"), refusal(401, "invalid_api_key")],
        &create,
    );
    let error = ran.failed(3, "invalid_api_key");
    let message = error["message"].as_str().unwrap();
    let key = asked[0].1.as_deref().unwrap();
    assert!(
        message.contains("may have been created") && message.contains(&format!("--idempotency-key {key}")),
        "{message}"
    );
    let (ran, _) = run(vec![refusal(400, "invalid_request")], &create);
    let error = ran.failed(1, "invalid_request");
    assert_eq!(error["message"], "No.");
}

#[test]
fn what_may_have_been_created_says_with_which_key_it_is_created_once() {
    let id = "0196f3a0-7c1e-7d3a-9b5e-000000000001";
    let commands: [&[&str]; 6] = [
        &[
            "webhooks",
            "create",
            "https://example.org/playout",
            "--events",
            "post.published",
        ],
        &["slides", "captions", "Kites", "--count", "3", "--media", id],
        &["folders", "create", "Kites"],
        &["media", "import", "https://example.org/kite.mp4", "--no-wait"],
        &["slides", "composite", id, "--caption", "Kites"],
        &["media", "upload", "clip.mp4"],
    ];
    for command in commands {
        let (ran, asked) = run(vec![refusal(500, "internal_error"); 10], command);
        let error = ran.failed(5, "internal_error");
        let message = error["message"].as_str().unwrap();
        let key = asked[0].1.as_deref().unwrap();
        let again = format!("--idempotency-key {key}");
        assert!(
            message.contains("may have been") && message.contains(&again),
            "{message}"
        );
        let own = [command, &["--idempotency-key", "spring-1"]].concat();
        let (ran, asked) = run(vec![refusal(400, "invalid_request")], &own);
        let error = ran.failed(1, "invalid_request");
        assert!(error["message"].as_str().unwrap().ends_with("No."), "{error}");
        assert_eq!(asked[0].1.as_deref(), Some("spring-1"));
    }
    let files = [
        "slides",
        "composite",
        "slides/1.jpg",
        "--idempotency-key",
        "spring-1",
    ];
    run(vec![], &files).0.failed(2, "usage");
}

#[test]
fn a_time_that_counts_from_now_is_given_as_that_of_the_first_run() {
    let id = "0196f3a0-7c1e-7d3a-9b5e-000000000001";
    let create = [
        "posts",
        "create",
        "--platform",
        id,
        "--caption",
        "Kites",
        "--at",
        "+3d",
    ];
    let (ran, _) = run(vec![refusal(500, "internal_error"); 10], &create);
    let error = ran.failed(5, "internal_error");
    let message = error["message"].as_str().unwrap();
    assert!(message.contains(" --at 20"), "{message}");
    let (ran, _) = run(vec![refusal(422, "idempotency_key_reused")], &create);
    let error = ran.failed(1, "idempotency_key_reused");
    let message = error["message"].as_str().unwrap();
    assert!(
        message.contains("+3d") && message.contains("scheduledFor"),
        "{message}"
    );
}

#[test]
fn a_post_that_may_have_been_queued_says_how_to_publish_it_once() {
    let id = "0196f3a0-7c1e-7d3a-9b5e-000000000001";
    let publish = ["posts", "publish", id];
    let (ran, asked) = run(vec![refusal(500, "internal_error"); 10], &publish);
    let error = ran.failed(5, "internal_error");
    let message = error["message"].as_str().unwrap();
    let key = asked[0].1.as_deref().unwrap();
    for part in [format!("posts get {id}"), format!("--idempotency-key {key}")] {
        assert!(message.contains(&part), "{message}");
    }
    let again = ["posts", "publish", id, "--idempotency-key", key];
    let (ran, once_more) = run(vec![refusal(409, "post_undecided")], &again);
    let error = ran.failed(1, "post_undecided");
    assert_eq!((&error["message"], &once_more[0].1), (&json!("No."), &asked[0].1));
}
