//! Direct posts: the parameters, the order of checks, the steps from init to the number of the post.

use playout_tiktok::sim::SingleChunkError;
use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{World, photo_body, video_body};

const VIDEO: &str = "/v2/post/publish/video/init/";
const PHOTOS: &str = "/v2/post/publish/content/init/";

const POST_INFO: &str = "The request post info is empty or incorrect";
const SOURCE_INFO: &str = "The request source info is empty or incorrect";

#[tokio::test]
async fn a_video_goes_out_once_and_tells_its_number() {
    let world = World::start().await;
    let publish_id = world.publish("First flight 🪁 #kites").await;
    assert!(
        publish_id.starts_with("v_pub_file~") && publish_id.len() <= 64,
        "{publish_id}"
    );
    let posts = world.sim.publications();
    assert_eq!(posts.len(), 1);
    assert_eq!(
        (posts[0].publish_id.as_str(), posts[0].caption.as_str()),
        (publish_id.as_str(), "First flight 🪁 #kites")
    );
    let status = world.status(&publish_id).await;
    assert_eq!(status["status"], "PUBLISH_COMPLETE");
    assert_eq!(
        status["publicaly_available_post_id"][0].to_string(),
        posts[0].post_id
    );
}

#[tokio::test]
async fn post_ids_are_bare_numbers_beyond_what_a_double_holds() {
    let world = World::start().await;
    let publish_id = world.publish("numbers").await;
    let answer = world
        .post(
            "/v2/post/publish/status/fetch/",
            json!({ "publish_id": publish_id }),
        )
        .await;
    let post_id = &world.sim.publications()[0].post_id;
    assert_eq!(post_id.len(), 19);
    assert!(post_id.parse::<u64>().unwrap() > 1 << 53);
    assert!(
        answer
            .text
            .contains(&format!("\"publicaly_available_post_id\":[{post_id}]")),
        "{}",
        answer.text
    );
}

#[tokio::test]
async fn processing_and_moderation_take_their_time() {
    let world = World::start().await;
    world
        .sim
        .turn(|knobs| (knobs.processing_ms, knobs.moderation_ms) = (5_000, 60_000));
    let publish_id = world.publish("slow").await;
    let status = world.status(&publish_id).await;
    assert_eq!(status["status"], "PROCESSING_UPLOAD");
    assert_eq!(status["uploaded_bytes"], crate::harness::mp4(1_000).len());
    world.advance(5);
    assert_eq!(
        world.status(&publish_id).await,
        json!({ "status": "PUBLISH_COMPLETE" })
    );
    assert_eq!(world.sim.publications()[0].public_at, None);
    world.advance(60);
    assert!(world.status(&publish_id).await["publicaly_available_post_id"][0].is_u64());
}

#[tokio::test]
async fn only_public_posts_get_a_number() {
    let world = World::start().await;
    let mut body = video_body("mine alone", 100);
    body["post_info"]["privacy_level"] = "SELF_ONLY".into();
    let init = world.post(VIDEO, body).await.data();
    let mut bytes = crate::harness::mp4(1_000);
    bytes.truncate(100);
    world
        .put(init["upload_url"].as_str().unwrap(), 0..100, 100, bytes)
        .await;
    let status = world.status(init["publish_id"].as_str().unwrap()).await;
    assert_eq!(status, json!({ "status": "PUBLISH_COMPLETE" }));
    assert_eq!(world.sim.publications().len(), 1);
}

#[tokio::test]
async fn a_dead_or_missing_token_comes_before_everything_else() {
    let world = World::start().await;
    let answer = world
        .send_as("act.unknown", Method::POST, VIDEO, Some(json!({})))
        .await;
    assert_eq!(answer.outcome(), (401, "access_token_invalid".to_owned()));
    assert_eq!(answer.data(), json!({}));
    let log_id = answer.json()["error"]["log_id"].as_str().unwrap().to_owned();
    assert_eq!(answer.header("x-tt-logid"), log_id);
    assert!(log_id.starts_with("20261120090000"), "{log_id}");
    world.advance(86_400);
    assert_eq!(
        world.init_video("late", 100).await.outcome(),
        (401, "access_token_invalid".to_owned())
    );
}

#[tokio::test]
async fn each_endpoint_asks_for_its_scope() {
    let world = World::start().await;
    let token = world.sim.grant(&world.open_id, &["user.info.basic"]).access_token;
    let publish = world.sim.grant(&world.open_id, &["video.publish"]).access_token;
    for path in [
        "creator_info/query/",
        "video/init/",
        "inbox/video/init/",
        "content/init/",
        "status/fetch/",
        "cancel/",
    ] {
        let path = format!("/v2/post/publish/{path}");
        let answer = world.send_as(&token, Method::POST, &path, Some(json!({}))).await;
        assert_eq!(
            answer.outcome(),
            (401, "scope_not_authorized".to_owned()),
            "{path}"
        );
    }
    let draft = json!({ "post_mode": "MEDIA_UPLOAD" });
    let answer = world
        .send_as(
            &publish,
            Method::POST,
            "/v2/post/publish/content/init/",
            Some(draft),
        )
        .await;
    assert_eq!(answer.outcome(), (401, "scope_not_authorized".to_owned()));
    world.sim.turn(|knobs| knobs.direct_post = false);
    assert_eq!(
        world.init_video("no product", 100).await.outcome(),
        (401, "scope_not_authorized".to_owned())
    );
}

#[tokio::test]
async fn wrong_parameters_are_named() {
    let world = World::start().await;
    world.sim.turn(|knobs| knobs.rate_limits = false);
    let cases: [(&str, Value, &str); 8] = [
        ("/post_info", Value::Null, POST_INFO),
        ("/source_info", Value::Null, SOURCE_INFO),
        ("/post_info/title", "x".repeat(2_201).into(), POST_INFO),
        (
            "/post_info/title",
            json!(["a"]),
            "post_info.title must be a string",
        ),
        (
            "/post_info/is_aigc",
            json!("yes"),
            "post_info.is_aigc must be a boolean",
        ),
        ("/source_info/source", json!("DISK"), SOURCE_INFO),
        ("/source_info/video_size", json!(0), "The video size is invalid"),
        (
            "/source_info/video_size",
            json!(-5),
            "source_info.video_size must be an integer, 0 or more",
        ),
    ];
    for (pointer, value, message) in cases {
        let mut body = video_body("fine", 1_000);
        *body.pointer_mut(pointer).unwrap_or(&mut Value::Null) = value.clone();
        if pointer == "/post_info/is_aigc" {
            body["post_info"]["is_aigc"] = value;
        }
        let answer = world.post(VIDEO, body).await;
        assert_eq!(answer.outcome(), (400, "invalid_params".to_owned()), "{message}");
        assert_eq!(answer.json()["error"]["message"], message);
    }
    world
        .sim
        .turn(|knobs| knobs.param_code = playout_tiktok::sim::ParamCode::InvalidParam);
    assert_eq!(world.post(VIDEO, json!({})).await.code(), "invalid_param");
}

#[tokio::test]
async fn a_title_counts_in_utf16_units() {
    let world = World::start().await;
    assert_eq!(world.init_video(&"🪁".repeat(1_100), 100).await.code(), "ok");
    assert_eq!(
        world.init_video(&"🪁".repeat(1_101), 100).await.code(),
        "invalid_params"
    );
}

#[tokio::test]
async fn chunk_plans_follow_the_rules() {
    let world = World::start().await;
    world.sim.turn(|knobs| knobs.rate_limits = false);
    let cases = [
        (4_000_000u64, 4_000_000u64, 1u64, "ok"),
        (50_000_000, 50_000_000, 1, "ok"),
        (50_000_000, 10_000_000, 5, "ok"),
        (73_400_321, 10_000_000, 7, "ok"),
        (73_400_321, 10_000_000, 8, "The total chunk count is invalid"),
        (73_400_321, 73_400_321, 1, "The chunk size is invalid"),
        (73_400_321, 64_000_000, 1, "The chunk size is invalid"),
        (50_000_000, 4_000_000, 12, "The chunk size is invalid"),
        (4_000_000, 5_000_000, 1, "The chunk size is invalid"),
        (4_294_967_297, 10_000_000, 429, "The video size is invalid"),
    ];
    for (size, chunk, count, expected) in cases {
        let mut body = video_body("chunks", 1);
        body["source_info"] = json!({ "source": "FILE_UPLOAD", "video_size": size, "chunk_size": chunk, "total_chunk_count": count });
        let error = world.post(VIDEO, body).await.json()["error"].clone();
        let said = if error["code"] == "ok" {
            &error["code"]
        } else {
            &error["message"]
        };
        assert_eq!(said, expected, "{size} {chunk} {count}");
    }
}

#[tokio::test]
async fn one_chunk_that_is_not_the_file_is_refused_with_either_text() {
    let world = World::start().await;
    world.sim.turn(|knobs| knobs.rate_limits = false);
    for (error, message) in [
        (SingleChunkError::ChunkSize, "The chunk size is invalid"),
        (SingleChunkError::ChunkCount, "The total chunk count is invalid"),
    ] {
        world.sim.turn(|knobs| knobs.single_chunk_error = error);
        for (size, chunk) in [(73_400_321, 64_000_000), (4_000_000, 5_000_000), (100, 0)] {
            let mut body = video_body("chunks", size);
            body["source_info"]["chunk_size"] = chunk.into();
            let answer = world.post(VIDEO, body).await;
            assert_eq!(answer.outcome(), (400, "invalid_params".to_owned()));
            assert_eq!(answer.json()["error"]["message"], message, "{size} {chunk}");
        }
    }
}

#[tokio::test]
async fn privacy_that_is_none_of_the_four_words_is_a_wrong_parameter() {
    let world = World::start().await;
    world.sim.turn(|knobs| knobs.rate_limits = false);
    world
        .sim
        .change_account(&world.open_id, |account| account.banned = true);
    let photos = photo_body(&["https://media.example.com/a.jpg".to_owned()]);
    for (path, body) in [(VIDEO, video_body("who", 100)), (PHOTOS, photos)] {
        for privacy in [
            None,
            Some(Value::Null),
            Some(json!("")),
            Some(json!("EVERYBODY")),
            Some(json!("self_only")),
            Some(json!(7)),
        ] {
            let mut body = body.clone();
            let info = body["post_info"].as_object_mut().unwrap();
            match privacy.clone() {
                Some(privacy) => info.insert("privacy_level".to_owned(), privacy),
                None => info.remove("privacy_level"),
            };
            let answer = world.post(path, body).await;
            assert_eq!(
                answer.outcome(),
                (400, "invalid_params".to_owned()),
                "{path} {privacy:?}"
            );
            assert_eq!(answer.json()["error"]["message"], POST_INFO);
        }
    }
}

#[tokio::test]
async fn a_draft_needs_no_privacy() {
    let world = World::start().await;
    let mut body = photo_body(&["https://media.example.com/a.jpg".to_owned()]);
    body["post_mode"] = "MEDIA_UPLOAD".into();
    body["post_info"].as_object_mut().unwrap().remove("privacy_level");
    assert_eq!(world.post(PHOTOS, body).await.code(), "ok");
}

#[tokio::test]
async fn an_error_with_status_400_has_no_data_and_others_an_empty_one() {
    let world = World::start().await;
    let wrong = world.post(VIDEO, json!({})).await;
    assert_eq!((wrong.status, wrong.json().get("data")), (400, None));
    let path = "/v2/post/publish/status/fetch/";
    let unknown = world.post(path, json!({ "publish_id": "x" })).await;
    assert_eq!((unknown.status, unknown.json().get("data")), (400, None));
    assert_eq!(unknown.json()["error"]["log_id"], unknown.header("x-tt-logid"));
    let mut mismatch = video_body("who", 100);
    mismatch["post_info"]["privacy_level"] = "FOLLOWER_OF_CREATOR".into();
    let mismatch = world.post(VIDEO, mismatch).await;
    assert_eq!((mismatch.status, mismatch.data()), (403, json!({})));
}

#[tokio::test]
async fn privacy_must_be_one_of_the_accounts_options() {
    let world = World::start().await;
    let mut body = video_body("who", 100);
    body["post_info"]["privacy_level"] = "FOLLOWER_OF_CREATOR".into();
    assert_eq!(
        world.post(VIDEO, body).await.outcome(),
        (403, "privacy_level_option_mismatch".to_owned())
    );
    world
        .sim
        .change_account(&world.open_id, |account| account.private = true);
    assert_eq!(
        world.init_video("who", 100).await.outcome(),
        (403, "privacy_level_option_mismatch".to_owned())
    );
}

#[tokio::test]
async fn branded_content_cannot_be_private() {
    let world = World::start().await;
    let mut body = video_body("ad", 100);
    body["post_info"]["brand_content_toggle"] = true.into();
    body["post_info"]["privacy_level"] = "SELF_ONLY".into();
    let answer = world.post(VIDEO, body).await;
    assert_eq!(
        answer.json()["error"]["message"],
        "Branded content visibility cannot be set to private."
    );
}

#[tokio::test]
async fn an_unaudited_app_posts_only_privately_to_private_accounts() {
    let world = World::start().await;
    world.sim.turn(|knobs| knobs.audited = false);
    let refused = (
        403,
        "unaudited_client_can_only_post_to_private_accounts".to_owned(),
    );
    assert_eq!(world.init_video("public", 100).await.outcome(), refused);
    let mut body = video_body("mine", 100);
    body["post_info"]["privacy_level"] = "SELF_ONLY".into();
    assert_eq!(world.post(VIDEO, body.clone()).await.outcome(), refused);
    world
        .sim
        .change_account(&world.open_id, |account| account.private = true);
    assert_eq!(world.post(VIDEO, body).await.code(), "ok");
}

#[tokio::test]
async fn what_the_account_disallows_is_off_whatever_the_app_says() {
    let world = World::start().await;
    world
        .sim
        .change_account(&world.open_id, |account| account.comment_disabled = true);
    world.publish("quiet").await;
    let info = world.sim.publications()[0].info.clone();
    assert!(info.disable_comment && !info.disable_duet);
}

#[tokio::test]
async fn a_status_is_told_only_to_its_owner() {
    let world = World::start().await;
    let publish_id = world.publish("mine").await;
    let other = world.sim.account("harborbakes").unwrap().account.open_id;
    let token = world.sim.grant(&other, &["video.publish"]).access_token;
    let path = "/v2/post/publish/status/fetch/";
    let answer = world
        .send_as(
            &token,
            Method::POST,
            path,
            Some(json!({ "publish_id": publish_id })),
        )
        .await;
    assert_eq!(
        answer.outcome(),
        (400, "token_not_authorized_for_specified_publish_id".to_owned())
    );
    let unknown = world
        .post(path, json!({ "publish_id": "v_pub_file~v2-1.1" }))
        .await;
    assert_eq!(unknown.outcome(), (400, "invalid_publish_id".to_owned()));
    assert_eq!(
        world.post(path, json!({})).await.outcome(),
        (400, "invalid_params".to_owned())
    );
}

#[tokio::test]
async fn a_transfer_can_be_cancelled_and_nothing_later() {
    let world = World::start().await;
    let init = world.init_video("never mind", 100).await.data();
    let body = json!({ "publish_id": init["publish_id"] });
    let cancelled = world.post("/v2/post/publish/cancel/", body.clone()).await;
    assert_eq!(cancelled.code(), "ok");
    assert_eq!(cancelled.json().get("data"), None);
    let status = world.status(init["publish_id"].as_str().unwrap()).await;
    assert_eq!(
        status,
        json!({ "status": "FAILED", "fail_reason": "publish_cancelled" })
    );
    let again = world.post("/v2/post/publish/cancel/", body).await;
    assert_eq!(again.outcome(), (400, "publish_not_cancellable".to_owned()));
    let put = world
        .put(init["upload_url"].as_str().unwrap(), 0..100, 100, vec![0; 100])
        .await;
    assert_eq!(put.status, 416);
    assert!(world.sim.publications().is_empty());
}
