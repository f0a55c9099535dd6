//! The health of an account: what keeps it from posting, why, and who must act (`docs/contract.md#platforms`).

use std::time::Duration;

use playout_domain::time::Time;
use playout_store::PlatformChanges;
use playout_tiktok::sim::{Account, Endpoint, Fault, FaultAction};
use serde_json::{Value, json};

use crate::harness::{Db, TestApp, on_both, post_body};

on_both!(
    an_account_with_nothing_wrong_is_ok_and_shows_its_access_and_limits,
    accounts_that_the_list_leaves_out_say_why,
    a_cap_closes_one_way_and_two_caps_close_the_account,
    asking_brings_news_and_is_not_done_more_than_once_a_minute,
    a_provider_that_does_not_answer_is_told_and_harms_nothing,
    a_permission_that_is_missing_says_what_it_costs,
    access_that_cannot_be_renewed_shows_before_it_ends,
    an_account_that_is_reconnected_while_it_is_capped_keeps_its_options,
    a_new_account_that_is_capped_says_that_its_options_are_not_known_yet,
);

const HOUR: Duration = Duration::from_secs(3600);

async fn health(t: &TestApp, platform: &str) -> Value {
    t.api
        .get(&format!("/public/v1/platforms/{platform}/health"))
        .await
        .ok()
}

async fn asked(t: &TestApp, platform: &str) -> Value {
    t.api
        .get(&format!("/public/v1/platforms/{platform}/health?refresh=true"))
        .await
        .ok()
}

/// The codes of an account's problems, each with its effect and with who must act.
fn problems(health: &Value) -> Vec<(&str, &str, &str)> {
    let text =
        |value: &'_ Value| -> &'static str { Box::leak(value.as_str().unwrap().to_owned().into_boxed_str()) };
    let problems = health["problems"].as_array().unwrap().iter();
    problems
        .map(|problem| {
            (
                text(&problem["code"]),
                text(&problem["effect"]),
                text(&problem["whoActs"]),
            )
        })
        .collect()
}

async fn an_account_with_nothing_wrong_is_ok_and_shows_its_access_and_limits(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let post = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    t.idle().await;
    let health = health(&t, &platform).await;
    assert_eq!(
        (&health["verdict"], &health["problems"], &health["refresh"]),
        (&json!("ok"), &json!([]), &Value::Null)
    );
    assert_eq!(
        (&health["platformId"], &health["checkedAt"]),
        (&json!(platform), &json!(t.now()))
    );
    let token = &health["token"];
    assert_eq!(
        (&token["state"], &token["failedRenewals"]),
        (&json!("valid"), &json!(0))
    );
    let at = |name: &str| Time::parse(token[name].as_str().unwrap()).unwrap();
    assert_eq!(at("expiresAt").since(at("renewedAt")), HOUR * 24);
    assert!(
        at("expiresAt").since(at("nextRenewalAt")) >= HOUR * 4,
        "hours ahead"
    );
    assert_eq!(at("refreshExpiresAt").since(at("renewedAt")), HOUR * 24 * 365);
    let scopes = health["scopes"].as_array().unwrap();
    assert_eq!(scopes.len(), 5);
    assert!(scopes.iter().all(|scope| scope["granted"] == true));
    assert!(health["metadata"]["privacyLevelOptions"].is_array());
    for (limit, used, most) in [("handOvers", 1, 6), ("directPosts", 1, 15), ("inboxShares", 0, 5)] {
        let shown = &health["limits"][limit];
        assert_eq!(
            (&shown["used"], &shown["limit"]),
            (&json!(used), &json!(most)),
            "{limit}"
        );
    }
    t.settled(&post).await;
}

async fn accounts_that_the_list_leaves_out_say_why(db: Db) {
    let t = TestApp::start(db).await;
    let (disabled, dead) = (t.connect("kitestudio").await, t.connect("harborbakes").await);
    t.change_account(
        &disabled,
        PlatformChanges {
            disabled: Some(true),
            settings: None,
        },
    )
    .await;
    t.sim.disconnect(&t.open_id("harborbakes"), 1);
    t.idle().await;
    assert_eq!(
        t.api.get("/public/v1/platforms").await.ok()["platforms"],
        json!([])
    );
    let off = health(&t, &disabled).await;
    assert_eq!(
        (off["verdict"].as_str(), problems(&off)),
        (Some("blocked"), vec![("account_disabled", "blocked", "user")])
    );
    let gone = asked(&t, &dead).await;
    assert_eq!(
        (gone["verdict"].as_str(), problems(&gone)),
        (Some("blocked"), vec![("reconnect_needed", "blocked", "user")])
    );
    assert_eq!(
        (&gone["token"]["state"], &gone["token"]["nextRenewalAt"]),
        (&json!("reconnect"), &Value::Null)
    );
    assert_eq!(
        gone["refresh"]["code"], "reconnect_needed",
        "there is nothing to ask with"
    );
}

async fn a_cap_closes_one_way_and_two_caps_close_the_account(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let open_id = t.open_id("kitestudio");
    t.sim.change_account(&open_id, |account: &mut Account| {
        (account.post_cap, account.pending_shares) = (Some(0), 5)
    });
    let clip = t.api.upload_clip().await;
    t.api.publish_now(&platform, std::slice::from_ref(&clip)).await;
    t.idle().await;
    let capped = health(&t, &platform).await;
    assert_eq!(
        (capped["verdict"].as_str(), problems(&capped)),
        (
            Some("degraded"),
            vec![("spam_risk_too_many_posts", "blocked", "nobody")]
        )
    );
    let said = &capped["restrictions"][0];
    assert_eq!(
        (&said["kind"], &said["since"]),
        (&json!("direct_posts"), &json!(t.now()))
    );
    assert_eq!(said["nextTryAt"], json!(t.now().plus(HOUR)));
    let mut body = post_body(&platform, &[clip]);
    body["settings"] = json!({ "post_mode": "MEDIA_UPLOAD" });
    t.api.create_post(&body).await;
    t.idle().await;
    let full = health(&t, &platform).await;
    assert_eq!(full["verdict"], "blocked", "{full:#}");
    assert!(problems(&full).contains(&("spam_risk_too_many_pending_share", "blocked", "user")));
}

async fn asking_brings_news_and_is_not_done_more_than_once_a_minute(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let open_id = t.open_id("kitestudio");
    t.sim
        .change_account(&open_id, |account: &mut Account| account.comment_disabled = true);
    assert_eq!(
        health(&t, &platform).await["metadata"]["commentDisabled"],
        false,
        "only what is known"
    );
    let heard = asked(&t, &platform).await;
    assert_eq!(
        (
            &heard["refresh"]["answered"],
            &heard["metadata"]["commentDisabled"]
        ),
        (&json!(true), &json!(true))
    );
    for _ in 0..30 {
        assert_eq!(asked(&t, &platform).await["refresh"]["code"], "asked_recently");
    }
    assert_eq!(
        t.calls(Endpoint::CreatorInfo).len(),
        2,
        "to connect, and once since"
    );
    t.advance(Duration::from_secs(61)).await;
    t.sim
        .change_account(&open_id, |account: &mut Account| account.banned = true);
    let banned = asked(&t, &platform).await;
    assert_eq!(banned["refresh"]["code"], "spam_risk_user_banned_from_posting");
    assert_eq!(
        (banned["verdict"].as_str(), problems(&banned)),
        (
            Some("blocked"),
            vec![("spam_risk_user_banned_from_posting", "blocked", "user")]
        )
    );
    t.advance(Duration::from_secs(61)).await;
    t.sim
        .change_account(&open_id, |account: &mut Account| account.banned = false);
    assert_eq!(asked(&t, &platform).await["verdict"], "ok");
}

async fn a_provider_that_does_not_answer_is_told_and_harms_nothing(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    t.sim.inject(Fault::new(Endpoint::CreatorInfo, FaultAction::Drop));
    let health = asked(&t, &platform).await;
    assert_eq!(
        (&health["verdict"], &health["refresh"]["answered"]),
        (&json!("ok"), &json!(false))
    );
    assert!(
        health["refresh"]["message"].as_str().unwrap().len() > 20,
        "{health:#}"
    );
}

async fn a_permission_that_is_missing_says_what_it_costs(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t
        .connect_granting(
            "kitestudio",
            &["user.info.basic", "video.publish", "video.upload"],
        )
        .await;
    let less = health(&t, &platform).await;
    assert_eq!(less["verdict"], "degraded");
    assert_eq!(
        problems(&less),
        [("scope_missing", "degraded", "user"); 2],
        "the handle, and looking at posts"
    );
    let missing: Vec<&Value> = less["scopes"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|scope| scope["granted"] == false)
        .collect();
    assert_eq!(
        (&missing[0]["scope"], &missing[1]["scope"]),
        (&json!("user.info.profile"), &json!("video.list"))
    );
    assert!(
        missing[1]["without"]
            .as_str()
            .unwrap()
            .contains("whether a post came out")
    );
}

async fn access_that_cannot_be_renewed_shows_before_it_ends(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    t.sim
        .inject(Fault::new(Endpoint::TokenRefresh, FaultAction::Drop).times(1000));
    t.pass_until(|t| t.calls(Endpoint::TokenRefresh).len() == 3).await;
    let failing = health(&t, &platform).await;
    assert_eq!(
        (failing["verdict"].as_str(), problems(&failing)),
        (Some("degraded"), vec![("renewal_failing", "degraded", "nobody")])
    );
    assert_eq!(
        (&failing["token"]["state"], &failing["token"]["failedRenewals"]),
        (&json!("failing"), &json!(3))
    );
    t.advance(HOUR * 9).await;
    let over = health(&t, &platform).await;
    assert_eq!(
        (over["verdict"].as_str(), problems(&over)),
        (Some("blocked"), vec![("access_expired", "blocked", "nobody")])
    );
}

/// Lets the provider answer the next query of an account's options with its daily cap.
fn cap_the_options(t: &TestApp) {
    let capped = FaultAction::error(200, "spam_risk_too_many_posts");
    t.sim.inject(Fault::new(Endpoint::CreatorInfo, capped));
}

async fn an_account_that_is_reconnected_while_it_is_capped_keeps_its_options(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let before = health(&t, &platform).await["metadata"].clone();
    assert_ne!(before["privacyLevelOptions"], json!([]));
    cap_the_options(&t);
    assert_eq!(t.connect("kitestudio").await, platform);
    assert_eq!(t.sim.pending_faults(), [], "it was capped");
    let after = health(&t, &platform).await["metadata"].clone();
    for key in [
        "privacyLevelOptions",
        "commentDisabled",
        "duetDisabled",
        "stitchDisabled",
        "maxVideoPostDurationSec",
        "username",
        "scopes",
    ] {
        assert_eq!(after[key], before[key], "{key}");
    }
    let post = t.api.publish_now(&platform, &[clip]).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
}

async fn a_new_account_that_is_capped_says_that_its_options_are_not_known_yet(db: Db) {
    let t = TestApp::start(db).await;
    cap_the_options(&t);
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let known = health(&t, &platform).await["metadata"].clone();
    assert_eq!(known["privacyLevelOptions"], json!([]));
    let body = post_body(&platform, &[clip]);
    let mut by_default = body.clone();
    by_default["settings"] = json!({});
    t.change_account(
        &platform,
        PlatformChanges {
            disabled: None,
            settings: Some(body["settings"].as_object().unwrap().clone()),
        },
    )
    .await;
    for body in [&body, &by_default] {
        let refused = t.api.post("/public/v1/posts", body).await;
        assert_ne!(refused.status, 201);
        let refused = refused.json().to_string();
        assert!(
            refused.contains("options of this account are not known yet")
                && refused.contains("health?refresh=true"),
            "{refused}"
        );
    }
    assert_eq!(asked(&t, &platform).await["refresh"]["answered"], true);
    let post = t.api.create_post(&body).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
}
