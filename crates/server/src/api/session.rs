//! How a request carries a session: as a Bearer token, or in the dashboard's cookie (`docs/contract.md#sessions`).
//!
//! A browser adds the cookie to requests that other sites cause, too. So a cookie request that may change something must have the
//! `Origin` of this service's pages.

use axum::extract::Request;
use axum::http::header::{CACHE_CONTROL, COOKIE, ORIGIN, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use playout_domain::error::{Code, Refusal};
use playout_domain::id::UserId;
use playout_domain::secret::Secret;
use playout_store::SESSION_LIFETIME;
use url::Url;

use super::bearer::bearer;
use super::error::ApiError;
use crate::app::App;
use crate::app::known_devices::KNOWN_FOR;
use crate::app::sessions::invalid_session;
use crate::app::whence::KnownDevice;
use crate::config::is_loopback;

/// The most device cookies of a request that are checked.
const MOST_DEVICES: usize = 32;

/// The token of a request.
pub struct Presented {
    /// The token.
    pub token: Secret,
    /// Whether it was in the cookie.
    pub by_cookie: bool,
}

/// The token of a request. A Bearer header takes precedence over the cookie, which is accepted only from this service's pages.
pub fn presented(app: &App, method: &Method, headers: &HeaderMap) -> Result<Presented, Refusal> {
    if let Some(token) = bearer(headers) {
        return Ok(Presented {
            token: Secret::new(token),
            by_cookie: false,
        });
    }
    let token = cookie(headers, cookie_name(&app.config.base_url)).ok_or_else(invalid_session)?;
    let origin = headers.get(ORIGIN);
    if !method.is_safe() && !origin.is_some_and(|origin| is_ours(&app.config.base_url, origin)) {
        return Err(foreign_origin());
    }
    Ok(Presented {
        token: Secret::new(token),
        by_cookie: true,
    })
}

/// Rejects reads with the cookie that another site has caused, such as by opening a window here: some count, as those of a device's code do. Browsers
/// that are older than the header (Fetch Metadata, <https://www.w3.org/TR/fetch-metadata/>) send none.
pub fn refuse_foreign_read(presented: &Presented, headers: &HeaderMap) -> Result<(), Refusal> {
    let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
    match (presented.by_cookie, site) {
        (false, _) | (true, None | Some(b"same-origin" | b"none")) => Ok(()),
        (true, Some(_)) => Err(foreign_origin()),
    }
}

/// Rejects pages of other origins where a session begins: otherwise another site could sign a user in to an account of its
/// choice. Programs send no origin.
pub async fn refuse_foreign_pages(
    axum::extract::State(app): axum::extract::State<std::sync::Arc<App>>,
    request: Request,
    next: Next,
) -> Response {
    match refuse_foreign_page(&app, &request) {
        Ok(()) => next.run(request).await,
        Err(refusal) => ApiError::from(refusal).into_response(),
    }
}

/// The rejection of a request that may change something and has the `Origin` of another site.
pub fn refuse_foreign_page(app: &App, request: &Request) -> Result<(), Refusal> {
    let origin = request
        .headers()
        .get(ORIGIN)
        .filter(|_| !request.method().is_safe());
    match origin.is_some_and(|origin| !is_ours(&app.config.base_url, origin)) {
        true => Err(foreign_origin()),
        false => Ok(()),
    }
}

/// A response with a session's new token, which a browser gets in its cookie.
pub fn renewed(app: &App, presented: &Presented, token: &Secret, answer: impl IntoResponse) -> Response {
    let mut response = answer.into_response();
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if presented.by_cookie {
        headers.insert(SET_COOKIE, set_cookie(&app.config.base_url, token));
    }
    response
}

/// The cookie with a session's token, which lasts as long as an unused session.
pub fn set_cookie(base_url: &str, token: &Secret) -> HeaderValue {
    let cookie = (cookie_name(base_url), token.expose());
    with_age(base_url, cookie, SESSION_LIFETIME.as_secs())
}

/// The cookie by which a user's device is recognized. One per user: several users may share a browser.
pub fn device_cookie(base_url: &str, device: &KnownDevice) -> HeaderValue {
    let name = format!("{}{}", device_prefix(base_url), device.user.0.simple());
    with_age(base_url, (&name, device.mark.expose()), KNOWN_FOR.as_secs())
}

/// The devices in a request's cookies. Their tokens are verified only when a sign-in needs them.
pub fn shown_devices(base_url: &str, headers: &HeaderMap) -> Vec<KnownDevice> {
    let prefix = device_prefix(base_url);
    let shown = pairs(headers).filter_map(|(name, mark)| {
        Some(KnownDevice {
            user: UserId(name.strip_prefix(prefix)?.parse().ok()?),
            mark: Secret::new(mark),
        })
    });
    shown.take(MOST_DEVICES).collect()
}

/// The expired cookie, which deletes the session's.
pub fn clear_cookie(base_url: &str) -> HeaderValue {
    with_age(base_url, (cookie_name(base_url), ""), 0)
}

fn with_age(base_url: &str, (name, token): (&str, &str), seconds: u64) -> HeaderValue {
    let secure = if is_secure(base_url) { "; Secure" } else { "" };
    let text = format!("{name}={token}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
    HeaderValue::try_from(text).unwrap_or_else(|_| HeaderValue::from_static(""))
}

/// Over https the prefix of the name prevents other hosts from setting the cookie (RFC 6265bis §4.1.3.2).
fn cookie_name(base_url: &str) -> &'static str {
    if base_url.starts_with("https:") {
        "__Host-playout_session"
    } else {
        "playout_session"
    }
}

fn device_prefix(base_url: &str) -> &'static str {
    if base_url.starts_with("https:") {
        "__Host-playout_device_"
    } else {
        "playout_device_"
    }
}

/// Browsers accept `Secure` over https, and from localhost.
fn is_secure(base_url: &str) -> bool {
    base_url.starts_with("https:") || is_loopback(base_url)
}

fn is_ours(base_url: &str, origin: &HeaderValue) -> bool {
    let ours = Url::parse(base_url).map(|url| url.origin().ascii_serialization());
    ours.is_ok_and(|ours| ours.as_bytes() == origin.as_bytes())
}

fn foreign_origin() -> Refusal {
    let message =
        "A request with the session's cookie must come from this service's own pages: its Origin is another.";
    Refusal::new(Code::Forbidden, message)
}

/// The names and values of a request's cookies.
fn pairs(headers: &HeaderMap) -> impl Iterator<Item = (&str, &str)> {
    let lines = headers.get_all(COOKIE).iter();
    lines
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
}

fn cookie(headers: &HeaderMap, name: &str) -> Option<String> {
    let found = pairs(headers).find(|(key, value)| *key == name && !value.is_empty());
    found.map(|(_, value)| value.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cookie_is_secure_over_https_and_on_this_machine() {
        let token = Secret::new("t0ken");
        for (base_url, name, is_secure) in [
            ("https://playout.example.org", "__Host-playout_session", true),
            ("http://localhost:8080", "playout_session", true),
            ("http://127.0.0.1:8080", "playout_session", true),
            ("http://[::1]:8080", "playout_session", true),
            ("http://192.168.1.5:8080", "playout_session", false),
            ("http://localhost.example.org", "playout_session", false),
        ] {
            let cookie = set_cookie(base_url, &token);
            let cookie = cookie.to_str().unwrap();
            assert!(
                cookie.starts_with(&format!(
                    "{name}=t0ken; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax"
                )),
                "{cookie}"
            );
            assert_eq!(cookie.ends_with("; Secure"), is_secure, "{cookie}");
        }
    }

    #[test]
    fn the_origin_of_a_service_below_a_path_is_its_host() {
        let is_ours = |origin: &'static str| {
            super::is_ours("https://example.org/playout", &HeaderValue::from_static(origin))
        };
        assert!(is_ours("https://example.org"));
        for origin in [
            "http://example.org",
            "https://example.org:8443",
            "https://example.org.evil.example",
            "null",
            "",
        ] {
            assert!(!is_ours(origin), "{origin}");
        }
    }
}
