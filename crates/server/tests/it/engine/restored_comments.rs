//! Comments that may have been written without this database's knowledge, and those whose refusal is no proof that they were not: none is
//! written twice.

use std::time::Duration;

use playout_tiktok::sim::{Account, Endpoint, Fault, FaultAction, HoldPoint};
use serde_json::{Value, json};

use super::comments::{business, with_comments};
use super::hold::{DAY, HOUR, searched, send_early};
use super::restored::{child_of, commented, comments, is_a_persons};
use super::tokens::disable;
use crate::harness::{Db, TestApp, on_both};

on_both!(
    comments_that_waited_for_a_disabled_account_in_the_copy_are_a_persons,
    a_comment_that_waited_for_a_reconnection_in_the_copy_is_a_persons,
    a_comment_that_was_written_although_it_was_refused_is_found_and_not_written_again,
    a_comment_that_was_written_although_it_was_refused_is_not_written_again_before_the_list_has_it,
    a_comment_that_took_long_to_be_refused_is_not_written_again_before_the_list_has_it,
    a_comment_that_was_written_although_it_was_refused_is_not_written_again_where_the_answer_has_no_list,
    a_comment_that_was_written_although_it_was_refused_is_found_behind_a_page_of_a_pinned_one,
    a_comment_whose_spaces_the_list_joins_is_found_and_not_written_again,
    of_two_comments_of_one_text_in_doubt_none_is_taken_for_the_other_or_written_again,
    comments_that_replace_those_of_before_a_hold_are_a_persons_when_their_post_is_found,
    comments_that_replace_those_of_before_a_hold_follow_once_when_their_post_goes_out,
    a_comment_that_was_refused_is_a_persons_where_none_are_listed,
    a_comment_that_was_refused_for_good_is_in_error_only_once_the_list_lacks_it,
);

/// The provider's codes after which a comment is written again, now or later, and some after which it is not.
const REFUSALS: [&str; 8] = [
    "40100", "40102", "40103", "40104", "40105", "40000", "40002", "40007",
];

/// All scopes that are requested but `comment.list`.
const WITHOUT_LIST: [&str; 6] = [
    "user.info.basic",
    "user.info.username",
    "video.publish",
    "video.upload",
    "video.list",
    "comment.list.manage",
];

/// Lets time pass until all comments of a post are written; how many there are at the provider.
async fn all_written(t: &TestApp, post: &str) -> usize {
    let is_written = |child: &Value| child["state"] == "PUBLISHED";
    t.group_until(post, |group| {
        group["children"].as_array().unwrap().iter().all(is_written)
    })
    .await;
    comments(t)
}

async fn all_are_a_persons(t: &TestApp, post: &str) {
    for child in t.group(post).await["children"].as_array().unwrap() {
        is_a_persons(child);
    }
}

async fn replace_comments(t: &TestApp, post: &str, text: &str) {
    let path = format!("/public/v1/posts/{post}");
    let changes = json!({ "comments": [{ "content": text }] });
    t.api.patch(&path, &changes).await.ok();
}

/// A comment of a new account that the provider writes and refuses all the same.
async fn written_although_refused(t: &TestApp, name: &str, code: &str) -> String {
    let platform = business(t, name).await;
    refused_but_written(t, name, code, &platform).await
}

async fn refused_but_written(t: &TestApp, name: &str, code: &str, platform: &str) -> String {
    let clip = t.api.upload_clip().await;
    let refusal = FaultAction::AnswerAfter {
        status: 200,
        code: code.to_owned(),
        message: String::new(),
    };
    let fault = Fault::new(Endpoint::CommentCreate, refusal);
    t.sim.inject(fault.on_account(&t.open_id(name)));
    let body = with_comments(platform, &clip, &[("Sunny!", None)]);
    t.api.create_post(&body).await
}

/// The owner has not granted to list comments: nothing shows whether it was written.
async fn a_comment_that_was_refused_is_a_persons_where_none_are_listed(db: Db) {
    let t = TestApp::start(db).await;
    for (name, code) in [("pacing", "40100"), ("refusing", "40105"), ("final", "40002")] {
        t.sim.add_account(Account::new(name));
        let platform = t.connect_business_granting(name, &WITHOUT_LIST).await;
        let post = refused_but_written(&t, name, code, &platform).await;
        t.settled(&post).await;
        t.advance(DAY).await;
        let child = child_of(&t, &post).await;
        assert_eq!(child["state"], "ACTION_REQUIRED", "{code}: {child:#}");
        assert_eq!(t.sim.account(name).unwrap().comments().len(), 1, "{code}");
    }
}

/// The account cannot be searched at first. The comment is not written again, and its attempts say why.
async fn a_comment_that_was_refused_for_good_is_in_error_only_once_the_list_lacks_it(db: Db) {
    let t = TestApp::start(db).await;
    let platform = business(&t, "kitestudio").await;
    let clip = t.api.upload_clip().await;
    let refused = FaultAction::error(200, "40002");
    t.sim.inject(Fault::new(Endpoint::CommentCreate, refused));
    let no_list = FaultAction::error(200, "50000");
    t.sim.inject(Fault::new(Endpoint::CommentList, no_list));
    let post = t
        .api
        .create_post(&with_comments(&platform, &clip, &[("Sunny!", None)]))
        .await;
    t.settled(&post).await;
    let before = t.now();
    let is_settled = |group: &Value| group["children"][0]["state"] != "QUEUE";
    let comment = t.group_until(&post, is_settled).await["children"][0].take();
    assert_eq!(comment["state"], "ERROR", "{comment:#}");
    let text = comment["errorText"].as_str().unwrap();
    assert!(text.contains("business_40002"), "{text}");
    assert!(t.now().since(before) >= Duration::from_secs(90));
    assert_eq!(t.calls(Endpoint::CommentCreate).len(), 1);
    let path = format!("/public/v1/posts/{}/attempts", comment["id"].as_str().unwrap());
    let attempts = t.api.get(&path).await.ok();
    let last = attempts["attempts"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(
        (last["outcome"].as_str(), last["code"].as_str()),
        (Some("rejected"), Some("business_40002")),
        "{attempts:#}"
    );
}

async fn comments_that_waited_for_a_disabled_account_in_the_copy_are_a_persons(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect_business("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let texts = [("first", Some(10)), ("second", Some(5))];
    let post = t.api.create_post(&with_comments(&platform, &clip, &texts)).await;
    t.settled(&post).await;
    disable(&t, &platform, true).await;
    t.advance(HOUR).await;
    assert_eq!(
        child_of(&t, &post).await["state"],
        "ACTION_REQUIRED",
        "it waits for its account"
    );
    let copy = t.copy_database().await;
    disable(&t, &platform, false).await;
    assert_eq!(all_written(&t, &post).await, 2);
    t.go_on_with(copy).await;
    searched(&t).await;
    all_are_a_persons(&t, &post).await;
    disable(&t, &platform, false).await;
    t.advance(DAY).await;
    all_are_a_persons(&t, &post).await;
    assert_eq!((t.sim.publication_count(), comments(&t)), (1, 2));
}

async fn a_comment_that_waited_for_a_reconnection_in_the_copy_is_a_persons(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect_business("kitestudio").await;
    let clip = t.api.upload_clip().await;
    t.sim.inject(Fault::new(
        Endpoint::CommentCreate,
        FaultAction::error(200, "40103"),
    ));
    let post = t
        .api
        .create_post(&with_comments(&platform, &clip, &[("first", None)]))
        .await;
    let is_waiting = |group: &Value| group["children"][0]["state"] == "ACTION_REQUIRED";
    t.group_until(&post, is_waiting).await;
    let copy = t.copy_database().await;
    t.connect_business("kitestudio").await;
    assert_eq!(all_written(&t, &post).await, 1);
    t.go_on_with(copy).await;
    searched(&t).await;
    all_are_a_persons(&t, &post).await;
    t.connect_business("kitestudio").await;
    t.advance(DAY).await;
    all_are_a_persons(&t, &post).await;
    assert_eq!((t.sim.publication_count(), comments(&t)), (1, 1));
}

async fn a_comment_that_was_written_although_it_was_refused_is_found_and_not_written_again(db: Db) {
    refused_ones_are_found(TestApp::start(db).await).await;
}

async fn a_comment_that_was_written_although_it_was_refused_is_not_written_again_before_the_list_has_it(
    db: Db,
) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| knobs.comment_list_delay_ms = 80_000);
    refused_ones_are_found(t).await;
}

/// The provider writes it a minute after the request, and refuses it then.
async fn a_comment_that_took_long_to_be_refused_is_not_written_again_before_the_list_has_it(db: Db) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| knobs.comment_list_delay_ms = 75_000);
    t.sim.hold(Endpoint::CommentCreate, HoldPoint::Before);
    let post = written_although_refused(&t, "kitestudio", "40100").await;
    let written = async {
        t.sim.held(Endpoint::CommentCreate, 1).await;
        t.clock.advance(Duration::from_secs(60));
        t.sim.release(Endpoint::CommentCreate);
    };
    tokio::join!(all_written(&t, &post), written);
    assert_eq!(t.sim.account("kitestudio").unwrap().comments().len(), 1);
}

async fn a_comment_that_was_written_although_it_was_refused_is_not_written_again_where_the_answer_has_no_list(
    db: Db,
) {
    let t = TestApp::start(db).await;
    let without_list = Fault::new(Endpoint::CommentList, FaultAction::error(200, "0"));
    t.sim.inject(without_list.times(3));
    let post = written_although_refused(&t, "kitestudio", "40100").await;
    assert_eq!(all_written(&t, &post).await, 1);
}

async fn a_comment_that_was_written_although_it_was_refused_is_found_behind_a_page_of_a_pinned_one(db: Db) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| knobs.pinned_comment = true);
    let post = written_although_refused(&t, "kitestudio", "40100").await;
    assert_eq!(all_written(&t, &post).await, 1);
}

async fn a_comment_whose_spaces_the_list_joins_is_found_and_not_written_again(db: Db) {
    let t = TestApp::start(db).await;
    let platform = business(&t, "kitestudio").await;
    let refusal = FaultAction::AnswerAfter {
        status: 200,
        code: "40100".to_owned(),
        message: String::new(),
    };
    t.sim.inject(Fault::new(Endpoint::CommentCreate, refusal));
    let clip = t.api.upload_clip().await;
    let body = with_comments(&platform, &clip, &[("Sunny,\nand warm!", None)]);
    let post = t.api.create_post(&body).await;
    all_written(&t, &post).await;
    assert_eq!(t.sim.account("kitestudio").unwrap().comments().len(), 1);
}

/// The answer to the first is lost, and the list has it late; the second is refused, whether or not it is written.
async fn of_two_comments_of_one_text_in_doubt_none_is_taken_for_the_other_or_written_again(db: Db) {
    let t = TestApp::start(db).await;
    let clip = t.api.upload_clip().await;
    for (name, is_written) in [("refused", false), ("written", true)] {
        let platform = business(&t, name).await;
        t.sim.turn(|knobs| knobs.comment_list_delay_ms = 150_000);
        let lost = Fault::new(Endpoint::CommentCreate, FaultAction::DropAfter);
        t.sim.inject(lost.on_account(&t.open_id(name)));
        let (status, code, message) = (200, "40100".to_owned(), String::new());
        let refusal = match is_written {
            true => FaultAction::AnswerAfter {
                status,
                code,
                message,
            },
            false => FaultAction::Answer {
                status,
                code,
                message,
            },
        };
        let refused = Fault::new(Endpoint::CommentCreate, refusal);
        t.sim.inject(refused.on_account(&t.open_id(name)));
        let body = with_comments(&platform, &clip, &[("Sunny!", None), ("Sunny!", None)]);
        let post = t.api.create_post(&body).await;
        let settled = |group: &Value| {
            let children = group["children"].as_array().unwrap();
            children.iter().all(|child| child["state"] == "ACTION_REQUIRED")
        };
        t.group_until(&post, settled).await;
        t.advance(DAY).await;
        let written = t.sim.account(name).unwrap().comments().len();
        assert_eq!(written, 1 + usize::from(is_written), "{name}");
    }
}

async fn refused_ones_are_found(t: TestApp) {
    for code in REFUSALS {
        let name = format!("refused{code}");
        let post = written_although_refused(&t, &name, code).await;
        let settled = |group: &Value| group["children"][0]["state"] != "QUEUE";
        t.settled(&post).await;
        t.group_until(&post, settled).await;
        if !t
            .is_ready(child_of(&t, &post).await["integrationId"].as_str().unwrap())
            .await
        {
            t.connect_business(&name).await;
            t.group_until(&post, settled).await;
        }
        t.advance(HOUR).await;
        let (child, written) = (
            child_of(&t, &post).await,
            t.sim.account(&name).unwrap().comments(),
        );
        assert_eq!(
            (child["state"].as_str(), written.len()),
            (Some("PUBLISHED"), 1),
            "{code}: {child:#}"
        );
        assert_eq!(child["releaseId"], written[0].comment_id.as_str(), "{code}");
    }
    assert_eq!(
        t.calls(Endpoint::CommentCreate).len(),
        REFUSALS.len(),
        "each was written once"
    );
}

async fn comments_that_replace_those_of_before_a_hold_are_a_persons_when_their_post_is_found(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect_business("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let post = t
        .api
        .create_post(&commented(&t, &platform, ("warm rolls", &clip), 5 * DAY))
        .await;
    // Nothing is looked for on a disabled account before it is enabled.
    disable(&t, &platform, true).await;
    let copy = t.copy_database().await;
    disable(&t, &platform, false).await;
    send_early(&t, &post).await;
    assert_eq!(all_written(&t, &post).await, 1);
    t.go_on_with(copy).await;
    searched(&t).await;
    disable(&t, &platform, false).await;
    replace_comments(&t, &post, "a comment").await;
    t.clock.advance(5 * DAY);
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    t.advance(DAY).await;
    all_are_a_persons(&t, &post).await;
    assert_eq!((t.sim.publication_count(), comments(&t)), (1, 1));
}

async fn comments_that_replace_those_of_before_a_hold_follow_once_when_their_post_goes_out(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect_business("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let post = t
        .api
        .create_post(&commented(&t, &platform, ("warm rolls", &clip), 5 * DAY))
        .await;
    let copy = t.copy_database().await;
    t.go_on_with(copy).await;
    searched(&t).await;
    replace_comments(&t, &post, "another comment").await;
    t.clock.advance(5 * DAY);
    assert_eq!(all_written(&t, &post).await, 1);
    assert_eq!((t.sim.publication_count(), comments(&t)), (1, 1));
}
