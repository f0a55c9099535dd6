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
    let is_named = |name| {
        let mut lists = headers.get_all(name).iter();
        lists.any(|tags| tags.to_str().is_ok_and(|tags| matches_any(tags, etag)))
    };
    if headers.contains_key(header::IF_MATCH) && !is_named(header::IF_MATCH) {
        return Wanted::OtherVersion;
    }
    if is_named(header::IF_NONE_MATCH) {
        return Wanted::NotModified;
    }
    let Some(range) = header_text(headers, header::RANGE).filter(|_| method == Method::GET) else {
        return Wanted::All;
    };
    // If-Range with another validator, or with a date (which this service never sends), asks for the whole file.
    if header_text(headers, header::IF_RANGE).is_some_and(|validator| validator.trim() != etag) {
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

/// Digits alone, without a sign.
fn digits(text: &str) -> Option<u64> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

fn header_text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

fn matches_any(tags: &str, etag: &str) -> bool {
    let weak = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    tags.trim() == "*" || tags.split(',').any(|tag| weak(tag) == etag)
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
