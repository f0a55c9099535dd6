//! Bans, caps and rates.

use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::World;

const CREATOR: &str = "/v2/post/publish/creator_info/query/";

#[tokio::test]
async fn creator_info_tells_the_options() {
    let world = World::start().await;
    let data = world.post(CREATOR, json!({})).await.data();
    assert_eq!(data["creator_username"], "kitestudio");
    assert_eq!(data["creator_nickname"], "Kite Studio");
    assert_eq!(
        data["privacy_level_options"],
        json!(["PUBLIC_TO_EVERYONE", "MUTUAL_FOLLOW_FRIENDS", "SELF_ONLY"])
    );
    assert_eq!(data["max_video_post_duration_sec"], 600);
    assert_eq!(
        (&data["comment_disabled"], &data["duet_disabled"]),
        (&json!(false), &json!(false))
    );
    world.sim.change_account(&world.open_id, |account| {
        (account.private, account.comment_disabled, account.max_video_sec) = (true, true, 180);
    });
    let data = world.post(CREATOR, json!({})).await.data();
    assert_eq!(
        data["privacy_level_options"],
        json!(["FOLLOWER_OF_CREATOR", "MUTUAL_FOLLOW_FRIENDS", "SELF_ONLY"])
    );
    assert_eq!(
        (&data["comment_disabled"], &data["duet_disabled"]),
        (&json!(true), &json!(true))
    );
}

#[tokio::test]
async fn a_ban_is_403_at_the_init_and_200_in_creator_info() {
    let world = World::start().await;
    world
        .sim
        .change_account(&world.open_id, |account| account.banned = true);
    let code = "spam_risk_user_banned_from_posting".to_owned();
    assert_eq!(
        world.init_video("banned", 100).await.outcome(),
        (403, code.clone())
    );
    let info = world.post(CREATOR, json!({})).await;
    assert_eq!(info.outcome(), (200, code));
    assert_eq!(info.data(), json!({}));
}

#[tokio::test]
async fn the_cap_of_posts_rolls_over_24_hours() {
    let world = World::start().await;
    world
        .sim
        .change_account(&world.open_id, |account| account.post_cap = Some(2));
    let waiting = world.init_video("third", 4).await.data();
    world.publish("first").await;
    world.publish("second").await;
    let code = "spam_risk_too_many_posts".to_owned();
    assert_eq!(
        world.init_video("fourth", 100).await.outcome(),
        (403, code.clone())
    );
    assert_eq!(
        world.post(CREATOR, json!({})).await.outcome(),
        (200, code.clone())
    );
    let bytes = b"\x1A\x45\xDF\xA3".to_vec();
    world
        .put(waiting["upload_url"].as_str().unwrap(), 0..4, 4, bytes)
        .await;
    let status = world.status(waiting["publish_id"].as_str().unwrap()).await;
    assert_eq!(
        status["status"], "FAILED",
        "an init taken in before the cap fails at the end"
    );
    world.advance(86_401);
    let token = world.sim.grant(&world.open_id, &["video.publish"]).access_token;
    let info = world
        .send_as(&token, Method::POST, CREATOR, Some(json!({})))
        .await;
    assert_eq!(info.outcome(), (200, "ok".to_owned()));
}

#[tokio::test]
async fn an_unaudited_app_has_few_posting_users() {
    let world = World::start().await;
    world.sim.turn(|knobs| knobs.active_user_cap = Some(1));
    world.publish("first user").await;
    let other = world.sim.account("harborbakes").unwrap().account.open_id;
    let token = world.sim.grant(&other, &["video.publish"]).access_token;
    let body = crate::harness::video_body("second user", 100);
    let init = world
        .send_as(&token, Method::POST, "/v2/post/publish/video/init/", Some(body))
        .await;
    assert_eq!(init.outcome(), (403, "reached_active_user_cap".to_owned()));
    let info = world.send_as(&token, Method::POST, CREATOR, None).await;
    assert_eq!(info.outcome(), (200, "reached_active_user_cap".to_owned()));
    assert_eq!(world.init_video("first user again", 100).await.code(), "ok");
}

#[tokio::test]
async fn each_endpoint_has_its_own_minute_for_each_token() {
    let world = World::start().await;
    for (path, limit) in [
        (CREATOR, 20),
        ("/v2/post/publish/status/fetch/", 30),
        ("/v2/post/publish/video/init/", 6),
    ] {
        for _ in 0..limit {
            assert_ne!(world.post(path, json!({})).await.status, 429, "{path}");
        }
        let refused = world.post(path, json!({})).await;
        assert_eq!(
            refused.outcome(),
            (429, "rate_limit_exceeded".to_owned()),
            "{path}"
        );
    }
    let other = world.sim.grant(&world.open_id, &["video.publish"]).access_token;
    assert_eq!(
        world.send_as(&other, Method::POST, CREATOR, None).await.code(),
        "ok"
    );
}

#[tokio::test]
async fn the_minute_slides() {
    let world = World::start().await;
    for _ in 0..3 {
        world.init_video("early", 100).await;
    }
    world.advance(30);
    for _ in 0..3 {
        world.init_video("late", 100).await;
    }
    assert_eq!(world.init_video("seventh", 100).await.status, 429);
    world.advance(30);
    for _ in 0..3 {
        assert_eq!(world.init_video("again", 100).await.code(), "ok");
    }
    assert_eq!(world.init_video("too many again", 100).await.status, 429);
    world.sim.turn(|knobs| knobs.rate_limits = false);
    assert_eq!(world.init_video("no limit", 100).await.code(), "ok");
}

#[tokio::test]
async fn a_rate_comes_before_the_parameters_and_after_the_scope() {
    let world = World::start().await;
    for _ in 0..6 {
        world.post("/v2/post/publish/inbox/video/init/", json!({})).await;
    }
    assert_eq!(
        world
            .post("/v2/post/publish/inbox/video/init/", json!({}))
            .await
            .status,
        429
    );
    let basic = world.sim.grant(&world.open_id, &["user.info.basic"]).access_token;
    let path = "/v2/post/publish/inbox/video/init/";
    assert_eq!(
        world
            .send_as(&basic, Method::POST, path, None::<Value>)
            .await
            .status,
        401
    );
}

#[tokio::test]
async fn refusals_come_in_the_providers_order() {
    let world = World::start().await;
    world.sim.turn(|knobs| {
        (
            knobs.rate_limits,
            knobs.audited,
            knobs.active_user_cap,
            knobs.verify_urls,
        ) = (false, false, Some(0), true);
    });
    world.sim.change_account(&world.open_id, |account| {
        (account.banned, account.post_cap) = (true, Some(0))
    });
    let mut body = json!({
        "something_new": 1,
        "post_info": { "privacy_level": "FOLLOWER_OF_CREATOR" },
        "source_info": { "source": "PULL_FROM_URL", "video_url": "ftp://media.example.com/v.mp4" },
    });
    let outcome = async |body: &Value| {
        world
            .post("/v2/post/publish/video/init/", body.clone())
            .await
            .code()
    };
    assert_eq!(outcome(&body).await, "invalid_params");
    body["source_info"]["video_url"] = "https://media.example.com/v.mp4".into();
    assert_eq!(outcome(&body).await, "spam_risk_user_banned_from_posting");
    world
        .sim
        .change_account(&world.open_id, |account| account.banned = false);
    assert_eq!(outcome(&body).await, "spam_risk_too_many_posts");
    world
        .sim
        .change_account(&world.open_id, |account| account.post_cap = None);
    assert_eq!(outcome(&body).await, "reached_active_user_cap");
    world.sim.turn(|knobs| knobs.active_user_cap = Some(1));
    assert_eq!(outcome(&body).await, "privacy_level_option_mismatch");
    body["post_info"]["privacy_level"] = "PUBLIC_TO_EVERYONE".into();
    assert_eq!(
        outcome(&body).await,
        "unaudited_client_can_only_post_to_private_accounts"
    );
    world.sim.turn(|knobs| knobs.audited = true);
    assert_eq!(outcome(&body).await, "url_ownership_unverified");
    world
        .sim
        .turn(|knobs| (knobs.verify_urls, knobs.pull_delay_ms) = (false, 1_000));
    assert_eq!(outcome(&body).await, "ok");
}
