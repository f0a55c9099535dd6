//! Outgoing webhooks: their recipients, bodies and signatures, as a real receiver gets them.

use std::cell::RefCell;
use std::time::Duration;

use playout_domain::webhook::WebhookEvent;
use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{Db, Delivered, Options, Receiver, Takes, TestApp, eventually, on_both, post_body};

on_both!(
    whatever_happens_is_told_to_whoever_asked_as_the_api_shows_it,
    a_mirror_of_posts_and_accounts_hears_of_every_change,
    a_mirror_hears_of_the_page_of_a_published_post_once_it_is_known,
    what_is_told_of_a_post_is_what_it_was_at_that_moment,
    a_delivery_is_signed_as_the_standard_says_and_names_itself,
    for_a_day_the_secret_that_was_replaced_signs_beside_the_new_one,
    a_delivery_is_sent_again_when_somebody_wants_that,
    who_is_switched_off_is_told_nothing_but_what_somebody_sends_by_hand,
    many_deliveries_reach_one_receiver_each_once,
    old_deliveries_are_swept_out_after_thirty_days,
);

const HOOKS: &str = "/public/v1/webhooks";
const SECOND: Duration = Duration::from_secs(1);
const DAY: Duration = Duration::from_secs(86_400);

/// A service that may send to this machine.
pub(super) async fn start(db: Db) -> TestApp {
    TestApp::start_with(db, Options::default().set("egress_allow", "127.0.0.1")).await
}

/// A webhook for these events; returns its ID and its secret.
pub(super) async fn hook(t: &TestApp, url: &str, events: &[&str]) -> (String, String) {
    let made = t
        .api
        .post(HOOKS, &json!({ "url": url, "events": events }))
        .await
        .ok();
    let text = |name: &str| made[name].as_str().unwrap().to_owned();
    (text("id"), text("secret"))
}

/// The deliveries of a webhook, newest first.
pub(super) async fn deliveries(t: &TestApp, id: &str) -> Vec<Value> {
    let list = t.api.get(&format!("{HOOKS}/{id}/deliveries")).await.ok();
    list["deliveries"].as_array().unwrap().clone()
}

/// Sends a trial delivery, and waits until nothing is under way.
pub(super) async fn test(t: &TestApp, id: &str) -> Value {
    let made = t.api.post(&format!("{HOOKS}/{id}/test"), &Value::Null).await;
    assert_eq!(made.status, 202);
    t.idle().await;
    made.json()
}

fn all_events() -> Vec<&'static str> {
    WebhookEvent::ALL.iter().map(|event| event.as_str()).collect()
}

fn types(received: &[Delivered]) -> Vec<String> {
    received
        .iter()
        .map(|one| one.json()["type"].as_str().unwrap().to_owned())
        .collect()
}

async fn whatever_happens_is_told_to_whoever_asked_as_the_api_shows_it(db: Db) {
    let t = start(db).await;
    let (all, some) = (Receiver::start().await, Receiver::start().await);
    hook(&t, &all.url, &all_events()).await;
    hook(&t, &some.url, &["post.published"]).await;
    let platform = t.connect("kitestudio").await;
    let shown = t.api.get("/public/v1/platforms").await.ok()["platforms"][0].take();
    let media = t.api.upload_clip().await;
    let post = t.api.publish_now(&platform, std::slice::from_ref(&media)).await;
    t.settled(&post).await;
    t.idle().await;
    let received = all.received();
    let mut told = types(&received);
    told.sort();
    assert_eq!(
        told,
        [
            "media.ready",
            "platform.connected",
            "post.created",
            "post.published",
            "post.queued",
            "post.updated"
        ]
    );
    let said = |kind: &str| {
        received
            .iter()
            .map(Delivered::json)
            .find(|said| said["type"] == kind)
            .unwrap()
    };
    assert_eq!(said("platform.connected")["data"], shown);
    assert_eq!(
        said("media.ready")["data"],
        t.api.get(&format!("/public/v1/media/{media}")).await.ok()
    );
    let published = said("post.published");
    assert_eq!(
        (&published["data"]["id"], &published["data"]["state"]),
        (&json!(post), &json!("PUBLISHED"))
    );
    assert_eq!(published["data"]["mediaIds"], json!([media]));
    assert_eq!(said("post.queued")["data"]["state"], "QUEUE");
    let only = some.only();
    assert_eq!(only.json(), published);
    let same = received.iter().find(|one| one.json() == published).unwrap();
    assert_eq!(
        only.header("webhook-id"),
        same.header("webhook-id"),
        "one event, one name"
    );
}

async fn a_mirror_of_posts_and_accounts_hears_of_every_change(db: Db) {
    let t = start(db).await;
    let receiver = Receiver::start().await;
    let platform = t.connect("kitestudio").await;
    let media = t.api.upload_clip().await;
    hook(&t, &receiver.url, &all_events()).await;
    let mut body = post_body(&platform, &[media]);
    body["mode"] = json!("draft");
    let post = t.api.create_post(&body).await;
    let at = format!("/public/v1/posts/{post}");
    let created = t.root(&post).await;
    let edited = t.api.patch(&at, &json!({ "content": "Kites" })).await.ok()["root"].take();
    let time = json!({ "scheduledFor": "2026-11-21T12:00:00Z" });
    let schedule = format!("{at}/schedule");
    let queued = t.api.patch(&schedule, &time).await.ok()["root"].take();
    let unschedule = t.api.request(Method::POST, &format!("{at}/unschedule"));
    let draft = t.api.send(unschedule).await.ok()["root"].take();
    t.api.delete_post(&post).await;
    let account = t.api.get("/public/v1/platforms").await.ok()["platforms"][0].take();
    t.remove_account(&platform).await;
    let received = RefCell::new(Vec::new());
    eventually("all of it has come", async || {
        t.idle().await;
        received
            .borrow_mut()
            .extend(receiver.received().iter().map(Delivered::json));
        received.borrow().len() >= 6
    })
    .await;
    let received: Vec<Value> = received.into_inner();
    let told = |kind: &str| -> Value {
        let mut of_kind = received.iter().filter(|one| one["type"] == kind);
        let first = of_kind.next().unwrap_or_else(|| panic!("no {kind}"));
        assert!(of_kind.next().is_none(), "one {kind}");
        first["data"].clone()
    };
    assert_eq!(told("post.created"), created);
    assert_eq!(told("post.updated"), edited);
    assert_eq!(told("post.queued"), queued);
    assert_eq!(told("post.unscheduled"), draft);
    assert_eq!(told("post.deleted"), draft, "as it was");
    assert_eq!(told("platform.disconnected")["id"], account["id"]);
}

async fn a_mirror_hears_of_the_page_of_a_published_post_once_it_is_known(db: Db) {
    let t = start(db).await;
    let receiver = Receiver::start().await;
    let platform = t.connect("kitestudio").await;
    hook(&t, &receiver.url, &["post.published", "post.updated"]).await;
    let post = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    let root = t.run_until(&post, |root| root["releaseUrl"] != Value::Null).await;
    let received = RefCell::new(Vec::new());
    eventually("the page has come", async || {
        t.idle().await;
        received
            .borrow_mut()
            .extend(receiver.received().iter().map(Delivered::json));
        let mut received = received.borrow().clone().into_iter();
        received.any(|one| one["data"]["releaseUrl"] == root["releaseUrl"])
    })
    .await;
    let received = received.into_inner();
    assert_eq!(received[0]["type"], "post.published");
    let last = received.last().unwrap();
    assert_eq!((&last["type"], &last["data"]), (&json!("post.updated"), &root));
}

async fn what_is_told_of_a_post_is_what_it_was_at_that_moment(db: Db) {
    let t = start(db).await;
    let receiver = Receiver::start().await;
    receiver.will([Takes::status(500)]);
    let (id, _) = hook(&t, &receiver.url, &["post.queued"]).await;
    let platform = t.connect("kitestudio").await;
    let post = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    t.settled(&post).await;
    t.api.delete(&format!("/public/v1/posts/{post}")).await;
    t.advance(10 * SECOND).await;
    let received = receiver.received();
    assert_eq!(received.len(), 2);
    for one in &received {
        assert_eq!(
            (&one.json()["data"]["id"], &one.json()["data"]["state"]),
            (&json!(post), &json!("QUEUE"))
        );
        assert_eq!(one.body, received[0].body);
    }
    assert_eq!(deliveries(&t, &id).await[0]["payload"], received[0].json());
}

async fn a_delivery_is_signed_as_the_standard_says_and_names_itself(db: Db) {
    let t = start(db).await;
    let receiver = Receiver::start().await;
    let (id, secret) = hook(&t, &receiver.url, &["media.ready"]).await;
    let made = test(&t, &id).await;
    let one = receiver.only();
    assert!(one.is_signed_with(&secret));
    assert_eq!(one.header("webhook-id"), made["eventId"]);
    assert_eq!(one.header("webhook-timestamp"), t.now().as_secs().to_string());
    assert_eq!(
        (one.header("content-type"), one.path.as_str()),
        ("application/json", "/hook")
    );
    assert!(one.header("user-agent").starts_with("Playout/"));
    let expected = json!({ "type": "webhook.test", "timestamp": t.now(), "data": { "webhookId": id } });
    assert_eq!(one.json(), expected);
    let (_, other) = hook(&t, &receiver.url, &["media.ready"]).await;
    assert!(!one.is_signed_with(&other));
    let seen = deliveries(&t, &id).await.remove(0);
    assert_eq!(
        (&seen["state"], &seen["attempts"], &seen["responseStatus"]),
        (&json!("delivered"), &json!(1), &json!(204))
    );
    assert_eq!(
        (&seen["payload"], &seen["nextAttemptAt"], &seen["problem"]),
        (&expected, &Value::Null, &Value::Null)
    );
}

async fn for_a_day_the_secret_that_was_replaced_signs_beside_the_new_one(db: Db) {
    let t = start(db).await;
    let receiver = Receiver::start().await;
    let (id, old) = hook(&t, &receiver.url, &["media.ready"]).await;
    let rotated = t
        .api
        .post(&format!("{HOOKS}/{id}/rotate-secret"), &Value::Null)
        .await
        .ok();
    let new = rotated["secret"].as_str().unwrap();
    assert_ne!(new, old);
    t.advance(DAY - SECOND).await;
    test(&t, &id).await;
    let one = receiver.only();
    assert!(one.is_signed_with(new) && one.is_signed_with(&old));
    assert!(one.header("webhook-signature").starts_with("v1,"));
    t.advance(SECOND).await;
    test(&t, &id).await;
    let one = receiver.only();
    assert!(one.is_signed_with(new) && !one.is_signed_with(&old));
}

async fn a_delivery_is_sent_again_when_somebody_wants_that(db: Db) {
    let t = start(db).await;
    let receiver = Receiver::start().await;
    let (id, _) = hook(&t, &receiver.url, &["media.ready"]).await;
    let made = test(&t, &id).await;
    let first = receiver.only();
    t.advance(DAY).await;
    let again = format!("{HOOKS}/deliveries/{}/redeliver", made["id"].as_str().unwrap());
    let queued = t.api.post(&again, &Value::Null).await;
    assert_eq!((queued.status, &queued.json()["state"]), (202, &json!("pending")));
    t.idle().await;
    let second = receiver.only();
    assert_eq!(
        (second.body.as_str(), second.header("webhook-id")),
        (first.body.as_str(), first.header("webhook-id"))
    );
    assert_ne!(
        second.header("webhook-timestamp"),
        first.header("webhook-timestamp")
    );
    let seen = deliveries(&t, &id).await;
    assert_eq!(
        (seen.len(), &seen[0]["state"], &seen[0]["attempts"]),
        (1, &json!("delivered"), &json!(2))
    );
    t.stranger()
        .await
        .post(&again, &Value::Null)
        .await
        .refused(404, "not_found");
}

async fn who_is_switched_off_is_told_nothing_but_what_somebody_sends_by_hand(db: Db) {
    let t = start(db).await;
    let receiver = Receiver::start().await;
    receiver.will([Takes::status(500)]);
    let (id, _) = hook(&t, &receiver.url, &["media.ready"]).await;
    t.api.upload_photo(30, 40).await;
    t.idle().await;
    let switch = async |off: bool| {
        t.api
            .patch(&format!("{HOOKS}/{id}"), &json!({ "disabled": off }))
            .await
            .ok()
    };
    assert_eq!(switch(true).await["disabledReason"], "paused");
    let waited = deliveries(&t, &id).await.remove(0);
    assert_eq!(
        (&waited["state"], &waited["nextAttemptAt"]),
        (&json!("failed"), &Value::Null)
    );
    t.api.upload_photo(31, 40).await;
    t.advance(DAY).await;
    assert_eq!(
        receiver.received().len(),
        1,
        "only the try before it was switched off"
    );
    receiver.will([Takes::status(500)]);
    test(&t, &id).await;
    t.advance(DAY).await;
    assert_eq!(
        receiver.received().len(),
        1,
        "by hand it is sent once, whatever comes of it"
    );
    assert_eq!(
        (
            &switch(false).await["disabled"],
            &switch(false).await["disabledReason"]
        ),
        (&json!(false), &Value::Null)
    );
    t.api.upload_photo(32, 40).await;
    t.idle().await;
    assert_eq!(types(&receiver.received()), ["media.ready"]);
}

async fn many_deliveries_reach_one_receiver_each_once(db: Db) {
    let t = start(db).await;
    let receiver = Receiver::start().await;
    let (id, _) = hook(&t, &receiver.url, &["media.ready"]).await;
    for _ in 0..30 {
        t.api.post(&format!("{HOOKS}/{id}/test"), &Value::Null).await.ok();
    }
    t.idle().await;
    let mut ids: Vec<String> = receiver
        .received()
        .iter()
        .map(|one| one.header("webhook-id").to_owned())
        .collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 30);
}

async fn old_deliveries_are_swept_out_after_thirty_days(db: Db) {
    let t = start(db).await;
    let receiver = Receiver::start().await;
    let (id, _) = hook(&t, &receiver.url, &["media.ready"]).await;
    test(&t, &id).await;
    t.app
        .store
        .delete_expired(t.now().plus(30 * DAY - SECOND))
        .await
        .unwrap();
    assert_eq!(deliveries(&t, &id).await.len(), 1);
    t.app.store.delete_expired(t.now().plus(30 * DAY)).await.unwrap();
    assert!(deliveries(&t, &id).await.is_empty());
}
