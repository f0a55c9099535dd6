//! Posts that are sent to the inbox once more.

use std::time::Duration;

use playout_tiktok::sim::{Endpoint, Fault, FaultAction, HoldPoint};

use super::{
    comes_out, first_of_two_is_published, is_out, lies_in_inbox, outcomes_of, send_again, video_in_inbox,
};
use crate::engine::hold::searched;
use crate::harness::{Db, TestApp, on_both};

on_both!(
    a_draft_that_the_creator_has_published_is_not_sent_again,
    a_draft_that_is_sent_again_and_refused_still_waits_in_the_inbox,
    a_draft_that_is_published_while_it_is_sent_again_ends_the_other_try,
    a_draft_that_is_published_while_another_arrives_leaves_the_post_published,
    every_draft_of_a_post_is_asked_about,
    a_draft_that_was_published_is_found_before_a_third_one_is_sent,
    an_earlier_draft_that_was_published_is_found_after_a_restore,
);

const BANNED: &str = "spam_risk_user_banned_from_posting";

async fn a_draft_that_the_creator_has_published_is_not_sent_again(db: Db) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let (post, publish_id) = video_in_inbox(&t).await;
    assert!(t.sim.finish_draft(&publish_id, None, "PUBLIC_TO_EVERYONE"));
    t.api.publish_as_read(&post).await;
    t.settled(&post).await;
    comes_out(&t, &post).await;
    assert_eq!(t.sim.inbox_deliveries().len(), 1);
}

async fn a_draft_that_is_sent_again_and_refused_still_waits_in_the_inbox(db: Db) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let (post, first) = video_in_inbox(&t).await;
    t.sim
        .inject(Fault::new(Endpoint::InboxInit, FaultAction::error(403, BANNED)));
    send_again(&t, &post).await;
    lies_in_inbox(&t, &post).await;
    let root = t.root(&post).await;
    let text = root["errorText"].as_str().unwrap();
    assert!(text.contains(BANNED) && text.contains("earlier draft"), "{text}");
    assert_eq!(outcomes_of(&t, &post).await, ["in_inbox", "rejected"]);
    assert!(t.sim.finish_draft(&first, None, "PUBLIC_TO_EVERYONE"));
    comes_out(&t, &post).await;
}

async fn a_draft_that_is_published_while_it_is_sent_again_ends_the_other_try(db: Db) {
    let t = TestApp::start(db).await;
    let (post, first) = video_in_inbox(&t).await;
    t.sim.hold(Endpoint::InboxInit, HoldPoint::After);
    send_again(&t, &post).await;
    t.sim.held(Endpoint::InboxInit, 1).await;
    assert!(t.sim.finish_draft(&first, None, "PUBLIC_TO_EVERYONE"));
    t.sim.idle().await;
    assert_eq!(t.root(&post).await["state"], "PUBLISHED", "the run still waits");
    t.sim.release(Endpoint::InboxInit);
    comes_out(&t, &post).await;
    t.advance(Duration::from_secs(86_400)).await;
    assert_eq!(t.sim.inbox_deliveries().len(), 1);
    assert_eq!(outcomes_of(&t, &post).await, ["published", "abandoned"]);
}

async fn a_draft_that_is_published_while_another_arrives_leaves_the_post_published(db: Db) {
    let t = TestApp::start(db).await;
    let (post, first) = video_in_inbox(&t).await;
    t.sim.hold(Endpoint::UploadLast, HoldPoint::Before);
    send_again(&t, &post).await;
    t.sim.held(Endpoint::UploadLast, 1).await;
    assert!(t.sim.finish_draft(&first, None, "PUBLIC_TO_EVERYONE"));
    t.sim.idle().await;
    assert_eq!(t.root(&post).await["state"], "QUEUE", "the other one may arrive");
    t.sim.release(Endpoint::UploadLast);
    is_out(
        &t,
        &t.run_until(&post, |root| {
            root["state"] != "QUEUE" && root["releaseUrl"].is_string()
        })
        .await,
    );
    assert_eq!(t.sim.inbox_deliveries().len(), 2);
    assert_eq!(outcomes_of(&t, &post).await, ["published", "in_inbox"]);
    let message = t.attempts_of(&post).await[1]["message"].take();
    assert!(message.as_str().unwrap().contains("creator's inbox"), "{message}");
    assert_eq!(
        t.events_of(&post)
            .await
            .iter()
            .filter(|event| *event == "post.published")
            .count(),
        1
    );
}

async fn every_draft_of_a_post_is_asked_about(db: Db) {
    let (t, post) = first_of_two_is_published(db).await;
    comes_out(&t, &post).await;
    assert_eq!(outcomes_of(&t, &post).await, ["published", "in_inbox"]);
}

async fn a_draft_that_was_published_is_found_before_a_third_one_is_sent(db: Db) {
    let (t, post) = first_of_two_is_published(db).await;
    send_again(&t, &post).await;
    t.settled(&post).await;
    comes_out(&t, &post).await;
    assert_eq!(t.sim.inbox_deliveries().len(), 2);
}

async fn an_earlier_draft_that_was_published_is_found_after_a_restore(db: Db) {
    let (mut t, post) = first_of_two_is_published(db).await;
    let copy = t.copy_database().await;
    t.go_on_with(copy).await;
    searched(&t).await;
    assert_eq!(t.root(&post).await["state"], "PUBLISHED");
    comes_out(&t, &post).await;
}

#[tokio::test]
async fn a_post_in_the_inbox_goes_there_again_only_when_a_person_says_so() {
    let t = TestApp::start(Db::Sqlite).await;
    let (post, _) = video_in_inbox(&t).await;
    t.advance(Duration::from_secs(86_400)).await;
    assert_eq!(t.sim.inbox_deliveries().len(), 1, "never sent again by itself");
    let at = t.now().plus(Duration::from_secs(600));
    t.api.schedule_post(&post, at).await;
    t.settled(&post).await;
    assert_eq!(
        t.sim.inbox_deliveries().len(),
        2,
        "sent again because a person said so"
    );
}
