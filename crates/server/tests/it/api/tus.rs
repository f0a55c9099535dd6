//! Resumable uploads (tus 1.0, `docs/contract.md#resumable-uploads`).

mod cuts;
mod ends;
mod refusals;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::harness::{Answer, CLIP, Client, Db, START, TestApp, eventually, jpeg, on_both, padded};

on_both!(
    a_video_in_three_parts_becomes_ready_with_the_last,
    a_finished_upload_still_says_where_it_stands,
    an_upload_can_begin_with_its_first_bytes_or_all_of_them,
    a_body_of_unknown_length_is_taken_as_it_comes,
    what_is_offered_is_told_without_a_key,
    every_answer_names_the_version_and_other_versions_are_refused,
    clients_that_can_only_post_say_what_they_mean,
);

const UPLOADS: &str = "/public/v1/media/uploads";
const BYTES: &str = "application/offset+octet-stream";

/// A request of the protocol.
fn tus(api: &Client, method: Method, path: &str) -> RequestBuilder {
    api.request(method, path).header("tus-resumable", "1.0.0")
}

fn metadata(pairs: &[(&str, &str)]) -> String {
    let pair = |(key, value): &(&str, &str)| format!("{key} {}", STANDARD.encode(value));
    pairs.iter().map(pair).collect::<Vec<_>>().join(",")
}

/// Requests an upload of so many bytes.
async fn ask(t: &TestApp, length: usize, pairs: &[(&str, &str)]) -> Answer {
    let request = tus(&t.api, Method::POST, UPLOADS).header("upload-length", length);
    let request = match pairs {
        [] => request,
        pairs => request.header("upload-metadata", metadata(pairs)),
    };
    t.api.send(request).await
}

/// Begins an upload of so many bytes; returns its path.
pub(super) async fn begin(t: &TestApp, length: usize) -> String {
    let answer = ask(t, length, &[]).await;
    assert_eq!(answer.status, 201, "{}", answer.json());
    path_of(t, &answer)
}

fn path_of(t: &TestApp, begun: &Answer) -> String {
    let location = begun.header("location");
    location
        .strip_prefix(&t.app.config.base_url)
        .unwrap_or_else(|| panic!("led to {location:?}"))
        .to_owned()
}

pub(super) async fn append(t: &TestApp, path: &str, offset: usize, bytes: &[u8]) -> Answer {
    t.api.send(appending(t, path, offset, bytes)).await
}

fn appending(t: &TestApp, path: &str, offset: usize, bytes: &[u8]) -> RequestBuilder {
    let request = tus(&t.api, Method::PATCH, path).header("upload-offset", offset);
    request.header("content-type", BYTES).body(bytes.to_vec())
}

async fn head(t: &TestApp, path: &str) -> Answer {
    t.api.send(tus(&t.api, Method::HEAD, path)).await
}

/// The offset of an upload.
async fn offset(t: &TestApp, path: &str) -> usize {
    let answer = head(t, path).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.header("upload-offset").parse().unwrap()
}

async fn media(t: &TestApp) -> Vec<Value> {
    let list = t.api.get("/public/v1/media").await.ok();
    list["media"].as_array().unwrap().clone()
}

async fn used(t: &TestApp) -> u64 {
    t.app.store.storage_used(t.workspace.id).await.unwrap()
}

/// Asserts that the only media object is READY and holds these bytes.
async fn is_ready(t: &TestApp, bytes: &[u8]) -> Value {
    let list = media(t).await;
    assert_eq!(list.len(), 1, "{list:#?}");
    let media = list[0].clone();
    assert_eq!(
        (&media["status"], &media["size"]),
        (&json!("READY"), &json!(bytes.len())),
        "{media:#}"
    );
    let file = t.api.follow(media["publicUrl"].as_str().unwrap()).await;
    assert!(
        file.status == 200 && file.body == bytes,
        "{} bytes with {}",
        file.body.len(),
        file.status
    );
    let preview = t.api.follow(media["previewUrl"].as_str().unwrap()).await;
    assert_eq!(
        (preview.status, preview.header("content-type")),
        (200, "image/jpeg")
    );
    let id = media["id"].as_str().unwrap().parse().unwrap();
    let stored = t.app.store.find_media(t.workspace.id, id).await.unwrap().unwrap();
    assert_eq!(stored.sha256, Some(Sha256::digest(bytes).to_vec()));
    assert_eq!(used(t).await, bytes.len() as u64);
    // The file and its preview.
    t.settles_at(2).await;
    media
}

async fn events(t: &TestApp) -> Vec<String> {
    let events = t.app.store.list_events(t.workspace.id, None, 100).await.unwrap();
    events.into_iter().map(|event| event.kind).collect()
}

async fn a_video_in_three_parts_becomes_ready_with_the_last(db: Db) {
    let t = TestApp::start(db).await;
    let pairs = [
        ("filename", "kite.mp4"),
        ("filetype", "video/mp4"),
        ("anything", "else"),
    ];
    let begun = ask(&t, CLIP.len(), &pairs).await;
    assert_eq!(begun.status, 201);
    let pending = begun.json();
    let (id, key) = (
        pending["id"].as_str().unwrap(),
        pending["storageKey"].as_str().unwrap(),
    );
    assert_eq!(
        begun.header("location"),
        format!("{}{UPLOADS}/{id}", t.app.config.base_url)
    );
    assert_eq!(
        (begun.header("tus-resumable"), begun.header("upload-expires")),
        ("1.0.0", "Sat, 21 Nov 2026 12:00:00 GMT")
    );
    let url = format!("{}/media/{key}", t.app.config.base_url);
    assert_eq!(
        pending,
        json!({
            "id": id, "storageKey": key, "publicUrl": url, "previewUrl": url, "mimeType": "video/mp4", "size": CLIP.len(),
            "receivedBytes": 0, "mediaType": "video", "originalFileName": "kite.mp4", "status": "PENDING", "thumbnailMetadata": null,
            "finalizedAt": null, "failure": null, "folderId": null, "createdAt": START,
        })
    );
    let (path, third) = (path_of(&t, &begun), CLIP.len() / 3);
    for (from, to) in [(0, third), (third, 2 * third), (2 * third, CLIP.len())] {
        let before = head(&t, &path).await;
        assert_eq!(
            (
                before.status,
                before.header("cache-control"),
                before.header("tus-resumable")
            ),
            (200, "no-store", "1.0.0")
        );
        assert_eq!(before.header("upload-offset"), from.to_string());
        assert_eq!(before.header("upload-length"), CLIP.len().to_string());
        assert_eq!(before.header("upload-metadata"), metadata(&pairs));
        assert_eq!(before.header("upload-expires"), "Sat, 21 Nov 2026 12:00:00 GMT");
        let answer = append(&t, &path, from, &CLIP[from..to]).await;
        assert_eq!(
            (answer.status, answer.header("upload-offset")),
            (204, to.to_string().as_str())
        );
        let expires = if to == CLIP.len() {
            ""
        } else {
            "Sat, 21 Nov 2026 12:00:00 GMT"
        };
        assert_eq!(answer.header("upload-expires"), expires);
    }
    let ready = is_ready(&t, CLIP).await;
    assert_eq!(
        (&ready["id"], &ready["originalFileName"], &ready["finalizedAt"]),
        (&json!(id), &json!("kite.mp4"), &json!(START))
    );
    assert_eq!(ready["thumbnailMetadata"]["videoCodec"], "h264");
    assert_eq!(events(&t).await, ["media.ready"]);
}

async fn a_finished_upload_still_says_where_it_stands(db: Db) {
    let t = TestApp::start(db).await;
    let pairs = [("filename", "kite.mp4")];
    let path = path_of(&t, &ask(&t, CLIP.len(), &pairs).await);
    append(&t, &path, 0, CLIP).await;
    let answer = head(&t, &path).await;
    let length = CLIP.len().to_string();
    assert_eq!(
        (
            answer.status,
            answer.header("upload-offset"),
            answer.header("upload-length")
        ),
        (200, length.as_str(), length.as_str())
    );
    assert_eq!(
        (answer.header("upload-metadata"), answer.header("upload-expires")),
        (metadata(&pairs).as_str(), "")
    );
    let nothing = append(&t, &path, CLIP.len(), b"").await;
    assert_eq!(
        (nothing.status, nothing.header("upload-offset")),
        (204, length.as_str())
    );
    let again = append(&t, &path, 0, CLIP)
        .await
        .refused(409, "upload_offset_conflict");
    assert_eq!(again["details"], json!({ "offset": CLIP.len() }));
    append(&t, &path, CLIP.len(), b"more")
        .await
        .refused(413, "payload_too_large");
    is_ready(&t, CLIP).await;
    assert_eq!(events(&t).await, ["media.ready"], "once");
}

async fn an_upload_can_begin_with_its_first_bytes_or_all_of_them(db: Db) {
    let t = TestApp::start(db).await;
    let photo = jpeg(300, 200);
    let first = |bytes: &[u8]| {
        tus(&t.api, Method::POST, UPLOADS)
            .header("upload-length", photo.len())
            .header("content-type", BYTES)
            .body(bytes.to_vec())
    };
    let begun = t.api.send(first(&photo[..100])).await;
    assert_eq!((begun.status, begun.header("upload-offset")), (201, "100"));
    assert_eq!(
        (&begun.json()["status"], begun.header("upload-expires")),
        (&json!("PENDING"), "Sat, 21 Nov 2026 12:00:00 GMT")
    );
    let path = path_of(&t, &begun);
    append(&t, &path, 100, &photo[100..]).await;
    let whole = is_ready(&t, &photo).await;
    assert_eq!(
        (&whole["mimeType"], &whole["originalFileName"]),
        (&json!("image/jpeg"), &json!("upload.jpg")),
        "by its bytes"
    );
    assert_eq!(t.api.send(tus(&t.api, Method::DELETE, &path)).await.status, 204);
    let begun = t.api.send(first(&photo)).await;
    assert_eq!(
        (
            begun.status,
            begun.header("upload-offset"),
            begun.header("upload-expires")
        ),
        (201, photo.len().to_string().as_str(), "")
    );
    assert_eq!(begun.json(), is_ready(&t, &photo).await);
}

async fn a_body_of_unknown_length_is_taken_as_it_comes(db: Db) {
    let t = TestApp::start(db).await;
    let path = begin(&t, CLIP.len()).await;
    let pieces = CLIP
        .chunks(7919)
        .map(|piece| Ok::<_, std::io::Error>(piece.to_vec()));
    let body = reqwest::Body::wrap_stream(futures_util::stream::iter(pieces));
    let request = tus(&t.api, Method::PATCH, &path)
        .header("upload-offset", 0)
        .header("content-type", BYTES);
    assert_eq!(t.api.send(request.body(body)).await.status, 204);
    is_ready(&t, CLIP).await;
}

/// Asserts that a header lists all these names.
#[track_caller]
fn names_all(header: &str, needed: &str) {
    let listed = header.to_ascii_lowercase();
    for name in needed.split(' ') {
        assert!(
            listed.split(',').any(|known| known.trim() == name),
            "{name}: {listed}"
        );
    }
}

async fn what_is_offered_is_told_without_a_key(db: Db) {
    let t = TestApp::start(db).await;
    let nobody = t.api.with_key(None);
    for path in [
        UPLOADS.to_owned(),
        format!("{UPLOADS}/0196f3a0-0000-7000-8000-000000000000"),
    ] {
        let plain = nobody.send(nobody.request(Method::OPTIONS, &path)).await;
        let preflight = nobody
            .request(Method::OPTIONS, &path)
            .header("origin", "https://studio.example")
            .header("access-control-request-method", "PATCH");
        let preflight = nobody
            .send(preflight.header(
                "access-control-request-headers",
                "authorization,tus-resumable,upload-offset,content-type",
            ))
            .await;
        for answer in [&plain, &preflight] {
            assert_eq!(
                (
                    answer.status,
                    answer.header("tus-resumable"),
                    answer.header("tus-version")
                ),
                (204, "1.0.0", "1.0.0")
            );
            assert_eq!(
                answer.header("tus-extension"),
                "creation,creation-with-upload,termination,checksum,expiration"
            );
            assert_eq!(
                (
                    answer.header("tus-checksum-algorithm"),
                    answer.header("tus-max-size")
                ),
                ("sha1,sha256", "4000000000")
            );
        }
        assert_eq!(preflight.header("access-control-allow-origin"), "*");
        names_all(
            preflight.header("access-control-allow-headers"),
            "authorization content-type tus-resumable upload-length upload-offset upload-metadata upload-checksum \
             x-http-method-override",
        );
    }
    let from_a_page = tus(&t.api, Method::POST, UPLOADS)
        .header("upload-length", 10)
        .header("origin", "https://studio.example");
    names_all(
        t.api
            .send(from_a_page)
            .await
            .header("access-control-expose-headers"),
        "location upload-offset upload-length upload-expires upload-metadata tus-resumable tus-version tus-extension \
         tus-max-size",
    );
}

async fn every_answer_names_the_version_and_other_versions_are_refused(db: Db) {
    let t = TestApp::start(db).await;
    let path = begin(&t, 100).await;
    for (method, path) in [
        (Method::POST, UPLOADS),
        (Method::PATCH, &path),
        (Method::HEAD, &path),
        (Method::DELETE, &path),
    ] {
        for version in ["0.2.2", "1.0.1"] {
            let answer = t
                .api
                .send(
                    t.api
                        .request(method.clone(), path)
                        .header("tus-resumable", version),
                )
                .await;
            assert_eq!(
                (
                    answer.status,
                    answer.header("tus-version"),
                    answer.header("tus-resumable")
                ),
                (412, "1.0.0", "1.0.0"),
                "{method} {version:?}"
            );
            if method != Method::HEAD {
                answer.refused(412, "unsupported_tus_version");
            }
        }
        for version in [None, Some(""), Some("one"), Some("1.0")] {
            let request = t.api.request(method.clone(), path);
            let request = version.into_iter().fold(request, |request, version| {
                request.header("tus-resumable", version)
            });
            let answer = t.api.send(request).await;
            assert_eq!(
                (answer.status, answer.header("tus-resumable")),
                (400, "1.0.0"),
                "{method} {version:?}"
            );
            if method != Method::HEAD {
                answer.invalid_at(&[json!(["Tus-Resumable"])]);
            }
        }
    }
    let nobody = t.api.with_key(None);
    let refused = nobody.send(tus(&nobody, Method::POST, UPLOADS)).await;
    refused.refused(401, "missing_api_key");
    assert_eq!(refused.header("tus-resumable"), "1.0.0");
    let wrong = t.api.send(tus(&t.api, Method::GET, &path)).await;
    wrong.refused(405, "method_not_allowed");
    assert_eq!(wrong.header("tus-resumable"), "1.0.0");
    assert!(
        ["HEAD", "PATCH", "DELETE"]
            .iter()
            .all(|method| wrong.header("allow").contains(method)),
        "{}",
        wrong.header("allow")
    );
}

async fn clients_that_can_only_post_say_what_they_mean(db: Db) {
    let t = TestApp::start(db).await;
    let path = begin(&t, CLIP.len()).await;
    let post = |meant: &str| tus(&t.api, Method::POST, &path).header("x-http-method-override", meant);
    let half = post("PATCH")
        .header("upload-offset", 0)
        .header("content-type", BYTES)
        .body(CLIP[..999].to_vec());
    assert_eq!(t.api.send(half).await.status, 204);
    assert_eq!(t.api.send(post("HEAD")).await.header("upload-offset"), "999");
    assert_eq!(t.api.send(post("DELETE")).await.status, 204);
    assert_eq!(head(&t, &path).await.status, 404);
    for meant in ["GET", "", "patch"] {
        t.api.send(post(meant)).await.refused(405, "method_not_allowed");
    }
}
