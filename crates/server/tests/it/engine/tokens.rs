//! An account's tokens: renewed in time and once, kept through temporary errors, and replaced by reconnecting when they
//! are no longer accepted.

use std::time::Duration;

use playout_domain::time::Time;
use playout_server::app::App;
use playout_server::serve::Role;
use playout_store::PlatformChanges;
use playout_tiktok::sim::{Endpoint, Fault, FaultAction, HoldPoint};
use serde_json::{Value, json};

use crate::harness::{Db, Options, TestApp, on_both, post_body};

on_both!(
    tokens_are_renewed_before_they_end_and_posts_find_them_fresh,
    twenty_posts_with_an_expired_token_renew_it_once,
    a_renewal_without_an_answer_keeps_the_account,
    access_that_still_works_is_used_while_the_provider_renews_nothing,
    the_options_of_an_account_are_heard_with_each_renewal,
    a_pair_whose_answer_came_after_the_lease_of_its_refresh_is_kept,
    a_workspace_is_told_once_a_day_for_each_cause_that_an_account_must_be_reconnected,
    a_dead_grant_stops_the_account_and_reconnecting_brings_back_only_what_waited_for_it,
    a_refresh_that_is_refused_like_stale_access_stops_the_account,
    a_removed_grant_is_noticed_before_the_next_post,
    an_old_notice_of_removal_does_not_stop_an_account_that_was_reconnected,
    an_error_behind_http_200_is_an_error_to_the_renewal_too,
    a_post_of_a_disabled_account_waits_for_a_person,
    a_post_of_a_removed_account_waits_for_a_person,
);

const HOUR: Duration = Duration::from_secs(3600);

async fn schedule(t: &TestApp, platform: &str, clip: &str, at: Time) -> String {
    let mut body = post_body(platform, &[clip.to_owned()]);
    (body["mode"], body["scheduledFor"]) = (json!("schedule"), json!(at));
    t.api.create_post(&body).await
}

fn waits_for_reconnection(root: &Value) {
    assert_eq!(root["state"], "ACTION_REQUIRED", "{root:#}");
    let text = root["errorText"].as_str().unwrap().to_lowercase();
    assert!(text.contains("reconnect"), "{text}");
}

pub(super) async fn disable(t: &TestApp, platform: &str, disabled: bool) {
    let changes = PlatformChanges {
        disabled: Some(disabled),
        settings: None,
    };
    t.change_account(platform, changes).await;
}

async fn tokens_are_renewed_before_they_end_and_posts_find_them_fresh(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let post = schedule(&t, &platform, &clip, t.now().plus(HOUR * 71)).await;
    let root = t.settled(&post).await;
    assert_eq!(root["state"], "PUBLISHED", "{root:#}");
    let renewals = t.calls(Endpoint::TokenRefresh);
    assert!(
        (3..=4).contains(&renewals.len()),
        "hours before each day's end: {}",
        renewals.len()
    );
    assert!(renewals.iter().all(|call| call.status == 200));
    assert!(
        t.calls(Endpoint::CreatorInfo)
            .iter()
            .all(|call| call.status == 200),
        "no token was ever refused"
    );
    let list = t.api.get("/public/v1/platforms").await.ok();
    let ends = Time::parse(list["platforms"][0]["tokenExpiresAt"].as_str().unwrap()).unwrap();
    assert!(ends > t.now().plus(HOUR / 2));
}

async fn twenty_posts_with_an_expired_token_renew_it_once(db: Db) {
    let t = TestApp::start_with(db, Options::default().set("tiktok_rate_limits", "off")).await;
    t.sim.turn(|knobs| knobs.rate_limits = false);
    t.sim
        .change_account(&t.open_id("kitestudio"), |account| account.post_cap = None);
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let due = t.now().plus(HOUR);
    let mut posts = Vec::new();
    for _ in 0..20 {
        posts.push(schedule(&t, &platform, &clip, due).await);
    }
    t.sim.expire_access_token(&t.open_id("kitestudio"));
    for post in &posts {
        assert_eq!(t.settled(post).await["state"], "PUBLISHED");
    }
    assert_eq!(
        (t.calls(Endpoint::TokenRefresh).len(), t.sim.publication_count()),
        (1, 20)
    );
}

async fn a_renewal_without_an_answer_keeps_the_account(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    t.sim
        .inject(Fault::new(Endpoint::TokenRefresh, FaultAction::Drop).times(5));
    t.advance(HOUR * 15).await;
    assert_eq!(
        t.calls(Endpoint::TokenRefresh).len(),
        0,
        "at most eight hours before the end"
    );
    t.advance(HOUR * 5).await;
    assert_eq!(t.calls(Endpoint::TokenRefresh).len(), 1, "at least four");
    assert!(t.is_ready(&platform).await);
    let clip = t.api.upload_clip().await;
    let post = schedule(&t, &platform, &clip, t.now().plus(HOUR)).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    assert!(
        t.calls(Endpoint::TokenRefresh).len() >= 6,
        "tried until it worked"
    );
}

async fn access_that_still_works_is_used_while_the_provider_renews_nothing(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    t.sim
        .inject(Fault::new(Endpoint::TokenRefresh, FaultAction::Drop).times(1000));
    let ends = t.now().plus(HOUR * 24);
    let post = schedule(&t, &platform, &clip, ends.minus(Duration::from_secs(90))).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    assert!(t.now() < ends, "with the access that was to end soon");
    let renewals = t.calls(Endpoint::TokenRefresh).len();
    assert!(
        (8..80).contains(&renewals),
        "tried again for hours, ever more rarely: {renewals}"
    );
    let late = schedule(&t, &platform, &clip, ends.plus(HOUR)).await;
    t.run_until(&late, |root| root["errorText"].is_string()).await;
    assert!(t.is_ready(&platform).await, "a fault is not a refusal");
    assert_eq!(
        (t.root(&late).await["state"].as_str(), t.sim.publication_count()),
        (Some("QUEUE"), 1)
    );
}

async fn the_options_of_an_account_are_heard_with_each_renewal(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    t.sim
        .change_account(&t.open_id("kitestudio"), |account| account.duet_disabled = true);
    t.pass_until(|t| !t.calls(Endpoint::TokenRefresh).is_empty())
        .await;
    let list = t.api.get("/public/v1/platforms").await.ok();
    assert_eq!(
        (
            &list["platforms"][0]["id"],
            &list["platforms"][0]["metadata"]["duetDisabled"]
        ),
        (&json!(platform), &json!(true))
    );
    assert_eq!(
        t.calls(Endpoint::CreatorInfo).len(),
        2,
        "when it was connected, and now"
    );
}

async fn a_pair_whose_answer_came_after_the_lease_of_its_refresh_is_kept(db: Db) {
    let options = Options {
        role: Some(Role::Api),
        ..Options::default()
    };
    let t = TestApp::start_with(db, options).await;
    let id = t.connect("kitestudio").await;
    let (other, _, service) = t.second_api().await;
    let platform = t
        .app
        .store
        .find_platform(t.workspace.id, id.parse().unwrap())
        .await
        .unwrap()
        .unwrap();
    let version = t.app.store.tokens(platform.id).await.unwrap().unwrap().version;
    t.sim.hold(Endpoint::TokenRefresh, HoldPoint::After);
    let refresh = async |app: &App| {
        let provider = app.provider_of(&platform).unwrap();
        app.refresh_tokens(provider, &platform, version).await
    };
    let after_the_lease = async {
        t.sim.held(Endpoint::TokenRefresh, 1).await;
        t.clock.advance(Duration::from_secs(61));
        let refused = refresh(&other);
        let release = async {
            t.sim.held(Endpoint::TokenRefresh, 2).await;
            t.sim.release(Endpoint::TokenRefresh);
        };
        tokio::join!(refused, release).0
    };
    let (stalled, refused) = tokio::join!(refresh(&t.app), after_the_lease);
    let statuses: Vec<u16> = t
        .calls(Endpoint::TokenRefresh)
        .iter()
        .map(|call| call.status)
        .collect();
    assert_eq!(statuses, [200, 400], "the first spent the token");
    let new = stalled.unwrap();
    assert!(new.version > version);
    // Whichever answer was first: the refusal of the spent token does not disconnect the account for good.
    assert!(refused.is_err() || refused.is_ok_and(|tokens| tokens == new));
    assert!(t.is_ready(&id).await);
    assert_eq!(t.app.store.tokens(platform.id).await.unwrap(), Some(new));
    service.stop().await;
}

async fn a_workspace_is_told_once_a_day_for_each_cause_that_an_account_must_be_reconnected(db: Db) {
    let t = TestApp::start(db).await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    let platform = t.connect("kitestudio").await;
    for told in [1, 1, 2] {
        t.sim.disconnect(&t.open_id("kitestudio"), 1);
        let post = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
        waits_for_reconnection(&t.settled(&post).await);
        let events = t.app.store.list_events(t.workspace.id, None, 100).await.unwrap();
        let notices: Vec<_> = events
            .iter()
            .filter(|event| event.kind == "platform.refresh_needed")
            .collect();
        assert_eq!(notices.len(), told, "{notices:#?}");
        assert_eq!(notices[0].payload["cause"], "invalid_grant");
        t.api.delete(&format!("/public/v1/posts/{post}")).await;
        t.connect("kitestudio").await;
        t.advance(HOUR * 7).await;
    }
}

async fn a_dead_grant_stops_the_account_and_reconnecting_brings_back_only_what_waited_for_it(db: Db) {
    let t = TestApp::start(db).await;
    let (platform, clip) = (t.connect("kitestudio").await, t.api.upload_clip().await);
    t.sim.inject(Fault::new(
        Endpoint::VideoInit,
        FaultAction::error(403, "spam_risk_user_banned_from_posting"),
    ));
    let refused = t.api.publish_now(&platform, std::slice::from_ref(&clip)).await;
    assert_eq!(t.settled(&refused).await["state"], "ERROR");
    t.sim.turn(|knobs| knobs.webhooks = false);
    t.sim.disconnect(&t.open_id("kitestudio"), 1);
    let waiting = schedule(&t, &platform, &clip, t.now().plus(HOUR)).await;
    let draft_body = json!({ "platformIds": [platform], "content": "later", "mode": "draft" });
    let draft = t.api.create_post(&draft_body).await;
    let later = schedule(&t, &platform, &clip, t.now().plus(HOUR * 10)).await;
    waits_for_reconnection(&t.settled(&waiting).await);
    assert!(!t.is_ready(&platform).await);
    t.advance(HOUR * 2).await;
    assert_eq!(t.sim.publication_count(), 0);
    assert_eq!(
        t.connect("kitestudio").await,
        platform,
        "the same account keeps its ID"
    );
    assert!(t.is_ready(&platform).await);
    let root = t.settled(&waiting).await;
    assert_eq!(
        (root["state"].as_str(), &root["errorText"]),
        (Some("PUBLISHED"), &Value::Null)
    );
    assert_eq!(t.root(&refused).await["state"], "ERROR");
    assert_eq!(t.root(&draft).await["state"], "DRAFT");
    assert_eq!(
        t.root(&later).await["state"],
        "QUEUE",
        "what is not due yet never left QUEUE"
    );
    assert_eq!(t.settled(&later).await["state"], "PUBLISHED");
    assert_eq!(t.sim.publication_count(), 2);
}

async fn a_refresh_that_is_refused_like_stale_access_stops_the_account(db: Db) {
    let t = TestApp::start(db).await;
    let (platform, clip) = (t.connect("kitestudio").await, t.api.upload_clip().await);
    t.sim.inject(Fault::new(
        Endpoint::TokenRefresh,
        FaultAction::error(401, "access_token_invalid"),
    ));
    t.sim.expire_access_token(&t.open_id("kitestudio"));
    let post = t.api.publish_now(&platform, &[clip]).await;
    waits_for_reconnection(&t.settled(&post).await);
    assert!(!t.is_ready(&platform).await);
    assert_eq!(t.calls(Endpoint::TokenRefresh).len(), 1);
    assert_eq!(t.connect("kitestudio").await, platform);
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    assert_eq!(t.sim.publication_count(), 1);
}

async fn a_removed_grant_is_noticed_before_the_next_post(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let post = schedule(&t, &platform, &clip, t.now().plus(HOUR)).await;
    t.sim.disconnect(&t.open_id("kitestudio"), 1);
    t.idle().await;
    assert!(!t.is_ready(&platform).await, "told by authorization.removed");
    waits_for_reconnection(&t.settled(&post).await);
    assert_eq!(t.handovers_of("kitestudio"), 0);
}

async fn an_old_notice_of_removal_does_not_stop_an_account_that_was_reconnected(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    t.sim.send_event(
        &t.open_id("kitestudio"),
        "authorization.removed",
        &json!({ "reason": 1 }),
    );
    t.idle().await;
    assert!(t.sim.webhooks()[0].delivered);
    assert!(t.is_ready(&platform).await, "its tokens still work");
}

async fn an_error_behind_http_200_is_an_error_to_the_renewal_too(db: Db) {
    let t = TestApp::start(db).await;
    t.sim
        .turn(|knobs| (knobs.oauth_error_http, knobs.webhooks) = (200, false));
    let platform = t.connect("kitestudio").await;
    t.sim.disconnect(&t.open_id("kitestudio"), 1);
    let post = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    let root = t.settled(&post).await;
    waits_for_reconnection(&root);
    assert!(
        root["errorText"].as_str().unwrap().contains("invalid_grant"),
        "{root:#}"
    );
    assert!(!t.is_ready(&platform).await);
}

async fn a_post_of_a_disabled_account_waits_for_a_person(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let post = schedule(&t, &platform, &clip, t.now().plus(HOUR)).await;
    disable(&t, &platform, true).await;
    let root = t.settled(&post).await;
    assert_eq!(root["state"], "ACTION_REQUIRED", "{root:#}");
    let text = root["errorText"].as_str().unwrap();
    assert!(
        text.contains("disabled") && text.contains("schedule the post again"),
        "{text}"
    );
    disable(&t, &platform, false).await;
    t.advance(HOUR * 24).await;
    assert_eq!(
        t.root(&post).await["state"],
        "ACTION_REQUIRED",
        "a person decides"
    );
    let at = t.now().plus(HOUR);
    t.api.schedule_post(&post, at).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    assert_eq!(t.sim.publication_count(), 1);
}

async fn a_post_of_a_removed_account_waits_for_a_person(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let post = schedule(&t, &platform, &clip, t.now().plus(HOUR)).await;
    t.remove_account(&platform).await;
    let root = t.settled(&post).await;
    assert_eq!(root["state"], "ACTION_REQUIRED", "{root:#}");
    assert!(
        root["errorText"].as_str().unwrap().contains("removed"),
        "{root:#}"
    );
    assert_eq!(t.handovers_of("kitestudio"), 0);
}

#[tokio::test]
async fn an_account_that_grants_only_the_inbox_takes_posts_there_alone() {
    let t = TestApp::start(Db::Sqlite).await;
    let platform = t
        .connect_granted("kitestudio", &["user.info.basic", "video.upload"])
        .await;
    let list = t.api.get("/public/v1/platforms").await.ok();
    assert_eq!(
        list["platforms"][0]["capabilities"],
        json!(["video", "photos", "inbox_draft"])
    );
    let clip = t.api.upload_clip().await;
    let direct = t
        .api
        .post(
            "/public/v1/posts",
            &post_body(&platform, std::slice::from_ref(&clip)),
        )
        .await
        .ok();
    assert_eq!(
        direct["results"][0]["error"]["code"], "invalid_settings",
        "{direct:#}"
    );
    let mut body = post_body(&platform, &[clip]);
    body["settings"] = json!({ "post_mode": "MEDIA_UPLOAD" });
    let post = t.api.create_post(&body).await;
    assert_eq!(t.settled(&post).await["state"], "ACTION_REQUIRED");
    assert_eq!(t.sim.inbox_deliveries().len(), 1);
}

#[tokio::test]
async fn an_app_without_direct_posting_asks_for_the_permission_that_is_missing() {
    let t = TestApp::start(Db::Sqlite).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    t.sim.turn(|knobs| knobs.direct_post = false);
    let post = t.api.publish_now(&platform, &[clip]).await;
    let root = t.settled(&post).await;
    waits_for_reconnection(&root);
    assert!(
        root["errorText"]
            .as_str()
            .unwrap()
            .contains("scope_not_authorized"),
        "{root:#}"
    );
}

#[tokio::test]
async fn a_refresh_token_that_was_used_up_elsewhere_asks_for_reconnection() {
    let t = TestApp::start(Db::Sqlite).await;
    let platform = t.connect("kitestudio").await;
    t.sim
        .inject(Fault::new(Endpoint::TokenRefresh, FaultAction::DropAfter));
    t.pass_until(|t| t.calls(Endpoint::TokenRefresh).len() == 2).await;
    assert!(
        !t.is_ready(&platform).await,
        "the answer with the new pair was lost, and the old one is spent"
    );
    assert_eq!(t.connect("kitestudio").await, platform);
    assert!(t.is_ready(&platform).await);
}

#[tokio::test]
async fn two_nodes_with_posts_of_one_account_renew_its_token_once() {
    let t = TestApp::start_with(Db::Postgres, Options::default().set("tiktok_rate_limits", "off")).await;
    let (other, service) = t.second_node().await;
    t.sim.turn(|knobs| knobs.rate_limits = false);
    t.sim
        .change_account(&t.open_id("kitestudio"), |account| account.post_cap = None);
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let due = t.now().plus(HOUR);
    let mut posts = Vec::new();
    for _ in 0..80 {
        posts.push(schedule(&t, &platform, &clip, due).await);
    }
    t.sim.expire_access_token(&t.open_id("kitestudio"));
    t.sim.hold(Endpoint::TokenRefresh, HoldPoint::Before);
    t.clock.set(due);
    t.sim.held(Endpoint::TokenRefresh, 1).await;
    let (mut here, mut there) = (t.app.heart.pulse(), other.heart.pulse());
    while t.app.heart.running() == 0 || other.heart.running() == 0 {
        tokio::select! {
            changed = here.changed() => changed.unwrap(),
            changed = there.changed() => changed.unwrap(),
        }
    }
    t.sim.release(Endpoint::TokenRefresh);
    service.stop().await;
    for post in &posts {
        assert_eq!(t.settled(post).await["state"], "PUBLISHED");
    }
    assert_eq!(
        (t.calls(Endpoint::TokenRefresh).len(), t.sim.publication_count()),
        (1, 80)
    );
}
