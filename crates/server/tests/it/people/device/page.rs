//! The page `/device`, in a browser without scripts (RFC 8628 §3.3, §5.4).

use std::time::Duration;

use playout_domain::workspace::Role;
use serde_json::json;

use super::Device;
use crate::harness::{Db, PASSWORD, TestApp, on_both};

on_both!(
    rfc8628_3_3_a_person_signs_in_types_the_code_is_told_who_asks_and_approves,
    rfc8628_3_3_a_person_may_refuse,
    rfc8628_3_3_a_wrong_code_is_said_beside_the_field,
    rfc8628_3_3_1_the_code_in_the_address_is_shown_to_be_compared_and_decides_nothing,
    rfc8628_5_4_the_page_says_what_is_asked_and_warns_of_strangers,
    only_workspaces_in_which_one_may_make_keys_are_offered_and_taken,
    a_form_of_another_site_decides_nothing,
    a_person_without_scripts_grants_less_than_is_asked_for,
);

const EMAIL: &str = "ada@example.org";

async fn rfc8628_3_3_a_person_signs_in_types_the_code_is_told_who_asks_and_approves(db: Db) {
    let t = TestApp::start(db).await;
    let device = Device::start(&t).await;
    let mut browser = t.browser();
    assert_eq!(
        browser.open("/device").await.leads_to(),
        "/sign-in?next=%2Fdevice"
    );
    let fields = [("email", EMAIL), ("password", PASSWORD), ("next", "/device")];
    assert_eq!(browser.submit("/sign-up", &fields).await.leads_to(), "/device");
    let page = browser.open("/device").await.page(200);
    assert!(
        page.contains("<form method=\"post\" action=\"/device\">") && page.contains("name=\"user_code\""),
        "{page}"
    );
    let typed = device.user_code().to_lowercase().replace('-', " ");
    let page = browser
        .submit("/device", &[("user_code", &typed)])
        .await
        .page(200);
    assert!(
        page.contains(device.user_code()) && page.contains("laptop") && page.contains("127.0.0.1"),
        "{page}"
    );
    assert!(!page.contains(device.code()), "the device code is shown nowhere");
    let organization = page
        .split("name=\"organization\" value=\"")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap()
        .to_owned();
    device.is_told("authorization_pending").await;
    let fields = [
        ("user_code", device.user_code()),
        ("organization", &organization),
        ("scope", "read"),
        ("accounts", "all"),
        ("decision", "approve"),
    ];
    assert_eq!(
        browser.submit("/device", &fields).await.leads_to(),
        "/device/approved"
    );
    let page = browser.open("/device/approved").await.page(200);
    assert!(page.contains("Go back to your program"), "{page}");
    device.fetch().await.get("/public/v1/platforms").await.ok();
    browser.submit("/device", &fields).await.page(404);
}

async fn rfc8628_3_3_a_person_may_refuse(db: Db) {
    let t = TestApp::start(db).await;
    let (ada, device) = (t.sign_up(EMAIL).await, Device::start(&t).await);
    let mut browser = t.browser_of(&ada.token);
    let fields = [("user_code", device.user_code()), ("decision", "deny")];
    assert_eq!(
        browser.submit("/device", &fields).await.leads_to(),
        "/device/denied"
    );
    assert!(browser.open("/device/denied").await.page(200).contains("Refused"));
    device.is_told("access_denied").await;
}

async fn rfc8628_3_3_a_wrong_code_is_said_beside_the_field(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up(EMAIL).await;
    let mut browser = t.browser_of(&ada.token);
    let page = browser
        .submit("/device", &[("user_code", "SVC-\"><b>x")])
        .await
        .page(404);
    assert!(
        page.contains("role=\"alert\"") && page.contains("value=\"SVC-&quot;&gt;&lt;b&gt;x\""),
        "{page}"
    );
    let page = browser.submit("/device", &[("user_code", " ")]).await.page(400);
    assert!(page.contains("id=\"user_code-note\" class=\"problem\""), "{page}");
    for _ in 0..9 {
        browser
            .submit("/device", &[("user_code", "SVC-BBBB-BBBB")])
            .await
            .page(404);
    }
    let device = Device::start(&t).await;
    let page = browser
        .submit("/device", &[("user_code", device.user_code())])
        .await
        .page(429);
    assert!(page.contains("Too many wrong codes"), "{page}");
    device.is_told("authorization_pending").await;
}

async fn rfc8628_3_3_1_the_code_in_the_address_is_shown_to_be_compared_and_decides_nothing(db: Db) {
    let t = TestApp::start(db).await;
    let (ada, device) = (t.sign_up(EMAIL).await, Device::start(&t).await);
    let address = device.started["verification_uri_complete"]
        .as_str()
        .unwrap()
        .strip_prefix(&t.app.config.base_url)
        .unwrap();
    let mut nobody = t.browser();
    let next = format!("/sign-in?next=%2Fdevice%3Fuser_code%3D{}", device.user_code());
    assert_eq!(
        nobody.open(address).await.leads_to(),
        next,
        "and back to the same page then"
    );
    let mut browser = t.browser_of(&ada.token);
    let page = browser.open(address).await.page(200);
    assert!(
        page.contains(&format!("value=\"{}\"", device.user_code())) && page.contains("Is this the code"),
        "{page}"
    );
    assert!(
        !page.contains("laptop"),
        "nothing is looked up before the person says that it is theirs"
    );
    browser
        .open(&format!(
            "{address}&decision=approve&organization={}",
            ada.workspace
        ))
        .await
        .page(200);
    device.is_told("authorization_pending").await;
    let page = browser
        .open("/device?user_code=%22%3E%3Cscript%3E")
        .await
        .page(200);
    assert!(page.contains("value=\"&quot;&gt;&lt;script&gt;\""), "{page}");
}

async fn rfc8628_5_4_the_page_says_what_is_asked_and_warns_of_strangers(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up(EMAIL).await;
    let named = Device::start_as(&t, &json!({ "client_name": "<b>TV</b>" })).await;
    t.clock.advance(Duration::from_secs(185));
    let nameless = Device::start_as(&t, &json!({})).await;
    let mut browser = t.browser_of(&ada.token);
    let page = browser
        .submit("/device", &[("user_code", named.user_code())])
        .await
        .page(200);
    for said in [
        "&lt;b&gt;TV&lt;/b&gt;",
        "127.0.0.1",
        "3 minutes ago",
        "Continue only if you started this yourself",
        "Publish and schedule posts; edit and delete them in every state.",
        "The program has chosen its name itself",
        "ada's workspace",
        named.user_code(),
    ] {
        assert!(page.contains(said), "{said}: {page}");
    }
    let page = browser
        .submit("/device", &[("user_code", nameless.user_code())])
        .await
        .page(200);
    assert!(
        page.contains("gave no name") && page.contains("just now"),
        "{page}"
    );
}

async fn who_has_no_workspace_can_only_refuse(t: &TestApp) {
    let member = t.sign_up("cleo@example.org").await;
    assert_eq!(member.delete_workspace().await.status, 204);
    let other = Device::start(t).await;
    let page = t
        .browser_of(&member.token)
        .submit("/device", &[("user_code", other.user_code())])
        .await
        .page(200);
    assert!(
        page.contains("in any workspace")
            && !page.contains("value=\"approve\"")
            && page.contains("value=\"deny\""),
        "{page}"
    );
}

async fn only_workspaces_in_which_one_may_make_keys_are_offered_and_taken(db: Db) {
    let t = TestApp::start(db).await;
    let (ada, bob) = (t.sign_up(EMAIL).await, t.sign_up("bob@example.org").await);
    let kites = bob
        .api
        .post("/app/v1/organizations", &json!({ "name": "<Kites>" }))
        .await
        .ok()["id"]
        .as_str()
        .unwrap()
        .to_owned();
    t.app
        .store
        .add_member(
            ada.workspace.parse().unwrap(),
            bob.id.parse().unwrap(),
            Role::Member,
            t.now(),
        )
        .await
        .unwrap();
    let device = Device::start(&t).await;
    let mut browser = t.browser_of(&bob.token);
    let page = browser
        .submit("/device", &[("user_code", device.user_code())])
        .await
        .page(200);
    assert!(
        page.contains(&format!("<option value=\"{kites}\">&lt;Kites&gt;</option>"))
            && page.contains(&bob.workspace),
        "{page}"
    );
    assert!(!page.contains(&ada.workspace), "{page}");
    assert!(
        page.contains("value=\"deny\" formnovalidate"),
        "refusing needs no choice: {page}"
    );
    let approve = |organization| {
        [
            ("user_code", device.user_code()),
            ("organization", organization),
            ("scope", "read"),
            ("accounts", "all"),
            ("decision", "approve"),
        ]
    };
    let page = browser.submit("/device", &approve("")).await.page(400);
    assert!(
        page.contains("id=\"organization-note\" class=\"problem\""),
        "{page}"
    );
    for foreign in [&ada.workspace, "0196f3a0-0000-7000-8000-000000000000"] {
        browser.submit("/device", &approve(foreign)).await.page(403);
    }
    device.is_told("authorization_pending").await;
    assert_eq!(
        browser.submit("/device", &approve(&kites)).await.leads_to(),
        "/device/approved"
    );
    device.fetch().await;
    assert_eq!(
        bob.api.in_workspace(&kites).get("/app/v1/keys").await.ok()["keys"][0]["name"],
        "laptop"
    );
    t.clock.advance(Duration::from_secs(5));
    who_has_no_workspace_can_only_refuse(&t).await;
}

async fn a_form_of_another_site_decides_nothing(db: Db) {
    let t = TestApp::start(db).await;
    let (ada, device) = (t.sign_up(EMAIL).await, Device::start(&t).await);
    let fields = [
        ("user_code", device.user_code()),
        ("organization", &ada.workspace),
        ("scope", "read"),
        ("accounts", "all"),
        ("decision", "approve"),
    ];
    let mut browser = t.browser_of(&ada.token);
    for origin in [None, Some("null"), Some("https://evil.example")] {
        browser.origin = origin.map(str::to_owned);
        browser.submit("/device", &fields).await.page(403);
    }
    let mut nobody = t.browser();
    assert_eq!(nobody.submit("/device", &fields).await.leads_to(), "/sign-in");
    device.is_told("authorization_pending").await;
}

async fn a_person_without_scripts_grants_less_than_is_asked_for(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up(EMAIL).await;
    let account = t.connect_in(ada.workspace.parse().unwrap(), "kitestudio").await;
    let device = Device::start_as(&t, &json!({ "client_name": "agent", "scope": "publish media" })).await;
    let mut browser = t.browser_of(&ada.token);
    let page = browser
        .submit("/device", &[("user_code", device.user_code())])
        .await
        .page(200);
    for word in ["read", "media", "drafts", "publish"] {
        assert!(
            page.contains(&format!("name=\"scope\" value=\"{word}\" checked")),
            "{page}"
        );
    }
    assert!(
        !page.contains("value=\"webhooks\"") && page.contains(&account),
        "{page}"
    );
    let mut fields = vec![
        ("user_code", device.user_code()),
        ("organization", &ada.workspace),
        ("accounts", "some"),
        ("platform", &account),
        ("days", "7"),
        ("decision", "approve"),
    ];
    let page = browser.submit("/device", &fields).await.page(400);
    assert!(page.contains("Choose what it may do"), "{page}");
    assert!(
        !page.contains("value=\"publish\" checked"),
        "what was not chosen stays so: {page}"
    );
    fields.extend([("scope", "media"), ("scope", "read")]);
    for accounts in ["all", "Some", ""] {
        fields[2] = ("accounts", accounts);
        let page = browser.submit("/device", &fields).await.page(400);
        assert!(
            page.contains("Choose every account, or the accounts alone"),
            "{accounts}: {page}"
        );
    }
    fields[2] = ("accounts", "some");
    assert_eq!(
        browser.submit("/device", &fields).await.leads_to(),
        "/device/approved"
    );
    device.fetch().await.get("/public/v1/media").await.ok();
    let key = ada.api.get("/app/v1/keys").await.ok()["keys"][0].take();
    assert_eq!(
        (&key["scopes"], &key["platformIds"]),
        (&json!(["read", "media"]), &json!([account]))
    );
    assert_eq!(
        key["expiresAt"],
        json!(t.now().plus(Duration::from_secs(7 * 24 * 3600)))
    );
}
