//! Which notifications `POST /webhooks/tiktok` accepts as genuine.

use std::time::Duration;

use playout_tiktok::sim::{Endpoint, HoldPoint, SimConfig, Simulator};
use serde_json::{Value, json};

use crate::harness::{Db, Notice, TestApp, on_both};

on_both!(
    what_is_not_genuine_is_refused_and_changes_nothing,
    forged_notifications_are_logged_once_a_minute,
    clocks_may_differ_by_five_minutes_either_way_and_not_by_a_second_more,
    a_huge_notification_is_refused_unread,
    news_of_what_is_not_known_here_are_taken_and_change_nothing,
    a_lost_handover_does_not_take_the_handle_of_another_accounts_post,
);

const COMPLETE: &str = "post.publish.complete";

/// A post that the provider is processing and sends no notification of, and a genuine notification that it is out.
async fn untold(t: &TestApp) -> (String, Notice) {
    t.sim.turn(|knobs| (knobs.webhooks, knobs.stuck) = (false, true));
    let platform = t.connect("kitestudio").await;
    let post = t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    t.idle().await;
    let notice = t.notice("kitestudio", COMPLETE, &about(&t.handle_of(&post).await));
    (post, notice)
}

fn about(handle: &str) -> Value {
    json!({ "publish_id": handle, "publish_type": "DIRECT_PUBLISH" })
}

async fn state(t: &TestApp, post: &str) -> String {
    t.root(post).await["state"].as_str().unwrap().to_owned()
}

async fn what_is_not_genuine_is_refused_and_changes_nothing(db: Db) {
    let t = TestApp::start(db).await;
    let (post, notice) = untold(&t).await;
    let genuine = t.sim.sign(&notice.body, notice.signed_at);
    let (stamp, _) = genuine.split_once(',').unwrap();
    let foreign = notice
        .body
        .replace(&SimConfig::default().client_key, "awk_another_app");
    assert_ne!(foreign, notice.body);
    let forged = "0".repeat(64);
    for (what, body, signature) in [
        ("no signature", notice.body.clone(), String::new()),
        (
            "no time",
            notice.body.clone(),
            genuine.split_once(',').unwrap().1.to_owned(),
        ),
        ("no proof", notice.body.clone(), stamp.to_owned()),
        (
            "a made-up proof",
            notice.body.clone(),
            format!("{stamp},s={forged}"),
        ),
        (
            "another secret",
            notice.body.clone(),
            Simulator::sign_with("another secret", &notice.body, notice.signed_at),
        ),
        ("an altered body", format!("{} ", notice.body), genuine.clone()),
        ("another time", notice.body.clone(), genuine.replace("t=1", "t=2")),
        (
            "another app",
            foreign.clone(),
            t.sim.sign(&foreign, notice.signed_at),
        ),
    ] {
        assert_eq!(t.send_signed(&body, &signature).await, 401, "{what}");
        assert_eq!(state(&t, &post).await, "QUEUE", "{what}");
    }
    assert_eq!(t.send_signed(&notice.body, &genuine).await, 200);
    assert_eq!(state(&t, &post).await, "PUBLISHED");
}

async fn forged_notifications_are_logged_once_a_minute(db: Db) {
    let t = TestApp::start(db).await;
    let (_, notice) = untold(&t).await;
    let before = t.errors.warnings("").len();
    let new = || t.errors.warnings("").split_off(before);
    for _ in 0..20 {
        assert_eq!(t.send_signed(&notice.body, "t=1,s=0").await, 401);
    }
    assert_eq!(new().len(), 1, "{:?}", new());
    t.clock.advance(Duration::from_secs(60));
    assert_eq!(t.send_signed(&notice.body, "t=1,s=0").await, 401);
    let lines = new();
    assert!(lines.len() == 2 && lines[1].contains("rejected 20 "), "{lines:?}");
    assert!(
        lines.iter().all(|line| line.contains("did not sign")),
        "{lines:?}"
    );
}

async fn clocks_may_differ_by_five_minutes_either_way_and_not_by_a_second_more(db: Db) {
    let t = TestApp::start(db).await;
    let (post, notice) = untold(&t).await;
    let minutes = Duration::from_secs(300);
    let second = Duration::from_secs(1);
    let at = |signed_at| Notice {
        signed_at,
        ..notice.clone()
    };
    for refused in [t.now().minus(minutes + second), t.now().plus(minutes + second)] {
        assert_eq!(t.send(&at(refused)).await, 401, "{refused}");
        assert_eq!(state(&t, &post).await, "QUEUE");
    }
    for accepted in [t.now().minus(minutes), t.now().plus(minutes)] {
        assert_eq!(t.send(&at(accepted)).await, 200, "{accepted}");
    }
    assert_eq!(state(&t, &post).await, "PUBLISHED");
}

async fn a_huge_notification_is_refused_unread(db: Db) {
    let t = TestApp::start(db).await;
    let (post, notice) = untold(&t).await;
    let mut huge: Value = serde_json::from_str(&notice.body).unwrap();
    huge["padding"] = json!("x".repeat(2_000_000));
    let huge = Notice {
        body: huge.to_string(),
        ..notice
    };
    assert_eq!(t.send(&huge).await, 413);
    assert_eq!(state(&t, &post).await, "QUEUE");
}

async fn news_of_what_is_not_known_here_are_taken_and_change_nothing(db: Db) {
    let t = TestApp::start(db).await;
    let (post, _) = untold(&t).await;
    t.join("other").await;
    let handle = t.handle_of(&post).await;
    let mut nobody: Value =
        serde_json::from_str(&t.notice("kitestudio", COMPLETE, &about(&handle)).body).unwrap();
    nobody["user_openid"] = json!("-000Nobody");
    let nobody = Notice {
        body: nobody.to_string(),
        signed_at: t.now(),
    };
    for (what, notice) in [
        (
            "an unknown handle",
            t.notice("kitestudio", COMPLETE, &about("v_pub_file~v2-1.1")),
        ),
        (
            "a handle of another account's",
            t.notice("other", COMPLETE, &about(&handle)),
        ),
        ("an unknown account", nobody),
        ("no handle", t.notice("kitestudio", COMPLETE, &json!({}))),
        (
            "an unknown event",
            t.notice("kitestudio", "post.publish.of_tomorrow", &about(&handle)),
        ),
        ("a ping", t.notice("kitestudio", "tiktok.ping", &json!({}))),
    ] {
        assert_eq!(t.send(&notice).await, 200, "{what}");
        assert_eq!(state(&t, &post).await, "QUEUE", "{what}");
    }
    assert_eq!(t.events_of(&post).await, ["post.queued"]);
}

async fn a_lost_handover_does_not_take_the_handle_of_another_accounts_post(db: Db) {
    let t = TestApp::start(db).await;
    let (theirs, _) = untold(&t).await;
    let (handle, platform) = (t.handle_of(&theirs).await, t.join("other").await);
    t.sim.hold(Endpoint::ContentInit, HoldPoint::After);
    let photo = t.api.upload_photo(720, 960).await;
    let lost = t.api.publish_now(&platform, &[photo]).await;
    t.sim.held(Endpoint::ContentInit, 1).await;
    t.sim.idle().await;
    assert_eq!(
        t.sim.fetches().len(),
        1,
        "fetched, and its handle is not known yet"
    );
    assert_eq!(t.send(&t.notice("other", COMPLETE, &about(&handle))).await, 200);
    assert_eq!(state(&t, &lost).await, "QUEUE");
    t.sim.turn(|knobs| knobs.stuck = false);
    t.sim.release(Endpoint::ContentInit);
    assert_eq!(t.settled(&lost).await["state"], "PUBLISHED");
    assert_eq!(t.publications_of("other").len(), 1);
}
