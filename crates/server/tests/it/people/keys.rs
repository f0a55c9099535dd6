//! Keys that people make: shown once, used, revoked on every node.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::harness::{Client, Db, Person, TestApp, on_both, secret};

on_both!(
    a_key_is_shown_once_and_opens_its_workspace,
    a_revoked_key_ends_here_at_once_and_elsewhere_within_two_seconds,
    of_many_keys_made_at_once_a_workspace_has_fifty_at_most,
    all_keys_of_a_workspace_end_at_once_with_what_was_approved_and_not_fetched,
    a_key_ends_when_it_was_told_to,
    the_keys_of_other_workspaces_are_not_there,
);

async fn make(by: &Person, body: Value) -> Value {
    let made = by.api.post("/app/v1/keys", &body).await;
    assert_eq!((made.status, made.header("cache-control")), (201, "no-store"));
    made.ok()
}

fn program(t: &TestApp, made: &Value) -> Client {
    t.nobody().with_key(Some(secret(made["key"].as_str().unwrap())))
}

async fn a_key_is_shown_once_and_opens_its_workspace(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    ada.api
        .post("/app/v1/media/folders", &json!({ "name": "Ours" }))
        .await
        .ok();
    let made = make(&ada, json!({ "name": " CI " })).await;
    let key = made["key"].as_str().unwrap();
    assert!(playout_domain::key::is_well_formed(key));
    let names: Vec<&str> = made.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "id",
            "name",
            "key",
            "lastFour",
            "createdAt",
            "expiresAt",
            "scopes",
            "platformIds"
        ]
    );
    assert_eq!(
        (
            &made["name"],
            &made["expiresAt"],
            made["lastFour"].as_str().unwrap()
        ),
        (&json!("CI"), &json!(null), &key[key.len() - 4..])
    );
    let listed = ada.api.get("/app/v1/keys").await;
    assert!(!String::from_utf8(listed.body.clone()).unwrap().contains(key));
    let listed = listed.ok()["keys"][0].take();
    assert_eq!(
        (&listed["id"], &listed["createdBy"], &listed["lastUsedAt"]),
        (&made["id"], &json!(ada.id), &json!(null))
    );
    let folders = program(&t, &made).get("/public/v1/media/folders").await.ok();
    assert_eq!(folders["folders"][0]["name"], "Ours");
    assert_eq!(
        ada.api.get("/app/v1/keys").await.ok()["keys"][0]["lastUsedAt"],
        "2026-11-20T12:00:00.000Z"
    );
}

async fn a_revoked_key_ends_here_at_once_and_elsewhere_within_two_seconds(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let made = make(&ada, json!({ "name": "CI" })).await;
    let here = program(&t, &made);
    let (_app, other, service) = t.second_api().await;
    let there = other.with_key(Some(secret(made["key"].as_str().unwrap())));
    here.get("/public/v1/usage").await.ok();
    there.get("/public/v1/usage").await.ok();
    let path = format!("/app/v1/keys/{}", made["id"].as_str().unwrap());
    assert_eq!(ada.api.delete(&path).await.status, 204);
    here.get("/public/v1/usage").await.refused(401, "invalid_api_key");
    t.clock.advance(Duration::from_secs(2));
    there
        .get("/public/v1/usage")
        .await
        .refused(401, "invalid_api_key");
    ada.api.delete(&path).await.refused(404, "not_found");
    assert_eq!(ada.api.get("/app/v1/keys").await.ok()["keys"], json!([]));
    service.stop().await;
}

async fn all_keys_of_a_workspace_end_at_once_with_what_was_approved_and_not_fetched(db: Db) {
    let t = TestApp::start(db).await;
    let (ada, bob) = (
        t.sign_up("ada@example.org").await,
        t.sign_up("bob@example.org").await,
    );
    let made = [
        make(&ada, json!({ "name": "one" })).await,
        make(&ada, json!({ "name": "two", "scopes": ["read"] })).await,
    ];
    let theirs = make(&bob, json!({ "name": "of another workspace" })).await;
    let mut waiting = Vec::new();
    for scope in ["workspace", "read"] {
        let body = json!({ "client_name": "late", "scope": scope });
        let started = t.nobody().post("/auth/device/start", &body).await.ok();
        let approval = json!({ "userCode": started["user_code"] });
        ada.api.post("/auth/device/approve", &approval).await.ok();
        waiting.push(json!({ "device_code": started["device_code"] }));
    }
    let (_app, other, service) = t.second_api().await;
    for key in &made {
        let there = other.with_key(Some(secret(key["key"].as_str().unwrap())));
        there.get("/public/v1/usage").await.ok();
    }
    assert_eq!(ada.api.delete("/app/v1/keys").await.ok(), json!({ "revoked": 2 }));
    t.clock.advance(Duration::from_secs(2));
    for key in &made {
        let key = Some(secret(key["key"].as_str().unwrap()));
        for api in [&t.api, &other] {
            let answer = api.with_key(key.clone()).get("/public/v1/usage").await;
            answer.refused(401, "invalid_api_key");
        }
    }
    for poll in &waiting {
        let answer = t.nobody().post("/auth/device/token", poll).await;
        assert_eq!(
            (answer.status, &answer.json()["error"]),
            (400, &json!("access_denied"))
        );
    }
    assert_eq!(ada.api.get("/app/v1/keys").await.ok()["keys"], json!([]));
    assert_eq!(ada.api.delete("/app/v1/keys").await.ok(), json!({ "revoked": 0 }));
    program(&t, &theirs).get("/public/v1/usage").await.ok();
    service.stop().await;
}

async fn of_many_keys_made_at_once_a_workspace_has_fifty_at_most(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    for number in 0..46 {
        make(&ada, json!({ "name": number.to_string() })).await;
    }
    let name = json!({ "name": "another" });
    let answers = join_all((0..8).map(|_| ada.api.post("/app/v1/keys", &name))).await;
    let (made, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.status == 201);
    assert_eq!((made.len(), refused.len()), (4, 4));
    for one in refused {
        one.refused(409, "count_limit_reached");
    }
    let path = format!("/app/v1/keys/{}", made[0].json()["id"].as_str().unwrap());
    assert_eq!(ada.api.delete(&path).await.status, 204);
    make(&ada, json!({ "name": "in its place" })).await;
    ada.api
        .post("/app/v1/keys", &name)
        .await
        .refused(409, "count_limit_reached");
    let bob = t.sign_up("bob@example.org").await;
    make(&bob, json!({ "name": "of another workspace" })).await;
}

async fn a_key_ends_when_it_was_told_to(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    for (body, wrong) in [
        (
            json!({ "name": "x", "expiresAt": "2026-11-20T12:00:00Z" }),
            vec![json!(["expiresAt"])],
        ),
        (
            json!({ "expiresAt": "2027-01-01T00:00:00" }),
            vec![json!(["expiresAt"]), json!(["name"])],
        ),
    ] {
        ada.api.post("/app/v1/keys", &body).await.invalid_at(&wrong);
    }
    let made = make(
        &ada,
        json!({ "name": "brief", "expiresAt": "2026-11-20T14:00:00+01:00" }),
    )
    .await;
    assert_eq!(made["expiresAt"], "2026-11-20T13:00:00.000Z");
    let program = program(&t, &made);
    t.clock.advance(Duration::from_secs(3599));
    program.get("/public/v1/usage").await.ok();
    t.clock.advance(Duration::from_secs(1));
    program
        .get("/public/v1/usage")
        .await
        .refused(401, "invalid_api_key");
    assert_eq!(
        ada.api.get("/app/v1/keys").await.ok()["keys"][0]["id"],
        made["id"]
    );
}

async fn the_keys_of_other_workspaces_are_not_there(db: Db) {
    let t = TestApp::start(db).await;
    let (ada, eve) = (
        t.sign_up("ada@example.org").await,
        t.sign_up("eve@example.org").await,
    );
    let made = make(&ada, json!({ "name": "CI" })).await;
    assert_eq!(eve.api.get("/app/v1/keys").await.ok()["keys"], json!([]));
    let path = format!("/app/v1/keys/{}", made["id"].as_str().unwrap());
    eve.api.delete(&path).await.refused(404, "not_found");
    let never = "/app/v1/keys/0196f3a0-0000-7000-8000-000000000000";
    assert_eq!(eve.api.delete(&path).await.body, eve.api.delete(never).await.body);
    program(&t, &made).get("/public/v1/usage").await.ok();
}
