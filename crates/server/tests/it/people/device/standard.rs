//! What makes it a small OAuth server: the document that announces it (RFC 8414) and revocation (RFC 7009).

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use super::{Device, GRANT, decide, form};
use crate::harness::{Db, TestApp, on_both, secret};

on_both!(
    rfc8628_4_the_metadata_announces_the_endpoint_and_the_grant,
    whatever_the_metadata_announces_is_there,
    rfc7009_2_whoever_has_a_key_ends_it_at_once,
    rfc7009_2_2_what_is_no_key_is_answered_alike_and_ends_nothing,
    rfc7009_2_2_1_a_request_without_a_token_is_an_invalid_request,
);

const METADATA: &str = "/.well-known/oauth-authorization-server";

async fn rfc8628_4_the_metadata_announces_the_endpoint_and_the_grant(db: Db) {
    let t = TestApp::start(db).await;
    let base = t.app.config.base_url.clone();
    let answer = t.nobody().get(METADATA).await;
    assert_eq!(
        (answer.status, answer.header("content-type")),
        (200, "application/json")
    );
    let at = |path: &str| format!("{base}{path}");
    let wanted = json!({
        "issuer": base,
        "device_authorization_endpoint": at("/auth/device/start"),
        "token_endpoint": at("/auth/device/token"),
        "revocation_endpoint": at("/auth/revoke"),
        "service_documentation": at("/docs"),
        "grant_types_supported": [GRANT],
        "response_types_supported": [],
        "scopes_supported": ["workspace", "read", "media", "drafts", "publish", "platforms", "webhooks"],
        "token_endpoint_auth_methods_supported": ["none"],
        "revocation_endpoint_auth_methods_supported": ["none"],
    });
    assert_eq!(answer.ok(), wanted);
}

async fn whatever_the_metadata_announces_is_there(db: Db) {
    let t = TestApp::start(db).await;
    let metadata = t.nobody().get(METADATA).await.ok();
    let base = t.app.config.base_url.clone();
    let path = |name: &str| {
        metadata[name]
            .as_str()
            .unwrap()
            .strip_prefix(&base)
            .unwrap()
            .to_owned()
    };
    assert_eq!(
        metadata["issuer"],
        json!(base),
        "what a client asked is what is announced (RFC 8414 §3.3)"
    );
    let started = form(
        &t.nobody(),
        &path("device_authorization_endpoint"),
        &[("client_id", "x")],
    )
    .await
    .ok();
    let fields = [
        ("grant_type", GRANT),
        ("client_id", "x"),
        ("device_code", started["device_code"].as_str().unwrap()),
    ];
    form(&t.nobody(), &path("token_endpoint"), &fields)
        .await
        .is_oauth_error("authorization_pending");
    assert_eq!(
        form(&t.nobody(), &path("revocation_endpoint"), &[("token", "x")])
            .await
            .status,
        200
    );
    assert_eq!(t.nobody().get(&path("service_documentation")).await.status, 200);
}

async fn rfc7009_2_whoever_has_a_key_ends_it_at_once(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let device = Device::start(&t).await;
    decide(&ada, "approve", device.user_code()).await.ok();
    let (program, spare) = (
        device.fetch().await,
        ada.api
            .post("/app/v1/keys", &json!({ "name": "spare" }))
            .await
            .ok(),
    );
    let (_app, other, service) = t.second_api().await;
    let there = other.with_key(Some(secret(program.key())));
    program.get("/public/v1/usage").await.ok();
    there.get("/public/v1/usage").await.ok();
    let answer = form(
        &t.nobody(),
        "/auth/revoke",
        &[("token", program.key()), ("token_type_hint", "access_token")],
    )
    .await;
    assert_eq!(
        (answer.status, answer.body.len(), answer.header("cache-control")),
        (200, 0, "no-store")
    );
    program
        .get("/public/v1/usage")
        .await
        .refused(401, "invalid_api_key");
    t.clock.advance(Duration::from_secs(2));
    there
        .get("/public/v1/usage")
        .await
        .refused(401, "invalid_api_key");
    service.stop().await;
    let keys = ada.api.get("/app/v1/keys").await.ok();
    assert_eq!(
        (&keys["keys"][0]["id"], &keys["keys"][1]),
        (&spare["id"], &Value::Null),
        "no other key has ended"
    );
    let entry = ada.api.get("/app/v1/audit?limit=1").await.ok()["entries"][0].take();
    assert_eq!(
        (&entry["action"], &entry["actor"]["kind"], &entry["actor"]["name"]),
        (&json!("key.revoked"), &json!("key"), &json!("laptop"))
    );
    assert_eq!(
        (&entry["target"], &entry["address"]),
        (&entry["actor"]["id"], &json!("127.0.0.1"))
    );
}

async fn rfc7009_2_2_what_is_no_key_is_answered_alike_and_ends_nothing(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let key = ada.api.post("/app/v1/keys", &json!({ "name": "CI" })).await.ok();
    let key = key["key"].as_str().unwrap();
    let never = playout_domain::key::make_key([9; 32]);
    for token in [
        never.expose(),
        "nonsense",
        &ada.token,
        &key[..40],
        &"x".repeat(500),
    ] {
        for hint in ["access_token", "refresh_token", "whatever"] {
            let answer = form(
                &t.nobody(),
                "/auth/revoke",
                &[("token", token), ("token_type_hint", hint)],
            )
            .await;
            assert_eq!((answer.status, answer.body.len()), (200, 0), "{token}");
        }
    }
    ada.api.get("/app/v1/me").await.ok();
    let program = t.nobody().with_key(Some(secret(key)));
    program.get("/public/v1/usage").await.ok();
    for _ in 0..2 {
        assert_eq!(
            t.nobody()
                .post("/auth/revoke", &json!({ "token": key }))
                .await
                .status,
            200,
            "and again"
        );
    }
    program
        .get("/public/v1/usage")
        .await
        .refused(401, "invalid_api_key");
    let trail = ada.api.get("/app/v1/audit").await.ok();
    let revoked = trail["entries"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|entry| entry["action"] == "key.revoked");
    assert_eq!(revoked.count(), 1, "what ended nothing is not noted");
}

async fn rfc7009_2_2_1_a_request_without_a_token_is_an_invalid_request(db: Db) {
    let t = TestApp::start(db).await;
    form(
        &t.nobody(),
        "/auth/revoke",
        &[("token_type_hint", "access_token")],
    )
    .await
    .is_oauth_error("invalid_request");
    form(&t.nobody(), "/auth/revoke", &[("token", "")])
        .await
        .is_oauth_error("invalid_request");
    form(&t.nobody(), "/auth/revoke", &[("token", "a"), ("token", "b")])
        .await
        .is_oauth_error("invalid_request");
    let request = t.nobody().request(Method::GET, "/auth/revoke?token=x");
    let answer = t.nobody().send(request).await;
    assert_eq!(
        answer.refused(405, "method_not_allowed")["error"],
        "invalid_request"
    );
}
