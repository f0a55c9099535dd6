//! Accounts can be connected in several ways, one of them as a business (`docs/contract.md#connecting-accounts`).

use playout_tiktok::sim::{Account, Endpoint, Fault, FaultAction};
use serde_json::{Value, json};

use super::connecting::{CONNECT, CONNECTIONS};
use crate::harness::{Db, Options, Person, TestApp, on_both, post_body};

on_both!(
    the_connections_that_are_set_up_are_listed_for_whoever_offers_them,
    an_account_is_connected_as_a_business_and_can_comment_then,
    an_account_is_connected_in_one_way_at_a_time,
    an_account_that_was_renamed_is_connected_in_one_way_at_a_time,
    an_account_is_not_connected_in_another_way_while_the_others_cannot_be_compared,
    an_account_is_not_connected_in_another_way_while_the_handle_of_the_other_is_refused,
    an_account_is_not_connected_in_another_way_while_the_app_of_the_other_is_not_set_up,
    an_account_is_connected_in_another_way_while_the_other_must_be_reconnected_and_that_is_compared_then,
    an_account_is_not_connected_in_another_way_while_its_handle_is_unknown,
    an_account_is_not_connected_while_the_handle_of_one_in_another_way_is_not_returned,
    one_post_to_two_connections_with_one_handle_goes_out_by_one_of_them,
    a_business_account_that_may_not_comment_is_not_connected,
    a_connection_that_is_unknown_or_not_set_up_is_refused,
);

async fn the_connections_that_are_set_up_are_listed_for_whoever_offers_them(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let listed = ada.api.get(CONNECTIONS).await.ok();
    let listed = listed["connections"].as_array().unwrap();
    let ways: Vec<_> = listed
        .iter()
        .map(|one| (&one["provider"], &one["connection"], &one["providerName"]))
        .collect();
    let (tiktok, name) = (json!("tiktok"), json!("TikTok"));
    assert_eq!(
        ways,
        [
            (&tiktok, &json!("creator"), &name),
            (&tiktok, &json!("business"), &name)
        ]
    );
    assert_eq!(
        (&listed[0]["notes"], listed[1]["notes"] != json!("")),
        (&json!(""), true)
    );
    for one in listed {
        let begin = json!({ "provider": one["provider"], "connection": one["connection"] });
        ada.api.post(CONNECT, &begin).await.ok();
    }
}

async fn an_account_is_connected_as_a_business_and_can_comment_then(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let business = json!({ "provider": "tiktok", "connection": "business" });
    let begin = async || {
        ada.api.post(CONNECT, &business).await.ok()["authorizationUrl"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let back = t.sim.approve(&begin().await, "kitestudio", &[]).unwrap();
    assert!(
        back.contains("/oauth/tiktok/callback/?code="),
        "with the slash that its portal demands: {back}"
    );
    let to = t.come_back(Some(&ada.token), &back).await;
    let account = ada.accounts().await.remove(0);
    assert_eq!(
        to,
        format!("/accounts?connected={}", account["id"].as_str().unwrap())
    );
    assert_eq!(
        (&account["provider"], &account["connection"]),
        (&json!("tiktok"), &json!("business"))
    );
    assert_eq!(
        account["capabilities"],
        json!(["video", "photos", "direct_post", "inbox_draft", "comments"])
    );
    let seen_as = t.sim.account("kitestudio").unwrap().account.business_id;
    assert_eq!(
        (&account["providerAccountId"], &account["displayHandle"]),
        (&json!(seen_as), &json!("kitestudio"))
    );
    let noted = ada.trail().await.remove(0);
    assert_eq!(
        (&noted["action"], &noted["detail"]["connection"]),
        (&json!("platform.connected"), &json!("business"))
    );
    let back = t.sim.approve(&begin().await, "kitestudio", &[]).unwrap();
    let again = t.come_back(Some(&ada.token), &back).await;
    assert_eq!(
        again,
        format!(
            "/accounts?requeued=0&connected={}",
            account["id"].as_str().unwrap()
        )
    );
}

/// Connects an account as a business; where that leads.
async fn connect_business_as(t: &TestApp, person: &Person, username: &str) -> String {
    let business = json!({ "provider": "tiktok", "connection": "business" });
    let begun = person.api.post(CONNECT, &business).await.ok();
    let url = begun["authorizationUrl"].as_str().unwrap();
    let back = t.sim.approve(url, username, &[]).unwrap();
    t.come_back(Some(&person.token), &back).await
}

fn rename(t: &TestApp, from: &str, to: &str) {
    t.sim
        .change_account(&t.open_id(from), |account| account.username = to.to_owned());
}

async fn an_account_is_connected_in_one_way_at_a_time(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let as_business = async || connect_business_as(&t, &ada, "kitestudio").await;
    let kite = t.connected_as(&ada, "kitestudio").await;
    assert_eq!(as_business().await, "/accounts?error=connected_otherwise");
    t.idle().await;
    assert_eq!(
        (
            ada.accounts().await.len(),
            t.calls(Endpoint::BusinessRevoke).len()
        ),
        (1, 1),
        "what was granted is given back"
    );
    assert_eq!(t.revocations(), 0, "and nothing else");
    assert_eq!(
        ada.api.delete(&format!("/app/v1/platforms/{kite}")).await.status,
        204
    );
    t.idle().await;
    assert!(as_business().await.starts_with("/accounts?connected="));
    assert_eq!(
        t.connect_as(&ada, "kitestudio", &[]).await,
        "/accounts?error=connected_otherwise"
    );
    let account = ada.accounts().await.remove(0);
    assert_eq!(
        ada.api
            .delete(&format!("/app/v1/platforms/{}", account["id"].as_str().unwrap()))
            .await
            .status,
        204
    );
    t.idle().await;
    assert_eq!(
        t.calls(Endpoint::BusinessRevoke).len(),
        2,
        "a business account is given back to the business app"
    );
}

async fn an_account_that_was_renamed_is_connected_in_one_way_at_a_time(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let kite = t.connected_as(&ada, "kitestudio").await;
    rename(&t, "kitestudio", "kites");
    assert_eq!(
        connect_business_as(&t, &ada, "kites").await,
        "/accounts?error=connected_otherwise"
    );
    let account = ada.accounts().await.remove(0);
    assert_eq!(
        (&account["id"], &account["displayHandle"]),
        (&json!(kite), &json!("kites"))
    );
    let path = format!("/app/v1/platforms/{kite}");
    assert_eq!(ada.api.delete(&path).await.status, 204);
    t.idle().await;
    let to = connect_business_as(&t, &ada, "kites").await;
    assert!(to.starts_with("/accounts?connected="), "{to}");
    rename(&t, "kites", "kitefliers");
    assert_eq!(
        t.connect_as(&ada, "kitefliers", &[]).await,
        "/accounts?error=connected_otherwise"
    );
}

async fn an_account_is_not_connected_in_another_way_while_the_others_cannot_be_compared(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    t.connected_as(&ada, "kitestudio").await;
    t.sim
        .inject(Fault::new(Endpoint::UserInfo, FaultAction::internal_error()));
    assert_eq!(
        connect_business_as(&t, &ada, "harborbakes").await,
        "/accounts?error=provider_unavailable"
    );
    t.idle().await;
    assert_eq!(
        (
            ada.accounts().await.len(),
            t.calls(Endpoint::BusinessRevoke).len()
        ),
        (1, 1),
        "what was granted is given back"
    );
    let to = connect_business_as(&t, &ada, "harborbakes").await;
    assert!(to.starts_with("/accounts?connected="), "{to}");
}

async fn an_account_is_not_connected_in_another_way_while_the_handle_of_the_other_is_refused(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let to = connect_business_as(&t, &ada, "harborbakes").await;
    assert!(to.starts_with("/accounts?connected="), "{to}");
    rename(&t, "harborbakes", "harborbakery");
    // Refused for good, as invalid, and with a code that is not in the table.
    for (given_back, code) in ["40001", "40002", "48999"].into_iter().enumerate() {
        let refused = FaultAction::error(200, code);
        t.sim.inject(Fault::new(Endpoint::BusinessGet, refused));
        assert_eq!(
            t.connect_as(&ada, "harborbakery", &[]).await,
            "/accounts?error=provider_unavailable",
            "{code}"
        );
        t.idle().await;
        assert_eq!(
            (ada.accounts().await.len(), t.revocations()),
            (1, given_back + 1),
            "{code}: what was granted is given back"
        );
    }
    assert_eq!(
        t.connect_as(&ada, "harborbakery", &[]).await,
        "/accounts?error=connected_otherwise"
    );
}

/// The app may be missing on this node alone, or for a while: its accounts are published to again afterwards.
async fn an_account_is_not_connected_in_another_way_while_the_app_of_the_other_is_not_set_up(db: Db) {
    let mut t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let to = connect_business_as(&t, &ada, "harborbakes").await;
    assert!(to.starts_with("/accounts?connected="), "{to}");
    rename(&t, "harborbakes", "harborbakery");
    t.go_on_without_business_app().await;
    assert_eq!(
        t.connect_as(&ada, "harborbakery", &[]).await,
        "/accounts?error=provider_unavailable"
    );
    t.idle().await;
    assert_eq!(
        (ada.accounts().await.len(), t.revocations()),
        (0, 1),
        "what was granted is given back, and an account without its app is not listed"
    );
    let id = to.rsplit('=').next().unwrap();
    let removed = ada.api.delete(&format!("/app/v1/platforms/{id}")).await;
    assert_eq!(removed.status, 204, "it is removed all the same");
}

async fn an_account_is_connected_in_another_way_while_the_other_must_be_reconnected_and_that_is_compared_then(
    db: Db,
) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let to = connect_business_as(&t, &ada, "harborbakes").await;
    assert!(to.starts_with("/accounts?connected="), "{to}");
    rename(&t, "harborbakes", "harborbakery");
    let dead = FaultAction::error(200, "40103");
    t.sim.inject(Fault::new(Endpoint::BusinessGet, dead));
    let to = t.connect_as(&ada, "harborbakery", &[]).await;
    assert!(to.starts_with("/accounts?connected="), "{to}");
    assert_eq!(
        connect_business_as(&t, &ada, "harborbakery").await,
        "/accounts?error=connected_otherwise"
    );
}

/// A grant without the permission to read the profile: the account's options have its handle.
const WITHOUT_PROFILE: [&str; 3] = ["user.info.basic", "video.publish", "video.upload"];

/// The next request for an account's options is rejected, because its cap of the day is reached.
fn reach_cap(t: &TestApp) {
    let capped = FaultAction::error(403, "spam_risk_too_many_posts");
    t.sim.inject(Fault::new(Endpoint::CreatorInfo, capped));
}

async fn an_account_is_not_connected_in_another_way_while_its_handle_is_unknown(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let to = connect_business_as(&t, &ada, "kitestudio").await;
    assert!(to.starts_with("/accounts?connected="), "{to}");
    reach_cap(&t);
    assert_eq!(
        t.connect_as(&ada, "kitestudio", &WITHOUT_PROFILE).await,
        "/accounts?error=provider_unavailable"
    );
    t.idle().await;
    assert_eq!(
        (ada.accounts().await.len(), t.revocations()),
        (1, 1),
        "what was granted is given back"
    );
    assert_eq!(
        t.connect_as(&ada, "kitestudio", &WITHOUT_PROFILE).await,
        "/accounts?error=connected_otherwise"
    );
    let to = t.connect_as(&ada, "harborbakes", &WITHOUT_PROFILE).await;
    assert!(to.starts_with("/accounts?connected="), "{to}");
}

async fn an_account_is_not_connected_while_the_handle_of_one_in_another_way_is_not_returned(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let to = t.connect_as(&ada, "kitestudio", &WITHOUT_PROFILE).await;
    assert!(to.starts_with("/accounts?connected="), "{to}");
    rename(&t, "kitestudio", "kites");
    reach_cap(&t);
    assert_eq!(
        connect_business_as(&t, &ada, "kites").await,
        "/accounts?error=provider_unavailable"
    );
    t.idle().await;
    assert_eq!(
        connect_business_as(&t, &ada, "kites").await,
        "/accounts?error=connected_otherwise"
    );
    assert_eq!(ada.accounts().await.len(), 1);
}

/// Requests the handle of an account, and returns the codes of its problems.
async fn problems_of(t: &TestApp, platform: &str) -> Vec<Value> {
    let path = format!("/public/v1/platforms/{platform}/health?refresh=true");
    let health = t.api.get(&path).await.ok();
    let problems = health["problems"].as_array().unwrap().iter();
    problems.map(|problem| problem["code"].clone()).collect()
}

async fn one_post_to_two_connections_with_one_handle_goes_out_by_one_of_them(db: Db) {
    let t = TestApp::start(db).await;
    t.sim.add_account(Account::new("kiteshop"));
    let creator = t.connect("kitestudio").await;
    let business = t.connect_business("kiteshop").await;
    rename(&t, "kitestudio", "kites");
    rename(&t, "kiteshop", "kitestudio");
    assert_eq!(problems_of(&t, &business).await, ["connected_otherwise"]);
    assert_eq!(t.errors.warnings("have one handle").len(), 1);
    let mut body = post_body(&creator, &[t.api.upload_photo(720, 960).await]);
    body["platformIds"] = json!([creator, business]);
    let results = t.api.post("/public/v1/posts", &body).await.ok()["results"].take();
    assert_eq!(
        (&results[0]["status"], &results[1]["error"]["code"]),
        (&json!("created"), &json!("connected_otherwise"))
    );
    t.idle().await;
    assert!(
        problems_of(&t, &creator).await.is_empty(),
        "it has another handle now"
    );
    let checked = t.api.post("/public/v1/posts/validate", &body).await.ok();
    let results = checked["results"].as_array().unwrap();
    assert!(
        results.iter().all(|result| result["status"] == "valid"),
        "{checked:#}"
    );
}

async fn a_business_account_that_may_not_comment_is_not_connected(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let url = ada
        .api
        .post(
            CONNECT,
            &json!({ "provider": "tiktok", "connection": "business" }),
        )
        .await
        .ok()["authorizationUrl"]
        .as_str()
        .unwrap()
        .to_owned();
    let back = t
        .sim
        .approve(&url, "kitestudio", &["user.info.basic", "video.publish"])
        .unwrap();
    let to = t.come_back(Some(&ada.token), &back).await;
    assert_eq!(
        to,
        "/accounts?error=permissions_missing&missing=comment.list.manage"
    );
    let page = t.browser_of(&ada.token).open(&to).await.page(200);
    assert!(
        page.contains("comment under the account&#39;s own posts")
            || page.contains("comment under the account's own posts"),
        "{page}"
    );
    assert!(ada.accounts().await.is_empty());
}

async fn a_connection_that_is_unknown_or_not_set_up_is_refused(db: Db) {
    let t = TestApp::start_with(db, Options::default().set("tiktok_business_client_id", "")).await;
    let ada = t.sign_up("ada@example.org").await;
    for word in [json!("research"), json!(""), json!(7)] {
        ada.api
            .post(CONNECT, &json!({ "provider": "tiktok", "connection": word }))
            .await
            .invalid_at(&[json!(["connection"])]);
    }
    ada.api
        .post(
            CONNECT,
            &json!({ "provider": "tiktok", "connection": "business" }),
        )
        .await
        .refused(503, "provider_not_configured");
    let usual = ada
        .api
        .post(CONNECT, &json!({ "provider": "tiktok", "connection": null }))
        .await
        .ok();
    assert!(
        usual["authorizationUrl"]
            .as_str()
            .unwrap()
            .contains("sim_client_key")
    );
    let page = t.browser_of(&ada.token).open("/accounts/connect").await.page(200);
    assert!(!page.contains("as a business"), "{page}");
}
