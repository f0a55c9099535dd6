//! Requests to addresses that users have chosen: all of them go through here. A name is resolved here, once; the
//! addresses it resolves to are checked, and only those that pass are connected to. No redirect is followed but to a file, where each
//! is checked like the first address, and no proxy is used.
//!
//! Public addresses are allowed with https, and for files with http. Private and special-purpose addresses are allowed where the operator lists
//! them (`PLAYOUT_EGRESS_ALLOW`), and with http too.

mod ranges;

use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use futures_util::StreamExt;
use ipnet::IpNet;
use playout_domain::time::Time;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::{HeaderMap, LOCATION, RETRY_AFTER};
use reqwest::{Client, Response, redirect, retry};
use url::{Host, Url};

pub use ranges::is_public;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// A connection that nothing was sent over for so long is closed.
const IDLE_FOR: Duration = Duration::from_secs(30);
/// How many redirects lead to a file at most.
const MOST_REDIRECTS: usize = 3;
/// How much is read of an answer.
const MAX_ANSWER_BYTES: usize = 2048;

/// The error for an address that nothing is sent to.
const PRIVATE: &str =
    "must not lead to a private address, unless the operator of the service allows it (PLAYOUT_EGRESS_ALLOW)";

/// The error for a hook that is neither encrypted nor allowed by the operator.
const NOT_HTTPS: &str = "must be an https address";

/// What the user can do where it is the address of a hook on their own machine.
const LISTEN: &str = "; to receive events on your own machine, use `playout webhooks listen --forward-to`, which needs no webhook";

/// How the error of a name begins that leads to a private address.
const REFUSED: &str = "the address";

/// What the user can do where it is the address of a file.
const UPLOAD: &str = ": upload the file instead, by POST /media or `playout media upload`";

/// The way out.
pub struct Egress {
    allowed: Arc<[IpNet]>,
    encrypted: OnceLock<Client>,
    plain: OnceLock<Client>,
    files: OnceLock<Client>,
}

/// Why a file was not fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unfetched {
    /// There was no answer, and there may be one later.
    NoAnswer(String),
    /// The address, or one that it leads to, is not connected to.
    Refused(String),
}

/// What a request is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// To send something that others must not read.
    Encrypted,
    /// To send something to where the operator allows it, unencrypted.
    Plain,
    /// To fetch a file.
    File,
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
            files: OnceLock::new(),
        }
    }

    /// Checks an address as far as its text shows: what a name resolves to is checked with every request. The error is
    /// what is wrong with it.
    pub fn check(&self, text: &str) -> Result<(), String> {
        self.judge(text).map(|_| ())
    }

    /// Posts a JSON body; the error is why there was no answer.
    pub async fn post(&self, to: &str, headers: HeaderMap, body: String) -> Result<Received, String> {
        let (url, purpose) = self
            .judge(to)
            .map_err(|problem| format!("The address {problem}."))?;
        let request = self.client(purpose)?.post(url).headers(headers).body(body);
        let response = request.send().await.map_err(explained)?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let text = beginning(response).await;
        Ok(Received {
            status,
            headers,
            text,
        })
    }

    /// [`Egress::check`] of the address of a file.
    pub fn check_file(&self, text: &str) -> Result<(), String> {
        self.judge_file(text).map(|_| ())
    }

    /// Asks for a file, and follows redirects. The body of the answer is still to come.
    ///
    /// # Errors
    /// Why there was no answer, and whether there may be one later.
    pub async fn get(&self, from: &str, headers: HeaderMap) -> Result<Response, Unfetched> {
        let refused = |problem| Unfetched::Refused(format!("The address {problem}."));
        let mut url = self.judge_file(from).map_err(refused)?;
        for _ in 0..=MOST_REDIRECTS {
            let client = self.client(Purpose::File).map_err(Unfetched::NoAnswer)?;
            let request = client.get(url.clone()).headers(headers.clone());
            let response = request
                .send()
                .await
                .map_err(|error| unfetched(explained(error)))?;
            let to = response
                .headers()
                .get(LOCATION)
                .filter(|_| response.status().is_redirection());
            let Some(to) = to else { return Ok(response) };
            let to = to.to_str().ok().and_then(|to| url.join(to).ok());
            let unreadable = "The address redirects to one that cannot be read.";
            let to = to.ok_or_else(|| Unfetched::Refused(unreadable.to_owned()))?;
            let refused =
                |problem| Unfetched::Refused(format!("The address redirects to one that {problem}."));
            url = self.judge_file(to.as_str()).map_err(refused)?;
        }
        let problem = format!("The address redirects more than {MOST_REDIRECTS} times.");
        Err(Unfetched::Refused(problem))
    }

    fn judge(&self, text: &str) -> Result<(Url, Purpose), String> {
        let url: Url = text
            .parse()
            .map_err(|_| "must be an address such as https://example.org/hook".to_owned())?;
        let purpose = match url.scheme() {
            "https" => Purpose::Encrypted,
            "http" if !self.allowed.is_empty() => Purpose::Plain,
            "http" if leads_inside(&url) => return Err(Purpose::Plain.private()),
            _ => return Err(NOT_HTTPS.to_owned()),
        };
        self.judge_host(&url, purpose)?;
        Ok((url, purpose))
    }

    fn judge_file(&self, text: &str) -> Result<Url, String> {
        let url: Url = text
            .parse()
            .map_err(|_| "must be an address such as https://example.org/clip.mp4".to_owned())?;
        match url.scheme() {
            "http" | "https" => {}
            _ => return Err("must be an http or https address".to_owned()),
        }
        self.judge_host(&url, Purpose::File)?;
        Ok(url)
    }

    fn judge_host(&self, url: &Url, purpose: Purpose) -> Result<(), String> {
        if !url.username().is_empty() || url.password().is_some() {
            return Err("must not hold a user or a password".to_owned());
        }
        let address = match url.host() {
            Some(Host::Ipv4(address)) => IpAddr::from(address),
            Some(Host::Ipv6(address)) => IpAddr::from(address),
            Some(Host::Domain(_)) => return Ok(()),
            None => return Err("must name a host".to_owned()),
        };
        match admits(&self.allowed, address, purpose) {
            true => Ok(()),
            false if purpose == Purpose::Plain && is_public(address) => Err(NOT_HTTPS.to_owned()),
            false => Err(purpose.private()),
        }
    }

    fn client(&self, purpose: Purpose) -> Result<&Client, String> {
        let cell = match purpose {
            Purpose::Encrypted => &self.encrypted,
            Purpose::Plain => &self.plain,
            Purpose::File => &self.files,
        };
        if let Some(client) = cell.get() {
            return Ok(client);
        }
        let allowed = Arc::clone(&self.allowed);
        let built =
            build(Guard { allowed, purpose }).map_err(|error| format!("No request can be made: {error}."))?;
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
        .https_only(guard.purpose == Purpose::Encrypted)
        .connect_timeout(CONNECT_TIMEOUT)
        .pool_idle_timeout(IDLE_FOR)
        // A server that redirects may close its connection without saying so.
        .pool_max_idle_per_host(if guard.purpose == Purpose::File {
            0
        } else {
            usize::MAX
        })
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
    purpose: Purpose,
}

impl Resolve for Guard {
    fn resolve(&self, name: Name) -> Resolving {
        let (allowed, purpose) = (Arc::clone(&self.allowed), self.purpose);
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let admitted: Vec<SocketAddr> = found
                .filter(|found| admits(&allowed, found.ip(), purpose))
                .collect();
            match admitted.is_empty() {
                true => Err(format!("{REFUSED} {}", purpose.private()).into()),
                false => Ok(Box::new(admitted.into_iter()) as Addrs),
            }
        })
    }
}

impl Purpose {
    /// The error for a private address.
    fn private(self) -> String {
        match self {
            Self::File => format!("{PRIVATE}{UPLOAD}"),
            Self::Encrypted => format!("{PRIVATE}{LISTEN}"),
            Self::Plain => format!("{NOT_HTTPS}, and {PRIVATE}{LISTEN}"),
        }
    }
}

/// Whether the text of an address shows that it leads to a private address.
fn leads_inside(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => !is_public(address.into()),
        Some(Host::Ipv6(address)) => !is_public(address.into()),
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        None => false,
    }
}

/// A name that leads inside does so later too.
fn unfetched(problem: String) -> Unfetched {
    match problem.contains(PRIVATE) {
        true => Unfetched::Refused(problem),
        false => Unfetched::NoAnswer(problem),
    }
}

/// Whether requests may go to an address.
fn admits(allowed: &[IpNet], address: IpAddr, purpose: Purpose) -> bool {
    let is_allowed = allowed
        .iter()
        .any(|network| network.contains(&address) || network.contains(&address.to_canonical()));
    is_allowed || purpose != Purpose::Plain && is_public(address)
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

/// How long the other side asks to wait, in seconds or until a date (RFC 9110 §10.2.3).
pub(crate) fn retry_after(headers: &HeaderMap, now: Time) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    match text.parse() {
        Ok(seconds) => Some(Duration::from_secs(seconds)),
        Err(_) => Time::parse_http_date(text).map(|until| until.since(now)),
    }
}

/// The last cause is the most specific. The address is left out, as the reader knows it.
fn explained(error: reqwest::Error) -> String {
    let error = error.without_url();
    let causes = std::iter::successors(std::error::Error::source(&error), |cause| cause.source());
    let deepest = causes.last().map(ToString::to_string);
    let deepest = deepest.unwrap_or_else(|| error.to_string());
    match deepest.strip_prefix(REFUSED) {
        Some(problem) => format!("The address{problem}."),
        None => format!("There was no answer: {deepest}."),
    }
}

#[cfg(test)]
mod tests {
    use reqwest::header::HeaderValue;

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
            (
                "http://localhost:3000",
                "https address, and must not lead to a private address",
            ),
            (
                "http://127.0.0.1:3000",
                "https address, and must not lead to a private address",
            ),
            ("http://192.168.0.1", "playout webhooks listen --forward-to"),
            ("https://127.0.0.1", "playout webhooks listen --forward-to"),
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

    #[test]
    fn a_file_may_be_fetched_without_encryption_and_from_nowhere_inside() {
        let egress = to_nowhere_private();
        for fine in [
            "http://example.org/clip.mp4",
            "https://8.8.8.8/clip.mp4?x=1",
            "http://8.8.8.8:81",
        ] {
            assert_eq!(egress.check_file(fine), Ok(()), "{fine}");
        }
        for (wrong, why) in [
            ("clip.mp4", "such as"),
            ("file:///etc/passwd", "http or https"),
            ("ftp://example.org/clip.mp4", "http or https"),
            ("https://ada@example.org/clip.mp4", "user"),
            ("http://127.0.0.1/clip.mp4", "private"),
            ("http://[::ffff:10.0.0.1]/clip.mp4", "private"),
            ("http://169.254.169.254/latest/meta-data", "private"),
        ] {
            let problem = egress.check_file(wrong).unwrap_err();
            assert!(problem.contains(why), "{wrong}: {problem}");
            assert_eq!(problem.ends_with(UPLOAD), why == "private", "{wrong}: {problem}");
        }
    }

    #[tokio::test]
    async fn no_file_is_fetched_from_a_name_that_leads_inside() {
        let fetched = to_nowhere_private()
            .get("http://localhost:9/", HeaderMap::new())
            .await;
        let Err(Unfetched::Refused(problem)) = fetched else {
            panic!("{fetched:?}")
        };
        assert_eq!(problem, format!("The address {PRIVATE}{UPLOAD}."));
    }

    #[tokio::test]
    async fn a_name_that_leads_inside_is_not_connected_to() {
        let said = to_nowhere_private()
            .post("https://localhost:9/", HeaderMap::new(), String::new())
            .await;
        assert_eq!(said, Err(format!("The address {PRIVATE}{LISTEN}.")));
    }

    #[test]
    fn the_other_side_says_in_seconds_or_by_a_date_when_to_come_back() {
        let now = Time::from_secs(1_795_176_000);
        let asked = |text: &str| {
            let headers = [(RETRY_AFTER, HeaderValue::from_str(text).unwrap())];
            retry_after(&HeaderMap::from_iter(headers), now)
        };
        let minute = Duration::from_secs(60);
        assert_eq!(asked("60"), Some(minute));
        assert_eq!(asked(&now.plus(minute).http_date()), Some(minute));
        assert_eq!(asked(&now.minus(minute).http_date()), Some(Duration::ZERO));
        assert_eq!(asked("soon"), None);
        assert_eq!(retry_after(&HeaderMap::new(), now), None);
    }
}
