//! What the head of every request must have.

use axum::extract::Request;
use axum::http::header::HOST;
use axum::http::uri::Authority;
use axum::http::{HeaderValue, Version};
use playout_domain::error::{Code, Refusal};

/// The listener puts this on a request of which a line ended in a bare LF.
#[derive(Debug, Clone, Copy)]
pub struct BareLineFeed;

/// Rejects a head that a proxy in front might read otherwise (RFC 9112 §2.2 and §3.2). hyper rejects folded lines itself.
pub fn check(request: &Request) -> Result<(), Refusal> {
    if request.extensions().get::<BareLineFeed>().is_some() {
        return Err(refuse("A line of the request's head ends in LF without CR."));
    }
    let mut hosts = request.headers().get_all(HOST).iter();
    match (hosts.next(), hosts.next()) {
        (_, Some(_)) => Err(refuse("The request has more than one Host header.")),
        (None, _) if request.version() >= Version::HTTP_11 => Err(refuse("The request has no Host header.")),
        (Some(host), _) if !is_host(host) => Err(refuse("The Host header names no host.")),
        _ => Ok(()),
    }
}

/// Whether this is a host with or without a port: not empty, as in every `http` address (RFC 9110 §4.2.1 and §7.2), and without
/// a user before it.
fn is_host(value: &HeaderValue) -> bool {
    let Ok(authority) = Authority::try_from(value.as_bytes()) else {
        return false;
    };
    !authority.host().is_empty() && !authority.as_str().contains('@')
}

fn refuse(message: &str) -> Refusal {
    Refusal::new(Code::InvalidRequest, message)
}
