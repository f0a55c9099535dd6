//! Everything that can be made to go wrong.

use std::time::Duration;

use playout_tiktok::sim::{Endpoint, FailRule, Fault, FaultAction, HoldPoint};
use serde_json::json;

use crate::harness::{Host, World, jpeg, mp4, photo_body, video_body};

#[tokio::test]
async fn injected_errors_affect_the_requests_they_are_meant_for() {
    let world = World::start().await;
    world.sim.inject(
        Fault::new(Endpoint::VideoInit, FaultAction::rate_limited())
            .skip(1)
            .times(2),
    );
    assert_eq!(world.init_video("passes", 100).await.code(), "ok");
    for _ in 0..2 {
        assert_eq!(
            world.init_video("refused", 100).await.outcome(),
            (429, "rate_limit_exceeded".to_owned())
        );
    }
    assert_eq!(world.init_video("passes again", 100).await.code(), "ok");
    world
        .sim
        .inject(Fault::new(Endpoint::Status, FaultAction::internal_error()).on_account("someone else"));
    world.publish("spared").await;
    assert_eq!(world.sim.pending_faults().len(), 1);
}

#[tokio::test]
async fn a_gateway_answers_with_a_page() {
    let world = World::start().await;
    world
        .sim
        .inject(Fault::new(Endpoint::Status, FaultAction::Html { status: 502 }));
    let answer = world.post("/v2/post/publish/status/fetch/", json!({})).await;
    assert_eq!(
        (answer.status, answer.header("content-type").as_str()),
        (502, "text/html")
    );
    assert!(answer.text.starts_with("<html>"));
}

#[tokio::test]
async fn an_answer_can_be_lost_after_the_work_is_done() {
    let world = World::start().await;
    let bytes = mp4(1_000);
    let data = world.init_video("lost answer", bytes.len()).await.data();
    world
        .sim
        .inject(Fault::new(Endpoint::UploadLast, FaultAction::DropAfter));
    let request = world
        .http
        .put(data["upload_url"].as_str().unwrap())
        .header("content-type", "video/mp4");
    let range = format!("bytes 0-{}/{}", bytes.len() - 1, bytes.len());
    let lost = request.header("content-range", range).body(bytes).send().await;
    assert!(lost.is_err());
    assert_eq!(world.sim.publications().len(), 1);
    assert_eq!(world.sim.journal().last().unwrap().status, 0);
}

#[tokio::test]
async fn an_init_can_lose_its_answer_with_or_without_the_work() {
    let world = World::start().await;
    let url = format!("{}/v2/post/publish/video/init/", world.sim.url());
    let send = || {
        world
            .http
            .post(&url)
            .bearer_auth(&world.token)
            .json(&video_body("lost", 100))
            .send()
    };
    world.sim.turn(|knobs| knobs.active_user_cap = Some(1));
    world
        .sim
        .inject(Fault::new(Endpoint::VideoInit, FaultAction::Drop));
    assert!(send().await.is_err());
    let other = world.sim.account("harborbakes").unwrap().account.open_id;
    let token = world.sim.grant(&other, &["video.publish"]).access_token;
    let path = "/v2/post/publish/creator_info/query/";
    let info = world.send_as(&token, reqwest::Method::POST, path, None).await;
    assert_eq!(info.code(), "ok", "nothing was started");
    world
        .sim
        .inject(Fault::new(Endpoint::VideoInit, FaultAction::DropAfter));
    assert!(send().await.is_err());
    let info = world.send_as(&token, reqwest::Method::POST, path, None).await;
    assert_eq!(info.code(), "reached_active_user_cap", "a post was started");
}

#[tokio::test]
async fn a_lost_refresh_has_rotated_the_token() {
    let world = World::start().await;
    let pair = world.sim.grant(&world.open_id, &["video.publish"]);
    let form = [
        ("client_key", "sim_client_key"),
        ("client_secret", "sim_client_secret"),
        ("grant_type", "refresh_token"),
        ("refresh_token", pair.refresh_token.as_str()),
    ];
    world
        .sim
        .inject(Fault::new(Endpoint::TokenRefresh, FaultAction::DropAfter));
    let lost = world
        .http
        .post(format!("{}/v2/oauth/token/", world.sim.url()))
        .form(&form)
        .send()
        .await;
    assert!(lost.is_err());
    assert_eq!(
        world.form("/v2/oauth/token/", &form).await.json()["error"],
        "invalid_grant"
    );
}

#[tokio::test]
async fn work_can_be_done_and_denied() {
    let world = World::start().await;
    let bytes = mp4(1_000);
    let data = world.init_video("denied", bytes.len()).await.data();
    let action = FaultAction::AnswerAfter {
        status: 502,
        code: "bad_gateway".to_owned(),
        message: String::new(),
    };
    world.sim.inject(Fault::new(Endpoint::Upload, action));
    let put = world
        .put(
            data["upload_url"].as_str().unwrap(),
            0..bytes.len(),
            bytes.len(),
            bytes,
        )
        .await;
    assert_eq!(put.status, 502);
    assert_eq!(world.sim.publications().len(), 1);
}

#[tokio::test]
async fn oauth_faults_are_flat() {
    let world = World::start().await;
    world.sim.inject(Fault::new(
        Endpoint::Token,
        FaultAction::error(503, "temporarily_unavailable"),
    ));
    let refused = world
        .form("/v2/oauth/token/", &[("grant_type", "refresh_token")])
        .await;
    assert_eq!(
        (refused.status, refused.json()["error"].clone()),
        (503, json!("temporarily_unavailable"))
    );
}

#[tokio::test]
async fn a_held_request_waits_until_released() {
    let world = World::start().await;
    world.sim.hold(Endpoint::VideoInit, HoldPoint::After);
    let (url, token) = (
        format!("{}/v2/post/publish/video/init/", world.sim.url()),
        world.token.clone(),
    );
    let request = world
        .http
        .post(url)
        .bearer_auth(token)
        .json(&video_body("held", 100));
    let answer = tokio::spawn(async move { request.send().await.unwrap().status() });
    world.sim.held(Endpoint::VideoInit, 1).await;
    assert!(!answer.is_finished());
    world.sim.release(Endpoint::VideoInit);
    assert_eq!(answer.await.unwrap(), 200);
}

#[tokio::test]
async fn a_client_that_dies_while_held_before_the_work_has_started_nothing() {
    let world = World::start().await;
    world.sim.hold(Endpoint::VideoInit, HoldPoint::Before);
    let url = format!("{}/v2/post/publish/video/init/", world.sim.url());
    let request = world
        .http
        .post(url)
        .bearer_auth(&world.token)
        .json(&video_body("dies", 100));
    let client = tokio::spawn(request.send());
    world.sim.held(Endpoint::VideoInit, 1).await;
    client.abort();
    let _ = client.await;
    world.sim.held(Endpoint::VideoInit, 0).await;
    world.sim.release(Endpoint::VideoInit);
    assert_eq!(world.sim.journal().last().unwrap().status, 0);
    assert_eq!(world.sim.task_count(), 0);
}

#[tokio::test]
async fn posts_fail_by_rule_account_or_marker() {
    let world = World::start().await;
    world
        .sim
        .fail(FailRule::all("spam_risk").when_caption_contains("#spam"));
    world
        .sim
        .fail(FailRule::next("internal").on_account(&world.open_id));
    let internal = world.publish("first").await;
    assert_eq!(world.status(&internal).await["fail_reason"], "internal");
    let spam = world.publish("buy #spam").await;
    assert_eq!(world.status(&spam).await["fail_reason"], "spam_risk");
    let fine = world.publish("fine").await;
    assert_eq!(world.status(&fine).await["status"], "PUBLISH_COMPLETE");
    assert_eq!(world.sim.publications().len(), 1);
}

#[tokio::test]
async fn a_stuck_post_goes_on_when_the_knob_is_turned_back() {
    let world = World::start().await;
    world.sim.turn(|knobs| knobs.stuck = true);
    let publish_id = world.publish("stuck").await;
    world.advance(7_200);
    assert_eq!(world.status(&publish_id).await["status"], "PROCESSING_UPLOAD");
    world.sim.turn(|knobs| knobs.stuck = false);
    assert_eq!(world.status(&publish_id).await["status"], "PUBLISH_COMPLETE");
    assert_eq!(world.sim.publications().len(), 1);
}

#[tokio::test]
async fn a_public_post_may_never_tell_its_number() {
    let world = World::start().await;
    world.sim.turn(|knobs| knobs.omit_post_id = true);
    let publish_id = world.publish("shy").await;
    assert_eq!(
        world.status(&publish_id).await,
        json!({ "status": "PUBLISH_COMPLETE" })
    );
    assert!(world.sim.publications()[0].public_at.is_some());
}

#[tokio::test]
async fn a_revoked_grant_ends_transfers_and_tokens() {
    let world = World::start().await;
    let data = world.init_video("cut off", 100).await.data();
    world.sim.disconnect(&world.open_id, 1);
    assert_eq!(
        world.init_video("dead", 100).await.outcome(),
        (401, "access_token_invalid".to_owned())
    );
    let token = world.sim.grant(&world.open_id, &["video.publish"]).access_token;
    let body = Some(json!({ "publish_id": data["publish_id"] }));
    let path = "/v2/post/publish/status/fetch/";
    let status = world
        .send_as(&token, reqwest::Method::POST, path, body)
        .await
        .data();
    assert_eq!(
        status,
        json!({ "status": "FAILED", "fail_reason": "auth_removed" })
    );
}

#[tokio::test]
async fn the_providers_clock_can_run_ahead() {
    let world = World::start().await;
    world.sim.turn(|knobs| knobs.processing_ms = 60_000);
    let publish_id = world.publish("ahead").await;
    world.sim.advance(Duration::from_secs(60));
    assert_eq!(world.status(&publish_id).await["status"], "PUBLISH_COMPLETE");
}

#[tokio::test]
async fn each_thing_that_counts_can_be_done_without_an_answer() {
    let (world, host) = (World::start().await, Host::start().await);
    let photo = photo_body(&[host.file("/a.jpg", "image/jpeg", jpeg(1080, 1920))]);
    let source = video_body("", 100)["source_info"].clone();
    let cases = [
        (Endpoint::ContentInit, "/v2/post/publish/content/init/", photo),
        (
            Endpoint::InboxInit,
            "/v2/post/publish/inbox/video/init/",
            json!({ "source_info": source }),
        ),
    ];
    for (endpoint, path, body) in cases {
        world.sim.inject(Fault::new(endpoint, FaultAction::DropAfter));
        let url = format!("{}{path}", world.sim.url());
        assert!(
            world
                .http
                .post(url)
                .bearer_auth(&world.token)
                .json(&body)
                .send()
                .await
                .is_err(),
            "{path}"
        );
    }
    world.sim.idle().await;
    assert_eq!((world.sim.task_count(), world.sim.publication_count()), (2, 1));
}
