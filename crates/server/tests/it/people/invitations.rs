//! Invitations cannot be used to send mail to strangers: how many, to whom, and what goes with them.

use std::time::Duration;

use serde_json::{Value, json};

use playout_domain::workspace::Role;

use crate::harness::{Answer, Db, Mailbox, Options, Person, TestApp, on_both};

on_both!(
    a_person_sends_twenty_invitations_a_day_whichever_workspace_they_are_for,
    a_workspace_sends_fifty_invitations_a_day_whoever_sends_them,
    an_address_gets_three_invitations_an_hour_whoever_sends_them,
    many_invitations_at_once_are_no_more_than_one_after_another,
    the_mail_of_an_invitation_carries_no_text_of_the_inviter_but_a_harmless_name,
    where_no_mail_goes_out_the_inviter_is_shown_the_link,
    links_to_choose_a_password_are_counted_for_all_nodes,
);

async fn invite(by: &Person, email: &str) -> Answer {
    let path = format!("/app/v1/organizations/{}/invitations", by.workspace);
    by.api.post(&path, &json!({ "email": email })).await
}

/// Invites `count` addresses that begin with that name.
async fn invite_many(by: &Person, name: &str, count: usize) {
    for number in 0..count {
        invite(by, &format!("{name}-{number}@example.org")).await.ok();
    }
}

async fn with_mail(db: Db) -> (TestApp, Mailbox) {
    let mailbox = Mailbox::open().await;
    let options = Options::default().set("smtp_url", &mailbox.url);
    (TestApp::start_with(db, options).await, mailbox)
}

async fn a_person_sends_twenty_invitations_a_day_whichever_workspace_they_are_for(db: Db) {
    let mut t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let made = ada
        .api
        .post("/app/v1/organizations", &json!({ "name": "Kites" }))
        .await
        .ok();
    let workspace = made["id"].as_str().unwrap();
    let other = Person {
        workspace: workspace.to_owned(),
        api: ada.api.in_workspace(workspace),
        ..ada.clone()
    };
    invite_many(&ada, "one", 10).await;
    invite_many(&other, "two", 10).await;
    for by in [&ada, &other] {
        let answer = invite(by, "three@example.org").await;
        answer.refused(429, "rate_limited");
        assert_eq!(answer.header("retry-after"), "4320");
    }
    // The limit also holds in another process, and on another node.
    t.stop().await;
    t.replace().await;
    invite(&ada, "three@example.org")
        .await
        .refused(429, "rate_limited");
    let (_app, node, service) = t.second_api().await;
    let there = Person {
        api: node.with_key(Some(crate::harness::secret(&ada.token))),
        ..ada.clone()
    };
    invite(&there, "three@example.org")
        .await
        .refused(429, "rate_limited");
    service.stop().await;
    t.clock.advance(Duration::from_secs(4320));
    invite(&ada, "three@example.org").await.ok();
    invite(&ada, "four@example.org")
        .await
        .refused(429, "rate_limited");
}

async fn a_workspace_sends_fifty_invitations_a_day_whoever_sends_them(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let bob = t.colleague(&ada, Role::Admin, "bob@example.org").await;
    let cay = t.colleague(&ada, Role::Admin, "cay@example.org").await;
    invite_many(&ada, "a", 20).await;
    invite_many(&bob, "b", 20).await;
    invite_many(&cay, "c", 10).await;
    invite(&cay, "d@example.org").await.refused(429, "rate_limited");
}

async fn an_address_gets_three_invitations_an_hour_whoever_sends_them(db: Db) {
    let (t, mut mailbox) = with_mail(db).await;
    let (ada, bob) = (
        t.sign_up("ada@example.org").await,
        t.sign_up("bob@example.org").await,
    );
    invite(&ada, "eve@example.org").await.ok();
    invite(&bob, "EVE@example.org").await.ok();
    invite(&ada, "eve@example.org").await.ok();
    let answer = invite(&bob, "eve@example.org").await;
    answer.refused(429, "rate_limited");
    assert_eq!(answer.header("retry-after"), "1200");
    for _ in 0..3 {
        assert!(
            mailbox
                .next_but_verification()
                .await
                .contains("To: eve@example.org")
        );
    }
    assert!(mailbox.is_empty());
    invite(&bob, "else@example.org").await.ok();
    let list = bob
        .api
        .get(&format!("/app/v1/organizations/{}/invitations", bob.workspace))
        .await
        .ok();
    assert_eq!(
        list["invitations"].as_array().unwrap().len(),
        2,
        "what was refused left the earlier one as it was"
    );
}

async fn many_invitations_at_once_are_no_more_than_one_after_another(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let emails: Vec<String> = (0..40).map(|number| format!("{number}@example.org")).collect();
    let answers = futures_util::future::join_all(emails.iter().map(|email| invite(&ada, email))).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 201).count(), 20);
}

async fn the_mail_of_an_invitation_carries_no_text_of_the_inviter_but_a_harmless_name(db: Db) {
    let (t, mut mailbox) = with_mail(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let name = "Prizes at https://evil.example/win, call eve@evil.example";
    ada.api
        .patch(
            &format!("/app/v1/organizations/{}", ada.workspace),
            &json!({ "name": name }),
        )
        .await
        .ok();
    ada.api
        .patch("/app/v1/me", &json!({ "name": "www.evil.example" }))
        .await
        .ok();
    let made = invite(&ada, "bob@example.org").await.ok();
    assert_eq!(made["mailed"], json!(true));
    let mail = mailbox.next_but_verification().await;
    assert!(mail.contains(made["url"].as_str().unwrap()), "{mail}");
    let mail = decoded(&mail);
    assert!(
        mail.contains("“Prizes at https evil example win, call eve evil example”"),
        "{mail}"
    );
    assert!(!mail.contains("evil.example"), "{mail}");
}

async fn where_no_mail_goes_out_the_inviter_is_shown_the_link(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let made: Value = invite(&ada, "bob@example.org").await.ok();
    let link = format!(
        "{}/accept-invitation?token={}",
        t.app.config.base_url,
        made["token"].as_str().unwrap()
    );
    assert_eq!((&made["url"], &made["mailed"]), (&json!(link), &json!(false)));
    let path = link.strip_prefix(&t.app.config.base_url).unwrap();
    assert!(t.browser().open(path).await.page(200).contains("bob@example.org"));
}

async fn links_to_choose_a_password_are_counted_for_all_nodes(db: Db) {
    let mut t = TestApp::start(db).await;
    let body = json!({ "email": "ada@example.org" });
    for _ in 0..3 {
        assert_eq!(
            t.nobody()
                .post("/app/v1/auth/password/forgot", &body)
                .await
                .status,
            204
        );
    }
    t.stop().await;
    t.replace().await;
    let answer = t.nobody().post("/app/v1/auth/password/forgot", &body).await;
    answer.refused(429, "rate_limited");
    assert_eq!(answer.header("retry-after"), "1200");
}

/// A mail's text, of which bytes beyond ASCII are quoted (RFC 2045 §6.7).
fn decoded(mail: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = mail.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let quoted = (*first == b'=').then(|| after.get(..2)).flatten();
        let byte = quoted.and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        bytes.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
