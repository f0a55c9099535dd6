//! Media that are there: read, renamed, moved, deleted (`docs/contract.md#media-objects`).

use playout_domain::id::MediaId;
use playout_domain::media::{Media, MediaStatus, MimeType};
use playout_store::Upload;
use serde_json::{Value, json};
use std::time::Duration;

use crate::harness::{Answer, Db, Options, TestApp, execute_in, jpeg, on_both, post_body};

on_both!(
    a_media_object_is_read_as_it_was_uploaded,
    a_media_object_is_renamed_and_moved_and_the_rest_stays,
    a_wrong_change_says_where_and_changes_nothing,
    deleting_takes_the_files_and_gives_the_storage_back,
    media_that_posts_still_need_are_kept,
    media_of_posts_that_may_be_sent_again_are_kept,
    an_upload_that_is_not_finished_ends_when_it_is_deleted,
    deleted_twice_at_once_storage_is_given_back_once,
    what_a_deletion_left_behind_is_swept_and_forgotten_after_a_day,
    a_post_and_the_deletion_of_its_media_at_once_never_fail_inside,
);

const MEDIA: &str = "/public/v1/media";
const POSTS: &str = "/public/v1/posts";
const NOWHERE: &str = "0196f3a0-0000-7000-8000-000000000000";

async fn change(t: &TestApp, id: &str, changes: &Value) -> Answer {
    t.api.patch(&format!("{MEDIA}/{id}"), changes).await
}

async fn delete(t: &TestApp, id: &str) -> Answer {
    t.api.delete(&format!("{MEDIA}/{id}")).await
}

async fn upload(t: &TestApp) -> Value {
    t.api
        .upload_form("kite.jpg", "image/jpeg", &jpeg(40, 30), &[])
        .await
        .ok()
}

async fn folder(t: &TestApp, name: &str) -> String {
    let made = t
        .api
        .post(&format!("{MEDIA}/folders"), &json!({ "name": name }))
        .await
        .ok();
    made["id"].as_str().unwrap().to_owned()
}

async fn used_bytes(t: &TestApp) -> u64 {
    t.api.get("/public/v1/usage").await.ok()["storage"]["usedBytes"]
        .as_u64()
        .unwrap()
}

/// How many files of any kind there are of a media object.
fn files(t: &TestApp, media: &Value) -> usize {
    let key = media["storageKey"].as_str().unwrap();
    let (names, unfinished) = (t.file_names(), t.unfinished_keys());
    let all = names.iter().chain(&unfinished);
    all.filter(|name| name.contains(key)).count()
}

/// A resumable upload of so many bytes that has just begun.
async fn begin_upload(t: &TestApp, bytes: u64) -> MediaId {
    let now = t.now();
    let media = Media {
        id: playout_server::chance::id(now),
        storage_key: playout_server::chance::token(),
        preview_key: None,
        mime: MimeType::Mp4,
        size_bytes: Some(bytes),
        received_bytes: None,
        file_name: "later.mp4".to_owned(),
        status: MediaStatus::Pending,
        probe: None,
        sha256: None,
        finalized_at: None,
        failure: None,
        folder_id: None,
        created_at: now,
    };
    let id = media.id;
    let expires_at = now.plus(Duration::from_secs(86_400));
    let upload = Upload {
        media,
        received_bytes: 0,
        note: None,
        metadata: None,
        expires_at,
    };
    t.app
        .store
        .create_upload(t.workspace.id, &upload, None)
        .await
        .unwrap();
    id
}

async fn a_media_object_is_read_as_it_was_uploaded(db: Db) {
    let t = TestApp::start(db).await;
    let media = upload(&t).await;
    let read = t
        .api
        .get(&format!("{MEDIA}/{}", media["id"].as_str().unwrap()))
        .await;
    assert_eq!((read.status, read.json()), (200, media));
    t.api
        .get(&format!("{MEDIA}/{NOWHERE}"))
        .await
        .refused(404, "media_not_found");
    t.api
        .get(&format!("{MEDIA}/kite.jpg"))
        .await
        .invalid_at(&[json!(["id"])]);
}

async fn a_media_object_is_renamed_and_moved_and_the_rest_stays(db: Db) {
    let t = TestApp::start(db).await;
    let mut media = upload(&t).await;
    let id = media["id"].as_str().unwrap().to_owned();
    let kites = folder(&t, "Kites").await;
    let null = Value::Null;
    for (changes, name, place) in [
        (json!({}), "kite.jpg", &null),
        (json!({ "fileName": "bay.jpg" }), "bay.jpg", &null),
        (json!({ "folderId": kites }), "bay.jpg", &json!(kites)),
        (json!({ "fileName": null }), "bay.jpg", &json!(kites)),
        (json!({ "folderId": null }), "bay.jpg", &null),
        (
            json!({ "folderId": kites, "fileName": "  /tmp/su\u{202e}n.jpg " }),
            "sun.jpg",
            &json!(kites),
        ),
        (json!({ "folderId": "null", "status": "READY" }), "sun.jpg", &null),
        (json!({ "fileName": "é".repeat(255) }), &"é".repeat(255), &null),
    ] {
        let answer = change(&t, &id, &changes).await;
        media["originalFileName"] = json!(name);
        media["folderId"] = place.clone();
        assert_eq!((answer.status, answer.json()), (200, media.clone()), "{changes}");
    }
}

async fn a_wrong_change_says_where_and_changes_nothing(db: Db) {
    let t = TestApp::start(db).await;
    let media = upload(&t).await;
    let id = media["id"].as_str().unwrap();
    for (changes, paths) in [
        (
            json!({ "folderId": "Kites", "fileName": "" }),
            vec![json!(["folderId"]), json!(["fileName"])],
        ),
        (
            json!({ "fileName": "a".repeat(256), "folderId": 5 }),
            vec![json!(["fileName"]), json!(["folderId"])],
        ),
        (json!({ "fileName": "a/" }), vec![json!(["fileName"])]),
        (json!({ "fileName": " \u{7} " }), vec![json!(["fileName"])]),
        (json!({ "fileName": 5 }), vec![json!(["fileName"])]),
        (json!([]), vec![json!([])]),
    ] {
        change(&t, id, &changes).await.invalid_at(&paths);
    }
    change(&t, id, &json!({ "folderId": NOWHERE, "fileName": "new.jpg" }))
        .await
        .refused(404, "folder_not_found");
    change(&t, NOWHERE, &json!({ "folderId": NOWHERE }))
        .await
        .refused(404, "media_not_found");
    change(&t, "x", &json!({ "fileName": "" }))
        .await
        .invalid_at(&[json!(["id"]), json!(["fileName"])]);
    assert_eq!(t.api.get(&format!("{MEDIA}/{id}")).await.ok(), media);
}

async fn deleting_takes_the_files_and_gives_the_storage_back(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    // Taller than the provider takes: publishing makes a rendition beside it.
    let media = t
        .api
        .upload_form("tall.jpg", "image/jpeg", &jpeg(1200, 2000), &[])
        .await
        .ok();
    let id = media["id"].as_str().unwrap().to_owned();
    let post = t.api.publish_now(&platform, std::slice::from_ref(&id)).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    assert_eq!(files(&t, &media), 3, "original, preview, rendition");
    assert_eq!(used_bytes(&t).await, media["size"].as_u64().unwrap());
    let answer = delete(&t, &id).await;
    assert_eq!((answer.status, answer.body.len()), (204, 0));
    assert_eq!((files(&t, &media), used_bytes(&t).await), (0, 0));
    delete(&t, &id).await.refused(404, "media_not_found");
    t.api
        .get(&format!("{MEDIA}/{id}"))
        .await
        .refused(404, "media_not_found");
    for url in ["publicUrl", "previewUrl"] {
        assert_eq!(t.api.follow(media[url].as_str().unwrap()).await.status, 404);
    }
    assert_eq!(t.root(&post).await["state"], "PUBLISHED", "what is out stays");
}

async fn media_that_posts_still_need_are_kept(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect_business("kitestudio").await;
    let id = upload(&t).await["id"].as_str().unwrap().to_owned();
    let mut users = Vec::new();
    for over in [
        json!({ "mode": "draft" }),
        json!({ "mode": "schedule", "scheduledFor": "2026-11-21T12:00:00Z" }),
        json!({ "mode": "draft", "mediaIds": [], "comments": [{ "content": "x", "mediaIds": [id] }] }),
    ] {
        let mut body = post_body(&platform, std::slice::from_ref(&id));
        body.as_object_mut()
            .unwrap()
            .extend(over.as_object().unwrap().clone());
        users.push(t.api.create_post(&body).await);
    }
    users.sort();
    while !users.is_empty() {
        let refused = delete(&t, &id).await.refused(409, "media_in_use");
        assert_eq!(refused["details"], json!({ "postIds": users }));
        t.api.delete(&format!("{POSTS}/{}", users.remove(0))).await;
    }
    assert_eq!(delete(&t, &id).await.status, 204);
}

/// A post that waits for its account goes on by itself, and a person sends one that has failed again: never without one of its files.
async fn media_of_posts_that_may_be_sent_again_are_kept(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let id = upload(&t).await["id"].as_str().unwrap().to_owned();
    let mut body = post_body(&platform, std::slice::from_ref(&id));
    body["mode"] = json!("draft");
    let post = t.api.create_post(&body).await;
    let becomes = async |change: &str| {
        let sql = format!("UPDATE posts SET {change}");
        execute_in(t.app.config.database_url.expose(), db, &sql).await;
    };
    for change in [
        "state = 'ACTION_REQUIRED', waiting = 'reconnect'",
        "state = 'ERROR', waiting = NULL",
    ] {
        becomes(change).await;
        let refused = delete(&t, &id).await.refused(409, "media_in_use");
        assert_eq!(refused["details"], json!({ "postIds": [post] }), "{change}");
    }
    becomes("state = 'PUBLISHED'").await;
    assert_eq!(delete(&t, &id).await.status, 204);
}

async fn an_upload_that_is_not_finished_ends_when_it_is_deleted(db: Db) {
    let t = TestApp::start(db).await;
    let id = begin_upload(&t, 1000).await;
    let read = t.api.get(&format!("{MEDIA}/{id}")).await.ok();
    assert_eq!(
        (&read["status"], &read["finalizedAt"], &read["size"]),
        (&json!("PENDING"), &Value::Null, &json!(1000))
    );
    assert_eq!(used_bytes(&t).await, 1000);
    assert_eq!(delete(&t, &id.to_string()).await.status, 204);
    assert_eq!(used_bytes(&t).await, 0);
    assert_eq!(
        t.app
            .store
            .find_upload(t.workspace.id, id, t.now())
            .await
            .unwrap(),
        None
    );
}

async fn deleted_twice_at_once_storage_is_given_back_once(db: Db) {
    let t = TestApp::start(db).await;
    let (kept, gone) = (upload(&t).await, upload(&t).await);
    let id = gone["id"].as_str().unwrap();
    let answers = futures_util::future::join_all((0..8).map(|_| delete(&t, id))).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 204).count(), 1);
    assert_eq!(answers.iter().filter(|answer| answer.status == 404).count(), 7);
    assert_eq!(used_bytes(&t).await, kept["size"].as_u64().unwrap());
}

async fn what_a_deletion_left_behind_is_swept_and_forgotten_after_a_day(db: Db) {
    let t = TestApp::start(db).await;
    let media = upload(&t).await;
    let key = media["storageKey"].as_str().unwrap();
    delete(&t, media["id"].as_str().unwrap()).await;
    // A preview that was still being drawn.
    t.app
        .blobs
        .put(&format!("{key}.preview.jpg"), bytes::Bytes::from_static(b"late"))
        .await
        .unwrap();
    t.app.sweep_removed_files().await.unwrap();
    assert_eq!(files(&t, &media), 0);
    assert_eq!(t.app.store.removed_files("", 10, t.now()).await.unwrap().len(), 1);
    t.clock.advance(Duration::from_secs(86_401));
    t.app.sweep_removed_files().await.unwrap();
    assert!(
        t.app
            .store
            .removed_files("", 10, t.now())
            .await
            .unwrap()
            .is_empty()
    );
}

async fn a_post_and_the_deletion_of_its_media_at_once_never_fail_inside(db: Db) {
    let t = TestApp::start_with(db, Options::default()).await;
    let platform = t.connect("kitestudio").await;
    for _ in 0..15 {
        let photo = t.api.upload_photo(90, 160).await;
        let mut body = post_body(&platform, std::slice::from_ref(&photo));
        body["mode"] = json!("draft");
        let (created, deleted) = tokio::join!(t.api.post(POSTS, &body), delete(&t, &photo));
        match (created.status, deleted.status) {
            (201, 409) => {}
            (400, 204) => created.invalid_at(&[json!(["mediaIds", 0])]),
            other => panic!("{other:?}"),
        }
    }
}
