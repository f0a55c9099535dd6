//! Media: lists, folders, and the files as the world sees them (`docs/contract.md#media`).

use std::time::Duration;

use bytes::Bytes;
use playout_domain::media::Media;
use playout_media::BlobError;
use playout_server::chance::token;
use reqwest::Method;
use serde_json::{Value, json};

use super::uploads::WEBP;
use crate::harness::{Answer, Db, TestApp, jpeg, on_both};

on_both!(
    media_are_listed_newest_first,
    media_are_filtered_by_folder_and_type,
    wrong_filters_are_all_named,
    pages_neither_repeat_nor_skip_while_others_upload,
    folders_are_listed_by_name,
    a_file_is_public_and_safe_to_embed,
    a_preview_is_a_jpeg_at_most_480_wide,
    a_preview_stored_as_a_webp_is_served_as_one_and_deleted_with_its_file,
    a_range_is_a_part_of_the_file,
    ranges_that_cannot_be_read_are_ignored_and_those_outside_refused,
    a_file_already_known_is_not_sent_again,
    a_range_of_another_version_is_the_whole_file,
    head_tells_of_the_whole_file,
    an_address_for_the_provider_ends_with_its_post,
    unknown_files_are_not_found,
);

const MEDIA: &str = "/public/v1/media";
/// The demo's clip.
const CLIP: &[u8] = include_bytes!("../../../../../assets/demo/clip.mp4");

/// The names of what a list shows, in its order.
fn names(list: &Value) -> Vec<String> {
    list["media"]
        .as_array()
        .unwrap()
        .iter()
        .map(|media| media["originalFileName"].as_str().unwrap().to_owned())
        .collect()
}

async fn upload(t: &TestApp, name: &str, parts: &[(&str, &str)]) -> Value {
    t.api
        .upload_form(name, "image/jpeg", &jpeg(40, 30), parts)
        .await
        .ok()
}

async fn folder(t: &TestApp, name: &str) -> String {
    t.app
        .store
        .create_folder(t.workspace.id, name, t.now())
        .await
        .unwrap();
    let folders = t.api.get("/public/v1/media/folders").await.ok();
    let found = folders["folders"]
        .as_array()
        .unwrap()
        .iter()
        .find(|folder| folder["name"] == name)
        .unwrap()
        .clone();
    found["id"].as_str().unwrap().to_owned()
}

/// The path of a public address.
fn path(t: &TestApp, url: &Value) -> String {
    url.as_str()
        .unwrap()
        .strip_prefix(&t.app.config.base_url)
        .unwrap()
        .to_owned()
}

/// Asks for a path, without a key, with these headers.
async fn ask(t: &TestApp, method: Method, path: &str, headers: &[(&str, &str)]) -> Answer {
    let nobody = t.api.with_key(None);
    let request = nobody.request(method, path);
    nobody
        .send(
            headers
                .iter()
                .fold(request, |request, (name, value)| request.header(*name, *value)),
        )
        .await
}

async fn media_are_listed_newest_first(db: Db) {
    let t = TestApp::start(db).await;
    assert_eq!(
        t.api.get(MEDIA).await.ok(),
        json!({ "media": [], "nextCursor": null })
    );
    for name in ["a.jpg", "b.jpg", "c.jpg"] {
        upload(&t, name, &[]).await;
        t.clock.advance(Duration::from_millis(1));
    }
    let list = t.api.get(MEDIA).await.ok();
    assert_eq!(names(&list), ["c.jpg", "b.jpg", "a.jpg"]);
    assert_eq!(list["nextCursor"], Value::Null);
}

async fn media_are_filtered_by_folder_and_type(db: Db) {
    let t = TestApp::start(db).await;
    let kites = folder(&t, "Kites").await;
    upload(&t, "root.jpg", &[]).await;
    t.clock.advance(Duration::from_secs(1));
    upload(&t, "kite.jpg", &[("folderId", &kites)]).await;
    t.clock.advance(Duration::from_secs(1));
    t.api
        .upload_form("kite.mp4", "video/mp4", CLIP, &[("folderId", &kites)])
        .await
        .ok();
    for (query, expected) in [
        (String::new(), &["kite.mp4", "kite.jpg", "root.jpg"][..]),
        ("?folderId=null".to_owned(), &["root.jpg"]),
        (format!("?folderId={kites}"), &["kite.mp4", "kite.jpg"]),
        ("?mediaType=image".to_owned(), &["kite.jpg", "root.jpg"]),
        ("?mediaType=video".to_owned(), &["kite.mp4"]),
        (format!("?mediaType=image&folderId={kites}"), &["kite.jpg"]),
        ("?mediaType=video&folderId=null".to_owned(), &[]),
        ("?folderId=0196f3a0-0000-7000-8000-000000000000".to_owned(), &[]),
    ] {
        assert_eq!(
            names(&t.api.get(&format!("{MEDIA}{query}")).await.ok()),
            expected,
            "{query}"
        );
    }
}

async fn wrong_filters_are_all_named(db: Db) {
    let t = TestApp::start(db).await;
    let answer = t
        .api
        .get(&format!("{MEDIA}?folderId=x&mediaType=audio&limit=0&cursor=x"))
        .await;
    answer.invalid_at(&[
        json!(["folderId"]),
        json!(["mediaType"]),
        json!(["limit"]),
        json!(["cursor"]),
    ]);
    for limit in ["0", "1001", "-1", "x", "", "1.5"] {
        t.api
            .get(&format!("{MEDIA}?limit={limit}"))
            .await
            .invalid_at(&[json!(["limit"])]);
    }
    t.api.get(&format!("{MEDIA}?limit=1000")).await.ok();
}

async fn pages_neither_repeat_nor_skip_while_others_upload(db: Db) {
    let t = TestApp::start(db).await;
    for number in 0..7 {
        upload(&t, &format!("{number}.jpg"), &[]).await;
        if number % 3 == 0 {
            t.clock.advance(Duration::from_millis(1));
        }
    }
    let (mut seen, mut cursor) = (Vec::new(), None::<String>);
    loop {
        let after = cursor
            .map(|cursor| format!("&cursor={cursor}"))
            .unwrap_or_default();
        let page = t.api.get(&format!("{MEDIA}?limit=2{after}")).await.ok();
        assert!(page["media"].as_array().unwrap().len() <= 2);
        seen.extend(names(&page));
        t.clock.advance(Duration::from_millis(1));
        upload(&t, "meanwhile.jpg", &[]).await;
        let Some(next) = page["nextCursor"].as_str() else {
            break;
        };
        cursor = Some(next.to_owned());
    }
    assert_eq!(seen.len(), 7, "{seen:?}");
    seen.sort();
    assert_eq!(
        seen,
        (0..7).map(|number| format!("{number}.jpg")).collect::<Vec<_>>()
    );
}

async fn folders_are_listed_by_name(db: Db) {
    let t = TestApp::start(db).await;
    assert_eq!(
        t.api.get("/public/v1/media/folders").await.ok(),
        json!({ "folders": [] })
    );
    for name in ["zebra", "Apples", "mango"] {
        folder(&t, name).await;
    }
    let list = t.api.get("/public/v1/media/folders").await.ok();
    let folders = list["folders"].as_array().unwrap();
    let names: Vec<_> = folders
        .iter()
        .map(|folder| folder["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["Apples", "mango", "zebra"]);
    let expected = json!({
        "id": folders[0]["id"], "organizationId": t.workspace.id, "name": "Apples",
        "createdAt": crate::harness::START, "updatedAt": crate::harness::START,
    });
    assert_eq!(folders[0], expected);
}

async fn a_file_is_public_and_safe_to_embed(db: Db) {
    let t = TestApp::start(db).await;
    let bytes = jpeg(1000, 500);
    let media = t.api.upload_form("a.jpg", "image/jpeg", &bytes, &[]).await.ok();
    let answer = ask(&t, Method::GET, &path(&t, &media["publicUrl"]), &[]).await;
    assert_eq!((answer.status, answer.body == bytes), (200, true));
    assert_eq!(answer.header("content-type"), "image/jpeg");
    assert_eq!(answer.header("content-length"), bytes.len().to_string());
    assert_eq!(answer.header("accept-ranges"), "bytes");
    assert_eq!(
        answer.header("cache-control"),
        "public, max-age=31536000, immutable"
    );
    assert_eq!(answer.header("x-content-type-options"), "nosniff");
    let policy = answer.header("content-security-policy");
    assert!(
        policy.contains("sandbox") && policy.contains("default-src 'none'"),
        "{policy}"
    );
    assert!(answer.header("etag").starts_with('"') && answer.header("etag").ends_with('"'));
}

async fn a_preview_is_a_jpeg_at_most_480_wide(db: Db) {
    let t = TestApp::start(db).await;
    let photo = t
        .api
        .upload_form("a.jpg", "image/jpeg", &jpeg(1000, 500), &[])
        .await
        .ok();
    let clip = t.api.upload_form("a.mp4", "video/mp4", CLIP, &[]).await.ok();
    for media in [photo, clip] {
        let preview = ask(&t, Method::GET, &path(&t, &media["previewUrl"]), &[]).await;
        assert_eq!(
            (preview.status, preview.header("content-type")),
            (200, "image/jpeg")
        );
        let metadata = &media["thumbnailMetadata"];
        let size = [&metadata["previewWidth"], &metadata["previewHeight"]].map(|side| side.as_u64().unwrap());
        let header = turbojpeg::read_header(&preview.body).unwrap();
        assert_eq!([header.width as u64, header.height as u64], size);
        assert!(size[0] <= 480, "{metadata}");
        assert!(metadata["blurhash"].as_str().is_some_and(|text| text.len() >= 6));
        assert_eq!(
            preview.header("cache-control"),
            "public, max-age=31536000, immutable"
        );
    }
}

async fn a_preview_stored_as_a_webp_is_served_as_one_and_deleted_with_its_file(db: Db) {
    let t = TestApp::start(db).await;
    let id = upload(&t, "a.jpg", &[]).await["id"].as_str().unwrap().to_owned();
    let media = t.app.store.find_media(t.workspace.id, id.parse().unwrap()).await;
    let storage_key = token();
    let old = Media {
        id: playout_server::chance::id(t.now()),
        preview_key: Some(format!("{storage_key}.preview.webp")),
        storage_key,
        ..media.unwrap().unwrap()
    };
    for key in [&old.storage_key, old.preview_key.as_ref().unwrap()] {
        t.app.blobs.put(key, Bytes::from_static(WEBP)).await.unwrap();
    }
    t.app
        .store
        .insert_media(t.workspace.id, &old, None)
        .await
        .unwrap();
    let shown = t.api.get(&format!("{MEDIA}/{}", old.id)).await.ok();
    let preview = ask(&t, Method::GET, &path(&t, &shown["previewUrl"]), &[]).await;
    assert_eq!(
        (preview.status, preview.header("content-type"), &preview.body[..]),
        (200, "image/webp", WEBP)
    );
    let deleted = t.api.delete(&format!("{MEDIA}/{}", old.id)).await;
    assert_eq!(deleted.status, 204);
    let missing = t.app.blobs.head(old.preview_key.as_ref().unwrap()).await;
    assert!(matches!(missing, Err(BlobError::NotFound { .. })), "{missing:?}");
}

async fn a_range_is_a_part_of_the_file(db: Db) {
    let t = TestApp::start(db).await;
    let media = t.api.upload_form("a.mp4", "video/mp4", CLIP, &[]).await.ok();
    let (url, size) = (path(&t, &media["publicUrl"]), CLIP.len());
    for (range, from, to) in [
        ("bytes=0-0".to_owned(), 0, 1),
        ("bytes=0-99".to_owned(), 0, 100),
        ("bytes=100-299".to_owned(), 100, 300),
        (format!("bytes={}-", size - 5), size - 5, size),
        ("bytes=-7".to_owned(), size - 7, size),
        (format!("bytes=-{}", size * 2), 0, size),
        (format!("bytes={}-{}", size - 1, size + 100), size - 1, size),
        ("bytes=0-".to_owned(), 0, size),
    ] {
        let answer = ask(&t, Method::GET, &url, &[("range", &range)]).await;
        assert_eq!(
            (answer.status, answer.body == CLIP[from..to]),
            (206, true),
            "{range}"
        );
        assert_eq!(
            answer.header("content-range"),
            format!("bytes {from}-{}/{size}", to - 1)
        );
        assert_eq!(answer.header("content-length"), (to - from).to_string());
        assert_eq!(answer.header("content-type"), "video/mp4");
    }
}

async fn ranges_that_cannot_be_read_are_ignored_and_those_outside_refused(db: Db) {
    let t = TestApp::start(db).await;
    let media = t.api.upload_form("a.mp4", "video/mp4", CLIP, &[]).await.ok();
    let (url, size) = (path(&t, &media["publicUrl"]), CLIP.len());
    for ignored in [
        "bytes=0-1,5-6",
        "lines=1-2",
        "bytes=5-2",
        "bytes=a-b",
        "bytes",
        "bytes=-",
    ] {
        let answer = ask(&t, Method::GET, &url, &[("range", ignored)]).await;
        assert_eq!((answer.status, answer.body.len()), (200, size), "{ignored}");
    }
    for outside in [
        format!("bytes={size}-"),
        format!("bytes={}-{}", size + 5, size + 9),
        "bytes=-0".to_owned(),
    ] {
        let answer = ask(&t, Method::GET, &url, &[("range", &outside)]).await;
        answer.refused(416, "invalid_request");
        assert_eq!(answer.header("content-range"), format!("bytes */{size}"));
    }
}

async fn a_file_already_known_is_not_sent_again(db: Db) {
    let t = TestApp::start(db).await;
    let url = path(&t, &upload(&t, "a.jpg", &[]).await["publicUrl"]);
    let etag = ask(&t, Method::GET, &url, &[]).await.header("etag").to_owned();
    for known in [
        etag.clone(),
        format!("W/{etag}"),
        format!("\"other\", {etag}"),
        "*".to_owned(),
    ] {
        for headers in [
            &[("if-none-match", known.as_str())][..],
            &[("if-none-match", known.as_str()), ("range", "bytes=0-1")],
        ] {
            let answer = ask(&t, Method::GET, &url, headers).await;
            assert_eq!(
                (answer.status, answer.body.len(), answer.header("etag")),
                (304, 0, etag.as_str()),
                "{known}"
            );
        }
    }
    assert_eq!(
        ask(&t, Method::GET, &url, &[("if-none-match", "\"other\"")])
            .await
            .status,
        200
    );
}

async fn a_range_of_another_version_is_the_whole_file(db: Db) {
    let t = TestApp::start(db).await;
    let url = path(&t, &upload(&t, "a.jpg", &[]).await["publicUrl"]);
    let etag = ask(&t, Method::GET, &url, &[]).await.header("etag").to_owned();
    let with = |validator: &str| {
        let (t, url, validator) = (&t, &url, validator.to_owned());
        async move {
            ask(
                t,
                Method::GET,
                url,
                &[("range", "bytes=0-1"), ("if-range", &validator)],
            )
            .await
            .status
        }
    };
    assert_eq!(with(&etag).await, 206);
    assert_eq!(with("\"other\"").await, 200);
    assert_eq!(
        with(&format!("W/{etag}")).await,
        200,
        "a weak validator never fits"
    );
    assert_eq!(with("Fri, 20 Nov 2026 12:00:00 GMT").await, 200);
}

async fn head_tells_of_the_whole_file(db: Db) {
    let t = TestApp::start(db).await;
    let media = t.api.upload_form("a.mp4", "video/mp4", CLIP, &[]).await.ok();
    let url = path(&t, &media["publicUrl"]);
    for headers in [&[][..], &[("range", "bytes=0-9")]] {
        let answer = ask(&t, Method::HEAD, &url, headers).await;
        assert_eq!(
            (answer.status, answer.body.len()),
            (200, 0),
            "HEAD has no ranges (RFC 9110 §14.2)"
        );
        assert_eq!(answer.header("content-length"), CLIP.len().to_string());
        assert_eq!(
            (answer.header("content-type"), answer.header("accept-ranges")),
            ("video/mp4", "bytes")
        );
    }
    let etag = ask(&t, Method::HEAD, &url, &[]).await.header("etag").to_owned();
    assert_eq!(
        ask(&t, Method::HEAD, &url, &[("if-none-match", &etag)])
            .await
            .status,
        304
    );
}

async fn an_address_for_the_provider_ends_with_its_post(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let photos = [
        t.api.upload_photo(1254, 1254).await,
        t.api.upload_photo(900, 1600).await,
    ];
    let post = t.api.publish_now(&platform, &photos).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    let fetched = t.sim.fetches();
    assert_eq!(fetched.len(), 2, "{fetched:?}");
    let public = t.api.get(MEDIA).await.ok().to_string();
    for url in fetched.keys() {
        assert!(
            url.starts_with(&format!("{}/m/", t.app.config.base_url)) && !public.contains(url.as_str()),
            "{url}"
        );
        let path = path(&t, &json!(url));
        ask(&t, Method::GET, &path, &[]).await.refused(404, "not_found");
        assert_eq!(ask(&t, Method::HEAD, &path, &[]).await.status, 404);
    }
}

async fn unknown_files_are_not_found(db: Db) {
    let t = TestApp::start(db).await;
    let media = upload(&t, "a.jpg", &[]).await;
    let key = media["storageKey"].as_str().unwrap();
    let id = media["id"].as_str().unwrap();
    for name in [
        id,
        "x",
        "..%2fplayout.db",
        "%252e%252e",
        &key[..key.len() - 1],
        &key.to_uppercase(),
        &format!("{key}.preview"),
        &format!("{key}%00"),
    ] {
        ask(&t, Method::GET, &format!("/media/{name}"), &[])
            .await
            .refused(404, "not_found");
    }
    for name in ["x/0.jpg", "x/0", "x/-1.jpg", "x/99999999999999999999.jpg"] {
        ask(&t, Method::GET, &format!("/m/{name}"), &[])
            .await
            .refused(404, "not_found");
    }
}
