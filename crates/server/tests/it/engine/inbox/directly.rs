//! Posts that are in the inbox and are to go out directly.

use std::time::Duration;

use playout_tiktok::sim::{Endpoint, FailRule, Fault, FaultAction, HoldPoint};

use super::{
    comes_out, first_of_two_is_published, outcomes_of, plan_directly, send_again, sending_directly,
    video_in_inbox,
};
use crate::engine::internal::damage;
use crate::harness::{Db, Options, TestApp, eventually, on_both};

on_both!(
    a_draft_that_was_published_is_found_before_its_post_goes_out_directly,
    a_draft_that_was_published_is_found_although_a_try_in_doubt_followed,
    nothing_is_sent_directly_any_more_once_the_provider_tells_that_the_draft_is_published,
    nothing_is_sent_directly_any_more_once_the_draft_is_published,
    nothing_is_sent_directly_while_the_draft_cannot_be_asked_about,
    an_upload_that_goes_on_late_asks_about_the_draft_first,
    a_draft_that_is_published_while_the_account_is_asked_is_the_one_post,
    a_draft_that_is_published_while_the_account_is_asked_stops_a_pull,
    nothing_is_pulled_while_the_draft_cannot_be_asked_about,
    a_draft_whose_account_is_removed_while_its_post_is_sent_again_is_still_in_the_inbox,
);

async fn a_draft_that_was_published_is_found_before_its_post_goes_out_directly(db: Db) {
    let (t, post) = first_of_two_is_published(db).await;
    plan_directly(&t, &post).await;
    t.settled(&post).await;
    comes_out(&t, &post).await;
    assert_eq!(t.calls(Endpoint::VideoInit).len(), 0);
}

async fn nothing_is_sent_directly_any_more_once_the_provider_tells_that_the_draft_is_published(db: Db) {
    its_draft_is_published_while_it_is_sent_directly(db, true, 0).await;
}

async fn nothing_is_sent_directly_any_more_once_the_draft_is_published(db: Db) {
    its_draft_is_published_while_it_is_sent_directly(db, false, 0).await;
}

async fn nothing_is_sent_directly_while_the_draft_cannot_be_asked_about(db: Db) {
    its_draft_is_published_while_it_is_sent_directly(db, false, 2).await;
}

/// The provider notifies of it, or is asked, which fails so many times.
async fn its_draft_is_published_while_it_is_sent_directly(db: Db, is_told: bool, failures: u32) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| knobs.webhooks = is_told);
    let (post, first) = video_in_inbox(&t).await;
    let broken = Fault::new(Endpoint::UploadLast, FaultAction::Drop);
    t.sim.inject(broken.times(1));
    plan_directly(&t, &post).await;
    t.run_until(&post, |root| root["errorText"].is_string()).await;
    assert!(t.sim.finish_draft(&first, None, "PUBLIC_TO_EVERYONE"));
    t.sim.idle().await;
    for _ in 0..failures {
        t.sim
            .inject(Fault::new(Endpoint::Status, FaultAction::internal_error()));
    }
    t.settled(&post).await;
    comes_out(&t, &post).await;
    assert_eq!(t.sim.publication_count(), 1);
}

/// The answer with the address to upload to takes a while.
async fn an_upload_that_goes_on_late_asks_about_the_draft_first(db: Db) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let (post, first) = video_in_inbox(&t).await;
    sending_directly(&t, &post, HoldPoint::After).await;
    assert!(t.sim.finish_draft(&first, None, "PUBLIC_TO_EVERYONE"));
    t.clock.advance(Duration::from_secs(75));
    t.sim.release(Endpoint::VideoInit);
    comes_out(&t, &post).await;
    assert_eq!(t.sim.publication_count(), 1);
}

async fn a_draft_that_is_published_while_the_account_is_asked_is_the_one_post(db: Db) {
    its_draft_is_published_while_the_account_is_asked(db, "upload", 0).await;
}

async fn a_draft_that_is_published_while_the_account_is_asked_stops_a_pull(db: Db) {
    its_draft_is_published_while_the_account_is_asked(db, "pull", 0).await;
}

async fn nothing_is_pulled_while_the_draft_cannot_be_asked_about(db: Db) {
    its_draft_is_published_while_the_account_is_asked(db, "pull", 2).await;
}

/// The provider takes twenty seconds to answer what the account allows, after it was asked about the draft. Asking about that again then fails
/// so many times.
async fn its_draft_is_published_while_the_account_is_asked(db: Db, transfer: &'static str, failures: u32) {
    let options = Options::default().set("tiktok_transfer", transfer);
    let t = TestApp::start_with(db, options).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let (post, draft) = video_in_inbox(&t).await;
    plan_directly(&t, &post).await;
    t.sim.hold(Endpoint::CreatorInfo, HoldPoint::After);
    t.clock.advance(Duration::from_secs(600));
    t.sim.held(Endpoint::CreatorInfo, 1).await;
    assert!(t.sim.finish_draft(&draft, None, "PUBLIC_TO_EVERYONE"));
    t.clock.advance(Duration::from_secs(20));
    if failures > 0 {
        let broken = Fault::new(Endpoint::Status, FaultAction::internal_error());
        t.sim.inject(broken.times(failures));
    }
    t.sim.release(Endpoint::CreatorInfo);
    comes_out(&t, &post).await;
    t.advance(Duration::from_secs(86_400)).await;
    assert_eq!(t.sim.publication_count(), 1);
}

async fn a_draft_whose_account_is_removed_while_its_post_is_sent_again_is_still_in_the_inbox(db: Db) {
    let t = TestApp::start(db).await;
    let (post, _) = video_in_inbox(&t).await;
    sending_directly(&t, &post, HoldPoint::Before).await;
    let platform = t.root(&post).await["integrationId"].as_str().unwrap().to_owned();
    t.remove_account(&platform).await;
    // As after the death of the process that sends it.
    let lost =
        "UPDATE jobs SET attempt = attempt + 1, leased_until = NULL, lease_owner = NULL, due_at = run_at";
    damage(&t, db, lost.to_owned()).await;
    eventually("it is a person's", async || {
        t.clock.advance(Duration::from_secs(1));
        t.root(&post).await["state"] == "ACTION_REQUIRED"
    })
    .await;
    let root = t.root(&post).await;
    let text = root["errorText"].as_str().unwrap();
    assert!(text.contains("in the creator's inbox"), "{root:#}");
    t.sim.release(Endpoint::VideoInit);
}

async fn a_draft_that_was_published_is_found_although_a_try_in_doubt_followed(db: Db) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let (post, first) = video_in_inbox(&t).await;
    t.sim.turn(|knobs| knobs.stuck = true);
    t.sim.fail(FailRule::next("internal"));
    plan_directly(&t, &post).await;
    assert_eq!(t.settled(&post).await["state"], "ACTION_REQUIRED");
    assert_eq!(outcomes_of(&t, &post).await, ["in_inbox", "unknown"]);
    t.sim.turn(|knobs| knobs.stuck = false);
    t.sim.idle().await;
    assert_eq!(t.sim.publication_count(), 0, "nothing came of the second try");
    assert!(
        t.sim
            .finish_draft(&first, Some("In my own words"), "PUBLIC_TO_EVERYONE")
    );
    send_again(&t, &post).await;
    t.settled(&post).await;
    comes_out(&t, &post).await;
    assert_eq!(t.calls(Endpoint::VideoInit).len(), 1);
}
