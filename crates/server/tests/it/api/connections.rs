//! What clients meet on the socket: refusals before a body was read, heads that are not clear.

use std::sync::Mutex;

use reqwest::Method;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

use crate::harness::{Db, Options, PASSWORD, PATIENCE, TestApp, on_both};

on_both!(
    a_refusal_before_the_body_was_read_keeps_the_connection_or_announces_its_end,
    a_refusal_for_calling_too_often_keeps_the_connection_or_announces_its_end,
    a_notification_that_is_too_large_is_refused_with_an_announced_end,
    a_head_that_two_programs_may_read_differently_is_refused,
    answers_that_nobody_reads_take_a_bounded_part_of_the_memory,
    bodies_that_stay_short_take_a_bounded_part_of_the_memory,
    a_person_follows_events_ten_times_at_most,
);

const NEXT: &str = "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

/// Everything that comes back when a client sends this.
async fn exchange(t: &TestApp, sent: &[u8]) -> String {
    let address = t.app.config.base_url.strip_prefix("http://").unwrap();
    let mut socket = TcpStream::connect(address).await.unwrap();
    socket.write_all(sent).await.unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).await.unwrap();
    answer.to_ascii_lowercase()
}

/// A world in which connections that do not go on are open still when a busy machine has opened the last.
async fn waiting_long_for_clients(db: Db) -> TestApp {
    let options = Options {
        stall: Some(PATIENCE),
        ..Options::default()
    };
    TestApp::start_with(db, options).await
}

/// A connection of a client that takes in hardly anything.
async fn narrow(t: &TestApp) -> TcpStream {
    let address = t.app.config.base_url.strip_prefix("http://").unwrap();
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4096).unwrap();
    socket.connect(address.parse().unwrap()).await.unwrap()
}

/// Requests that are refused before their bodies are read: status, request line, and headers.
fn refusals(key: &str) -> Vec<(u16, &'static str, String)> {
    let authorized = format!("Authorization: Bearer {key}\r\n");
    let json = "Content-Type: application/json\r\n";
    vec![
        (401, "POST /public/v1/posts", json.to_owned()),
        (401, "POST /public/v1/media", json.to_owned()),
        (401, "POST /app/v1/media/folders", json.to_owned()),
        (404, "POST /nothing", json.to_owned()),
        (404, "POST /public/v1/nothing", format!("{authorized}{json}")),
        (405, "PUT /public/v1/posts", format!("{authorized}{json}")),
        (405, "POST /healthz", json.to_owned()),
        (
            415,
            "POST /public/v1/posts",
            format!("{authorized}Content-Type: text/plain\r\n"),
        ),
    ]
}

/// A body: the headers that announce it, and the body.
fn bodies() -> [(&'static str, String); 4] {
    let huge = 3 << 20;
    [
        ("small", format!("Content-Length: 300\r\n\r\n{}", "a".repeat(300))),
        (
            "chunked",
            "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n".to_owned(),
        ),
        (
            "large",
            format!("Content-Length: {huge}\r\n\r\n{}", "a".repeat(huge)),
        ),
        (
            "expected",
            "Content-Length: 300\r\nExpect: 100-continue\r\n\r\n".to_owned(),
        ),
    ]
}

async fn a_refusal_before_the_body_was_read_keeps_the_connection_or_announces_its_end(db: Db) {
    let t = TestApp::start(db).await;
    for (status, line, headers) in refusals(t.api.key()) {
        for (what, body) in bodies() {
            let request = format!("{line} HTTP/1.1\r\nHost: x\r\n{headers}{body}");
            let answer = exchange(&t, format!("{request}{NEXT}").as_bytes()).await;
            assert!(
                answer.starts_with(&format!("http/1.1 {status} ")),
                "{line}, {what}: {answer}"
            );
            let (first, rest) = answer.split_once("\r\n\r\n").unwrap();
            let announced = first.contains("connection: close");
            let goes_on = rest.contains("http/1.1 200 ");
            assert_ne!(announced, goes_on, "{line}, {what}: {answer}");
            assert_eq!(
                goes_on,
                matches!(what, "small" | "chunked"),
                "{line}, {what}: {answer}"
            );
        }
    }
}

async fn a_refusal_for_calling_too_often_keeps_the_connection_or_announces_its_end(db: Db) {
    let t = TestApp::start_with(db, Options::default().set("address_rate_limit", "1/60s;burst=1")).await;
    let sign_in = json!({ "email": "a@example.org", "password": PASSWORD }).to_string();
    let request = format!(
        "POST /app/v1/auth/sign-in HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{sign_in}",
        sign_in.len()
    );
    let answer = exchange(&t, format!("{request}{request}{NEXT}").as_bytes()).await;
    assert!(answer.contains("http/1.1 429 "), "{answer}");
    assert!(answer.contains("http/1.1 200 "), "{answer}");
    for (what, body) in bodies() {
        let request = format!(
            "POST /app/v1/auth/sign-in HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n{body}"
        );
        let answer = exchange(&t, format!("{request}{NEXT}").as_bytes()).await;
        assert!(answer.starts_with("http/1.1 429 "), "{what}: {answer}");
        let keeps = matches!(what, "small" | "chunked");
        let (first, rest) = answer.split_once("\r\n\r\n").unwrap();
        assert_eq!(first.contains("connection: close"), !keeps, "{what}: {answer}");
        assert_eq!(rest.contains("http/1.1 200 "), keeps, "{what}: {answer}");
    }
}

async fn a_notification_that_is_too_large_is_refused_with_an_announced_end(db: Db) {
    let t = TestApp::start(db).await;
    let head = format!(
        "POST /webhooks/tiktok HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n",
        1 << 20
    );
    let answer = exchange(&t, &[head.as_bytes(), &vec![b'a'; 1 << 20]].concat()).await;
    assert!(answer.starts_with("http/1.1 413 "), "{answer}");
    assert!(answer.contains("connection: close"), "{answer}");
}

async fn a_head_that_two_programs_may_read_differently_is_refused(db: Db) {
    let t = TestApp::start(db).await;
    for head in [
        "GET /healthz HTTP/1.1\nHost: x\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: x\nA: b\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: x\r\n\n",
        "GET /healthz HTTP/1.1\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n",
        "GET /healthz HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost:\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: :80\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: x/y\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: x@y\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: x y\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, chunked\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n",
    ] {
        let answer = exchange(&t, format!("{head}{NEXT}").as_bytes()).await;
        assert!(answer.starts_with("http/1."), "{head:?}: {answer}");
        assert_eq!(answer.split(' ').nth(1), Some("400"), "{head:?}: {answer}");
        assert!(answer.contains("x-request-id: "), "{head:?}: {answer}");
        assert!(
            answer.contains(r#"{"code":"invalid_request""#),
            "{head:?}: {answer}"
        );
    }
    for host in [
        "x",
        "x:8480",
        "x.example.",
        "127.0.0.1:80",
        "[::1]",
        "[::1]:8480",
        "x_y",
        "xn--bcher-kva.example",
    ] {
        let head = format!("GET /healthz HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        let answer = exchange(&t, head.as_bytes()).await;
        assert!(answer.starts_with("http/1.1 200 "), "{host}: {answer}");
    }
    let old = exchange(&t, b"GET /healthz HTTP/1.0\r\n\r\n").await;
    assert!(old.starts_with("http/1.0 200 "), "HTTP/1.0 needs no Host: {old}");
}

async fn answers_that_nobody_reads_take_a_bounded_part_of_the_memory(db: Db) {
    let t = waiting_long_for_clients(db).await;
    let platform = t.connect("kitestudio").await;
    let body = json!({ "platformIds": [platform], "content": "\u{1f600}".repeat(10_000), "mode": "draft" });
    for _ in 0..110 {
        t.api.create_post(&body).await;
    }
    let mut statuses = Vec::new();
    let mut open = Vec::new();
    for _ in 0..12 {
        let mut socket = narrow(&t).await;
        let key = t.api.key();
        let head = format!(
            "GET /public/v1/posts?limit=1000 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {key}\r\n\r\n"
        );
        socket.write_all(head.as_bytes()).await.unwrap();
        let mut line = [0; 12];
        socket.read_exact(&mut line).await.unwrap();
        statuses.push(String::from_utf8_lossy(&line[9..]).into_owned());
        open.push(socket);
    }
    let sent = statuses.iter().filter(|status| *status == "200").count();
    assert!(
        (1..=8).contains(&sent) && statuses.iter().skip(sent).all(|status| status == "429"),
        "{statuses:?}"
    );
    t.api.get("/public/v1/posts?limit=1").await.ok();
}

async fn bodies_that_stay_short_take_a_bounded_part_of_the_memory(db: Db) {
    let t = waiting_long_for_clients(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let token = ada.api.key();
    // The announced length counts, once more than a little of the body has arrived.
    let begun = format!("{{\"name\":\"{}", "x".repeat(70_000));
    let mut open = Vec::new();
    for _ in 0..34 {
        let mut socket = TcpStream::connect(t.app.config.base_url.strip_prefix("http://").unwrap())
            .await
            .unwrap();
        let head = format!(
            "PATCH /app/v1/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\nContent-Length: 1048576\r\n\r\n"
        );
        socket.write_all(head.as_bytes()).await.unwrap();
        socket.write_all(begun.as_bytes()).await.unwrap();
        open.push((socket, Vec::new()));
    }
    let refused = Mutex::new(open);
    crate::harness::eventually("two of them are refused", async || {
        let mut open = refused.lock().unwrap();
        for (socket, answer) in &mut *open {
            let mut line = [0; 12];
            if let Ok(length) = socket.try_read(&mut line) {
                answer.extend_from_slice(&line[..length]);
            }
        }
        open.iter()
            .filter(|(_, answer)| answer.starts_with(b"HTTP/1.1 429"))
            .count()
            == 2
    })
    .await;
    let open = refused.into_inner().unwrap();
    assert_eq!(open.iter().filter(|(_, answer)| answer.is_empty()).count(), 32);
    let large = json!({ "name": "x".repeat(100_000) });
    let refused = ada.api.patch("/app/v1/me", &large).await;
    assert_eq!(refused.refused(429, "rate_limited")["details"]["retryAfter"], 1);
    ada.api.get("/app/v1/me").await.ok();
    drop(open);
    crate::harness::eventually("the room is given back", async || {
        ada.api.patch("/app/v1/me", &large).await.status == 400
    })
    .await;
}

async fn a_person_follows_events_ten_times_at_most(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let mut streams = Vec::new();
    for _ in 0..10 {
        let stream = ada
            .api
            .request(Method::GET, "/app/v1/events")
            .send()
            .await
            .unwrap();
        assert_eq!(stream.status(), 200);
        streams.push(stream);
    }
    let refused = ada.api.get("/app/v1/events").await;
    refused.refused(429, "rate_limited");
    assert_eq!(refused.header("retry-after"), "60");
    let eve = t.sign_up("eve@example.org").await;
    let other = eve
        .api
        .request(Method::GET, "/app/v1/events")
        .send()
        .await
        .unwrap();
    assert_eq!(other.status(), 200);
    streams.clear();
    crate::harness::eventually("a stream is free again", async || {
        let stream = ada
            .api
            .request(Method::GET, "/app/v1/events")
            .send()
            .await
            .unwrap();
        stream.status() == 200
    })
    .await;
}
