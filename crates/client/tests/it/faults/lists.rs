//! What is listed and shown, and what the service was asked for it.

use serde_json::{Value, json};

use super::{ACCOUNT, Answer, platform, run, scripted};
use crate::harness::Terminal;

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
