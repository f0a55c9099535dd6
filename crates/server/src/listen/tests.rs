use axum::body::Bytes;
use axum::routing::{get, post};
use playout_domain::time::ManualClock;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::*;
use crate::config::Config;
use crate::settings::Sources;

/// A limit that tests can wait for.
const SOON: Duration = Duration::from_millis(300);

/// Limits that no test reaches, however busy the machine is. A test sets only the limit that it is about to [`SOON`].
fn patient() -> Limits {
    Limits {
        head: Duration::from_secs(600),
        idle: Duration::from_secs(600),
        stall: Duration::from_secs(600),
        ..Limits::default()
    }
}

fn router() -> Router {
    let big = Bytes::from(vec![b'x'; 64 << 20]);
    Router::new()
        .route("/", get(async || "here"))
        .route("/read", post(async |body: Bytes| format!("{} bytes", body.len())))
        .route("/unread", post(async || "refused"))
        .route("/big", get(async move || big.clone()))
        .route(
            "/slow",
            get(async || tokio::time::sleep(Duration::from_secs(1)).await),
        )
}

/// Serves while `visit` goes on with the address.
async fn serving<T>(limits: Limits, visit: impl AsyncFnOnce(SocketAddr) -> T) -> T {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let clock = Arc::new(ManualClock::at(Time::from_secs(0)));
    let stop = CancellationToken::new();
    let serving = tokio::spawn(listen(listener, router(), clock, limits, stop.clone()));
    let visited = visit(address).await;
    stop.cancel();
    serving.await.unwrap();
    visited
}

/// Serves while `visit` runs with a connection.
async fn served<T>(limits: Limits, visit: impl AsyncFnOnce(TcpStream) -> T) -> T {
    serving(limits, async |address| {
        visit(TcpStream::connect(address).await.unwrap()).await
    })
    .await
}

/// Everything that comes back when a client sends this and then waits.
async fn answers(limits: Limits, sent: &[u8]) -> String {
    served(limits, async |mut client| {
        client.write_all(sent).await.unwrap();
        let mut answer = String::new();
        client.read_to_string(&mut answer).await.unwrap();
        answer
    })
    .await
}

/// Everything that comes back when a client sends these pieces with pauses between them.
async fn answers_to_pieces(limits: Limits, pieces: &[&[u8]], pause: Duration) -> String {
    served(limits, async |mut client| {
        let mut answer = Vec::new();
        for piece in pieces {
            if client.write_all(piece).await.is_err() {
                break;
            }
            let _ = tokio::time::timeout(pause, client.read_buf(&mut answer)).await;
        }
        let _cut = client.read_to_end(&mut answer).await;
        String::from_utf8(answer).unwrap()
    })
    .await
}

#[test]
fn the_defaults_are_the_limits_that_the_page_on_security_lists() {
    let page = include_str!("../../../../docs/security.md");
    let listed = |row: &str| assert!(page.contains(row), "docs/security.md does not list {row}");
    let config = Config::load(&Sources::default()).unwrap();
    let limits = Limits::of(&config);
    // Descriptors may allow fewer.
    assert_eq!(config.max_connections, 4096);
    assert_eq!(limits.per_address, 128);
    listed(
        "| connections in all; of one client address (IPv6: /64) | 4,096, or what descriptors allow; 128 |",
    );
    assert_eq!(limits.head, Duration::from_secs(15));
    assert_eq!(HEAD_BYTES, 64 << 10);
    listed("| the head of a request | 64 KiB, complete within 15 s |");
    assert_eq!(limits.stall, Duration::from_secs(15));
    listed(
        "| a body or a response in progress | at least 1 KiB every 15 s; event streams excepted while their client reads |",
    );
}

/// A head must be complete soon.
fn short_heads() -> Limits {
    Limits {
        head: SOON,
        ..patient()
    }
}

#[tokio::test]
async fn closes_a_connection_on_which_no_request_begins() {
    assert_eq!(answers(short_heads(), b"").await, "");
}

#[tokio::test]
async fn answers_408_when_a_head_is_not_complete_in_time() {
    for head in [&b"G"[..], b"GET / HTTP/1.1\r\nHost: x\r\n"] {
        let answer = answers(short_heads(), head).await;
        assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
        assert!(answer.contains("connection: close\r\n"), "{answer}");
        assert!(answer.contains(r#"{"code":"request_timeout""#), "{answer}");
    }
}

#[tokio::test]
async fn a_head_that_trickles_has_no_more_time_than_any_other() {
    let byte: &[u8] = b"a";
    let answer = answers_to_pieces(short_heads(), &[byte; 20], SOON / 6).await;
    assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
}

#[tokio::test]
async fn a_connection_that_waits_too_long_for_its_next_request_is_closed() {
    let limits = Limits {
        idle: SOON,
        ..patient()
    };
    let answer = answers(limits, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").await;
    assert!(
        answer.starts_with("HTTP/1.1 200 ") && answer.ends_with("here"),
        "{answer}"
    );
}

#[tokio::test]
async fn answers_408_when_a_body_stalls() {
    let short_stalls = || Limits {
        stall: SOON,
        ..patient()
    };
    let head = b"POST /read HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n";
    let answer = answers(short_stalls(), head).await;
    assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
    assert!(answer.contains("connection: close\r\n"), "{answer}");
    let byte: &[u8] = b"a";
    let pieces: Vec<&[u8]> = [&head[..]].into_iter().chain([byte; 8]).collect();
    let answer = answers_to_pieces(short_stalls(), &pieces, SOON / 3).await;
    assert!(answer.starts_with("HTTP/1.1 408 "), "a trickle: {answer}");
}

#[tokio::test]
async fn a_body_that_moves_a_kibibyte_in_time_is_taken_however_long_it_is() {
    let head = b"POST /read HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 10240\r\n\r\n";
    // All pieces together take longer than a stall may last, each of them much less.
    let stall = Duration::from_secs(5);
    let limits = Limits { stall, ..patient() };
    let piece = [b'a'; 1024];
    let pieces: Vec<&[u8]> = [&head[..]].into_iter().chain([&piece[..]; 10]).collect();
    let answer = answers_to_pieces(limits, &pieces, stall / 9).await;
    assert!(answer.ends_with("10240 bytes"), "{answer}");
}

#[tokio::test]
async fn cuts_a_client_that_does_not_read_its_response() {
    let limits = Limits {
        stall: SOON,
        ..patient()
    };
    let (whole, read) = served(limits, async |mut client| {
        client
            .write_all(b"GET /big HTTP/1.1\r\nHost: x\r\n\r\n")
            .await
            .unwrap();
        // A client cannot see when it is cut.
        tokio::time::sleep(SOON * 15).await;
        let mut answer = Vec::new();
        let whole = client.read_to_end(&mut answer).await;
        (whole.is_ok() && answer.len() > 64 << 20, answer.len())
    })
    .await;
    assert!(!whole, "{read} bytes came");
}

#[tokio::test]
async fn a_request_that_the_server_works_on_has_time() {
    let limits = Limits {
        head: SOON,
        idle: SOON,
        stall: SOON,
        ..patient()
    };
    let answer = answers(
        limits,
        b"GET /slow HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    )
    .await;
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
}

#[tokio::test]
async fn a_client_that_is_refused_while_it_sends_hears_why() {
    for megabytes in [1, 16] {
        let answer = served(patient(), async |mut client: TcpStream| {
            let length = megabytes << 20;
            let head = format!("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n\r\n");
            client.write_all(head.as_bytes()).await.unwrap();
            client.write_all(&vec![0; length]).await.unwrap();
            let mut answer = String::new();
            client.read_to_string(&mut answer).await.unwrap();
            answer
        })
        .await;
        assert!(answer.starts_with("HTTP/1.1 405 "), "{megabytes} MB: {answer}");
        assert!(answer.contains("connection: close\r\n"), "{answer}");
    }
}

#[tokio::test]
async fn a_small_body_that_no_one_reads_leaves_the_connection_usable() {
    let next = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    let length = 64 << 10;
    let sized = format!(
        "POST /unread HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n\r\n{}{next}",
        "a".repeat(length)
    );
    let chunked = format!(
        "POST /unread HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\naaaaa\r\n0\r\n\r\n{next}"
    );
    let empty = format!("POST /unread HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n{next}");
    for sent in [sized, chunked, empty] {
        let answer = answers(patient(), sent.as_bytes()).await;
        assert_eq!(answer.matches("HTTP/1.1 200 ").count(), 2, "{answer}");
        assert!(answer.ends_with("here"), "{answer}");
    }
}

#[tokio::test]
async fn a_body_that_is_not_drained_is_announced_by_connection_close() {
    let longer = (64 << 10) + 1;
    for (head, body) in [
        (format!("Content-Length: {longer}"), String::new()),
        (
            "Content-Length: 5\r\nExpect: 100-continue".to_owned(),
            String::new(),
        ),
        ("Content-Length: 5".to_owned(), "abc".to_owned()),
        ("Transfer-Encoding: chunked".to_owned(), "3\r\nabc\r\n".to_owned()),
    ] {
        let sent = format!("POST /unread HTTP/1.1\r\nHost: x\r\n{head}\r\n\r\n{body}");
        let answer = answers(patient(), sent.as_bytes()).await;
        assert!(answer.starts_with("HTTP/1.1 200 "), "{head}: {answer}");
        assert!(answer.contains("connection: close\r\n"), "{head}: {answer}");
        assert!(!answer.contains("100 Continue"), "{head}: {answer}");
    }
}

#[tokio::test]
async fn answers_in_json_where_a_head_is_not_http() {
    let long = format!("GET /{} HTTP/1.1\r\nHost: x\r\n\r\n", "a".repeat(70_000));
    let large = format!("GET / HTTP/1.1\r\nHost: x\r\nA: {}\r\n\r\n", "a".repeat(140_000));
    for (sent, status) in [
        ("nonsense\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n folded\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost : x\r\n\r\n", 400),
        (
            "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
            400,
        ),
        (long.as_str(), 431),
        (large.as_str(), 431),
    ] {
        let answer = answers(patient(), sent.as_bytes()).await;
        let begun = format!("HTTP/1.1 {status} ");
        assert!(answer.starts_with(&begun), "{answer}");
        assert!(answer.contains("connection: close\r\n"), "{answer}");
        assert!(answer.contains(r#"{"code":"invalid_request""#), "{answer}");
    }
}

#[tokio::test]
async fn requests_that_come_together_are_answered_in_turn() {
    let one = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
    let last = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    let all = format!("{}{last}", one.repeat(9));
    for cut in [5, one.len() - 1, one.len() + 1, one.len() * 2 - 1] {
        let (first, second) = all.as_bytes().split_at(cut);
        let answer = answers_to_pieces(patient(), &[first, second], Duration::from_millis(20)).await;
        assert_eq!(answer.matches("HTTP/1.1 200 ").count(), 10, "{cut}: {answer}");
    }
}

#[tokio::test]
async fn a_new_connection_takes_the_place_of_an_idle_one() {
    let limits = Limits {
        connections: 2,
        ..patient()
    };
    serving(limits, async |address| {
        let mut idle = Vec::new();
        for _ in 0..20 {
            let mut client = TcpStream::connect(address).await.unwrap();
            client
                .write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                .await
                .unwrap();
            let mut answer = [0; 512];
            let read = client.read(&mut answer).await.unwrap();
            assert!(answer[..read].starts_with(b"HTTP/1.1 200 "));
            idle.push(client);
        }
        let mut closed = 0;
        for client in &mut idle[..18] {
            closed += usize::from(client.read(&mut [0; 1]).await.unwrap_or(0) == 0);
        }
        assert_eq!(closed, 18);
    })
    .await;
}
