//! Receivers that do not accept deliveries: slow, broken, gone, private, or not there at all.

use std::sync::Mutex;
use std::time::Duration;

use serde_json::{Value, json};

use super::webhooks::{deliveries, hook, start, test};
use crate::harness::{
    Db, Mailbox, Options, PASSWORD, PATIENCE, Receiver, Takes, TestApp, eventually, on_both,
};

on_both!(
    what_is_not_taken_is_sent_again_later_and_later,
    who_says_when_to_come_back_is_left_alone_until_then,
    an_address_gets_ten_notices_an_hour_and_webhooks_leave_half_of_them_for_its_security,
    who_takes_nothing_for_three_days_is_switched_off_and_its_people_are_told,
    one_event_that_is_never_taken_does_not_switch_off_a_receiver_that_takes_others,
    who_is_gone_is_never_asked_again,
    a_redirect_is_not_followed,
    a_name_that_leads_inside_is_not_connected_to,
    who_cannot_be_reached_is_tried_again,
    a_slow_receiver_delays_neither_posts_nor_other_receivers,
    slow_receivers_of_five_workspaces_leave_room_for_a_sixth,
    who_does_not_answer_within_fifteen_seconds_has_not_taken_it,
);

const HOOKS: &str = "/public/v1/webhooks";
const SECOND: Duration = Duration::from_secs(1);
const HOUR: Duration = Duration::from_secs(3600);

/// Lets time pass from one try to the next until none is left; returns how long that took.
async fn until_given_up(t: &TestApp) -> Duration {
    let begun = t.now();
    t.idle().await;
    while let Some(next) = t.app.store.next_delivery_at().await.unwrap() {
        t.clock.set(next);
        t.idle().await;
    }
    t.now().since(begun)
}

/// Waits until the engine has done what is due, without waiting for deliveries.
async fn posts_are_done(t: &TestApp) {
    let mut pulse = t.app.heart.pulse();
    loop {
        t.sim.idle().await;
        pulse.mark_unchanged();
        let next = t.app.store.next_run_at().await.unwrap();
        if t.app.heart.runs_no_job() && next.is_none_or(|next| next > t.now()) {
            return;
        }
        pulse.changed().await.unwrap();
    }
}

async fn what_is_not_taken_is_sent_again_later_and_later(db: Db) {
    let t = start(db).await;
    let receiver = Receiver::start().await;
    let body = "x".repeat(5000);
    receiver.will([
        Takes::Answers(500, vec![], body),
        Takes::status(404),
        Takes::status(200),
    ]);
    let (id, secret) = hook(&t, &receiver.url, &["media.ready"]).await;
    test(&t, &id).await;
    let first = receiver.only();
    let seen = deliveries(&t, &id).await.remove(0);
    assert_eq!(
        (&seen["state"], &seen["attempts"], &seen["responseStatus"]),
        (&json!("pending"), &json!(1), &json!(500))
    );
    assert_eq!(seen["responseText"].as_str().unwrap().len(), 2048);
    t.advance(4 * SECOND).await;
    assert!(receiver.received().is_empty());
    t.advance(2 * SECOND).await;
    let second = receiver.only();
    assert_eq!(
        (second.body.as_str(), second.header("webhook-id")),
        (first.body.as_str(), first.header("webhook-id"))
    );
    assert_ne!(
        second.header("webhook-signature"),
        first.header("webhook-signature"),
        "it is signed for its own moment"
    );
    assert!(second.is_signed_with(&secret));
    t.advance(50 * SECOND).await;
    assert!(receiver.received().is_empty());
    t.advance(20 * SECOND).await;
    receiver.only();
    let seen = deliveries(&t, &id).await.remove(0);
    assert_eq!(
        (&seen["state"], &seen["attempts"], &seen["responseStatus"]),
        (&json!("delivered"), &json!(3), &json!(200))
    );
    t.advance(HOUR).await;
    assert!(receiver.received().is_empty());
}

async fn who_says_when_to_come_back_is_left_alone_until_then(db: Db) {
    let t = start(db).await;
    let receiver = Receiver::start().await;
    let until = t.now().plus(2 * HOUR);
    receiver.will([
        Takes::Answers(503, vec![("retry-after", "3600".to_owned())], String::new()),
        Takes::Answers(429, vec![("retry-after", until.http_date())], String::new()),
    ]);
    let (id, _) = hook(&t, &receiver.url, &["media.ready"]).await;
    test(&t, &id).await;
    receiver.only();
    t.advance(HOUR - SECOND).await;
    assert!(receiver.received().is_empty());
    t.advance(SECOND).await;
    receiver.only();
    t.advance(HOUR - SECOND).await;
    assert!(receiver.received().is_empty());
    t.advance(SECOND).await;
    receiver.only();
    assert_eq!(deliveries(&t, &id).await[0]["state"], "delivered");
}

async fn an_address_gets_ten_notices_an_hour_and_webhooks_leave_half_of_them_for_its_security(db: Db) {
    let mut mailbox = Mailbox::open().await;
    let options = Options::default()
        .set("egress_allow", "127.0.0.1")
        .set("smtp_url", &*mailbox.url);
    let t = TestApp::start_with(db, options).await;
    let mut ada = t.sign_up_verified(&mut mailbox, "ada@example.org").await;
    let receiver = Receiver::start().await;
    receiver.will((0..8).map(|_| Takes::status(410)));
    let body = json!({ "url": receiver.url, "events": ["media.ready"] });
    let made = ada.api.post("/app/v1/webhooks", &body).await.ok();
    let at = |rest: &str| format!("/app/v1/webhooks/{}{rest}", made["id"].as_str().unwrap());
    for _ in 0..8 {
        ada.api.post(&at("/test"), &Value::Null).await.ok();
        t.idle().await;
        ada.api.patch(&at(""), &json!({ "disabled": false })).await.ok();
    }
    let mut passwords = [PASSWORD, "another password"];
    for _ in 0..8 {
        let change = json!({ "currentPassword": passwords[0], "password": passwords[1] });
        ada = ada.renewed(&ada.api.patch("/app/v1/me", &change).await.ok()["token"]);
        passwords.reverse();
    }
    // Mails that a person requested are not counted.
    let forgot = json!({ "email": ada.email });
    t.nobody().post("/app/v1/auth/password/forgot", &forgot).await;
    let mut subjects = Vec::new();
    for _ in 0..11 {
        let mail = mailbox.next().await;
        subjects.extend(
            mail.lines()
                .find(|line| line.starts_with("Subject: "))
                .map(str::to_owned),
        );
    }
    let count = |subject: &str| {
        subjects
            .iter()
            .filter(|is| *is == &format!("Subject: {subject}"))
            .count()
    };
    assert_eq!(
        [
            count("A webhook was switched off"),
            count("Your password was changed"),
            count("Choose a new password")
        ],
        [5, 5, 1]
    );
    assert!(mailbox.is_empty());
    t.clock.advance(Duration::from_secs(3600));
    let change = json!({ "currentPassword": passwords[0], "password": passwords[1] });
    ada.api.patch("/app/v1/me", &change).await.ok();
    assert!(
        mailbox
            .next()
            .await
            .contains("Subject: Your password was changed")
    );
}

async fn who_takes_nothing_for_three_days_is_switched_off_and_its_people_are_told(db: Db) {
    let mut mailbox = Mailbox::open().await;
    let options = Options::default()
        .set("egress_allow", "127.0.0.1")
        .set("smtp_url", &*mailbox.url);
    let t = TestApp::start_with(db, options).await;
    let ada = t.sign_up_verified(&mut mailbox, "ada@example.org").await;
    let receiver = Receiver::start().await;
    receiver.will((0..20).map(|_| Takes::status(500)));
    let body = json!({ "url": receiver.url, "events": ["media.ready"] });
    let made = ada.api.post("/app/v1/webhooks", &body).await.ok();
    let at = |rest: &str| format!("/app/v1/webhooks/{}{rest}", made["id"].as_str().unwrap());
    ada.api.post(&at("/test"), &Value::Null).await.ok();
    let took = until_given_up(&t).await;
    assert!((50 * HOUR..72 * HOUR).contains(&took), "{took:?}");
    assert!((11..=12).contains(&receiver.received().len()));
    let hook = ada.api.get(&at("")).await.ok();
    assert_eq!(
        (&hook["disabled"], &hook["disabledReason"]),
        (&json!(true), &json!("failing"))
    );
    let mail = mailbox.next().await;
    assert!(
        mail.contains("ada@example.org") && mail.contains(&receiver.url),
        "{mail}"
    );
    assert!(mailbox.is_empty());
    let entry = ada.api.get("/app/v1/audit").await.ok()["entries"][0].take();
    assert_eq!(
        (&entry["action"], &entry["actor"]["kind"]),
        (&json!("webhook.disabled"), &json!("system"))
    );
    assert_eq!(
        (&entry["target"], &entry["detail"]["reason"]),
        (&made["id"], &json!("failing"))
    );
}

async fn one_event_that_is_never_taken_does_not_switch_off_a_receiver_that_takes_others(db: Db) {
    let t = start(db).await;
    let receiver = Receiver::start().await;
    let (id, _) = hook(&t, &receiver.url, &["media.ready"]).await;
    receiver.will([Takes::status(400)]);
    test(&t, &id).await;
    test(&t, &id).await;
    receiver.will((0..20).map(|_| Takes::status(400)));
    until_given_up(&t).await;
    let states: Vec<Value> = deliveries(&t, &id)
        .await
        .iter()
        .map(|one| one["state"].clone())
        .collect();
    assert_eq!(states, ["delivered", "failed"]);
    assert_eq!(t.api.get(&format!("{HOOKS}/{id}")).await.ok()["disabled"], false);
}

async fn who_is_gone_is_never_asked_again(db: Db) {
    let t = start(db).await;
    let receiver = Receiver::start().await;
    receiver.will([Takes::status(500), Takes::status(410)]);
    let (id, _) = hook(&t, &receiver.url, &["media.ready"]).await;
    test(&t, &id).await;
    test(&t, &id).await;
    assert_eq!(
        t.api.get(&format!("{HOOKS}/{id}")).await.ok()["disabledReason"],
        "gone"
    );
    t.advance(HOUR).await;
    assert_eq!(receiver.received().len(), 2, "what waited is given up too");
    assert!(
        deliveries(&t, &id)
            .await
            .iter()
            .all(|one| one["state"] == "failed")
    );
}

async fn a_redirect_is_not_followed(db: Db) {
    let t = start(db).await;
    let (receiver, elsewhere) = (Receiver::start().await, Receiver::start().await);
    receiver.will([Takes::Answers(
        307,
        vec![("location", elsewhere.url.clone())],
        String::new(),
    )]);
    let (id, _) = hook(&t, &receiver.url, &["media.ready"]).await;
    test(&t, &id).await;
    receiver.only();
    assert!(elsewhere.received().is_empty());
    let seen = deliveries(&t, &id).await.remove(0);
    assert_eq!(
        (&seen["state"], &seen["responseStatus"]),
        (&json!("pending"), &json!(307))
    );
}

async fn a_name_that_leads_inside_is_not_connected_to(db: Db) {
    let t = TestApp::start(db).await;
    let receiver = Receiver::start().await;
    let inside = receiver.url.replace("http://127.0.0.1", "https://localhost");
    let (id, _) = hook(&t, &inside, &["media.ready"]).await;
    test(&t, &id).await;
    assert!(receiver.received().is_empty());
    let seen = deliveries(&t, &id).await.remove(0);
    assert_eq!(
        (&seen["state"], &seen["responseStatus"]),
        (&json!("pending"), &Value::Null)
    );
    assert!(seen["problem"].as_str().unwrap().contains("private"), "{seen:#}");
}

async fn who_cannot_be_reached_is_tried_again(db: Db) {
    let t = start(db).await;
    let (id, _) = hook(&t, "http://127.0.0.1:1/hook", &["media.ready"]).await;
    test(&t, &id).await;
    let seen = deliveries(&t, &id).await.remove(0);
    assert_eq!(
        (&seen["state"], &seen["responseStatus"], &seen["attempts"]),
        (&json!("pending"), &Value::Null, &json!(1))
    );
    assert!(!seen["problem"].as_str().unwrap().is_empty());
}

async fn a_slow_receiver_delays_neither_posts_nor_other_receivers(db: Db) {
    let t = start(db).await;
    let (slow, quick) = (Receiver::start().await, Receiver::start().await);
    slow.will((0..100).map(|_| Takes::Hangs));
    let platform = t.connect("kitestudio").await;
    let (id, _) = hook(&t, &slow.url, &["media.ready", "post.queued"]).await;
    hook(&t, &quick.url, &["post.published"]).await;
    let media = t.api.upload_clip().await;
    slow.is_called().await;
    let post = t.api.publish_now(&platform, &[media]).await;
    let due = t.now();
    while t.root(&post).await["state"] == "QUEUE" {
        posts_are_done(&t).await;
        if let Some(next) = t.app.store.next_run_at().await.unwrap()
            && t.root(&post).await["state"] == "QUEUE"
        {
            t.clock.set(next);
        }
    }
    assert_eq!(t.root(&post).await["state"], "PUBLISHED");
    assert!(t.now().since(due) < 60 * SECOND, "{:?}", t.now().since(due));
    quick.is_called().await;
    assert_eq!(quick.only().json()["data"]["id"], json!(post));
    assert!(
        deliveries(&t, &id)
            .await
            .iter()
            .all(|one| one["state"] == "pending")
    );
}

async fn slow_receivers_of_five_workspaces_leave_room_for_a_sixth(db: Db) {
    let t = start(db).await;
    let slow = Receiver::start().await;
    slow.will((0..100).map(|_| Takes::Hangs));
    for number in 0..5 {
        let stranger = t.stranger().await;
        let url = slow.url.replace("/hook", &format!("/{number}"));
        for _ in 0..10 {
            let made = stranger
                .post(HOOKS, &json!({ "url": url, "events": ["media.ready"] }))
                .await
                .ok();
            let tested = stranger
                .post(
                    &format!("{HOOKS}/{}/test", made["id"].as_str().unwrap()),
                    &Value::Null,
                )
                .await;
            assert_eq!(tested.status, 202);
        }
    }
    let of_each = Mutex::new([0; 5]);
    let is_full = async || {
        let mut of_each = of_each.lock().unwrap();
        for one in slow.received() {
            of_each[one.path[1..].parse::<usize>().unwrap()] += 1;
        }
        of_each.iter().sum::<usize>() >= 33
    };
    eventually("33 deliveries are being sent", is_full).await;
    let quick = Receiver::start().await;
    let (id, _) = hook(&t, &quick.url, &["media.ready"]).await;
    t.api.post(&format!("{HOOKS}/{id}/test"), &Value::Null).await.ok();
    // The clock stands still, so that none of the others is given up meanwhile.
    tokio::time::timeout(PATIENCE, quick.is_called())
        .await
        .expect("its turn comes while the others are slow");
    quick.only();
    is_full().await;
    assert_eq!(*of_each.lock().unwrap(), [8, 8, 8, 8, 1]);
}

async fn who_does_not_answer_within_fifteen_seconds_has_not_taken_it(db: Db) {
    let t = start(db).await;
    let receiver = Receiver::start().await;
    receiver.will([Takes::Hangs]);
    let (id, _) = hook(&t, &receiver.url, &["media.ready"]).await;
    t.api.post(&format!("{HOOKS}/{id}/test"), &Value::Null).await.ok();
    receiver.is_called().await;
    t.advance(15 * SECOND).await;
    let seen = deliveries(&t, &id).await.remove(0);
    assert_eq!(
        (&seen["state"], &seen["attempts"]),
        (&json!("pending"), &json!(1))
    );
    assert!(
        seen["problem"].as_str().unwrap().contains("15 seconds"),
        "{seen:#}"
    );
    t.advance(6 * SECOND).await;
    assert_eq!(receiver.received().len(), 2);
    assert_eq!(deliveries(&t, &id).await[0]["state"], "delivered");
}
