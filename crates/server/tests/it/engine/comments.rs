//! Comments of an account that is connected as a business: in order, under the root that is out, and never twice.

use std::time::Duration;

use playout_tiktok::sim::{Account, Comment, Endpoint, FailRule, Fault, FaultAction, HoldPoint};
use serde_json::{Value, json};

use super::tokens::disable;
use crate::harness::{Db, TestApp, on_both, post_body};

on_both!(
    comments_follow_in_order_each_its_delay_after_the_one_before,
    comments_that_were_due_without_their_account_follow_once_it_is_back,
    comments_of_an_account_that_was_removed_follow_once_it_is_connected_again,
    a_comment_that_is_marked_lets_none_overtake_the_one_that_waits_for_its_account,
    a_comment_waits_until_the_provider_reveals_the_post,
    a_refused_comment_ends_in_error_and_those_after_it_go_on,
    a_comment_whose_answer_is_lost_is_found_under_the_post_and_never_written_twice,
    a_comment_that_was_refused_and_written_is_not_written_again_after_a_slow_list,
    a_comment_of_which_nobody_can_tell_waits_for_a_person_and_those_after_it_go_on,
    a_comment_that_the_spam_filter_hides_is_published_and_its_attempt_says_so,
    a_comment_that_cannot_be_looked_for_waits_for_a_person_at_once,
    a_comment_that_was_never_sent_is_not_looked_for_once_its_account_is_back,
    comments_of_a_post_that_did_not_go_out_are_not_written,
    a_creators_account_takes_no_comments,
    a_comment_that_is_too_long_is_refused_at_its_place_before_anything_is_sent,
);

/// A new account at the provider, connected with permission to comment.
pub(super) async fn business(t: &TestApp, username: &str) -> String {
    t.sim.add_account(Account::new(username));
    t.connect_business(username).await
}

/// The permissions of a business account but for reading its comments.
const WITHOUT_READING: [&str; 4] = [
    "user.info.basic",
    "user.info.username",
    "video.publish",
    "comment.list.manage",
];

/// A post of a clip with these comments: text, and minutes after the one before.
pub(super) fn with_comments(platform: &str, clip: &str, comments: &[(&str, Option<u32>)]) -> Value {
    let mut body = post_body(platform, &[clip.to_owned()]);
    body["settings"]["allow_comment"] = json!(true);
    let comment = |(text, delay): &(&str, Option<u32>)| json!({ "content": text, "delayInMinutes": delay });
    body["comments"] = comments.iter().map(comment).collect();
    body
}

pub(super) fn told(t: &TestApp) -> Vec<Comment> {
    t.sim.account("kitestudio").unwrap().comments()
}

/// The next comment does not arrive, has no response, and is looked for in vain once.
fn lose_a_comment_and_a_look(t: &TestApp) {
    let [lost, failed] = [FaultAction::Drop, FaultAction::error(200, "50000")];
    t.sim.inject(Fault::new(Endpoint::CommentCreate, lost));
    t.sim.inject(Fault::new(Endpoint::CommentList, failed));
}

pub(super) fn states(group: &Value) -> Vec<&str> {
    group["children"]
        .as_array()
        .unwrap()
        .iter()
        .map(|child| child["state"].as_str().unwrap())
        .collect()
}

pub(super) async fn all_settled(t: &TestApp, post: &str) -> Value {
    t.group_until(post, |group| !states(group).contains(&"QUEUE"))
        .await
}

async fn comments_follow_in_order_each_its_delay_after_the_one_before(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect_business("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let comments = [("first", Some(10)), ("second", Some(5)), ("third", None)];
    let post = t
        .api
        .create_post(&with_comments(&platform, &clip, &comments))
        .await;
    t.settled(&post).await;
    let group = all_settled(&t, &post).await;
    assert_eq!(states(&group), ["PUBLISHED"; 3], "{group:#}");
    let told = told(&t);
    let texts: Vec<&str> = told.iter().map(|comment| comment.text.as_str()).collect();
    assert_eq!(texts, ["first", "second", "third"]);
    let minutes = |later: usize, earlier: usize| {
        told[later]
            .created_at
            .since(told[earlier].created_at)
            .as_secs_f64()
            / 60.0
    };
    let published = t.sim.publications();
    let root_to_first = told[0].created_at.since(published[0].published_at);
    assert!(root_to_first >= Duration::from_secs(600) && root_to_first < Duration::from_secs(660));
    assert!((5.0..5.1).contains(&minutes(1, 0)), "{}", minutes(1, 0));
    assert!(minutes(2, 1) < 0.1, "{}", minutes(2, 1));
    for (child, comment) in group["children"].as_array().unwrap().iter().zip(&told) {
        assert_eq!(child["releaseId"], comment.comment_id.as_str());
        assert_eq!(comment.post_id, published[0].post_id);
        assert_eq!(child["parentPostId"], group["root"]["id"]);
    }
}

async fn comments_that_were_due_without_their_account_follow_once_it_is_back(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect_business("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let comments = [("first", Some(10)), ("second", Some(5)), ("third", None)];
    let post = t
        .api
        .create_post(&with_comments(&platform, &clip, &comments))
        .await;
    t.settled(&post).await;
    disable(&t, &platform, true).await;
    t.advance(Duration::from_secs(3600)).await;
    let group = t.group(&post).await;
    assert_eq!(states(&group), ["ACTION_REQUIRED", "QUEUE", "QUEUE"], "{group:#}");
    let text = group["children"][0]["errorText"].as_str().unwrap();
    assert!(text.contains("follows by itself"), "{text}");
    assert_eq!(told(&t).len(), 0);
    disable(&t, &platform, false).await;
    let group = all_settled(&t, &post).await;
    assert_eq!(states(&group), ["PUBLISHED"; 3], "{group:#}");
    let texts: Vec<String> = told(&t).into_iter().map(|comment| comment.text).collect();
    assert_eq!(
        (texts.join(" ").as_str(), t.sim.publication_count()),
        ("first second third", 1)
    );
}

async fn comments_of_an_account_that_was_removed_follow_once_it_is_connected_again(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect_business("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let post = t
        .api
        .create_post(&with_comments(
            &platform,
            &clip,
            &[("first", Some(10)), ("second", None)],
        ))
        .await;
    t.settled(&post).await;
    t.remove_account(&platform).await;
    t.advance(Duration::from_secs(3600)).await;
    assert_eq!(states(&t.group(&post).await), ["ACTION_REQUIRED", "QUEUE"]);
    assert_eq!(t.connect_business("kitestudio").await, platform);
    let group = all_settled(&t, &post).await;
    assert_eq!(states(&group), ["PUBLISHED"; 2], "{group:#}");
    assert_eq!((told(&t).len(), t.sim.publication_count()), (2, 1));
}

async fn a_comment_that_is_marked_lets_none_overtake_the_one_that_waits_for_its_account(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect_business("kitestudio").await;
    let clip = t.api.upload_clip().await;
    lose_a_comment_and_a_look(&t);
    let comments = [("lost", None), ("second", Some(10)), ("third", Some(5))];
    let post = t
        .api
        .create_post(&with_comments(&platform, &clip, &comments))
        .await;
    t.settled(&post).await;
    let group = t.group_until(&post, |group| states(group)[0] != "QUEUE").await;
    disable(&t, &platform, true).await;
    t.advance(Duration::from_secs(3600)).await;
    let waiting = ["ACTION_REQUIRED", "ACTION_REQUIRED", "QUEUE"];
    assert_eq!(states(&t.group(&post).await), waiting, "{group:#}");
    let lost = group["children"][0]["id"].as_str().unwrap();
    let mark = format!("/public/v1/posts/{lost}/mark-published");
    t.api.post(&mark, &json!({})).await.ok();
    t.advance(Duration::from_secs(3600)).await;
    assert_eq!(
        states(&t.group(&post).await),
        ["PUBLISHED", "ACTION_REQUIRED", "QUEUE"]
    );
    disable(&t, &platform, false).await;
    let group = all_settled(&t, &post).await;
    assert_eq!(states(&group), ["PUBLISHED"; 3], "{group:#}");
    let told = told(&t);
    let texts: Vec<&str> = told.iter().map(|comment| comment.text.as_str()).collect();
    assert_eq!(texts, ["second", "third"]);
    let apart = told[1].created_at.since(told[0].created_at);
    assert!(apart >= Duration::from_secs(300), "{apart:?}");
}

async fn a_comment_waits_until_the_provider_reveals_the_post(db: Db) {
    let t = TestApp::start(db).await;
    t.sim
        .turn(|knobs| (knobs.moderation_ms, knobs.webhooks) = (20 * 60_000, false));
    let platform = t.connect_business("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let post = t
        .api
        .create_post(&with_comments(&platform, &clip, &[("hello", None)]))
        .await;
    let root = t.settled(&post).await;
    assert_eq!(
        (root["state"].as_str(), &root["releaseId"]),
        (Some("PUBLISHED"), &Value::Null)
    );
    let group = all_settled(&t, &post).await;
    assert_eq!(states(&group), ["PUBLISHED"], "{group:#}");
    let public_at = t.sim.publications()[0].public_at.unwrap();
    assert!(told(&t)[0].created_at >= public_at);
    assert_eq!(
        t.calls(Endpoint::CommentCreate).len(),
        1,
        "nothing was tried before"
    );
}

async fn a_refused_comment_ends_in_error_and_those_after_it_go_on(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect_business("kitestudio").await;
    let clip = t.api.upload_clip().await;
    t.sim.inject(Fault::new(
        Endpoint::CommentCreate,
        FaultAction::error(200, "40002"),
    ));
    let comments = [("one", None), ("two", Some(1))];
    let post = t
        .api
        .create_post(&with_comments(&platform, &clip, &comments))
        .await;
    t.settled(&post).await;
    let group = all_settled(&t, &post).await;
    assert_eq!(states(&group), ["ERROR", "PUBLISHED"], "{group:#}");
    assert_eq!(group["root"]["state"], "PUBLISHED");
    assert_eq!(
        told(&t)
            .iter()
            .map(|comment| comment.text.as_str())
            .collect::<Vec<_>>(),
        ["two"]
    );
    assert_eq!(
        t.calls(Endpoint::CommentCreate).len(),
        2,
        "a refused comment is not sent again"
    );
}

async fn a_comment_whose_answer_is_lost_is_found_under_the_post_and_never_written_twice(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect_business("kitestudio").await;
    let clip = t.api.upload_clip().await;
    // The answer to the second of two identical ones: the first has its ID already, and is not taken for it.
    t.sim
        .inject(Fault::new(Endpoint::CommentCreate, FaultAction::DropAfter).skip(1));
    let comments = [("again", None), ("again", None), ("last", Some(5))];
    let post = t
        .api
        .create_post(&with_comments(&platform, &clip, &comments))
        .await;
    t.settled(&post).await;
    let group = all_settled(&t, &post).await;
    assert_eq!(states(&group), ["PUBLISHED"; 3], "{group:#}");
    let told = told(&t);
    let texts: Vec<&str> = told.iter().map(|comment| comment.text.as_str()).collect();
    assert_eq!(texts, ["again", "again", "last"]);
    for (child, comment) in group["children"].as_array().unwrap().iter().zip(&told) {
        assert_eq!(child["releaseId"], comment.comment_id.as_str());
    }
    let after = told[2].created_at.since(told[1].created_at);
    assert!(
        after >= Duration::from_secs(300),
        "the next one waits for when it was found: {after:?}"
    );
    assert_eq!(t.calls(Endpoint::CommentCreate).len(), 3);
}

/// The list shows what was written 80 seconds before it was asked for, and arrives half a minute later.
async fn a_comment_that_was_refused_and_written_is_not_written_again_after_a_slow_list(db: Db) {
    let t = TestApp::start(db).await;
    let platform = business(&t, "kitestudio").await;
    let clip = t.api.upload_clip().await;
    t.sim.turn(|knobs| knobs.comment_list_delay_ms = 80_000);
    let busy = FaultAction::AnswerAfter {
        status: 200,
        code: "40100".to_owned(),
        message: "Too many requests".to_owned(),
    };
    t.sim.inject(Fault::new(Endpoint::CommentCreate, busy));
    t.sim.hold(Endpoint::CommentList, HoldPoint::After);
    let post = t
        .api
        .create_post(&with_comments(&platform, &clip, &[("first", None)]))
        .await;
    let mut held = std::pin::pin!(t.sim.held(Endpoint::CommentList, 1));
    loop {
        tokio::select! {
            () = &mut held => break,
            () = tokio::time::sleep(Duration::from_millis(5)) => t.clock.advance(Duration::from_secs(1)),
        }
    }
    t.clock.advance(Duration::from_secs(28));
    t.sim.release(Endpoint::CommentList);
    let group = all_settled(&t, &post).await;
    assert_eq!(states(&group), ["PUBLISHED"]);
    assert_eq!((told(&t).len(), t.calls(Endpoint::CommentCreate).len()), (1, 1));
}

async fn a_comment_of_which_nobody_can_tell_waits_for_a_person_and_those_after_it_go_on(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect_business("kitestudio").await;
    let clip = t.api.upload_clip().await;
    lose_a_comment_and_a_look(&t);
    let comments = [("lost", None), ("next", None)];
    let post = t
        .api
        .create_post(&with_comments(&platform, &clip, &comments))
        .await;
    t.settled(&post).await;
    let group = t.group_until(&post, |group| states(group)[0] != "QUEUE").await;
    assert_eq!(states(&group)[0], "ACTION_REQUIRED", "{group:#}");
    let text = group["children"][0]["errorText"].as_str().unwrap();
    assert!(text.contains("unknown") && text.contains("Look"), "{text}");
    assert_eq!(
        t.calls(Endpoint::CommentList).len(),
        4,
        "it was looked for, also after a look that failed"
    );
    let group = all_settled(&t, &post).await;
    assert_eq!(states(&group), ["ACTION_REQUIRED", "PUBLISHED"], "{group:#}");
    t.advance(Duration::from_secs(86_400)).await;
    assert_eq!(
        told(&t)
            .iter()
            .map(|comment| comment.text.as_str())
            .collect::<Vec<_>>(),
        ["next"]
    );
    assert_eq!(
        t.calls(Endpoint::CommentCreate).len(),
        2,
        "the lost one is not written again"
    );
}

async fn a_comment_that_the_spam_filter_hides_is_published_and_its_attempt_says_so(db: Db) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| knobs.hide_comments = true);
    let platform = t.connect_business("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let post = t
        .api
        .create_post(&with_comments(&platform, &clip, &[("buy now", None)]))
        .await;
    t.settled(&post).await;
    let group = all_settled(&t, &post).await;
    assert_eq!(states(&group), ["PUBLISHED"], "{group:#}");
    let path = format!(
        "/public/v1/posts/{}/attempts",
        group["children"][0]["id"].as_str().unwrap()
    );
    let attempt = t.api.get(&path).await.ok()["attempts"][0].take();
    assert_eq!(
        (attempt["outcome"].as_str(), attempt["code"].as_str()),
        (Some("published"), Some("comment_hidden")),
        "{attempt:#}"
    );
    assert!(
        attempt["message"].as_str().unwrap().contains("hides it"),
        "{attempt:#}"
    );
}

async fn a_comment_that_cannot_be_looked_for_waits_for_a_person_at_once(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect_business_granting("kitestudio", &WITHOUT_READING).await;
    let clip = t.api.upload_clip().await;
    t.sim
        .inject(Fault::new(Endpoint::CommentCreate, FaultAction::DropAfter));
    let post = t
        .api
        .create_post(&with_comments(&platform, &clip, &[("lost", None)]))
        .await;
    t.settled(&post).await;
    let group = all_settled(&t, &post).await;
    assert_eq!(states(&group), ["ACTION_REQUIRED"], "{group:#}");
    assert_eq!(
        (
            t.calls(Endpoint::CommentList).len(),
            t.calls(Endpoint::CommentCreate).len()
        ),
        (0, 1)
    );
}

async fn a_comment_that_was_never_sent_is_not_looked_for_once_its_account_is_back(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect_business_granting("kitestudio", &WITHOUT_READING).await;
    let clip = t.api.upload_clip().await;
    let post = t
        .api
        .create_post(&with_comments(&platform, &clip, &[("first", Some(10))]))
        .await;
    t.settled(&post).await;
    disable(&t, &platform, true).await;
    t.advance(Duration::from_secs(3600)).await;
    assert_eq!(states(&t.group(&post).await), ["ACTION_REQUIRED"]);
    disable(&t, &platform, false).await;
    let group = all_settled(&t, &post).await;
    assert_eq!(states(&group), ["PUBLISHED"], "{group:#}");
    assert_eq!(
        (
            t.calls(Endpoint::CommentList).len(),
            t.calls(Endpoint::CommentCreate).len()
        ),
        (0, 1)
    );
}

async fn comments_of_a_post_that_did_not_go_out_are_not_written(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect_business("kitestudio").await;
    let clip = t.api.upload_clip().await;
    t.sim.fail(FailRule::next("spam_risk_text"));
    let post = t
        .api
        .create_post(&with_comments(&platform, &clip, &[("hello", None)]))
        .await;
    let root = t.settled(&post).await;
    assert_eq!(root["state"], "ERROR");
    t.advance(Duration::from_secs(3600)).await;
    let group = t.group(&post).await;
    assert_eq!(states(&group), ["QUEUE"], "{group:#}");
    assert_eq!(t.calls(Endpoint::CommentCreate).len(), 0);
    let later = t.now().plus(Duration::from_secs(60));
    t.api.schedule_post(&post, later).await;
    t.settled(&post).await;
    let group = all_settled(&t, &post).await;
    assert_eq!(
        states(&group),
        ["PUBLISHED"],
        "they follow when the root goes out after all: {group:#}"
    );
    assert_eq!(told(&t).len(), 1);
}

async fn a_creators_account_takes_no_comments(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let answer = t
        .api
        .post(
            "/public/v1/posts",
            &with_comments(&platform, &clip, &[("hello", None)]),
        )
        .await;
    let result = &answer.ok()["results"][0];
    assert_eq!((answer.status, result["status"].as_str()), (200, Some("failed")));
    assert_eq!(result["error"]["code"], "comments_not_supported", "{result:#}");
    let schema = t
        .api
        .get(&format!("/public/v1/platforms/{platform}/schema"))
        .await
        .ok();
    let nothing = json!({ "supported": false, "mediaSupported": false, "delayInMinutesSupported": false, "maxLength": null });
    assert_eq!(schema["schema"]["comments"], nothing);
}

async fn a_comment_that_is_too_long_is_refused_at_its_place_before_anything_is_sent(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect_business("kitestudio").await;
    let schema = t
        .api
        .get(&format!("/public/v1/platforms/{platform}/schema"))
        .await
        .ok();
    let rules = json!({ "supported": true, "mediaSupported": false, "delayInMinutesSupported": true, "maxLength": 150 });
    assert_eq!(schema["schema"]["comments"], rules);
    let clip = t.api.upload_clip().await;
    // 75 and 76 characters outside the basic plane: 150 and 152 UTF-16 code units.
    let (fits, long) = ("\u{1fa81}".repeat(75), "\u{1fa81}".repeat(76));
    let body = with_comments(&platform, &clip, &[(&fits, None), (&long, None)]);
    let error = t.api.post("/public/v1/posts", &body).await.ok()["results"][0]["error"].take();
    assert_eq!(error["code"], "comments_not_supported", "{error:#}");
    assert_eq!(
        error["details"],
        json!([{ "path": ["comments", 1, "content"], "code": "too_long", "message": "must be at most 150 characters (UTF-16 code units); it has 152" }])
    );
    assert_eq!(t.calls(Endpoint::BusinessVideo).len(), 0);
}
