//! What a person decides about a post whose outcome is unknown: that it is out, or that it is sent again.

use std::time::Duration;

use playout_tiktok::sim::{Endpoint, FailRule, Fault, FaultAction, HoldPoint, Publication};
use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{Answer, Db, TestApp, on_both, post_body};

on_both!(
    a_post_is_marked_by_the_address_of_its_page_which_the_provider_confirms,
    a_mark_that_the_provider_or_the_workspace_contradicts_is_refused,
    only_what_waits_for_a_person_in_this_workspace_is_marked,
    a_post_that_was_finished_from_the_inbox_by_hand_is_marked_without_an_address,
    of_a_post_that_nobody_else_may_see_the_word_of_its_owner_is_taken,
    sent_again_a_post_that_is_out_is_found_instead,
    sent_again_a_post_whose_try_the_provider_forgot_is_found_by_its_text,
    sent_again_a_post_waits_for_the_try_that_the_provider_is_still_at_work_on,
    a_try_that_never_ends_is_a_persons_again_after_a_day,
    sent_again_a_post_that_the_provider_gave_up_meanwhile_goes_out,
    before_a_post_is_sent_again_the_provider_must_have_answered,
);

const POSTS: &str = "/public/v1/posts";

/// A photo post whose hand-over was accepted and whose answer was lost, on an account that cannot be searched meanwhile.
async fn in_doubt(t: &TestApp, platform: &str, settings: Value) -> (String, Publication) {
    t.sim.turn(|knobs| knobs.webhooks = false);
    t.sim.hold(Endpoint::ContentInit, HoldPoint::After);
    t.sim
        .inject(Fault::new(Endpoint::ContentInit, FaultAction::DropAfter));
    t.sim
        .inject(Fault::new(Endpoint::VideoList, FaultAction::internal_error()).times(5));
    let known = t.sim.publication_count();
    let mut body = post_body(platform, &[t.api.upload_photo(300, 400).await]);
    body["settings"] = settings;
    let id = t.api.create_post(&body).await;
    t.sim.held(Endpoint::ContentInit, 1).await;
    t.sim.idle().await;
    t.sim.release(Endpoint::ContentInit);
    let root = t.settled(&id).await;
    assert_eq!(root["state"], "ACTION_REQUIRED", "{root:#}");
    let mut out = t.sim.publications();
    assert_eq!(out.len(), known + 1);
    assert_eq!(t.sim.pending_faults(), []);
    (id, out.swap_remove(known))
}

fn public() -> Value {
    json!({ "privacy_level": "PUBLIC_TO_EVERYONE" })
}

async fn mark(t: &TestApp, id: &str, body: Value) -> Answer {
    t.api.post(&format!("{POSTS}/{id}/mark-published"), &body).await
}

async fn publish_again(t: &TestApp, id: &str) -> Value {
    t.api.publish_as_read(id).await
}

/// The trail's records of posts, newest first.
async fn noted(t: &TestApp) -> Vec<(String, Value)> {
    let page = playout_store::Page {
        after: None,
        limit: 100,
    };
    let entries = t.app.store.list_audit(t.workspace.id, page).await.unwrap();
    let about_posts = entries
        .into_iter()
        .filter(|entry| entry.action.as_str().starts_with("post."));
    about_posts
        .map(|entry| {
            assert_eq!(entry.actor.kind.as_str(), "key");
            (entry.action.as_str().to_owned(), entry.detail.unwrap_or_default())
        })
        .collect()
}

async fn a_post_is_marked_by_the_address_of_its_page_which_the_provider_confirms(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let (id, out) = in_doubt(&t, &platform, public()).await;
    let copied = format!("{}{}?is_from_webapp=1", t.sim.url(), out.path());
    let root = mark(&t, &id, json!({ "releaseUrl": copied })).await.ok()["root"].take();
    assert_eq!(
        (&root["state"], &root["errorText"]),
        (&json!("PUBLISHED"), &Value::Null)
    );
    assert_eq!(root["releaseId"], out.post_id.as_str());
    assert_eq!(root["releaseUrl"], format!("{}{}", t.sim.url(), out.path()));
    let trail = noted(&t).await;
    assert_eq!((trail.len(), trail[0].0.as_str()), (1, "post.marked_published"));
    assert_eq!(
        trail[0].1,
        json!({ "releaseId": root["releaseId"], "releaseUrl": root["releaseUrl"], "seenAtProvider": true })
    );
    mark(&t, &id, json!({})).await.refused(409, "post_not_markable");
    t.advance(Duration::from_secs(86_400)).await;
    assert_eq!(t.handovers_of("kitestudio"), 1, "it is never handed over again");
}

async fn a_mark_that_the_provider_or_the_workspace_contradicts_is_refused(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let neighbour = t.connect("harborbakes").await;
    let known = t
        .api
        .publish_now(&platform, &[t.api.upload_photo(300, 400).await])
        .await;
    let known = t.settled(&known).await["releaseId"].as_str().unwrap().to_owned();
    let foreign = t
        .api
        .publish_now(&neighbour, &[t.api.upload_photo(300, 400).await])
        .await;
    let foreign = t.settled(&foreign).await["releaseUrl"]
        .as_str()
        .unwrap()
        .to_owned();
    let (id, out) = in_doubt(&t, &platform, public()).await;
    let page = format!("{}{}", t.sim.url(), out.path());
    for (field, body) in [
        ("releaseId", json!({ "releaseId": "7681234567890123456" })),
        ("releaseId", json!({ "releaseId": known })),
        ("releaseId", json!({ "releaseId": "not a number" })),
        ("releaseUrl", json!({ "releaseUrl": foreign })),
        (
            "releaseUrl",
            json!({ "releaseUrl": "https://vm.tiktok.com/ZMabc/" }),
        ),
        (
            "releaseUrl",
            json!({ "releaseUrl": "https://elsewhere.example/@kitestudio/photo/7681234567890123456" }),
        ),
        (
            "releaseUrl",
            json!({ "releaseUrl": page, "releaseId": "7681234567890123456" }),
        ),
        ("releaseUrl", json!({ "releaseUrl": 7 })),
    ] {
        mark(&t, &id, body).await.invalid_at(&[json!([field])]);
    }
    mark(&t, "no-uuid", json!({ "releaseId": 7 }))
        .await
        .invalid_at(&[json!(["id"]), json!(["releaseId"])]);
    assert_eq!(
        (t.root(&id).await["state"].clone(), noted(&t).await.len()),
        (json!("ACTION_REQUIRED"), 0)
    );
    let id_alone = mark(&t, &id, json!({ "releaseId": out.post_id })).await.ok();
    assert_eq!(
        id_alone["root"]["releaseUrl"], page,
        "the provider told where it is"
    );
}

async fn only_what_waits_for_a_person_in_this_workspace_is_marked(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let mut body = post_body(&platform, &[t.api.upload_photo(300, 400).await]);
    body["mode"] = json!("draft");
    let draft = t.api.create_post(&body).await;
    mark(&t, &draft, json!({}))
        .await
        .refused(409, "post_not_markable");
    let stranger = t.stranger().await;
    stranger
        .post(&format!("{POSTS}/{draft}/mark-published"), &json!({}))
        .await
        .refused(404, "post_not_found");
}

async fn a_post_that_was_finished_from_the_inbox_by_hand_is_marked_without_an_address(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let mut body = post_body(&platform, &[t.api.upload_photo(300, 400).await]);
    body["settings"] = json!({ "post_mode": "MEDIA_UPLOAD" });
    let id = t.api.create_post(&body).await;
    assert_eq!(t.settled(&id).await["state"], "ACTION_REQUIRED");
    let marking = || {
        let request = t
            .api
            .request(Method::POST, &format!("{POSTS}/{id}/mark-published"))
            .json(&json!({}));
        t.api.send(request.header("Idempotency-Key", "seen-it"))
    };
    let first = marking().await;
    assert_eq!(first.ok()["root"]["state"], "PUBLISHED");
    let again = marking().await;
    assert_eq!(
        (again.header("idempotency-replayed"), again.ok()),
        ("true", first.ok())
    );
    assert_eq!(noted(&t).await.len(), 1);
}

async fn of_a_post_that_nobody_else_may_see_the_word_of_its_owner_is_taken(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let (id, out) = in_doubt(&t, &platform, json!({ "privacy_level": "SELF_ONLY" })).await;
    let root = mark(&t, &id, json!({ "releaseId": out.post_id })).await.ok()["root"].take();
    assert_eq!(
        (&root["state"], &root["releaseUrl"]),
        (&json!("PUBLISHED"), &Value::Null)
    );
    assert_eq!(noted(&t).await[0].1["seenAtProvider"], false);
}

async fn sent_again_a_post_that_is_out_is_found_instead(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let (id, out) = in_doubt(&t, &platform, public()).await;
    let queued = publish_again(&t, &id).await;
    assert_eq!(queued["root"]["state"], "QUEUE");
    let root = t.settled(&id).await;
    assert_eq!(
        (&root["state"], &root["releaseId"]),
        (&json!("PUBLISHED"), &json!(out.post_id))
    );
    assert_eq!(
        (
            t.handovers_of("kitestudio"),
            t.publications_of("kitestudio").len()
        ),
        (1, 1)
    );
    assert_eq!(
        noted(&t).await[0],
        ("post.published_again".to_owned(), json!({ "scheduledFor": null }))
    );
}

/// The provider drops identifiers of tries after a while, and those of an access that has ended; the account still lists
/// the post.
async fn sent_again_a_post_whose_try_the_provider_forgot_is_found_by_its_text(db: Db) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| (knobs.stuck, knobs.webhooks) = (true, false));
    let platform = t.connect("kitestudio").await;
    let id = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    assert_eq!(t.settled(&id).await["state"], "ACTION_REQUIRED");
    t.sim.turn(|knobs| knobs.stuck = false);
    t.sim.idle().await;
    let forgotten = FaultAction::error(400, "invalid_publish_id");
    t.sim
        .inject(Fault::new(Endpoint::Status, forgotten).times(u32::MAX));
    publish_again(&t, &id).await;
    let root = t.settled(&id).await;
    assert_eq!(root["state"], "PUBLISHED", "{root:#}");
    assert_eq!(
        (
            t.handovers_of("kitestudio"),
            t.publications_of("kitestudio").len()
        ),
        (1, 1)
    );
}

async fn sent_again_a_post_waits_for_the_try_that_the_provider_is_still_at_work_on(db: Db) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| (knobs.stuck, knobs.webhooks) = (true, false));
    let platform = t.connect("kitestudio").await;
    let id = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    assert_eq!(t.settled(&id).await["state"], "ACTION_REQUIRED");
    publish_again(&t, &id).await;
    let waiting = t.run_until(&id, |root| root["errorText"].is_string()).await;
    assert!(
        waiting["errorText"]
            .as_str()
            .unwrap()
            .starts_with("The provider may still be at work"),
        "{waiting:#}"
    );
    t.advance(Duration::from_secs(3600)).await;
    assert_eq!(
        (t.root(&id).await["state"].clone(), t.handovers_of("kitestudio")),
        (json!("QUEUE"), 1)
    );
    t.sim.turn(|knobs| knobs.stuck = false);
    assert_eq!(t.settled(&id).await["state"], "PUBLISHED");
    assert_eq!((t.handovers_of("kitestudio"), t.sim.publication_count()), (1, 1));
}

async fn a_try_that_never_ends_is_a_persons_again_after_a_day(db: Db) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| (knobs.stuck, knobs.webhooks) = (true, false));
    let platform = t.connect("kitestudio").await;
    let id = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    t.settled(&id).await;
    publish_again(&t, &id).await;
    let since = t.now();
    assert_eq!(t.settled(&id).await["state"], "ACTION_REQUIRED");
    assert!(t.now().since(since) > Duration::from_secs(23 * 3600));
    assert_eq!(t.handovers_of("kitestudio"), 1);
}

async fn sent_again_a_post_that_the_provider_gave_up_meanwhile_goes_out(db: Db) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| (knobs.stuck, knobs.webhooks) = (true, false));
    t.sim.fail(FailRule::next("internal"));
    let platform = t.connect("kitestudio").await;
    let id = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    assert_eq!(t.settled(&id).await["state"], "ACTION_REQUIRED");
    t.sim.turn(|knobs| knobs.stuck = false);
    publish_again(&t, &id).await;
    assert_eq!(t.settled(&id).await["state"], "PUBLISHED");
    assert_eq!((t.handovers_of("kitestudio"), t.sim.publication_count()), (2, 1));
}

async fn before_a_post_is_sent_again_the_provider_must_have_answered(db: Db) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| (knobs.stuck, knobs.webhooks) = (true, false));
    let platform = t.connect("kitestudio").await;
    let id = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    assert_eq!(t.settled(&id).await["state"], "ACTION_REQUIRED");
    t.sim.turn(|knobs| knobs.stuck = false);
    t.sim.idle().await;
    t.sim
        .inject(Fault::new(Endpoint::Status, FaultAction::Html { status: 502 }).times(3));
    publish_again(&t, &id).await;
    assert_eq!(t.settled(&id).await["state"], "PUBLISHED");
    assert_eq!((t.handovers_of("kitestudio"), t.sim.publication_count()), (1, 1));
    assert_eq!(t.sim.pending_faults(), []);
}
