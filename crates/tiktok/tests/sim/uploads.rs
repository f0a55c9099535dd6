//! PUT of chunks.

use playout_tiktok::sim::ChunkStatuses;
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::harness::{World, mp4, video_body};

/// Starts an upload of `size` bytes in chunks of 5,000,000; its publish id and URL.
async fn start(world: &World, size: usize) -> (String, String) {
    let mut body = video_body("chunks", size);
    body["source_info"]["chunk_size"] = 5_000_000.into();
    body["source_info"]["total_chunk_count"] = (size / 5_000_000).into();
    let data = world.post("/v2/post/publish/video/init/", body).await.data();
    (
        data["publish_id"].as_str().unwrap().to_owned(),
        data["upload_url"].as_str().unwrap().to_owned(),
    )
}

fn film(size: usize) -> Vec<u8> {
    let mut bytes = mp4(1_000);
    bytes.resize(size, 0);
    bytes
}

#[tokio::test]
async fn chunks_in_order_make_the_file() {
    let world = World::start().await;
    let size = 11_000_123;
    let bytes = film(size);
    let (publish_id, url) = start(&world, size).await;
    assert!(url.len() <= 256);
    let first = world
        .put(&url, 0..5_000_000, size, bytes[..5_000_000].to_vec())
        .await;
    assert_eq!((first.status, first.text.as_str()), (206, ""));
    assert_eq!(first.header("content-range"), format!("bytes 0-5000000/{size}"));
    assert_eq!(
        world.status(&publish_id).await,
        json!({ "status": "PROCESSING_UPLOAD", "uploaded_bytes": 5_000_000 })
    );
    world.sim.turn(|knobs| knobs.omit_uploaded_bytes = true);
    assert_eq!(
        world.status(&publish_id).await,
        json!({ "status": "PROCESSING_UPLOAD" })
    );
    let last = world
        .put(&url, 5_000_000..size, size, bytes[5_000_000..].to_vec())
        .await;
    assert_eq!((last.status, last.text.as_str()), (201, "null"));
    assert_eq!(last.header("content-type"), "application/json; charset=utf-8");
    assert_eq!(last.header("content-range"), format!("bytes 0-{size}/{size}"));
    let media = &world.sim.publications()[0].media[0];
    assert_eq!(media.sha256, hex::encode(Sha256::digest(&bytes)));
    assert_eq!(
        (media.size_bytes, media.width, media.height, media.duration_ms),
        (size as u64, 1080, 1920, 1_000)
    );
}

#[tokio::test]
async fn chunks_are_answered_by_either_convention_of_statuses() {
    for (statuses, expected) in [
        (ChunkStatuses::PartialContent, [(206, ""), (201, "null")]),
        (ChunkStatuses::Created, [(201, ""), (200, "null")]),
    ] {
        let world = World::start().await;
        world.sim.turn(|knobs| knobs.chunk_statuses = statuses);
        let size = 11_000_000;
        let (publish_id, url) = start(&world, size).await;
        let bytes = film(size);
        let ranges = [0..5_000_000, 5_000_000..size];
        for (range, expected) in ranges.into_iter().zip(expected) {
            let put = world.put(&url, range.clone(), size, bytes[range].to_vec()).await;
            assert_eq!((put.status, put.text.as_str()), expected, "{statuses:?}");
        }
        assert_eq!(world.status(&publish_id).await["status"], "PUBLISH_COMPLETE");
    }
}

#[tokio::test]
async fn a_chunk_out_of_order_is_refused_with_the_progress() {
    let world = World::start().await;
    let size = 11_000_000;
    let (_, url) = start(&world, size).await;
    let early = world.put(&url, 5_000_000..size, size, vec![0; 6_000_000]).await;
    assert_eq!(
        (early.status, early.header("content-range")),
        (416, format!("bytes 0-0/{size}"))
    );
    world.put(&url, 0..5_000_000, size, vec![0; 5_000_000]).await;
    let again = world.put(&url, 0..5_000_000, size, vec![0; 5_000_000]).await;
    assert_eq!(
        (again.status, again.header("content-range")),
        (416, format!("bytes 0-5000000/{size}"))
    );
    let other_total = world
        .put(&url, 5_000_000..10_000_000, 10_000_000, vec![0; 5_000_000])
        .await;
    assert_eq!(other_total.status, 416);
}

#[tokio::test]
async fn malformed_chunks_are_refused() {
    let world = World::start().await;
    let size = 11_000_000;
    let (_, url) = start(&world, size).await;
    let no_range = world
        .http
        .put(&url)
        .header("content-type", "video/mp4")
        .body("x")
        .send()
        .await
        .unwrap();
    assert_eq!(no_range.status(), 400);
    let range = format!("bytes 0-4999999/{size}");
    let no_type = world
        .http
        .put(&url)
        .header("content-range", &range)
        .body(vec![0; 5_000_000])
        .send()
        .await
        .unwrap();
    assert_eq!(no_type.status(), 400);
    assert_eq!(
        world.put(&url, 0..5_000_000, size, vec![0; 100]).await.status,
        400
    );
    assert_eq!(
        world
            .put(&url, 0..1_000_000, size, vec![0; 1_000_000])
            .await
            .status,
        400,
        "a chunk of another size"
    );
    let unknown = url.replace("upload_token=", "upload_token=0");
    assert_eq!(
        world
            .put(&unknown, 0..5_000_000, size, vec![0; 5_000_000])
            .await
            .status,
        404
    );
}

#[tokio::test]
async fn an_upload_url_dies_after_an_hour() {
    let world = World::start().await;
    let (publish_id, url) = start(&world, 5_000_000).await;
    world.advance(3_600);
    assert_eq!(
        world
            .put(&url, 0..5_000_000, 5_000_000, vec![0; 5_000_000])
            .await
            .status,
        403
    );
    assert_eq!(world.status(&publish_id).await["status"], "PROCESSING_UPLOAD");
}

#[tokio::test]
async fn a_file_that_is_no_video_fails() {
    let world = World::start().await;
    let data = world.init_video("text", 5_000).await.data();
    world
        .put(
            data["upload_url"].as_str().unwrap(),
            0..5_000,
            5_000,
            vec![b'a'; 5_000],
        )
        .await;
    let status = world.status(data["publish_id"].as_str().unwrap()).await;
    assert_eq!(
        status,
        json!({ "status": "FAILED", "fail_reason": "file_format_check_failed" })
    );
}

#[tokio::test]
async fn a_video_longer_than_the_creator_may_post_fails() {
    let world = World::start().await;
    world
        .sim
        .change_account(&world.open_id, |account| account.max_video_sec = 60);
    let bytes = mp4(60_001);
    let data = world.init_video("long", bytes.len()).await.data();
    let size = bytes.len();
    world
        .put(data["upload_url"].as_str().unwrap(), 0..size, size, bytes)
        .await;
    let status = world.status(data["publish_id"].as_str().unwrap()).await;
    assert_eq!(status["fail_reason"], "duration_check_failed");
}

#[tokio::test]
async fn a_chunk_whose_client_goes_away_can_be_sent_again() {
    use tokio::io::AsyncWriteExt;
    let world = World::start().await;
    let size = 5_000_000;
    let (publish_id, url) = start(&world, size).await;
    let url_parts = url::Url::parse(&url).unwrap();
    let address = (
        url_parts.host_str().unwrap().to_owned(),
        url_parts.port().unwrap(),
    );
    let mut socket = tokio::net::TcpStream::connect(address).await.unwrap();
    let head = format!(
        "PUT {}?{} HTTP/1.1\r\nhost: x\r\ncontent-type: video/mp4\r\ncontent-length: {size}\r\ncontent-range: bytes 0-{}/{size}\r\n\r\n",
        url_parts.path(),
        url_parts.query().unwrap(),
        size - 1
    );
    socket.write_all(head.as_bytes()).await.unwrap();
    socket.write_all(&[0; 100_000]).await.unwrap();
    drop(socket);
    let bytes = film(size);
    loop {
        // Until the simulator notices the closed connection, it rejects the upload as busy.
        let put = world.put(&url, 0..size, size, bytes.clone()).await;
        if put.status == 201 {
            break;
        }
        assert_eq!(put.status, 416);
        tokio::task::yield_now().await;
    }
    assert_eq!(world.status(&publish_id).await["status"], "PUBLISH_COMPLETE");
    assert_eq!(
        world.sim.publications()[0].media[0].sha256,
        hex::encode(Sha256::digest(&bytes))
    );
}
