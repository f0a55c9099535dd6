//! The bytes of an upload, piece by piece.

use bytes::Bytes;
use futures_util::{StreamExt, stream};
use playout_domain::provider::{ByteStream, ChunkAnswer, Fate, Provider, ProviderError};
use playout_domain::submission::{Chunk, UploadSession};

use crate::canned::{Answer, Canned, empty, gateway_html, json};
use crate::setting::client_at;

fn session(server: &Canned) -> UploadSession {
    UploadSession {
        url: format!("{}/upload?upload_id=1&upload_token=a%2Bb", server.url),
        content_type: "video/mp4".to_owned(),
        size_bytes: 25,
        chunk_bytes: 10,
        chunk_count: 2,
    }
}

fn bytes(text: &'static str) -> ByteStream {
    let pieces = text
        .as_bytes()
        .chunks(4)
        .map(|piece| Ok(Bytes::from_static(piece)));
    stream::iter(pieces).boxed()
}

async fn send(
    answer: Answer,
    chunk: Chunk,
    text: &'static str,
) -> (Result<ChunkAnswer, ProviderError>, Canned) {
    let server = Canned::start(vec![answer]).await;
    let (client, _) = client_at(&server.url);
    let result = client.send(&session(&server), chunk, bytes(text)).await;
    (result, server)
}

const FIRST: Chunk = Chunk {
    offset: 0,
    size_bytes: 10,
    is_last: false,
};

const LAST: Chunk = Chunk {
    offset: 10,
    size_bytes: 15,
    is_last: true,
};

#[tokio::test]
async fn a_piece_is_put_with_its_range_its_length_and_no_token() {
    let (result, server) = send(empty(206, ""), FIRST, "0123456789").await;
    assert_eq!(result, Ok(ChunkAnswer::Stored));
    let sent = server.only();
    assert_eq!(sent.method, "PUT");
    assert_eq!(
        sent.path, "/upload?upload_id=1&upload_token=a%2Bb",
        "the address is used as it came"
    );
    assert_eq!(sent.header("content-range"), Some("bytes 0-9/25"));
    assert_eq!(sent.header("content-length"), Some("10"));
    assert_eq!(sent.header("transfer-encoding"), None);
    assert_eq!(sent.header("content-type"), Some("video/mp4"));
    assert_eq!(sent.header("authorization"), None);
    assert_eq!(sent.body, b"0123456789");
}

#[tokio::test]
async fn the_last_piece_carries_the_remainder_and_completes() {
    let (result, server) = send(empty(201, ""), LAST, "abcdefghijklmno").await;
    assert_eq!(result, Ok(ChunkAnswer::Complete));
    assert_eq!(server.only().header("content-range"), Some("bytes 10-24/25"));
}

#[tokio::test]
async fn the_last_piece_completes_with_any_body_that_means_success() {
    for status in [200, 201] {
        for body in [
            "",
            "null",
            " null\r\n",
            "{}",
            r#"{"data":{},"error":{"code":"ok","message":"","log_id":"L"}}"#,
        ] {
            let (result, _server) = send(json(status, body), LAST, "abcdefghijklmno").await;
            assert_eq!(result, Ok(ChunkAnswer::Complete), "{status} {body:?}");
        }
    }
}

#[tokio::test]
async fn a_piece_before_the_last_is_stored_by_either_convention_of_statuses() {
    for status in [200, 201, 206] {
        for body in ["", "null", "{}"] {
            let (result, _server) = send(json(status, body), FIRST, "0123456789").await;
            assert_eq!(result, Ok(ChunkAnswer::Stored), "{status} {body:?}");
        }
    }
}

#[tokio::test]
async fn a_success_with_a_body_that_says_otherwise_is_unknown() {
    let refused = r#"{"data":{},"error":{"code":"internal_error","message":"","log_id":"L"}}"#;
    for (piece, text) in [(FIRST, "0123456789"), (LAST, "abcdefghijklmno")] {
        for status in [200, 201, 206] {
            let (result, _server) = send(json(status, refused), piece, text).await;
            let error = result.unwrap_err();
            assert_eq!(
                (error.fate, error.code.as_str()),
                (Fate::Unknown, "unreadable_answer"),
                "{status}"
            );
        }
        for body in ["[]", "true", "0", "nul", "<html>Please wait</html>"] {
            let (result, _server) = send(json(200, body), piece, text).await;
            assert_eq!(result.unwrap_err().fate, Fate::Unknown, "{body}");
        }
    }
}

#[tokio::test]
async fn a_piece_at_the_wrong_place_is_told_the_right_one() {
    let range = "Content-Range: bytes 0-10/25\r\n";
    let (result, _server) = send(empty(416, range), FIRST, "0123456789").await;
    assert_eq!(result, Ok(ChunkAnswer::Expected(Some(10))));
    let (result, _server) = send(empty(416, ""), FIRST, "0123456789").await;
    assert_eq!(result, Ok(ChunkAnswer::Expected(None)));
}

#[tokio::test]
async fn an_expired_address_is_gone() {
    for status in [403, 404] {
        let (result, _server) = send(empty(status, ""), FIRST, "0123456789").await;
        assert_eq!(result, Ok(ChunkAnswer::Gone));
    }
}

#[tokio::test]
async fn an_unclear_end_of_a_piece_is_unknown() {
    for answer in [gateway_html(502), empty(500, ""), Answer::Drop] {
        let (result, _server) = send(answer, LAST, "abcdefghijklmno").await;
        assert_eq!(result.unwrap_err().fate, Fate::Unknown);
    }
    let (result, _server) = send(empty(400, ""), FIRST, "0123456789").await;
    assert_eq!(result.unwrap_err().fate, Fate::Rejected);
}

#[tokio::test]
async fn a_piece_whose_source_dries_up_is_never_taken_for_a_whole_one() {
    let (result, server) = send(empty(206, ""), FIRST, "0123").await;
    assert_eq!(result.unwrap_err().fate, Fate::Unknown);
    assert!(server.seen().is_empty(), "the provider never had a whole request");
}

#[tokio::test]
async fn a_source_that_fails_fails_the_piece() {
    let server = Canned::start(vec![empty(206, "")]).await;
    let (client, _) = client_at(&server.url);
    let broken = stream::iter([
        Ok(Bytes::from_static(b"0123")),
        Err(std::io::Error::other("the disk is gone")),
    ]);
    let error = client
        .send(&session(&server), FIRST, broken.boxed())
        .await
        .unwrap_err();
    assert_eq!(error.fate, Fate::Unknown);
}

#[tokio::test]
async fn a_stored_address_is_checked_again_before_bytes_leave() {
    let server = Canned::start(vec![]).await;
    let (client, _) = client_at("http://127.0.0.1:9");
    let error = client
        .send(&session(&server), FIRST, bytes("0123456789"))
        .await
        .unwrap_err();
    assert_eq!(error.code, "upload_host_refused");
}
