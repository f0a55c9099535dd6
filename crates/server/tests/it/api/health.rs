//! `/healthz` and `/readyz`.

use playout_server::serve::Role;
use playout_store::POLL_EVERY;
use serde_json::json;

use crate::harness::{Db, Options, TestApp, on_both};

on_both!(
    a_service_that_works_is_alive_and_ready,
    a_service_without_its_database_is_alive_and_not_ready,
    an_engine_that_cannot_claim_work_makes_its_node_not_ready,
    a_fault_of_ours_says_nothing_of_our_inside,
);

async fn a_service_that_works_is_alive_and_ready(db: Db) {
    let t = TestApp::start(db).await;
    let nobody = t.api.with_key(None);
    assert_eq!(nobody.get("/healthz").await.ok(), json!({ "status": "ok" }));
    let ready = nobody.get("/readyz").await;
    assert_eq!(ready.status, 200);
    assert_eq!(
        ready.json(),
        json!({ "status": "ready", "database": "ok", "storage": "ok", "key": "ok", "worker": "ok", "hold": false })
    );
}

async fn a_service_without_its_database_is_alive_and_not_ready(db: Db) {
    let options = Options {
        role: Some(Role::Api),
        ..Options::default()
    };
    let t = TestApp::start_with(db, options).await;
    t.app.store.close().await;
    let nobody = t.api.with_key(None);
    assert_eq!(nobody.get("/healthz").await.status, 200);
    let ready = nobody.get("/readyz").await;
    assert_eq!(ready.status, 503);
    assert_eq!(ready.json()["database"], "failing");
    assert_eq!(ready.json()["status"], "not_ready");
}

async fn an_engine_that_cannot_claim_work_makes_its_node_not_ready(db: Db) {
    let t = TestApp::start(db).await;
    t.errors.expect("the database failed");
    let nobody = t.api.with_key(None);
    let mut pulse = t.app.heart.pulse();
    t.app.store.close().await;
    t.clock.advance(POLL_EVERY);
    while nobody.get("/readyz").await.json()["worker"] == "ok" {
        pulse.changed().await.unwrap();
    }
    let ready = nobody.get("/readyz").await;
    assert_eq!((ready.status, &ready.json()["worker"]), (503, &json!("failing")));
}

async fn a_fault_of_ours_says_nothing_of_our_inside(db: Db) {
    let options = Options {
        role: Some(Role::Api),
        ..Options::default()
    };
    let t = TestApp::start_with(db, options).await;
    t.errors.expect("a request failed inside");
    t.app.store.close().await;
    let answer = t.api.get("/public/v1/platforms").await;
    let body = answer.refused(500, "internal_error");
    assert_eq!(body.as_object().unwrap().len(), 2, "{body}");
    let message = body["message"].as_str().unwrap().to_lowercase();
    assert!(
        !["sql", "pool", "closed", "database"]
            .iter()
            .any(|word| message.contains(word)),
        "{message}"
    );
    assert_eq!(answer.header("x-request-id").len(), 36);
}
