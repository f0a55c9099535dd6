//! Uploads that are abandoned, expire, or wait to be finished.

use std::time::Duration;

use bytes::Bytes;
use playout_domain::time::Clock;
use playout_media::{Extent, IfMissing};
use playout_server::clock::SystemClock;

use super::*;
use crate::harness::{PART_BYTES, date};

on_both!(
    an_upload_that_is_given_up_leaves_nothing,
    a_finished_upload_is_deleted_like_any_media,
    what_is_renamed_and_moved_while_it_comes_in_stays_so,
    deleting_pending_media_ends_its_upload,
    an_upload_ends_after_a_day_and_is_swept_out,
    an_upload_whose_bytes_are_all_in_is_finished_by_whoever_looks_next,
    an_upload_that_the_sweep_refuses_shows_why_for_a_day,
    a_failed_upload_can_be_deleted,
    an_upload_goes_on_and_ends_only_in_the_version_that_is_named,
    an_upload_whose_bytes_are_missing_is_kept_until_it_expires,
    an_upload_that_was_begun_long_ago_is_not_abandoned_while_it_grows,
);

const DAY: Duration = Duration::from_secs(24 * 3600);

async fn an_upload_that_is_given_up_leaves_nothing(db: Db) {
    let t = TestApp::start(db).await;
    for received in [0, 1000, CLIP.len() - 1] {
        let path = begin(&t, CLIP.len()).await;
        append(&t, &path, 0, &CLIP[..received]).await;
        assert_eq!(used(&t).await, CLIP.len() as u64);
        let answer = t.api.send(tus(&t.api, Method::DELETE, &path)).await;
        assert_eq!(
            (answer.status, answer.header("tus-resumable"), answer.body.len()),
            (204, "1.0.0", 0)
        );
        t.settles_at(0).await;
        assert_eq!(
            (used(&t).await, media(&t).await.len()),
            (0, 0),
            "after {received} bytes"
        );
        assert_eq!(head(&t, &path).await.status, 404);
        append(&t, &path, received, &CLIP[received..])
            .await
            .refused(404, "media_not_found");
        t.api
            .send(tus(&t.api, Method::DELETE, &path))
            .await
            .refused(404, "media_not_found");
        t.settles_at(0).await;
    }
}

async fn an_upload_goes_on_and_ends_only_in_the_version_that_is_named(db: Db) {
    let t = TestApp::start(db).await;
    let path = begin(&t, CLIP.len()).await;
    let id = path.rsplit('/').next().unwrap();
    let version = async || {
        let shown = t.api.get(&format!("/public/v1/media/{id}")).await;
        shown.header("etag").to_owned()
    };
    let send = async |method: Method, tag: &str| {
        let request = tus(&t.api, method, &path).header("if-match", tag);
        let request = request
            .header("content-type", "application/offset+octet-stream")
            .header("upload-offset", "0");
        t.api.send(request.body(CLIP[..1000].to_vec())).await
    };
    let first = version().await;
    for method in [Method::PATCH, Method::DELETE] {
        send(method, "\"other\"")
            .await
            .refused(412, "precondition_failed");
    }
    assert_eq!(send(Method::PATCH, &first).await.status, 204);
    send(Method::DELETE, &first)
        .await
        .refused(412, "precondition_failed");
    assert_eq!(send(Method::DELETE, &version().await).await.status, 204);
}

async fn a_finished_upload_is_deleted_like_any_media(db: Db) {
    let t = TestApp::start(db).await;
    let path = begin(&t, CLIP.len()).await;
    append(&t, &path, 0, CLIP).await;
    let id = is_ready(&t, CLIP).await["id"].as_str().unwrap().to_owned();
    let platform = t.connect("kitestudio").await;
    let draft = json!({ "platformIds": [platform], "content": "x", "mode": "draft", "mediaIds": [id] });
    let post = t.api.create_post(&draft).await;
    t.api
        .send(tus(&t.api, Method::DELETE, &path))
        .await
        .refused(409, "media_in_use");
    is_ready(&t, CLIP).await;
    t.api.delete(&format!("/public/v1/posts/{post}")).await;
    assert_eq!(t.api.send(tus(&t.api, Method::DELETE, &path)).await.status, 204);
    t.settles_at(0).await;
    assert_eq!((used(&t).await, head(&t, &path).await.status), (0, 404));
}

async fn what_is_renamed_and_moved_while_it_comes_in_stays_so(db: Db) {
    let t = TestApp::start(db).await;
    let path = begin(&t, CLIP.len()).await;
    append(&t, &path, 0, &CLIP[..9000]).await;
    let id = media(&t).await[0]["id"].as_str().unwrap().to_owned();
    let folder = t
        .api
        .post("/public/v1/media/folders", &json!({ "name": "Kites" }))
        .await
        .ok()["id"]
        .take();
    let change = json!({ "fileName": "renamed.mp4", "folderId": folder });
    t.api.patch(&format!("/public/v1/media/{id}"), &change).await.ok();
    assert_eq!(append(&t, &path, 9000, &CLIP[9000..]).await.status, 204);
    let ready = is_ready(&t, CLIP).await;
    assert_eq!(
        (&ready["originalFileName"], &ready["folderId"]),
        (&json!("renamed.mp4"), &folder)
    );
}

async fn deleting_pending_media_ends_its_upload(db: Db) {
    let t = TestApp::start(db).await;
    let path = begin(&t, CLIP.len()).await;
    append(&t, &path, 0, &CLIP[..9000]).await;
    let id = media(&t).await[0]["id"].as_str().unwrap().to_owned();
    assert_eq!(t.api.delete(&format!("/public/v1/media/{id}")).await.status, 204);
    append(&t, &path, 9000, &CLIP[9000..])
        .await
        .refused(404, "media_not_found");
    t.settles_at(0).await;
    assert_eq!((used(&t).await, media(&t).await.len()), (0, 0));
}

async fn an_upload_ends_after_a_day_and_is_swept_out(db: Db) {
    let t = TestApp::start(db).await;
    let path = begin(&t, CLIP.len()).await;
    append(&t, &path, 0, &CLIP[..9000]).await;
    t.clock.advance(DAY - Duration::from_millis(1));
    assert_eq!(offset(&t, &path).await, 9000);
    t.clock.advance(Duration::from_millis(1));
    assert_eq!(head(&t, &path).await.status, 404);
    append(&t, &path, 9000, &CLIP[9000..])
        .await
        .refused(404, "media_not_found");
    t.clock.advance(Duration::from_secs(600));
    eventually("it is swept", async || {
        media(&t).await.is_empty() && t.file_count() == 0
    })
    .await;
    assert_eq!(used(&t).await, 0);
}

async fn an_upload_whose_bytes_are_all_in_is_finished_by_whoever_looks_next(db: Db) {
    for by_sweep in [true, false] {
        let mut t = TestApp::start(db).await;
        let path = begin(&t, CLIP.len()).await;
        append(&t, &path, 0, &CLIP[..CLIP.len() - 1]).await;
        died_before_finishing(&t).await;
        if by_sweep {
            t.clock.advance(DAY + DAY);
            eventually("it is swept", async || media(&t).await[0]["status"] == "READY").await;
        } else {
            // A sweep that looks at the same moment is not disturbed.
            eventually("nobody holds it", async || head(&t, &path).await.status != 423).await;
            assert_eq!(offset(&t, &path).await, CLIP.len());
        }
        is_ready(&t, CLIP).await;
        assert_eq!(events(&t).await, ["media.ready"]);
        // Its sweep ends before its database does.
        t.stop().await;
    }
}

async fn an_upload_that_the_sweep_refuses_shows_why_for_a_day(db: Db) {
    let t = TestApp::start(db).await;
    let path = begin(&t, CLIP.len()).await;
    append(&t, &path, 0, &CLIP[..CLIP.len() - 1]).await;
    died_before_finishing_another_file(&t).await;
    t.clock.advance(Duration::from_secs(600));
    eventually("it has failed", async || !media(&t).await[0]["failure"].is_null()).await;
    let shown = media(&t).await[0].clone();
    assert_eq!(
        (&shown["status"], &shown["failure"]["code"]),
        (&json!("PENDING"), &json!("invalid_media_file")),
        "{shown:#}"
    );
    assert_eq!(events(&t).await, ["media.failed"]);
    t.settles_at(0).await;
    assert_eq!((used(&t).await, head(&t, &path).await.status), (0, 404));
    t.clock.advance(DAY + Duration::from_secs(600));
    eventually("it is swept", async || media(&t).await.is_empty()).await;
    assert_eq!(used(&t).await, 0);
}

async fn a_failed_upload_can_be_deleted(db: Db) {
    let t = TestApp::start(db).await;
    let path = begin(&t, CLIP.len()).await;
    append(&t, &path, 0, &CLIP[..CLIP.len() - 1]).await;
    died_before_finishing_another_file(&t).await;
    t.clock.advance(Duration::from_secs(600));
    eventually("it has failed", async || !media(&t).await[0]["failure"].is_null()).await;
    assert_eq!(t.api.send(tus(&t.api, Method::DELETE, &path)).await.status, 204);
    assert_eq!((used(&t).await, media(&t).await.len()), (0, 0));
}

async fn an_upload_whose_bytes_are_missing_is_kept_until_it_expires(db: Db) {
    let t = TestApp::start(db).await;
    let path = begin(&t, CLIP.len()).await;
    append(&t, &path, 0, &CLIP[..9000]).await;
    let key = media(&t).await[0]["storageKey"].as_str().unwrap().to_owned();
    let (file, away) = (t.last_bytes_of(&key), t.dir.path().join("away"));
    std::fs::rename(&file, &away).unwrap();
    append(&t, &path, 9000, &CLIP[9000..])
        .await
        .refused(404, "media_not_found");
    assert_eq!(media(&t).await.len(), 1, "what is not found removes no row");
    let whole = std::fs::read(&away).unwrap();
    std::fs::write(&file, &whole[..whole.len() - 1000]).unwrap();
    append(&t, &path, 9000, &CLIP[9000..])
        .await
        .refused(404, "media_not_found");
    std::fs::rename(&away, &file).unwrap();
    assert_eq!(append(&t, &path, 9000, &CLIP[9000..]).await.status, 204);
    assert_eq!(media(&t).await[0]["status"], "READY");
}

async fn an_upload_that_was_begun_long_ago_is_not_abandoned_while_it_grows(db: Db) {
    let t = TestApp::start(db).await;
    let video = padded(PART_BYTES + 5000);
    let path = begin(&t, video.len()).await;
    append(&t, &path, 0, &video[..PART_BYTES + 1]).await;
    let day_ago = SystemClock.now().minus(DAY);
    let files = t.unfinished().into_iter();
    let begun = files.filter(|file| file.is_of_its_beginning);
    begun.for_each(|file| date(&file.path, day_ago.minus(DAY)));
    let removed = t.app.blobs.remove_abandoned(day_ago, |_| true).await;
    assert_eq!(removed.unwrap(), 0);
    let rest = append(&t, &path, PART_BYTES + 1, &video[PART_BYTES + 1..]).await;
    assert_eq!(rest.status, 204);
    is_ready(&t, &video).await;
}

/// Leaves an upload that misses one byte as a process leaves it that is killed after its last byte was noted.
async fn died_before_finishing(t: &TestApp) {
    let last = CLIP.len() - 1;
    died_after_writing(t, last, &CLIP[last..]).await;
}

/// The same, with other bytes in its file.
async fn died_before_finishing_another_file(t: &TestApp) {
    died_after_writing(t, 0, &[7; CLIP.len()]).await;
}

/// The same, with these bytes in its file from `from` on.
async fn died_after_writing(t: &TestApp, from: usize, bytes: &'static [u8]) {
    let upload = media(t).await[0].clone();
    let key = upload["storageKey"].as_str().unwrap();
    let held = t.app.blobs.hold_partial(key, IfMissing::Fail).await.unwrap();
    let mut partial = held.unwrap();
    let id = upload["id"].as_str().unwrap().parse().unwrap();
    let found = t
        .app
        .store
        .find_upload(t.workspace.id, id, t.now())
        .await
        .unwrap();
    let note = found.and_then(|found| found.note).filter(|_| from > 0);
    partial.go_on_from(from as u64, note.as_deref()).await.unwrap();
    partial.write(Bytes::from_static(bytes)).await.unwrap();
    let length = partial.sync(Extent::Everything).await.unwrap();
    assert_eq!(length, CLIP.len() as u64);
    let note = partial.note().map(str::to_owned);
    let noted = t
        .app
        .store
        .advance_upload(t.workspace.id, id, (length - 1, length), note.as_deref())
        .await;
    assert!(noted.unwrap());
    partial.is_noted();
}
