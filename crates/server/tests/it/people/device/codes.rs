//! Beginning: what a client sends, and the codes it gets (RFC 8628 §3.1, §3.2, §5.2, §6.1).

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::{Value, json};

use super::{Device, GRANT, decide, form};
use crate::harness::{Db, TestApp, on_both};

on_both!(
    rfc8628_3_1_a_form_and_our_own_json_begin_alike,
    rfc8628_3_1_a_parameter_without_a_value_is_as_if_omitted,
    rfc8628_3_1_unrecognized_parameters_are_ignored,
    rfc8628_3_1_a_parameter_sent_twice_is_refused,
    rfc8628_3_1_a_client_is_known_by_its_client_id,
    rfc8628_3_2_the_answer_has_every_parameter_as_json,
    rfc8628_3_2_codes_are_unique_and_unlike_each_other,
    rfc8628_3_2_the_verification_uri_is_short_and_has_no_code,
    rfc8628_3_2_errors_are_those_of_the_token_endpoint,
    rfc8628_5_2_the_device_code_has_256_bits,
    rfc8628_6_1_a_code_is_read_however_it_is_typed,
);

const START: &str = "/auth/device/start";

async fn name_of(t: &TestApp, started: &Value) -> Value {
    let ada = t.sign_in("ada@example.org").await;
    let ada = match ada.status {
        200 => t.person(&ada.ok()),
        _ => t.sign_up("ada@example.org").await,
    };
    let path = format!("/auth/device/{}", started["user_code"].as_str().unwrap());
    ada.api.get(&path).await.ok()["clientName"].take()
}

async fn rfc8628_3_1_a_form_and_our_own_json_begin_alike(db: Db) {
    let t = TestApp::start(db).await;
    let by_form = form(&t.nobody(), START, &[("client_id", "Fernseher größer")])
        .await
        .ok();
    let by_json = t
        .nobody()
        .post(START, &json!({ "client_name": "laptop" }))
        .await
        .ok();
    let bare = t.nobody().post(START, &json!({})).await.ok();
    let bodiless = t
        .nobody()
        .send(t.nobody().request(Method::POST, START))
        .await
        .ok();
    let names = |body: &Value| body.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    for body in [&by_json, &bare, &bodiless] {
        assert_eq!(names(body), names(&by_form));
    }
    assert_eq!(name_of(&t, &by_form).await, "Fernseher größer");
    assert_eq!(
        (name_of(&t, &by_json).await, name_of(&t, &bare).await),
        (json!("laptop"), json!(null))
    );
    let xml = t
        .nobody()
        .request(Method::POST, START)
        .header("content-type", "text/xml")
        .body("<start/>");
    t.nobody().send(xml).await.refused(415, "unsupported_media_type");
}

async fn rfc8628_3_1_a_parameter_without_a_value_is_as_if_omitted(db: Db) {
    let t = TestApp::start(db).await;
    let started = form(
        &t.nobody(),
        START,
        &[("client_id", ""), ("scope", ""), ("client_name", "")],
    )
    .await
    .ok();
    assert_eq!(name_of(&t, &started).await, json!(null));
    let code = started["device_code"].as_str().unwrap();
    let poll = form(
        &t.nobody(),
        "/auth/device/token",
        &[("grant_type", ""), ("device_code", code)],
    )
    .await;
    poll.is_oauth_error("invalid_request");
}

async fn rfc8628_3_1_unrecognized_parameters_are_ignored(db: Db) {
    let t = TestApp::start(db).await;
    let fields = [("client_id", "tv"), ("colour", "red"), ("audience", "x")];
    let started = form(&t.nobody(), START, &fields).await.ok();
    let code = started["device_code"].as_str().unwrap();
    let fields = [
        ("grant_type", GRANT),
        ("device_code", code),
        ("resource", "x"),
        ("client_id", "tv"),
    ];
    form(&t.nobody(), "/auth/device/token", &fields)
        .await
        .is_oauth_error("authorization_pending");
    t.nobody()
        .post(START, &json!({ "colour": ["red"], "client_name": "x" }))
        .await
        .ok();
}

async fn rfc8628_3_1_a_parameter_sent_twice_is_refused(db: Db) {
    let t = TestApp::start(db).await;
    let twice = form(&t.nobody(), START, &[("client_id", "a"), ("client_id", "b")]).await;
    assert_eq!(
        twice.is_oauth_error("invalid_request")["details"][0]["path"],
        json!(["client_id"])
    );
    let code = Device::start(&t).await;
    let fields = [
        ("grant_type", GRANT),
        ("device_code", code.code()),
        ("device_code", code.code()),
    ];
    form(&t.nobody(), "/auth/device/token", &fields)
        .await
        .is_oauth_error("invalid_request");
    let text = r#"{"client_name":"a","client_name":"b"}"#;
    let request = t
        .nobody()
        .request(Method::POST, START)
        .header("content-type", "application/json")
        .body(text);
    t.nobody().send(request).await.is_oauth_error("invalid_request");
}

async fn rfc8628_3_1_a_client_is_known_by_its_client_id(db: Db) {
    let t = TestApp::start(db).await;
    let named = form(
        &t.nobody(),
        START,
        &[("client_id", "tv-1"), ("client_name", "The TV")],
    )
    .await
    .ok();
    let unnamed = form(&t.nobody(), START, &[("client_id", "tv-1")]).await.ok();
    assert_eq!(
        (name_of(&t, &named).await, name_of(&t, &unnamed).await),
        (json!("The TV"), json!("tv-1"))
    );
}

async fn rfc8628_3_2_the_answer_has_every_parameter_as_json(db: Db) {
    let t = TestApp::start(db).await;
    let answer = form(&t.nobody(), START, &[("client_id", "tv")]).await;
    assert_eq!(
        (answer.status, answer.header("content-type")),
        (200, "application/json")
    );
    assert_eq!(
        (answer.header("cache-control"), answer.header("pragma")),
        ("no-store", "no-cache")
    );
    let body = answer.ok();
    let page = format!("{}/device", t.app.config.base_url);
    let code = body["user_code"].as_str().unwrap();
    let wanted = json!({
        "device_code": body["device_code"], "user_code": code, "verification_uri": page,
        "verification_uri_complete": format!("{page}?user_code={code}"), "expires_in": 600, "interval": 5,
    });
    assert_eq!(body, wanted);
    let head = t.nobody().send(t.nobody().request(Method::GET, START)).await;
    assert_eq!(head.header("allow"), "POST");
    head.refused(405, "method_not_allowed");
}

async fn rfc8628_3_2_codes_are_unique_and_unlike_each_other(db: Db) {
    let t = TestApp::start(db).await;
    let mut seen = BTreeSet::new();
    for _ in 0..50 {
        let device = Device::start(&t).await;
        assert!(seen.insert(device.code().to_owned()) && seen.insert(device.user_code().to_owned()));
        let bare = device
            .user_code()
            .replace('-', "")
            .replace("SVC", "")
            .to_lowercase();
        assert!(
            !device.code().to_lowercase().contains(&bare),
            "neither tells the other"
        );
    }
}

async fn rfc8628_3_2_the_verification_uri_is_short_and_has_no_code(db: Db) {
    let t = TestApp::start(db).await;
    let device = Device::start(&t).await;
    let uri = device.started["verification_uri"].as_str().unwrap();
    assert_eq!(uri.strip_prefix(&t.app.config.base_url), Some("/device"));
}

async fn rfc8628_3_2_errors_are_those_of_the_token_endpoint(db: Db) {
    let t = TestApp::start(db).await;
    let long = "x".repeat(300);
    for body in [
        json!([]),
        json!({ "client_name": 7 }),
        json!({ "client_id": long }),
        json!({ "client_name": "\u{202e}x" }),
    ] {
        let body = t
            .nobody()
            .post(START, &body)
            .await
            .is_oauth_error("invalid_request");
        assert_eq!(
            body["code"], "invalid_request",
            "and this API's own words: {body:#}"
        );
    }
    let request = t
        .nobody()
        .request(Method::POST, START)
        .header("content-type", "application/json")
        .body("{\"é");
    let answer = t.nobody().send(request).await;
    assert_eq!(answer.is_oauth_error("invalid_request")["code"], "invalid_json");
    assert_eq!(answer.header("cache-control"), "no-store");
}

async fn rfc8628_5_2_the_device_code_has_256_bits(db: Db) {
    let t = TestApp::start(db).await;
    let device = Device::start(&t).await;
    assert_eq!(hex::decode(device.code()).unwrap().len(), 32);
}

async fn rfc8628_6_1_a_code_is_read_however_it_is_typed(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let device = Device::start(&t).await;
    let code = device.user_code();
    let form = "^SVC-[BCDFGHJKLMNPQRSTVWXZ23456789]{4}-[BCDFGHJKLMNPQRSTVWXZ23456789]{4}$";
    assert!(
        code.len() == 13
            && code.starts_with("SVC-")
            && code[4..].bytes().all(|byte| form.as_bytes().contains(&byte)),
        "{code}"
    );
    for typed in [
        code.to_owned(),
        code.to_lowercase(),
        code.replace('-', ""),
        code.replace('-', "%20"),
        code.replace("SVC-", ""),
        code.replace('-', "%E2%80%93"),
    ] {
        let seen = ada.api.get(&format!("/auth/device/{typed}")).await.ok();
        assert_eq!(
            (&seen["userCode"], &seen["clientName"]),
            (&json!(code), &json!("laptop")),
            "{typed}"
        );
    }
    decide(
        &ada,
        "approve",
        &format!("  {} ", code.to_lowercase().replace('-', " - ")),
    )
    .await
    .ok();
    device.fetch().await;
}
