//! Posts in the creator's inbox that are sent again, and whose runs fail inside until their time is over.

use std::time::Duration;

use playout_tiktok::sim::{Endpoint, HoldPoint};
use serde_json::{Value, json};

use super::internal::{damage, take_files_away};
use crate::harness::{Db, TestApp, on_both, post_body};

on_both!(
    a_draft_whose_post_is_sent_again_and_fails_inside_for_a_day_still_waits_in_the_inbox,
    a_draft_whose_post_fails_inside_for_the_last_time_during_its_upload_still_waits_in_the_inbox,
);

/// A post whose draft is in the creator's inbox, of which no notification comes.
async fn in_inbox(t: &TestApp) -> String {
    t.errors.expect("failed inside");
    t.sim.turn(|knobs| knobs.webhooks = false);
    let platform = t.connect("kitestudio").await;
    let mut body = post_body(&platform, &[t.api.upload_clip().await]);
    body["settings"] = json!({ "post_mode": "MEDIA_UPLOAD" });
    let post = t.api.create_post(&body).await;
    assert_eq!(t.settled(&post).await["state"], "ACTION_REQUIRED");
    post
}

/// The draft waits for the creator, and is found once they have published it.
async fn waits_in_inbox(t: &TestApp, post: &str, root: &Value) {
    let text = root["errorText"].as_str().unwrap();
    assert!(
        root["state"] == "ACTION_REQUIRED" && text.contains("earlier draft") && text.contains("24 hours"),
        "{root:#}"
    );
    let draft = t.sim.inbox_deliveries()[0].publish_id.clone();
    assert!(t.sim.finish_draft(&draft, None, "PUBLIC_TO_EVERYONE"));
    t.run_until(post, |root| root["state"] == "PUBLISHED").await;
}

async fn a_draft_whose_post_is_sent_again_and_fails_inside_for_a_day_still_waits_in_the_inbox(db: Db) {
    let t = TestApp::start(db).await;
    let post = in_inbox(&t).await;
    take_files_away(&t);
    t.api.publish_as_read(&post).await;
    waits_in_inbox(&t, &post, &t.settled(&post).await).await;
}

async fn a_draft_whose_post_fails_inside_for_the_last_time_during_its_upload_still_waits_in_the_inbox(
    db: Db,
) {
    let t = TestApp::start(db).await;
    let post = in_inbox(&t).await;
    t.sim.hold(Endpoint::InboxInit, HoldPoint::After);
    let at = t.now().plus(Duration::from_secs(600));
    t.api.schedule_post(&post, at).await;
    let last_run =
        "UPDATE jobs SET deadline_at = run_at, first_claimed_at = run_at WHERE kind = 'publish_post'";
    damage(&t, db, last_run.to_owned()).await;
    t.clock.advance(Duration::from_secs(600));
    t.sim.held(Endpoint::InboxInit, 1).await;
    take_files_away(&t);
    t.sim.release(Endpoint::InboxInit);
    waits_in_inbox(&t, &post, &t.settled(&post).await).await;
}
