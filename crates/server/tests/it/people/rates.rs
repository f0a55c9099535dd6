//! Rate limits of sessions.

use std::time::Duration;

use reqwest::Method;
use serde_json::json;

use crate::harness::{Answer, Db, Options, TestApp, on_both};

on_both!(
    people_are_told_what_is_left_of_their_rate,
    all_sessions_of_a_person_count_together_and_nobody_elses,
    the_rate_comes_after_the_session_and_before_everything_else,
    pages_count_too,
);

const ME: &str = "/app/v1/me";

async fn limited(db: Db, rate: &str) -> TestApp {
    let options = Options::default()
        .set("rate_limit", rate)
        .set("session_rate_limit", rate);
    TestApp::start_with(db, options).await
}

/// The number of remaining calls that a response reports.
#[track_caller]
fn left(answer: &Answer) -> u32 {
    let text = answer.header("ratelimit");
    let rest = text
        .strip_prefix("\"default\";r=")
        .and_then(|rest| rest.split_once(';'));
    rest.unwrap_or_else(|| panic!("RateLimit: {text}"))
        .0
        .parse()
        .unwrap()
}

async fn people_are_told_what_is_left_of_their_rate(db: Db) {
    let t = limited(db, "120/60s;burst=60").await;
    let ada = t.sign_up("ada@example.org").await;
    for rest in (0..60).rev() {
        let answer = ada.api.get(ME).await;
        assert_eq!(
            (answer.status, left(&answer), answer.header("ratelimit-policy")),
            (200, rest, "\"default\";q=120;w=60")
        );
    }
    let refused = ada.api.get(ME).await;
    assert_eq!(
        refused.refused(429, "rate_limited")["message"],
        "You may call 120 times in 60 seconds, and 60 times at once. Wait 1 s."
    );
    assert_eq!((left(&refused), refused.header("retry-after")), (0, "1"));
    t.clock.advance(Duration::from_millis(500));
    ada.api.get(ME).await.ok();
}

async fn all_sessions_of_a_person_count_together_and_nobody_elses(db: Db) {
    let t = limited(db, "1/60s;burst=2").await;
    let ada = t.sign_up("ada@example.org").await;
    let there = t.person(&t.sign_in("ada@example.org").await.ok());
    let bob = t.sign_up("bob@example.org").await;
    assert_eq!(left(&ada.api.get(ME).await), 1);
    assert_eq!(left(&there.api.get(ME).await), 0);
    for session in [&ada, &there] {
        session.api.get(ME).await.refused(429, "rate_limited");
    }
    assert_eq!(left(&bob.api.get(ME).await), 1);
    assert_eq!(
        left(&t.api.get("/public/v1/usage").await),
        1,
        "keys have their own"
    );
}

async fn the_rate_comes_after_the_session_and_before_everything_else(db: Db) {
    let t = limited(db, "1/60s;burst=1").await;
    let (ada, eve) = (
        t.sign_up("ada@example.org").await,
        t.sign_up("eve@example.org").await,
    );
    let foreign = eve.api.in_workspace(&ada.workspace).get("/app/v1/posts").await;
    foreign.refused(403, "forbidden");
    assert_eq!(left(&foreign), 0, "what is forbidden counts too");
    t.nobody().get(ME).await.refused(401, "invalid_session");
    for (method, path) in [
        (Method::GET, "/app/v1/posts"),
        (Method::GET, "/app/v1/nothing"),
        (Method::PUT, ME),
        (Method::POST, "/app/v1/posts"),
        (Method::POST, "/app/v1/media"),
        (Method::GET, "/app/v1/posts/x"),
    ] {
        let answer = eve
            .api
            .in_workspace(&ada.workspace)
            .send(eve.api.request(method, path))
            .await;
        answer.refused(429, "rate_limited");
    }
    let from_elsewhere = t
        .nobody()
        .request(Method::PATCH, ME)
        .header("cookie", format!("playout_session={}", ada.token));
    t.nobody()
        .send(from_elsewhere.json(&json!({})))
        .await
        .refused(403, "forbidden");
    assert_eq!(
        left(&ada.api.get(ME).await),
        0,
        "what a foreign page sends is not counted as hers"
    );
}

async fn pages_count_too(db: Db) {
    let t = limited(db, "1/60s;burst=1").await;
    let ada = t.sign_up("ada@example.org").await;
    let mut browser = t.browser_of(&ada.token);
    assert_eq!(browser.open("/sign-in").await.leads_to(), "/accounts");
    let page = browser.open("/sign-in").await;
    page.page(429);
    assert_eq!(page.header("retry-after"), "60");
    ada.api.get(ME).await.refused(429, "rate_limited");
    t.browser().open("/sign-in").await.page(200);
}
