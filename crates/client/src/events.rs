//! The events of a workspace as they happen: server-sent events (the HTML standard's "text/event-stream"), and their delivery to an address
//! of this machine.

mod parser;
mod signature;

use std::collections::VecDeque;
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use playout_domain::time::Time;
use reqwest::Method;
use reqwest::header::{ACCEPT, CONTENT_TYPE};
use url::Url;

use crate::api::{Api, PREFIX, with_query};
use crate::error::{Error, Kind};

pub use parser::Event;
use parser::Parser;
pub use signature::WebhookSecret;

/// The service sends a comment every 15 seconds; a connection that is silent for longer than this is cut.
const SILENCE: Duration = Duration::from_secs(50);
/// No stream lasts longer; silence is monitored instead.
const LONGEST: Duration = Duration::from_secs(7 * 86_400);
/// How long a receiver may take, as with webhooks.
const DELIVERY_TIMEOUT: Duration = Duration::from_secs(15);

/// The events to read.
#[derive(Debug, Clone, Default)]
pub struct EventQuery {
    /// Their names; empty means all.
    pub events: Vec<String>,
    /// The `id` of the last event that was read, whole; later ones follow it.
    pub after: Option<String>,
}

/// An open stream of events.
pub struct Events {
    pieces: BoxStream<'static, reqwest::Result<Bytes>>,
    parser: Parser,
    ready: VecDeque<Event>,
}

impl Api {
    /// `GET /events`
    ///
    /// # Errors
    /// Those of every operation.
    pub async fn events(&self, query: &EventQuery) -> Result<Events, Error> {
        let names = query.events.iter().map(|name| ("event", Some(name.as_str())));
        let path = with_query(&format!("{PREFIX}/events"), &names.collect::<Vec<_>>());
        let request = self
            .http
            .request(Method::GET, &path)
            .timeout(LONGEST)
            .header(ACCEPT, "text/event-stream");
        let request = match &query.after {
            Some(id) => request.header("Last-Event-ID", id),
            None => request,
        };
        let response = self.http.open(request).await?;
        let form = response.headers().get(CONTENT_TYPE);
        if !form.is_some_and(|form| form.as_bytes().starts_with(b"text/event-stream")) {
            return Err(Error::unexpected(
                "The service's response is no stream of events. Is this address a Playout service?",
            ));
        }
        Ok(Events {
            pieces: response.bytes_stream().boxed(),
            parser: Parser::default(),
            ready: VecDeque::new(),
        })
    }

    /// Posts an event to an address as a webhook's delivery, without the key; returns the status of the response.
    ///
    /// # Errors
    /// `network_error` if there is none within 15 seconds.
    pub async fn deliver(
        &self,
        to: &Url,
        event: &Event,
        secret: &WebhookSecret,
        at: Time,
    ) -> Result<u16, Error> {
        let id = event.own_id().unwrap_or_default();
        let request = self
            .http
            .request_elsewhere(Method::POST, to)
            .timeout(DELIVERY_TIMEOUT)
            .header(CONTENT_TYPE, "application/json")
            .header("webhook-id", id)
            .header("webhook-timestamp", at.as_secs())
            .header("webhook-signature", secret.sign(id, at, &event.data))
            .body(event.data.clone());
        self.http.status_of(request).await
    }
}

impl Events {
    /// The next event. Dropping the future loses nothing.
    ///
    /// # Errors
    /// `network_error` when the connection has ended or is silent.
    pub async fn next(&mut self) -> Result<Event, Error> {
        let cut = |why: &str| {
            Error::new(
                Kind::Network,
                "network_error",
                format!("The stream of events was cut: {why}."),
            )
        };
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Ok(event);
            }
            match tokio::time::timeout(SILENCE, self.pieces.next()).await {
                Err(_) => return Err(cut("nothing was received")),
                Ok(None) => return Err(cut("the service closed it")),
                Ok(Some(Err(error))) => return Err(cut(&error.to_string())),
                Ok(Some(Ok(piece))) => self.ready.extend(self.parser.read(&piece)),
            }
        }
    }

    /// The wait before a reconnection that the service asks for.
    pub fn retry(&self) -> Option<Duration> {
        self.parser.retry
    }
}
