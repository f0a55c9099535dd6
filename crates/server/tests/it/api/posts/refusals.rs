//! New posts that an account does not take.

use serde_json::json;

use super::{POSTS, failed_with, request};
use crate::harness::{Db, TestApp, on_both};

on_both!(
    a_caption_that_is_too_long_is_invalid_content,
    media_that_the_provider_does_not_take_are_invalid_media,
    a_video_outside_the_providers_limits_is_named_with_every_problem,
    comments_fail_where_the_account_takes_none,
    the_details_of_a_failure_list_all_its_problems,
    accounts_that_cannot_be_posted_to_are_not_found,
);

async fn a_caption_that_is_too_long_is_invalid_content(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let photo = t.api.upload_photo(300, 400).await;
    for content in ["a".repeat(2201), "👩".repeat(1101), " \n\t ".to_owned()] {
        let body = request(&[&platform], &photo, json!({ "content": content }));
        assert_eq!(
            failed_with(&t, &body, "invalid_content").await,
            [json!(["content"])]
        );
    }
    for content in ["a".repeat(2200), "👩".repeat(1100)] {
        let answer = t
            .api
            .post(
                POSTS,
                &request(&[&platform], &photo, json!({ "content": content })),
            )
            .await;
        assert_eq!(answer.status, 201);
    }
}

async fn media_that_the_provider_does_not_take_are_invalid_media(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let (photo, clip) = (t.api.upload_photo(300, 400).await, t.api.upload_clip().await);
    let clip_again = t.api.upload_clip().await;
    for media in [json!([]), json!([photo, clip]), json!([clip, clip_again])] {
        let body = request(&[&platform], &photo, json!({ "mediaIds": media }));
        assert_eq!(
            failed_with(&t, &body, "invalid_media").await,
            [json!(["mediaIds"])],
            "{media}"
        );
    }
    let mut photos = vec![photo];
    for _ in 0..35 {
        photos.push(t.api.upload_photo(8, 8).await);
    }
    let body = request(&[&platform], "", json!({ "mediaIds": photos }));
    assert_eq!(
        failed_with(&t, &body, "invalid_media").await,
        [json!(["mediaIds"])],
        "36 photos"
    );
    assert_eq!(
        t.api
            .post(
                POSTS,
                &request(&[&platform], "", json!({ "mediaIds": photos[1..] }))
            )
            .await
            .status,
        201
    );
}

async fn a_video_outside_the_providers_limits_is_named_with_every_problem(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let small: &[u8] = include_bytes!("../../../../../media/tests/assets/mpeg4.mp4");
    let uploaded = t.api.upload_form("small.mp4", "video/mp4", small, &[]).await.ok();
    let body = request(&[&platform], uploaded["id"].as_str().unwrap(), json!({}));
    let place = json!(["mediaIds", 0]);
    assert_eq!(
        failed_with(&t, &body, "invalid_media").await,
        [place.clone(), place],
        "its size and its codec"
    );
}

async fn comments_fail_where_the_account_takes_none(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let photo = t.api.upload_photo(300, 400).await;
    let body = request(
        &[&platform],
        &photo,
        json!({ "comments": [{ "content": "First" }] }),
    );
    assert_eq!(
        failed_with(&t, &body, "comments_not_supported").await,
        [json!(["comments"])]
    );
}

async fn the_details_of_a_failure_list_all_its_problems(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let over = json!({ "content": "a".repeat(2201), "mediaIds": [], "settings": { "is_aigc": 1, "title": "x".repeat(91) }, "comments": [{ "content": "x" }] });
    let paths = failed_with(&t, &request(&[&platform], "", over), "invalid_content").await;
    let expected = [
        json!(["content"]),
        json!(["mediaIds"]),
        json!(["settings", "title"]),
        json!(["settings", "is_aigc"]),
        json!(["comments"]),
    ];
    assert_eq!(paths, expected);
}

async fn accounts_that_cannot_be_posted_to_are_not_found(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let photo = t.api.upload_photo(300, 400).await;
    let account = t.api.get("/public/v1/platforms").await.ok()["platforms"][0]["providerAccountId"]
        .as_str()
        .unwrap()
        .to_owned();
    t.sim.disconnect(&account, 1);
    t.idle().await;
    for mode in ["draft", "now", "schedule"] {
        failed_with(
            &t,
            &request(&[&platform], &photo, json!({ "mode": mode })),
            "platform_not_found",
        )
        .await;
    }
}
