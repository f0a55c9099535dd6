//! Events to the app.

use hmac::{Hmac, KeyInit, Mac};
use playout_domain::time::Clock;
use sha2::Sha256;

use crate::harness::{Host, Received, World};

async fn listening() -> (World, Host) {
    let (world, host) = (World::start().await, Host::start().await);
    let url = format!("{}/hook", host.url);
    world.sim.turn(|knobs| knobs.webhook_url = Some(url));
    (world, host)
}

fn is_signed(received: &Received) -> bool {
    let (t, s) = received
        .signature
        .strip_prefix("t=")
        .unwrap()
        .split_once(",s=")
        .unwrap();
    let mut mac = Hmac::<Sha256>::new_from_slice(b"sim_client_secret").unwrap();
    mac.update(format!("{t}.{}", received.body).as_bytes());
    s == hex::encode(mac.finalize().into_bytes())
}

#[tokio::test]
async fn a_post_is_told_in_order_signed_and_with_its_number_as_a_string() {
    let (world, host) = listening().await;
    let publish_id = world.publish("told").await;
    world.sim.idle().await;
    assert_eq!(
        host.events(),
        ["post.publish.complete", "post.publish.publicly_available"]
    );
    let received = host.received();
    assert!(received.iter().all(is_signed));
    let envelope = received[1].json();
    assert_eq!(envelope["client_key"], "sim_client_key");
    assert_eq!(envelope["user_openid"], world.open_id);
    assert_eq!(envelope["create_time"], world.sim.now().as_secs());
    let content = received[1].content();
    assert_eq!(content["publish_id"], publish_id);
    assert_eq!(content["publish_type"], "DIRECT_PUBLISH");
    assert_eq!(content["post_id"], world.sim.publications()[0].post_id);
}

#[tokio::test]
async fn a_failed_post_is_told_with_its_reason() {
    let (world, host) = listening().await;
    world
        .sim
        .fail(playout_tiktok::sim::FailRule::next("spam_risk_text"));
    world.publish("risky").await;
    world.sim.idle().await;
    assert_eq!(host.events(), ["post.publish.failed"]);
    assert_eq!(host.received()[0].content()["reason"], "spam_risk_text");
}

#[tokio::test]
async fn what_is_not_answered_with_200_comes_again() {
    let (world, host) = listening().await;
    host.answer_webhooks_with(&[500, 204]);
    world.sim.disconnect(&world.open_id, 1);
    world.sim.idle().await;
    assert_eq!(host.received().len(), 1);
    world.advance(1);
    world.sim.idle().await;
    assert_eq!(host.received().len(), 2);
    world.advance(4);
    world.sim.idle().await;
    let received = host.received();
    assert_eq!(received.len(), 3);
    assert!(
        received
            .iter()
            .all(|hook| is_signed(hook) && hook.body == received[0].body)
    );
    assert_eq!(received[0].content()["reason"], 1);
    world.advance(86_400);
    world.sim.idle().await;
    assert_eq!(host.received().len(), 3);
    let delivery = world.sim.webhooks().remove(0);
    assert_eq!(
        (delivery.attempts, delivery.last_status, delivery.delivered),
        (3, 200, true)
    );
}

#[tokio::test]
async fn events_can_be_doubled_delayed_swapped_and_switched_off() {
    let (world, host) = listening().await;
    world.sim.turn(|knobs| knobs.webhook_copies = 2);
    world.sim.disconnect(&world.open_id, 0);
    world.sim.idle().await;
    assert_eq!(host.events().len(), 2);
    let pair = world.sim.grant(&world.open_id, &["video.publish"]);
    let world = World {
        token: pair.access_token,
        ..world
    };
    world
        .sim
        .turn(|knobs| (knobs.webhook_copies, knobs.webhook_delay_ms) = (1, 30_000));
    world.publish("later").await;
    world.sim.idle().await;
    assert_eq!(host.events().len(), 2);
    world.advance(30);
    world.sim.idle().await;
    assert_eq!(host.events().len(), 4);
    world
        .sim
        .turn(|knobs| (knobs.webhook_reorder, knobs.webhook_delay_ms) = (true, 0));
    world.publish("swapped").await;
    world.sim.idle().await;
    assert_eq!(
        host.events()[4..],
        ["post.publish.publicly_available", "post.publish.complete"]
    );
    world.sim.turn(|knobs| knobs.webhooks = false);
    world.publish("silence").await;
    world.sim.idle().await;
    assert_eq!(host.events().len(), 6);
}

#[tokio::test]
async fn an_event_with_no_other_to_swap_with_comes_alone() {
    let (world, host) = listening().await;
    world.sim.turn(|knobs| knobs.webhook_reorder = true);
    world.sim.disconnect(&world.open_id, 1);
    world.sim.idle().await;
    assert!(host.events().is_empty());
    world.advance(5);
    world.sim.idle().await;
    assert_eq!(host.events(), ["authorization.removed"]);
}

#[tokio::test]
async fn drafts_are_told_as_inbox_shares() {
    let (world, host) = listening().await;
    let url = host.file("/a.jpg", "image/jpeg", crate::harness::jpeg(1080, 1920));
    let mut body = crate::harness::photo_body(&[url]);
    body["post_mode"] = "MEDIA_UPLOAD".into();
    let init = world.post("/v2/post/publish/content/init/", body).await.data();
    world.sim.idle().await;
    world
        .sim
        .finish_draft(init["publish_id"].as_str().unwrap(), None, "PUBLIC_TO_EVERYONE");
    world.sim.idle().await;
    let expected = [
        "post.publish.inbox_delivered",
        "post.publish.complete",
        "post.publish.publicly_available",
    ];
    assert_eq!(host.events(), expected);
    assert!(
        host.received()
            .iter()
            .all(|hook| hook.content()["publish_type"] == "INBOX_SHARE")
    );
}

#[tokio::test]
async fn an_event_that_did_not_happen_can_be_told() {
    let (world, host) = listening().await;
    world.sim.send_event("", "tiktok.ping", &serde_json::json!({}));
    let body = serde_json::json!({ "event": "portability.download.ready", "openId": "x", "content": { "request_id": 1 } });
    assert_eq!(world.post("/sim/webhooks", body).await.status, 200);
    world.sim.idle().await;
    let mut events = host.events();
    events.sort();
    assert_eq!(events, ["portability.download.ready", "tiktok.ping"]);
    assert!(host.received().iter().all(is_signed));
}

/// What another program's check of five minutes measures: how far the time of each signature is from ours.
fn skews(world: &World, host: &Host) -> Vec<i64> {
    let now = world.clock.now().as_secs();
    let time = |received: &Received| -> i64 {
        let (t, _) = received.signature[2..].split_once(',').unwrap();
        t.parse().unwrap()
    };
    host.received().iter().map(|hook| time(hook) - now).collect()
}

#[tokio::test]
async fn a_moved_clock_is_in_the_signatures_until_the_simulator_is_reset() {
    let (world, host) = listening().await;
    let hook = world.sim.knobs().webhook_url;
    world
        .post("/sim/clock/advance", serde_json::json!({ "ms": 600_000 }))
        .await;
    assert_eq!(world.get("/sim/clock").await.json()["aheadMs"], 600_000);
    assert!(world.get("/").await.text.contains("600 seconds ahead"));
    world.sim.send_event("", "tiktok.ping", &serde_json::json!({}));
    world.sim.idle().await;
    assert_eq!(skews(&world, &host), [600]);
    world.post("/sim/reset", serde_json::json!({})).await;
    let clock = world.get("/sim/clock").await.json();
    assert_eq!(
        (&clock["now"], &clock["aheadMs"]),
        (
            &serde_json::json!("2026-11-20T09:00:00.000Z"),
            &serde_json::json!(0)
        )
    );
    assert!(!world.get("/").await.text.contains("ahead"));
    world.sim.turn(|knobs| knobs.webhook_url = hook);
    world.sim.send_event("", "tiktok.ping", &serde_json::json!({}));
    world.sim.idle().await;
    assert_eq!(skews(&world, &host), [600, 0]);
    let tokens = world.sim.grant(&world.open_id, &["video.publish"]);
    let world = World {
        token: tokens.access_token,
        ..world
    };
    world.sim.turn(|knobs| knobs.processing_ms = 60_000);
    let publish_id = world.publish("later").await;
    assert_eq!(world.status(&publish_id).await["status"], "PROCESSING_UPLOAD");
    world.advance(60);
    assert_eq!(world.status(&publish_id).await["status"], "PUBLISH_COMPLETE");
}
