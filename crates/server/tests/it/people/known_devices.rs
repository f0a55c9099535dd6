//! Wrong guesses from elsewhere do not lock the owner of an account out.

use std::time::Duration;

use reqwest::Method;
use serde_json::json;

use crate::harness::{Answer, Db, Mailbox, Options, PASSWORD, TestApp, on_both, token_in};

on_both!(
    the_owner_signs_in_where_they_did_before_while_somebody_guesses,
    the_pages_keep_the_device_known_too,
    a_known_device_has_ten_tries_and_then_one_a_minute,
    a_device_is_known_to_one_person_for_a_year_and_by_no_other_mark,
    a_new_password_ends_what_devices_were_known_by_and_begins_anew_where_it_was_chosen,
    a_device_on_which_a_password_was_reset_is_known_from_then_on,
    guesses_from_elsewhere_take_nothing_from_a_session,
    the_owner_gets_one_mail_a_day_about_tries_that_were_refused,
);

const EMAIL: &str = "ada@example.org";

/// A try with these cookies.
async fn try_with(t: &TestApp, cookie: &str, password: &str) -> Answer {
    let mut request = t.nobody().request(Method::POST, "/app/v1/auth/sign-in");
    if !cookie.is_empty() {
        request = request.header("cookie", cookie);
    }
    let body = json!({ "email": EMAIL, "password": password });
    t.nobody().send(request.json(&body)).await
}

/// Uses up the tries that are allowed from elsewhere.
async fn guess_on(t: &TestApp) {
    for _ in 0..30 {
        let answer = try_with(t, "", "a wrong guess").await;
        assert!([401, 429].contains(&answer.status));
    }
    try_with(t, "", PASSWORD).await.refused(429, "rate_limited");
}

async fn the_owner_signs_in_where_they_did_before_while_somebody_guesses(db: Db) {
    let t = TestApp::start(db).await;
    t.sign_up(EMAIL).await;
    let signed_in = t.sign_in(EMAIL).await;
    let device = signed_in.known_device().unwrap();
    let mut cookies = signed_in
        .headers
        .get_all("set-cookie")
        .iter()
        .map(|cookie| cookie.to_str().unwrap());
    let set = cookies.next_back().unwrap().to_owned();
    assert!(
        set.ends_with("; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax; Secure"),
        "{set}"
    );
    guess_on(&t).await;
    for _ in 0..3 {
        try_with(&t, &device, PASSWORD).await.ok();
        // It does not reset the allowance of the guesses.
        try_with(&t, "", PASSWORD).await.refused(429, "rate_limited");
    }
}

async fn the_pages_keep_the_device_known_too(db: Db) {
    let t = TestApp::start(db).await;
    t.sign_up("bob@example.org").await;
    let mut browser = t.browser();
    browser
        .submit("/sign-up", &[("email", EMAIL), ("password", PASSWORD)])
        .await
        .leads_to();
    browser.submit("/sign-out", &[]).await.leads_to();
    guess_on(&t).await;
    // Another user of the same browser does not replace the first one's cookie.
    browser
        .submit(
            "/sign-in",
            &[("email", "bob@example.org"), ("password", PASSWORD)],
        )
        .await
        .leads_to();
    browser.submit("/sign-out", &[]).await.leads_to();
    browser
        .submit("/sign-in", &[("email", EMAIL), ("password", PASSWORD)])
        .await
        .leads_to();
    assert!(browser.token().is_some());
    t.browser()
        .submit("/sign-in", &[("email", EMAIL), ("password", PASSWORD)])
        .await
        .page(429);
}

async fn a_known_device_has_ten_tries_and_then_one_a_minute(db: Db) {
    let t = TestApp::start(db).await;
    t.sign_up(EMAIL).await;
    let device = t.sign_in(EMAIL).await.known_device().unwrap();
    for _ in 0..10 {
        try_with(&t, &device, "a wrong guess")
            .await
            .refused(401, "invalid_credentials");
    }
    try_with(&t, &device, PASSWORD).await.refused(429, "rate_limited");
    t.sign_in(EMAIL).await.ok();
    t.clock.advance(Duration::from_secs(60));
    try_with(&t, &device, PASSWORD).await.ok();
}

async fn a_device_is_known_to_one_person_for_a_year_and_by_no_other_mark(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up(EMAIL).await;
    t.sign_up("bob@example.org").await;
    let device = t.sign_in(EMAIL).await.known_device().unwrap();
    let body = json!({ "email": "bob@example.org", "password": PASSWORD });
    let bobs = t
        .nobody()
        .post("/app/v1/auth/sign-in", &body)
        .await
        .known_device()
        .unwrap();
    let (name, mark) = device.split_once('=').unwrap();
    let (start, signature) = mark.rsplit_once('.').unwrap();
    let forged = [
        format!("{name}={}", bobs.split_once('=').unwrap().1),
        format!("{name}={start}.{}", "0".repeat(64)),
        format!("{name}={}.{signature}", start.replace('.', ".f")),
        format!("{name}="),
        format!("{name}=x.y.z"),
        "playout_device_x=1".to_owned(),
    ];
    guess_on(&t).await;
    for forged in &forged {
        try_with(&t, forged, PASSWORD).await.refused(429, "rate_limited");
    }
    try_with(&t, &device, PASSWORD).await.ok();
    t.clock.advance(Duration::from_secs(365 * 86_400));
    guess_on(&t).await;
    try_with(&t, &device, PASSWORD).await.refused(429, "rate_limited");
    assert_eq!(ada.email, EMAIL);
}

async fn a_new_password_ends_what_devices_were_known_by_and_begins_anew_where_it_was_chosen(db: Db) {
    let t = TestApp::start(db).await;
    t.sign_up(EMAIL).await;
    let signed_in = t.sign_in(EMAIL).await;
    let (device, token) = (
        signed_in.known_device().unwrap(),
        signed_in.ok()["token"].as_str().unwrap().to_owned(),
    );
    let change = json!({ "password": "another password", "currentPassword": PASSWORD });
    let request = t
        .nobody()
        .request(Method::PATCH, "/app/v1/me")
        .header("origin", t.app.config.base_url.clone());
    let changed = t
        .nobody()
        .send(
            request
                .header("cookie", format!("playout_session={token}"))
                .json(&change),
        )
        .await;
    changed.ok();
    let renewed = changed.known_device().unwrap();
    for _ in 0..10 {
        try_with(&t, "", "a wrong guess")
            .await
            .refused(401, "invalid_credentials");
    }
    try_with(&t, &device, "another password")
        .await
        .refused(429, "rate_limited");
    try_with(&t, &renewed, "another password").await.ok();
}

async fn a_device_on_which_a_password_was_reset_is_known_from_then_on(db: Db) {
    let mut mailbox = Mailbox::open().await;
    let t = TestApp::start_with(db, Options::default().set("smtp_url", &mailbox.url)).await;
    t.sign_up(EMAIL).await;
    let forgotten = json!({ "email": EMAIL });
    t.nobody().post("/app/v1/auth/password/forgot", &forgotten).await;
    let token = token_in(&mailbox.next_but_verification().await);
    let body = json!({ "token": token, "password": "another password" });
    let by_the_api = t
        .nobody()
        .post("/app/v1/auth/password/reset", &body)
        .await
        .known_device()
        .unwrap();
    guess_on(&t).await;
    try_with(&t, &by_the_api, "another password").await.ok();
    t.clock.advance(Duration::from_secs(3600));
    t.nobody().post("/app/v1/auth/password/forgot", &forgotten).await;
    let token = loop {
        let mail = mailbox.next_but_verification().await;
        if mail.contains("/reset-password?token=") {
            break token_in(&mail);
        }
    };
    let mut browser = t.browser();
    browser
        .submit("/reset-password", &[("token", &token), ("password", PASSWORD)])
        .await
        .leads_to();
    for _ in 0..30 {
        try_with(&t, "", "a wrong guess").await;
    }
    browser
        .submit("/sign-in", &[("email", EMAIL), ("password", PASSWORD)])
        .await
        .leads_to();
    assert!(browser.token().is_some());
}

async fn guesses_from_elsewhere_take_nothing_from_a_session(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up(EMAIL).await;
    guess_on(&t).await;
    let change = json!({ "password": "another password", "currentPassword": PASSWORD });
    ada.api.patch("/app/v1/me", &change).await.ok();
}

async fn the_owner_gets_one_mail_a_day_about_tries_that_were_refused(db: Db) {
    let mut mailbox = Mailbox::open().await;
    let mut t = TestApp::start_with(db, Options::default().set("smtp_url", &mailbox.url)).await;
    t.sign_up_verified(&mut mailbox, EMAIL).await;
    guess_on(&t).await;
    let mail = mailbox.next().await;
    assert!(
        mail.contains("To: ada@example.org")
            && mail.contains("Subject: Refused tries to sign in to your account"),
        "{mail}"
    );
    // Neither a restart nor hours of it bring another; the next mail is the one of the next day.
    t.stop().await;
    t.replace().await;
    for _ in 0..3 {
        t.clock.advance(Duration::from_secs(4 * 3600));
        guess_on(&t).await;
    }
    t.nobody()
        .post("/app/v1/auth/password/forgot", &json!({ "email": EMAIL }))
        .await;
    assert!(
        mailbox
            .next_but_verification()
            .await
            .contains("Subject: Choose a new password")
    );
    t.clock.advance(Duration::from_secs(12 * 3600));
    guess_on(&t).await;
    assert!(
        mailbox
            .next_but_verification()
            .await
            .contains("Subject: Refused tries to sign in to your account")
    );
}
