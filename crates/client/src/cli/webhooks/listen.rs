//! `webhooks listen`: reads the stream of events, prints each, and delivers it to an address of this machine.

use std::collections::BTreeSet;
use std::time::Duration;

use playout_client::{Api, Error, Event, EventQuery, Kind, SystemClock, WebhookSecret};
use playout_domain::time::{Clock, Time};
use serde_json::{Value, json};
use url::Url;

use crate::cli::moment::{Here, here};
use crate::cli::report::{Outcome, Report};
use crate::cli::screen::{Colour, clean};
use crate::cli::session::Session;

/// The errors of an event that the filter of the output does not fit: it is on standard error, and the next one follows.
const FILTER_CODES: [&str; 2] = ["filter_failed", "unknown_field"];
/// The wait before the first reconnection; it doubles each time.
const FIRST_WAIT: Duration = Duration::from_millis(500);
const LONGEST_WAIT: Duration = Duration::from_secs(30);
/// How many events are remembered, so that one that comes again after a cut is left out.
const REMEMBERED: usize = 10_000;
/// How often a connection is tried before there was one.
const FIRST_TRIES: u32 = 4;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Listen {
    /// Only these events, separated by commas, such as post.published,post.failed.
    #[arg(long, value_delimiter = ',', value_name = "EVENTS")]
    events: Vec<String>,
    /// Post each event to this address.
    #[arg(long, value_name = "URL")]
    forward_to: Option<String>,
    /// Sign with this secret instead of a new one; needs --forward-to.
    #[arg(long, value_name = "SECRET", requires = "forward_to")]
    secret: Option<String>,
    /// Begin after the event with this ID, as Ctrl-C reports it. The events of the 30 seconds before it come again, with their IDs: one of them
    /// may have become visible only after it.
    #[arg(long, value_name = "ID")]
    after: Option<String>,
    /// Stop after so many events.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
}

/// Where events are delivered, and what signs them.
struct Receiver {
    url: Url,
    secret: WebhookSecret,
}

/// A listener that goes on.
struct Listener<'a> {
    session: &'a Session,
    api: &'a Api,
    receiver: Option<Receiver>,
    here: Here,
    query: EventQuery,
    /// The IDs of the newest events that were taken. They begin with their time (RFC 9562, section 5.7).
    taken: BTreeSet<String>,
    left: Option<u32>,
    count: u32,
}

pub(super) async fn run(wanted: Listen, session: &Session, api: &Api) -> Outcome {
    let receiver = match &wanted.forward_to {
        Some(url) => Some(Receiver {
            url: read_address(url)?,
            secret: match &wanted.secret {
                Some(text) => WebhookSecret::parse(text)?,
                None => WebhookSecret::random()?,
            },
        }),
        None => None,
    };
    announce(session, receiver.as_ref());
    let mut listener = Listener {
        session,
        api,
        receiver,
        here: here(),
        taken: named_in(wanted.after.as_deref()),
        query: EventQuery {
            events: wanted.events,
            after: wanted.after,
        },
        left: wanted.limit,
        count: 0,
    };
    session.interrupts.watch(&session.screen);
    listener.hint();
    listener.listen().await?;
    // Each event is printed already.
    Ok(Report {
        bytes: Some(Vec::new()),
        ..Report::default()
    })
}

impl Listener<'_> {
    /// Reads events until there were enough, across cuts.
    async fn listen(&mut self) -> Result<(), Error> {
        let (mut was_connected, mut tried, mut asked) = (false, 0, None);
        loop {
            let cut = match self.api.events(&self.query).await {
                Ok(mut events) => {
                    if was_connected {
                        self.session.screen.remark("Connected again.");
                    }
                    (was_connected, tried) = (true, 0);
                    let cut = loop {
                        match events.next().await {
                            Ok(event) => self.take(&event).await?,
                            Err(cut) => break cut,
                        }
                        if self.left == Some(0) {
                            return Ok(());
                        }
                    };
                    asked = events.retry();
                    cut
                }
                Err(error) => error,
            };
            let is_temporary = matches!(cut.kind, Kind::Network | Kind::Server) || cut.status == Some(429);
            if !is_temporary || (!was_connected && tried >= FIRST_TRIES) {
                return Err(cut);
            }
            let wait = FIRST_WAIT.saturating_mul(1 << tried.min(16)).min(LONGEST_WAIT);
            let wait = wait.max(asked.unwrap_or_default().min(LONGEST_WAIT));
            self.session
                .screen
                .remark(&clean(&format!("{} Connecting again.", cut.message)));
            tokio::time::sleep(wait).await;
            tried += 1;
        }
    }

    async fn take(&mut self, event: &Event) -> Result<(), Error> {
        if let Some(id) = event.own_id() {
            if !self.taken.insert(id.to_owned()) {
                self.query.after.clone_from(&event.id);
                return Ok(());
            }
            if self.taken.len() > REMEMBERED {
                self.taken.pop_first();
            }
        }
        let body: Value = serde_json::from_str(&event.data).unwrap_or_default();
        let delivered = match &self.receiver {
            Some(receiver) => {
                let (url, secret) = (&receiver.url, &receiver.secret);
                Some(self.api.deliver(url, event, secret, SystemClock.now()).await)
            }
            None => None,
        };
        let mut json = json!({ "id": event.own_id(), "type": event.name, "timestamp": body["timestamp"], "data": body["data"] });
        match &delivered {
            Some(Ok(status)) => json["delivery"] = json!({ "responseStatus": status, "problem": null }),
            Some(Err(error)) => {
                json["delivery"] = json!({ "responseStatus": null, "problem": error.message })
            }
            None => {}
        }
        let text = self.line(event, &body, delivered.as_ref());
        self.query.after = event.id.clone().or(self.query.after.take());
        self.left = self.left.map(|left| left.saturating_sub(1));
        self.count += 1;
        // Before its line, so that Ctrl-C after it names this event.
        self.hint();
        let screen = &self.session.screen;
        match screen.show_line(&json, &text, &self.session.filter) {
            Err(error) if FILTER_CODES.contains(&error.code.as_str()) => {
                screen.tell_program(&error.to_json());
                Ok(())
            }
            shown => shown,
        }
    }

    fn line(&self, event: &Event, body: &Value, delivered: Option<&Result<u16, Error>>) -> String {
        let screen = &self.session.screen;
        let time = body["timestamp"].as_str().and_then(|text| Time::parse(text).ok());
        let time = self.here.show(time.unwrap_or_else(|| SystemClock.now()));
        let about = body["data"]["id"].as_str().unwrap_or("-");
        let response = match delivered {
            None => String::new(),
            Some(Ok(status @ 200..300)) => format!("  → {}", screen.paint(Colour::Good, &status.to_string())),
            Some(Ok(status)) => format!("  → {}", screen.paint(Colour::Bad, &status.to_string())),
            Some(Err(error)) => format!("  → {}", screen.paint(Colour::Bad, &clean(&error.message))),
        };
        format!("{time}  {}  {}{response}", clean(&event.name), clean(about))
    }

    /// What Ctrl-C reports.
    fn hint(&self) {
        let on = match &self.query.after {
            Some(id) if id.contains(' ') => format!(" `--after '{}'` goes on after the last one.", clean(id)),
            Some(id) => format!(" `--after {}` goes on after the last one.", clean(id)),
            None => String::new(),
        };
        let events = match self.count {
            1 => "1 event was".to_owned(),
            count => format!("{count} events were"),
        };
        self.session.interrupts.next(format!("{events} read.{on}"));
    }
}

/// The IDs of the events that a position names, which were taken: the last one, and the newest of the stream that it came from.
fn named_in(position: Option<&str>) -> BTreeSet<String> {
    let ids = position.unwrap_or_default().split_whitespace();
    ids.map(str::to_owned).collect()
}

/// On standard error: standard output is for the events.
fn announce(session: &Session, receiver: Option<&Receiver>) {
    let Some(receiver) = receiver else {
        session.screen.remark("Listening; Ctrl-C ends it.");
        return;
    };
    let (url, secret) = (receiver.url.as_str(), receiver.secret.expose());
    match session.screen.is_json {
        true => session
            .screen
            .tell_program(&json!({ "listening": { "forwardTo": url, "secret": secret } })),
        false => session.screen.remark(&format!(
            "Delivering events to {url}, signed with the secret {secret}; Ctrl-C ends it."
        )),
    }
}

/// An address; one without a scheme is of this machine.
fn read_address(text: &str) -> Result<Url, Error> {
    let refuse = || {
        Error::usage(format!(
            "{text:?} is no address, such as http://localhost:3000/webhooks."
        ))
    };
    let whole = match text.contains("://") {
        true => text.to_owned(),
        false => format!("http://{text}"),
    };
    let url = Url::parse(&whole).map_err(|_| refuse())?;
    match matches!(url.scheme(), "http" | "https") && url.host_str().is_some() {
        true => Ok(url),
        false => Err(refuse()),
    }
}
