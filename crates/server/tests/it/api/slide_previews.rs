//! Previews of slides: drawn as the slide will be, not stored, and not charged.

use serde_json::{Value, json};

use super::slides::endless;
use crate::harness::{Answer, CLIP, Db, Options, TestApp, on_both};

on_both!(
    a_preview_is_as_wide_as_asked_and_leaves_nothing_behind,
    a_full_preview_is_the_slide_to_the_byte,
    what_cannot_be_seen_is_refused_where_it_stands,
);

const PREVIEW: &str = "/public/v1/slides/preview";

async fn preview(t: &TestApp, body: &Value) -> Answer {
    t.api.post(PREVIEW, body).await
}

#[track_caller]
fn size(answer: &Answer) -> (usize, usize) {
    assert_eq!(
        (answer.status, answer.header("content-type")),
        (200, "image/jpeg")
    );
    let header = turbojpeg::read_header(&answer.body).unwrap();
    (header.width, header.height)
}

async fn a_preview_is_as_wide_as_asked_and_leaves_nothing_behind(db: Db) {
    let t = TestApp::start_with(db, Options::default().set("composite_credits", "1")).await;
    let photo = t.api.upload_photo(300, 400).await;
    let before = t.api.get("/public/v1/usage").await.ok();
    let mut body = json!({ "mediaId": photo, "caption": "Three kites", "captionStyle": "box" });
    let answer = preview(&t, &body).await;
    assert_eq!(
        (
            size(&answer),
            answer.header("cache-control"),
            answer.header("missing-glyphs")
        ),
        ((540, 960), "no-store", "")
    );
    for (width, expected) in [(1080, (1080, 1920)), (270, (270, 480)), (100, (100, 178))] {
        body["width"] = json!(width);
        assert_eq!(size(&preview(&t, &body).await), expected);
    }
    assert_eq!(t.api.get("/public/v1/usage").await.ok(), before);
    assert_eq!(
        t.api.get("/public/v1/media").await.ok()["media"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
}

async fn a_full_preview_is_the_slide_to_the_byte(db: Db) {
    let t = TestApp::start(db).await;
    let photo = t.api.upload_photo(300, 400).await;
    let body = json!({ "mediaId": photo, "caption": "Three kites", "fit": "contain", "width": 1080 });
    let seen = preview(&t, &body).await;
    let made =
        json!({ "slides": [{ "index": 1, "mediaId": photo, "caption": "Three kites" }], "fit": "contain" });
    let made = t.api.post("/public/v1/slides/composite", &made).await.ok();
    let media = t
        .api
        .get(&format!(
            "/public/v1/media/{}",
            made["slides"][0]["mediaId"].as_str().unwrap()
        ))
        .await
        .ok();
    assert_eq!(
        t.api.follow(media["publicUrl"].as_str().unwrap()).await.body,
        seen.body
    );
}

async fn what_cannot_be_seen_is_refused_where_it_stands(db: Db) {
    let t = TestApp::start(db).await;
    let photo = t.api.upload_photo(300, 400).await;
    let clip = t.api.upload_form("clip.mp4", "video/mp4", CLIP, &[]).await.ok();
    preview(&t, &json!({ "mediaId": photo, "caption": endless() }))
        .await
        .invalid_at(&[json!(["caption"])]);
    preview(&t, &json!({ "mediaId": clip["id"], "caption": "" }))
        .await
        .invalid_at(&[json!(["mediaId"])]);
    preview(&t, &json!({ "caption": 1, "width": 5 }))
        .await
        .invalid_at(&[json!(["caption"]), json!(["width"]), json!(["mediaId"])]);
    let seen = preview(&t, &json!({ "mediaId": photo, "caption": "\u{e000} kite" })).await;
    assert_eq!(seen.header("missing-glyphs"), "U+E000");
}
