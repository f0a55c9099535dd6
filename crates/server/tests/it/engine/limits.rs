//! The provider's limits, as it counts them: windows that hold across nodes and restarts, and caps that posts wait for.

use std::time::Duration;

use playout_domain::time::{Clock, Time};
use playout_tiktok::sim::{Account, Endpoint, Fault, FaultAction};
use serde_json::{Value, json};

use crate::harness::{Db, Options, TestApp, on_both, post_body};

on_both!(
    a_minute_takes_six_hand_overs_and_the_rest_follow_in_turn,
    two_workspaces_with_the_same_account_share_its_window,
    a_process_that_starts_within_the_minute_goes_on_counting,
    a_cap_is_tried_by_one_post_while_the_others_wait_for_its_answer,
    a_cap_that_lasts_for_a_day_ends_all_who_wait_in_error,
    the_days_direct_posts_do_not_keep_a_post_from_the_inbox,
    an_account_that_is_not_among_the_days_users_does_not_keep_another_back,
    a_provider_that_asks_for_patience_is_heard_by_every_post_of_the_account,
);

const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(3600);

async fn schedule(t: &TestApp, platform: &str, clip: &str, at: Time) -> String {
    let mut body = post_body(platform, &[clip.to_owned()]);
    (body["mode"], body["scheduledFor"]) = (json!("schedule"), json!(at));
    t.api.create_post(&body).await
}

async fn many(t: &TestApp, platform: &str, count: usize, at: Time) -> Vec<String> {
    let clip = t.api.upload_clip().await;
    let mut posts = Vec::new();
    for _ in 0..count {
        posts.push(schedule(t, platform, &clip, at).await);
    }
    posts
}

/// Every hand-over was taken, and no stretch of a minute holds more than six.
fn within_the_window(t: &TestApp, count: usize) {
    let calls = t.calls(Endpoint::VideoInit);
    let statuses: Vec<u16> = calls.iter().map(|call| call.status).collect();
    assert_eq!(statuses, vec![200; count], "the provider never had to say it");
    for pair in calls.windows(7) {
        assert!(pair[6].at.since(pair[0].at) >= MINUTE, "seven within a minute");
    }
}

/// Posts to the account that the provider lets no more through, from now on.
fn use_up(t: &TestApp, cap: Option<u32>) {
    t.sim
        .change_account(&t.open_id("kitestudio"), |account: &mut Account| {
            account.post_cap = cap
        });
}

fn waits_for_the_cap(root: &Value) {
    assert_eq!(root["state"], "QUEUE", "{root:#}");
    let text = root["errorText"].as_str().unwrap_or_default();
    assert!(
        text.contains("spam_risk_too_many_posts") && text.contains("The next try is at 2026-"),
        "{text}"
    );
}

/// What keeps an account from posting, as `GET /usage` returns it.
async fn restrictions(t: &TestApp, platform: &str) -> Value {
    let usage = t.api.get("/public/v1/usage").await.ok();
    let account = usage["accounts"]
        .as_array()
        .unwrap()
        .iter()
        .find(|account| account["platformId"] == platform);
    account.unwrap()["restrictions"].clone()
}

async fn a_minute_takes_six_hand_overs_and_the_rest_follow_in_turn(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    use_up(&t, None);
    let due = t.now().plus(MINUTE);
    let posts = many(&t, &platform, 14, due).await;
    t.clock.set(due);
    t.idle().await;
    assert_eq!(t.calls(Endpoint::VideoInit).len(), 6);
    assert!(
        t.calls(Endpoint::CreatorInfo).len() <= 7,
        "who waits for room asks nothing"
    );
    for post in &posts {
        assert_eq!(t.settled(post).await["state"], "PUBLISHED");
    }
    within_the_window(&t, 14);
}

async fn two_workspaces_with_the_same_account_share_its_window(db: Db) {
    let t = TestApp::start(db).await;
    let (stranger, theirs) = t.stranger_with("kitestudio").await;
    let ours = t.connect("kitestudio").await;
    use_up(&t, None);
    let due = t.now().plus(MINUTE);
    many(&t, &ours, 7, due).await;
    let clip = stranger.upload_clip().await;
    let mut body = post_body(&theirs, &[clip]);
    (body["mode"], body["scheduledFor"]) = (json!("schedule"), json!(due));
    for _ in 0..7 {
        stranger.create_post(&body).await;
    }
    t.clock.set(due);
    t.idle().await;
    assert_eq!(t.calls(Endpoint::VideoInit).len(), 6, "of both together");
    t.pass_until(|t| t.sim.publication_count() == 14).await;
    within_the_window(&t, 14);
}

async fn a_process_that_starts_within_the_minute_goes_on_counting(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    use_up(&t, None);
    let due = t.now().plus(MINUTE);
    let posts = many(&t, &platform, 9, due).await;
    t.clock.set(due);
    t.idle().await;
    t.stop().await;
    t.clock.advance(MINUTE / 2);
    t.replace().await;
    t.idle().await;
    assert_eq!(t.calls(Endpoint::VideoInit).len(), 6, "the minute is not over");
    for post in &posts {
        assert_eq!(t.settled(post).await["state"], "PUBLISHED");
    }
    within_the_window(&t, 9);
}

async fn a_cap_is_tried_by_one_post_while_the_others_wait_for_its_answer(db: Db) {
    let mut t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    use_up(&t, Some(0));
    let first = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    waits_for_the_cap(&t.run_until(&first, |root| root["errorText"].is_string()).await);
    assert_eq!(
        t.calls(Endpoint::CreatorInfo).len(),
        2,
        "once to connect, once for the post"
    );
    let others = many(&t, &platform, 5, t.now().plus(MINUTE)).await;
    t.advance(MINUTE * 2).await;
    for post in &others {
        waits_for_the_cap(&t.root(post).await);
    }
    assert_eq!(t.calls(Endpoint::CreatorInfo).len(), 2, "known to all of them");
    t.stop().await;
    t.replace().await;
    let late = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    t.idle().await;
    waits_for_the_cap(&t.root(&late).await);
    assert_eq!(
        t.calls(Endpoint::CreatorInfo).len(),
        2,
        "known after a restart too"
    );
    t.pass_until(|t| t.calls(Endpoint::CreatorInfo).len() > 2).await;
    t.advance(MINUTE * 10).await;
    assert_eq!(
        t.calls(Endpoint::CreatorInfo).len(),
        3,
        "one tries, in the name of all"
    );
    use_up(&t, None);
    for post in others.iter().chain([&first, &late]) {
        assert_eq!(t.settled(post).await["state"], "PUBLISHED");
    }
    assert_eq!(restrictions(&t, &platform).await, json!([]));
    assert_eq!(t.sim.publication_count(), 7);
    within_the_window(&t, 7);
}

async fn a_cap_that_lasts_for_a_day_ends_all_who_wait_in_error(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    use_up(&t, Some(0));
    let posts = many(&t, &platform, 3, t.now().plus(MINUTE)).await;
    for post in &posts {
        let root = t.settled(post).await;
        assert_eq!(root["state"], "ERROR", "{root:#}");
        let text = root["errorText"].as_str().unwrap();
        assert!(
            text.contains("24 hours") && text.contains("spam_risk_too_many_posts"),
            "{text}"
        );
    }
    let asked = t.calls(Endpoint::CreatorInfo).len();
    assert!(asked <= 31, "about once an hour for all of them: {asked}");
    assert_eq!(t.handovers_of("kitestudio"), 0);
}

async fn the_days_direct_posts_do_not_keep_a_post_from_the_inbox(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    use_up(&t, Some(0));
    let clip = t.api.upload_clip().await;
    let direct = t.api.publish_now(&platform, std::slice::from_ref(&clip)).await;
    waits_for_the_cap(&t.run_until(&direct, |root| root["errorText"].is_string()).await);
    let mut body = post_body(&platform, &[clip]);
    body["settings"] = json!({ "post_mode": "MEDIA_UPLOAD" });
    let draft = t.api.create_post(&body).await;
    assert_eq!(t.settled(&draft).await["state"], "ACTION_REQUIRED");
    assert_eq!(t.sim.inbox_deliveries().len(), 1);
    waits_for_the_cap(&t.root(&direct).await);
    assert_eq!(restrictions(&t, &platform).await[0]["kind"], "direct_posts");
}

async fn an_account_that_is_not_among_the_days_users_does_not_keep_another_back(db: Db) {
    let t = TestApp::start(db).await;
    let (first, second) = (t.connect("kitestudio").await, t.connect("harborbakes").await);
    t.sim.turn(|knobs| knobs.active_user_cap = Some(1));
    let clip = t.api.upload_clip().await;
    let out = t.api.publish_now(&first, std::slice::from_ref(&clip)).await;
    assert_eq!(t.settled(&out).await["state"], "PUBLISHED");
    let waiting = t.api.publish_now(&second, std::slice::from_ref(&clip)).await;
    let root = t.run_until(&waiting, |root| root["errorText"].is_string()).await;
    assert!(
        root["errorText"].as_str().unwrap().contains("operator"),
        "{root:#}"
    );
    let again = t.api.publish_now(&first, &[clip]).await;
    assert_eq!(t.settled(&again).await["state"], "PUBLISHED");
    let said = restrictions(&t, &second).await;
    assert_eq!(
        (&said[0]["kind"], &said[0]["whoActs"]),
        (&json!("active_users"), &json!("operator"))
    );
    assert_eq!(restrictions(&t, &first).await, json!([]));
}

async fn a_provider_that_asks_for_patience_is_heard_by_every_post_of_the_account(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let fault = Fault::new(
        Endpoint::VideoInit,
        FaultAction::error(429, "rate_limit_exceeded"),
    );
    t.sim.inject(fault.on_account(&t.open_id("kitestudio")));
    let first = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    t.run_until(&first, |root| root["errorText"].is_string()).await;
    assert_eq!(restrictions(&t, &platform).await[0]["kind"], "requests");
    let second = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    t.idle().await;
    assert_eq!(
        (
            t.root(&second).await["state"].as_str(),
            t.handovers_of("kitestudio")
        ),
        (Some("QUEUE"), 1)
    );
    for post in [first, second] {
        assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    }
    assert_eq!(t.handovers_of("kitestudio"), 3);
    assert_eq!(restrictions(&t, &platform).await, json!([]));
}

#[tokio::test]
async fn two_nodes_keep_to_one_window_for_one_account() {
    let t = TestApp::start_with(Db::Postgres, Options::default().set("worker_concurrency", "8")).await;
    let (other, service) = t.second_node().await;
    let platform = t.connect("kitestudio").await;
    use_up(&t, None);
    let due = t.now().plus(MINUTE);
    let posts = many(&t, &platform, 20, due).await;
    t.clock.set(due);
    let (mut here, mut there) = (t.app.heart.pulse(), other.heart.pulse());
    while t.sim.publication_count() < posts.len() {
        t.sim.idle().await;
        let next = t.app.store.next_run_at().await.unwrap().unwrap();
        if t.app.heart.is_quiet() && other.heart.is_quiet() && next > t.clock.now() {
            t.clock.set(next);
        }
        tokio::select! {
            changed = here.changed() => changed.unwrap(),
            changed = there.changed() => changed.unwrap(),
        }
    }
    service.stop().await;
    within_the_window(&t, 20);
    let asked = t.calls(Endpoint::CreatorInfo);
    assert!(
        asked.iter().all(|call| call.status == 200),
        "nor did the questions meet their limit"
    );
    assert!(t.now().since(due) >= MINUTE * 3 && t.now().since(due) < HOUR);
    for post in &posts {
        assert_eq!(t.settled(post).await["state"], "PUBLISHED");
    }
}
