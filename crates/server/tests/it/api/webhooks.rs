//! `/public/v1/webhooks`: made, read, changed, removed. What is sent to them is in `engine/webhooks.rs`.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{Answer, Db, Options, TestApp, everything_stored, hexadecimal, holds, on_both};

on_both!(
    a_webhook_is_made_listed_changed_and_removed,
    all_that_is_wrong_with_a_webhook_is_said_at_once,
    an_address_inside_is_refused_however_it_is_written,
    what_the_operator_allows_can_be_private_and_plain,
    a_webhook_is_made_once_and_its_secret_shown_to_whoever_asks_again,
    no_secret_is_stored_in_a_readable_form,
    a_workspace_has_twenty_webhooks_at_most,
    deliveries_are_read_page_by_page_newest_first,
    whatever_is_done_to_webhooks_is_noted_with_who_did_it,
);

const HOOKS: &str = "/public/v1/webhooks";

fn body(url: &str) -> Value {
    json!({ "url": url, "events": ["post.published", "media.ready"] })
}

async fn create(t: &TestApp, key: &str, body: &Value) -> Answer {
    let request = t.api.request(Method::POST, HOOKS).header("idempotency-key", key);
    t.api.send(request.json(body)).await
}

async fn a_webhook_is_made_listed_changed_and_removed(db: Db) {
    let t = TestApp::start(db).await;
    let answer = t.api.post(HOOKS, &body("https://example.org/hook?x=1")).await;
    assert_eq!((answer.status, answer.header("cache-control")), (201, "no-store"));
    let made = answer.json();
    let expected = json!({ "id": made["id"], "url": "https://example.org/hook?x=1", "events": ["post.published", "media.ready"],
        "secret": made["secret"], "disabled": false, "disabledReason": null, "createdAt": t.now(), "updatedAt": t.now() });
    assert_eq!(made, expected);
    let at = format!("{HOOKS}/{}", made["id"].as_str().unwrap());
    let mut without = made.clone();
    without.as_object_mut().unwrap().remove("secret");
    assert_eq!(t.api.get(&at).await.ok(), without);
    assert_eq!(t.api.get(HOOKS).await.ok(), json!({ "webhooks": [without] }));
    t.clock.advance(std::time::Duration::from_secs(1));
    let change = json!({ "url": "https://example.org/other", "events": ["post.failed"], "disabled": true });
    let changed = t.api.patch(&at, &change).await.ok();
    for field in ["url", "events", "disabled"] {
        assert_eq!(changed[field], change[field]);
    }
    assert_eq!(
        (&changed["disabledReason"], &changed["updatedAt"]),
        (&json!("paused"), &json!(t.now()))
    );
    assert_eq!(t.api.patch(&at, &json!({ "url": null })).await.ok(), changed);
    assert_eq!(t.api.delete(&at).await.status, 204);
    for method in [Method::GET, Method::DELETE] {
        t.api
            .send(t.api.request(method, &at))
            .await
            .refused(404, "webhook_not_found");
    }
    assert_eq!(t.api.get(HOOKS).await.ok(), json!({ "webhooks": [] }));
}

async fn all_that_is_wrong_with_a_webhook_is_said_at_once(db: Db) {
    let t = TestApp::start(db).await;
    let wrong = json!({ "events": ["post.published", "post.no_longer_public", "post.published"], "url": "http://example.org" });
    t.api
        .post(HOOKS, &wrong)
        .await
        .invalid_at(&[json!(["events", 1]), json!(["events", 2]), json!(["url"])]);
    t.api
        .post(HOOKS, &json!({}))
        .await
        .invalid_at(&[json!(["url"]), json!(["events"])]);
    t.api
        .patch(&format!("{HOOKS}/nonsense"), &json!({ "events": [] }))
        .await
        .invalid_at(&[json!(["id"]), json!(["events"])]);
    t.api
        .get(&format!("{HOOKS}/nonsense/deliveries?limit=0"))
        .await
        .invalid_at(&[json!(["limit"]), json!(["id"])]);
}

async fn an_address_inside_is_refused_however_it_is_written(db: Db) {
    let t = TestApp::start(db).await;
    for url in [
        "https://127.0.0.1/",
        "https://0x7f000001/",
        "https://[::1]/",
        "https://[::ffff:10.0.0.1]/",
        "https://10.1.2.3/",
        "https://169.254.169.254/latest",
        "https://192.168.1.1:8443/",
        "http://127.0.0.1/",
        "https://ada:secret@example.org/",
    ] {
        t.api.post(HOOKS, &body(url)).await.invalid_at(&[json!(["url"])]);
    }
    assert_eq!(t.api.get(HOOKS).await.ok(), json!({ "webhooks": [] }));
}

async fn what_the_operator_allows_can_be_private_and_plain(db: Db) {
    let t = TestApp::start_with(db, Options::default().set("egress_allow", "10.0.0.0/8, ::1")).await;
    for url in ["http://10.1.2.3/", "https://10.1.2.3/", "http://[::1]:9000/"] {
        t.api.post(HOOKS, &body(url)).await.ok();
    }
    t.api
        .post(HOOKS, &body("http://127.0.0.1/"))
        .await
        .invalid_at(&[json!(["url"])]);
}

async fn a_webhook_is_made_once_and_its_secret_shown_to_whoever_asks_again(db: Db) {
    let t = TestApp::start(db).await;
    let first = create(&t, "once", &body("https://example.org/")).await;
    let again = create(&t, "once", &body("https://example.org/")).await;
    assert_eq!(
        (first.status, again.status, again.header("idempotency-replayed")),
        (201, 201, "true")
    );
    assert_eq!(
        (again.json(), again.header("cache-control")),
        (first.json(), "no-store")
    );
    create(&t, "once", &body("https://example.org/2"))
        .await
        .refused(422, "idempotency_key_reused");
    let at = format!("{HOOKS}/{}", first.json()["id"].as_str().unwrap());
    let rotate = async || {
        let request = t
            .api
            .request(Method::POST, &format!("{at}/rotate-secret"))
            .header("idempotency-key", "rotate");
        t.api.send(request).await
    };
    let rotated = rotate().await;
    assert_eq!(rotate().await.json(), rotated.json());
    assert_ne!(rotated.json()["secret"], first.json()["secret"]);
    t.api.delete(&at).await;
    create(&t, "once", &body("https://example.org/"))
        .await
        .refused(404, "webhook_not_found");
}

async fn no_secret_is_stored_in_a_readable_form(db: Db) {
    let t = TestApp::start(db).await;
    let made = create(&t, "once", &body("https://example.org/")).await.ok();
    let at = format!("{HOOKS}/{}/rotate-secret", made["id"].as_str().unwrap());
    let rotated = t.api.post(&at, &Value::Null).await.ok();
    let stored = everything_stored(&t, db).await;
    assert!(holds(&stored, b"https://example.org/"));
    for secret in [&made["secret"], &rotated["secret"]] {
        let secret = secret.as_str().unwrap();
        let bare = secret.strip_prefix("whsec_").unwrap();
        let bytes = STANDARD.decode(bare).unwrap();
        assert_eq!(bytes.len(), 32);
        for form in [
            secret.as_bytes(),
            bare.as_bytes(),
            &bytes,
            hexadecimal(&bytes).as_bytes(),
            hexadecimal(bare.as_bytes()).as_bytes(),
        ] {
            assert!(!holds(&stored, form));
        }
    }
}

async fn a_workspace_has_twenty_webhooks_at_most(db: Db) {
    let t = TestApp::start(db).await;
    for number in 0..20 {
        t.api
            .post(HOOKS, &body(&format!("https://example.org/{number}")))
            .await
            .ok();
        t.clock.advance(Duration::from_millis(1));
    }
    t.api
        .post(HOOKS, &body("https://example.org/20"))
        .await
        .refused(409, "count_limit_reached");
    let list = t.api.get(HOOKS).await.ok();
    let urls: Vec<&str> = list["webhooks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|hook| hook["url"].as_str().unwrap())
        .collect();
    assert_eq!(
        (urls.len(), urls[0], urls[19]),
        (20, "https://example.org/0", "https://example.org/19")
    );
    t.stranger()
        .await
        .post(HOOKS, &body("https://example.org/"))
        .await
        .ok();
}

async fn deliveries_are_read_page_by_page_newest_first(db: Db) {
    let t = TestApp::start_with(db, Options::default().set("egress_allow", "127.0.0.1")).await;
    // Nothing listens there.
    let made = t.api.post(HOOKS, &body("http://127.0.0.1:1/")).await.ok();
    let at = format!("{HOOKS}/{}", made["id"].as_str().unwrap());
    let mut sent = Vec::new();
    for _ in 0..5 {
        sent.push(t.api.post(&format!("{at}/test"), &Value::Null).await.ok()["id"].take());
    }
    t.idle().await;
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = t.api.get(&format!("{at}/deliveries?limit=2{cursor}")).await.ok();
        seen.extend(
            page["deliveries"]
                .as_array()
                .unwrap()
                .iter()
                .map(|one| one["id"].clone()),
        );
        match page["nextCursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    sent.reverse();
    assert_eq!(seen, sent);
}

async fn whatever_is_done_to_webhooks_is_noted_with_who_did_it(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let made = ada
        .api
        .post("/app/v1/webhooks", &body("https://example.org/"))
        .await
        .ok();
    let at = format!("/app/v1/webhooks/{}", made["id"].as_str().unwrap());
    ada.api.patch(&at, &json!({ "disabled": true })).await.ok();
    ada.api.patch(&at, &json!({ "disabled": true })).await.ok();
    ada.api
        .post(&format!("{at}/rotate-secret"), &Value::Null)
        .await
        .ok();
    ada.api.delete(&at).await;
    let trail = ada.api.get("/app/v1/audit").await.ok();
    let entries = trail["entries"].as_array().unwrap();
    let actions: Vec<&str> = entries
        .iter()
        .map(|entry| entry["action"].as_str().unwrap())
        .collect();
    assert_eq!(
        actions[..4],
        [
            "webhook.deleted",
            "webhook.secret_rotated",
            "webhook.changed",
            "webhook.created"
        ]
    );
    for entry in &entries[..4] {
        assert_eq!(
            (&entry["actor"]["id"], &entry["target"]),
            (&json!(ada.id), &made["id"])
        );
        assert_eq!(entry["detail"]["url"], "https://example.org/");
    }
    assert!(!trail.to_string().contains("whsec_"));
}
