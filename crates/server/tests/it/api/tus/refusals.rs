//! What is refused, when, and that it leaves nothing behind.

use futures_util::future::join_all;
use sha1::Sha1;

use std::time::Duration;

use super::*;
use crate::harness::{Db, Options, PART_BYTES, post_body};

on_both!(
    a_creation_that_cannot_be_read_is_refused_with_all_its_problems,
    what_the_metadata_claim_follows_the_rules_of_the_form,
    a_file_larger_than_the_plan_allows_is_refused_before_its_first_byte,
    storage_is_counted_when_an_upload_begins_and_given_back_when_it_ends,
    bytes_must_come_as_bytes_and_where_the_upload_stands,
    a_file_of_another_type_is_refused_as_soon_as_its_first_bytes_are_in,
    a_file_that_shows_only_at_its_end_to_be_no_video_says_why_and_is_removed,
    bytes_with_a_wrong_checksum_are_thrown_away,
    damaged_first_bytes_do_not_condemn_the_upload,
    large_bodies_that_are_thrown_away_leave_nothing,
    pending_media_are_seen_by_nobody_and_go_into_no_post,
    of_many_uploads_begun_at_once_two_hundred_are_unfinished_at_most,
    another_workspaces_upload_is_as_one_that_never_was,
);

const MOV: &[u8] = include_bytes!("../../../../../media/tests/assets/h264-pcm.mov");
const NOWHERE: &str = "0196f3a0-0000-7000-8000-000000000000";

fn checksum(algorithm: &str, bytes: &[u8]) -> String {
    let sum = match algorithm {
        "sha1" => Sha1::digest(bytes).to_vec(),
        _ => Sha256::digest(bytes).to_vec(),
    };
    format!("{algorithm} {}", STANDARD.encode(sum))
}

/// A server whose plan `tiny` takes videos of 50,000 bytes and stores 60,000 bytes.
async fn tiny(db: crate::harness::Db, plans: &tempfile::NamedTempFile) -> TestApp {
    let text = "[plans.unlimited]\n[plans.tiny]\nstorage_bytes = 60_000\nmax_video_bytes = 50_000\n";
    std::fs::write(plans, text).unwrap();
    let options = Options::default().plan("tiny");
    TestApp::start_with(db, options.set("plans_file", plans.path().to_str().unwrap())).await
}

/// Nothing is stored, listed or counted.
async fn is_empty(t: &TestApp) {
    t.settles_at(0).await;
    assert_eq!((media(t).await.len(), used(t).await), (0, 0));
}

/// Of so many refused files the reasons are listed, for clients that did not receive the response; nothing else is kept.
async fn reasons_alone_are_kept(t: &TestApp, codes: &[&str]) {
    let listed = media(t).await;
    let mut found: Vec<&str> = listed
        .iter()
        .map(|media| media["failure"]["code"].as_str().unwrap())
        .collect();
    found.sort_unstable();
    assert_eq!((found.as_slice(), used(t).await), (codes, 0), "{listed:#?}");
    t.settles_at(0).await;
}

async fn a_creation_that_cannot_be_read_is_refused_with_all_its_problems(db: Db) {
    let t = TestApp::start(db).await;
    let ask = |headers: &[(&'static str, &str)]| {
        let request = tus(&t.api, Method::POST, UPLOADS);
        t.api.send(
            headers
                .iter()
                .fold(request, |request, (name, value)| request.header(*name, *value)),
        )
    };
    for wrong in ["", "-1", "x", "1.5", "99999999999999999999"] {
        ask(&[("upload-length", wrong)])
            .await
            .invalid_at(&[json!(["Upload-Length"])]);
    }
    ask(&[]).await.invalid_at(&[json!(["Upload-Length"])]);
    ask(&[("upload-defer-length", "1")])
        .await
        .invalid_at(&[json!(["Upload-Defer-Length"])]);
    ask(&[("upload-length", "10"), ("upload-concat", "partial")])
        .await
        .invalid_at(&[json!(["Upload-Concat"])]);
    let wrong = format!(
        "filename %%,{}",
        metadata(&[("mediaType", "audio"), ("folderId", "x")])
    );
    let paths = ["filename", "mediaType", "folderId"].map(|key| json!(["Upload-Metadata", key]));
    ask(&[("upload-length", "10"), ("upload-metadata", &wrong)])
        .await
        .invalid_at(&paths);
    ask(&[("upload-length", "10"), ("upload-checksum", "md5 x")])
        .await
        .invalid_at(&[json!(["Upload-Checksum"])]);
    ask(&[("upload-length", "0")])
        .await
        .refused(400, "invalid_media_file");
    is_empty(&t).await;
}

async fn what_the_metadata_claim_follows_the_rules_of_the_form(db: Db) {
    let t = TestApp::start(db).await;
    for claim in [
        ("filetype", "image/png"),
        ("mimeType", "nonsense"),
        ("filetype", "application/octet-stream"),
    ] {
        super::ask(&t, 100, &[claim])
            .await
            .refused(400, "invalid_media_file");
    }
    super::ask(&t, 100, &[("folderId", NOWHERE)])
        .await
        .refused(404, "folder_not_found");
    t.app
        .store
        .create_folder(t.workspace.id, "Kites", t.now())
        .await
        .unwrap();
    let folder = t.api.get("/public/v1/media/folders").await.ok()["folders"][0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    for (pairs, kind, name, folder_id) in [
        (
            &[("folderId", folder.as_str()), ("name", "a/kite.mov")][..],
            "video/quicktime",
            "kite.mov",
            json!(folder),
        ),
        (
            &[("folderId", "null"), ("mediaType", "image")],
            "image/jpeg",
            "upload.jpg",
            Value::Null,
        ),
        (
            &[("folderId", ""), ("fileName", "凧.webp")],
            "image/webp",
            "凧.webp",
            Value::Null,
        ),
        (
            &[("filename", "x.txt"), ("filetype", "video/webm")],
            "video/webm",
            "x.txt",
            Value::Null,
        ),
        (
            &[("filename", "kite.JPEG"), ("mediaType", "image")],
            "image/jpeg",
            "kite.JPEG",
            Value::Null,
        ),
    ] {
        let pending = super::ask(&t, 100, pairs).await.ok();
        assert_eq!(
            (
                &pending["mimeType"],
                &pending["originalFileName"],
                &pending["folderId"]
            ),
            (&json!(kind), &json!(name), &folder_id),
            "{pairs:?}"
        );
    }
}

async fn a_file_larger_than_the_plan_allows_is_refused_before_its_first_byte(db: Db) {
    let plans = tempfile::NamedTempFile::new().unwrap();
    let t = tiny(db, &plans).await;
    let body = super::ask(&t, 50_001, &[]).await.refused(413, "media_too_large");
    assert_eq!(body["details"], json!({ "limit": 50_000 }));
    let body = super::ask(&t, 20_000_001, &[("filetype", "image/jpeg")])
        .await
        .refused(413, "media_too_large");
    assert_eq!(body["details"], json!({ "limit": 20_000_000 }));
    let begun = super::ask(&t, 50_000, &[]).await;
    assert_eq!(begun.status, 201);
    let nobody = t.api.with_key(None);
    let offered = nobody.send(nobody.request(Method::OPTIONS, UPLOADS)).await;
    assert_eq!(offered.header("tus-max-size"), "", "one plan has no limit");
}

async fn storage_is_counted_when_an_upload_begins_and_given_back_when_it_ends(db: Db) {
    let plans = tempfile::NamedTempFile::new().unwrap();
    let t = tiny(db, &plans).await;
    let path = begin(&t, 40_000).await;
    assert_eq!(used(&t).await, 40_000);
    let body = super::ask(&t, 20_001, &[])
        .await
        .refused(409, "storage_limit_reached");
    assert_eq!(
        (&body["details"]["limit"], &body["details"]["used"]),
        (&json!(60_000), &json!(40_000))
    );
    begin(&t, 20_000).await;
    append(&t, &path, 0, &[0; 5000])
        .await
        .refused(400, "invalid_media_file");
    assert_eq!(used(&t).await, 20_000);
    let many = (0..8).map(|_| super::ask(&t, 10_000, &[]));
    let answers = futures_util::future::join_all(many).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 201).count(), 4);
}

async fn bytes_must_come_as_bytes_and_where_the_upload_stands(db: Db) {
    let t = TestApp::start(db).await;
    let path = begin(&t, CLIP.len()).await;
    append(&t, &path, 0, &CLIP[..5000]).await;
    let patch = || tus(&t.api, Method::PATCH, &path);
    for wrong in ["application/json", "application/octet-stream", "video/mp4", ""] {
        let request = patch()
            .header("content-type", wrong)
            .header("upload-offset", 5000)
            .body(CLIP[5000..6000].to_vec());
        t.api.send(request).await.refused(415, "unsupported_media_type");
    }
    t.api
        .send(patch().header("upload-offset", 5000))
        .await
        .refused(415, "unsupported_media_type");
    for offset in ["", "-1", "x", "5000.0"] {
        let request = patch()
            .header("content-type", BYTES)
            .header("upload-offset", offset);
        t.api.send(request).await.invalid_at(&[json!(["Upload-Offset"])]);
    }
    t.api
        .send(patch().header("content-type", BYTES))
        .await
        .invalid_at(&[json!(["Upload-Offset"])]);
    for wrong in [0, 4999, 5001, CLIP.len()] {
        let body = append(&t, &path, wrong, &CLIP[..100])
            .await
            .refused(409, "upload_offset_conflict");
        assert_eq!(body["details"], json!({ "offset": 5000 }));
    }
    append(&t, &path, 5000, CLIP)
        .await
        .refused(413, "payload_too_large");
    let endless =
        futures_util::stream::iter([CLIP, CLIP].map(|piece| Ok::<_, std::io::Error>(piece.to_vec())));
    let request = patch()
        .header("content-type", BYTES)
        .header("upload-offset", 5000)
        .body(reqwest::Body::wrap_stream(endless));
    t.api.send(request).await.refused(413, "payload_too_large");
    assert_eq!(offset(&t, &path).await, 5000);
    append(&t, &path, 5000, &CLIP[5000..]).await;
    is_ready(&t, CLIP).await;
}

async fn a_file_of_another_type_is_refused_as_soon_as_its_first_bytes_are_in(db: Db) {
    let t = TestApp::start(db).await;
    let png = [b"\x89PNG\r\n\x1a\n".as_slice(), &[7; 9992]].concat();
    let path = begin(&t, 1_000_000).await;
    for from in (0..4000).step_by(1000) {
        assert_eq!(append(&t, &path, from, &png[from..from + 1000]).await.status, 204);
    }
    let body = append(&t, &path, 4000, &png[4000..5000])
        .await
        .refused(400, "invalid_media_file");
    assert!(body["message"].as_str().unwrap().contains("PNG"), "{body}");
    assert_eq!(head(&t, &path).await.status, 404);
    reasons_alone_are_kept(&t, &["invalid_media_file"]).await;
    let small = begin(&t, 100).await;
    append(&t, &small, 0, &png[..100])
        .await
        .refused(400, "invalid_media_file");
    let claimed = path_of(
        &t,
        &super::ask(&t, CLIP.len(), &[("filetype", "video/webm")]).await,
    );
    append(&t, &claimed, 0, &CLIP[..5000])
        .await
        .refused(400, "invalid_media_file");
    let whole = tus(&t.api, Method::POST, UPLOADS)
        .header("upload-length", 9000)
        .header("content-type", BYTES)
        .body(png[..9000].to_vec());
    t.api.send(whole).await.refused(400, "invalid_media_file");
    let large = begin(&t, 20_000_001).await;
    let body = append(&t, &large, 0, &jpeg(800, 600)[..4096])
        .await
        .refused(413, "media_too_large");
    assert_eq!(body["details"], json!({ "limit": 20_000_000 }));
    let no_media = "invalid_media_file";
    reasons_alone_are_kept(&t, &[no_media, no_media, no_media, no_media, "media_too_large"]).await;
}

async fn a_file_that_shows_only_at_its_end_to_be_no_video_says_why_and_is_removed(db: Db) {
    let t = TestApp::start(db).await;
    let half = &CLIP[..CLIP.len() / 2];
    let path = begin(&t, half.len()).await;
    append(&t, &path, 0, half)
        .await
        .refused(400, "invalid_media_file");
    append(&t, &path, 0, half).await.refused(404, "media_not_found");
    let claimed = path_of(&t, &super::ask(&t, 3000, &[("mediaType", "image")]).await);
    append(&t, &claimed, 0, &MOV[..3000])
        .await
        .refused(400, "invalid_media_file");
    reasons_alone_are_kept(&t, &["invalid_media_file", "invalid_media_file"]).await;
    t.clock.advance(Duration::from_secs(24 * 3600));
    eventually("they are forgotten after a day", async || {
        media(&t).await.is_empty()
    })
    .await;
}

async fn bytes_with_a_wrong_checksum_are_thrown_away(db: Db) {
    let t = TestApp::start(db).await;
    let path = begin(&t, CLIP.len()).await;
    let send = |from: usize, to: usize, sum: String| {
        t.api
            .send(appending(&t, &path, from, &CLIP[from..to]).header("upload-checksum", sum))
    };
    assert_eq!(send(0, 6000, checksum("sha1", &CLIP[..6000])).await.status, 204);
    for algorithm in ["sha1", "sha256"] {
        let wrong = send(6000, 9000, checksum(algorithm, &CLIP[6001..9000])).await;
        wrong.refused(460, "checksum_mismatch");
        assert_eq!(
            (wrong.header("tus-resumable"), offset(&t, &path).await),
            ("1.0.0", 6000)
        );
    }
    for unknown in ["md5 XrY7u+Ae7tCTyyK7j1rNww==", "sha1", "sha1 eA==", "sha256"] {
        send(6000, 9000, unknown.to_owned())
            .await
            .invalid_at(&[json!(["Upload-Checksum"])]);
    }
    let last = send(6000, CLIP.len(), checksum("sha256", &CLIP[6000..])).await;
    assert_eq!(last.status, 204);
    is_ready(&t, CLIP).await;
}

async fn damaged_first_bytes_do_not_condemn_the_upload(db: Db) {
    let t = TestApp::start(db).await;
    let path = begin(&t, CLIP.len()).await;
    let damaged = [&[0; 5000], &CLIP[5000..]].concat();
    let request = appending(&t, &path, 0, &damaged).header("upload-checksum", checksum("sha1", CLIP));
    t.api.send(request).await.refused(460, "checksum_mismatch");
    assert_eq!(offset(&t, &path).await, 0);
    let first = tus(&t.api, Method::POST, UPLOADS)
        .header("upload-length", CLIP.len())
        .header("content-type", BYTES);
    t.api
        .send(
            first
                .header("upload-checksum", checksum("sha1", CLIP))
                .body(damaged),
        )
        .await
        .refused(460, "checksum_mismatch");
    assert_eq!(append(&t, &path, 0, CLIP).await.status, 204);
    is_ready(&t, CLIP).await;
}

/// In a bucket full parts are sent on before the body has ended.
async fn large_bodies_that_are_thrown_away_leave_nothing(db: Db) {
    let t = TestApp::start(db).await;
    let video = padded(PART_BYTES + (2 << 20));
    let path = begin(&t, video.len()).await;
    let damaged = appending(&t, &path, 0, &video[..PART_BYTES + (1 << 20)]);
    let damaged = damaged.header("upload-checksum", checksum("sha1", CLIP));
    t.api.send(damaged).await.refused(460, "checksum_mismatch");
    let pieces = [video.clone(), video.clone()].map(Ok::<_, std::io::Error>);
    let endless = reqwest::Body::wrap_stream(futures_util::stream::iter(pieces));
    let request = tus(&t.api, Method::PATCH, &path)
        .header("content-type", BYTES)
        .header("upload-offset", 0);
    let endless = t.api.send(request.body(endless)).await;
    endless.refused(413, "payload_too_large");
    assert_eq!(offset(&t, &path).await, 0);
    eventually("what was sent is taken", async || {
        append(&t, &path, 0, &video).await.status != 423
    })
    .await;
    is_ready(&t, &video).await;
}

async fn pending_media_are_seen_by_nobody_and_go_into_no_post(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let begun = super::ask(&t, CLIP.len(), &[]).await;
    let path = path_of(&t, &begun);
    append(&t, &path, 0, &CLIP[..9000]).await;
    let pending = media(&t).await[0].clone();
    assert_eq!(
        (&pending["status"], &pending["size"]),
        (&json!("PENDING"), &json!(CLIP.len()))
    );
    for url in ["publicUrl", "previewUrl"] {
        let url = pending[url].as_str().unwrap();
        t.api.follow(url).await.refused(404, "not_found");
        assert_eq!(t.api.head(url).await.status, 404);
    }
    let post = post_body(&platform, &[pending["id"].as_str().unwrap().to_owned()]);
    t.api
        .post("/public/v1/posts", &post)
        .await
        .invalid_at(&[json!(["mediaIds", 0])]);
}

async fn of_many_uploads_begun_at_once_two_hundred_are_unfinished_at_most(db: Db) {
    let t = TestApp::start(db).await;
    let first = begin(&t, 10).await;
    for _ in 1..197 {
        t.clock.advance(Duration::from_secs(1));
        begin(&t, 10).await;
    }
    let answers = join_all((0..6).map(|_| super::ask(&t, 10, &[]))).await;
    let (begun, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.status == 201);
    assert_eq!((begun.len(), refused.len()), (3, 3));
    for one in refused {
        let details = &one.refused(409, "count_limit_reached")["details"];
        assert_eq!((&details["limit"], &details["used"]), (&json!(200), &json!(200)));
    }
    assert_eq!(used(&t).await, 2000);
    t.api.upload_photo(40, 30).await;
    assert_eq!(t.api.send(tus(&t.api, Method::DELETE, &first)).await.status, 204);
    begin(&t, 10).await;
    super::ask(&t, 10, &[]).await.refused(409, "count_limit_reached");
    t.clock.advance(Duration::from_secs(24 * 3600));
    begin(&t, 10).await;
}

async fn another_workspaces_upload_is_as_one_that_never_was(db: Db) {
    let t = TestApp::start(db).await;
    let (path, stranger) = (begin(&t, CLIP.len()).await, t.stranger().await);
    let never = format!("{UPLOADS}/{NOWHERE}");
    for path in [&path, &never] {
        let patch = tus(&stranger, Method::PATCH, path)
            .header("upload-offset", 0)
            .header("content-type", BYTES)
            .body(CLIP.to_vec());
        stranger.send(patch).await.refused(404, "media_not_found");
        stranger
            .send(tus(&stranger, Method::DELETE, path))
            .await
            .refused(404, "media_not_found");
        assert_eq!(
            stranger.send(tus(&stranger, Method::HEAD, path)).await.status,
            404
        );
    }
    t.api
        .send(tus(&t.api, Method::DELETE, &format!("{UPLOADS}/x")))
        .await
        .invalid_at(&[json!(["id"])]);
    assert_eq!(offset(&t, &path).await, 0);
    let photo = t.api.upload_photo(40, 30).await;
    assert_eq!(
        head(&t, &format!("{UPLOADS}/{photo}")).await.status,
        404,
        "it was no resumable upload"
    );
}
