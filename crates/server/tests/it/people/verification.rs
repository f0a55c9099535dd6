//! Addresses are verified by mail: what requires it, and what an address of another person does not give access to.

use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::{
    Answer, Authenticator, Client, Db, Mailbox, Options, PASSWORD, Person, SECOND_FACTOR, TestApp, on_both,
    token_in,
};

on_both!(
    inviting_and_letting_programs_in_wait_for_a_verified_address,
    nothing_waits_where_no_mail_is_sent_or_the_operator_says_so,
    a_link_is_good_for_a_day_and_is_sent_again_three_times_an_hour,
    a_mailed_invitation_verifies_the_address_and_the_token_that_the_inviter_sees_does_not,
    a_squatted_address_comes_back_to_its_owner_without_what_the_squatter_set_up,
    a_reset_leaves_the_second_factor_of_a_verified_address_on,
    an_invitation_that_was_made_up_does_not_tell_who_has_an_account,
    only_ten_addresses_an_hour_are_said_to_be_taken_and_their_owner_is_told,
    an_address_that_was_never_verified_gets_no_notices,
    the_page_of_the_mail_verifies_with_its_button_and_not_by_being_opened,
);

const EMAIL: &str = "ada@example.org";

async fn world(db: Db) -> (TestApp, Mailbox) {
    let mailbox = Mailbox::open().await;
    let options = Options::default()
        .set("smtp_url", &mailbox.url)
        .set("require_verified_email", "auto");
    (TestApp::start_with(db, options).await, mailbox)
}

async fn verify(t: &TestApp, token: &str) -> Answer {
    let body = json!({ "token": token });
    t.nobody().post("/app/v1/auth/verify-email", &body).await
}

async fn invite(by: &Person, email: &str) -> Answer {
    let path = format!("/app/v1/organizations/{}/invitations", by.workspace);
    by.api.post(&path, &json!({ "email": email })).await
}

async fn make_key(by: &Person) -> Answer {
    by.api.post("/app/v1/keys", &json!({ "name": "CI" })).await
}

async fn me(person: &Person) -> Value {
    person.api.get("/app/v1/me").await.ok()
}

async fn approve(t: &TestApp, by: &Person) -> Answer {
    let started = t
        .nobody()
        .post("/auth/device/start", &json!({ "client_name": "laptop" }))
        .await
        .ok();
    by.api
        .post(
            "/auth/device/approve",
            &json!({ "userCode": started["user_code"] }),
        )
        .await
}

async fn inviting_and_letting_programs_in_wait_for_a_verified_address(db: Db) {
    let (t, mut mailbox) = world(db).await;
    let ada = t.sign_up(EMAIL).await;
    assert_eq!(
        (
            &me(&ada).await["emailVerified"],
            &me(&ada).await["emailVerificationRequired"]
        ),
        (&json!(false), &json!(true))
    );
    invite(&ada, "bob@example.org")
        .await
        .refused(403, "email_not_verified");
    make_key(&ada).await.refused(403, "email_not_verified");
    approve(&t, &ada).await.refused(403, "email_not_verified");
    let mail = mailbox.next().await;
    assert!(
        mail.contains("To: ada@example.org") && mail.contains("/verify-email?token="),
        "{mail}"
    );
    assert_eq!(verify(&t, &token_in(&mail)).await.status, 204);
    verify(&t, &token_in(&mail)).await.refused(404, "not_found");
    assert_eq!(me(&ada).await["emailVerified"], true);
    invite(&ada, "bob@example.org").await.ok();
    make_key(&ada).await.ok();
    approve(&t, &ada).await.ok();
}

async fn nothing_waits_where_no_mail_is_sent_or_the_operator_says_so(db: Db) {
    let t = TestApp::start_with(db, Options::default().set("require_verified_email", "auto")).await;
    let ada = t.sign_up(EMAIL).await;
    make_key(&ada).await.ok();
    ada.api
        .post("/app/v1/me/verification", &Value::Null)
        .await
        .refused(404, "not_found");
    let mailbox = Mailbox::open().await;
    let t = TestApp::start_with(db, Options::default().set("smtp_url", &mailbox.url)).await;
    let ada = t.sign_up(EMAIL).await;
    assert_eq!(me(&ada).await["emailVerificationRequired"], false);
    make_key(&ada).await.ok();
}

async fn a_link_is_good_for_a_day_and_is_sent_again_three_times_an_hour(db: Db) {
    let (t, mut mailbox) = world(db).await;
    let ada = t.sign_up(EMAIL).await;
    let first = token_in(&mailbox.next().await);
    let again = async || ada.api.post("/app/v1/me/verification", &Value::Null).await;
    assert_eq!(again().await.status, 204);
    let second = token_in(&mailbox.next().await);
    verify(&t, &first).await.refused(404, "not_found");
    assert_eq!(again().await.status, 204);
    let answer = again().await;
    answer.refused(429, "rate_limited");
    assert_eq!(answer.header("retry-after"), "1200");
    verify(&t, &second).await.refused(404, "not_found");
    let third = token_in(&mailbox.next().await);
    t.clock.advance(Duration::from_secs(86_400));
    verify(&t, &third).await.refused(404, "not_found");
    assert_eq!(again().await.status, 204);
    assert_eq!(verify(&t, &token_in(&mailbox.next().await)).await.status, 204);
    assert_eq!(again().await.status, 204);
    assert!(mailbox.is_empty(), "a verified address needs no link");
}

async fn a_mailed_invitation_verifies_the_address_and_the_token_that_the_inviter_sees_does_not(db: Db) {
    let (t, mut mailbox) = world(db).await;
    let ada = t.sign_up_verified(&mut mailbox, EMAIL).await;
    let made = invite(&ada, "bob@example.org").await.ok();
    let mailed = token_in(&mailbox.next().await);
    let sign_up = async |token: &str, email: &str| {
        let body = json!({ "email": email, "password": PASSWORD, "invitation": token });
        t.person(&t.nobody().post("/app/v1/auth/sign-up", &body).await.ok())
    };
    assert!(me(&sign_up(&mailed, "bob@example.org").await).await["emailVerified"] == true);
    assert_ne!(made["token"], mailed);
    let made = invite(&ada, "victim@example.org").await.ok();
    mailbox.next().await;
    let squatter = sign_up(made["token"].as_str().unwrap(), "victim@example.org").await;
    assert_eq!(me(&squatter).await["emailVerified"], false);
    mailbox.next().await;
    let cleo = t.sign_up("cleo@example.org").await;
    mailbox.next().await;
    invite(&ada, "cleo@example.org").await.ok();
    let body = json!({ "token": token_in(&mailbox.next().await) });
    cleo.api.post("/app/v1/invitations/accept", &body).await.ok();
    assert_eq!(me(&cleo).await["emailVerified"], true);
}

async fn a_squatted_address_comes_back_to_its_owner_without_what_the_squatter_set_up(db: Db) {
    let (t, mut mailbox) = world(db).await;
    let squatter = t.sign_up(EMAIL).await;
    mailbox.next().await;
    let set_up = squatter
        .api
        .post(SECOND_FACTOR, &json!({ "password": PASSWORD }))
        .await
        .ok();
    let confirm = json!({ "code": Authenticator::of(&set_up).code(t.now()) });
    squatter
        .api
        .post(&format!("{SECOND_FACTOR}/confirm"), &confirm)
        .await
        .ok();
    // As it was before addresses were verified: a key of theirs exists.
    let (workspace, user) = (squatter.workspace.parse().unwrap(), squatter.id.parse().unwrap());
    let key = t
        .app
        .create_key(workspace, "theirs", Some(user), None)
        .await
        .unwrap()
        .key;
    let program: Client = t.nobody().with_key(Some(key));
    program.get("/public/v1/posts").await.ok();
    t.nobody()
        .post("/app/v1/auth/password/forgot", &json!({ "email": EMAIL }))
        .await;
    let body = json!({ "token": token_in(&mailbox.next().await), "password": "the owner's own" });
    assert_eq!(
        t.nobody().post("/app/v1/auth/password/reset", &body).await.status,
        204
    );
    program
        .get("/public/v1/posts")
        .await
        .refused(401, "invalid_api_key");
    let body = json!({ "email": EMAIL, "password": "the owner's own" });
    let owner = t.person(&t.nobody().post("/app/v1/auth/sign-in", &body).await.ok());
    let seen = me(&owner).await;
    assert_eq!(
        (&seen["emailVerified"], &seen["secondFactor"]),
        (&json!(true), &json!(false))
    );
}

async fn a_reset_leaves_the_second_factor_of_a_verified_address_on(db: Db) {
    let (t, mut mailbox) = world(db).await;
    let ada = t.sign_up_protected(EMAIL).await;
    assert_eq!(verify(&t, &token_in(&mailbox.next().await)).await.status, 204);
    t.nobody()
        .post("/app/v1/auth/password/forgot", &json!({ "email": EMAIL }))
        .await;
    let body = json!({ "token": token_in(&mailbox.next().await), "password": "a new password" });
    assert_eq!(
        t.nobody().post("/app/v1/auth/password/reset", &body).await.status,
        204
    );
    let mut body = json!({ "email": EMAIL, "password": "a new password" });
    t.nobody()
        .post("/app/v1/auth/sign-in", &body)
        .await
        .refused(401, "second_factor_required");
    body["code"] = json!(ada.recovery_codes[0]);
    t.nobody().post("/app/v1/auth/sign-in", &body).await.ok();
}

async fn an_invitation_that_was_made_up_does_not_tell_who_has_an_account(db: Db) {
    let t = TestApp::start(db).await;
    t.sign_up(EMAIL).await;
    for email in [EMAIL, "nobody@example.org"] {
        let body = json!({ "email": email, "password": PASSWORD, "invitation": "0".repeat(64) });
        t.nobody()
            .post("/app/v1/auth/sign-up", &body)
            .await
            .refused(404, "not_found");
    }
}

async fn only_ten_addresses_an_hour_are_said_to_be_taken_and_their_owner_is_told(db: Db) {
    let mailbox = Mailbox::open().await;
    let options = Options::default()
        .set("smtp_url", &mailbox.url)
        .set("address_rate_limit", "1000/60s;burst=1000");
    let (t, mut mailbox) = (TestApp::start_with(db, options).await, mailbox);
    t.sign_up(EMAIL).await;
    mailbox.next().await;
    let sign_up = async |email: &str| {
        let body = json!({ "email": email, "password": PASSWORD });
        t.nobody().post("/app/v1/auth/sign-up", &body).await
    };
    for _ in 0..10 {
        sign_up(EMAIL).await.refused(409, "email_taken");
    }
    for email in [EMAIL, "free@example.org"] {
        let answer = sign_up(email).await;
        answer.refused(429, "rate_limited");
        assert_eq!(answer.header("retry-after"), "360");
    }
    for _ in 0..2 {
        let mail = mailbox.next().await;
        assert!(
            mail.contains("To: ada@example.org") && mail.contains("You have an account"),
            "{mail}"
        );
    }
    assert!(mailbox.is_empty(), "three mails an hour and no more");
}

async fn an_address_that_was_never_verified_gets_no_notices(db: Db) {
    let (t, mut mailbox) = world(db).await;
    let ada = t.sign_up(EMAIL).await;
    let link = token_in(&mailbox.next().await);
    let changed = json!({ "currentPassword": PASSWORD, "password": "another password" });
    let ada = ada.renewed(&ada.api.patch("/app/v1/me", &changed).await.ok()["token"]);
    let other = json!({ "currentPassword": "another password", "email": "ada@example.com" });
    ada.api.patch("/app/v1/me", &other).await.ok();
    let moved = mailbox.next().await;
    assert!(
        moved.contains("To: ada@example.com") && moved.contains("/verify-email?token="),
        "{moved}"
    );
    assert_eq!(verify(&t, &token_in(&moved)).await.status, 204);
    verify(&t, &link).await.refused(404, "not_found");
    assert_eq!(
        (&me(&ada).await["user"]["email"], &me(&ada).await["emailVerified"]),
        (&json!("ada@example.com"), &json!(true))
    );
    // Nothing went to the first address; the verified one gets the mail.
    let changed = json!({ "currentPassword": "another password", "password": PASSWORD });
    ada.api.patch("/app/v1/me", &changed).await.ok();
    let told = mailbox.next().await;
    assert!(
        told.contains("To: ada@example.com") && told.contains("Subject: Your password was changed"),
        "{told}"
    );
    assert!(mailbox.is_empty());
}

async fn the_page_of_the_mail_verifies_with_its_button_and_not_by_being_opened(db: Db) {
    let (t, mut mailbox) = world(db).await;
    let ada = t.sign_up(EMAIL).await;
    let token = token_in(&mailbox.next().await);
    let mut browser = t.browser();
    let page = browser
        .open(&format!("/verify-email?token={token}"))
        .await
        .page(200);
    assert!(
        page.contains(&format!("name=\"token\" value=\"{token}\"")),
        "{page}"
    );
    assert_eq!(me(&ada).await["emailVerified"], false);
    let to = browser
        .submit("/verify-email", &[("token", &token)])
        .await
        .leads_to()
        .to_owned();
    assert!(browser.open(&to).await.page(200).contains("is confirmed"));
    assert_eq!(me(&ada).await["emailVerified"], true);
    assert!(
        browser
            .submit("/verify-email", &[("token", &token)])
            .await
            .page(404)
            .contains("role=\"alert\"")
    );
}
