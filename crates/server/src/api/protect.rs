//! Default headers of every response, unless its handler sets them: caches store only responses that are declared cacheable (RFC
//! 9111 §5.2.2.5), browsers do not guess types, and a service behind https is only called by https (RFC 6797).

use axum::http::header::{CACHE_CONTROL, STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;

/// A year, for this host alone: the operator decides about its subdomains.
const ONLY_HTTPS: HeaderValue = HeaderValue::from_static("max-age=31536000");

/// Adds the headers that a response of the service at `base_url` lacks.
pub fn protect(base_url: &str, response: &mut Response) {
    // A 304 updates the cached headers (RFC 9111 §4.3.4), so it carries only its handler's.
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
