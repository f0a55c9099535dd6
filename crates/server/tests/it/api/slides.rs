//! Slides (`docs/contract.md#slides`): in order, all or nothing, charged, and media like any other.

use std::time::Duration;

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::harness::{Answer, CLIP, Client, Db, Options, TestApp, jpeg, on_both, post_body};

on_both!(
    slides_come_in_the_order_asked_and_are_media_as_any,
    slides_make_a_post,
    each_image_that_is_none_of_the_workspaces_is_named,
    when_slides_cannot_be_made_every_reason_is_told_and_nothing_is_left,
    what_slides_cost_is_spent_with_them_and_never_more_than_there_is,
    of_many_requests_at_once_as_many_are_done_as_can_be_paid_for,
    slides_that_do_not_fit_the_storage_are_not_kept,
    the_same_request_again_makes_nothing_anew,
    what_no_font_has_is_named,
    thirty_five_slides_are_made_and_one_more_is_refused,
);

const COMPOSITE: &str = "/public/v1/slides/composite";
const MEDIA: &str = "/public/v1/media";
const NEVER: &str = "0196f3a0-0000-7000-8000-000000000000";

/// A request for slides of these images, each with its caption.
pub(crate) fn slides(of: &[(&str, &str)]) -> Value {
    let slides = of.iter().enumerate();
    let slides =
        slides.map(|(at, (id, caption))| json!({ "index": at + 1, "mediaId": id, "caption": caption }));
    json!({ "slides": slides.collect::<Value>() })
}

/// A caption that no slide has room for.
pub(crate) fn endless() -> String {
    "a\n".repeat(250)
}

async fn composite(api: &Client, body: &Value) -> Answer {
    api.post(COMPOSITE, body).await
}

async fn media(t: &TestApp) -> Vec<Value> {
    t.api.get(MEDIA).await.ok()["media"].as_array().unwrap().clone()
}

async fn usage(t: &TestApp) -> (u64, u64) {
    let usage = t.api.get("/public/v1/usage").await.ok();
    let number = |pointer: &str| usage.pointer(pointer).unwrap().as_u64().unwrap();
    (number("/aiCredits/used"), number("/storage/usedBytes"))
}

/// A world on a plan with these limits, in which a slide costs so many credits.
async fn planned(db: Db, plan: &str, credits: u32) -> (TestApp, tempfile::NamedTempFile) {
    let plans = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(&plans, format!("[plans.unlimited]\n[plans.small]\n{plan}\n")).unwrap();
    let options = Options::default()
        .plan("small")
        .set("plans_file", plans.path().to_str().unwrap())
        .set("composite_credits", credits.to_string());
    (TestApp::start_with(db, options).await, plans)
}

/// The media object of a slide that was made.
async fn is_media_as_any(t: &TestApp, slide: &Value) -> Value {
    assert_eq!(slide["warnings"], json!([]));
    let media = t
        .api
        .get(&format!("{MEDIA}/{}", slide["mediaId"].as_str().unwrap()))
        .await
        .ok();
    assert_eq!(
        (&media["mimeType"], &media["status"]),
        (&json!("image/jpeg"), &json!("READY"))
    );
    let shown = &media["thumbnailMetadata"];
    assert_eq!(
        (&shown["width"], &shown["height"], &shown["previewWidth"]),
        (&json!(1080), &json!(1920), &json!(405))
    );
    assert!(shown["blurhash"].is_string());
    let file = t.api.follow(media["publicUrl"].as_str().unwrap()).await;
    assert_eq!(
        (file.body.len() as u64, file.header("content-type")),
        (media["size"].as_u64().unwrap(), "image/jpeg")
    );
    let header = turbojpeg::read_header(&file.body).unwrap();
    assert_eq!((header.width, header.height), (1080, 1920));
    let stored = t
        .app
        .store
        .media_by_storage_key(media["storageKey"].as_str().unwrap())
        .await
        .unwrap()
        .unwrap()
        .0;
    assert_eq!(stored.sha256.unwrap(), Sha256::digest(&file.body).to_vec());
    let preview = t.api.follow(media["previewUrl"].as_str().unwrap()).await;
    assert_eq!(
        (preview.status, preview.header("content-type")),
        (200, "image/jpeg")
    );
    media
}

async fn slides_come_in_the_order_asked_and_are_media_as_any(db: Db) {
    let t = TestApp::start(db).await;
    let folder = t
        .api
        .post("/public/v1/media/folders", &json!({ "name": "Kites" }))
        .await
        .ok();
    let folder = folder["id"].as_str().unwrap();
    let upload = async |name: &str, parts: &[(&str, &str)]| {
        let photo = jpeg(300, 400);
        t.api.upload_form(name, "image/jpeg", &photo, parts).await.ok()["id"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let (first, second) = (
        upload("first.jpg", &[]).await,
        upload("second.jpeg", &[("folderId", folder)]).await,
    );
    let (_, before) = usage(&t).await;
    t.clock.advance(Duration::from_secs(1));
    let mut body = slides(&[(&second, "One kite"), (&first, ""), (&second, "Two kites")]);
    for (slide, index) in [7, 0, 3].into_iter().enumerate() {
        body["slides"][slide]["index"] = json!(index);
    }
    let answer = composite(&t.api, &body).await;
    assert_eq!(answer.status, 201);
    let made = answer.json();
    let indices: Vec<&Value> = made["slides"]
        .as_array()
        .unwrap()
        .iter()
        .map(|slide| &slide["index"])
        .collect();
    assert_eq!(indices, [7, 0, 3]);
    let mut sizes = 0;
    for (slide, name, folder) in [
        (0, "second-captioned.jpg", json!(folder)),
        (1, "first-captioned.jpg", Value::Null),
        (2, "second-captioned.jpg", json!(folder)),
    ] {
        let media = is_media_as_any(&t, &made["slides"][slide]).await;
        assert_eq!(
            (&media["originalFileName"], &media["folderId"]),
            (&json!(name), &folder)
        );
        sizes += media["size"].as_u64().unwrap();
    }
    assert_eq!(
        usage(&t).await,
        (0, before + sizes),
        "a slide costs nothing but its room unless the operator says so"
    );
    let listed: Vec<Value> = media(&t).await[..3]
        .iter()
        .map(|media| media["id"].clone())
        .collect();
    let expected: Vec<Value> = (0..3)
        .rev()
        .map(|slide| made["slides"][slide]["mediaId"].clone())
        .collect();
    assert_eq!(listed, expected, "the last slide is the newest");
}

async fn slides_make_a_post(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let photo = t.api.upload_photo(300, 400).await;
    let made = composite(&t.api, &slides(&[(&photo, "One kite"), (&photo, "Two kites")]))
        .await
        .ok();
    let ids: Vec<String> = (0..2)
        .map(|slide| made["slides"][slide]["mediaId"].as_str().unwrap().to_owned())
        .collect();
    let post = t.api.create_post(&post_body(&platform, &ids)).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
}

async fn each_image_that_is_none_of_the_workspaces_is_named(db: Db) {
    let t = TestApp::start(db).await;
    let photo = t.api.upload_photo(300, 400).await;
    let clip = t.api.upload_form("clip.mp4", "video/mp4", CLIP, &[]).await.ok()["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let begun = t
        .api
        .request(Method::POST, "/public/v1/media/uploads")
        .header("Tus-Resumable", "1.0.0")
        .header("Upload-Length", "900");
    let begun = t.api.send(begun).await.ok()["id"].as_str().unwrap().to_owned();
    let foreign = t.stranger().await.upload_photo(300, 400).await;
    let body = slides(&[
        (&clip, "x"),
        (&photo, "x"),
        (&begun, "x"),
        (&foreign, "x"),
        (NEVER, "x"),
    ]);
    let paths = [0, 2, 3, 4].map(|slide| json!(["slides", slide, "mediaId"]));
    composite(&t.api, &body).await.invalid_at(&paths);
    composite(&t.api, &json!({ "slides": [{ "index": 1 }, { "index": 1 }] }))
        .await
        .invalid_at(&[
            json!(["slides", 0, "mediaId"]),
            json!(["slides", 0, "caption"]),
            json!(["slides", 1, "index"]),
            json!(["slides", 1, "mediaId"]),
            json!(["slides", 1, "caption"]),
        ]);
    composite(&t.api, &json!({ "slides": [] }))
        .await
        .invalid_at(&[json!(["slides"])]);
}

async fn when_slides_cannot_be_made_every_reason_is_told_and_nothing_is_left(db: Db) {
    let (t, _plans) = planned(db, "", 1).await;
    let (photo, broken) = (
        t.api.upload_photo(300, 400).await,
        t.api
            .upload_form("b.jpg", "image/jpeg", &jpeg(90, 160), &[])
            .await
            .ok(),
    );
    let key = broken["storageKey"].as_str().unwrap();
    t.app
        .blobs
        .put(key, bytes::Bytes::from_static(b"no picture any more"))
        .await
        .unwrap();
    let (before, stored) = (usage(&t).await, t.file_count());
    let too_long = endless();
    let body = slides(&[
        (&photo, "Fine"),
        (broken["id"].as_str().unwrap(), "Fine"),
        (&photo, &too_long),
        (&photo, "Fine"),
    ]);
    composite(&t.api, &body)
        .await
        .invalid_at(&[json!(["slides", 1, "mediaId"]), json!(["slides", 2, "caption"])]);
    assert_eq!(
        (usage(&t).await, t.file_count(), media(&t).await.len()),
        (before, stored, 2)
    );
}

async fn what_slides_cost_is_spent_with_them_and_never_more_than_there_is(db: Db) {
    let (t, _plans) = planned(db, "ai_credits_per_month = 7", 2).await;
    let photo = t.api.upload_photo(300, 400).await;
    let three = slides(&[(&photo, "a"), (&photo, "b"), (&photo, "c")]);
    composite(&t.api, &three).await.ok();
    assert_eq!(usage(&t).await.0, 6);
    let stored = t.file_count();
    let refused = composite(&t.api, &slides(&[(&photo, "d")]))
        .await
        .refused(409, "insufficient_credits");
    assert_eq!(
        refused["details"],
        json!({ "limit": 7, "used": 6, "resetsAt": "2026-12-01T00:00:00.000Z" })
    );
    assert_eq!(
        (usage(&t).await.0, t.file_count(), media(&t).await.len()),
        (6, stored, 4)
    );
    composite(&t.api, &slides(&[(&photo, &endless())]))
        .await
        .refused(409, "insufficient_credits");
    t.clock
        .set(playout_domain::time::Time::parse("2026-12-01T00:00:00Z").unwrap());
    composite(&t.api, &three).await.ok();
    assert_eq!(usage(&t).await.0, 6, "a new month");
}

async fn of_many_requests_at_once_as_many_are_done_as_can_be_paid_for(db: Db) {
    let (t, _plans) = planned(db, "ai_credits_per_month = 7", 1).await;
    let photo = t.api.upload_photo(300, 400).await;
    let two = slides(&[(&photo, "a"), (&photo, "b")]);
    let answers = join_all((0..6).map(|_| composite(&t.api, &two))).await;
    let made = answers.iter().filter(|answer| answer.status == 201).count();
    for answer in answers.iter().filter(|answer| answer.status != 201) {
        answer.refused(409, "insufficient_credits");
    }
    assert_eq!((made, usage(&t).await.0), (3, 6));
    assert_eq!(
        (media(&t).await.len(), t.file_count()),
        (7, 14),
        "each with its preview, and nothing besides"
    );
}

async fn slides_that_do_not_fit_the_storage_are_not_kept(db: Db) {
    let photo = jpeg(300, 400);
    let (t, _plans) = planned(
        db,
        &format!("storage_bytes = {}\nai_credits_per_month = 5", photo.len() + 9),
        1,
    )
    .await;
    let photo = t.api.upload_form("a.jpg", "image/jpeg", &photo, &[]).await.ok();
    let body = slides(&[(photo["id"].as_str().unwrap(), "a")]);
    let refused = composite(&t.api, &body)
        .await
        .refused(409, "storage_limit_reached");
    let size = photo["size"].as_u64().unwrap();
    assert_eq!(
        refused["details"],
        json!({ "limit": size + 9, "used": size, "resetsAt": null })
    );
    assert_eq!(
        (usage(&t).await, t.file_count(), media(&t).await.len()),
        ((0, size), 2, 1)
    );
    let noted = t
        .app
        .store
        .removed_files("", 10, t.now().plus(Duration::from_secs(86_400)))
        .await
        .unwrap();
    assert_eq!(
        noted.len(),
        1,
        "the sweep looks again, because a file may get its name late"
    );
}

async fn the_same_request_again_makes_nothing_anew(db: Db) {
    let (t, _plans) = planned(db, "", 1).await;
    let photo = t.api.upload_photo(300, 400).await;
    let send = async |body: &Value| {
        let request = t
            .api
            .request(Method::POST, COMPOSITE)
            .header("idempotency-key", "slides-1");
        t.api.send(request.json(body)).await
    };
    send(&slides(&[(&photo, &endless())]))
        .await
        .refused(400, "invalid_request");
    let body = slides(&[(&photo, "a"), (&photo, "b")]);
    let (first, mut other) = (send(&body).await, body.clone());
    other["captionSize"] = json!("medium");
    let again = send(&other).await;
    assert_eq!((first.status, again.status, &first.body), (201, 201, &again.body));
    assert_eq!(
        (
            first.header("idempotency-replayed"),
            again.header("idempotency-replayed")
        ),
        ("", "true")
    );
    assert_eq!((usage(&t).await.0, media(&t).await.len()), (2, 3));
    other["captionSize"] = json!("large");
    send(&other).await.refused(422, "idempotency_key_reused");
}

async fn what_no_font_has_is_named(db: Db) {
    let t = TestApp::start(db).await;
    let photo = t.api.upload_photo(300, 400).await;
    let made = composite(
        &t.api,
        &slides(&[(&photo, "Kite"), (&photo, "Kite \u{e000}\u{f8fe}")]),
    )
    .await
    .ok();
    assert_eq!(made["slides"][0]["warnings"], json!([]));
    let warning = &made["slides"][1]["warnings"][0];
    assert_eq!(
        (&warning["code"], &warning["characters"]),
        (&json!("missing_glyphs"), &json!(["U+E000", "U+F8FE"]))
    );
    assert!(!warning["message"].as_str().unwrap().is_empty());
}

async fn thirty_five_slides_are_made_and_one_more_is_refused(db: Db) {
    let t = TestApp::start(db).await;
    let photo = t.api.upload_photo(90, 160).await;
    let of = |count| slides(&vec![(photo.as_str(), "Kite"); count]);
    assert_eq!(
        composite(&t.api, &of(35)).await.ok()["slides"]
            .as_array()
            .unwrap()
            .len(),
        35
    );
    composite(&t.api, &of(36)).await.invalid_at(&[json!(["slides"])]);
    assert_eq!(media(&t).await.len(), 36);
}
