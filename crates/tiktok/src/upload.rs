//! The bytes of an upload: one PUT per piece, to the address that the hand-over returned. The address is the
//! authorization; no token is sent.

use playout_domain::provider::{ByteStream, ChunkAnswer, ProviderError};
use playout_domain::submission::{Chunk, UploadSession};
use reqwest::Body;
use reqwest::header::{CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE};
use serde_json::Value;

use crate::client::TikTok;
use crate::http::{self, Answer};
use crate::{envelope, errors};

impl TikTok {
    /// Sends one piece. Repeating it under the same session cannot publish twice.
    pub(crate) async fn send_chunk(
        &self,
        session: &UploadSession,
        chunk: Chunk,
        bytes: ByteStream,
    ) -> Result<ChunkAnswer, ProviderError> {
        if !self.config.allows_upload_to(&session.url) {
            return Err(errors::ours("upload_host_refused"));
        }
        let request = self
            .http
            .put(&session.url, chunk.size_bytes)
            .header(CONTENT_TYPE, &session.content_type)
            .header(CONTENT_LENGTH, chunk.size_bytes)
            .header(CONTENT_RANGE, range(chunk, session.size_bytes))
            .body(Body::wrap_stream(bytes));
        let answer = http::call(request).await?;
        read(session, chunk, &answer).map_err(|error| self.paced(&session.url, error))
    }
}

/// `bytes first-last/total`, both ends included.
fn range(chunk: Chunk, total: u64) -> String {
    let last = (chunk.offset + chunk.size_bytes).saturating_sub(1);
    format!("bytes {}-{last}/{total}", chunk.offset)
}

/// What an answer to `chunk` means. Sources disagree on whether stored chunks are answered 206 and the last one 201, or 201 and
/// the last one 200; so whether 200 and 201 end the upload depends on the chunk, not on the status.
///
/// | Status | Meaning |
/// |---|---|
/// | 206, 201 | stored, unless the body names an error |
/// | 200 | stored, if the body is empty, `null`, `{}` or has the code `ok`: any other may be a gateway's |
/// | 403, 404 | the address has expired or is unknown |
/// | 416 | another offset is expected |
/// | 429 | rejected, and worth another try later |
/// | any other 4xx but 408 | rejected |
/// | anything else | unclear: it may be stored |
fn read(session: &UploadSession, chunk: Chunk, answer: &Answer) -> Result<ChunkAnswer, ProviderError> {
    let stored = match chunk.is_last {
        true => ChunkAnswer::Complete,
        false => ChunkAnswer::Stored,
    };
    let code = match (answer.status, meaning_of_body(answer)) {
        (206, BodyMeaning::Success | BodyMeaning::Unknown) => return Ok(ChunkAnswer::Stored),
        (201, BodyMeaning::Success | BodyMeaning::Unknown) | (200, BodyMeaning::Success) => {
            return Ok(stored);
        }
        (403 | 404, _) => return Ok(ChunkAnswer::Gone),
        (416, _) => return Ok(expected(session, answer.content_range.as_deref())),
        (429, _) => "rate_limit_exceeded",
        (400..=407 | 409..=499, _) => "upload_refused",
        _ => "unreadable_answer",
    };
    let error = errors::error(code, "", answer.log_id.clone());
    Err(ProviderError {
        message: format!("{} (HTTP status {})", error.message, answer.status),
        ..error
    })
}

/// What the body of an answer means by itself.
enum BodyMeaning {
    Success,
    Error,
    Unknown,
}

fn meaning_of_body(answer: &Answer) -> BodyMeaning {
    if answer.body.iter().all(u8::is_ascii_whitespace) {
        return BodyMeaning::Success;
    }
    match serde_json::from_slice(&answer.body) {
        Ok(Value::Null) => BodyMeaning::Success,
        Ok(Value::Object(object)) if object.is_empty() => BodyMeaning::Success,
        Ok(body) => match envelope::error_code(&body) {
            Some("ok") => BodyMeaning::Success,
            Some(_) => BodyMeaning::Error,
            None => BodyMeaning::Unknown,
        },
        Err(_) => BodyMeaning::Unknown,
    }
}

/// Where the provider is, from `bytes 0-{n}/{total}`. Whether `n` counts bytes or names the last one is not documented:
/// only one of the two can be where a piece starts, or the end.
fn expected(session: &UploadSession, content_range: Option<&str>) -> ChunkAnswer {
    let received = content_range.and_then(|range| {
        let (_, rest) = range.split_once('-')?;
        let (last, _total) = rest.split_once('/').unwrap_or((rest, ""));
        last.trim().parse::<u64>().ok()
    });
    let Some(received) = received else {
        return ChunkAnswer::Expected(None);
    };
    let readings = [received, received.saturating_add(1)];
    if readings.contains(&session.size_bytes) {
        return ChunkAnswer::Complete;
    }
    let start = readings
        .into_iter()
        .find(|offset| session.chunk_at(*offset).is_some());
    ChunkAnswer::Expected(start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use playout_domain::provider::Fate;

    fn session() -> UploadSession {
        UploadSession {
            url: "https://open-upload.tiktokapis.com/upload?upload_id=1".to_owned(),
            content_type: "video/mp4".to_owned(),
            size_bytes: 73_400_321,
            chunk_bytes: 10_000_000,
            chunk_count: 7,
        }
    }

    fn answer_with(status: u16, content_range: Option<&str>, body: &str) -> Answer {
        Answer {
            status,
            log_id: None,
            content_range: content_range.map(str::to_owned),
            date: None,
            body: body.as_bytes().to_vec(),
        }
    }

    /// What an empty answer to the last chunk means.
    fn answer(status: u16, content_range: Option<&str>) -> Result<ChunkAnswer, ProviderError> {
        let last = session().chunk_at(60_000_000).unwrap();
        read(&session(), last, &answer_with(status, content_range, ""))
    }

    #[test]
    fn the_range_of_the_last_piece_ends_with_the_file() {
        let last = session().chunk_at(60_000_000).unwrap();
        assert_eq!(range(last, 73_400_321), "bytes 60000000-73400320/73400321");
    }

    #[test]
    fn every_status_of_a_piece_has_its_meaning() {
        assert_eq!(answer(206, None), Ok(ChunkAnswer::Stored));
        assert_eq!(answer(201, None), Ok(ChunkAnswer::Complete));
        assert_eq!(answer(200, None), Ok(ChunkAnswer::Complete));
        assert_eq!(answer(403, None), Ok(ChunkAnswer::Gone));
        assert_eq!(answer(404, None), Ok(ChunkAnswer::Gone));
        let fate = |status| answer(status, None).unwrap_err().fate;
        assert_eq!(fate(400), Fate::Rejected);
        assert_eq!(fate(413), Fate::Rejected);
        assert!(matches!(fate(429), Fate::Throttled(_)));
        for status in [202, 204, 207, 299] {
            assert_eq!(fate(status), Fate::Unknown, "{status}");
        }
        for status in [302, 408, 500, 502, 503, 504] {
            assert_eq!(fate(status), Fate::Unknown, "{status}");
        }
    }

    #[test]
    fn no_success_is_taken_for_a_refusal_of_bytes() {
        for offset in [0, 60_000_000] {
            let chunk = session().chunk_at(offset).unwrap();
            for status in 200..300 {
                for body in [
                    "",
                    "null",
                    "{}",
                    "<html>",
                    r#"{"error":{"code":"invalid_params"}}"#,
                ] {
                    match read(&session(), chunk, &answer_with(status, None, body)) {
                        Ok(answer) => assert_ne!(answer, ChunkAnswer::Gone, "{status} {body}"),
                        Err(error) => assert_eq!(error.fate, Fate::Unknown, "{status} {body}"),
                    }
                }
            }
        }
    }

    #[test]
    fn a_wrong_offset_is_answered_with_the_right_one_however_it_is_counted() {
        let at = |range| answer(416, range).unwrap();
        assert_eq!(
            at(Some("bytes 0-20000000/73400321")),
            ChunkAnswer::Expected(Some(20_000_000))
        );
        assert_eq!(
            at(Some("bytes 0-19999999/73400321")),
            ChunkAnswer::Expected(Some(20_000_000))
        );
        assert_eq!(at(Some("bytes 0-0/73400321")), ChunkAnswer::Expected(Some(0)));
        assert_eq!(at(Some("bytes 0-73400321/73400321")), ChunkAnswer::Complete);
        assert_eq!(at(Some("bytes 0-73400320/73400321")), ChunkAnswer::Complete);
        for unclear in [
            None,
            Some("bytes */73400321"),
            Some("bytes 0-5/73400321"),
            Some("bytes 0--3/7"),
        ] {
            assert_eq!(at(unclear), ChunkAnswer::Expected(None), "{unclear:?}");
        }
    }
}
