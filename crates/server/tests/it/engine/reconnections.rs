//! Answers that concern the access from before a reconnection, and refusals that come after the provider's work.

use std::time::Duration;

use playout_tiktok::sim::{Endpoint, Fault, FaultAction, HoldPoint};

use super::at_most_once::Pulled;
use super::comments::with_comments;
use crate::harness::{Db, TestApp, on_both};

on_both!(
    a_refusal_of_the_access_from_before_a_reconnection_disconnects_nothing,
    a_refused_comment_of_before_a_reconnection_is_written_with_the_new_access,
    photos_that_were_fetched_before_they_were_refused_are_looked_for_and_not_sent_again,
    photos_that_the_provider_comes_for_after_a_refusal_go_out_once,
    a_pull_whose_access_is_refused_twice_asks_for_reconnection,
);

/// Refusals after which the post is sent again, now or later: status and code.
const REFUSALS: [(u16, &str); 4] = [
    (401, "access_token_invalid"),
    (401, "scope_not_authorized"),
    (403, "spam_risk_too_many_posts"),
    (429, "rate_limit_exceeded"),
];

/// The provider does the work, then refuses it all the same.
fn refused_after_the_work(endpoint: Endpoint, status: u16, code: &str) -> Fault {
    let action = FaultAction::AnswerAfter {
        status,
        code: code.to_owned(),
        message: String::new(),
    };
    Fault::new(endpoint, action)
}

/// Sends photos of a new account, and lets the provider fetch and publish them before it answers with this refusal.
async fn fetched_before_a_refusal(t: &TestApp, name: &str, status: u16, code: &str) {
    let platform = t.join(name).await;
    t.sim.hold(Endpoint::ContentInit, HoldPoint::After);
    t.sim
        .inject(refused_after_the_work(Endpoint::ContentInit, status, code));
    let photo = t.api.upload_photo(720, 960).await;
    let post = t.api.publish_now(&platform, &[photo]).await;
    t.sim.held(Endpoint::ContentInit, 1).await;
    t.sim.idle().await;
    t.sim.release(Endpoint::ContentInit);
    let root = t.settled(&post).await;
    let published = t.publications_of(name);
    assert_eq!(
        (t.handovers_of(name), published.len()),
        (1, 1),
        "{status} {code}: {root:#}"
    );
    assert_eq!(root["state"], "PUBLISHED", "{status} {code}: {root:#}");
    assert_eq!(root["releaseId"], published[0].post_id.as_str());
}

async fn a_refusal_of_the_access_from_before_a_reconnection_disconnects_nothing(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    t.sim.hold(Endpoint::VideoInit, HoldPoint::After);
    t.sim.inject(Fault::new(
        Endpoint::VideoInit,
        FaultAction::error(401, "scope_not_authorized"),
    ));
    let post = t.api.publish_now(&platform, &[clip]).await;
    t.sim.held(Endpoint::VideoInit, 1).await;
    assert_eq!(t.connect("kitestudio").await, platform);
    t.sim.release(Endpoint::VideoInit);
    t.idle().await;
    let waiting = t.root(&post).await;
    assert_eq!(waiting["state"], "QUEUE", "{waiting:#}");
    let text = waiting["errorText"].as_str().unwrap();
    assert!(
        text.contains("scope_not_authorized") && text.contains("The next try is at"),
        "{text}"
    );
    let root = t.settled(&post).await;
    assert_eq!(root["state"], "PUBLISHED", "{root:#}");
    assert!(
        t.is_ready(&platform).await,
        "it was reconnected after the access that was refused"
    );
    assert_eq!(t.events_about(&platform, "platform.refresh_needed").await, 0);
    assert_eq!(t.sim.publication_count(), 1);
}

async fn a_refused_comment_of_before_a_reconnection_is_written_with_the_new_access(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect_business("kitestudio").await;
    let clip = t.api.upload_clip().await;
    t.sim.hold(Endpoint::CommentCreate, HoldPoint::After);
    t.sim.inject(Fault::new(
        Endpoint::CommentCreate,
        FaultAction::error(200, "40103"),
    ));
    let post = t
        .api
        .create_post(&with_comments(&platform, &clip, &[("Sunny!", None)]))
        .await;
    let reconnected = async {
        t.sim.held(Endpoint::CommentCreate, 1).await;
        assert_eq!(t.connect_business("kitestudio").await, platform);
        t.sim.release(Endpoint::CommentCreate);
    };
    let (group, ()) = tokio::join!(
        t.group_until(&post, |group| group["children"][0]["state"] != "QUEUE"),
        reconnected
    );
    assert_eq!(group["children"][0]["state"], "PUBLISHED", "{group:#}");
    assert!(t.is_ready(&platform).await);
    assert_eq!(t.sim.account("kitestudio").unwrap().comments().len(), 1);
}

async fn photos_that_were_fetched_before_they_were_refused_are_looked_for_and_not_sent_again(db: Db) {
    let t = Pulled::Photo.start(db).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let final_refusals = [
        (400, "invalid_params"),
        (403, "spam_risk_user_banned_from_posting"),
    ];
    let refusals: Vec<_> = REFUSALS.into_iter().chain(final_refusals).collect();
    for (index, (status, code)) in refusals.iter().enumerate() {
        fetched_before_a_refusal(&t, &format!("account{index}"), *status, code).await;
    }
    t.advance(Duration::from_secs(2 * 86_400)).await;
    assert_eq!(
        t.sim.publication_count(),
        refusals.len(),
        "nothing went out again later"
    );
}

async fn photos_that_the_provider_comes_for_after_a_refusal_go_out_once(db: Db) {
    let t = Pulled::Photo.start(db).await;
    t.sim.turn(|knobs| knobs.pull_delay_ms = 60_000);
    for (index, (status, code)) in REFUSALS.into_iter().enumerate() {
        let name = format!("account{index}");
        let platform = t.join(&name).await;
        t.sim
            .inject(refused_after_the_work(Endpoint::ContentInit, status, code));
        let post = t
            .api
            .publish_now(&platform, &[t.api.upload_photo(720, 960).await])
            .await;
        let mut root = t.settled(&post).await;
        if code == "scope_not_authorized" {
            assert_eq!(root["state"], "ACTION_REQUIRED", "{root:#}");
            assert_eq!(t.connect(&name).await, platform);
            root = t.settled(&post).await;
        }
        assert_eq!(root["state"], "PUBLISHED", "{status} {code}: {root:#}");
        t.advance(Duration::from_secs(7200)).await;
        assert_eq!(
            (t.handovers_of(&name), t.publications_of(&name).len()),
            (2, 1),
            "{status} {code}: the first addresses are gone before the second request"
        );
    }
}

async fn a_pull_whose_access_is_refused_twice_asks_for_reconnection(db: Db) {
    let t = Pulled::Photo.start(db).await;
    let platform = t.connect("kitestudio").await;
    let stale = FaultAction::error(401, "access_token_invalid");
    t.sim.inject(Fault::new(Endpoint::ContentInit, stale).times(2));
    let post = t
        .api
        .publish_now(&platform, &[t.api.upload_photo(720, 960).await])
        .await;
    let root = t.settled(&post).await;
    assert_eq!(root["state"], "ACTION_REQUIRED", "{root:#}");
    assert!(!t.is_ready(&platform).await);
    assert_eq!(
        t.attempts_of(&post).await.len(),
        1,
        "one try, with the access from before and after its renewal"
    );
    assert_eq!(t.connect("kitestudio").await, platform);
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    assert_eq!(t.sim.publication_count(), 1);
}
