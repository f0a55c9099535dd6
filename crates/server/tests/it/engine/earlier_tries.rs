//! Posts that are sent again and wait for the provider's limits until their time is over: an earlier try that may be out, or can still be
//! published, keeps them from ERROR.

use std::time::Duration;

use playout_tiktok::sim::{Account, Endpoint, Fault, FaultAction};
use serde_json::{Value, json};

use super::at_most_once::is_unconfirmed;
use super::internal::damage;
use crate::harness::{Db, TestApp, on_both, post_body};

on_both!(
    a_draft_whose_post_is_sent_again_and_waits_for_room_for_a_day_still_waits_in_the_inbox,
    a_post_in_doubt_that_is_sent_again_and_waits_for_room_for_a_day_is_still_in_doubt,
);

/// When a post is sent again: what was sent before can have arrived, and a limit that was reported just now is not tried yet.
const LATER: Duration = Duration::from_secs(1200);

/// Creates a post that finds the account's limit used up, so that others wait for it.
async fn meets_the_limit(t: &TestApp, body: &Value) {
    let post = t.api.create_post(body).await;
    let root = t.run_until(&post, |root| root["errorText"].is_string()).await;
    assert_eq!(root["state"], "QUEUE", "{root:#}");
}

/// Sends a post again whose last run that is; how it ends.
async fn sent_again_for_the_last_time(t: &TestApp, db: Db, post: &str) -> Value {
    t.api.schedule_post(post, t.now().plus(LATER)).await;
    let last_run =
        "UPDATE jobs SET deadline_at = run_at, first_claimed_at = run_at WHERE kind = 'publish_post'";
    damage(t, db, last_run.to_owned()).await;
    t.clock.advance(LATER);
    t.settled(post).await
}

async fn a_draft_whose_post_is_sent_again_and_waits_for_room_for_a_day_still_waits_in_the_inbox(db: Db) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let platform = t.connect("kitestudio").await;
    let mut body = post_body(&platform, &[t.api.upload_clip().await]);
    body["settings"] = json!({ "post_mode": "MEDIA_UPLOAD" });
    let post = t.api.create_post(&body).await;
    assert_eq!(t.settled(&post).await["state"], "ACTION_REQUIRED");
    t.sim
        .change_account(&t.open_id("kitestudio"), |account: &mut Account| {
            account.pending_shares = 5;
        });
    meets_the_limit(&t, &body).await;
    let root = sent_again_for_the_last_time(&t, db, &post).await;
    let text = root["errorText"].as_str().unwrap();
    assert!(
        root["state"] == "ACTION_REQUIRED" && text.contains("earlier draft") && text.contains("24 hours"),
        "{root:#}"
    );
    let draft = t.sim.inbox_deliveries()[0].publish_id.clone();
    assert!(t.sim.finish_draft(&draft, None, "PUBLIC_TO_EVERYONE"));
    t.run_until(&post, |root| root["state"] == "PUBLISHED").await;
}

async fn a_post_in_doubt_that_is_sent_again_and_waits_for_room_for_a_day_is_still_in_doubt(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let body = post_body(&platform, &[t.api.upload_clip().await]);
    let lost = Fault::new(Endpoint::UploadLast, FaultAction::Drop);
    t.sim.inject(lost.times(500));
    let post = t.api.create_post(&body).await;
    is_unconfirmed(&t.settled(&post).await);
    t.sim
        .change_account(&t.open_id("kitestudio"), |account: &mut Account| {
            account.post_cap = Some(0);
        });
    meets_the_limit(&t, &body).await;
    is_unconfirmed(&sent_again_for_the_last_time(&t, db, &post).await);
}
