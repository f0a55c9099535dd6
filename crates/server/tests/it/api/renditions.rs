//! Renditions of photos: made ahead of time in the background, and when they are published.

use futures_util::StreamExt;
use futures_util::stream::iter;
use serde_json::json;

use crate::harness::{Db, TestApp, on_both, post_body};

use super::uploads::plain_webp;

on_both!(a_photo_post_does_not_wait_for_renditions_that_another_workspace_has_queued,);

/// Renditions that one workspace has the service prepare.
const QUEUED: usize = 32;
/// Pixels a side of each: it takes long enough to decode that most still wait while the other workspace publishes.
const SIDE: u32 = 2000;

/// How many renditions the storage holds.
fn renditions(t: &TestApp) -> usize {
    let names = t.file_names();
    let is_rendition = |name: &&String| name.ends_with(".jpg") && !name.ends_with(".preview.jpg");
    names.iter().filter(is_rendition).count()
}

async fn a_photo_post_does_not_wait_for_renditions_that_another_workspace_has_queued(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let (stranger, theirs) = t.stranger_with("kitestudio").await;
    let mut photos = Vec::new();
    for _ in 0..6 {
        photos.push(stranger.upload_photo(1200, 2000).await);
    }
    let file = plain_webp(SIDE);
    let upload = || t.api.upload_form("a.webp", "image/webp", &file, &[]);
    let uploaded: Vec<_> = iter(0..QUEUED).map(|_| upload()).buffered(8).collect().await;
    for answer in uploaded {
        let media = answer.ok()["id"].as_str().unwrap().to_owned();
        let mut body = post_body(&platform, &[media]);
        body["mode"] = json!("schedule");
        body["scheduledFor"] = json!("2026-11-30T12:00:00Z");
        t.api.create_post(&body).await;
    }
    let before = renditions(&t);
    assert!(before < QUEUED / 2, "{before} of {QUEUED} were not queued");
    let post = stranger.publish_now(&theirs, &photos).await;
    t.idle().await;
    let attempts = stranger
        .get(&format!("/public/v1/posts/{post}/attempts"))
        .await
        .ok();
    assert_eq!(
        attempts["attempts"].as_array().unwrap().len(),
        1,
        "the post was handed over"
    );
    let meanwhile = renditions(&t) - before - photos.len();
    assert!(meanwhile <= QUEUED / 2, "{meanwhile} of {QUEUED} came first");
}
