//! What the head of every request must have, and what the head of every response carries.

use axum::extract::Request;
use axum::http::header::{
    CACHE_CONTROL, HOST, HeaderMap, HeaderValue, STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{Version, uri::Uri};
use playout_domain::error::{Code, Refusal};

/// Where responses are a workspace's or a person's own: a shared cache must not keep them.
const PRIVATE: [&str; 3] = ["/public/v1", "/app/v1", "/auth/"];

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

/// What the response to a request will carry for safety's sake.
#[derive(Debug, Clone, Copy)]
pub struct Safety {
    is_private: bool,
    is_https: bool,
}

impl Safety {
    /// For a request to `uri` of a service that is reachable at `base_url`.
    pub fn of(uri: &Uri, base_url: &str) -> Self {
        Self {
            is_private: PRIVATE.iter().any(|prefix| uri.path().starts_with(prefix)),
            is_https: base_url.starts_with("https://"),
        }
    }

    /// Adds the headers. How long a response may be kept is left to the handler that says so.
    pub fn apply(self, headers: &mut HeaderMap) {
        if self.is_private {
            headers
                .entry(CACHE_CONTROL)
                .or_insert(HeaderValue::from_static("no-store"));
            headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        }
        if self.is_https {
            let a_year = HeaderValue::from_static("max-age=31536000");
            headers.insert(STRICT_TRANSPORT_SECURITY, a_year);
        }
    }
}
