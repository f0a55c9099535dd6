//! Keys: required by every operation, stored as a hash alone, and valid on every plan (`docs/contract.md#keys`).

use playout_server::api::openapi::document;
use reqwest::Method;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::harness::{
    Db, Options, TestApp, everything_stored, hexadecimal, holds, on_both, post_body, secret,
};

on_both!(
    every_operation_answers_401_without_a_key_and_with_a_wrong_one,
    of_a_key_only_a_hash_is_stored,
    two_keys_of_a_workspace_differ_and_open_the_same,
    a_key_works_on_every_plan,
);

const NOWHERE: &str = "0196f3a0-0000-7000-8000-000000000000";

/// Asserts that a missing and a wrong key are refused here, each with its code.
async fn asks_for_a_key(t: &TestApp, (method, path): (&str, &str), operation: &Value) {
    let what = format!("{method} {path}");
    let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
    let wrong = secret("svc_sk_0123456789");
    for (key, code, says) in [
        (None, "missing_api_key", "Bearer API key is required"),
        (Some(wrong), "invalid_api_key", "invalid"),
    ] {
        let api = t.api.with_key(key);
        let answer = api
            .send(api.request(method.clone(), &path.replace("{id}", NOWHERE)))
            .await;
        assert_eq!(
            (answer.status, answer.header("www-authenticate")),
            (401, "Bearer"),
            "{what}"
        );
        if method != Method::HEAD {
            let body = answer.refused(401, code);
            assert!(body["message"].as_str().unwrap().contains(says), "{what}: {body}");
        }
        let codes = operation["x-error-codes"].as_array().unwrap();
        assert!(
            codes.contains(&json!(code)),
            "the reference of {what} names {code}"
        );
    }
}

async fn every_operation_answers_401_without_a_key_and_with_a_wrong_one(db: Db) {
    let t = TestApp::start(db).await;
    let mut asked = 0;
    for (path, methods) in document()["paths"].as_object().unwrap() {
        // Of the device flow there are tests of their own.
        if path.starts_with("/auth/") || path.starts_with("/.well-known/") {
            continue;
        }
        assert!(path.starts_with("/public/v1/"), "{path} carries the version");
        for (method, operation) in methods.as_object().unwrap() {
            asks_for_a_key(&t, (method, path), operation).await;
            asked += 1;
        }
    }
    assert!(asked >= 25, "{asked} operations");
}

async fn of_a_key_only_a_hash_is_stored(db: Db) {
    let t = TestApp::start(db).await;
    let made = t
        .app
        .create_key(t.workspace.id, "The kite key", None, None)
        .await
        .unwrap();
    t.api
        .with_key(Some(made.key.clone()))
        .get("/public/v1/platforms")
        .await
        .ok();
    let stored = everything_stored(&t, db).await;
    let key = made.key.expose();
    assert!(
        holds(&stored, b"The kite key"),
        "what is stored in the clear is found"
    );
    let hash = Sha256::digest(key.as_bytes());
    assert!(
        holds(&stored, &hash) || holds(&stored, hexadecimal(&hash).as_bytes()),
        "its hash is stored"
    );
    let random = key.strip_prefix("svc_sk_").unwrap();
    for text in [key, random, &random[..20]] {
        assert!(!holds(&stored, text.as_bytes()) && !holds(&stored, hexadecimal(text.as_bytes()).as_bytes()));
    }
}

async fn two_keys_of_a_workspace_differ_and_open_the_same(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let mut keys = Vec::new();
    for _ in 0..2 {
        let key = t
            .app
            .create_key(t.workspace.id, "CI", None, None)
            .await
            .unwrap()
            .key;
        assert!(
            key.expose()
                .strip_prefix("svc_sk_")
                .is_some_and(|rest| rest.len() >= 43),
            "a random secret"
        );
        let list = t
            .api
            .with_key(Some(key.clone()))
            .get("/public/v1/platforms")
            .await;
        assert_eq!(
            (list.status, list.json()["platforms"][0]["id"].as_str()),
            (200, Some(platform.as_str()))
        );
        keys.push(key.expose().to_owned());
    }
    assert_ne!(keys[0], keys[1]);
}

async fn a_key_works_on_every_plan(db: Db) {
    for plan in ["free", "creator", "business", "unlimited"] {
        let t = TestApp::start_with(db, Options::default().plan(plan)).await;
        let platform = t.connect("kitestudio").await;
        let photo = t.api.upload_photo(300, 400).await;
        t.api
            .post("/public/v1/media/folders", &json!({ "name": "Kites" }))
            .await
            .ok();
        t.api
            .post(
                "/public/v1/posts/validate",
                &post_body(&platform, std::slice::from_ref(&photo)),
            )
            .await
            .ok();
        let post = t.api.publish_now(&platform, &[photo]).await;
        assert_eq!(t.settled(&post).await["state"], "PUBLISHED", "{plan}");
        let schema = format!("platforms/{platform}/schema");
        for path in ["platforms", &schema, "media", "media/folders", "posts", "usage"] {
            assert_eq!(
                t.api.get(&format!("/public/v1/{path}")).await.status,
                200,
                "{plan}: {path}"
            );
        }
        assert_eq!(t.api.get("/public/v1/usage").await.ok()["plan"], plan);
    }
}
