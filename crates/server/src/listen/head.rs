//! The lines of a request's head, seen before hyper parses them, and the JSON responses to heads that it rejects.

use playout_domain::error::{Code, Refusal};
use playout_domain::id::uuid_v7;
use playout_domain::time::Time;
use playout_wire::error::ErrorBody;

use crate::chance;

/// Looks for lines that end in a bare LF. hyper accepts them, as RFC 9112 §2.2 permits; a proxy in front that does not
/// would see other headers than we do.
#[derive(Debug, Default)]
pub(super) struct HeadLines {
    /// Bytes of the current line that came with earlier reads, and the last of them.
    carried: usize,
    last: u8,
    has_begun: bool,
    has_ended: bool,
}

impl HeadLines {
    /// A head that begins after this byte. A client that pipelines may have sent a part of it together with the request
    /// before, cut between CR and LF.
    pub(super) fn after(last: u8) -> Self {
        Self {
            carried: usize::from(last == b'\r'),
            last,
            ..Self::default()
        }
    }

    /// Takes the next bytes of a connection; returns whether a line of the head ended in a bare LF. What follows the empty
    /// line is not looked at.
    pub(super) fn read(&mut self, bytes: &[u8]) -> bool {
        let (mut is_bare, mut start) = (false, 0);
        if self.has_ended {
            return false;
        }
        for end in memchr::memchr_iter(b'\n', bytes) {
            let before = end.checked_sub(1).map_or(self.last, |before| bytes[before]);
            let length = self.carried + end - start;
            let ends_well = length > 0 && before == b'\r';
            is_bare |= !ends_well;
            let is_empty = length == usize::from(ends_well);
            if is_empty && self.has_begun {
                self.has_ended = true;
                return is_bare;
            }
            self.has_begun |= !is_empty;
            (self.carried, start) = (0, end + 1);
        }
        self.carried += bytes.len() - start;
        self.last = bytes.last().copied().unwrap_or(self.last);
        is_bare
    }

    /// Whether any line of a head has come.
    pub(super) fn has_begun(&self) -> bool {
        self.has_begun || self.carried > 0
    }
}

/// The response to a head that hyper rejected, with the status of its own empty response: it starts with `HTTP/1.1 400`.
pub(super) fn rejected(written: &[u8], now: Time) -> Vec<u8> {
    let status = written.get(9..12).unwrap_or_default();
    let (status, message) = match status {
        b"431" => (
            "431 Request Header Fields Too Large",
            "The head of the request is too large.",
        ),
        _ => (
            "400 Bad Request",
            "The head of the request is not valid HTTP/1.1.",
        ),
    };
    response(status, Refusal::new(Code::InvalidRequest, message), now)
}

/// The response to a head that was not complete in time.
pub(super) fn too_slow(now: Time) -> Vec<u8> {
    let message = "The head of the request was not complete in time.";
    let refusal = Refusal::new(Code::RequestTimeout, message);
    response("408 Request Timeout", refusal, now)
}

fn response(status: &str, refusal: Refusal, now: Time) -> Vec<u8> {
    let body = serde_json::to_string(&ErrorBody::from(refusal)).unwrap_or_default();
    let id = uuid_v7(now, chance::bytes());
    let (length, date) = (body.len(), now.http_date());
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncache-control: no-store\r\nx-content-type-options: nosniff\r\n\
         x-request-id: {id}\r\nconnection: close\r\ncontent-length: {length}\r\ndate: {date}\r\n\r\n{body}"
    )
    .into_bytes()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn finds_bare_line_feeds_in_the_head_alone() {
        let is_bare = |text: &str| HeadLines::default().read(text.as_bytes());
        assert!(!is_bare("GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
        assert!(!is_bare("\r\nPOST / HTTP/1.1\r\nHost: x\r\n\r\n{\n\n}\n"));
        for bare in [
            "GET / HTTP/1.1\nHost: x\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: x\n\r\n",
            "GET / HTTP/1.1\r\nHost: x\r\n\n",
            "\nGET / HTTP/1.1\r\nHost: x\r\n\r\n",
        ] {
            assert!(is_bare(bare), "{bare:?}");
        }
    }

    proptest! {
        #[test]
        fn reads_the_same_however_the_head_is_cut(text in "(\r\n|\n|a|\r){0,40}", cut in 0usize..40) {
            let whole = HeadLines::default().read(text.as_bytes());
            let (first, second) = text.as_bytes().split_at(cut.min(text.len()));
            let mut lines = HeadLines::default();
            let first = lines.read(first);
            prop_assert_eq!(lines.read(second) | first, whole);
        }
    }
}
