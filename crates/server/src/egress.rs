//! Requests to addresses that users have chosen: all of them go through here. A name is resolved here, once; the
//! addresses it resolves to are checked, and only those that pass are connected to. No redirect is followed, and no proxy
//! is used.
//!
//! Public addresses are allowed with https. Private and special-purpose addresses are allowed where the operator lists
//! them (`PLAYOUT_EGRESS_ALLOW`), and with http too.

mod ranges;

use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use futures_util::StreamExt;
use ipnet::IpNet;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::HeaderMap;
use reqwest::{Client, Response, redirect, retry};
use url::{Host, Url};

pub use ranges::is_public;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// A connection that nothing was sent over for so long is closed.
const IDLE_FOR: Duration = Duration::from_secs(30);
/// How much is read of an answer.
const MAX_ANSWER_BYTES: usize = 2048;

/// The error for an address that nothing is sent to.
const PRIVATE: &str = "must not lead to a private address";

/// The way out.
pub struct Egress {
    allowed: Arc<[IpNet]>,
    encrypted: OnceLock<Client>,
    plain: OnceLock<Client>,
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Received {
    /// Its status.
    pub status: u16,
    /// Its headers.
    pub headers: HeaderMap,
    /// The beginning of its body, of 2 kB at most.
    pub text: String,
}

impl Egress {
    /// A way out to the Internet, and to `allowed`.
    pub fn new(allowed: Vec<IpNet>) -> Self {
        Self {
            allowed: allowed.into(),
            encrypted: OnceLock::new(),
            plain: OnceLock::new(),
        }
    }

    /// Checks an address as far as its text shows: what a name resolves to is checked with every request. The error is
    /// what is wrong with it.
    pub fn check(&self, text: &str) -> Result<(), String> {
        self.judge(text).map(|_| ())
    }

    /// Posts a JSON body; the error is why there was no answer.
    pub async fn post(&self, to: &str, headers: HeaderMap, body: String) -> Result<Received, String> {
        let (url, is_encrypted) = self
            .judge(to)
            .map_err(|problem| format!("The address {problem}."))?;
        let request = self.client(is_encrypted)?.post(url).headers(headers).body(body);
        let response = request.send().await.map_err(explained)?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let text = beginning(response).await;
        Ok(Received {
            status,
            headers,
            text,
        })
    }

    /// The address, and whether it is https.
    fn judge(&self, text: &str) -> Result<(Url, bool), String> {
        let url: Url = text
            .parse()
            .map_err(|_| "must be an address such as https://example.org/hook".to_owned())?;
        let is_encrypted = match url.scheme() {
            "https" => true,
            "http" if !self.allowed.is_empty() => false,
            _ => return Err("must be an https address".to_owned()),
        };
        if !url.username().is_empty() || url.password().is_some() {
            return Err("must not hold a user or a password".to_owned());
        }
        let address = match url.host() {
            Some(Host::Ipv4(address)) => Some(IpAddr::from(address)),
            Some(Host::Ipv6(address)) => Some(IpAddr::from(address)),
            Some(Host::Domain(_)) => None,
            None => return Err("must name a host".to_owned()),
        };
        match address {
            Some(address) if !admits(&self.allowed, address, is_encrypted) => Err(match is_encrypted {
                false if is_public(address) => "must be an https address".to_owned(),
                _ => PRIVATE.to_owned(),
            }),
            _ => Ok((url, is_encrypted)),
        }
    }

    fn client(&self, is_encrypted: bool) -> Result<&Client, String> {
        let cell = if is_encrypted {
            &self.encrypted
        } else {
            &self.plain
        };
        if let Some(client) = cell.get() {
            return Ok(client);
        }
        let guard = Guard {
            allowed: Arc::clone(&self.allowed),
            is_encrypted,
        };
        let built = build(guard).map_err(|error| format!("No request can be made: {error}."))?;
        Ok(cell.get_or_init(|| built))
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the one way out to addresses that somebody else has chosen"
)]
fn build(guard: Guard) -> Result<Client, reqwest::Error> {
    // Another part of the process may have installed one already; any will do.
    let _installed = rustls::crypto::ring::default_provider().install_default();
    Client::builder()
        .user_agent(concat!("Playout/", env!("CARGO_PKG_VERSION")))
        .https_only(guard.is_encrypted)
        .connect_timeout(CONNECT_TIMEOUT)
        .pool_idle_timeout(IDLE_FOR)
        .redirect(redirect::Policy::none())
        .referer(false)
        .retry(retry::never())
        .no_proxy()
        .dns_resolver(guard)
        .build()
}

/// Resolves names, and returns only addresses that may be connected to.
struct Guard {
    allowed: Arc<[IpNet]>,
    is_encrypted: bool,
}

impl Resolve for Guard {
    fn resolve(&self, name: Name) -> Resolving {
        let (allowed, is_encrypted) = (Arc::clone(&self.allowed), self.is_encrypted);
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let admitted: Vec<SocketAddr> = found
                .filter(|found| admits(&allowed, found.ip(), is_encrypted))
                .collect();
            match admitted.is_empty() {
                true => Err(format!("the address {PRIVATE}").into()),
                false => Ok(Box::new(admitted.into_iter()) as Addrs),
            }
        })
    }
}

/// Whether requests may go to an address.
fn admits(allowed: &[IpNet], address: IpAddr, is_encrypted: bool) -> bool {
    let is_allowed = allowed
        .iter()
        .any(|network| network.contains(&address) || network.contains(&address.to_canonical()));
    is_allowed || is_encrypted && is_public(address)
}

/// The beginning of a body, as far as it was received before an error or the limit.
async fn beginning(response: Response) -> String {
    let mut pieces = response.bytes_stream();
    let mut bytes = Vec::new();
    while let Some(Ok(piece)) = pieces.next().await {
        bytes.extend_from_slice(&piece[..piece.len().min(MAX_ANSWER_BYTES - bytes.len())]);
        if bytes.len() == MAX_ANSWER_BYTES {
            break;
        }
    }
    let text = String::from_utf8_lossy(&bytes);
    // No database keeps a U+0000.
    text.chars()
        .filter(|c| *c != '\0')
        .take(MAX_ANSWER_BYTES)
        .collect()
}

/// The last cause is the most specific. The address is left out, as the reader knows it.
fn explained(error: reqwest::Error) -> String {
    let error = error.without_url();
    let causes = std::iter::successors(std::error::Error::source(&error), |cause| cause.source());
    let deepest = causes.last().map(ToString::to_string);
    format!(
        "There was no answer: {}.",
        deepest.unwrap_or_else(|| error.to_string())
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn to_nowhere_private() -> Egress {
        Egress::new(Vec::new())
    }

    #[test]
    fn an_address_is_https_without_a_user_and_public_however_it_is_written() {
        let egress = to_nowhere_private();
        for fine in [
            "https://example.org/hook?x=1",
            "https://8.8.8.8:8443",
            "https://[2606:4700::1111]/",
        ] {
            assert_eq!(egress.check(fine), Ok(()), "{fine}");
        }
        for (wrong, why) in [
            ("", "such as"),
            ("example.org", "such as"),
            ("http://example.org", "https"),
            ("http://8.8.8.8", "https"),
            ("ftp://example.org", "https"),
            ("https://ada@example.org", "user"),
            ("https://:pass@example.org", "user"),
            ("https://127.0.0.1", "private"),
            ("https://0x7f.1", "private"),
            ("https://2130706433", "private"),
            ("https://017700000001", "private"),
            ("https://[::1]:8080", "private"),
            ("https://[::ffff:127.0.0.1]", "private"),
            ("https://[::ffff:8.8.8.8]", "private"),
            ("https://[64:ff9b::7f00:1]", "private"),
            ("https://169.254.169.254/latest/meta-data", "private"),
        ] {
            let said = egress.check(wrong).unwrap_err();
            assert!(said.contains(why), "{wrong}: {said}");
        }
    }

    #[test]
    fn what_the_operator_allows_is_open_to_http_too_and_nothing_else_is() {
        let egress = Egress::new(vec!["10.0.0.0/8".parse().unwrap(), "fd00::/8".parse().unwrap()]);
        for fine in [
            "http://10.1.2.3/hook",
            "https://10.1.2.3",
            "http://[fd00::1]",
            "http://[::ffff:10.1.2.3]",
        ] {
            assert_eq!(egress.check(fine), Ok(()), "{fine}");
        }
        for wrong in [
            "http://8.8.8.8",
            "http://127.0.0.1",
            "https://192.168.0.1",
            "https://[fe80::1]",
        ] {
            assert!(egress.check(wrong).is_err(), "{wrong}");
        }
        // The addresses of a name are checked when it is resolved.
        assert_eq!(egress.check("http://inside.example"), Ok(()));
    }

    #[tokio::test]
    async fn a_name_that_leads_inside_is_not_connected_to() {
        let said = to_nowhere_private()
            .post("https://localhost:9/", HeaderMap::new(), String::new())
            .await;
        let said = said.unwrap_err();
        assert!(said.contains(PRIVATE), "{said}");
    }
}
