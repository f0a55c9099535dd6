//! People connect accounts: from the link to the stored tokens, bound to their session
//! (`docs/contract.md#connecting-accounts`).

use std::time::Duration;

use playout_domain::workspace::Role;
use playout_tiktok::sim::{Endpoint, HoldPoint};
use serde_json::json;
use url::Url;

use crate::harness::{Db, Options, Person, TestApp, eventually, on_both, post_body};

on_both!(
    an_admin_connects_an_account_and_is_led_to_it,
    the_way_back_works_once_and_for_fifteen_minutes,
    only_the_session_that_began_it_ends_it_and_any_other_spends_it,
    a_session_that_is_over_connects_nothing,
    who_is_no_longer_an_admin_connects_nothing,
    who_stops_being_an_admin_while_the_provider_is_asked_connects_nothing,
    of_two_ways_back_with_one_state_one_wins,
    a_browser_that_goes_away_on_the_way_leaves_nothing_half_done,
    a_code_that_the_provider_does_not_accept_is_no_outage,
    a_refused_consent_spends_the_state_and_keeps_the_providers_word,
    less_than_posting_needs_connects_nothing_and_is_given_back,
    an_account_that_is_connected_goes_on_as_it_was_when_less_is_granted_anew,
    a_reconnected_account_keeps_what_it_was_and_its_posts_go_on,
    workspaces_may_connect_one_account_each_for_itself,
    the_plan_limits_the_accounts_and_what_it_does_not_allow_is_given_back,
    an_unknown_provider_is_told_from_one_that_is_not_set_up,
);

pub(super) const CONNECT: &str = "/app/v1/platforms/connect";
pub(super) const CONNECTIONS: &str = "/app/v1/platforms/connections";
const MINUTE: Duration = Duration::from_secs(60);

/// What must hold when nothing was connected: no account, and no code was traded.
async fn nothing_was_connected(t: &TestApp, person: &Person) {
    assert_eq!(person.accounts().await, Vec::<serde_json::Value>::new());
    assert_eq!(t.calls(Endpoint::Token).len(), 0, "no code was traded");
}

async fn demote(t: &TestApp, owner: &Person, person: &Person) {
    let path = format!("/app/v1/organizations/{}/members/{}", owner.workspace, person.id);
    owner.api.patch(&path, &json!({ "role": "member" })).await.ok();
    t.idle().await;
}

async fn an_admin_connects_an_account_and_is_led_to_it(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let bob = t.colleague(&ada, Role::Admin, "bob@example.org").await;
    let to = t.connect_as(&bob, "kitestudio", &[]).await;
    let account = ada.accounts().await.remove(0);
    assert_eq!(
        to,
        format!("/accounts?connected={}", account["id"].as_str().unwrap())
    );
    assert_eq!(
        (
            &account["displayHandle"],
            &account["disabled"],
            &account["refreshNeeded"]
        ),
        (&json!("kitestudio"), &json!(false), &json!(false))
    );
    let noted = ada.trail().await.remove(0);
    assert_eq!(
        (&noted["action"], &noted["target"]),
        (&json!("platform.connected"), &account["id"])
    );
    assert_eq!(
        (&noted["actor"]["name"], &noted["detail"]["provider"]),
        (&json!("bob@example.org"), &json!("tiktok"))
    );
    assert_eq!(noted["detail"]["account"], account["displayName"]);
}

async fn the_way_back_works_once_and_for_fifteen_minutes(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let late = t.begin_connecting(&ada).await;
    t.clock.advance(15 * MINUTE);
    let late = t.sim.approve(&late, "kitestudio", &[]).unwrap();
    assert_eq!(
        t.come_back(Some(&ada.token), &late).await,
        "/accounts?error=invalid_request"
    );
    nothing_was_connected(&t, &ada).await;
    let url = t.begin_connecting(&ada).await;
    t.clock.advance(15 * MINUTE - Duration::from_secs(1));
    let back = t.sim.approve(&url, "kitestudio", &[]).unwrap();
    assert!(
        t.come_back(Some(&ada.token), &back)
            .await
            .starts_with("/accounts?connected=")
    );
    assert_eq!(
        t.come_back(Some(&ada.token), &back).await,
        "/accounts?error=invalid_request"
    );
    assert_eq!(t.calls(Endpoint::Token).len(), 1);
}

async fn only_the_session_that_began_it_ends_it_and_any_other_spends_it(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let bob = t.colleague(&ada, Role::Admin, "bob@example.org").await;
    let elsewhere = t.sign_in("ada@example.org").await.ok()["token"]
        .as_str()
        .unwrap()
        .to_owned();
    for other in [
        None,
        Some(bob.token.as_str()),
        Some(elsewhere.as_str()),
        Some("made up"),
    ] {
        let url = t.begin_connecting(&ada).await;
        let back = t.sim.approve(&url, "kitestudio", &[]).unwrap();
        assert_eq!(
            t.come_back(other, &back).await,
            "/accounts?error=invalid_session",
            "{other:?}"
        );
        assert_eq!(
            t.come_back(Some(&ada.token), &back).await,
            "/accounts?error=invalid_request",
            "it is spent"
        );
    }
    nothing_was_connected(&t, &ada).await;
}

async fn a_session_that_is_over_connects_nothing(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let bob = t.colleague(&ada, Role::Admin, "bob@example.org").await;
    let url = t.begin_connecting(&bob).await;
    let back = t.sim.approve(&url, "kitestudio", &[]).unwrap();
    assert_eq!(
        bob.api.post("/app/v1/auth/sign-out", &json!({})).await.status,
        204
    );
    assert_eq!(
        t.come_back(Some(&bob.token), &back).await,
        "/accounts?error=invalid_session"
    );
    nothing_was_connected(&t, &ada).await;
}

async fn who_is_no_longer_an_admin_connects_nothing(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let bob = t.colleague(&ada, Role::Admin, "bob@example.org").await;
    let url = t.begin_connecting(&bob).await;
    let back = t.sim.approve(&url, "kitestudio", &[]).unwrap();
    demote(&t, &ada, &bob).await;
    assert_eq!(
        t.come_back(Some(&bob.token), &back).await,
        "/accounts?error=forbidden"
    );
    nothing_was_connected(&t, &ada).await;
    bob.api
        .post(CONNECT, &json!({ "provider": "tiktok" }))
        .await
        .refused(403, "forbidden");
}

async fn who_stops_being_an_admin_while_the_provider_is_asked_connects_nothing(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let bob = t.colleague(&ada, Role::Admin, "bob@example.org").await;
    let url = t.begin_connecting(&bob).await;
    let back = t.sim.approve(&url, "kitestudio", &[]).unwrap();
    t.sim.hold(Endpoint::UserInfo, HoldPoint::After);
    let (to, ()) = tokio::join!(t.come_back(Some(&bob.token), &back), async {
        t.sim.held(Endpoint::UserInfo, 1).await;
        let path = format!("/app/v1/organizations/{}/members/{}", ada.workspace, bob.id);
        ada.api.patch(&path, &json!({ "role": "member" })).await.ok();
        t.sim.release(Endpoint::UserInfo);
    });
    assert_eq!(to, "/accounts?error=forbidden");
    t.idle().await;
    assert!(ada.accounts().await.is_empty());
    assert_eq!(t.revocations(), 1, "what was granted is given back");
}

async fn of_two_ways_back_with_one_state_one_wins(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let url = t.begin_connecting(&ada).await;
    let back = t.sim.approve(&url, "kitestudio", &[]).unwrap();
    let come_back = || t.come_back(Some(&ada.token), &back);
    let (first, second) = tokio::join!(come_back(), come_back());
    let mut both = [first, second];
    both.sort();
    assert!(
        both[0].starts_with("/accounts?connected=") && both[1] == "/accounts?error=invalid_request",
        "{both:?}"
    );
    assert_eq!(
        (t.calls(Endpoint::Token).len(), ada.accounts().await.len()),
        (1, 1)
    );
}

async fn a_browser_that_goes_away_on_the_way_leaves_nothing_half_done(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let url = t.begin_connecting(&ada).await;
    let back = t.sim.approve(&url, "kitestudio", &[]).unwrap();
    t.sim.hold(Endpoint::UserInfo, HoldPoint::After);
    tokio::select! {
        to = t.come_back(Some(&ada.token), &back) => panic!("it waited for nobody: {to}"),
        () = t.sim.held(Endpoint::UserInfo, 1) => {}
    }
    t.sim.release(Endpoint::UserInfo);
    eventually("what was granted belongs to an account", async || {
        !ada.accounts().await.is_empty()
    })
    .await;
}

async fn a_code_that_the_provider_does_not_accept_is_no_outage(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let approve = async || {
        let url = t.begin_connecting(&ada).await;
        t.sim.approve(&url, "kitestudio", &[]).unwrap()
    };
    let altered = approve().await.replace("code=", "code=x");
    assert_eq!(
        t.come_back(Some(&ada.token), &altered).await,
        "/accounts?error=connection_rejected"
    );
    // The code of one authorization with the verifier of another.
    let (one, other) = (
        Url::parse(&approve().await).unwrap(),
        Url::parse(&approve().await).unwrap(),
    );
    let pick = |url: &Url, name: &str| {
        url.query_pairs()
            .find(|(key, _)| key == name)
            .unwrap()
            .1
            .into_owned()
    };
    let mut crossed = one.clone();
    let pairs = [("code", pick(&other, "code")), ("state", pick(&one, "state"))];
    crossed.query_pairs_mut().clear().extend_pairs(&pairs);
    assert_eq!(
        t.come_back(Some(&ada.token), crossed.as_str()).await,
        "/accounts?error=connection_rejected"
    );
    assert!(ada.accounts().await.is_empty());
}

async fn a_refused_consent_spends_the_state_and_keeps_the_providers_word(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let url = t.begin_connecting(&ada).await;
    let denied = t.sim.deny(&url).unwrap();
    assert_eq!(
        t.come_back(Some(&ada.token), &denied).await,
        "/accounts?error=access_denied"
    );
    let back = t.sim.approve(&url, "kitestudio", &[]).unwrap();
    assert_eq!(
        t.come_back(Some(&ada.token), &back).await,
        "/accounts?error=invalid_request",
        "it is spent"
    );
    nothing_was_connected(&t, &ada).await;
}

async fn less_than_posting_needs_connects_nothing_and_is_given_back(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    for (granted, missing) in [
        (&["user.info.basic", "video.upload"][..], "video.publish"),
        (&["user.info.basic", "video.list"], "video.publish%2Cvideo.upload"),
        (
            &["video.publish", "video.upload", "user.info.profile"],
            "user.info.basic",
        ),
    ] {
        let to = t.connect_as(&ada, "kitestudio", granted).await;
        assert_eq!(
            to,
            format!("/accounts?error=permissions_missing&missing={missing}")
        );
        // A revocation ends all grants of the account, also one whose code is not exchanged yet.
        t.idle().await;
    }
    assert!(ada.accounts().await.is_empty());
    let revoked = t.calls(Endpoint::Revoke);
    assert!(
        !revoked.is_empty() && revoked.last().unwrap().status == 200,
        "{revoked:#?}"
    );
    assert_eq!(t.app.store.next_revocation_at().await.unwrap(), None);
    assert!(
        t.connect_as(&ada, "kitestudio", &[])
            .await
            .starts_with("/accounts?connected="),
        "all is well with all of it"
    );
}

async fn an_account_that_is_connected_goes_on_as_it_was_when_less_is_granted_anew(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let platform = t.connected_as(&ada, "kitestudio").await;
    let before = t.app.store.tokens(platform.parse().unwrap()).await.unwrap();
    let to = t.connect_as(&ada, "kitestudio", &["user.info.basic"]).await;
    assert!(to.starts_with("/accounts?error=permissions_missing"), "{to}");
    t.idle().await;
    assert_eq!(
        t.app.store.tokens(platform.parse().unwrap()).await.unwrap(),
        before
    );
    assert_eq!(t.revocations(), 0, "to the provider both grants are one");
    assert_eq!(ada.accounts().await[0]["refreshNeeded"], false);
}

async fn a_reconnected_account_keeps_what_it_was_and_its_posts_go_on(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let platform = t.connected_as(&ada, "kitestudio").await;
    let path = format!("/app/v1/platforms/{platform}");
    ada.api
        .patch(&path, &json!({ "settings": { "is_aigc": true } }))
        .await
        .ok();
    let key = t
        .app
        .create_key(ada.workspace.parse().unwrap(), "CI", None, None)
        .await
        .unwrap()
        .key;
    let program = t.nobody().with_key(Some(key));
    let media = program.upload_clip().await;
    t.sim.disconnect(&t.open_id("kitestudio"), 1);
    t.idle().await;
    assert_eq!(
        ada.accounts().await[0]["refreshNeeded"],
        true,
        "the provider told us"
    );
    assert_eq!(
        ada.api.get("/app/v1/platforms").await.ok()["platforms"],
        json!([])
    );
    let refused = program
        .post(
            "/public/v1/posts",
            &post_body(&platform, std::slice::from_ref(&media)),
        )
        .await
        .ok();
    assert_eq!(refused["results"][0]["error"]["code"], "platform_not_found");
    assert_eq!(
        t.connect_as(&ada, "kitestudio", &[]).await,
        format!("/accounts?requeued=0&connected={platform}")
    );
    let post = {
        let mut later = post_body(&platform, &[media]);
        (later["mode"], later["scheduledFor"]) = (json!("schedule"), json!("2026-11-20T13:00:00Z"));
        program.create_post(&later).await
    };
    t.sim.disconnect(&t.open_id("kitestudio"), 1);
    t.idle().await;
    t.advance(60 * MINUTE).await;
    let waiting = program.get(&format!("/public/v1/posts/{post}")).await.ok();
    assert_eq!(waiting["root"]["state"], "ACTION_REQUIRED", "{waiting:#}");
    assert_eq!(
        t.connect_as(&ada, "kitestudio", &[]).await,
        format!("/accounts?requeued=1&connected={platform}")
    );
    t.pass_until(|t| t.sim.publication_count() == 1).await;
    let account = ada.accounts().await.remove(0);
    assert_eq!(
        (&account["id"], &account["settings"]),
        (&json!(platform), &json!({ "is_aigc": true }))
    );
    let trail = ada.trail().await;
    assert_eq!(
        (&trail[0]["action"], &trail[0]["detail"]["requeued"]),
        (&json!("platform.reconnected"), &json!(1))
    );
}

async fn workspaces_may_connect_one_account_each_for_itself(db: Db) {
    let t = TestApp::start(db).await;
    let (ada, eve) = (
        t.sign_up("ada@example.org").await,
        t.sign_up("eve@example.org").await,
    );
    let (hers, theirs) = (
        t.connected_as(&ada, "kitestudio").await,
        t.connected_as(&eve, "kitestudio").await,
    );
    assert_ne!(hers, theirs);
    assert_eq!((ada.accounts().await.len(), eve.accounts().await.len()), (1, 1));
}

async fn the_plan_limits_the_accounts_and_what_it_does_not_allow_is_given_back(db: Db) {
    let plans = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(
        plans.path(),
        "[plans.unlimited]\n[plans.one]\nconnected_accounts = 1\n",
    )
    .unwrap();
    let options = Options::default()
        .set("plans_file", plans.path().to_str().unwrap())
        .set("default_plan", "one");
    let t = TestApp::start_with(db, options).await;
    let ada = t.sign_up("ada@example.org").await;
    let kite = t.connected_as(&ada, "kitestudio").await;
    assert_eq!(
        t.connect_as(&ada, "harborbakes", &[]).await,
        "/accounts?error=account_limit_reached"
    );
    t.idle().await;
    assert_eq!(t.revocations(), 1);
    assert_eq!(
        t.connect_as(&ada, "kitestudio", &[]).await,
        format!("/accounts?requeued=0&connected={kite}")
    );
    assert_eq!(
        ada.api.delete(&format!("/app/v1/platforms/{kite}")).await.status,
        204
    );
    t.idle().await;
    t.connected_as(&ada, "harborbakes").await;
}

async fn an_unknown_provider_is_told_from_one_that_is_not_set_up(db: Db) {
    let t = TestApp::start_with(
        db,
        Options::default()
            .set("tiktok_client_key", "")
            .set("tiktok_client_secret", "")
            .set("tiktok_business_client_id", ""),
    )
    .await;
    let ada = t.sign_up("ada@example.org").await;
    for body in [
        json!({}),
        json!({ "provider": "myspace" }),
        json!({ "provider": null }),
        json!({ "provider": 7 }),
    ] {
        ada.api
            .post(CONNECT, &body)
            .await
            .invalid_at(&[json!(["provider"])]);
    }
    ada.api
        .post(CONNECT, &json!({ "provider": "tiktok" }))
        .await
        .refused(503, "provider_not_configured");
    assert_eq!(ada.api.get(CONNECTIONS).await.ok(), json!({ "connections": [] }));
    let path = "/oauth/tiktok/callback?code=c&state=s";
    let to = t.browser_of(&ada.token).open(path).await.leads_to().to_owned();
    assert!(to.ends_with("/accounts?error=provider_not_configured"), "{to}");
}
