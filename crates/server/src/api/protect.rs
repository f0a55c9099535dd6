//! Headers that every answer carries unless its handler chose otherwise: what is not declared cacheable is stored by no
//! cache (RFC 9111 §5.2.2.5), no browser guesses a type, and a service behind https is only ever called by https (RFC 6797).

use axum::http::header::{CACHE_CONTROL, STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;

/// A year, for this host alone: the operator decides about its subdomains.
const ONLY_HTTPS: HeaderValue = HeaderValue::from_static("max-age=31536000");

/// Adds the headers that a response of the service at `base_url` lacks.
pub fn protect(base_url: &str, response: &mut Response) {
    // A 304 updates what the cache holds (RFC 9111 §4.3.4), so it says only what its handler says.
    let is_full = response.status() != StatusCode::NOT_MODIFIED;
    let headers = response.headers_mut();
    if is_full {
        headers
            .entry(CACHE_CONTROL)
            .or_insert(HeaderValue::from_static("no-store"));
    }
    headers
        .entry(X_CONTENT_TYPE_OPTIONS)
        .or_insert(HeaderValue::from_static("nosniff"));
    if base_url.starts_with("https:") {
        headers.insert(STRICT_TRANSPORT_SECURITY, ONLY_HTTPS);
    }
}
