//! The one HTTP client towards the provider: no redirects, no retries, bounded in time and size. A request that was
//! sent is never sent again from here, because a second hand-over would be a second post.

use std::time::Duration;

use playout_domain::provider::ProviderError;
use playout_domain::time::Time;
use reqwest::header::{CONTENT_RANGE, DATE, HeaderMap, HeaderName};
use reqwest::{Client, RequestBuilder, redirect, retry};

use crate::dating::read_date;
use crate::errors;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Shorter than servers keep idle connections, so that a hand-over rarely meets one that was just closed.
const IDLE_TIMEOUT: Duration = Duration::from_secs(4);

/// The slowest upload that is waited for, in bytes a second.
const SLOWEST_UPLOAD: u64 = 128 * 1024;

/// Answers are small; whatever is larger is not an answer.
const MAX_ANSWER_BYTES: usize = 1 << 20;

/// What the provider answered, unread.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// `x-tt-logid`, which also comes with answers that carry no envelope.
    pub(crate) log_id: Option<String>,
    pub(crate) content_range: Option<String>,
    /// When, by the provider's clock.
    pub(crate) date: Option<Time>,
    pub(crate) body: Vec<u8>,
}

#[derive(Debug, Clone)]
pub(crate) struct Http {
    client: Client,
    call_timeout: Duration,
}

impl Http {
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the crate's one home of outgoing HTTP"
    )]
    pub(crate) fn new(call_timeout: Duration) -> Result<Self, reqwest::Error> {
        // Another part of the process may have installed one already; any will do.
        let _installed = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder()
            .user_agent(concat!("Playout/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(CONNECT_TIMEOUT)
            .timeout(call_timeout)
            .pool_idle_timeout(IDLE_TIMEOUT)
            .redirect(redirect::Policy::none())
            .retry(retry::never())
            .no_proxy()
            .build()?;
        Ok(Self { client, call_timeout })
    }

    pub(crate) fn get(&self, url: &str) -> RequestBuilder {
        self.client.get(url)
    }

    pub(crate) fn post(&self, url: &str) -> RequestBuilder {
        self.client.post(url)
    }

    /// A PUT of `size_bytes`, with as much time as a slow line needs.
    pub(crate) fn put(&self, url: &str, size_bytes: u64) -> RequestBuilder {
        self.client.put(url).timeout(self.put_limit(size_bytes))
    }

    /// How long a PUT of `size_bytes` may take, response included, before it is given up.
    pub(crate) fn put_limit(&self, size_bytes: u64) -> Duration {
        self.call_timeout + Duration::from_secs(size_bytes / SLOWEST_UPLOAD)
    }
}

/// Sends `request` once and reads the whole answer, whatever its status.
pub(crate) async fn call(request: RequestBuilder) -> Result<Answer, ProviderError> {
    let mut response = request.send().await.map_err(transport_error)?;
    let status = response.status().as_u16();
    let log_id = text(response.headers(), &HeaderName::from_static("x-tt-logid"));
    let content_range = text(response.headers(), &CONTENT_RANGE);
    let date = text(response.headers(), &DATE).and_then(|date| read_date(&date));
    let path = response.url().path().to_owned();
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(transport_error)? {
        if body.len() + chunk.len() > MAX_ANSWER_BYTES {
            return Err(errors::ours("unreadable_answer"));
        }
        body.extend_from_slice(&chunk);
    }
    tracing::debug!(path, status, log_id, bytes = body.len(), "the provider answered");
    Ok(Answer {
        status,
        log_id,
        content_range,
        date,
        body,
    })
}

/// Before the connection is established nothing was sent; after that the outcome is unknown.
fn transport_error(error: reqwest::Error) -> ProviderError {
    let code = if error.is_connect() || error.is_builder() {
        "connect_error"
    } else if error.is_timeout() {
        "timeout"
    } else {
        "network_error"
    };
    // The address carries the upload token; it must not reach a log.
    tracing::debug!(code, error = %error.without_url(), "no answer from the provider");
    errors::ours(code)
}

fn text(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    let value = headers.get(name)?.to_str().ok()?.trim();
    (!value.is_empty()).then(|| value.chars().take(200).collect())
}
