//! The token of a Bearer header.

use axum::http::{HeaderMap, header};

/// The token of a Bearer header (RFC 6750 §2.1); `None` if it is missing or empty. Bytes that are not text are a wrong token, not
/// a missing one.
pub(super) fn bearer(headers: &HeaderMap) -> Option<String> {
    let value = String::from_utf8_lossy(headers.get(header::AUTHORIZATION)?.as_bytes());
    let (scheme, token) = value.split_once(' ')?;
    let token = Some(token.trim()).filter(|token| scheme.eq_ignore_ascii_case("bearer") && !token.is_empty());
    token.map(str::to_owned)
}
