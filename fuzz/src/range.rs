//! Byte ranges and validators.

use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use playout_server::api::ranges::{Wanted, wanted};

/// The first byte is the size of the file, the lines are `Range`, `If-Range` and `If-None-Match`.
pub(crate) fn range(data: &[u8]) {
    let Some((size, lines)) = data.split_first() else {
        return;
    };
    let names: [HeaderName; 3] = [header::RANGE, header::IF_RANGE, header::IF_NONE_MATCH];
    let lines = lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let headers: HeaderMap = names
        .into_iter()
        .zip(lines)
        .filter_map(|(name, line)| Some((name, HeaderValue::from_bytes(line).ok()?)))
        .collect();
    for size in [u64::from(*size), u64::MAX] {
        if let Wanted::Part(part) = wanted(&Method::GET, &headers, size, "\"e\"") {
            assert!(part.start < part.end && part.end <= size, "{part:?} of {size}");
        }
        let head = wanted(&Method::HEAD, &headers, size, "\"e\"");
        assert!(
            !matches!(head, Wanted::Part(_) | Wanted::Unsatisfiable),
            "HEAD has no ranges"
        );
    }
}
