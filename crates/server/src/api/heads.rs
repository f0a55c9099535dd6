//! Checks of every request's head.

use axum::extract::Request;
use axum::http::header::{HOST, TRANSFER_ENCODING};
use axum::http::uri::Authority;
use axum::http::{HeaderValue, Version};
use playout_domain::error::{Code, Refusal};

/// The listener puts this on a request with a line that ends in a bare LF.
#[derive(Debug, Clone, Copy)]
pub struct BareLineFeed;

/// Rejects a head that a proxy in front of the service might interpret differently (RFC 9112 §2.2 and §3.2). hyper rejects folded
/// lines itself.
pub fn check(request: &Request) -> Result<(), Refusal> {
    if request.extensions().get::<BareLineFeed>().is_some() {
        return Err(refuse("A line of the request's head ends in LF without CR."));
    }
    let mut hosts = request.headers().get_all(HOST).iter();
    if !is_plainly_framed(request) {
        return Err(refuse("The Transfer-Encoding is not chunked alone."));
    }
    match (hosts.next(), hosts.next()) {
        (_, Some(_)) => Err(refuse("The request has more than one Host header.")),
        (None, _) if request.version() >= Version::HTTP_11 => Err(refuse("The request has no Host header.")),
        (Some(host), _) if !is_host(host) => Err(refuse("The Host header contains no host.")),
        _ => Ok(()),
    }
}

/// Whether the body's framing is unambiguous: chunked once, or not at all (RFC 9112 §6.1, §7).
fn is_plainly_framed(request: &Request) -> bool {
    let mut codings = request.headers().get_all(TRANSFER_ENCODING).iter();
    match (codings.next(), codings.next()) {
        (None, _) => true,
        (Some(coding), None) => coding.as_bytes().eq_ignore_ascii_case(b"chunked"),
        _ => false,
    }
}

/// Whether this is a host with or without a port: not empty, as in every `http` address (RFC 9110 §4.2.1 and §7.2), and without
/// user information.
fn is_host(value: &HeaderValue) -> bool {
    let Ok(authority) = Authority::try_from(value.as_bytes()) else {
        return false;
    };
    !authority.host().is_empty() && !authority.as_str().contains('@')
}

fn refuse(message: &str) -> Refusal {
    Refusal::new(Code::InvalidRequest, message)
}
