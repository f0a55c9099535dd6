//! Changing the credentials of a person: what it requires, and what ends with it.

use std::time::Duration;

use playout_domain::id::UserId;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::harness::{Db, Mailbox, Options, PASSWORD, Person, TestApp, on_both, token_in};

on_both!(
    a_changed_password_or_address_ends_reset_links_and_other_sessions,
    a_changed_password_or_address_needs_the_code_where_a_second_factor_is_on,
    a_completed_reset_is_told_by_mail_and_ends_a_change_of_address,
    a_session_ends_ninety_days_after_it_began_however_often_it_is_used,
    a_frequent_password_and_the_address_itself_are_rejected_wherever_one_is_chosen,
    deleting_a_workspace_takes_the_password_and_the_code_of_its_owner,
    a_mailed_change_of_address_is_not_made_before_the_link_is_used,
    a_change_to_an_address_of_another_person_is_answered_like_any_and_told_to_them,
);

const EMAIL: &str = "ada@example.org";
const CHANGED: &str = "another password";

async fn with_mail(db: Db) -> (TestApp, Mailbox) {
    let mailbox = Mailbox::open().await;
    let t = TestApp::start_with(db, Options::default().set("smtp_url", &mailbox.url)).await;
    (t, mailbox)
}

async fn change(person: &Person, mut body: Value) -> crate::harness::Answer {
    body["currentPassword"] = json!(PASSWORD);
    person.api.patch("/app/v1/me", &body).await
}

/// A link with which a password is chosen, as a mail would bring it.
async fn reset_token(t: &TestApp, person: &Person) -> String {
    let token = playout_server::chance::token();
    let user: UserId = person.id.parse().unwrap();
    let hash = Sha256::digest(token.as_bytes()).into();
    let end = t.now().plus(Duration::from_secs(3600));
    t.app
        .store
        .create_password_reset(user, hash, end, t.now())
        .await
        .unwrap();
    token
}

async fn reset(t: &TestApp, token: &str, password: &str) -> crate::harness::Answer {
    let body = json!({ "token": token, "password": password });
    t.nobody().post("/app/v1/auth/password/reset", &body).await
}

async fn a_changed_password_or_address_ends_reset_links_and_other_sessions(db: Db) {
    let t = TestApp::start(db).await;
    for (email, body) in [
        (EMAIL, json!({ "password": CHANGED })),
        ("bob@example.org", json!({ "email": "robert@example.org" })),
    ] {
        let here = t.sign_up(email).await;
        let there = t.person(&t.sign_in(email).await.ok());
        let link = reset_token(&t, &here).await;
        let changed = change(&here, body.clone()).await.ok();
        reset(&t, &link, "chosen by a thief")
            .await
            .refused(404, "not_found");
        there.api.get("/app/v1/me").await.refused(401, "invalid_session");
        here.api.get("/app/v1/me").await.refused(401, "invalid_session");
        here.renewed(&changed["token"]).api.get("/app/v1/me").await.ok();
    }
}

async fn a_changed_password_or_address_needs_the_code_where_a_second_factor_is_on(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up_protected(EMAIL).await;
    for body in [
        json!({ "password": CHANGED }),
        json!({ "email": "thief@example.org" }),
    ] {
        change(&ada.person, body.clone())
            .await
            .refused(401, "second_factor_required");
        let mut wrong = body.clone();
        wrong["code"] = json!("000000");
        let refused = change(&ada.person, wrong)
            .await
            .refused(401, "invalid_credentials");
        assert_eq!(refused["details"][0]["path"], json!(["code"]));
    }
    assert_eq!(
        ada.person.api.get("/app/v1/me").await.ok()["user"]["email"],
        EMAIL
    );
    assert_eq!(
        change(&ada.person, json!({ "name": "Ada" })).await.ok()["user"]["name"],
        "Ada"
    );
    let body = json!({ "password": CHANGED, "code": ada.recovery_codes[0] });
    change(&ada.person, body).await.ok();
}

async fn a_completed_reset_is_told_by_mail_and_ends_a_change_of_address(db: Db) {
    let (t, mut mailbox) = with_mail(db).await;
    let ada = t.sign_up_verified(&mut mailbox, EMAIL).await;
    change(&ada, json!({ "email": "thief@example.org" })).await.ok();
    let told = mailbox.next_but_verification().await;
    assert!(
        told.contains("To: ada@example.org") && told.contains("Subject: Another address was asked for"),
        "{told}"
    );
    assert_eq!(
        ada.api.get("/app/v1/me").await.ok()["pendingEmail"],
        "thief@example.org"
    );
    let link = reset_token(&t, &ada).await;
    assert_eq!(reset(&t, &link, CHANGED).await.status, 204);
    let told = mailbox.next_but_verification().await;
    assert!(
        told.contains("To: ada@example.org") && told.contains("Subject: Your password was changed"),
        "{told}"
    );
    let body = json!({ "email": EMAIL, "password": CHANGED });
    let ada = t.person(&t.nobody().post("/app/v1/auth/sign-in", &body).await.ok());
    assert_eq!(ada.api.get("/app/v1/me").await.ok()["pendingEmail"], Value::Null);
}

async fn a_session_ends_ninety_days_after_it_began_however_often_it_is_used(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up(EMAIL).await;
    for _ in 0..89 {
        t.clock.advance(Duration::from_secs(86_400));
        ada.api.get("/app/v1/me").await.ok();
    }
    let listed = ada.api.get("/app/v1/me/sessions").await.ok();
    assert_eq!(listed["sessions"][0]["expiresAt"], "2027-02-18T12:00:00.000Z");
    assert_eq!(listed["sessions"][0]["lastNotedAt"], "2027-02-17T12:00:00.000Z");
    t.clock.advance(Duration::from_secs(86_400));
    ada.api.get("/app/v1/me").await.refused(401, "invalid_session");
}

async fn a_frequent_password_and_the_address_itself_are_rejected_wherever_one_is_chosen(db: Db) {
    let t = TestApp::start(db).await;
    let at_password = [json!(["password"])];
    for password in [
        "password",
        "Password",
        "1234567890",
        "ada@example.org",
        "ADA@example.org",
    ] {
        let body = json!({ "email": EMAIL, "password": password });
        t.nobody()
            .post("/app/v1/auth/sign-up", &body)
            .await
            .invalid_at(&at_password);
    }
    let ada = t.sign_up(EMAIL).await;
    let link = reset_token(&t, &ada).await;
    for password in ["iloveyou", EMAIL] {
        change(&ada, json!({ "password": password }))
            .await
            .invalid_at(&at_password);
        reset(&t, &link, password).await.invalid_at(&at_password);
    }
    let body = json!({ "email": "ada.l@example.org", "password": "ada.l@example.org" });
    change(&ada, body).await.invalid_at(&at_password);
    assert_eq!(
        reset(&t, &link, PASSWORD).await.status,
        204,
        "the link is not used up by it"
    );
}

async fn deleting_a_workspace_takes_the_password_and_the_code_of_its_owner(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up_protected(EMAIL).await;
    let path = format!("/app/v1/organizations/{}", ada.person.workspace);
    let delete = async |body: Value| ada.person.api.delete_with(&path, &body).await;
    delete(json!({})).await.invalid_at(&[json!(["password"])]);
    let refused = delete(json!({ "password": "wrong horse battery" }))
        .await
        .refused(401, "invalid_credentials");
    assert_eq!(refused["details"][0]["path"], json!(["password"]));
    delete(json!({ "password": PASSWORD }))
        .await
        .refused(401, "second_factor_required");
    delete(json!({ "password": PASSWORD, "code": "000000" }))
        .await
        .refused(401, "invalid_credentials");
    ada.person.api.get("/app/v1/posts").await.ok();
    assert_eq!(
        delete(json!({ "password": PASSWORD, "code": ada.recovery_codes[0] }))
            .await
            .status,
        204
    );
    ada.person
        .api
        .get("/app/v1/posts")
        .await
        .refused(403, "forbidden");
}

async fn a_mailed_change_of_address_is_not_made_before_the_link_is_used(db: Db) {
    let (t, mut mailbox) = with_mail(db).await;
    let ada = t.sign_up_verified(&mut mailbox, EMAIL).await;
    let there = t.person(&t.sign_in(EMAIL).await.ok());
    let asked = change(&ada, json!({ "email": "Lovelace@example.org" }))
        .await
        .ok();
    assert_eq!(
        (&asked["user"]["email"], &asked["pendingEmail"]),
        (&json!(EMAIL), &json!("lovelace@example.org"))
    );
    let mails = [mailbox.next().await, mailbox.next().await];
    let link = mails
        .iter()
        .find(|mail| mail.contains("To: lovelace@example.org"))
        .unwrap();
    assert!(
        mails.iter().any(
            |mail| mail.contains("To: ada@example.org") && mail.contains("Another address was asked for")
        )
    );
    there.api.get("/app/v1/me").await.ok();
    let reset_link = reset_token(&t, &ada).await;
    let body = json!({ "token": token_in(link) });
    assert_eq!(
        t.nobody().post("/app/v1/auth/verify-email", &body).await.status,
        204
    );
    t.nobody()
        .post("/app/v1/auth/verify-email", &body)
        .await
        .refused(404, "not_found");
    let me = ada.api.get("/app/v1/me").await.ok();
    assert_eq!(
        (&me["user"]["email"], &me["pendingEmail"], &me["emailVerified"]),
        (&json!("lovelace@example.org"), &Value::Null, &json!(true))
    );
    there.api.get("/app/v1/me").await.refused(401, "invalid_session");
    reset(&t, &reset_link, CHANGED).await.refused(404, "not_found");
    let told = mailbox.next().await;
    assert!(
        told.contains("To: ada@example.org") && told.contains("Subject: Your address was changed"),
        "{told}"
    );
}

async fn a_change_to_an_address_of_another_person_is_answered_like_any_and_told_to_them(db: Db) {
    let (t, mut mailbox) = with_mail(db).await;
    let (ada, _bob) = (t.sign_up(EMAIL).await, t.sign_up("bob@example.org").await);
    let asked = change(&ada, json!({ "email": "bob@example.org" })).await.ok();
    assert_eq!(asked["pendingEmail"], "bob@example.org");
    let notice = mailbox.next_but_verification().await;
    assert!(notice.contains("To: bob@example.org"), "{notice}");
    assert!(
        notice.contains("You have an account") && !notice.contains("token="),
        "{notice}"
    );
}
