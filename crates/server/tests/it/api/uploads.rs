//! Uploading media: what is taken, what is refused, and that a refusal leaves nothing behind (`docs/contract.md#uploads`).

use std::path::Path;
use std::pin::pin;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::harness::{Answer, Db, Options, START, TestApp, eventually, jpeg, on_both};

on_both!(
    a_photo_has_every_field_of_the_contract,
    each_of_the_five_types_is_known_by_its_bytes,
    turned_media_are_measured_as_they_are_seen,
    the_parts_may_come_in_any_order,
    the_name_is_the_given_one_else_the_files_own,
    claims_that_hold_are_taken,
    claims_that_the_bytes_contradict_are_refused,
    files_of_other_types_are_refused,
    a_form_without_a_file_is_refused,
    an_endless_text_part_costs_no_memory_and_is_cut,
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
    a_folder_must_be_the_workspaces_own,
    a_client_that_goes_away_leaves_nothing,
);

const MP4: &[u8] = include_bytes!("../../../../media/tests/assets/h264-aac.mp4");
const MOV: &[u8] = include_bytes!("../../../../media/tests/assets/h264-pcm.mov");
const WEBM: &[u8] = include_bytes!("../../../../media/tests/assets/vp9-opus.webm");
const ROTATED: &[u8] = include_bytes!("../../../../media/tests/assets/rotated.mp4");
const MKV: &[u8] = include_bytes!("../../../../media/tests/assets/h264.mkv");
const M4A: &[u8] = include_bytes!("../../../../media/tests/assets/sound.m4a");
const SOUND: &[u8] = include_bytes!("../../../../media/tests/assets/sound-only.mp4");
/// One green pixel, lossless.
const WEBP: &[u8] =
    b"RIFF\x24\0\0\0WEBPVP8L\x18\0\0\0\x2f\0\0\0\x10\x07\x10\x11\x11\x88\x88\xfe\x07\0\0\0\0\0\0\0\0\0\0\0";
const NOWHERE: &str = "0196f3a0-0000-7000-8000-000000000000";

/// A lossless WebP of 8192 × 8192 pixels of one colour. Decoding it takes the whole budget.
fn large_webp() -> Vec<u8> {
    plain_webp(8192)
}

/// A lossless WebP of one colour, each code of which has a single symbol (RFC 9649 §3.7).
pub(super) fn plain_webp(side: u32) -> Vec<u8> {
    let packed = (side - 1) | (side - 1) << 14 | 1 << 28;
    [&WEBP[..21], &packed.to_le_bytes(), &WEBP[25..]].concat()
}

/// How many files the storage holds, unfinished ones included.
fn stored(t: &TestApp) -> usize {
    fn count(path: &Path) -> usize {
        let entries = crate::harness::stored_files(path)
            .unwrap()
            .map(|entry| entry.unwrap());
        entries
            .map(|entry| {
                if entry.file_type().unwrap().is_dir() {
                    count(&entry.path())
                } else {
                    1
                }
            })
            .sum()
    }
    count(&t.app.config.data_dir.join("media"))
}

/// Asserts that the storage holds so many files as soon as what is under way has ended.
async fn settles_at(t: &TestApp, files: usize) {
    eventually(&format!("{files} files are stored"), async || stored(t) == files).await;
}

async fn upload(t: &TestApp, bytes: &[u8], parts: &[(&str, &str)]) -> Answer {
    t.api
        .upload_form(("some.bin", "application/octet-stream", bytes), parts)
        .await
}

/// `file` with the EXIF orientation `tag`, as a camera writes it.
fn oriented(file: &[u8], tag: u8) -> Vec<u8> {
    let exif = [
        b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0",
        &[tag][..],
        &[0; 6],
    ]
    .concat();
    let length = u16::try_from(exif.len() + 2).unwrap().to_be_bytes();
    [&file[..2], &[0xFF, 0xE1], &length, &exif, &file[2..]].concat()
}

/// A server whose plan `tiny` takes videos of 24,300 bytes and stores 60,000 bytes.
async fn tiny(db: crate::harness::Db, plans: &tempfile::NamedTempFile) -> TestApp {
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

/// An upload that announces `length` bytes and sends `sent` of a video, then nothing; ends when dropped.
pub(super) async fn stalled(t: &TestApp, sent: usize, length: usize) -> TcpStream {
    let mut stream = begun(t, &format!("Content-Length: {length}")).await;
    let part = [PART.as_bytes(), &MP4[..sent]].concat();
    stream.write_all(&part).await.unwrap();
    stream
}

/// An upload without a length that sends `sent` of a video; goes on with [`send_chunk`], and ends when dropped.
async fn chunked(t: &TestApp, sent: &[u8]) -> TcpStream {
    let mut stream = begun(t, "Transfer-Encoding: chunked").await;
    send_chunk(&mut stream, &[PART.as_bytes(), sent].concat()).await;
    stream
}

/// The rest of a form after its file.
const PART_END: &[u8] = b"\r\n--stall--\r\n";
const PART: &str = "--stall\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.mp4\"\r\n\r\n";

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

/// A video of so many bytes, the last of which are padding.
fn padded(length: usize) -> Vec<u8> {
    let padding = u32::try_from(length - MP4.len()).unwrap().to_be_bytes();
    let mut video = [MP4, &padding, b"free"].concat();
    video.resize(length, 0);
    video
}

async fn used(t: &TestApp) -> u64 {
    t.app.store.storage_used(t.workspace.id).await.unwrap()
}

async fn a_photo_has_every_field_of_the_contract(db: Db) {
    let t = TestApp::start(db).await;
    let photo = jpeg(1080, 1440);
    let answer = t.api.upload_form(("kite.jpg", "image/jpeg", &photo), &[]).await;
    assert_eq!(answer.status, 201);
    let media = answer.json();
    let (id, key) = (
        media["id"].as_str().unwrap(),
        media["storageKey"].as_str().unwrap(),
    );
    assert!(id.len() == 36 && id.as_bytes()[14] == b'7', "UUIDv7: {id}");
    assert!(key.len() >= 22, "128 random bits: {key}");
    let blurhash = media["thumbnailMetadata"]["blurhash"].as_str().unwrap();
    assert_eq!(
        media,
        json!({
            "id": id,
            "storageKey": key,
            "publicUrl": format!("{}/media/{key}", t.app.config.base_url),
            "previewUrl": format!("{}/media/{key}.preview.webp", t.app.config.base_url),
            "mimeType": "image/jpeg",
            "size": photo.len(),
            "mediaType": "image",
            "originalFileName": "kite.jpg",
            "status": "READY",
            "thumbnailMetadata": {
                "width": 1080, "height": 1440, "previewWidth": 480, "previewHeight": 640, "blurhash": blurhash,
                "durationMs": null, "videoCodec": null, "audioCodec": null, "frameRate": null,
            },
            "finalizedAt": START,
            "failure": null, "folderId": null,
            "createdAt": START,
        })
    );
    assert_eq!(t.api.get("/public/v1/media").await.ok()["media"][0], media);
    assert_eq!(stored(&t), 2, "the photo and its preview");
}

async fn each_of_the_five_types_is_known_by_its_bytes(db: Db) {
    let t = TestApp::start(db).await;
    let photo = jpeg(64, 48);
    for (bytes, mime, kind, size, codecs) in [
        (
            &photo[..],
            "image/jpeg",
            "image",
            (64, 48),
            (Value::Null, Value::Null),
        ),
        (WEBP, "image/webp", "image", (1, 1), (Value::Null, Value::Null)),
        (
            MP4,
            "video/mp4",
            "video",
            (320, 180),
            (json!("h264"), json!("aac")),
        ),
        (
            MOV,
            "video/quicktime",
            "video",
            (320, 180),
            (json!("h264"), json!("pcm")),
        ),
        (
            WEBM,
            "video/webm",
            "video",
            (320, 180),
            (json!("vp9"), json!("opus")),
        ),
    ] {
        let media = upload(&t, bytes, &[]).await.ok();
        assert_eq!(
            (&media["mimeType"], &media["mediaType"]),
            (&json!(mime), &json!(kind))
        );
        assert_eq!(media["size"], bytes.len());
        let metadata = &media["thumbnailMetadata"];
        assert_eq!(
            (&metadata["width"], &metadata["height"]),
            (&json!(size.0), &json!(size.1)),
            "{mime}"
        );
        assert_eq!(
            (&metadata["videoCodec"], &metadata["audioCodec"]),
            (&codecs.0, &codecs.1),
            "{mime}"
        );
        assert_eq!(metadata["durationMs"].is_null(), kind == "image");
    }
}

async fn turned_media_are_measured_as_they_are_seen(db: Db) {
    let t = TestApp::start(db).await;
    let photo = oriented(&jpeg(160, 120), 6);
    for (bytes, width, height) in [(&photo[..], 120, 160), (ROTATED, 180, 320)] {
        let metadata = upload(&t, bytes, &[]).await.ok()["thumbnailMetadata"].take();
        assert_eq!(
            (&metadata["width"], &metadata["height"]),
            (&json!(width), &json!(height))
        );
        assert_eq!(
            (&metadata["previewWidth"], &metadata["previewHeight"]),
            (&json!(width), &json!(height))
        );
    }
}

async fn the_parts_may_come_in_any_order(db: Db) {
    let t = TestApp::start(db).await;
    let photo = jpeg(40, 30);
    let text = |name: &str, value: &str| {
        format!("--b\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n").into_bytes()
    };
    let file = [
        b"--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"own.jpg\"\r\n\r\n",
        &photo[..],
        b"\r\n",
    ]
    .concat();
    let (name, kind, other) = (
        text("fileName", "given.jpg"),
        text("mediaType", "image"),
        text("unknown", "ignored"),
    );
    for parts in [
        [&file, &name, &kind, &other],
        [&other, &name, &file, &kind],
        [&kind, &other, &name, &file],
    ] {
        let body = [parts.map(|part| part.as_slice()).concat(), b"--b--\r\n".to_vec()].concat();
        let request = t.api.request(reqwest::Method::POST, "/public/v1/media");
        let answer = t
            .api
            .send(
                request
                    .header("content-type", "multipart/form-data; boundary=b")
                    .body(body),
            )
            .await;
        assert_eq!(answer.ok()["originalFileName"], "given.jpg");
    }
}

async fn the_name_is_the_given_one_else_the_files_own(db: Db) {
    let t = TestApp::start(db).await;
    let photo = jpeg(40, 30);
    let long = "n".repeat(300);
    for (own, given, kept) in [
        ("own.jpg", None, "own.jpg"),
        ("own.jpg", Some("given name.jpg"), "given name.jpg"),
        ("own.jpg", Some(""), "own.jpg"),
        ("C:\\\\photos\\\\kite.jpg", None, "kite.jpg"),
        ("../../etc/passwd", None, "passwd"),
        ("own.jpg", Some("/tmp/a/b.jpg"), "b.jpg"),
        ("Drachen-ä-凧.jpg", None, "Drachen-ä-凧.jpg"),
        ("own.jpg", Some("凧🪁.jpg"), "凧🪁.jpg"),
        ("", None, "upload.jpg"),
        ("own.jpg", Some(&long), &long[..255]),
    ] {
        let parts: Vec<(&str, &str)> = given.map(|name| ("fileName", name)).into_iter().collect();
        let media = t.api.upload_form((own, "image/jpeg", &photo), &parts).await.ok();
        assert_eq!(media["originalFileName"], kept, "{own:?}, {given:?}");
    }
}

async fn claims_that_hold_are_taken(db: Db) {
    let t = TestApp::start(db).await;
    for (bytes, mime, kind) in [
        (MP4, "video/mp4", "video"),
        (MOV, "video/quicktime", "video"),
        (WEBP, "image/webp", "image"),
    ] {
        upload(&t, bytes, &[("mimeType", mime), ("mediaType", kind)])
            .await
            .ok();
    }
    upload(&t, WEBP, &[("mimeType", ""), ("mediaType", ""), ("folderId", "")])
        .await
        .ok();
}

async fn claims_that_the_bytes_contradict_are_refused(db: Db) {
    let t = TestApp::start(db).await;
    let photo = jpeg(40, 30);
    for (bytes, claim) in [
        (&photo[..], ("mimeType", "image/webp")),
        (&photo[..], ("mimeType", "video/mp4")),
        (MP4, ("mimeType", "video/quicktime")),
        (MOV, ("mimeType", "video/mp4")),
        (&photo[..], ("mediaType", "video")),
        (WEBM, ("mediaType", "image")),
        (&photo[..], ("mimeType", "image/png")),
        (&photo[..], ("mimeType", "nonsense")),
    ] {
        upload(&t, bytes, &[claim])
            .await
            .refused(400, "invalid_media_file");
    }
    upload(&t, &photo, &[("mediaType", "audio")])
        .await
        .invalid_at(&[json!(["mediaType"])]);
    upload(&t, &photo, &[("mediaType", "x"), ("folderId", "y")])
        .await
        .invalid_at(&[json!(["mediaType"]), json!(["folderId"])]);
    settles_at(&t, 0).await;
}

async fn files_of_other_types_are_refused(db: Db) {
    let t = TestApp::start(db).await;
    let cut = jpeg(300, 200);
    let files: [(&str, &[u8]); 11] = [
        (
            "PNG",
            b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0",
        ),
        ("GIF", b"GIF89a\x01\0\x01\0\0\0\0;"),
        ("PDF", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"),
        ("HTML", b"<!doctype html><script>alert(1)</script>"),
        ("SVG", b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>"),
        ("MKV", MKV),
        ("M4A", M4A),
        ("an MP4 without a picture", SOUND),
        ("no bytes", b""),
        ("half a photo", &cut[..cut.len() / 2]),
        ("half a video", &MP4[..MP4.len() / 2]),
    ];
    for (name, bytes) in files {
        let body = upload(&t, bytes, &[]).await.refused(400, "invalid_media_file");
        assert!(body.get("details").is_none_or(Value::is_object), "{name}: {body}");
    }
    settles_at(&t, 0).await;
    assert_eq!(t.api.get("/public/v1/media").await.ok()["media"], json!([]));
}

async fn a_form_without_a_file_is_refused(db: Db) {
    let t = TestApp::start(db).await;
    let send = |content_type: &str, body: &'static str| {
        let request = t.api.request(reqwest::Method::POST, "/public/v1/media");
        t.api
            .send(request.header("content-type", content_type).body(body))
    };
    let form = "multipart/form-data; boundary=b";
    send(
        form,
        "--b\r\nContent-Disposition: form-data; name=\"fileName\"\r\n\r\nx\r\n--b--\r\n",
    )
    .await
    .refused(400, "invalid_media_file");
    send(form, "--b--\r\n").await.refused(400, "invalid_media_file");
    send(form, "no form at all")
        .await
        .refused(400, "invalid_media_file");
    send(
        form,
        "--b\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\ncut",
    )
    .await
    .refused(400, "invalid_media_file");
    send("multipart/form-data", "x")
        .await
        .refused(400, "invalid_media_file");
    for wrong in [
        "application/json",
        "image/jpeg",
        "application/x-www-form-urlencoded",
    ] {
        send(wrong, "{}").await.refused(415, "unsupported_media_type");
    }
    settles_at(&t, 0).await;
}

async fn an_endless_text_part_costs_no_memory_and_is_cut(db: Db) {
    let t = TestApp::start(db).await;
    let endless = "x".repeat(8_000_000);
    let media = upload(&t, &jpeg(40, 30), &[("fileName", &endless)]).await.ok();
    assert_eq!(media["originalFileName"].as_str().unwrap().len(), 255);
}

async fn an_image_over_twenty_megabytes_is_too_large(db: Db) {
    let t = TestApp::start(db).await;
    let mut photo = jpeg(64, 48);
    photo.resize(20_000_001, 0);
    let body = upload(&t, &photo, &[]).await.refused(413, "media_too_large");
    assert_eq!(body["details"]["limit"], 20_000_000);
    settles_at(&t, 0).await;
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
    settles_at(&t, 0).await;
    let media = upload(&t, &jpeg(8192, 2), &[]).await.ok();
    assert_eq!(media["thumbnailMetadata"]["width"], 8192);
}

async fn a_video_larger_than_the_plan_allows_is_too_large(db: Db) {
    let plans = tempfile::NamedTempFile::new().unwrap();
    let t = tiny(db, &plans).await;
    upload(&t, MP4, &[]).await.ok();
    let body = upload(&t, MOV, &[]).await.refused(413, "media_too_large");
    assert_eq!(body["details"]["limit"], 24_300);
    settles_at(&t, 2).await;
}

async fn what_exceeds_the_plans_storage_is_refused_and_leaves_nothing(db: Db) {
    let plans = tempfile::NamedTempFile::new().unwrap();
    let t = tiny(db, &plans).await;
    for _ in 0..2 {
        upload(&t, MP4, &[]).await.ok();
    }
    let body = upload(&t, MP4, &[]).await.refused(409, "storage_limit_reached");
    assert_eq!(body["details"]["limit"], 60_000);
    settles_at(&t, 4).await;
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
    settles_at(&t, 4).await;
}

async fn a_workspace_that_uploads_much_does_not_make_another_wait_for_all_of_it(db: Db) {
    const MANY: usize = 20;
    let t = TestApp::start(db).await;
    let stranger = t.stranger().await;
    let large = large_webp();
    let mut uploads: FuturesUnordered<_> = (0..MANY).map(|_| upload(&t, &large, &[])).collect();
    uploads.next().await.unwrap().ok();
    let small = jpeg(90, 160);
    let theirs = stranger.upload_form(("a.jpg", "image/jpeg", &small), &[]);
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
    const MANY: usize = 48;
    const PROBES: usize = 12;
    let t = TestApp::start(db).await;
    let stranger = t.stranger().await;
    // They are decoded one after the other.
    let body = [PART.as_bytes(), &plain_webp(6000), PART_END].concat();
    let mut streams = Vec::new();
    for number in 0..MANY {
        let more = format!("Idempotency-Key: k{number}\r\nContent-Length: {}", body.len());
        let mut stream = begun(&t, &more).await;
        stream.write_all(&body).await.unwrap();
        streams.push(stream);
    }
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    drop(streams);
    let probes = futures_util::future::join_all((0..PROBES).map(|_| upload(&t, WEBP, &[])));
    let theirs = stranger.upload_form(("a.webp", "image/webp", WEBP), &[]);
    let (answers, theirs) = futures_util::join!(probes, theirs);
    theirs.ok();
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

async fn storage_is_reserved_while_uploads_come_in(db: Db) {
    let plans = tempfile::NamedTempFile::new().unwrap();
    let t = tiny(db, &plans).await;
    let held: Vec<_> = futures_util::future::join_all((0..2).map(|_| stalled(&t, 20_000, 25_000))).await;
    eventually("two hold 50,000 bytes", async || used(&t).await >= 50_000).await;
    upload(&t, MP4, &[]).await.refused(409, "storage_limit_reached");
    drop(held);
    eventually("nothing is held", async || used(&t).await == 0).await;
    upload(&t, MP4, &[]).await.ok();
    settles_at(&t, 2).await;
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
    let mut first = chunked(&t, &video[..20_000]).await;
    let second = chunked(&t, &video[..20_000]).await;
    eventually("both reserve", async || used(&t).await >= 2 * LEAST).await;
    assert!(used(&t).await <= 2 * (LEAST + 20_000), "{} bytes", used(&t).await);
    // A large one fits beside them, of known length or not.
    let mut third = chunked(&t, &video).await;
    send_chunk(&mut third, PART_END).await;
    send_chunk(&mut third, b"").await;
    eventually("the third is stored", async || stored(&t) == 4).await;
    eventually("what it reserved ahead is given back", async || {
        used(&t).await < 6_000_000 + 2 * (LEAST + 20_001)
    })
    .await;
    upload(&t, &video, &[]).await.ok();
    send_chunk(&mut first, &video[20_000..1_000_000]).await;
    eventually("the first reserves more", async || {
        used(&t).await >= 13_000_000 + LEAST
    })
    .await;
    assert!(
        used(&t).await <= 14_000_000 + LEAST + 20_000,
        "{} bytes",
        used(&t).await
    );
    drop((first, second));
    eventually("two files are left", async || used(&t).await == 12_000_000).await;
    settles_at(&t, 4).await;
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

async fn a_folder_must_be_the_workspaces_own(db: Db) {
    let t = TestApp::start(db).await;
    let photo = jpeg(40, 30);
    t.app
        .store
        .create_folder(t.workspace.id, "Kites", t.now())
        .await
        .unwrap();
    let folder = t.api.get("/public/v1/media/folders").await.ok()["folders"][0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(
        upload(&t, &photo, &[("folderId", &folder)]).await.ok()["folderId"],
        folder.as_str()
    );
    assert_eq!(
        upload(&t, &photo, &[("folderId", "null")]).await.ok()["folderId"],
        Value::Null
    );
    upload(&t, &photo, &[("folderId", NOWHERE)])
        .await
        .refused(404, "folder_not_found");
    upload(&t, &photo, &[("folderId", "Kites")])
        .await
        .invalid_at(&[json!(["folderId"])]);
    settles_at(&t, 4).await;
}

async fn a_client_that_goes_away_leaves_nothing(db: Db) {
    let t = TestApp::start(db).await;
    let (address, key) = (
        t.app.config.base_url.trim_start_matches("http://").to_owned(),
        t.app
            .create_key(t.workspace.id, "raw", None, None)
            .await
            .unwrap()
            .key,
    );
    let mut stream = tokio::net::TcpStream::connect(&address).await.unwrap();
    let head = format!(
        "POST /public/v1/media HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 9000000\r\n\r\n--b\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\n",
        key.expose()
    );
    let mut begun = head.into_bytes();
    begun.extend_from_slice(MP4);
    tokio::io::AsyncWriteExt::write_all(&mut stream, &begun)
        .await
        .unwrap();
    settles_at(&t, 1).await;
    drop(stream);
    settles_at(&t, 0).await;
    assert_eq!(t.api.get("/public/v1/media").await.ok()["media"], json!([]));
}
