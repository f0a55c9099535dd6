//! Connections that are cut, stay silent or come twice.

use std::time::Duration;

use playout_domain::error::{Code, Refusal};
use playout_server::app::AppError;
use playout_server::app::uploads::Chunk;
use playout_wire::tus::AppendToUpload;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::*;

on_both!(
    what_arrived_before_a_cut_is_kept_and_the_rest_can_follow,
    a_cut_after_the_last_byte_loses_nothing,
    bytes_whose_checksum_cannot_be_verified_any_more_are_not_kept,
    a_silent_connection_gives_way_to_the_client_that_comes_back,
    a_connection_that_stays_silent_is_given_up_by_itself,
    a_long_request_is_noted_while_it_still_runs,
    an_upload_that_is_given_up_in_the_middle_of_a_request_is_gone,
    of_requests_at_the_same_time_one_wins_and_the_others_change_nothing,
    the_same_last_bytes_at_two_nodes_at_once_end_the_upload_once,
    two_nodes_at_one_upload_do_not_mix_their_bytes,
    a_service_that_stops_keeps_what_came_and_the_client_goes_on_afterwards,
);

/// A PATCH that announces all the rest of the clip and sends only up to `to`.
async fn promise(t: &TestApp, path: &str, (from, to): (usize, usize), more: &str) -> TcpStream {
    let address = t.app.config.base_url.trim_start_matches("http://");
    let key = t
        .app
        .create_key(t.workspace.id, "raw", None, None)
        .await
        .unwrap()
        .key;
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!(
        "PATCH {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {}\r\nTus-Resumable: 1.0.0\r\n\
         Content-Type: {BYTES}\r\nUpload-Offset: {from}\r\nContent-Length: {}\r\n{more}\r\n",
        key.expose(),
        CLIP.len() - from
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    stream.write_all(&CLIP[from..to]).await.unwrap();
    stream
}

/// Queries the upload until its offset is `wanted`.
async fn comes_to(t: &TestApp, path: &str, wanted: usize) {
    let stands = format!("the upload stands at {wanted}");
    eventually(&stands, async || offset(t, path).await == wanted).await;
}

/// Waits until a request holds an upload.
async fn is_held(t: &TestApp) {
    eventually("a request holds the upload", async || t.app.uploads.count() == 1).await;
}

async fn what_arrived_before_a_cut_is_kept_and_the_rest_can_follow(db: Db) {
    let t = TestApp::start(db).await;
    let path = begin(&t, CLIP.len()).await;
    let mut from = 0;
    for to in [3000, 5000, 20_000] {
        drop(promise(&t, &path, (from, to), "").await);
        comes_to(&t, &path, to).await;
        from = to;
    }
    assert_eq!(append(&t, &path, from, &CLIP[from..]).await.status, 204);
    is_ready(&t, CLIP).await;
}

async fn a_cut_after_the_last_byte_loses_nothing(db: Db) {
    let t = TestApp::start(db).await;
    let path = begin(&t, CLIP.len()).await;
    drop(promise(&t, &path, (0, CLIP.len()), "").await);
    eventually("it is ready", async || media(&t).await[0]["status"] == "READY").await;
    is_ready(&t, CLIP).await;
    assert_eq!(events(&t).await, ["media.ready"]);
}

async fn bytes_whose_checksum_cannot_be_verified_any_more_are_not_kept(db: Db) {
    let t = TestApp::start(db).await;
    let path = begin(&t, CLIP.len()).await;
    append(&t, &path, 0, &CLIP[..5000]).await;
    let sum = format!("Upload-Checksum: sha1 {}\r\n", STANDARD.encode([0; 20]));
    let cut = promise(&t, &path, (5000, 9000), &sum).await;
    is_held(&t).await;
    drop(cut);
    t.clock.advance(Duration::from_secs(2));
    assert_eq!(offset(&t, &path).await, 5000);
    assert_eq!(append(&t, &path, 5000, &CLIP[5000..]).await.status, 204);
    is_ready(&t, CLIP).await;
}

async fn a_silent_connection_gives_way_to_the_client_that_comes_back(db: Db) {
    let t = TestApp::start(db).await;
    let path = begin(&t, CLIP.len()).await;
    let mut silent = promise(&t, &path, (0, 30_000), "").await;
    is_held(&t).await;
    // Its bytes may still be arriving: then it is not silent yet.
    loop {
        t.clock.advance(Duration::from_secs(2));
        let kept = offset(&t, &path).await;
        match append(&t, &path, kept, &CLIP[kept..]).await.status {
            204 => break,
            status => assert_eq!(status, 423),
        }
    }
    let mut answer = String::new();
    silent.read_to_string(&mut answer).await.unwrap();
    assert!(
        answer.starts_with("HTTP/1.1 423") && answer.contains("upload_locked"),
        "{answer}"
    );
    is_ready(&t, CLIP).await;
}

async fn a_connection_that_stays_silent_is_given_up_by_itself(db: Db) {
    let t = TestApp::start(db).await;
    let path = begin(&t, CLIP.len()).await;
    let mut silent = promise(&t, &path, (0, 30_000), "").await;
    is_held(&t).await;
    let mut answer = [0; 12];
    let mut answered = std::pin::pin!(silent.read_exact(&mut answer));
    // The timeout begins when the last byte is read.
    loop {
        tokio::select! {
            read = &mut answered => break assert_eq!(read.unwrap(), 12),
            _ = t.api.get("/healthz") => t.clock.advance(Duration::from_secs(31)),
        }
    }
    assert_eq!(&answer, b"HTTP/1.1 400");
    assert!(offset(&t, &path).await <= 30_000);
}

async fn a_long_request_is_noted_while_it_still_runs(db: Db) {
    let t = TestApp::start(db).await;
    let path = begin(&t, CLIP.len()).await;
    let mut slow = promise(&t, &path, (0, 10_000), "").await;
    is_held(&t).await;
    t.clock.advance(Duration::from_millis(900));
    for to in (10_000..20_000).step_by(1000) {
        slow.write_all(&CLIP[to..to + 1000]).await.unwrap();
        t.api.get("/healthz").await;
        t.clock.advance(Duration::from_millis(900));
        // A PATCH of another client does not end a request that still sends bytes.
        t.api.get("/healthz").await;
    }
    slow.write_all(&CLIP[20_000..]).await.unwrap();
    let mut answer = [0; 12];
    slow.read_exact(&mut answer).await.unwrap();
    assert_eq!(&answer, b"HTTP/1.1 204");
    is_ready(&t, CLIP).await;
}

async fn an_upload_that_is_given_up_in_the_middle_of_a_request_is_gone(db: Db) {
    let t = TestApp::start(db).await;
    let path = begin(&t, CLIP.len()).await;
    let mut open = promise(&t, &path, (0, 30_000), "").await;
    is_held(&t).await;
    assert_eq!(t.api.send(tus(&t.api, Method::DELETE, &path)).await.status, 204);
    let mut answer = String::new();
    open.read_to_string(&mut answer).await.unwrap();
    assert!(
        answer.starts_with("HTTP/1.1 404") && answer.contains("media_not_found"),
        "{answer}"
    );
    t.settles_at(0).await;
    assert_eq!((used(&t).await, media(&t).await.len()), (0, 0));
}

async fn of_requests_at_the_same_time_one_wins_and_the_others_change_nothing(db: Db) {
    let t = TestApp::start(db).await;
    let length = CLIP.len() + 10_000;
    let path = begin(&t, length).await;
    // The same video, with another end.
    let (one, mut other) = (padded(length), padded(length));
    other[length - 5000..].fill(0xEE);
    let but_one = &other[..length - 1];
    let requests = (0..12).map(|number| {
        let bytes = if number % 2 == 0 { &one } else { but_one };
        append(&t, &path, 0, bytes)
    });
    let answers = futures_util::future::join_all(requests).await;
    let statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
    assert_eq!(
        statuses.iter().filter(|status| **status == 204).count(),
        1,
        "{statuses:?}"
    );
    assert!(
        statuses.iter().all(|status| [204, 409, 423].contains(status)),
        "{statuses:?}"
    );
    let winner = statuses.iter().position(|status| *status == 204).unwrap();
    if winner % 2 == 0 {
        is_ready(&t, &one).await;
    } else {
        let last = append(&t, &path, length - 1, &other[length - 1..]).await;
        assert_eq!(last.status, 204, "the bytes of the winner alone are in");
        is_ready(&t, &other).await;
    }
}

async fn two_nodes_at_one_upload_do_not_mix_their_bytes(db: Db) {
    let t = TestApp::start(db).await;
    let (node, service) = t.second_node().await;
    let path = begin(&t, CLIP.len()).await;
    let id = path.rsplit('/').next().unwrap().parse().unwrap();
    let append_there = |offset: usize| {
        let bytes = bytes::Bytes::from_static(&CLIP[offset..]);
        let body = Box::pin(futures_util::stream::iter([Ok(bytes)]));
        let request = AppendToUpload {
            offset: offset as u64,
            checksum: None,
        };
        node.append_to_upload(t.workspace.id, id, Chunk::new(request, None, body))
    };
    let mut held = promise(&t, &path, (0, 10_000), "").await;
    is_held(&t).await;
    let there = append_there(0).await;
    if t.storage_locks() {
        let is_locked = |refusal: &Refusal| refusal.code == Code::UploadLocked;
        assert!(
            matches!(&there, Err(AppError::Refused(refusal)) if is_locked(refusal)),
            "{there:?}"
        );
        drop(held);
        comes_to(&t, &path, 10_000).await;
        assert_eq!(append_there(10_000).await.unwrap().offset, CLIP.len() as u64);
    } else {
        assert_eq!(there.unwrap().offset, CLIP.len() as u64);
        held.write_all(&CLIP[10_000..]).await.unwrap();
        let mut answer = [0; 12];
        held.read_exact(&mut answer).await.unwrap();
        assert_eq!(&answer, b"HTTP/1.1 423", "its bytes came too late");
    }
    is_ready(&t, CLIP).await;
    service.stop().await;
}

/// A balancer that moves a client does so, while what it has sent is still on its way.
async fn the_same_last_bytes_at_two_nodes_at_once_end_the_upload_once(db: Db) {
    let t = TestApp::start(db).await;
    let (_app, other, service) = t.second_api().await;
    let half = CLIP.len() / 2;
    for _ in 0..10 {
        let path = begin(&t, CLIP.len()).await;
        assert_eq!(append(&t, &path, 0, &CLIP[..half]).await.status, 204);
        let last = |api: &Client| {
            let request = tus(api, Method::PATCH, &path).header("upload-offset", half);
            request.header("content-type", BYTES).body(&CLIP[half..])
        };
        // Where there are no locks, one waits until the other has finished.
        let both = async { tokio::join!(t.api.send(last(&t.api)), other.send(last(&other))) };
        let (here, there) = while_time_passes(&t, both).await;
        let statuses = [here.status, there.status];
        assert!(statuses.contains(&204), "{statuses:?}");
        assert!(
            statuses.iter().all(|status| [204, 409, 423].contains(status)),
            "{statuses:?}: {here:?} {there:?}"
        );
        let ready = is_ready(&t, CLIP).await;
        let path = format!("/public/v1/media/{}", ready["id"].as_str().unwrap());
        assert_eq!(t.api.delete(&path).await.status, 204);
    }
    service.stop().await;
}

async fn while_time_passes<T>(t: &TestApp, work: impl Future<Output = T>) -> T {
    let passing = eventually("the work ends", async || {
        t.clock.advance(Duration::from_millis(50));
        false
    });
    tokio::select! {
        done = work => done,
        () = passing => unreachable!("it never ends"),
    }
}

async fn a_service_that_stops_keeps_what_came_and_the_client_goes_on_afterwards(db: Db) {
    let mut t = TestApp::start(db).await;
    let path = begin(&t, CLIP.len()).await;
    let mut cut = promise(&t, &path, (0, 10_000), "").await;
    is_held(&t).await;
    for _ in 0..200 {
        t.api.get("/healthz").await;
    }
    t.stop().await;
    let mut answer = String::new();
    cut.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 423"), "{answer}");
    t.restart().await;
    let kept = offset(&t, &path).await;
    assert_eq!(kept, 10_000);
    assert_eq!(append(&t, &path, kept, &CLIP[kept..]).await.status, 204);
    is_ready(&t, CLIP).await;
}
