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
}

/// Evaluates the conditions of a request for a file of `size` bytes with this `etag`. Only GET has ranges (RFC 9110 §14.2).
pub fn wanted(method: &Method, headers: &HeaderMap, size: u64, etag: &str) -> Wanted {
    let known = headers.get_all(header::IF_NONE_MATCH).iter();
    if known
        .filter_map(|tags| tags.to_str().ok())
        .any(|tags| matches_any(tags, etag))
    {
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
    let Some(spec) = text.trim().strip_prefix("bytes=") else {
        return Wanted::All;
    };
    let Some((first, last)) = spec.split_once('-').filter(|_| !spec.contains(',')) else {
        return Wanted::All;
    };
    match (first.trim(), last.trim()) {
        ("", suffix) => match suffix.parse::<u64>() {
            Ok(0) => Wanted::Unsatisfiable,
            Ok(_) if size == 0 => Wanted::Unsatisfiable,
            Ok(length) => Wanted::Part(size.saturating_sub(length)..size),
            Err(_) => Wanted::All,
        },
        (first, last) => match (first.parse::<u64>(), parse_last(last)) {
            (Ok(first), Some(last)) if last < first => Wanted::All,
            (Ok(first), Some(_)) if first >= size => Wanted::Unsatisfiable,
            (Ok(first), Some(last)) => Wanted::Part(first..last.saturating_add(1).min(size)),
            _ => Wanted::All,
        },
    }
}

/// The last position; if absent, the largest number.
fn parse_last(text: &str) -> Option<u64> {
    if text.is_empty() {
        Some(u64::MAX)
    } else {
        text.parse().ok()
    }
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
    }

    #[test]
    fn validators_win_over_ranges() {
        let range = (header::RANGE, "bytes=0-1");
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
