//! Imports of which a request had no response.

use serde_json::{Value, json};

use super::{ACCOUNT, Answer, platform, refusal, scripted};

/// The list of the accounts.
fn one_platform() -> Answer {
    (200, None, json!({ "platforms": [platform()] }))
}

/// The response to a batch whose only post does not fit the plan.
fn without_room() -> Answer {
    let problem = json!({ "code": "post_limit_reached", "message": "No more posts in this month." });
    let failed = json!({ "index": 0, "status": "failed", "results": [], "error": problem });
    (201, None, json!({ "results": [failed] }))
}

/// A row of a file to import.
fn draft(content: &str) -> Value {
    json!({ "platformIds": [ACCOUNT], "content": content, "mode": "draft" })
}

#[test]
fn what_is_rejected_after_a_sending_without_a_response_may_have_been_done() {
    let platforms = one_platform();
    for (first, word) in [
        (refusal(500, "internal_error"), "unknown"),
        (refusal(408, "request_timeout"), "unknown"),
        (refusal(429, "rate_limited"), "not_sent"),
    ] {
        let answers = vec![
            platforms.clone(),
            first,
            refusal(401, "invalid_api_key"),
            platforms.clone(),
            refusal(401, "invalid_api_key"),
            platforms.clone(),
            refusal(401, "invalid_api_key"),
        ];
        let (_runtime, playout, script) = scripted(answers);
        let row = draft("Kites");
        playout.put("posts.jsonl", row.to_string().as_bytes());
        let import = ["posts", "import", "posts.jsonl"];
        let ran = playout.run(&import);
        ran.failed(3, "invalid_api_key");
        assert_eq!(ran.json()["rows"][0]["status"], word);
        let keys: Vec<_> = script
            .asked
            .lock()
            .unwrap()
            .iter()
            .filter_map(|(_, key)| key.clone())
            .collect();
        assert_eq!(keys.len(), 2);
        // Another run cannot tell either before it has sent it again.
        let ran = playout.run(&import);
        ran.failed(3, "invalid_api_key");
        assert_eq!(ran.json()["rows"][0]["status"], word);
        // What was rejected may be corrected, in a file of any name; what may exist is not sent from another one.
        let corrected = format!("{row}\n{}", row.to_string().replace("Kites", "Planes"));
        playout.put("corrected.jsonl", corrected.as_bytes());
        playout.run(&["posts", "import", "corrected.jsonl"]).failed(
            if word == "unknown" { 2 } else { 3 },
            if word == "unknown" {
                "usage"
            } else {
                "invalid_api_key"
            },
        );
    }
}

#[test]
fn rows_in_doubt_are_not_created_by_the_file_of_what_failed() {
    let platforms = one_platform();
    let failed = without_room();
    let answers = vec![
        platforms.clone(),
        failed.clone(),
        // The second run: what failed is sent once more, and has no response.
        platforms.clone(),
        failed,
        refusal(500, "internal_error"),
        refusal(401, "invalid_api_key"),
        platforms.clone(),
        platforms.clone(),
        platforms,
    ];
    let (_runtime, playout, script) = scripted(answers);
    let row = draft("Kites");
    playout.put("posts.jsonl", row.to_string().as_bytes());
    let import = |name: &str| playout.run(&["posts", "import", name]);
    import("posts.jsonl").failed(1, "post_limit_reached");
    let ran = import("posts.jsonl");
    ran.failed(3, "invalid_api_key");
    assert_eq!(ran.json()["rows"][0]["status"], "unknown");
    let count = || {
        script
            .asked
            .lock()
            .unwrap()
            .iter()
            .filter(|(_, key)| key.is_some())
            .count()
    };
    let before = count();
    let error = import("posts.failed.jsonl").failed(2, "usage");
    assert!(
        error["message"].as_str().unwrap().contains("has not ended"),
        "{error}"
    );
    playout.put("posts.jsonl", format!("{row}\n{}", draft("More")).as_bytes());
    import("posts.jsonl").failed(2, "usage");
    assert_eq!(count(), before, "nothing was sent");
}

#[test]
fn rows_that_another_import_has_in_doubt_are_not_reported_as_imported() {
    let platforms = one_platform();
    let failed = without_room();
    let answers = vec![
        platforms.clone(),
        failed.clone(),
        // The file of what failed has no response.
        platforms.clone(),
        refusal(500, "internal_error"),
        refusal(401, "invalid_api_key"),
        // The first file gets its earlier response again.
        platforms.clone(),
        failed,
    ];
    let (_runtime, playout, _script) = scripted(answers);
    let row = draft("Kites");
    playout.put("posts.jsonl", row.to_string().as_bytes());
    let import = |name: &str| playout.run(&["posts", "import", name]);
    import("posts.jsonl").failed(1, "post_limit_reached");
    import("posts.failed.jsonl").failed(3, "invalid_api_key");
    let ran = import("posts.jsonl");
    let error = ran.failed(1, "import_interrupted");
    assert!(
        error["message"].as_str().unwrap().contains("posts.failed.jsonl"),
        "{error}"
    );
    assert_eq!(ran.json()["rows"][0]["status"], "failed");
}
