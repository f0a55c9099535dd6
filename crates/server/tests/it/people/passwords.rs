//! Forgotten passwords, and the mails that help.

use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::{Answer, Db, Mailbox, Options, PASSWORD, TestApp, on_both, token_in};

on_both!(
    whoever_forgot_the_password_chooses_another_with_the_link_in_the_mail,
    nobody_is_told_whether_there_is_such_an_account,
    a_link_ends_after_an_hour_and_with_the_next_one,
    an_invitation_is_mailed_to_whom_it_is_for,
    whatever_changes_how_somebody_signs_in_is_told_to_the_address_they_had,
    a_mail_server_that_is_away_keeps_nobody_waiting,
);

/// A world with a mail server.
async fn world(db: crate::harness::Db) -> (TestApp, Mailbox) {
    let mailbox = Mailbox::open().await;
    let options = Options::default()
        .set("smtp_url", &mailbox.url)
        .set("mail_from", "Playout <playout@example.org>");
    (TestApp::start_with(db, options).await, mailbox)
}

async fn forgot(t: &TestApp, email: &str) -> Answer {
    t.nobody()
        .post("/app/v1/auth/password/forgot", &json!({ "email": email }))
        .await
}

async fn reset(t: &TestApp, token: &str, password: &str) -> Answer {
    let body = json!({ "token": token, "password": password });
    t.nobody().post("/app/v1/auth/password/reset", &body).await
}

async fn whoever_forgot_the_password_chooses_another_with_the_link_in_the_mail(db: Db) {
    let (t, mut mailbox) = world(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let answer = forgot(&t, " Ada@Example.org ").await;
    assert_eq!((answer.status, answer.body.len()), (204, 0));
    let mail = mailbox.next_but_verification().await;
    assert!(
        mail.contains("To: ada@example.org") && mail.contains("From: Playout <playout@example.org>"),
        "{mail}"
    );
    assert!(mail.contains("Date: Fri, 20 Nov 2026 12:00:00"), "{mail}");
    let token = token_in(&mail);
    assert!(
        mail.contains(&format!("{}/reset-password?token={token}", t.app.config.base_url)),
        "{mail}"
    );
    reset(&t, &token, "short")
        .await
        .invalid_at(&[json!(["password"])]);
    assert_eq!(reset(&t, &token, "a new password").await.status, 204);
    ada.api.get("/app/v1/me").await.refused(401, "invalid_session");
    t.sign_in("ada@example.org")
        .await
        .refused(401, "invalid_credentials");
    let body = json!({ "email": "ada@example.org", "password": "a new password" });
    t.nobody().post("/app/v1/auth/sign-in", &body).await.ok();
    reset(&t, &token, "another password")
        .await
        .refused(404, "not_found");
}

async fn nobody_is_told_whether_there_is_such_an_account(db: Db) {
    let (t, mut mailbox) = world(db).await;
    t.sign_up("ada@example.org").await;
    mailbox.next().await;
    for email in ["nobody@example.org", "ada@example.org"] {
        for _ in 0..3 {
            assert_eq!(forgot(&t, email).await.status, 204, "{email}");
        }
        let answer = forgot(&t, email).await;
        answer.refused(429, "rate_limited");
        assert_eq!(answer.header("retry-after"), "1200");
    }
    for _ in 0..3 {
        assert!(
            mailbox
                .next_but_verification()
                .await
                .contains("To: ada@example.org")
        );
    }
    assert!(mailbox.is_empty());
    forgot(&t, "no address").await.invalid_at(&[json!(["email"])]);
}

async fn a_link_ends_after_an_hour_and_with_the_next_one(db: Db) {
    let (t, mut mailbox) = world(db).await;
    t.sign_up("ada@example.org").await;
    forgot(&t, "ada@example.org").await;
    let first = token_in(&mailbox.next_but_verification().await);
    forgot(&t, "ada@example.org").await;
    let second = token_in(&mailbox.next_but_verification().await);
    reset(&t, &first, "a new password")
        .await
        .refused(404, "not_found");
    reset(&t, &"0".repeat(64), "a new password")
        .await
        .refused(404, "not_found");
    t.clock.advance(Duration::from_secs(3600));
    reset(&t, &second, "a new password")
        .await
        .refused(404, "not_found");
    t.sign_in("ada@example.org").await.ok();
}

async fn an_invitation_is_mailed_to_whom_it_is_for(db: Db) {
    let (t, mut mailbox) = world(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let path = format!("/app/v1/organizations/{}/invitations", ada.workspace);
    let made = ada
        .api
        .post(&path, &json!({ "email": "bob@example.org" }))
        .await
        .ok();
    let mail = mailbox.next_but_verification().await;
    assert!(
        mail.contains("To: bob@example.org") && mail.contains("ada's workspace"),
        "{mail}"
    );
    assert!(
        token_in(&mail).starts_with(made["token"].as_str().unwrap()),
        "with the proof that it was mailed: {mail}"
    );
}

async fn whatever_changes_how_somebody_signs_in_is_told_to_the_address_they_had(db: Db) {
    let (t, mut mailbox) = world(db).await;
    let ada = t.sign_up_verified(&mut mailbox, "ada@example.org").await;
    ada.api
        .patch(
            "/app/v1/me",
            &json!({ "name": "Ada", "email": ada.email, "currentPassword": PASSWORD }),
        )
        .await
        .ok();
    let change = json!({ "password": "a new password", "currentPassword": PASSWORD });
    ada.api.patch("/app/v1/me", &change).await.ok();
    let mail = mailbox.next_but_verification().await;
    assert!(
        mail.contains("To: ada@example.org") && mail.contains("Subject: Your password was changed"),
        "{mail}"
    );
    assert!(
        mail.contains(&format!("{}/forgot-password", t.app.config.base_url)),
        "{mail}"
    );
}

async fn a_mail_server_that_is_away_keeps_nobody_waiting(db: Db) {
    let options = Options::default()
        .set("smtp_url", "smtp://127.0.0.1:1")
        .set("mail_from", "a@example.org");
    let t = TestApp::start_with(db, options).await;
    t.errors.expect("did not go out");
    let ada = t.sign_up("ada@example.org").await;
    assert_eq!(forgot(&t, &ada.email).await.status, 204);
    let path = format!("/app/v1/organizations/{}/invitations", ada.workspace);
    let made: Value = ada
        .api
        .post(&path, &json!({ "email": "bob@example.org" }))
        .await
        .ok();
    assert!(made["token"].is_string());
}
