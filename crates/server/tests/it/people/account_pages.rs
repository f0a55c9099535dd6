//! The pages of accounts, in a browser without scripts.

use playout_domain::workspace::Role;
use playout_tiktok::sim::Account;
use serde_json::json;

use crate::harness::{Db, Options, Person, TestApp, on_both};

on_both!(
    who_is_not_signed_in_is_asked_to_and_comes_back,
    an_account_is_connected_with_one_button,
    the_page_says_how_it_is_with_each_account_and_what_to_do,
    an_account_is_disconnected_only_after_a_question,
    members_look_and_strangers_find_nothing,
    forms_of_other_sites_change_nothing,
    whoever_is_refused_reads_why_and_how_to_go_on,
    what_others_say_is_never_markup,
    who_has_several_workspaces_chooses_one,
    without_a_provider_the_page_says_who_can_do_something_about_it,
);

const PROBE: &str = "<script>alert(1)</script>\"><img src=x onerror=alert(2)>'";

/// What a page must not have of [`PROBE`], in any form.
fn is_clean(page: &str) {
    for part in ["<script>alert", "<img", "onerror=alert(2)>"] {
        assert!(!page.contains(part), "{part}: {page}");
    }
}

async fn connected(t: &TestApp) -> (Person, String) {
    let ada = t.sign_up("ada@example.org").await;
    let platform = t.connected_as(&ada, "kitestudio").await;
    (ada, format!("/accounts/{platform}"))
}

async fn who_is_not_signed_in_is_asked_to_and_comes_back(db: Db) {
    let t = TestApp::start(db).await;
    let mut browser = t.browser();
    for (path, to) in [
        ("/accounts", "/sign-in"),
        ("/accounts/connect", "/sign-in?next=%2Faccounts%2Fconnect"),
        (
            "/accounts?error=access_denied",
            "/sign-in?next=%2Faccounts%3Ferror%3Daccess_denied",
        ),
    ] {
        assert_eq!(browser.open(path).await.leads_to(), to);
    }
    assert_eq!(
        browser.submit("/accounts/connect", &[]).await.leads_to(),
        "/sign-in"
    );
}

async fn an_account_is_connected_with_one_button(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let mut browser = t.browser_of(&ada.token);
    let empty = browser.open("/accounts").await.page(200);
    assert!(
        empty.contains("No account is connected yet.") && empty.contains("/accounts/connect?organization="),
        "{empty}"
    );
    let answer = browser.open("/accounts/connect").await;
    let page = answer.page(200);
    for button in [
        "Continue to TikTok</button>",
        "Continue to TikTok as a business</button>",
    ] {
        assert_eq!(page.matches(button).count(), 1, "{page}");
    }
    let policy = answer.header("content-security-policy");
    assert!(
        policy.contains(&format!("form-action 'self' {}", t.sim.url())),
        "a redirect after the form must be let through: {policy}"
    );
    let fields = [("provider", "tiktok"), ("organizationId", ada.workspace.as_str())];
    let url = browser
        .submit("/accounts/connect", &fields)
        .await
        .leads_to()
        .to_owned();
    assert!(url.starts_with(&t.sim.url()), "{url}");
    let back = t.sim.approve(&url, "kitestudio", &[]).unwrap();
    let to = t.come_back(browser.token(), &back).await;
    let page = browser.open(&to).await.page(200);
    assert!(
        page.contains("role=\"status\"") && page.contains("Kite Studio is connected."),
        "{page}"
    );
    assert!(
        page.contains("Ready to post.") && page.contains("@kitestudio") && !page.contains("(business)"),
        "{page}"
    );
    let fields = [
        ("provider", "tiktok"),
        ("connection", "business"),
        ("organizationId", ada.workspace.as_str()),
    ];
    let url = browser
        .submit("/accounts/connect", &fields)
        .await
        .leads_to()
        .to_owned();
    let to = t
        .come_back(browser.token(), &t.sim.approve(&url, "harborbakes", &[]).unwrap())
        .await;
    let page = browser.open(&to).await.page(200);
    assert!(
        page.contains("Harbor Bakes is connected.") && page.contains("TikTok (business)"),
        "{page}"
    );
    let url = browser
        .submit("/accounts/connect", &fields)
        .await
        .leads_to()
        .to_owned();
    let to = t
        .come_back(browser.token(), &t.sim.approve(&url, "kitestudio", &[]).unwrap())
        .await;
    let page = browser.open(&to).await.page(200);
    assert!(page.contains("already has another connection"), "{page}");
}

async fn the_page_says_how_it_is_with_each_account_and_what_to_do(db: Db) {
    let t = TestApp::start(db).await;
    let (ada, path) = connected(&t).await;
    let mut browser = t.browser_of(&ada.token);
    assert_eq!(
        browser.submit(&path, &[("disabled", "true")]).await.leads_to(),
        "/accounts"
    );
    assert_eq!(ada.accounts().await[0]["disabled"], true);
    let page = browser.open("/accounts").await.page(200);
    assert!(
        page.contains("Disabled: no posts are published to it.") && page.contains("Switch on"),
        "{page}"
    );
    browser.submit(&path, &[("disabled", "false")]).await.leads_to();
    assert_eq!(ada.accounts().await[0]["disabled"], false);
    t.sim.disconnect(&t.open_id("kitestudio"), 1);
    t.idle().await;
    let page = browser.open("/accounts").await.page(200);
    assert!(
        page.contains("Must be connected again") && page.contains("Connect again"),
        "{page}"
    );
    let to = t.connect_as(&ada, "kitestudio", &[]).await;
    let page = browser.open(&to).await.page(200);
    assert!(page.contains("Kite Studio is connected again."), "{page}");
}

async fn an_account_is_disconnected_only_after_a_question(db: Db) {
    let t = TestApp::start(db).await;
    let (ada, path) = connected(&t).await;
    let mut browser = t.browser_of(&ada.token);
    let question = format!("{path}/disconnect");
    let page = browser.open(&question).await.page(200);
    assert!(page.contains("Kite Studio") && page.contains("Keep it"), "{page}");
    assert_eq!(ada.accounts().await.len(), 1, "looking changes nothing");
    let to = browser.submit(&question, &[]).await.leads_to().to_owned();
    assert!(ada.accounts().await.is_empty());
    let page = browser.open(&to).await.page(200);
    assert!(page.contains("is disconnected"), "{page}");
    browser.submit(&question, &[]).await.page(404);
}

async fn members_look_and_strangers_find_nothing(db: Db) {
    let t = TestApp::start(db).await;
    let (ada, path) = connected(&t).await;
    let bob = t.colleague(&ada, Role::Member, "bob@example.org").await;
    let eve = t.sign_up("eve@example.org").await;
    let question = format!("{path}/disconnect");
    let fields = [
        ("provider", "tiktok"),
        ("organizationId", ada.workspace.as_str()),
        ("disabled", "true"),
    ];
    for (person, status) in [(&bob, 403), (&eve, 404)] {
        let mut browser = t.browser_of(&person.token);
        browser.submit(&path, &fields).await.page(status);
        browser.open(&question).await.page(status);
        browser.submit(&question, &fields).await.page(status);
        browser.submit("/accounts/connect", &fields).await.page(403);
    }
    let page = t.browser_of(&bob.token).open("/accounts").await.page(200);
    assert!(page.contains("Kite Studio") && !page.contains(&path), "{page}");
    assert!(
        !t.browser_of(&eve.token)
            .open("/accounts")
            .await
            .page(200)
            .contains("Kite Studio")
    );
    assert_eq!(
        (ada.accounts().await[0]["disabled"].clone(), t.revocations()),
        (json!(false), 0)
    );
}

async fn forms_of_other_sites_change_nothing(db: Db) {
    let t = TestApp::start(db).await;
    let (ada, path) = connected(&t).await;
    let mut browser = t.browser_of(&ada.token);
    let fields = [
        ("provider", "tiktok"),
        ("organizationId", ada.workspace.as_str()),
        ("disabled", "true"),
    ];
    for origin in [None, Some("null"), Some("https://evil.example")] {
        browser.origin = origin.map(str::to_owned);
        for form in [
            path.clone(),
            format!("{path}/disconnect"),
            "/accounts/connect".to_owned(),
        ] {
            browser.submit(&form, &fields).await.page(403);
        }
    }
    assert_eq!(ada.accounts().await[0]["disabled"], false);
}

async fn whoever_is_refused_reads_why_and_how_to_go_on(db: Db) {
    let t = TestApp::start(db).await;
    let (ada, _) = connected(&t).await;
    let mut browser = t.browser_of(&ada.token);
    for (query, says) in [
        ("error=access_denied", "connect it again and grant access"),
        ("error=invalid_request", "longer than 15 minutes"),
        ("error=invalid_session", "another session"),
        ("error=forbidden", "no longer connect accounts"),
        ("error=account_limit_reached", "The plan allows no more accounts"),
        ("error=connection_rejected", "did not accept the sign-in"),
        ("error=provider_unavailable", "in a minute"),
        ("error=provider_not_configured", "not set up"),
        ("error=internal_error", "failed on the server"),
        (
            "error=unsupported_response_type",
            "The provider refused (unsupported_response_type)",
        ),
        (
            "error=permissions_missing&missing=video.publish",
            "not allowed to post content to the account. Connect the account again",
        ),
        (
            "error=permissions_missing&missing=video.publish,video.upload",
            "post content to the account, or to send drafts",
        ),
        ("error=permissions_missing&missing=x", "all that posting needs"),
    ] {
        let page = browser.open(&format!("/accounts?{query}")).await.page(200);
        assert!(
            page.contains("role=\"alert\"") && page.contains("Nothing was connected.") && page.contains(says),
            "{query}: {page}"
        );
    }
    for nothing in [
        "connected=x",
        "connected=0196f3a0-0000-7000-8000-000000000000&requeued=9",
        "",
    ] {
        let page = browser.open(&format!("/accounts?{nothing}")).await.page(200);
        assert!(
            !page.contains("role=\"status\"") && !page.contains("role=\"alert\""),
            "{nothing}: {page}"
        );
    }
}

async fn what_others_say_is_never_markup(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    t.sim.add_account(Account {
        nickname: PROBE.to_owned(),
        ..Account::new("probe")
    });
    let platform = t.connected_as(&ada, "probe").await;
    assert_eq!(ada.accounts().await[0]["displayName"], PROBE);
    let mut browser = t.browser_of(&ada.token);
    for path in [
        format!("/accounts?connected={platform}"),
        format!("/accounts?requeued={platform}&connected={platform}"),
        format!("/accounts/{platform}/disconnect"),
    ] {
        let page = browser.open(&path).await.page(200);
        assert!(
            page.contains("&lt;script&gt;alert(1)"),
            "the name is shown as it is: {page}"
        );
        is_clean(&page);
    }
    let query = PROBE.replace("alert(1)", "alert(3)");
    let encoded: String = url::form_urlencoded::byte_serialize(query.as_bytes()).collect();
    let back = format!("/oauth/tiktok/callback?error={encoded}&error_description={encoded}&state={encoded}");
    let to = browser.open(&back).await.leads_to().to_owned();
    let path = to.strip_prefix(&t.app.config.base_url).unwrap().to_owned();
    assert!(path.starts_with("/accounts?error="), "{path}");
    for path in [
        path,
        format!("/accounts?error=permissions_missing&missing={encoded}"),
        format!("/accounts/connect?organization={encoded}"),
    ] {
        let page = browser.open(&path).await.page(200);
        is_clean(&page);
        assert!(
            !page.contains("alert(3)"),
            "what nobody knows is not repeated: {page}"
        );
    }
}

async fn who_has_several_workspaces_chooses_one(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let second = ada
        .api
        .post("/app/v1/organizations", &json!({ "name": "Second <b>" }))
        .await
        .ok()["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let eve = t.sign_up("eve@example.org").await;
    let guest = t.colleague(&eve, Role::Member, "guest@example.org").await;
    let mut browser = t.browser_of(&ada.token);
    let page = browser
        .open(&format!("/accounts/connect?organization={second}"))
        .await
        .page(200);
    assert!(
        page.contains(&format!("value=\"{second}\" selected>Second &lt;b&gt;</option>")),
        "{page}"
    );
    let fields = [("provider", "tiktok"), ("organizationId", second.as_str())];
    let url = browser
        .submit("/accounts/connect", &fields)
        .await
        .leads_to()
        .to_owned();
    let back = t.sim.approve(&url, "kitestudio", &[]).unwrap();
    assert!(
        t.come_back(Some(&ada.token), &back)
            .await
            .starts_with("/accounts?connected=")
    );
    assert_eq!(
        ada.api.in_workspace(&second).get("/app/v1/platforms").await.ok()["platforms"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    assert!(ada.accounts().await.is_empty());
    let page = t
        .browser_of(&guest.token)
        .open("/accounts/connect")
        .await
        .page(200);
    assert!(
        !page.contains(&eve.workspace),
        "where they are a member only, there is nothing to choose: {page}"
    );
}

async fn without_a_provider_the_page_says_who_can_do_something_about_it(db: Db) {
    let t = TestApp::start_with(
        db,
        Options::default()
            .set("tiktok_client_key", "")
            .set("tiktok_client_secret", "")
            .set("tiktok_business_client_id", ""),
    )
    .await;
    let ada = t.sign_up("ada@example.org").await;
    let page = t.browser_of(&ada.token).open("/accounts/connect").await.page(200);
    assert!(
        page.contains("not set up for any provider") && !page.contains("class=\"primary\""),
        "{page}"
    );
}
