//! Clients that upload the largest pictures and hang up: what is decoded for them still counts.

use std::time::Duration;

use reqwest::Method;

use super::scene::Scene;
use crate::harness::Db;

const UPLOADS: usize = 12;
/// How long a client stays connected: less than decoding takes (0.3 s), so that without a limit several are decoded at
/// once. On a busy machine fewer may be, which lets the tests find less and never fails them.
const STAY: Duration = Duration::from_millis(50);
/// What decoding may take above idle. One picture takes 275 MB, two at once do not fit.
const MOST_BYTES: u64 = 350_000_000;

/// A lossless WebP of one colour. Each of its codes has a single symbol, which takes no bits (RFC 9649 §3.7).
fn webp(side: u32) -> Vec<u8> {
    let packed = (side - 1) | (side - 1) << 14 | 1 << 28;
    let codes = b"\x88\x88\x08\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
    [
        &b"RIFF\x24\0\0\0WEBPVP8L\x18\0\0\0\x2f"[..],
        &packed.to_le_bytes(),
        codes,
    ]
    .concat()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_hangs_up_frees_no_memory_that_its_picture_still_takes() {
    let scene = Scene::set(Db::Sqlite, &[]).await;
    let process = scene.serve().await;
    let idle = process.memory("VmRSS");
    for _ in 0..UPLOADS {
        let stream = scene.send_upload("a.webp", &webp(8192), 0).await;
        tokio::time::sleep(STAY).await;
        drop(stream);
    }
    // Uploads are decoded in order of arrival: this one is answered after all of them.
    let form = reqwest::multipart::Form::new().part("file", reqwest::multipart::Part::bytes(webp(8192)));
    let posted = scene
        .api
        .request(Method::POST, "/public/v1/media")
        .multipart(form);
    assert_eq!(posted.send().await.unwrap().status(), 201, "{}", scene.log());
    let taken = process.memory("VmHWM").saturating_sub(idle);
    assert!(taken <= MOST_BYTES, "{taken} bytes above idle");
    assert!(
        taken > MOST_BYTES / 2,
        "{taken} bytes: two pictures at once would fit"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn uploads_that_wait_for_their_turn_to_be_decoded_hold_no_open_files() {
    const WAITING: usize = 24;
    let scene = Scene::set(Db::Sqlite, &[]).await;
    let process = scene.serve().await;
    let idle = process.open_files();
    let mut streams = Vec::new();
    for _ in 0..WAITING {
        streams.push(scene.send_upload("a.webp", &webp(8192), 0).await);
        tokio::time::sleep(STAY / 5).await;
    }
    let mut most = 0;
    for _ in 0..20 {
        most = most.max(process.open_files());
        tokio::time::sleep(STAY / 5).await;
    }
    let files = most.saturating_sub(idle + streams.len());
    assert!(
        files < WAITING / 2,
        "{files} files are open for {WAITING} uploads"
    );
}
