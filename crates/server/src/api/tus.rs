//! What applies to every response under `/media/uploads`: the protocol's version, its OPTIONS requests, and its headers across
//! origins (tus.io 1.0.0).

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use playout_domain::error::{Code, Issue, IssueCode, Refusal};
use playout_wire::tus::{CHECKSUM_ALGORITHMS, EXTENSIONS, VERSION};

use super::error::refusal_response;
use crate::app::App;

/// The path of uploads, below the prefix of the API.
const PATH: &str = "/media/uploads";

/// `Tus-Resumable`
const TUS_RESUMABLE: HeaderName = HeaderName::from_static("tus-resumable");
const TUS_VERSION: HeaderName = HeaderName::from_static("tus-version");
/// The method that a client which can only POST means.
pub const METHOD_OVERRIDE: HeaderName = HeaderName::from_static("x-http-method-override");

/// The request headers that pages of other origins may send.
pub fn request_headers() -> [HeaderName; 8] {
    [
        TUS_RESUMABLE,
        METHOD_OVERRIDE,
        HeaderName::from_static("upload-length"),
        HeaderName::from_static("upload-offset"),
        HeaderName::from_static("upload-metadata"),
        HeaderName::from_static("upload-checksum"),
        HeaderName::from_static("upload-defer-length"),
        HeaderName::from_static("upload-concat"),
    ]
}

/// The response headers that pages of other origins may read.
pub fn response_headers() -> [HeaderName; 10] {
    [
        TUS_RESUMABLE,
        TUS_VERSION,
        HeaderName::from_static("location"),
        HeaderName::from_static("upload-offset"),
        HeaderName::from_static("upload-length"),
        HeaderName::from_static("upload-expires"),
        HeaderName::from_static("upload-metadata"),
        HeaderName::from_static("tus-extension"),
        HeaderName::from_static("tus-max-size"),
        HeaderName::from_static("tus-checksum-algorithm"),
    ]
}

/// Adds the version to every response, rejections of the key included, and answers OPTIONS, a browser's preflight included, with
/// what is offered.
pub async fn announce(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let below = request.uri().path().strip_prefix(PATH);
    let Some(is_one) = below
        .filter(|rest| rest.is_empty() || rest.starts_with('/'))
        .map(|rest| !rest.is_empty())
    else {
        return next.run(request).await;
    };
    let asks = request.method() == Method::OPTIONS;
    let mut response = next.run(request).await;
    let is_unknown_version = response.status() == StatusCode::PRECONDITION_FAILED;
    let is_wrong_method = response.status() == StatusCode::METHOD_NOT_ALLOWED;
    let headers = response.headers_mut();
    headers.insert(TUS_RESUMABLE, HeaderValue::from_static(VERSION));
    if is_one && (asks || is_wrong_method) {
        // POST only replaces another method there.
        headers.insert(header::ALLOW, HeaderValue::from_static("HEAD,PATCH,DELETE"));
    }
    if asks || is_unknown_version {
        headers.insert(TUS_VERSION, HeaderValue::from_static(VERSION));
    }
    if asks {
        offer(headers, app.config.plans.largest_video());
        *response.status_mut() = StatusCode::NO_CONTENT;
    }
    response
}

fn offer(headers: &mut HeaderMap, max_size: Option<u64>) {
    headers.insert("tus-extension", HeaderValue::from_static(EXTENSIONS));
    headers.insert(
        "tus-checksum-algorithm",
        HeaderValue::from_static(CHECKSUM_ALGORITHMS),
    );
    if let Some(max_size) = max_size {
        headers.insert("tus-max-size", HeaderValue::from(max_size));
    }
}

/// Rejects other versions of the protocol, and requests without one.
pub async fn speak(request: Request, next: Next) -> Response {
    let version = request.headers().get(TUS_RESUMABLE);
    let version = version
        .and_then(|version| version.to_str().ok())
        .unwrap_or_default();
    // A POST without an override is rejected for its method, regardless of its version.
    let is_posted = request.method() == Method::POST && request.uri().path() != PATH;
    if version == VERSION || (is_posted && !request.headers().contains_key(METHOD_OVERRIDE)) {
        return next.run(request).await;
    }
    let message = format!("must be {VERSION}");
    refusal_response(if is_version(version) {
        Refusal::new(Code::UnsupportedTusVersion, format!("Tus-Resumable {message}."))
    } else {
        Refusal::invalid(vec![Issue::field(
            "Tus-Resumable",
            IssueCode::Format.with(message),
        )])
    })
}

/// Whether a text is three numbers, the format of the protocol's versions (semver.org).
fn is_version(text: &str) -> bool {
    let numbers: Vec<&str> = text.split('.').collect();
    let is_number = |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    numbers.len() == 3 && numbers.iter().all(is_number)
}
