//! What an address answers when a file is fetched from it.

use std::time::Duration;

use playout_domain::time::Time;
use reqwest::Response;
use reqwest::header::{
    CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_RANGE, ETAG, HeaderMap, HeaderName, LAST_MODIFIED,
};

use crate::egress::retry_after;

/// The longest wait that an address may ask for.
const LONGEST_WAIT: Duration = Duration::from_secs(120);

/// What is to be done with an answer.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// The file from its beginning, with its length where it is announced.
    Whole(Option<u64>),
    /// The rest of the file from this byte, and the length of all of it.
    Rest(u64, u64),
    /// The bytes that were asked for are not those of the file any more.
    Changed,
    /// To be asked again, not before so long where it says so.
    Later(String, Option<Duration>),
    /// Not a file.
    None(String),
}

impl Answer {
    pub(super) fn of(response: &Response, now: Time) -> Self {
        let (status, headers) = (response.status().as_u16(), response.headers());
        let encoding = text(headers, CONTENT_ENCODING).filter(|encoding| *encoding != "identity");
        match status {
            200 | 206 if encoding.is_some() => Self::None(
                "The address sent the file compressed, although that was not asked for.".to_owned(),
            ),
            200 => Self::Whole(length(headers)),
            206 => match text(headers, CONTENT_RANGE).and_then(range) {
                Some((from, of)) => Self::Rest(from, of),
                None => Self::Changed,
            },
            416 => Self::Changed,
            408 | 425 | 429 | 500..=599 => {
                let wait = retry_after(headers, now).map(|wait| wait.min(LONGEST_WAIT));
                Self::Later(format!("The address answered {status}."), wait)
            }
            _ => Self::None(format!("The address answered {status}.")),
        }
    }
}

/// By what the same file is recognised later: a strong entity tag, or else the date of its last change (RFC 9110, section 13.1.5).
pub(super) fn validator(headers: &HeaderMap) -> Option<String> {
    let tag = text(headers, ETAG).filter(|tag| tag.starts_with('"'));
    tag.or_else(|| text(headers, LAST_MODIFIED)).map(str::to_owned)
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

fn length(headers: &HeaderMap) -> Option<u64> {
    text(headers, CONTENT_LENGTH)?.parse().ok()
}

/// `bytes 100-199/200`: where the part begins, and the length of the whole. A part that does not reach the end is no rest.
fn range(text: &str) -> Option<(u64, u64)> {
    let (range, of) = text.strip_prefix("bytes ")?.split_once('/')?;
    let (from, to) = range.split_once('-')?;
    let (from, to, of): (u64, u64, u64) = (from.parse().ok()?, to.parse().ok()?, of.parse().ok()?);
    (to.checked_add(1) == Some(of) && from < of).then_some((from, of))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(status: u16, headers: &[(&str, &str)]) -> Answer {
        let mut response = axum::http::Response::builder().status(status);
        for (name, value) in headers {
            response = response.header(*name, *value);
        }
        Answer::of(&response.body("").unwrap().into(), Time::from_secs(784_111_777))
    }

    #[test]
    fn a_file_and_its_rest_are_taken_and_nothing_else_is() {
        assert_eq!(answer(200, &[("content-length", "9")]), Answer::Whole(Some(9)));
        assert_eq!(answer(200, &[]), Answer::Whole(None));
        assert_eq!(
            answer(206, &[("content-range", "bytes 5-8/9")]),
            Answer::Rest(5, 9)
        );
        for odd in [
            "bytes 5-7/9",
            "bytes 5-8/*",
            "bytes 9-8/9",
            "5-8/9",
            "bytes 0-18446744073709551615/9",
        ] {
            assert_eq!(answer(206, &[("content-range", odd)]), Answer::Changed, "{odd}");
        }
        assert_eq!(answer(416, &[]), Answer::Changed);
        assert!(matches!(
            answer(200, &[("content-encoding", "gzip")]),
            Answer::None(_)
        ));
        for status in [204, 304, 400, 401, 403, 404, 410] {
            assert!(matches!(answer(status, &[]), Answer::None(_)), "{status}");
        }
    }

    #[test]
    fn an_address_may_ask_for_a_wait_of_two_minutes_at_most() {
        let wait = |text: &str| match answer(503, &[("retry-after", text)]) {
            Answer::Later(_, wait) => wait.map(|wait| wait.as_secs()),
            other => panic!("{other:?}"),
        };
        assert_eq!(wait("7"), Some(7));
        assert_eq!(wait("7000"), Some(120));
        // RFC 9110, section 5.6.7.
        assert_eq!(wait("Sun, 06 Nov 1994 08:50:37 GMT"), Some(60));
        assert_eq!(wait("Sun, 06 Nov 1994 08:40:37 GMT"), Some(0));
        assert_eq!(wait("soon"), None);
    }
}
