//! `POST /media/import`: files that the service fetches (`docs/contract.md#imports`).

mod continued;
mod limits;

use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::{
    CLIP, Db, FileServer, Options, Receiver, Sends, TestApp, eventually, jpeg, on_both, padded,
};

on_both!(
    a_file_is_fetched_and_becomes_ready,
    a_file_is_named_by_the_request_or_by_its_address,
    a_file_of_unknown_length_is_taken_as_it_comes,
    an_image_of_unknown_length_is_no_larger_than_an_upload_of_one,
    progress_is_seen,
    an_address_that_is_busy_is_asked_again,
    what_cannot_be_fetched_fails_with_a_reason,
    what_is_no_medium_fails_as_an_upload_does,
    redirects_are_followed_three_times_and_never_inside,
    an_import_can_be_deleted_while_it_is_fetched,
    an_import_is_no_upload_of_a_client,
    a_repeated_request_imports_once,
    an_address_inside_is_refused,
);

const IMPORT: &str = "/public/v1/media/import";
const MINUTE: Duration = Duration::from_secs(60);

async fn start(db: Db) -> (TestApp, FileServer) {
    let t = TestApp::start_with(db, Options::default().set("egress_allow", "127.0.0.1")).await;
    (t, FileServer::start().await)
}

/// Begins an import; returns the ID of the media object.
async fn import(t: &TestApp, url: &str) -> String {
    let begun = t.api.post(IMPORT, &json!({ "url": url })).await;
    assert_eq!(begun.status, 202);
    let media = begun.json();
    assert_eq!(
        (&media["status"], &media["receivedBytes"]),
        (&json!("PENDING"), &json!(0))
    );
    media["id"].as_str().unwrap().to_owned()
}

async fn media(t: &TestApp, id: &str) -> Value {
    t.api.get(&format!("/public/v1/media/{id}")).await.ok()
}

/// The object once it is READY or has failed; time passes meanwhile.
async fn ended(t: &TestApp, id: &str) -> Value {
    eventually("the import ends", async || {
        t.clock.advance(Duration::from_millis(500));
        let media = media(t, id).await;
        media["status"] == "READY" || !media["failure"].is_null()
    })
    .await;
    media(t, id).await
}

async fn ready(t: &TestApp, id: &str, bytes: &[u8]) -> Value {
    let media = ended(t, id).await;
    assert_eq!(media["status"], "READY", "{media:#}");
    assert_eq!(
        (&media["size"], &media["receivedBytes"]),
        (&json!(bytes.len()), &Value::Null)
    );
    let url = media["publicUrl"].as_str().unwrap();
    assert!(t.nobody().follow(url).await.body == bytes, "the bytes differ");
    media
}

async fn failed(t: &TestApp, id: &str, code: &str) -> String {
    let media = ended(t, id).await;
    assert_eq!(media["failure"]["code"], code, "{media:#}");
    assert_eq!(
        (&media["status"], &media["size"]),
        (&json!("PENDING"), &Value::Null)
    );
    media["failure"]["message"].as_str().unwrap().to_owned()
}

async fn used(t: &TestApp) -> u64 {
    let usage = t.api.get("/public/v1/usage").await.ok();
    usage["storage"]["usedBytes"]
        .as_u64()
        .unwrap_or_else(|| panic!("{usage:#}"))
}

fn whole() -> Sends {
    Sends::default()
}

fn cut_after(bytes: usize) -> Sends {
    let cut_after = Some(bytes);
    Sends { cut_after, ..whole() }
}

fn stops_after(bytes: usize) -> Sends {
    Sends {
        stops: true,
        ..cut_after(bytes)
    }
}

fn status(status: u16) -> Sends {
    answers(status, "", "")
}

fn answers(status: u16, name: &'static str, value: &str) -> Sends {
    let status = Some((status, name, value.to_owned()));
    Sends { status, ..whole() }
}

async fn a_file_is_fetched_and_becomes_ready(db: Db) {
    let (t, server) = start(db).await;
    let receiver = Receiver::start().await;
    let hook = json!({ "url": receiver.url, "events": ["media.ready"] });
    assert_eq!(t.api.post("/public/v1/webhooks", &hook).await.status, 201);
    let url = server.put("/films/kite.mp4", CLIP, "\"1\"");
    let id = import(&t, &url).await;
    let media = ready(&t, &id, CLIP).await;
    assert_eq!(
        (&media["mimeType"], &media["originalFileName"]),
        (&json!("video/mp4"), &json!("kite.mp4"))
    );
    t.idle().await;
    assert_eq!(receiver.only().json()["data"]["id"], id.as_str());
    assert_eq!(used(&t).await, CLIP.len() as u64);
    let platform = t.connect("kitestudio").await;
    let post = t.api.publish_now(&platform, &[id]).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    assert_eq!(server.asked().len(), 1);
    assert_eq!(server.asked()[0].headers["accept-encoding"], "identity");
}

async fn a_file_is_named_by_the_request_or_by_its_address(db: Db) {
    let (t, server) = start(db).await;
    let photo = jpeg(108, 192);
    let folder = t
        .api
        .post("/public/v1/media/folders", &json!({ "name": "Kites" }))
        .await
        .json()["id"]
        .take();
    let url = server.put("/download", photo.clone(), "");
    let body = json!({ "url": url, "fileName": "a/red kite.jpg", "folderId": folder });
    let id = t.api.post(IMPORT, &body).await.json()["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let named = ready(&t, &id, &photo).await;
    assert_eq!(
        (&named["originalFileName"], &named["folderId"]),
        (&json!("red kite.jpg"), &folder)
    );
    let id = import(&t, &url).await;
    assert_eq!(ready(&t, &id, &photo).await["originalFileName"], "upload.jpg");
}

async fn an_image_of_unknown_length_is_no_larger_than_an_upload_of_one(db: Db) {
    let (t, server) = start(db).await;
    for (path, bytes) in [("/little.jpg", 20_000_001), ("/much.jpg", 40 << 20)] {
        let mut photo = jpeg(108, 192);
        photo.resize(bytes, 0);
        let url = server.put(path, photo, "\"1\"");
        server.will([Sends {
            chunked: true,
            ..whole()
        }]);
        let id = import(&t, &url).await;
        failed(&t, &id, "media_too_large").await;
    }
    t.settles_at(0).await;
    assert_eq!(used(&t).await, 0);
}

async fn a_file_of_unknown_length_is_taken_as_it_comes(db: Db) {
    let (t, server) = start(db).await;
    let step = 16 << 20;
    let photo = jpeg(108, 192);
    for (path, film) in [
        ("/short.jpg", photo),
        ("/just.mp4", padded(step)),
        ("/long.mp4", padded(step + 1)),
        ("/longer.mp4", padded(2 * step + 5)),
    ] {
        let before = used(&t).await;
        let url = server.put(path, film.clone(), "\"1\"");
        server.will([Sends {
            chunked: true,
            ..whole()
        }]);
        let id = import(&t, &url).await;
        ready(&t, &id, &film).await;
        assert_eq!(used(&t).await - before, film.len() as u64, "{path}");
    }
    let url = server.put("/cut.mp4", padded(3 << 20), "\"1\"");
    server.will([Sends {
        chunked: true,
        ..cut_after(1 << 20)
    }]);
    let id = import(&t, &url).await;
    ready(&t, &id, &padded(3 << 20)).await;
    let asked = server.asked();
    assert!(asked.last().unwrap().headers.contains_key("range"), "it goes on");
}

async fn progress_is_seen(db: Db) {
    let (t, server) = start(db).await;
    let film = padded(20 << 20);
    let url = server.put("/kite.mp4", film.clone(), "\"1\"");
    server.will([stops_after(17 << 20)]);
    let id = import(&t, &url).await;
    eventually("some of it is in", async || {
        let media = media(&t, &id).await;
        let received = media["receivedBytes"].as_u64().unwrap();
        assert!(received == 0 || media["size"] == film.len(), "{media:#}");
        received >= t.noted_of(16 << 20) as u64
    })
    .await;
    assert_eq!(used(&t).await, film.len() as u64);
    server.go_on();
    ready(&t, &id, &film).await;
}

async fn an_address_that_is_busy_is_asked_again(db: Db) {
    let (t, server) = start(db).await;
    let url = server.put("/kite.mp4", CLIP, "\"1\"");
    server.will([
        status(503),
        answers(429, "retry-after", "20"),
        Sends {
            hangs: true,
            ..whole()
        },
    ]);
    let begun = t.now();
    let id = import(&t, &url).await;
    ready(&t, &id, CLIP).await;
    assert_eq!(server.asked().len(), 4);
    assert!(t.now().since(begun) > Duration::from_secs(20 + 30));
}

async fn what_cannot_be_fetched_fails_with_a_reason(db: Db) {
    let (t, server) = start(db).await;
    let receiver = Receiver::start().await;
    let hook = json!({ "url": receiver.url, "events": ["media.failed"] });
    assert_eq!(t.api.post("/public/v1/webhooks", &hook).await.status, 201);
    let id = import(&t, &format!("{}/nothing.mp4", server.url)).await;
    let problem = failed(&t, &id, "import_failed").await;
    assert_eq!(problem, "The address answered 404.");
    t.idle().await;
    assert_eq!(receiver.only().json()["data"]["failure"]["code"], "import_failed");
    server.will((0..100).map(|_| status(500)));
    let id = import(&t, &server.put("/kite.mp4", CLIP, "\"1\"")).await;
    let problem = failed(&t, &id, "import_failed").await;
    assert_eq!(problem, "The address answered 500. It was tried for 10 minutes.");
    assert!(server.asked().len() < 20, "{}", server.asked().len());
    server.will((0..100).map(|_| stops_after(1 << 10)));
    let id = import(&t, &server.put("/slow.mp4", CLIP, "\"1\"")).await;
    let problem = failed(&t, &id, "import_failed").await;
    assert!(problem.contains("10 minutes"), "{problem}");
    t.settles_at(0).await;
    assert_eq!(used(&t).await, 0);
    let unheard = import(&t, "http://127.0.0.1:9/kite.mp4").await;
    let problem = failed(&t, &unheard, "import_failed").await;
    assert!(problem.starts_with("There was no answer"), "{problem}");
    // It is removed a day later.
    t.clock.advance(25 * 60 * MINUTE);
    eventually("it is swept", async || {
        t.clock.advance(10 * MINUTE);
        t.api.get(&format!("/public/v1/media/{id}")).await.status == 404
    })
    .await;
}

async fn what_is_no_medium_fails_as_an_upload_does(db: Db) {
    let (t, server) = start(db).await;
    for (path, bytes) in [
        ("/page.html", b"<!doctype html><title>Kites</title>".to_vec()),
        ("/empty.mp4", Vec::new()),
    ] {
        for chunked in [false, true] {
            server.will([Sends { chunked, ..whole() }]);
            let id = import(&t, &server.put(path, bytes.clone(), "\"1\"")).await;
            failed(&t, &id, "invalid_media_file").await;
        }
    }
    server.will([answers(200, "content-encoding", "gzip")]);
    let id = import(&t, &server.put("/kite.mp4", CLIP, "\"1\"")).await;
    assert!(failed(&t, &id, "import_failed").await.contains("compressed"));
    t.settles_at(0).await;
    assert_eq!(used(&t).await, 0);
}

async fn redirects_are_followed_three_times_and_never_inside(db: Db) {
    let (t, server) = start(db).await;
    let url = server.put("/kite.mp4", CLIP, "\"1\"");
    let on = |to: &str| answers(302, "location", to);
    server.will([on("/kite.mp4"), on(&url), on("kite.mp4"), whole()]);
    let id = import(&t, &url).await;
    ready(&t, &id, CLIP).await;
    server.will((0..100).map(|_| on("/kite.mp4")));
    let id = import(&t, &url).await;
    let problem = failed(&t, &id, "import_failed").await;
    assert!(
        problem.starts_with("The address redirects more than 3 times."),
        "{problem}"
    );
    let (other, server) = (&t, FileServer::start().await);
    for inside in [
        "http://10.0.0.1/kite.mp4",
        "http://[::1]/kite.mp4",
        "file:///etc/passwd",
    ] {
        server.will((0..100).map(|_| on(inside)));
        let id = import(other, &server.put("/kite.mp4", CLIP, "\"1\"")).await;
        let problem = failed(&t, &id, "import_failed").await;
        assert!(
            problem.starts_with("The address redirects to one that must"),
            "{problem}"
        );
    }
}

async fn an_import_can_be_deleted_while_it_is_fetched(db: Db) {
    let (t, server) = start(db).await;
    let url = server.put("/kite.mp4", padded(20 << 20), "\"1\"");
    server.will([stops_after(17 << 20)]);
    let id = import(&t, &url).await;
    eventually("some of it is in", async || {
        media(&t, &id).await["receivedBytes"] != 0
    })
    .await;
    assert_eq!(t.api.delete(&format!("/public/v1/media/{id}")).await.status, 204);
    eventually("its bytes are gone", async || {
        t.clock.advance(Duration::from_secs(1));
        t.file_count() == 0
    })
    .await;
    assert_eq!(used(&t).await, 0);
    let next = import(&t, &server.put("/next.mp4", CLIP, "\"1\"")).await;
    ready(&t, &next, CLIP).await;
}

async fn an_import_is_no_upload_of_a_client(db: Db) {
    let (t, server) = start(db).await;
    server.will([Sends {
        hangs: true,
        ..whole()
    }]);
    let id = import(&t, &server.put("/kite.mp4", CLIP, "\"1\"")).await;
    let path = format!("/public/v1/media/uploads/{id}");
    for method in [reqwest::Method::HEAD, reqwest::Method::DELETE] {
        let request = t.api.request(method, &path).header("tus-resumable", "1.0.0");
        assert_eq!(t.api.send(request).await.status, 404);
    }
    let request = t
        .api
        .request(reqwest::Method::PATCH, &path)
        .header("tus-resumable", "1.0.0");
    let request = request
        .header("upload-offset", "0")
        .header("content-type", "application/offset+octet-stream");
    assert_eq!(t.api.send(request.body("kite")).await.status, 404);
    ready(&t, &id, CLIP).await;
}

async fn a_repeated_request_imports_once(db: Db) {
    let (t, server) = start(db).await;
    let body = json!({ "url": server.put("/kite.mp4", CLIP, "\"1\"") });
    let send = async |body: &Value| {
        let request = t
            .api
            .request(reqwest::Method::POST, IMPORT)
            .header("idempotency-key", "kite-1");
        t.api.send(request.json(body)).await
    };
    let first = send(&body).await;
    assert_eq!(first.status, 202);
    let id = first.json()["id"].as_str().unwrap().to_owned();
    ready(&t, &id, CLIP).await;
    let again = send(&body).await;
    assert_eq!(
        (again.status, again.header("idempotency-replayed"), again.json()),
        (202, "true", first.json())
    );
    assert_eq!(send(&json!({ "url": server.url })).await.status, 422);
    assert_eq!(server.asked().len(), 1);
}

async fn an_address_inside_is_refused(db: Db) {
    let t = TestApp::start(db).await;
    for (url, code) in [
        ("http://127.0.0.1/kite.mp4", "format"),
        ("http://169.254.169.254/latest/meta-data", "format"),
        ("ftp://example.org/kite.mp4", "format"),
        ("https://ada:secret@example.org/kite.mp4", "format"),
        ("kite.mp4", "format"),
        ("", "too_short"),
    ] {
        let refused = t.api.post(IMPORT, &json!({ "url": url })).await;
        assert_eq!(refused.status, 400, "{url}");
        let details = refused.json()["details"][0].take();
        assert_eq!(
            (&details["path"], &details["code"]),
            (&json!(["url"]), &json!(code)),
            "{url}"
        );
    }
    let folder =
        json!({ "url": "https://example.org/kite.mp4", "folderId": "0196f3a0-0000-7000-8000-000000000000" });
    assert_eq!(
        t.api.post(IMPORT, &folder).await.json()["code"],
        "folder_not_found"
    );
    // What a name leads to is seen when it is asked.
    let id = import(&t, "http://localhost:9/kite.mp4").await;
    let problem = failed(&t, &id, "import_failed").await;
    assert!(
        problem.contains("must not lead to a private address"),
        "{problem}"
    );
}
