//! The codes of the comments' API, each provoked under a post that is out.

use std::time::Duration;

use playout_tiktok::errors::table;
use playout_tiktok::sim::{Endpoint, Fault, FaultAction};
use serde_json::{Value, json};

use super::comments::{business, with_comments};
use super::internal::{damage, quoted};
use crate::harness::{Db, TestApp, on_both};

on_both!(a_comment_whose_runs_fail_inside_for_a_day_is_a_persons_in_its_own_words);

/// The outcome of the comment.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    /// ERROR, nothing was written.
    Refused,
    /// Written once, when the list would have it if it was written all the same.
    Waits,
    /// The same, after the tokens were renewed.
    Renewed,
    /// ACTION_REQUIRED, and the account must be reconnected; nothing was written.
    Reconnect,
    /// ACTION_REQUIRED: the outcome is unknown, so it is never written again.
    Unconfirmed,
}

const CASES: &[(&str, Ends)] = &[
    ("business_40000", Ends::Refused),
    ("business_40001", Ends::Refused),
    ("business_40002", Ends::Refused),
    ("business_40007", Ends::Refused),
    ("business_40100", Ends::Waits),
    ("business_40101", Ends::Refused),
    ("business_40102", Ends::Renewed),
    ("business_40103", Ends::Reconnect),
    ("business_40104", Ends::Renewed),
    ("business_40105", Ends::Renewed),
    ("business_40110", Ends::Refused),
    ("business_50000", Ends::Unconfirmed),
    ("business_50002", Ends::Unconfirmed),
    ("business_51065", Ends::Unconfirmed),
    ("business_59999", Ends::Unconfirmed),
];

/// The codes that this file provokes, and the one that `comments.rs` does.
pub(super) fn codes() -> impl Iterator<Item = &'static str> {
    CASES.iter().map(|(code, _)| *code).chain(["comment_hidden"])
}

#[tokio::test]
async fn every_code_of_the_comments_api_has_its_ending() {
    let t = TestApp::start(Db::Sqlite).await;
    let clip = t.api.upload_clip().await;
    for (index, (code, ends)) in CASES.iter().enumerate() {
        run_case(&t, code, *ends, (&format!("case{index}"), &clip)).await;
    }
}

#[tokio::test]
async fn a_comment_whose_renewed_access_is_refused_too_asks_for_reconnection() {
    let t = TestApp::start(Db::Sqlite).await;
    let clip = t.api.upload_clip().await;
    let platform = business(&t, "kitestudio").await;
    t.sim
        .inject(Fault::new(Endpoint::CommentCreate, FaultAction::error(200, "40105")).times(2));
    let body = with_comments(&platform, &clip, &[("Sunny!", None)]);
    let post = t.api.create_post(&body).await;
    let is_settled = |group: &Value| group["children"][0]["state"] != "QUEUE";
    t.settled(&post).await;
    let comment = t.group_until(&post, is_settled).await["children"][0].take();
    assert_eq!(comment["state"], "ACTION_REQUIRED", "{comment:#}");
    assert!(!t.is_ready(&platform).await);
    assert_eq!(t.calls(Endpoint::CommentCreate).len(), 2);
    t.connect_business("kitestudio").await;
    let comment = t.group_until(&post, is_settled).await["children"][0].take();
    assert_eq!(comment["state"], "PUBLISHED", "{comment:#}");
    assert_eq!(t.sim.account("kitestudio").unwrap().comments().len(), 1);
}

/// A comment is not sent again here, so that its text must not ask for that.
async fn a_comment_whose_runs_fail_inside_for_a_day_is_a_persons_in_its_own_words(db: Db) {
    let t = TestApp::start(db).await;
    t.errors.expect("cannot be read");
    let platform = business(&t, "kitestudio").await;
    let clip = t.api.upload_clip().await;
    t.sim
        .inject(Fault::new(Endpoint::CommentCreate, FaultAction::Drop));
    let body = with_comments(&platform, &clip, &[("lost", None)]);
    let post = t.api.create_post(&body).await;
    t.pass_until(|t| t.calls(Endpoint::CommentCreate).len() == 1)
        .await;
    t.idle().await;
    let comment = t.group(&post).await["children"][0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let sql = format!(
        "UPDATE submissions SET sent_bytes = -1 WHERE post_id = {}",
        quoted(db, &comment)
    );
    damage(&t, db, sql).await;
    let settled = |group: &Value| group["children"][0]["state"] != "QUEUE";
    let group = t.group_until(&post, settled).await;
    let (asked, text) = (&group["children"][0], "write it in the provider's app");
    assert_eq!(asked["state"], "ACTION_REQUIRED", "{asked:#}");
    assert!(asked["errorText"].as_str().unwrap().contains(text), "{asked:#}");
}

async fn run_case(t: &TestApp, code: &str, ends: Ends, (name, clip): (&str, &str)) {
    let platform = business(t, name).await;
    let number = code.trim_start_matches("business_");
    let fault = Fault::new(Endpoint::CommentCreate, FaultAction::error(200, number));
    t.sim.inject(fault.on_account(&t.open_id(name)));
    let renewals = t.calls(Endpoint::BusinessRefresh).len();
    let post = t
        .api
        .create_post(&with_comments(&platform, clip, &[("Sunny!", None)]))
        .await;
    t.settled(&post).await;
    let before = t.now();
    let comment = t
        .group_until(&post, |group| group["children"][0]["state"] != "QUEUE")
        .await["children"][0]
        .take();
    let told = t.sim.account(name).unwrap().comments().len();
    let asked = t
        .calls(Endpoint::CommentCreate)
        .iter()
        .filter(|call| call.account == Some(t.open_id(name)))
        .count();
    let text = comment["errorText"].as_str().unwrap_or_default();
    match ends {
        Ends::Refused => {
            assert_eq!(
                (comment["state"].as_str(), told, asked),
                (Some("ERROR"), 0, 1),
                "{code}: {comment:#}"
            );
            let entry = table().iter().find(|entry| entry.row.code == code).unwrap();
            assert!(
                text.contains(code) && text.contains(&entry.row.explanation().message()),
                "{text}"
            );
        }
        Ends::Reconnect => {
            let state = comment["state"].as_str();
            assert_eq!(
                (state, told, asked),
                (Some("ACTION_REQUIRED"), 0, 1),
                "{code}: {comment:#}"
            );
            assert!(text.contains("Reconnect the account"), "{text}");
            assert!(!t.is_ready(&platform).await, "{code}");
        }
        Ends::Waits | Ends::Renewed => {
            assert_eq!(
                (comment["state"].as_str(), told, asked),
                (Some("PUBLISHED"), 1, 2),
                "{code}: {comment:#}"
            );
            assert_eq!(comment["errorText"], json!(null), "{code}");
            assert!(t.now().since(before) >= Duration::from_secs(90), "{code}");
            let renewed = t.calls(Endpoint::BusinessRefresh).len() > renewals;
            assert_eq!(renewed, ends == Ends::Renewed, "{code}");
        }
        Ends::Unconfirmed => {
            let state = comment["state"].as_str();
            assert_eq!(
                (state, told, asked),
                (Some("ACTION_REQUIRED"), 0, 1),
                "{code}: {comment:#}"
            );
            assert!(text.contains("unknown"), "{text}");
        }
    }
}
