//! Guesses are limited by address and by account, and responses do not reveal which accounts there are.

use std::time::Duration;

use serde_json::json;

use crate::harness::{Answer, Client, Db, Options, PASSWORD, SECOND_FACTOR, TestApp, on_both};

on_both!(
    after_ten_wrong_passwords_an_account_is_tried_once_a_minute_whether_it_exists_or_not,
    the_present_password_is_not_found_out_with_a_session_either,
    an_address_may_try_only_so_often_whomever_it_tries,
    behind_a_trusted_proxy_each_client_has_its_own,
    passwords_within_a_session_are_checked_one_at_a_time_and_ten_times_a_minute,
    one_address_has_eight_sign_ins_under_way_and_another_gets_in_meanwhile,
    many_guesses_at_once_are_no_more_than_one_after_another,
);

async fn guess(api: &Client, email: &str) -> Answer {
    let body = json!({ "email": email, "password": "a wrong guess" });
    api.post("/app/v1/auth/sign-in", &body).await
}

/// A try from an address that a trusted proxy names.
async fn guess_from(t: &TestApp, forwarded: &str, email: &str) -> Answer {
    let body = json!({ "email": email, "password": "a wrong guess" });
    let request = t.nobody().request(reqwest::Method::POST, "/app/v1/auth/sign-in");
    t.nobody()
        .send(request.header("x-forwarded-for", forwarded).json(&body))
        .await
}

async fn after_ten_wrong_passwords_an_account_is_tried_once_a_minute_whether_it_exists_or_not(db: Db) {
    let t = TestApp::start(db).await;
    t.sign_up("ada@example.org").await;
    let mut seen = Vec::new();
    for email in ["ada@example.org", "nobody@example.org"] {
        for _ in 0..10 {
            guess(&t.nobody(), email)
                .await
                .refused(401, "invalid_credentials");
        }
        let answer = guess(&t.nobody(), &email.to_uppercase()).await;
        answer.refused(429, "rate_limited");
        assert_eq!(answer.header("retry-after"), "60");
        seen.push(answer.json());
    }
    assert_eq!(seen[0], seen[1]);
    t.sign_in("ada@example.org").await.refused(429, "rate_limited");
    t.clock.advance(Duration::from_secs(60));
    t.sign_in("ada@example.org").await.ok();
    for _ in 0..10 {
        guess(&t.nobody(), "ada@example.org")
            .await
            .refused(401, "invalid_credentials");
    }
}

async fn the_present_password_is_not_found_out_with_a_session_either(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let change = json!({ "password": "a new password", "currentPassword": "a wrong guess" });
    for _ in 0..10 {
        ada.api
            .patch("/app/v1/me", &change)
            .await
            .refused(401, "invalid_credentials");
    }
    ada.api
        .patch("/app/v1/me", &change)
        .await
        .refused(429, "rate_limited");
}

async fn an_address_may_try_only_so_often_whomever_it_tries(db: Db) {
    let t = TestApp::start_with(db, Options::default().set("address_rate_limit", "3/60s;burst=3")).await;
    for number in 0..3 {
        guess(&t.nobody(), &format!("{number}@example.org"))
            .await
            .refused(401, "invalid_credentials");
    }
    let answer = guess(&t.nobody(), "other@example.org").await;
    answer.refused(429, "rate_limited");
    assert_eq!(answer.header("retry-after"), "20");
    let body = json!({ "email": "new@example.org", "password": PASSWORD });
    t.nobody()
        .post("/app/v1/auth/sign-up", &body)
        .await
        .refused(429, "rate_limited");
    guess_from(&t, "198.51.100.1", "other@example.org")
        .await
        .refused(429, "rate_limited");
    t.clock.advance(Duration::from_secs(20));
    t.nobody().post("/app/v1/auth/sign-up", &body).await.ok();
}

async fn behind_a_trusted_proxy_each_client_has_its_own(db: Db) {
    let options = Options::default()
        .set("address_rate_limit", "1/60s;burst=1")
        .set("trusted_proxies", "127.0.0.0/8, ::1");
    let t = TestApp::start_with(db, options).await;
    guess_from(&t, "198.51.100.1", "a@example.org")
        .await
        .refused(401, "invalid_credentials");
    guess_from(&t, "198.51.100.1", "a@example.org")
        .await
        .refused(429, "rate_limited");
    guess_from(&t, "198.51.100.1, 198.51.100.2", "a@example.org")
        .await
        .refused(401, "invalid_credentials");
    guess_from(&t, "198.51.100.2, 198.51.100.1", "a@example.org")
        .await
        .refused(429, "rate_limited");
}

async fn passwords_within_a_session_are_checked_one_at_a_time_and_ten_times_a_minute(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let right = json!({ "password": PASSWORD });
    let set_up = async || ada.api.post(SECOND_FACTOR, &right).await;
    let at_once = futures_util::future::join_all((0..9).map(|_| set_up())).await;
    let statuses: Vec<_> = at_once.iter().map(|answer| answer.status).collect();
    assert!(statuses.contains(&201) && statuses.contains(&429), "{statuses:?}");
    let refused = at_once.iter().find(|answer| answer.status == 429).unwrap();
    assert_eq!(refused.header("retry-after"), "1");
    set_up().await.ok();
    let answer = set_up().await;
    answer.refused(429, "rate_limited");
    assert_eq!(answer.header("retry-after"), "6");
    // Signing in has an allowance and places of its own.
    t.sign_in("ada@example.org").await.ok();
    t.clock.advance(Duration::from_secs(6));
    set_up().await.ok();
}

async fn one_address_has_eight_sign_ins_under_way_and_another_gets_in_meanwhile(db: Db) {
    let options = Options::default()
        .set("address_rate_limit", "1000/60s;burst=1000")
        .set("trusted_proxies", "127.0.0.0/8, ::1");
    let t = TestApp::start_with(db, options).await;
    t.sign_up("ada@example.org").await;
    let emails: Vec<_> = (0..60)
        .map(|number| format!("nobody{number}@example.org"))
        .collect();
    let guesses =
        futures_util::future::join_all(emails.iter().map(|email| guess_from(&t, "198.51.100.1", email)));
    let (answers, signed_in) = tokio::join!(guesses, t.sign_in("ada@example.org"));
    signed_in.ok();
    let count = |status: u16| answers.iter().filter(|answer| answer.status == status).count();
    assert!(
        count(401) >= 8 && count(429) > 0 && count(401) + count(429) == 60,
        "{} {}",
        count(401),
        count(429)
    );
}

async fn many_guesses_at_once_are_no_more_than_one_after_another(db: Db) {
    let t = TestApp::start(db).await;
    t.sign_up("ada@example.org").await;
    let nobody = t.nobody();
    let guesses = (0..40).map(|_| guess(&nobody, "ada@example.org"));
    let answers = futures_util::future::join_all(guesses).await;
    let judged = answers.iter().filter(|answer| answer.status == 401).count();
    assert_eq!(
        (
            judged,
            answers.iter().filter(|answer| answer.status == 429).count()
        ),
        (10, 30)
    );
}
