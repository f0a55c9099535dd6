//! After a hold: posts with a draft in the creator's inbox.

use playout_tiktok::sim::{Endpoint, Fault, FaultAction};
use serde_json::json;

use super::hold::{searched, searched_in_time};
use super::inbox::{comes_out, outcomes_of, send_again, video_in_inbox};
use crate::harness::{Db, TestApp, on_both, post_body};

on_both!(
    a_draft_that_arrived_since_the_copy_is_followed_until_it_is_published,
    a_post_whose_second_draft_was_published_since_the_copy_is_found,
    a_post_with_a_draft_in_the_inbox_that_may_be_published_asks_a_person_to_look_first,
    a_post_of_which_the_copy_knows_a_published_draft_is_published,
);

/// For how long the provider processes an upload.
const PROCESSING_MS: u64 = 60_000;

async fn a_draft_that_arrived_since_the_copy_is_followed_until_it_is_published(db: Db) {
    let mut t = TestApp::start(db).await;
    t.sim
        .turn(|knobs| (knobs.webhooks, knobs.processing_ms) = (false, PROCESSING_MS));
    let platform = t.connect("kitestudio").await;
    let mut body = post_body(&platform, &[t.api.upload_clip().await]);
    body["settings"] = json!({ "post_mode": "MEDIA_UPLOAD" });
    let post = t.api.create_post(&body).await;
    t.idle().await;
    assert_eq!(t.root(&post).await["state"], "QUEUE", "the provider processes it");
    let copy = t.copy_database().await;
    assert_eq!(t.settled(&post).await["state"], "ACTION_REQUIRED");
    t.go_on_with(copy).await;
    searched(&t).await;
    assert_eq!(t.root(&post).await["state"], "ACTION_REQUIRED");
    assert_eq!(outcomes_of(&t, &post).await, ["in_inbox"]);
    let draft = t.sim.inbox_deliveries().remove(0);
    assert!(t.sim.finish_draft(&draft.publish_id, None, "PUBLIC_TO_EVERYONE"));
    comes_out(&t, &post).await;
    assert_eq!(t.sim.publication_count(), 1);
}

/// A post of whose drafts the second was published since the copy, after its hold; the provider answers like this when it is asked first.
async fn restored_with_a_published_draft(db: Db, answers: &[Fault]) -> (TestApp, String) {
    let mut t = TestApp::start(db).await;
    let (post, first) = video_in_inbox(&t).await;
    let text = t.root(&post).await["content"].as_str().unwrap().to_owned();
    let copy = t.copy_database().await;
    send_again(&t, &post).await;
    t.settled(&post).await;
    let drafts = t.sim.inbox_deliveries();
    let second = drafts.iter().find(|draft| draft.publish_id != first).unwrap();
    assert!(
        t.sim
            .finish_draft(&second.publish_id, Some(&text), "PUBLIC_TO_EVERYONE")
    );
    t.sim.idle().await;
    for answer in answers {
        t.sim.inject(answer.clone());
    }
    t.go_on_with(copy).await;
    searched_in_time(&t).await;
    assert_eq!(t.sim.publication_count(), 1);
    (t, post)
}

async fn a_post_whose_second_draft_was_published_since_the_copy_is_found(db: Db) {
    let rejected = FaultAction::error(401, "scope_not_authorized");
    for answers in [
        Vec::new(),
        vec![Fault::new(Endpoint::VideoList, rejected)],
        vec![Fault::new(Endpoint::VideoList, FaultAction::internal_error())],
    ] {
        let (mut t, post) = restored_with_a_published_draft(db, &answers).await;
        assert_eq!(t.root(&post).await["state"], "PUBLISHED");
        t.stop().await;
    }
}

async fn a_post_with_a_draft_in_the_inbox_that_may_be_published_asks_a_person_to_look_first(db: Db) {
    let unanswered = Fault::new(Endpoint::VideoList, FaultAction::internal_error()).times(1000);
    let (t, post) = restored_with_a_published_draft(db, &[unanswered]).await;
    let root = t.root(&post).await;
    assert_eq!(root["state"], "ACTION_REQUIRED", "{root:#}");
    let text = root["errorText"].as_str().unwrap();
    assert!(text.contains("look at the account first"), "{text}");
}

async fn a_post_of_which_the_copy_knows_a_published_draft_is_published(db: Db) {
    let mut t = TestApp::start(db).await;
    let (post, first) = video_in_inbox(&t).await;
    t.sim.turn(|knobs| knobs.processing_ms = PROCESSING_MS);
    send_again(&t, &post).await;
    t.idle().await;
    assert!(t.sim.finish_draft(&first, None, "PUBLIC_TO_EVERYONE"));
    t.idle().await;
    assert_eq!(t.root(&post).await["state"], "QUEUE", "the other one may arrive");
    let copy = t.copy_database().await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    t.go_on_with(copy).await;
    searched(&t).await;
    assert_eq!(t.root(&post).await["state"], "PUBLISHED");
    assert_eq!(t.sim.publication_count(), 1);
}
