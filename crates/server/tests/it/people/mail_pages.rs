//! The pages that mails lead to: a new password, an invitation.

use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::{Db, Mailbox, Options, PASSWORD, TestApp, on_both, token_in};

on_both!(
    whoever_forgot_the_password_gets_in_with_the_mail_alone,
    a_link_that_is_over_says_so_and_helps_on,
    somebody_new_signs_up_with_an_invitation_and_belongs_to_the_workspace,
    somebody_who_is_signed_in_joins_with_one_button_and_nobody_else,
);

const EMAIL: &str = "ada@example.org";

async fn world(db: Db) -> (TestApp, Mailbox) {
    let mailbox = Mailbox::open().await;
    let t = TestApp::start_with(db, Options::default().set("smtp_url", &mailbox.url)).await;
    (t, mailbox)
}

/// The workspaces of a person, as `name role`.
fn workspaces(me: &Value) -> Vec<String> {
    let listed = me["organizations"].as_array().unwrap().iter();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    listed
        .map(|one| format!("{} {}", text(&one["name"]), text(&one["role"])))
        .collect()
}

async fn whoever_forgot_the_password_gets_in_with_the_mail_alone(db: Db) {
    let (t, mut mailbox) = world(db).await;
    let ada = t.sign_up(EMAIL).await;
    let mut browser = t.browser();
    let page = browser.open("/sign-in").await.page(200);
    assert!(page.contains("href=\"/forgot-password\""), "{page}");
    browser.open("/forgot-password").await.page(200);
    let page = browser
        .submit("/forgot-password", &[("email", "no address")])
        .await
        .page(400);
    assert!(
        page.contains("value=\"no address\"") && page.contains("id=\"email-note\" class=\"problem\""),
        "{page}"
    );
    let mut told = Vec::new();
    for email in [EMAIL, "nobody@example.org"] {
        let to = browser
            .submit("/forgot-password", &[("email", email)])
            .await
            .leads_to()
            .to_owned();
        told.push(browser.open(&to).await.page(200));
    }
    assert_eq!(told[0], told[1], "nothing tells who is known");
    let token = token_in(&mailbox.next_but_verification().await);
    let link = format!("/reset-password?token={token}");
    let page = browser.open(&link).await.page(200);
    assert!(
        page.contains("autocomplete=\"new-password\"")
            && page.contains(&format!("name=\"token\" value=\"{token}\"")),
        "{page}"
    );
    let page = browser
        .submit("/reset-password", &[("token", &token), ("password", "short")])
        .await
        .page(400);
    assert!(
        page.contains("id=\"password-note\" class=\"problem\"")
            && page.contains(&token)
            && !page.contains("short"),
        "{page}"
    );
    let done = browser
        .submit(
            "/reset-password",
            &[("token", &token), ("password", "a new password")],
        )
        .await;
    let to = done.leads_to().to_owned();
    assert!(browser.token().is_none(), "no session comes of it");
    assert!(browser.open(&to).await.page(200).contains("href=\"/sign-in\""));
    ada.api.get("/app/v1/me").await.refused(401, "invalid_session");
    browser
        .submit("/sign-in", &[("email", EMAIL), ("password", "a new password")])
        .await
        .leads_to();
    assert!(browser.token().is_some());
    for again in [
        browser.open(&link).await,
        browser
            .submit("/reset-password", &[("token", &token), ("password", PASSWORD)])
            .await,
    ] {
        assert!(again.page(404).contains("href=\"/forgot-password\""));
    }
}

async fn a_link_that_is_over_says_so_and_helps_on(db: Db) {
    let (t, mut mailbox) = world(db).await;
    t.sign_up(EMAIL).await;
    t.browser()
        .submit("/forgot-password", &[("email", EMAIL)])
        .await
        .leads_to();
    let token = token_in(&mailbox.next_but_verification().await);
    t.clock.advance(Duration::from_secs(3600));
    for path in [
        format!("/reset-password?token={token}"),
        "/reset-password".to_owned(),
        "/reset-password?token=%22%3E".to_owned(),
    ] {
        assert!(
            t.browser()
                .open(&path)
                .await
                .page(404)
                .contains("href=\"/forgot-password\""),
            "{path}"
        );
    }
    for _ in 0..2 {
        t.browser()
            .submit("/forgot-password", &[("email", EMAIL)])
            .await
            .leads_to();
    }
    t.browser()
        .submit("/forgot-password", &[("email", EMAIL)])
        .await
        .leads_to();
    assert!(
        t.browser()
            .submit("/forgot-password", &[("email", EMAIL)])
            .await
            .page(429)
            .contains("role=\"alert\"")
    );
}

async fn somebody_new_signs_up_with_an_invitation_and_belongs_to_the_workspace(db: Db) {
    let (t, mut mailbox) = world(db).await;
    let ada = t.sign_up(EMAIL).await;
    let invitations = format!("/app/v1/organizations/{}/invitations", ada.workspace);
    ada.api
        .patch(
            &format!("/app/v1/organizations/{}", ada.workspace),
            &json!({ "name": "<b>Kites</b>" }),
        )
        .await
        .ok();
    ada.api
        .post(
            &invitations,
            &json!({ "email": "bob@example.org", "role": "admin" }),
        )
        .await
        .ok();
    let token = token_in(&mailbox.next_but_verification().await);
    let link = format!("/accept-invitation?token={token}");
    let mut browser = t.browser();
    let page = browser.open(&link).await.page(200);
    assert!(
        page.contains("Join &lt;b&gt;Kites&lt;/b&gt;")
            && page.contains("value=\"bob@example.org\" required readonly"),
        "{page}"
    );
    assert!(
        page.contains(&format!("/sign-in?next=%2Faccept-invitation%3Ftoken%3D{token}")),
        "{page}"
    );
    let mut fields = vec![
        ("token", token.as_str()),
        ("email", "bob@example.org"),
        ("name", "Bob"),
        ("password", "short"),
    ];
    let page = browser.submit("/accept-invitation", &fields).await.page(400);
    assert!(
        page.contains("id=\"password-note\" class=\"problem\"")
            && page.contains("value=\"Bob\"")
            && !page.contains("short"),
        "{page}"
    );
    fields[3].1 = PASSWORD;
    let mut eve = fields.clone();
    eve[1].1 = "eve@example.org";
    assert!(
        browser
            .submit("/accept-invitation", &eve)
            .await
            .page(404)
            .contains("role=\"alert\"")
    );
    browser.submit("/accept-invitation", &fields).await.leads_to();
    let token_of_bob = browser.token().unwrap().to_owned();
    let bob = t.nobody().with_key(Some(crate::harness::secret(&token_of_bob)));
    assert_eq!(
        workspaces(&bob.get("/app/v1/me").await.ok()),
        ["<b>Kites</b> admin"]
    );
    t.browser().open(&link).await.page(404);
}

async fn somebody_who_is_signed_in_joins_with_one_button_and_nobody_else(db: Db) {
    let (t, mut mailbox) = world(db).await;
    let (ada, bob, eve) = (
        t.sign_up(EMAIL).await,
        t.sign_up("bob@example.org").await,
        t.sign_up("eve@example.org").await,
    );
    let invitations = format!("/app/v1/organizations/{}/invitations", ada.workspace);
    ada.api
        .post(&invitations, &json!({ "email": bob.email }))
        .await
        .ok();
    let token = token_in(&mailbox.next_but_verification().await);
    let link = format!("/accept-invitation?token={token}");
    let mut eves = t.browser_of(&eve.token);
    let page = eves.open(&link).await.page(200);
    assert!(
        page.contains("is for bob@example.org") && !page.contains("action=\"/accept-invitation\""),
        "{page}"
    );
    eves.submit("/accept-invitation", &[("token", &token)])
        .await
        .page(403);
    // A person's workspaces are listed in the order of joining.
    t.clock.advance(Duration::from_secs(1));
    let mut bobs = t.browser_of(&bob.token);
    let page = bobs.open(&link).await.page(200);
    assert!(page.contains("Join ada's workspace as member</button>"), "{page}");
    bobs.origin = Some("https://evil.example".to_owned());
    bobs.submit("/accept-invitation", &[("token", &token)])
        .await
        .page(403);
    assert_eq!(workspaces(&bob.api.get("/app/v1/me").await.ok()).len(), 1);
    bobs.origin = Some(t.app.config.base_url.clone());
    bobs.submit("/accept-invitation", &[("token", &token)])
        .await
        .leads_to();
    assert_eq!(
        workspaces(&bob.api.get("/app/v1/me").await.ok()),
        ["bob's workspace owner", "ada's workspace member"]
    );
    bobs.submit("/accept-invitation", &[("token", &token)])
        .await
        .page(404);
}
