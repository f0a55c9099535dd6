//! Profiles and videos.

use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::World;

#[tokio::test]
async fn user_info_answers_the_fields_that_the_scopes_allow() {
    let world = World::start().await;
    let data = world
        .get("/v2/user/info/?fields=open_id,username,follower_count,video_count")
        .await
        .data();
    let expected = json!({ "open_id": world.open_id, "username": "kitestudio", "follower_count": 48_310, "video_count": 0 });
    assert_eq!(data["user"], expected);
    let basic = world.sim.grant(&world.open_id, &["user.info.basic"]).access_token;
    let missing = world
        .send_as(
            &basic,
            Method::GET,
            "/v2/user/info/?fields=open_id,username",
            None,
        )
        .await;
    assert_eq!(missing.outcome(), (401, "scope_not_authorized".to_owned()));
    assert_eq!(
        world.get("/v2/user/info/").await.outcome(),
        (400, "invalid_params".to_owned())
    );
    assert_eq!(
        world.get("/v2/user/info/?fields=email").await.outcome(),
        (400, "invalid_params".to_owned())
    );
}

#[tokio::test]
async fn videos_are_listed_newest_first_by_pages() {
    let world = World::start().await;
    for title in ["one", "two", "three"] {
        world.publish(title).await;
        world.advance(10);
    }
    let path = "/v2/video/list/?fields=id,title,create_time,share_url";
    let first = world.post(path, json!({ "max_count": 2 })).await.data();
    let titles = |data: &Value| -> Vec<String> {
        let videos = data["videos"].as_array().unwrap().iter();
        videos
            .map(|video| video["title"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(
        (titles(&first), &first["has_more"]),
        (vec!["three".to_owned(), "two".to_owned()], &json!(true))
    );
    let rest = world
        .post(path, json!({ "max_count": 2, "cursor": first["cursor"] }))
        .await
        .data();
    assert_eq!(
        (titles(&rest), &rest["has_more"]),
        (vec!["one".to_owned()], &json!(false))
    );
    let share = rest["videos"][0]["share_url"].as_str().unwrap();
    let post = &world.sim.publications()[0];
    assert!(
        share.starts_with(&format!(
            "{}/@kitestudio/video/{}?",
            world.sim.url(),
            post.post_id
        )),
        "{share}"
    );
    assert_eq!(
        world.post(path, json!({ "max_count": 21 })).await.code(),
        "invalid_params"
    );
}

#[tokio::test]
async fn videos_in_review_are_not_listed() {
    let world = World::start().await;
    world.sim.turn(|knobs| knobs.moderation_ms = 60_000);
    world.publish("in review").await;
    let path = "/v2/video/list/?fields=id";
    assert_eq!(world.post(path, json!({})).await.data()["videos"], json!([]));
    world.advance(60);
    assert_eq!(
        world.post(path, json!({})).await.data()["videos"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
}

#[tokio::test]
async fn a_query_answers_only_ones_own_videos_by_string_ids() {
    let world = World::start().await;
    world.publish("mine").await;
    let id = world.sim.publications()[0].post_id.clone();
    let path = "/v2/video/query/?fields=id,duration,comment_count";
    let filters = json!({ "filters": { "video_ids": [id, "7000000000000000001"] } });
    let videos = world.post(path, filters.clone()).await.data()["videos"].clone();
    assert_eq!(videos, json!([{ "id": id, "duration": 1, "comment_count": 0 }]));
    let other = world.sim.account("harborbakes").unwrap().account.open_id;
    let token = world.sim.grant(&other, &["video.list"]).access_token;
    let foreign = world.send_as(&token, Method::POST, path, Some(filters)).await;
    assert_eq!(foreign.data()["videos"], json!([]));
    let number = json!({ "filters": { "video_ids": [7_000_000_000_000_000_001u64] } });
    assert_eq!(world.post(path, number).await.code(), "invalid_params");
}
