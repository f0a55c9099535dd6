//! PULL_FROM_URL: photos and videos that the provider fetches.

use playout_tiktok::sim::SimConfig;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::harness::{Host, World, jpeg, mp4, photo_body};

const PHOTOS: &str = "/v2/post/publish/content/init/";

/// Posts these photos and returns the status in the end.
async fn post_photos(world: &World, urls: &[String]) -> Value {
    let init = world.post(PHOTOS, photo_body(urls)).await;
    assert_eq!(init.code(), "ok", "{}", init.text);
    world.sim.idle().await;
    world.status(init.data()["publish_id"].as_str().unwrap()).await
}

fn pull_body(url: &str) -> Value {
    json!({
        "post_info": { "title": "pulled", "privacy_level": "PUBLIC_TO_EVERYONE" },
        "source_info": { "source": "PULL_FROM_URL", "video_url": url },
    })
}

#[tokio::test]
async fn each_photo_is_fetched_once_in_order() {
    let (world, host) = (World::start().await, Host::start().await);
    let pictures: Vec<Vec<u8>> = (0..3).map(|i| [jpeg(1080, 1920), vec![i]].concat()).collect();
    let urls: Vec<String> = pictures
        .iter()
        .enumerate()
        .map(|(i, bytes)| host.file(&format!("/{i}.jpg"), "image/jpeg", bytes.clone()))
        .collect();
    let status = post_photos(&world, &urls).await;
    assert_eq!(status["status"], "PUBLISH_COMPLETE");
    let post = world.sim.publications().remove(0);
    assert!(post.publish_id.starts_with("p_pub_url~"));
    assert_eq!(post.caption, "Kite day\nTwelve knots #kites");
    let hashes: Vec<String> = pictures
        .iter()
        .map(|bytes| hex::encode(Sha256::digest(bytes)))
        .collect();
    assert_eq!(
        post.media
            .iter()
            .map(|medium| medium.sha256.clone())
            .collect::<Vec<_>>(),
        hashes
    );
    assert!(urls.iter().all(|url| world.sim.fetches()[url] == 1));
}

#[tokio::test]
async fn a_video_is_fetched_and_published() {
    let (world, host) = (World::start().await, Host::start().await);
    let url = host.file("/v.mp4", "video/mp4", mp4(2_000));
    let init = world
        .post("/v2/post/publish/video/init/", pull_body(&url))
        .await
        .data();
    assert!(init["publish_id"].as_str().unwrap().starts_with("v_pub_url~"));
    assert_eq!(init.get("upload_url"), None);
    world.sim.idle().await;
    assert_eq!(
        world.status(init["publish_id"].as_str().unwrap()).await["status"],
        "PUBLISH_COMPLETE"
    );
    assert_eq!(
        world.sim.publications()[0].media[0].url.as_deref(),
        Some(url.as_str())
    );
}

#[tokio::test]
async fn pictures_that_are_unfit_fail_the_whole_post() {
    let (world, host) = (World::start().await, Host::start().await);
    let good = host.file("/good.jpg", "image/jpeg", jpeg(1080, 1920));
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    let cases = [
        (
            host.file("/a.png", "image/png", png.clone()),
            "file_format_check_failed",
        ),
        (host.file("/b.jpg", "image/jpeg", png), "file_format_check_failed"),
        (
            host.file("/c.jpg", "text/plain", jpeg(1080, 1080)),
            "file_format_check_failed",
        ),
        (
            host.file("/d.jpg", "image/jpeg", jpeg(1086, 1448)),
            "picture_size_check_failed",
        ),
        (
            host.file("/e.jpg", "image/jpeg", jpeg(1254, 1254)),
            "picture_size_check_failed",
        ),
    ];
    for (bad, reason) in cases {
        let status = post_photos(&world, &[good.clone(), bad.clone()]).await;
        assert_eq!(
            status,
            json!({ "status": "FAILED", "fail_reason": reason }),
            "{bad}"
        );
    }
    let wide = host.file("/f.jpg", "image/jpeg; charset=binary", jpeg(1920, 1080));
    assert_eq!(post_photos(&world, &[wide]).await["status"], "PUBLISH_COMPLETE");
}

#[tokio::test]
async fn what_cannot_be_fetched_fails_and_redirects_are_not_followed() {
    let (world, host) = (World::start().await, Host::start().await);
    host.file("/elsewhere", "image/jpeg", jpeg(1080, 1920));
    let moved = host.answer("/moved.jpg", 302, "image/jpeg", Vec::new());
    for url in [
        moved,
        format!("{}/gone.jpg", host.url),
        "http://127.0.0.1:1/refused.jpg".to_owned(),
    ] {
        let status = post_photos(&world, std::slice::from_ref(&url)).await;
        assert_eq!(
            status,
            json!({ "status": "FAILED", "fail_reason": "photo_pull_failed" }),
            "{url}"
        );
    }
    let video = pull_body(&format!("{}/gone.mp4", host.url));
    let init = world.post("/v2/post/publish/video/init/", video).await.data();
    world.sim.idle().await;
    let status = world.status(init["publish_id"].as_str().unwrap()).await;
    assert_eq!(status["fail_reason"], "video_pull_failed");
}

#[tokio::test]
async fn downloads_wait_for_the_knob_and_can_be_cancelled_until_then() {
    let (world, host) = (World::start().await, Host::start().await);
    world.sim.turn(|knobs| knobs.pull_delay_ms = 10_000);
    let url = host.file("/a.jpg", "image/jpeg", jpeg(1080, 1920));
    let init = world
        .post(PHOTOS, photo_body(std::slice::from_ref(&url)))
        .await
        .data();
    let second = world
        .post(PHOTOS, photo_body(std::slice::from_ref(&url)))
        .await
        .data();
    assert_eq!(
        world.status(init["publish_id"].as_str().unwrap()).await,
        json!({ "status": "PROCESSING_DOWNLOAD" })
    );
    world
        .post(
            "/v2/post/publish/cancel/",
            json!({ "publish_id": second["publish_id"] }),
        )
        .await;
    world.advance(10);
    world.sim.idle().await;
    assert_eq!(
        world.status(init["publish_id"].as_str().unwrap()).await["status"],
        "PUBLISH_COMPLETE"
    );
    assert_eq!(world.sim.fetches()[&url], 1);
    assert_eq!(
        world.status(second["publish_id"].as_str().unwrap()).await["fail_reason"],
        "publish_cancelled"
    );
}

#[tokio::test]
async fn a_download_has_an_hour() {
    let (world, host) = (World::start().await, Host::start().await);
    world.sim.turn(|knobs| knobs.pull_delay_ms = 4_000_000);
    let url = host.file("/a.jpg", "image/jpeg", jpeg(1080, 1920));
    let init = world.post(PHOTOS, photo_body(&[url])).await.data();
    world.advance(3_600);
    assert_eq!(
        world.status(init["publish_id"].as_str().unwrap()).await["fail_reason"],
        "photo_pull_failed"
    );
}

#[tokio::test]
async fn photo_parameters_are_checked() {
    const MODES: &str = "Invalid media_type or post_mode";
    const POST_INFO: &str = "The request post info is empty or incorrect";
    const SOURCE_INFO: &str = "The request source info is empty or incorrect";
    let world = World::start().await;
    world.sim.turn(|knobs| knobs.rate_limits = false);
    let url = "https://media.example.com/a.jpg";
    let many: Vec<&str> = vec![url; 36];
    let cases: [(&str, Value, &str); 12] = [
        ("/media_type", json!("VIDEO"), MODES),
        ("/media_type", Value::Null, MODES),
        ("/post_mode", json!("DIRECT POST"), MODES),
        ("/post_mode", Value::Null, MODES),
        ("/post_info", Value::Null, POST_INFO),
        ("/post_info/title", "x".repeat(91).into(), POST_INFO),
        ("/post_info/description", "x".repeat(4_001).into(), POST_INFO),
        ("/source_info/source", json!("FILE_UPLOAD"), SOURCE_INFO),
        (
            "/source_info/photo_images",
            json!([]),
            "source_info.photo_images must hold 1 to 35 URLs",
        ),
        (
            "/source_info/photo_images",
            json!(many),
            "source_info.photo_images must hold 1 to 35 URLs",
        ),
        (
            "/source_info/photo_images",
            json!(["http://media.example.com/a.jpg"]),
            "source_info.photo_images must be https URLs",
        ),
        (
            "/source_info/photo_cover_index",
            json!(1),
            "source_info.photo_cover_index is out of range",
        ),
    ];
    for (pointer, value, message) in cases {
        let mut body = photo_body(&[url.to_owned()]);
        *body.pointer_mut(pointer).unwrap() = value;
        let answer = world.post(PHOTOS, body).await;
        assert_eq!(answer.outcome(), (400, "invalid_params".to_owned()), "{message}");
        assert_eq!(answer.json()["error"]["message"], message);
    }
}

#[tokio::test]
async fn urls_must_lie_under_what_the_app_owns() {
    let verified_prefixes = vec![
        "https://cdn.example.com/media/".to_owned(),
        "example.org".to_owned(),
    ];
    let world = World::with(SimConfig {
        verified_prefixes,
        ..SimConfig::default()
    })
    .await;
    world
        .sim
        .turn(|knobs| (knobs.rate_limits, knobs.pull_delay_ms) = (false, 1));
    let cases = [
        ("https://cdn.example.com/media/a.jpg?x=1", "ok"),
        ("https://cdn.example.com/other/a.jpg", "url_ownership_unverified"),
        ("https://example.org/a.jpg", "ok"),
        ("https://static.example.org/a.jpg", "ok"),
        ("https://badexample.org/a.jpg", "url_ownership_unverified"),
    ];
    for (url, code) in cases {
        assert_eq!(
            world.post(PHOTOS, photo_body(&[url.to_owned()])).await.code(),
            code,
            "{url}"
        );
    }
    world.sim.turn(|knobs| knobs.verify_urls = false);
    assert_eq!(
        world
            .post(PHOTOS, photo_body(&["https://anyone.example/a.jpg".to_owned()]))
            .await
            .code(),
        "ok"
    );
}

#[tokio::test]
async fn a_picture_over_20_megabytes_is_not_taken() {
    let (world, host) = (World::start().await, Host::start().await);
    let sized = |size| [jpeg(1080, 1920), vec![0; size]].concat()[..size].to_vec();
    let largest = host.file("/largest.jpg", "image/jpeg", sized(20_000_000));
    assert_eq!(
        post_photos(&world, &[largest]).await["status"],
        "PUBLISH_COMPLETE"
    );
    let larger = host.file("/larger.jpg", "image/jpeg", sized(20_000_001));
    assert_eq!(
        post_photos(&world, &[larger]).await["fail_reason"],
        "photo_pull_failed"
    );
}

#[tokio::test]
async fn media_can_be_thrown_away_after_hashing() {
    let (world, host) = (World::start().await, Host::start().await);
    world.sim.turn(|knobs| knobs.keep_media = false);
    let picture = jpeg(1080, 1920);
    let url = host.file("/a.jpg", "image/jpeg", picture.clone());
    assert_eq!(post_photos(&world, &[url]).await["status"], "PUBLISH_COMPLETE");
    world.sim.idle().await;
    let medium = world.sim.publications()[0].media[0].clone();
    assert_eq!(medium.sha256, hex::encode(Sha256::digest(&picture)));
    assert_eq!(world.get(&format!("/sim/media/{}", medium.id)).await.status, 404);
}
