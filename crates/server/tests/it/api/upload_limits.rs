//! How large uploads may be, and how much of them a workspace may store and have under way at once
//! (`docs/contract.md#media-limits`).

use std::pin::pin;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use super::uploads::{MOV, MP4, WEBP, plain_webp, upload};
use crate::harness::{Answer, Client, Db, Options, TestApp, eventually, jpeg, on_both, padded};

on_both!(
    an_image_over_twenty_megabytes_is_too_large,
    an_image_has_at_most_8192_pixels_a_side,
    a_video_larger_than_the_plan_allows_is_too_large,
    what_exceeds_the_plans_storage_is_refused_and_leaves_nothing,
    the_storage_limit_holds_when_many_upload_at_once,
    a_workspace_that_uploads_much_does_not_make_another_wait_for_all_of_it,
    uploads_that_go_on_without_their_client_are_bounded_and_those_beyond_may_be_sent_again,
    storage_is_reserved_while_uploads_come_in,
    an_upload_without_a_length_reserves_about_as_much_again_as_has_come,
    storage_that_a_dead_process_reserved_is_given_back,
);

/// The rest of a form after its file.
const PART_END: &[u8] = b"\r\n--stall--\r\n";
const PART: &str = "--stall\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.mp4\"\r\n\r\n";

/// A lossless WebP of 8192 × 8192 pixels of one colour. Decoding it takes the whole budget.
fn large_webp() -> Vec<u8> {
    plain_webp(8192)
}

/// A server whose plan `tiny` takes videos of 24,300 bytes and stores 60,000 bytes.
async fn tiny(db: Db, plans: &tempfile::NamedTempFile) -> TestApp {
    std::fs::write(
        plans,
        "[plans.unlimited]\n[plans.tiny]\nstorage_bytes = 60_000\nmax_video_bytes = 24_300\n",
    )
    .unwrap();
    TestApp::start_with(
        db,
        Options::default()
            .plan("tiny")
            .set("plans_file", plans.path().to_str().unwrap()),
    )
    .await
}

/// An upload that announces `length` bytes and sends these of its file, then nothing; ends when dropped.
pub(super) async fn stalled(t: &TestApp, sent: &[u8], length: usize) -> TcpStream {
    let mut stream = begun(t, &format!("Content-Length: {length}")).await;
    let part = [PART.as_bytes(), sent].concat();
    stream.write_all(&part).await.unwrap();
    stream
}

/// An upload without a length that sends `sent` of a video; goes on with [`send_chunk`], and ends when dropped.
async fn chunked(t: &TestApp, sent: &[u8]) -> TcpStream {
    let mut stream = begun(t, "Transfer-Encoding: chunked").await;
    send_chunk(&mut stream, &[PART.as_bytes(), sent].concat()).await;
    stream
}

/// The head of an upload.
async fn begun(t: &TestApp, length: &str) -> TcpStream {
    let request = t
        .api
        .request(reqwest::Method::POST, "/public/v1/media")
        .build()
        .unwrap();
    let key = request.headers()["authorization"].to_str().unwrap();
    let address = t.app.config.base_url.trim_start_matches("http://");
    let head = format!(
        "POST /public/v1/media HTTP/1.1\r\nHost: {address}\r\nAuthorization: {key}\r\n{length}\r\n\
         Content-Type: multipart/form-data; boundary=stall\r\n\r\n"
    );
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    stream
}

async fn send_chunk(stream: &mut TcpStream, bytes: &[u8]) {
    let size = format!("{:x}\r\n", bytes.len());
    let chunk = [size.as_bytes(), bytes, b"\r\n"].concat();
    stream.write_all(&chunk).await.unwrap();
}

async fn used(t: &TestApp) -> u64 {
    t.app.store.storage_used(t.workspace.id).await.unwrap()
}

async fn an_image_over_twenty_megabytes_is_too_large(db: Db) {
    let t = TestApp::start(db).await;
    let mut photo = jpeg(64, 48);
    photo.resize(20_000_001, 0);
    let body = upload(&t, &photo, &[]).await.refused(413, "media_too_large");
    assert_eq!(body["details"]["limit"], 20_000_000);
    t.settles_at(0).await;
    photo.truncate(20_000_000);
    upload(&t, &photo, &[]).await.ok();
}

async fn an_image_has_at_most_8192_pixels_a_side(db: Db) {
    let t = TestApp::start(db).await;
    upload(&t, &jpeg(8193, 2), &[])
        .await
        .refused(400, "invalid_media_file");
    upload(&t, &jpeg(2, 8193), &[])
        .await
        .refused(400, "invalid_media_file");
    t.settles_at(0).await;
    let media = upload(&t, &jpeg(8192, 2), &[]).await.ok();
    assert_eq!(media["thumbnailMetadata"]["width"], 8192);
}

async fn a_video_larger_than_the_plan_allows_is_too_large(db: Db) {
    let plans = tempfile::NamedTempFile::new().unwrap();
    let t = tiny(db, &plans).await;
    upload(&t, MP4, &[]).await.ok();
    let body = upload(&t, MOV, &[]).await.refused(413, "media_too_large");
    assert_eq!(body["details"]["limit"], 24_300);
    t.settles_at(2).await;
}

async fn what_exceeds_the_plans_storage_is_refused_and_leaves_nothing(db: Db) {
    let plans = tempfile::NamedTempFile::new().unwrap();
    let t = tiny(db, &plans).await;
    for _ in 0..2 {
        upload(&t, MP4, &[]).await.ok();
    }
    let body = upload(&t, MP4, &[]).await.refused(409, "storage_limit_reached");
    assert_eq!(body["details"]["limit"], 60_000);
    t.settles_at(4).await;
    upload(&t, &jpeg(40, 30), &[]).await.ok();
    assert_eq!(
        t.api.get("/public/v1/media").await.ok()["media"]
            .as_array()
            .unwrap()
            .len(),
        3
    );
}

async fn the_storage_limit_holds_when_many_upload_at_once(db: Db) {
    let plans = tempfile::NamedTempFile::new().unwrap();
    let t = tiny(db, &plans).await;
    let uploads = (0..6).map(|_| upload(&t, MP4, &[]));
    let answers = futures_util::future::join_all(uploads).await;
    let taken = answers.iter().filter(|answer| answer.status == 201).count();
    assert_eq!(taken, 2);
    answers
        .iter()
        .filter(|answer| answer.status != 201)
        .for_each(|answer| {
            answer.refused(409, "storage_limit_reached");
        });
    t.settles_at(4).await;
}

async fn a_workspace_that_uploads_much_does_not_make_another_wait_for_all_of_it(db: Db) {
    const MANY: usize = 20;
    let t = TestApp::start(db).await;
    let stranger = t.stranger().await;
    let large = large_webp();
    let mut uploads: FuturesUnordered<_> = (0..MANY).map(|_| upload(&t, &large, &[])).collect();
    uploads.next().await.unwrap().ok();
    let small = jpeg(90, 160);
    let theirs = stranger.upload_form("a.jpg", "image/jpeg", &small, &[]);
    let mut theirs = pin!(theirs);
    let mut meanwhile = 0;
    loop {
        tokio::select! {
            answer = &mut theirs => break drop(answer.ok()),
            Some(answer) = uploads.next() => {
                answer.ok();
                meanwhile += 1;
            }
        }
    }
    assert!(meanwhile <= MANY / 4, "{meanwhile} of {MANY} came first");
    while let Some(answer) = uploads.next().await {
        answer.ok();
    }
}

async fn uploads_that_go_on_without_their_client_are_bounded_and_those_beyond_may_be_sent_again(db: Db) {
    const ROUNDS: usize = 10;
    let t = TestApp::start(db).await;
    let stranger = t.stranger().await;
    let mut answers = Vec::new();
    // On a busy machine the files may be done before others come.
    for round in 0..ROUNDS {
        answers = after_hang_ups(&t, &stranger, round).await;
        if answers.iter().any(|answer| answer.status == 429) {
            break;
        }
    }
    let (refused, taken): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 429);
    assert!(
        !refused.is_empty(),
        "the files of clients that hung up did not count"
    );
    for answer in refused {
        assert_eq!(answer.refused(429, "rate_limited")["details"]["retryAfter"], 1);
        assert_eq!(answer.header("retry-after"), "1");
    }
    taken.iter().for_each(|answer| drop(answer.ok()));
    eventually("there is room again", async || {
        upload(&t, WEBP, &[]).await.status == 201
    })
    .await;
}

/// Sends many files at once, hangs up, and sends some more; a stranger's is taken meanwhile.
async fn after_hang_ups(t: &TestApp, stranger: &Client, round: usize) -> Vec<Answer> {
    const MANY: usize = 48;
    const PROBES: usize = 12;
    // They are decoded one after the other.
    let body = [PART.as_bytes(), &plain_webp(6000), PART_END].concat();
    let (last, all_but_one) = body.split_last().unwrap();
    let mut streams = Vec::new();
    for number in 0..MANY {
        let more = format!(
            "Idempotency-Key: k{round}-{number}\r\nContent-Length: {}",
            body.len()
        );
        let mut stream = begun(t, &more).await;
        stream.write_all(all_but_one).await.unwrap();
        streams.push(stream);
    }
    // All at once: on a busy machine the first would be done before the last has begun.
    for stream in &mut streams {
        stream.write_all(&[*last]).await.unwrap();
    }
    eventually("they count", async || upload(t, WEBP, &[]).await.status == 429).await;
    drop(streams);
    let probes = futures_util::future::join_all((0..PROBES).map(|_| upload(t, WEBP, &[])));
    let theirs = stranger.upload_form("a.webp", "image/webp", WEBP, &[]);
    let (answers, theirs) = futures_util::join!(probes, theirs);
    theirs.ok();
    answers
}

async fn storage_is_reserved_while_uploads_come_in(db: Db) {
    let plans = tempfile::NamedTempFile::new().unwrap();
    let t = tiny(db, &plans).await;
    let held: Vec<_> =
        futures_util::future::join_all((0..2).map(|_| stalled(&t, &MP4[..20_000], 25_000))).await;
    eventually("two hold 50,000 bytes", async || used(&t).await >= 50_000).await;
    upload(&t, MP4, &[]).await.refused(409, "storage_limit_reached");
    drop(held);
    eventually("nothing is held", async || used(&t).await == 0).await;
    upload(&t, MP4, &[]).await.ok();
    t.settles_at(2).await;
}

async fn an_upload_without_a_length_reserves_about_as_much_again_as_has_come(db: Db) {
    const LEAST: u64 = 256 << 10;
    let plans = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(
        &plans,
        "[plans.unlimited]\n[plans.small]\nstorage_bytes = 16_000_000\n",
    )
    .unwrap();
    let options = Options::default()
        .plan("small")
        .set("plans_file", plans.path().to_str().unwrap());
    let t = TestApp::start_with(db, options).await;
    let video = padded(6_000_000);
    let first = chunked(&t, &video[..20_000]).await;
    let second = chunked(&t, &video[..20_000]).await;
    eventually("both reserve", async || used(&t).await >= 2 * LEAST).await;
    assert!(used(&t).await <= 2 * (LEAST + 20_000), "{} bytes", used(&t).await);
    // A large one fits beside them, of known length or not.
    let mut third = chunked(&t, &video).await;
    send_chunk(&mut third, PART_END).await;
    send_chunk(&mut third, b"").await;
    eventually("the third is stored", async || t.file_names().len() == 2).await;
    eventually("what it reserved ahead is given back", async || {
        used(&t).await < 6_000_000 + 2 * (LEAST + 20_001)
    })
    .await;
    drop((first, second));
    upload(&t, &video, &[]).await.ok();
    eventually("two files are left", async || used(&t).await == 12_000_000).await;
    // A new one: a busy machine may have taken so long for those that the first two were given up as stalled.
    let mut last = chunked(&t, &video[..20_000]).await;
    send_chunk(&mut last, &video[20_000..1_000_000]).await;
    eventually("the last reserves more", async || used(&t).await >= 13_000_000).await;
    assert!(used(&t).await <= 14_000_000, "{} bytes", used(&t).await);
    drop(last);
    eventually("what it reserved is given back", async || {
        used(&t).await == 12_000_000
    })
    .await;
    t.settles_at(4).await;
}

async fn storage_that_a_dead_process_reserved_is_given_back(db: Db) {
    let plans = tempfile::NamedTempFile::new().unwrap();
    let t = tiny(db, &plans).await;
    let end = t.now().plus(std::time::Duration::from_secs(3600));
    let reserved = t
        .app
        .store
        .reserve_storage(t.workspace.id, "0123", (60_000, 60_000), end)
        .await
        .unwrap();
    assert_eq!(reserved, playout_store::InsertMedia::Inserted);
    upload(&t, MP4, &[]).await.refused(409, "storage_limit_reached");
    t.clock.advance(std::time::Duration::from_secs(4200));
    eventually("it is swept", async || used(&t).await == 0).await;
    upload(&t, MP4, &[]).await.ok();
}
