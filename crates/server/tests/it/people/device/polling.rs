//! Asking for the key (RFC 8628 §3.4, §3.5; `docs/contract.md#device-polling`).

use std::time::Duration;

use reqwest::Method;
use serde_json::json;

use super::{Device, GRANT, decide, form};
use crate::harness::{Db, Options, TestApp, on_both};

on_both!(
    rfc8628_3_4_the_grant_type_is_the_device_grants,
    rfc8628_3_4_the_device_code_is_required,
    rfc8628_3_4_another_client_gets_nothing,
    rfc8628_3_5_until_somebody_decides_it_is_authorization_pending,
    rfc8628_3_5_slow_down_adds_five_seconds_each_time,
    rfc8628_3_5_a_refusal_is_access_denied,
    rfc8628_3_5_an_expired_code_is_expired_token,
    rfc8628_3_5_success_is_that_of_oauth_and_comes_once,
    twenty_polls_at_once_get_exactly_one_key,
    polls_from_one_address_are_limited_by_themselves_in_words_that_clients_know,
);

const TOKEN: &str = "/auth/device/token";

async fn rfc8628_3_4_the_grant_type_is_the_device_grants(db: Db) {
    let t = TestApp::start(db).await;
    let device = Device::start(&t).await;
    let code = ("device_code", device.code());
    for grant in [
        "authorization_code",
        "refresh_token",
        "client_credentials",
        "password",
        "nonsense",
        &GRANT.to_uppercase(),
    ] {
        form(&t.nobody(), TOKEN, &[("grant_type", grant), code])
            .await
            .is_oauth_error("unsupported_grant_type");
        let body = json!({ "grant_type": grant, "device_code": device.code() });
        t.nobody()
            .post(TOKEN, &body)
            .await
            .is_oauth_error("unsupported_grant_type");
    }
    form(&t.nobody(), TOKEN, &[code])
        .await
        .is_oauth_error("invalid_request");
    t.nobody()
        .post(TOKEN, &json!({ "grant_type": 7, "device_code": device.code() }))
        .await
        .is_oauth_error("invalid_request");
    device
        .poll_standard()
        .await
        .is_oauth_error("authorization_pending");
}

async fn rfc8628_3_4_the_device_code_is_required(db: Db) {
    let t = TestApp::start(db).await;
    form(&t.nobody(), TOKEN, &[("grant_type", GRANT)])
        .await
        .is_oauth_error("invalid_request");
    for body in [
        json!({}),
        json!({ "device_code": null }),
        json!({ "device_code": 7 }),
        json!({ "device_code": "" }),
        json!("x"),
    ] {
        let body = t
            .nobody()
            .post(TOKEN, &body)
            .await
            .is_oauth_error("invalid_request");
        assert_eq!(body["code"], "invalid_request");
    }
    let bodiless = t.nobody().send(t.nobody().request(Method::POST, TOKEN)).await;
    assert_eq!(
        bodiless.is_oauth_error("invalid_request")["details"][0]["path"],
        json!(["device_code"])
    );
    let text = t.nobody().request(Method::POST, TOKEN).body("device_code=x");
    t.nobody().send(text).await.refused(415, "unsupported_media_type");
}

async fn rfc8628_3_4_another_client_gets_nothing(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let device = Device::start_as(&t, &json!({ "client_id": "tv" })).await;
    decide(&ada, "approve", device.user_code()).await.ok();
    let fields = |client| {
        [
            ("grant_type", GRANT),
            ("device_code", device.code()),
            ("client_id", client),
        ]
    };
    form(&t.nobody(), TOKEN, &fields("radio"))
        .await
        .is_oauth_error("invalid_grant");
    form(&t.nobody(), TOKEN, &fields("tv")).await.ok();
}

async fn rfc8628_3_5_until_somebody_decides_it_is_authorization_pending(db: Db) {
    let t = TestApp::start(db).await;
    let device = Device::start(&t).await;
    for _ in 0..100 {
        let body = device.poll().await.is_oauth_error("authorization_pending");
        assert_eq!(
            body.get("code"),
            None,
            "the flow's own errors have OAuth's words alone"
        );
        t.clock.advance(Duration::from_secs(5));
    }
}

async fn rfc8628_3_5_slow_down_adds_five_seconds_each_time(db: Db) {
    let t = TestApp::start(db).await;
    let device = Device::start(&t).await;
    device.is_told("authorization_pending").await;
    for (waited, error) in [
        (5, "authorization_pending"),
        (4, "slow_down"),
        (9, "slow_down"),
        (14, "slow_down"),
        (20, "authorization_pending"),
        (19, "slow_down"),
        (25, "authorization_pending"),
    ] {
        t.clock.advance(Duration::from_secs(waited));
        let answer = device.poll_standard().await;
        assert_eq!(answer.is_oauth_error(error)["error"], error, "after {waited} s");
    }
    let other = Device::start(&t).await;
    other.is_told("authorization_pending").await;
}

async fn rfc8628_3_5_a_refusal_is_access_denied(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let device = Device::start(&t).await;
    device.is_told("authorization_pending").await;
    assert_eq!(
        decide(&ada, "deny", device.user_code()).await.ok(),
        json!({ "status": "denied" })
    );
    for _ in 0..3 {
        device.is_told("access_denied").await;
        device.poll_standard().await.is_oauth_error("access_denied");
    }
    assert_eq!(ada.api.get("/app/v1/keys").await.ok()["keys"], json!([]));
}

async fn rfc8628_3_5_an_expired_code_is_expired_token(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let (late, approved, denied) = (
        Device::start(&t).await,
        Device::start(&t).await,
        Device::start(&t).await,
    );
    decide(&ada, "approve", approved.user_code()).await.ok();
    decide(&ada, "deny", denied.user_code()).await.ok();
    t.clock.advance(Duration::from_secs(599));
    late.is_told("authorization_pending").await;
    t.clock.advance(Duration::from_secs(1));
    for device in [&late, &approved, &denied] {
        device.is_told("expired_token").await;
        device.poll_standard().await.is_oauth_error("expired_token");
    }
    for what in ["approve", "deny"] {
        decide(&ada, what, late.user_code())
            .await
            .refused(404, "device_code_not_found");
    }
    assert_eq!(
        ada.api.get("/app/v1/keys").await.ok()["keys"],
        json!([]),
        "an approval that nobody fetched is no key"
    );
    for nothing in ["x", &"0".repeat(64), &"é".repeat(499)] {
        t.nobody()
            .post(TOKEN, &json!({ "device_code": nothing }))
            .await
            .is_oauth_error("expired_token");
    }
}

async fn rfc8628_3_5_success_is_that_of_oauth_and_comes_once(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let device = Device::start_as(&t, &json!({ "client_id": "tv", "scope": "workspace" })).await;
    decide(&ada, "approve", device.user_code()).await.ok();
    let answer = device.poll_standard().await;
    assert_eq!(
        (answer.status, answer.header("content-type")),
        (200, "application/json")
    );
    assert_eq!(
        (answer.header("cache-control"), answer.header("pragma")),
        ("no-store", "no-cache")
    );
    let body = answer.ok();
    let key = &body["access_token"];
    let wanted = json!({ "status": "approved", "api_key": key, "access_token": key, "token_type": "Bearer", "scope": "workspace" });
    assert_eq!(body, wanted);
    let program = t
        .nobody()
        .with_key(Some(crate::harness::secret(key.as_str().unwrap())));
    program.get("/public/v1/platforms").await.ok();
    device.poll_standard().await.is_oauth_error("expired_token");
    device.is_told("expired_token").await;
    let own = Device::start(&t).await;
    decide(&ada, "approve", own.user_code()).await.ok();
    let body = own.poll().await.ok();
    assert_eq!(
        body,
        json!({ "status": "approved", "api_key": body["api_key"] }),
        "status and key, and nothing else"
    );
}

async fn twenty_polls_at_once_get_exactly_one_key(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let device = Device::start(&t).await;
    decide(&ada, "approve", device.user_code()).await.ok();
    let (_app, other, service) = t.second_api().await;
    let other = Device {
        api: other.with_key(None),
        started: device.started.clone(),
    };
    let polls = (0..20).map(|number| {
        if number % 2 == 0 {
            device.poll()
        } else {
            other.poll()
        }
    });
    let answers = futures_util::future::join_all(polls).await;
    let won = answers.iter().filter(|answer| answer.status == 200).count();
    for lost in answers.iter().filter(|answer| answer.status != 200) {
        lost.is_oauth_error("expired_token");
    }
    let keys = ada.api.get("/app/v1/keys").await.ok();
    assert_eq!((won, keys["keys"].as_array().unwrap().len()), (1, 1));
    service.stop().await;
}

async fn polls_from_one_address_are_limited_by_themselves_in_words_that_clients_know(db: Db) {
    let t = TestApp::start_with(db, Options::default().set("address_rate_limit", "3/60s;burst=3")).await;
    let device = Device::start(&t).await;
    for _ in 0..3 {
        assert_eq!(device.poll().await.status, 400);
    }
    let answer = device.poll_standard().await;
    let body = answer.refused(429, "rate_limited");
    assert_eq!(
        (&body["error"], answer.header("retry-after")),
        (&json!("slow_down"), "20")
    );
    // A person who approves them from the same address can still sign up.
    t.sign_up("ada@example.org").await;
    for _ in 0..2 {
        t.nobody().post("/auth/device/start", &json!({})).await;
    }
    t.nobody()
        .post("/auth/device/start", &json!({}))
        .await
        .refused(429, "rate_limited");
    form(&t.nobody(), "/auth/revoke", &[("token", "x")])
        .await
        .refused(429, "rate_limited");
}
