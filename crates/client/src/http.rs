//! The only place in the client that sends HTTP requests: sending, retrying, and interpreting responses.
//!
//! | Outcome | Requests that are sent again |
//! |---|---|
//! | no connection at all | all: nothing was sent |
//! | a cut, a time-out | GET, HEAD, and POST: it carries the same `Idempotency-Key` |
//! | 500, 502, 503, 504 | the same; but not 503 with a code such as `captions_unavailable`: something is not set up, or does not answer |
//! | 429, and 423 of a resumable upload | all, after `Retry-After`: nothing was changed |
//! | 409 `idempotency_in_progress` | the same request: its first sending is still being processed |

pub(crate) mod failure;

use std::time::Duration;

use playout_domain::secret::Secret;
use reqwest::header::HeaderMap;
use reqwest::{Client, Method, RequestBuilder, Response, redirect, retry};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use url::Url;

use crate::answers::Reply;
use crate::chance;
use crate::error::Error;
use failure::{Failed, failed, network_error};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
const CALL_TIMEOUT: Duration = Duration::from_secs(60);

/// How long to retry.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// The most retries of a request.
    pub retries: u32,
    /// The wait before the first retry; it doubles each time.
    pub first_wait: Duration,
    /// The longest wait; a longer `Retry-After` is returned as an error.
    pub longest_wait: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            retries: 4,
            first_wait: Duration::from_millis(300),
            longest_wait: Duration::from_secs(60),
        }
    }
}

/// The service's address, and the key.
#[derive(Debug, Clone)]
pub struct Connection {
    /// The service's public address; the API's prefix is appended.
    pub base_url: Url,
    /// The workspace's key.
    pub key: Option<Secret>,
    /// How long to retry.
    pub patience: Patience,
}

/// A successful response.
pub(crate) struct Answer {
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

/// The outcome of sending once.
pub(crate) enum Sent {
    /// A successful response.
    Done(Answer),
    /// A failure, which may be retried.
    Failed(Failed),
}

/// The HTTP client with an address and a key.
#[derive(Debug, Clone)]
pub(crate) struct Http {
    client: Client,
    connection: Connection,
}

impl Http {
    #[expect(
        clippy::disallowed_methods,
        reason = "the only place in the crate that sends HTTP requests"
    )]
    pub(crate) fn new(connection: Connection) -> Result<Self, Error> {
        // Another part of the process may have installed one already; any provider works.
        let _installed = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder()
            .user_agent(concat!("playout/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(CONNECT_TIMEOUT)
            .redirect(redirect::Policy::none())
            .retry(retry::never())
            .build();
        let client = client.map_err(|error| network_error(&error))?;
        Ok(Self { client, connection })
    }

    /// The same client with another token, or without one.
    pub(crate) fn with_token(&self, token: Option<Secret>) -> Self {
        let connection = Connection {
            key: token,
            ..self.connection.clone()
        };
        Self {
            client: self.client.clone(),
            connection,
        }
    }

    pub(crate) fn base_url(&self) -> &Url {
        &self.connection.base_url
    }

    /// A request to a path below the service's address.
    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let base = self.connection.base_url.as_str().trim_end_matches('/');
        self.with_key(
            self.client
                .request(method, format!("{base}{path}"))
                .timeout(CALL_TIMEOUT),
        )
    }

    fn with_key(&self, request: RequestBuilder) -> RequestBuilder {
        match &self.connection.key {
            Some(key) => request.bearer_auth(key.expose()),
            None => request,
        }
    }

    /// Sends the request of `build` until there is a response, as often as that is safe.
    pub(crate) async fn send<F>(&self, repeatable: bool, build: F) -> Result<Answer, Error>
    where
        F: AsyncFn() -> Result<RequestBuilder, Error>,
    {
        let sent = self.send_whole(repeatable, build).await;
        sent.map_err(|failed| failed.error)
    }

    /// [`Http::send`], with the body of a response that is an error.
    pub(crate) async fn send_whole<F>(&self, repeatable: bool, build: F) -> Result<Answer, Box<Failed>>
    where
        F: AsyncFn() -> Result<RequestBuilder, Error>,
    {
        let (mut tried, mut may_be_done) = (0, false);
        loop {
            let request = build().await.map_err(|error| Box::new(Failed::unsent(error)))?;
            let mut failed = match send_once(request).await {
                Sent::Done(answer) => return Ok(answer),
                Sent::Failed(failed) => failed,
            };
            // An earlier sending may have taken effect although this one is rejected.
            may_be_done |= failed.may_be_done();
            failed.error.may_be_done = may_be_done;
            match self.wait(&failed, repeatable, tried) {
                Some(wait) => tokio::time::sleep(wait).await,
                None => return Err(Box::new(failed)),
            }
            tried += 1;
        }
    }

    /// Sends a request once; the body of the response is still to be read.
    pub(crate) async fn open(&self, request: RequestBuilder) -> Result<Response, Error> {
        let response = request.send().await.map_err(|error| network_error(&error))?;
        if response.status().is_success() {
            return Ok(response);
        }
        match read(response).await {
            Sent::Failed(failed) => Err(failed.error),
            Sent::Done(_) => Err(Error::unexpected("The service's response has no status.")),
        }
    }

    /// A request to another address, without the key.
    pub(crate) fn request_elsewhere(&self, method: Method, url: &Url) -> RequestBuilder {
        self.client.request(method, url.clone())
    }

    /// Sends a request once; returns the status of the response.
    pub(crate) async fn status_of(&self, request: RequestBuilder) -> Result<u16, Error> {
        let response = request.send().await.map_err(|error| network_error(&error))?;
        Ok(response.status().as_u16())
    }

    /// How long to wait before a retry; `None` if a retry is not safe, or there were enough.
    pub(crate) fn wait(&self, failed: &Failed, repeatable: bool, tried: u32) -> Option<Duration> {
        let patience = self.connection.patience;
        if !failed.is_temporary || tried >= patience.retries || !(repeatable || failed.nothing_done) {
            return None;
        }
        let growing = patience.first_wait.saturating_mul(1 << tried.min(16));
        let wait = growing
            .min(patience.longest_wait)
            .mul_f64(0.5 + chance::fraction() / 2.0);
        match failed.after {
            Some(after) if after > patience.longest_wait => None,
            Some(after) => Some(after.max(wait)),
            None => Some(wait),
        }
    }
}

/// Sends a request once and reads the whole response.
pub(crate) async fn send_once(request: RequestBuilder) -> Sent {
    match request.send().await {
        Ok(response) => read(response).await,
        Err(error) => Sent::Failed(cut(&error)),
    }
}

async fn read(response: Response) -> Sent {
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    match response.bytes().await {
        Ok(body) if (200..300).contains(&status) => Sent::Done(Answer {
            headers,
            body: body.into(),
        }),
        Ok(body) => Sent::Failed(failed(status, &headers, &body)),
        Err(error) => Sent::Failed(cut(&error)),
    }
}

fn cut(error: &reqwest::Error) -> Failed {
    Failed {
        error: network_error(error),
        after: None,
        nothing_done: error.is_connect(),
        is_temporary: !error.is_builder(),
        body: None,
    }
}

impl Answer {
    /// The body as JSON.
    pub(crate) fn json(&self) -> Result<Value, Error> {
        serde_json::from_slice(&self.body).map_err(|_| {
            Error::unexpected("The service's response is not JSON. Is this address a Playout service?")
        })
    }

    /// The body as a document of that form, with the version of the resource.
    pub(crate) fn reply<T: DeserializeOwned>(&self) -> Result<Reply<T>, Error> {
        let mut reply = Reply::read(self.json()?)?;
        reply.etag = self.header("etag").map(str::to_owned);
        if let (Some(etag), Value::Object(document)) = (&reply.etag, &mut reply.json) {
            document.insert("etag".to_owned(), json!(etag));
        }
        Ok(reply)
    }

    /// A header's text.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}
