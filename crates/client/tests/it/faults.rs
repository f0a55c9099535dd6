//! What is sent again, and what never is, against a service that answers from a list.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use crate::harness::{Playout, Ran, Terminal};

/// The answers of a service, in order, and the requests that it received.
#[derive(Clone, Default)]
struct Script {
    answers: Arc<Mutex<VecDeque<Answer>>>,
    asked: Arc<Mutex<Vec<Asked>>>,
    /// The versions that the requests named.
    named: Arc<Mutex<Vec<String>>>,
}

/// The version of everything that a [`Script`] answers.
const VERSION: &str = "\"6yW1Tn2nT0mUuXGmYh5d8g\"";

/// Status, `Retry-After`, body.
type Answer = (u16, Option<&'static str>, Value);
/// Method and path, and the idempotency key.
type Asked = (String, Option<String>);

async fn answer(State(script): State<Script>, request: Request) -> Response {
    let (request, body) = request.into_parts();
    // A response before all of a body was read may be lost.
    let _body = axum::body::to_bytes(body, usize::MAX).await;
    let key = request.headers.get("idempotency-key");
    let key = key.map(|key| key.to_str().unwrap().to_owned());
    let asked = format!("{} {}", request.method, request.uri);
    let mut all = script.asked.lock().unwrap();
    let is_replayed = key.is_some() && all.iter().any(|(_, earlier)| *earlier == key);
    all.push((asked, key));
    drop(all);
    let named = request.headers.get("if-match");
    let named = named.map(|version| version.to_str().unwrap().to_owned());
    script.named.lock().unwrap().extend(named);
    let next = script.answers.lock().unwrap().pop_front();
    let (status, retry_after, body) =
        next.unwrap_or((404, None, json!({ "code": "not_found", "message": "Nothing." })));
    let headers = retry_after.map(|after| [("retry-after", after)]);
    let body = (StatusCode::from_u16(status).unwrap(), axum::Json(body));
    let version = [
        ("etag", VERSION),
        ("idempotency-replayed", if is_replayed { "true" } else { "false" }),
    ];
    match headers {
        Some(headers) => (version, headers, body).into_response(),
        None => (version, body).into_response(),
    }
}

/// Runs the program against a service that gives these answers; returns the requests that it received, too.
fn run(answers: Vec<Answer>, arguments: &[&str]) -> (Ran, Vec<Asked>) {
    let (_runtime, playout, script) = scripted(answers);
    let ran = playout.run(arguments);
    let asked = script.asked.lock().unwrap().clone();
    (ran, asked)
}

/// The program, signed in at a service that gives these answers until the runtime is dropped.
fn scripted(answers: Vec<Answer>) -> (tokio::runtime::Runtime, Playout, Script) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap();
    let script = Script {
        answers: Arc::new(Mutex::new(answers.into())),
        ..Script::default()
    };
    let router = Router::new().fallback(answer).with_state(script.clone());
    let listener = runtime
        .block_on(tokio::net::TcpListener::bind("127.0.0.1:0"))
        .unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    runtime.spawn(async move { axum::serve(listener, router).await });
    let playout = Playout::new()
        .env("PLAYOUT_API_URL", &url)
        .env("PLAYOUT_API_KEY", "any");
    (runtime, playout, script)
}

/// A post in a state.
fn group(state: &str) -> Answer {
    let root = json!({
        "id": "p", "integrationId": "a", "content": "Kites", "state": state, "scheduledFor": null,
        "releaseUrl": null, "errorText": null, "settings": {}, "mediaIds": [], "createdAt": "2026-11-20T12:00:00.000Z",
    });
    (200, None, json!({ "root": root, "children": [] }))
}

fn refusal(status: u16, code: &str) -> Answer {
    (status, None, json!({ "code": code, "message": "No." }))
}

fn folder() -> Answer {
    let folder =
        json!({ "id": "f", "name": "Kites", "createdAt": "2026-11-20T12:00:00.000Z", "colour": "red" });
    (201, None, folder)
}

#[test]
fn a_fault_of_the_service_is_asked_again_with_the_same_idempotency_key() {
    let away = (503, Some("0"), json!({ "code": "unavailable", "message": "No." }));
    let answers = vec![
        refusal(500, "internal_error"),
        refusal(502, "bad"),
        away,
        folder(),
    ];
    let (ran, asked) = run(answers, &["folders", "create", "Kites"]);
    assert_eq!(
        ran.ok()["colour"],
        "red",
        "what the client does not know is shown all the same"
    );
    assert_eq!(asked.len(), 4);
    let keys: Vec<_> = asked.iter().map(|(_, key)| key.clone().unwrap()).collect();
    assert!(
        keys.iter().all(|key| *key == keys[0] && key.len() == 32),
        "{keys:?}"
    );
}

#[test]
fn a_rate_limit_is_waited_out() {
    let limited = (
        429,
        Some("1"),
        json!({ "code": "rate_limited", "message": "Too many." }),
    );
    let (ran, asked) = run(vec![limited, folder()], &["folders", "create", "Kites"]);
    ran.ok();
    assert_eq!(asked.len(), 2);
}

#[test]
fn a_rate_limit_that_lasts_too_long_is_the_answer() {
    let limited = (
        429,
        Some("3600"),
        json!({ "code": "rate_limited", "message": "Too many." }),
    );
    let (ran, asked) = run(vec![limited, folder()], &["folders", "create", "Kites"]);
    ran.failed(1, "rate_limited");
    assert_eq!(asked.len(), 1);
}

#[test]
fn a_request_that_is_still_being_worked_on_is_asked_again() {
    let answers = vec![refusal(409, "idempotency_in_progress"), folder()];
    let (ran, asked) = run(answers, &["folders", "create", "Kites"]);
    ran.ok();
    assert_eq!(asked[0].1, asked[1].1);
}

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

/// The account to which imported rows go.
const ACCOUNT: &str = "0196f3a0-7c1e-7d3a-9b5e-000000000001";

/// The list of the accounts.
fn one_platform() -> Answer {
    (200, None, json!({ "platforms": [platform()] }))
}

fn platform() -> Value {
    json!({ "id": ACCOUNT, "provider": "tiktok", "displayName": "Kites", "displayHandle": "kites", "providerName": "TikTok", "tokenExpiresAt": null, "capabilities": [], "disabled": false, "refreshNeeded": false })
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

#[test]
fn an_account_that_cannot_be_posted_to_is_named_with_the_reason_and_its_posts_are_listed() {
    for (flag, reason) in [
        ("refreshNeeded", "must be connected again"),
        ("disabled", "is disabled"),
    ] {
        let mut unusable = platform();
        unusable[flag] = json!(true);
        let all: Answer = (200, None, json!({ "platforms": [unusable] }));
        let usable = (200, None, json!({ "platforms": [] }));
        let schema = ["platforms", "schema", "@kites"];
        let (ran, asked) = run(vec![usable, all.clone()], &schema);
        let error = ran.failed(1, "platform_not_found");
        assert!(error["message"].as_str().unwrap().contains(reason), "{error}");
        assert_eq!(asked[1].0, "GET /public/v1/platforms?include=all");
        let posts = (200, None, json!({ "posts": [], "nextCursor": null }));
        let (ran, asked) = run(vec![all, posts], &["posts", "list", "--platform", "kites"]);
        ran.ok();
        assert!(asked[1].0.contains(&format!("platformId={ACCOUNT}")), "{asked:?}");
    }
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

#[test]
fn settings_are_added_to_those_of_the_version_that_was_read_alone() {
    let id = "0196f3a0-7c1e-7d3a-9b5e-000000000001";
    let edit = ["posts", "edit", id, "--setting", "allow_comment=true"];
    let (_runtime, playout, script) = scripted(vec![group("DRAFT"), refusal(412, "precondition_failed")]);
    playout.run(&edit).failed(1, "precondition_failed");
    assert_eq!(*script.named.lock().unwrap(), [VERSION]);
    let (_runtime, playout, script) = scripted(vec![group("DRAFT")]);
    playout.run(&["posts", "edit", id, "--caption", "Kites"]).ok();
    assert!(script.named.lock().unwrap().is_empty(), "nothing was read for it");
}

#[test]
fn a_planned_time_is_moved_in_the_version_that_was_read_alone() {
    let id = "0196f3a0-7c1e-7d3a-9b5e-000000000001";
    let planned = || {
        let mut group = group("QUEUE");
        group.2["root"]["scheduledFor"] = json!("2027-07-01T07:00:00.000Z");
        group
    };
    let by = ["posts", "reschedule", id, "--by", "+1d"];
    let (_runtime, playout, script) = scripted(vec![planned(), refusal(412, "precondition_failed")]);
    playout.run(&by).failed(1, "precondition_failed");
    assert_eq!(*script.named.lock().unwrap(), [VERSION]);
    let (ran, asked) = run(vec![planned(), refusal(500, "internal_error")], &by);
    let error = ran.failed(5, "internal_error");
    let message = error["message"].as_str().unwrap();
    assert!(
        message.contains("--at 2027-07-02T07:00:00.000Z"),
        "moved once by the same command again: {message}"
    );
    assert_eq!(asked.len(), 2, "{asked:?}");
}

#[test]
fn accounts_that_must_be_connected_again_are_listed_with_the_others() {
    let list = ["platforms", "list", "--all"];
    let mut again = platform();
    again["refreshNeeded"] = json!(true);
    let all = || (200, None, json!({ "platforms": [again, platform()] }));
    let (ran, asked) = run(vec![all()], &list);
    assert_eq!(ran.ok()["platforms"], all().2["platforms"]);
    assert_eq!(asked[0].0, "GET /public/v1/platforms?include=all");
    let (_runtime, playout, _script) = scripted(vec![all()]);
    let (_, shown) = Terminal::start(&playout, &list).end();
    assert!(
        shown.contains("connect again") && shown.contains("ready"),
        "{shown}"
    );
}

#[test]
fn a_refusal_is_final() {
    for (status, code, exit) in [
        (400, "invalid_request", 1),
        (401, "invalid_api_key", 3),
        (403, "forbidden", 1),
        (503, "captions_unavailable", 7),
    ] {
        let (ran, asked) = run(
            vec![refusal(status, code), folder()],
            &["folders", "create", "Kites"],
        );
        ran.failed(exit, code);
        assert_eq!(asked.len(), 1, "{code}");
    }
}

#[test]
fn a_service_that_goes_on_failing_ends_with_5() {
    let answers = (0..9).map(|_| refusal(500, "internal_error")).collect();
    let (ran, asked) = run(answers, &["usage"]);
    ran.failed(5, "internal_error");
    assert_eq!(asked.len(), 5);
}

#[test]
fn watching_goes_on_when_the_service_is_away_for_a_while() {
    let away = (0..6).map(|_| refusal(502, "bad_gateway"));
    let answers = std::iter::once(group("QUEUE"))
        .chain(away)
        .chain([group("PUBLISHED")]);
    let (ran, asked) = run(answers.collect(), &["posts", "watch", "p"]);
    assert_eq!(ran.ok()["root"]["state"], "PUBLISHED");
    assert_eq!(asked.len(), 8);
    let (ran, _) = run(vec![], &["posts", "watch", "p"]);
    ran.failed(1, "not_found");
}

#[test]
fn a_list_is_read_to_its_end_page_by_page() {
    let page = |name: &str, next: Value| {
        let media = json!({
            "id": name, "publicUrl": "http://x/m", "mimeType": "image/jpeg", "size": 1, "originalFileName": name,
            "status": "READY", "folderId": null, "createdAt": "2026-11-20T12:00:00.000Z",
        });
        (200, None, json!({ "media": [media], "nextCursor": next }))
    };
    let answers = vec![page("a", json!("more")), page("b", json!(null))];
    let (ran, asked) = run(answers.clone(), &["media", "list"]);
    assert_eq!(ran.ok()["media"].as_array().unwrap().len(), 2);
    let asked: Vec<&str> = asked.iter().map(|(line, _)| line.as_str()).collect();
    assert_eq!(
        asked,
        ["GET /public/v1/media", "GET /public/v1/media?cursor=more"]
    );
    let (ran, asked) = run(answers, &["media", "list", "--limit", "1", "--cursor", "here"]);
    assert_eq!(ran.ok()["nextCursor"], "more");
    assert_eq!(asked[0].0, "GET /public/v1/media?limit=1&cursor=here");
}

#[test]
fn media_that_failed_show_why() {
    let media = |name: &str, failure: Value| {
        json!({
            "id": name, "publicUrl": "http://x/m", "mimeType": "video/mp4", "size": null, "originalFileName": name,
            "status": "PENDING", "failure": failure, "folderId": null, "createdAt": "2026-11-20T12:00:00.000Z",
        })
    };
    let why = "The file could not be processed.";
    let failed = media(
        "failed.mp4",
        json!({ "code": "processing_failed", "message": why }),
    );
    let under_way = media("half.mp4", json!(null));
    let list = json!({ "media": [failed.clone(), under_way.clone()], "nextCursor": null });
    for (answer, line) in [
        (list, &["media", "list"][..]),
        (failed, &["media", "get", "failed.mp4"]),
    ] {
        let (_runtime, playout, _) = scripted(vec![(200, None, answer)]);
        let (code, shown) = Terminal::start(&playout, line).end();
        assert_eq!(code, 0, "{shown}");
        assert_eq!(shown.matches(why).count(), 1, "{shown}");
    }
    let list = json!({ "media": [under_way], "nextCursor": null });
    let (_runtime, playout, _) = scripted(vec![(200, None, list)]);
    let (_, shown) = Terminal::start(&playout, &["media", "list"]).end();
    assert!(!shown.contains("FAILURE"), "{shown}");
}

#[test]
fn something_that_is_no_playout_is_told_apart() {
    let (ran, _) = run(vec![(200, None, json!("hello"))], &["usage"]);
    ran.failed(5, "unexpected_answer");
    let (ran, _) = run(vec![(418, None, json!({ "tea": true }))], &["usage"]);
    ran.failed(5, "unexpected_answer");
}
