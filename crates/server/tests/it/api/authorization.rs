//! The key of a request (`docs/contract.md#authentication-errors`): missing, invalid, revoked, expired, and checked first.

use std::time::Duration;

use playout_domain::id::KeyId;
use reqwest::Method;
use reqwest::header::{AUTHORIZATION, HeaderValue};

use crate::harness::{Answer, Db, TestApp, on_both, secret};

on_both!(
    without_a_bearer_key_the_key_is_missing,
    a_key_that_was_never_issued_is_invalid,
    the_scheme_is_read_whatever_its_case,
    a_revoked_key_ends_at_once,
    a_key_ends_at_the_instant_it_expires,
    the_key_is_checked_before_anything_else,
);

const LIST: &str = "/public/v1/platforms";

/// GETs the platforms with this Authorization header.
async fn authorized_as(t: &TestApp, authorization: &[u8]) -> Answer {
    let value = HeaderValue::from_bytes(authorization).unwrap();
    let nobody = t.api.with_key(None);
    nobody
        .send(nobody.request(Method::GET, LIST).header(AUTHORIZATION, value))
        .await
}

/// The workspace's key as text.
async fn key_of(t: &TestApp) -> String {
    t.app
        .create_key(t.workspace.id, "another", None, None)
        .await
        .unwrap()
        .key
        .expose()
        .to_owned()
}

async fn without_a_bearer_key_the_key_is_missing(db: Db) {
    let t = TestApp::start(db).await;
    let none = t.api.with_key(None).get(LIST).await;
    let body = none.refused(401, "missing_api_key");
    assert!(
        body["message"]
            .as_str()
            .unwrap()
            .contains("Bearer API key is required"),
        "{body}"
    );
    assert_eq!(none.header("www-authenticate"), "Bearer");
    assert_eq!(none.header("content-type"), "application/json");
    for authorization in [
        "",
        "Bearer",
        "Bearer ",
        "Bearer    ",
        "Basic c3ZjOng=",
        "svc_sk_abc",
        "Token svc_sk_abc",
    ] {
        let answer = authorized_as(&t, authorization.as_bytes()).await;
        answer.refused(401, "missing_api_key");
        assert_eq!(answer.header("www-authenticate"), "Bearer", "{authorization:?}");
    }
}

async fn a_key_that_was_never_issued_is_invalid(db: Db) {
    let t = TestApp::start(db).await;
    let key = key_of(&t).await;
    let last = if key.ends_with('a') { "b" } else { "a" };
    let misspelt = format!("{}{last}", &key[..key.len() - 1]);
    let never_issued = playout_domain::key::make_key([9; 32]).expose().to_owned();
    let malformed = ["svc_sk_", "svc_sk_short", "x", "svc_sk_x y", "sk_live_4242"].map(str::to_owned);
    for key in malformed
        .into_iter()
        .chain([misspelt, never_issued, key.to_uppercase(), key[7..].to_owned()])
    {
        let answer = authorized_as(&t, format!("Bearer {key}").as_bytes()).await;
        let body = answer.refused(401, "invalid_api_key");
        assert!(body["message"].as_str().unwrap().contains("invalid"), "{body}");
        assert_eq!(answer.header("www-authenticate"), "Bearer");
    }
    authorized_as(&t, b"Bearer svc_sk_\xc3\xa9\xff")
        .await
        .refused(401, "invalid_api_key");
}

async fn the_scheme_is_read_whatever_its_case(db: Db) {
    let t = TestApp::start(db).await;
    let key = key_of(&t).await;
    for scheme in ["Bearer", "bearer", "BEARER"] {
        authorized_as(&t, format!("{scheme} {key}").as_bytes()).await.ok();
    }
    authorized_as(&t, format!("Bearer   {key}").as_bytes()).await.ok();
}

async fn a_revoked_key_ends_at_once(db: Db) {
    let t = TestApp::start(db).await;
    let made = t
        .app
        .create_key(t.workspace.id, "short-lived", None, None)
        .await
        .unwrap();
    let client = t.api.with_key(Some(made.key));
    client.get(LIST).await.ok();
    assert!(t.app.revoke_key(t.workspace.id, made.record.id).await.unwrap());
    client.get(LIST).await.refused(401, "invalid_api_key");
    t.api.get(LIST).await.ok();
    assert!(
        !t.app
            .revoke_key(t.workspace.id, KeyId(made.record.id.0))
            .await
            .unwrap(),
        "only once"
    );
}

async fn a_key_ends_at_the_instant_it_expires(db: Db) {
    let t = TestApp::start(db).await;
    let ends = t.now().plus(Duration::from_secs(5));
    let key = t
        .app
        .create_key(t.workspace.id, "expiring", None, Some(ends))
        .await
        .unwrap()
        .key;
    let client = t.api.with_key(Some(key));
    client.get(LIST).await.ok();
    t.advance(Duration::from_micros(4_999_999)).await;
    client.get(LIST).await.ok();
    t.advance(Duration::from_micros(1)).await;
    client.get(LIST).await.refused(401, "invalid_api_key");
}

async fn the_key_is_checked_before_anything_else(db: Db) {
    let t = TestApp::start(db).await;
    for api in [t.api.with_key(None), t.api.with_key(Some(secret("svc_sk_wrong")))] {
        let requests = [
            api.request(Method::GET, "/public/v1/nothing/here"),
            api.request(Method::GET, "/public/v1"),
            api.request(Method::GET, "/public/v1/"),
            api.request(Method::PUT, "/public/v1/posts"),
            api.request(Method::GET, "/public/v1/posts/not-a-uuid"),
            api.request(Method::POST, "/public/v1/posts")
                .header("content-type", "text/plain")
                .body("{"),
            api.request(Method::POST, "/public/v1/posts")
                .header("content-type", "application/json")
                .body("{"),
            api.request(Method::POST, "/public/v1/media").body("no form"),
            api.request(Method::HEAD, LIST),
        ];
        for request in requests {
            let answer = api.send(request).await;
            assert_eq!(answer.status, 401);
            assert_eq!(answer.header("www-authenticate"), "Bearer");
            assert!(!answer.header("x-request-id").is_empty());
        }
    }
}
