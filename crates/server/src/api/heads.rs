//! What the head of every request must have.

use axum::extract::Request;
use axum::http::Version;
use axum::http::header::HOST;
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
        _ => Ok(()),
    }
}

fn refuse(message: &str) -> Refusal {
    Refusal::new(Code::InvalidRequest, message)
}
