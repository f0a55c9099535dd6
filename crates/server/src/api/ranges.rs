//! Byte ranges (RFC 9110 §14) and validators (§13) for files that never change.
//!
//! Limits: one range of a request is parsed, in time linear to its length; several count as none, so that no response is larger
//! than the file.

use std::ops::Range;

use axum::http::{HeaderMap, Method, header};

/// The part of a file that a request wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// All of it.
    All,
    /// A range of it.
    Part(Range<u64>),
    /// A range outside the file: 416.
    Unsatisfiable,
    /// None: the client has the current version (304).
    NotModified,
    /// None: it is another version than the client asks for (412).
    OtherVersion,
}

/// Evaluates the conditions of a request for a file of `size` bytes with this `etag`. Only GET has ranges (RFC 9110 §14.2).
pub fn wanted(method: &Method, headers: &HeaderMap, size: u64, etag: &str) -> Wanted {
    let is_named = |name, how| {
        let mut lists = headers.get_all(name).iter();
        lists.any(|tags| matches_any(tags.as_bytes(), etag, how))
    };
    if headers.contains_key(header::IF_MATCH) && !is_named(header::IF_MATCH, Comparison::Strong) {
        return Wanted::OtherVersion;
    }
    if is_named(header::IF_NONE_MATCH, Comparison::Weak) {
        return Wanted::NotModified;
    }
    let Some(range) = header_text(headers, header::RANGE).filter(|_| method == Method::GET) else {
        return Wanted::All;
    };
    // If-Range with another validator, or with a date (which this service never sends), asks for the whole file.
    let mut validators = headers.get_all(header::IF_RANGE).iter();
    if validators.any(|validator| validator.as_bytes().trim_ascii() != etag.as_bytes()) {
        return Wanted::All;
    }
    parse_range(range, size)
}

/// One range. Several, another unit or bad syntax are ignored, as RFC 9110 §14.2 allows.
fn parse_range(text: &str, size: u64) -> Wanted {
    let unit_and_spec = text.trim().split_once('=');
    let Some((_, spec)) = unit_and_spec.filter(|(unit, _)| unit.eq_ignore_ascii_case("bytes")) else {
        return Wanted::All;
    };
    let Some((first, last)) = spec.split_once('-').filter(|_| !spec.contains(',')) else {
        return Wanted::All;
    };
    match (first.trim(), last.trim()) {
        ("", suffix) => match digits(suffix) {
            Some(0) => Wanted::Unsatisfiable,
            Some(_) if size == 0 => Wanted::Unsatisfiable,
            Some(length) => Wanted::Part(size.saturating_sub(length)..size),
            None => Wanted::All,
        },
        (first, last) => match (digits(first), parse_last(last)) {
            (Some(first), Some(last)) if last < first => Wanted::All,
            (Some(first), Some(_)) if first >= size => Wanted::Unsatisfiable,
            (Some(first), Some(last)) => Wanted::Part(first..last.saturating_add(1).min(size)),
            _ => Wanted::All,
        },
    }
}

/// The last position; if absent, the largest number.
fn parse_last(text: &str) -> Option<u64> {
    if text.is_empty() {
        Some(u64::MAX)
    } else {
        digits(text)
    }
}

/// Digits alone, without a sign. No file is longer than the largest number that there is.
fn digits(text: &str) -> Option<u64> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().unwrap_or(u64::MAX))
}

fn header_text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

/// How tags are compared (RFC 9110 §8.8.3.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comparison {
    /// Weak tags match none.
    Strong,
    Weak,
}

/// Whether a list of tags has this one. Ours have no commas.
fn matches_any(tags: &[u8], etag: &str, how: Comparison) -> bool {
    let opaque = |tag: &[u8]| match (how, tag.strip_prefix(b"W/")) {
        (Comparison::Weak, Some(weak)) => weak == etag.as_bytes(),
        (_, _) => tag == etag.as_bytes(),
    };
    let mut listed = tags.split(|byte| *byte == b',').map(<[u8]>::trim_ascii);
    tags.trim_ascii() == b"*" || listed.any(opaque)
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn ask(pairs: &[(header::HeaderName, &str)]) -> Wanted {
        let headers = pairs
            .iter()
            .map(|(name, value)| (name.clone(), HeaderValue::from_str(value).unwrap()))
            .collect();
        wanted(&Method::GET, &headers, 1000, "\"tag\"")
    }

    fn range(text: &str) -> Wanted {
        ask(&[(header::RANGE, text)])
    }

    #[test]
    fn ranges_are_read_as_rfc_9110_says() {
        assert_eq!(range("bytes=0-499"), Wanted::Part(0..500));
        assert_eq!(range("bytes=500-"), Wanted::Part(500..1000));
        assert_eq!(range("bytes=-200"), Wanted::Part(800..1000));
        assert_eq!(range("bytes=-5000"), Wanted::Part(0..1000));
        assert_eq!(range("bytes=900-5000"), Wanted::Part(900..1000));
        assert_eq!(range("bytes=1000-"), Wanted::Unsatisfiable);
        assert_eq!(range("bytes=1000-2000"), Wanted::Unsatisfiable);
        assert_eq!(range("bytes=-0"), Wanted::Unsatisfiable);
        assert_eq!(range("bytes=5-2"), Wanted::All);
        assert_eq!(range("bytes=0-1,5-6"), Wanted::All);
        assert_eq!(range("lines=0-1"), Wanted::All);
        assert_eq!(range("bytes=x"), Wanted::All);
        assert_eq!(range("Bytes=0-499"), Wanted::Part(0..500));
        assert_eq!(range("bytes=99999999999999999999-"), Wanted::Unsatisfiable);
        assert_eq!(range("bytes=990-18446744073709551616"), Wanted::Part(990..1000));
        for signed in ["bytes=+0-1", "bytes=0-+1", "bytes=-+5"] {
            assert_eq!(range(signed), Wanted::All, "{signed}");
        }
    }

    #[test]
    fn validators_win_over_ranges() {
        let range = (header::RANGE, "bytes=0-1");
        let if_match = |tags| ask(&[range.clone(), (header::IF_MATCH, tags)]);
        assert_eq!(if_match("\"other\""), Wanted::OtherVersion);
        assert_eq!(if_match("\"other\", \"tag\""), Wanted::Part(0..2));
        assert_eq!(if_match("*"), Wanted::Part(0..2));
        assert_eq!(if_match("W/\"tag\""), Wanted::OtherVersion, "RFC 9110 §13.1.1");
        let if_none_match = |tags| ask(&[(header::IF_NONE_MATCH, tags)]);
        assert_eq!(if_none_match("W/W/\"tag\""), Wanted::All);
        let tags = HeaderValue::from_bytes(b"\"\xff\", \"tag\"").unwrap();
        let known = HeaderMap::from_iter([(header::IF_NONE_MATCH, tags.clone())]);
        assert_eq!(wanted(&Method::GET, &known, 1000, "\"tag\""), Wanted::NotModified);
        let mut unread = HeaderMap::from_iter([(header::IF_RANGE, tags)]);
        unread.insert(header::RANGE, HeaderValue::from_static("bytes=0-1"));
        assert_eq!(wanted(&Method::GET, &unread, 1000, "\"tag\""), Wanted::All);
        assert_eq!(
            ask(&[range.clone(), (header::IF_NONE_MATCH, "W/\"tag\"")]),
            Wanted::NotModified
        );
        assert_eq!(
            ask(&[range.clone(), (header::IF_RANGE, "\"other\"")]),
            Wanted::All
        );
        assert_eq!(ask(&[range, (header::IF_RANGE, "\"tag\"")]), Wanted::Part(0..2));
    }
}
