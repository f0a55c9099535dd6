//! The client's network address: the socket's, or the one that a trusted proxy reports (`docs/contract.md#client-address`).

use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use ipnet::IpNet;

use super::error::ApiError;
use super::session::shown_devices;
use crate::app::App;
use crate::app::whence::Whence;

/// The longest part of a `User-Agent` that is stored.
const MAX_PROGRAM_CHARS: usize = 200;

/// The other end of the socket; the listener puts it on each request.
#[derive(Debug, Clone, Copy)]
pub struct Peer(pub SocketAddr);

/// The client's network address, where it is known.
#[derive(Debug, Clone, Copy)]
pub struct Address(pub Option<IpAddr>);

impl FromRequestParts<Arc<App>> for Address {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Infallible> {
        let peer = parts.extensions.get::<Peer>();
        let peer = peer.map(|Peer(address)| address.ip().to_canonical());
        let trusted = &app.config.trusted_proxies;
        Ok(Self(peer.map(|peer| behind(peer, &parts.headers, trusted))))
    }
}

impl FromRequestParts<Arc<App>> for Whence {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Infallible> {
        let Address(address) = Address::from_request_parts(parts, app).await?;
        Ok(Self {
            address,
            program: program(&parts.headers),
            devices: shown_devices(&app.config.base_url, &parts.headers),
        })
    }
}

/// The client's `User-Agent`. Characters that could hide or break a line are left out.
fn program(headers: &HeaderMap) -> Option<String> {
    let said = String::from_utf8_lossy(headers.get(header::USER_AGENT)?.as_bytes());
    let kept = said.chars().filter(|character| !character.is_control());
    let kept: String = kept.take(MAX_PROGRAM_CHARS).collect();
    Some(kept.trim().to_owned()).filter(|name| !name.is_empty())
}

/// Limits requests per network address, for operations that need neither a key nor a session. The body of a rejected request is
/// not read.
pub async fn limit_address(
    State(app): State<Arc<App>>,
    Address(address): Address,
    request: Request,
    next: Next,
) -> Response {
    match app.take_from_address(address).await {
        Ok(()) => next.run(request).await,
        Err(refusal) => ApiError::from(refusal).into_response(),
    }
}

/// [`limit_address`] for devices that poll for their approval.
pub async fn limit_polls(
    State(app): State<Arc<App>>,
    Address(address): Address,
    request: Request,
    next: Next,
) -> Response {
    match app.take_poll_from_address(address).await {
        Ok(()) => next.run(request).await,
        Err(refusal) => ApiError::from(refusal).into_response(),
    }
}

/// Walks the forwarded addresses from the nearest proxy outwards while each proxy is trusted. Addresses that any other sender
/// reports are ignored.
fn behind(peer: IpAddr, headers: &HeaderMap, trusted: &[IpNet]) -> IpAddr {
    let is_trusted = |address: IpAddr| trusted.iter().any(|network| network.contains(&address));
    let lines = headers.get_all("x-forwarded-for").iter();
    let mut hops: Vec<&str> = lines
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(','))
        .map(str::trim)
        .collect();
    let mut address = peer;
    while is_trusted(address)
        && let Some(before) = hops.pop().and_then(|hop| hop.parse::<IpAddr>().ok())
    {
        address = before.to_canonical();
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(peer: &str, forwarded: &[&str], trusted: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for line in forwarded {
            headers.append("x-forwarded-for", line.parse().unwrap());
        }
        let trusted: Vec<IpNet> = trusted.iter().map(|network| network.parse().unwrap()).collect();
        behind(peer.parse().unwrap(), &headers, &trusted).to_string()
    }

    #[test]
    fn nobody_is_believed_but_a_trusted_proxy() {
        assert_eq!(from("192.0.2.7", &["203.0.113.1"], &[]), "192.0.2.7");
        assert_eq!(from("192.0.2.7", &["203.0.113.1"], &["10.0.0.0/8"]), "192.0.2.7");
        assert_eq!(from("10.0.0.1", &["203.0.113.1"], &["10.0.0.0/8"]), "203.0.113.1");
    }

    #[test]
    fn a_program_is_known_by_what_it_says_of_itself_within_bounds() {
        let of = |said: &[u8]| {
            let mut headers = HeaderMap::new();
            headers.insert(header::USER_AGENT, header::HeaderValue::from_bytes(said).unwrap());
            program(&headers)
        };
        assert_eq!(of(b"playout/0.1.0").as_deref(), Some("playout/0.1.0"));
        assert_eq!(of("kité\t1\u{85}2".as_bytes()).as_deref(), Some("kité12"));
        assert_eq!(of(b" \t"), None);
        assert_eq!(of("é".repeat(300).as_bytes()), Some("é".repeat(200)));
        assert!(of(b"\xff").is_some(), "what is no text is kept readable");
        assert_eq!(program(&HeaderMap::new()), None);
    }

    #[test]
    fn what_a_client_claims_before_the_first_trusted_proxy_is_not_believed() {
        let trusted = ["10.0.0.0/8"];
        assert_eq!(
            from("10.0.0.1", &["198.51.100.9, 203.0.113.1, 10.0.0.2"], &trusted),
            "203.0.113.1"
        );
        assert_eq!(
            from("10.0.0.1", &["198.51.100.9", "203.0.113.1"], &trusted),
            "203.0.113.1"
        );
        assert_eq!(from("10.0.0.1", &["203.0.113.1, nonsense"], &trusted), "10.0.0.1");
        assert_eq!(from("10.0.0.1", &[], &trusted), "10.0.0.1");
    }
}
