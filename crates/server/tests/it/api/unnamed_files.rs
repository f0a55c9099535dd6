//! Files that no row names: removed in a week, and nothing else is.

use std::time::Duration;

use bytes::Bytes;
use playout_domain::media::Media;
use playout_media::{Extent, IfMissing, Synced};
use playout_server::chance::token;
use serde_json::{Value, json};

use super::slides::slides;
use super::tus;
use super::upload_limits::stalled;
use crate::harness::{
    CLIP, Db, Options, PART_BYTES, TestApp, date, eventually, execute_in, jpeg, on_both, padded, post_body,
};

on_both!(
    files_without_a_row_are_removed_after_a_week_and_all_others_are_kept,
    files_that_a_restored_database_misses_are_kept_for_a_week_after_each_restore,
    a_row_that_comes_at_the_last_moment_keeps_its_files,
    a_storage_of_which_most_has_no_row_is_left_alone,
    one_node_a_day_lists_the_storage_an_hour_after_its_start,
);

const MEDIA: &str = "/public/v1/media";
const SECOND: Duration = Duration::from_secs(1);
const HOUR: Duration = Duration::from_secs(3600);
const DAY: Duration = Duration::from_secs(86_400);
const WEEK: Duration = Duration::from_secs(7 * 86_400);
const FOUND: &str = "have no media object";

/// A world that sweeps only when a test does.
async fn unswept(db: Db, plans: &tempfile::NamedTempFile) -> TestApp {
    std::fs::write(
        plans,
        "[plans.unlimited]\n[plans.roomy]\nstorage_bytes = 50_000_000\n",
    )
    .unwrap();
    let options = Options {
        role: Some(playout_server::serve::Role::Api),
        ..Options::default()
    };
    let options = options
        .plan("roomy")
        .set("plans_file", plans.path().to_str().unwrap());
    TestApp::start_with(db, options).await
}

/// Writes a file of ten bytes that is so old.
fn write(t: &TestApp, name: &str, by: Duration) -> String {
    let file = t.media_folder().join(name);
    std::fs::write(&file, b"ten bytes.").unwrap();
    date(&file, t.now().minus(by));
    name.to_owned()
}

/// Leaves what a process leaves that is killed while it writes, so long ago, a file over many requests and one of a single request. The
/// latter ends when dropped.
async fn killed(t: &TestApp, by: Duration) -> ([String; 2], Synced) {
    let keys = [token(), token()];
    let blobs = &t.app.blobs;
    let held = blobs.hold_partial(&keys[0], IfMissing::Create).await.unwrap();
    let mut partial = held.unwrap();
    partial.go_on_from(0, None).await.unwrap();
    partial.write(Bytes::from_static(CLIP)).await.unwrap();
    partial.sync(Extent::Everything).await.unwrap();
    let whole = padded(PART_BYTES + 1);
    let unnamed = blobs.write_unnamed(&keys[1], whole.into()).await.unwrap();
    for key in &keys {
        assert!(t.unfinished_keys().contains(key));
    }
    let files = t.unfinished().into_iter();
    let of_both = files.filter(|file| keys.contains(&file.key));
    of_both.for_each(|file| date(&file.path, t.now().minus(by)));
    (keys, unnamed)
}

async fn upload(t: &TestApp) -> Value {
    let photo = jpeg(300, 400);
    t.api
        .upload_form("kite.jpg", "image/jpeg", &photo, &[])
        .await
        .ok()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

/// One file of each kind that the service keeps, made as users make them; they are a month old, but for unfinished ones.
async fn every_kind(t: &TestApp) -> tokio::net::TcpStream {
    let photo = upload(t).await;
    t.api.upload_form("clip.mp4", "video/mp4", CLIP, &[]).await.ok();
    t.api
        .post(
            "/public/v1/slides/composite",
            &slides(&[(text(&photo["id"]), "Kites")]),
        )
        .await
        .ok();
    // Taller than the provider takes: a rendition is made when it is to be posted.
    let tall = jpeg(1200, 2000);
    let tall = t.api.upload_form("tall.jpg", "image/jpeg", &tall, &[]).await.ok();
    let tall = text(&tall["id"]).to_owned();
    let platform = t.connect("kitestudio").await;
    let mut post = post_body(&platform, &[tall]);
    let later = json!({ "mode": "schedule", "scheduledFor": "2026-12-20T12:00:00Z" });
    post.as_object_mut()
        .unwrap()
        .extend(later.as_object().unwrap().clone());
    t.api.create_post(&post).await;
    let is_rendition = |name: &String| name.ends_with(".jpg");
    eventually("the rendition is made", async || {
        t.file_names().iter().any(is_rendition)
    })
    .await;
    let resumable = tus::begin(t, 1000).await;
    tus::append(t, &resumable, 0, &CLIP[..500]).await;
    let incoming = stalled(t, &padded(PART_BYTES + 1), PART_BYTES + 5000).await;
    eventually("both are coming in", async || t.unfinished_keys().len() == 2).await;
    // The file of an upload has its name before its row is there.
    let reserved = write(t, &token(), Duration::ZERO);
    let end = t.now().plus(HOUR);
    t.app
        .store
        .reserve_storage(t.workspace.id, &reserved, (10, 50_000_000), end)
        .await
        .unwrap();
    let deleted = upload(t).await;
    t.api.delete(&format!("{MEDIA}/{}", text(&deleted["id"]))).await;
    write(t, text(&deleted["storageKey"]), Duration::ZERO);
    for name in t.file_names() {
        date(&t.media_folder().join(name), t.now().minus(DAY * 30));
    }
    for file in t.unfinished() {
        date(&file.path, t.now().minus(HOUR));
    }
    incoming
}

async fn is_served(t: &TestApp, media: &Value) -> bool {
    let file = t.api.follow(text(&media["publicUrl"])).await.status;
    let preview = t.api.follow(text(&media["previewUrl"])).await.status;
    (file, preview) == (200, 200)
}

async fn execute(t: &TestApp, db: Db, sql: &'static str) {
    execute_in(t.app.config.database_url.expose(), db, sql).await;
}

async fn files_without_a_row_are_removed_after_a_week_and_all_others_are_kept(db: Db) {
    let plans = tempfile::NamedTempFile::new().unwrap();
    let t = unswept(db, &plans).await;
    let incoming = every_kind(&t).await;
    let (live, coming_in) = (t.file_names(), t.unfinished_keys());
    let (left, _unnamed) = killed(&t, DAY + HOUR).await;
    let ours = [
        "",
        ".preview.jpg",
        ".preview.webp",
        ".1920x1080.jpg",
        ".640x480.jpg",
    ];
    let ours = ours.map(|end| format!("{}{end}", token()));
    let lost = ours.map(|name| write(&t, &name, DAY + HOUR));
    let others = [
        "notes.txt".to_owned(),
        format!("{}0", token()),
        format!("{}.bak", token()),
        "media".to_owned(),
    ];
    let others = others.map(|name| write(&t, &name, DAY * 30));
    let young = write(&t, &token(), HOUR);
    let there = |files: &[String]| files.iter().filter(|file| t.file_names().contains(*file)).count();

    t.app.sweep_unnamed_files().await.unwrap();
    assert_eq!(there(&lost), 5, "nothing is removed when it is found");
    assert_eq!(
        t.errors
            .warnings("5 files in the storage have no media object")
            .len(),
        1
    );
    t.app
        .blobs
        .remove_abandoned(t.now().minus(DAY), |_| true)
        .await
        .unwrap();
    assert_eq!(t.unfinished_keys(), coming_in, "without {left:?}");
    assert!(t.file_names().is_superset(&live));
    drop(incoming);

    t.clock.advance(WEEK - SECOND);
    t.app.sweep_unnamed_files().await.unwrap();
    assert_eq!(there(&lost), 5, "the week is not over");
    t.clock.advance(SECOND);
    t.app.sweep_unnamed_files().await.unwrap();
    assert_eq!(
        (there(&lost), there(&others), there(std::slice::from_ref(&young))),
        (0, 4, 1)
    );
    assert!(t.file_names().is_superset(&live));
    t.clock.advance(WEEK);
    t.app.sweep_unnamed_files().await.unwrap();
    assert_eq!((there(&others), there(&[young])), (4, 0));
    assert!(t.file_names().is_superset(&live));
    for media in t.api.get(MEDIA).await.ok()["media"].as_array().unwrap() {
        assert!(
            media["status"] == "PENDING" || is_served(&t, media).await,
            "{media:#}"
        );
    }
}

async fn files_that_a_restored_database_misses_are_kept_for_a_week_after_each_restore(db: Db) {
    let plans = tempfile::NamedTempFile::new().unwrap();
    let t = unswept(db, &plans).await;
    let photo = upload(&t).await;
    for name in t.file_names() {
        date(&t.media_folder().join(name), t.now().minus(DAY * 2));
    }
    let id = text(&photo["id"]).parse().unwrap();
    let row: Media = t.app.store.find_media(t.workspace.id, id).await.unwrap().unwrap();
    // A backup from before the upload is restored, a newer one three days later, and so on.
    for _ in 0..3 {
        execute(&t, db, "DELETE FROM media").await;
        t.app.sweep_unnamed_files().await.unwrap();
        t.clock.advance(DAY * 3);
        t.app.sweep_unnamed_files().await.unwrap();
        t.app
            .store
            .insert_media(t.workspace.id, &row, None)
            .await
            .unwrap();
        t.clock.advance(DAY);
        t.app.sweep_unnamed_files().await.unwrap();
        assert!(is_served(&t, &photo).await);
    }
    t.clock.advance(WEEK * 2);
    t.app.sweep_unnamed_files().await.unwrap();
    assert!(is_served(&t, &photo).await);
}

async fn a_row_that_comes_at_the_last_moment_keeps_its_files(db: Db) {
    let plans = tempfile::NamedTempFile::new().unwrap();
    let t = unswept(db, &plans).await;
    let key = write(&t, &token(), DAY * 2);
    t.app.sweep_unnamed_files().await.unwrap();
    let found_by = t.now();
    assert_eq!(
        t.app.store.unnamed_files(found_by, 10).await.unwrap(),
        std::slice::from_ref(&key)
    );
    t.app
        .store
        .reserve_storage(t.workspace.id, &key, (10, 50_000_000), t.now())
        .await
        .unwrap();
    assert!(t.app.store.unnamed_files(found_by, 10).await.unwrap().is_empty());
}

async fn a_storage_of_which_most_has_no_row_is_left_alone(db: Db) {
    let plans = tempfile::NamedTempFile::new().unwrap();
    let t = unswept(db, &plans).await;
    t.errors.expect("this may be the storage of another database");
    let files: Vec<String> = (0..101).map(|_| write(&t, &token(), DAY * 2)).collect();
    for _ in 0..3 {
        t.app.sweep_unnamed_files().await.unwrap();
        t.clock.advance(WEEK);
    }
    assert_eq!(t.file_names().len(), 101);
    assert_eq!(t.errors.unexpected(), Vec::<String>::new());
    std::fs::remove_file(t.media_folder().join(&files[0])).unwrap();
    t.app.sweep_unnamed_files().await.unwrap();
    assert!(
        t.file_names().is_empty(),
        "few files are removed whatever the database holds"
    );
}

async fn one_node_a_day_lists_the_storage_an_hour_after_its_start(db: Db) {
    let t = TestApp::start(db).await;
    write(&t, &token(), DAY * 2);
    let listings = || t.errors.warnings(FOUND).len();
    assert_eq!(listings(), 0);
    t.clock.advance(HOUR);
    eventually("the storage is listed", async || listings() == 1).await;
    let (other, service) = t.second_node().await;
    for app in [&t.app, &other] {
        app.sweep_unnamed_files_daily().await.unwrap();
    }
    t.clock.advance(DAY - SECOND);
    for app in [&t.app, &other] {
        app.sweep_unnamed_files_daily().await.unwrap();
    }
    assert_eq!(listings(), 1);
    t.clock.advance(SECOND);
    for app in [&t.app, &other] {
        app.sweep_unnamed_files_daily().await.unwrap();
    }
    eventually("it is listed again", async || listings() == 2).await;
    service.stop().await;
}
