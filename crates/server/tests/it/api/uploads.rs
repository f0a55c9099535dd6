//! Uploading media: what is taken, what is refused, and that a refusal leaves nothing behind (`docs/contract.md#uploads`).

use serde_json::{Value, json};

use crate::harness::{Answer, Db, PART_BYTES, START, TestApp, jpeg, on_both, padded};

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
    a_form_with_two_files_is_refused,
    an_endless_text_part_costs_no_memory_and_is_cut,
    a_folder_must_be_the_workspaces_own,
    a_client_that_goes_away_leaves_nothing,
);

pub(super) const MP4: &[u8] = include_bytes!("../../../../media/tests/assets/h264-aac.mp4");
pub(super) const MOV: &[u8] = include_bytes!("../../../../media/tests/assets/h264-pcm.mov");
const WEBM: &[u8] = include_bytes!("../../../../media/tests/assets/vp9-opus.webm");
const ROTATED: &[u8] = include_bytes!("../../../../media/tests/assets/rotated.mp4");
const MKV: &[u8] = include_bytes!("../../../../media/tests/assets/h264.mkv");
const M4A: &[u8] = include_bytes!("../../../../media/tests/assets/sound.m4a");
const SOUND: &[u8] = include_bytes!("../../../../media/tests/assets/sound-only.mp4");
/// One green pixel, lossless.
pub(super) const WEBP: &[u8] =
    b"RIFF\x24\0\0\0WEBPVP8L\x18\0\0\0\x2f\0\0\0\x10\x07\x10\x11\x11\x88\x88\xfe\x07\0\0\0\0\0\0\0\0\0\0\0";
const NOWHERE: &str = "0196f3a0-0000-7000-8000-000000000000";

/// A lossless WebP of one colour, each code of which has a single symbol (RFC 9649 §3.7).
pub(super) fn plain_webp(side: u32) -> Vec<u8> {
    let packed = (side - 1) | (side - 1) << 14 | 1 << 28;
    [&WEBP[..21], &packed.to_le_bytes(), &WEBP[25..]].concat()
}

pub(super) async fn upload(t: &TestApp, bytes: &[u8], parts: &[(&str, &str)]) -> Answer {
    t.api
        .upload_form("some.bin", "application/octet-stream", bytes, parts)
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

async fn a_photo_has_every_field_of_the_contract(db: Db) {
    let t = TestApp::start(db).await;
    let photo = jpeg(1080, 1440);
    let answer = t.api.upload_form("kite.jpg", "image/jpeg", &photo, &[]).await;
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
            "previewUrl": format!("{}/media/{key}.preview.jpg", t.app.config.base_url),
            "mimeType": "image/jpeg",
            "size": photo.len(),
            "receivedBytes": null,
            "mediaType": "image",
            "originalFileName": "kite.jpg",
            "status": "READY",
            "thumbnailMetadata": {
                "width": 1080, "height": 1440, "previewWidth": 405, "previewHeight": 540, "blurhash": blurhash,
                "durationMs": null, "videoCodec": null, "audioCodec": null, "frameRate": null,
            },
            "finalizedAt": START,
            "failure": null, "folderId": null,
            "createdAt": START,
        })
    );
    assert_eq!(t.api.get("/public/v1/media").await.ok()["media"][0], media);
    assert_eq!(t.file_count(), 2, "the photo and its preview");
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
        let media = t.api.upload_form(own, "image/jpeg", &photo, &parts).await.ok();
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
    t.settles_at(0).await;
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
    t.settles_at(0).await;
    assert_eq!(t.api.get("/public/v1/media").await.ok()["media"], json!([]));
}

async fn a_form_with_two_files_is_refused(db: Db) {
    let t = TestApp::start(db).await;
    let photo = || reqwest::multipart::Part::bytes(jpeg(40, 30)).file_name("kite.jpg");
    let form = reqwest::multipart::Form::new()
        .part("file", photo())
        .part("file", photo());
    let request = t.api.request(reqwest::Method::POST, "/public/v1/media");
    let refused = t.api.send(request.multipart(form)).await;
    refused.refused(400, "invalid_media_file");
    let message = refused.json()["message"].take();
    assert!(
        message.as_str().unwrap().contains("more than one file"),
        "{message}"
    );
    t.settles_at(0).await;
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
    t.settles_at(0).await;
}

async fn an_endless_text_part_costs_no_memory_and_is_cut(db: Db) {
    let t = TestApp::start(db).await;
    let endless = "x".repeat(8_000_000);
    let media = upload(&t, &jpeg(40, 30), &[("fileName", &endless)]).await.ok();
    assert_eq!(media["originalFileName"].as_str().unwrap().len(), 255);
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
    t.settles_at(4).await;
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
    // More than a part: what came of the first one is not in a bucket yet.
    begun.extend_from_slice(&padded(PART_BYTES + 1));
    tokio::io::AsyncWriteExt::write_all(&mut stream, &begun)
        .await
        .unwrap();
    t.settles_at(1).await;
    drop(stream);
    t.settles_at(0).await;
    assert_eq!(t.api.get("/public/v1/media").await.ok()["media"], json!([]));
}
