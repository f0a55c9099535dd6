//! Requests about webhooks.

use playout_domain::error::{Issue, IssueCode};
use playout_domain::webhook::WebhookEvent;
use serde_json::{Value, json};

use super::words;
use crate::read::{ObjectReader, read_body};
use crate::schema;

/// The longest address.
const MAX_URL_CHARS: usize = 2048;

/// A request to create a webhook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreateWebhook {
    /// The address for the events.
    pub url: String,
    /// The events; at least one, without duplicates.
    pub events: Vec<WebhookEvent>,
}

/// A request to change a webhook; `None` leaves a part unchanged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpdateWebhook {
    /// The address for the events.
    pub url: Option<String>,
    /// The events; at least one, without duplicates.
    pub events: Option<Vec<WebhookEvent>>,
    /// Whether it is disabled.
    pub disabled: Option<bool>,
}

/// Checks an address; returns its problem, if it has one.
pub type CheckUrl<'a> = &'a dyn Fn(&str) -> Result<(), String>;

impl CreateWebhook {
    /// Parses the body; `check` validates the address.
    pub fn read(body: &Value, check: CheckUrl<'_>) -> Result<Self, Vec<Issue>> {
        read_body(body, |reader| {
            let url = read_url(reader, check);
            let events = reader.words("events", &event_table());
            Some(Self {
                url: url?,
                events: events?,
            })
        })
    }
}

impl UpdateWebhook {
    /// Parses the body; `check` validates the address.
    pub fn read(body: &Value, check: CheckUrl<'_>) -> Result<Self, Vec<Issue>> {
        read_body(body, |reader| {
            let url = reader.given("url", |reader| read_url(reader, check));
            let events = reader.given("events", |reader| reader.words("events", &event_table()));
            let disabled = reader.optional_flag("disabled");
            Some(Self {
                url: url?,
                events: events?,
                disabled: disabled?,
            })
        })
    }
}

fn read_url(reader: &mut ObjectReader<'_>, check: CheckUrl<'_>) -> Option<String> {
    let url = reader.text("url", MAX_URL_CHARS)?;
    match check(&url) {
        Ok(()) => Some(url),
        Err(problem) => {
            reader.problem("url", IssueCode::Format.with(problem));
            None
        }
    }
}

fn event_table() -> Vec<(&'static str, WebhookEvent)> {
    WebhookEvent::ALL
        .iter()
        .map(|event| (event.as_str(), *event))
        .collect()
}

/// The schemas of the requests.
pub fn request_schemas() -> Vec<(&'static str, Value)> {
    let events = words(WebhookEvent::ALL);
    let url = || {
        let about =
            "The address for the events: an https address that is not private, without a user or a password.";
        let mut url = schema::text(about, (1, MAX_URL_CHARS));
        url["format"] = "uri".into();
        url
    };
    let create = json!({ "url": url(), "events": schema::words("Which events.", &events) });
    let change = json!({
        "url": schema::nullable(url()),
        "events": schema::nullable(schema::words("Which events.", &events)),
        "disabled": schema::nullable(schema::flag("Whether it is disabled. Disabling it cancels its pending deliveries.")),
    });
    vec![
        (
            "CreateWebhook",
            schema::object("A new webhook.", &["url", "events"], create),
        ),
        (
            "UpdateWebhook",
            schema::object(
                "What to change of a webhook; absent fields stay unchanged.",
                &[],
                change,
            ),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems<T>(read: Result<T, Vec<Issue>>) -> Vec<Value> {
        let issues = read.err().unwrap_or_default();
        issues.into_iter().map(|issue| json!(issue.path)).collect()
    }

    #[test]
    fn a_webhook_has_an_address_and_at_least_one_event_none_twice() {
        let fine =
            json!({ "url": "https://example.org", "events": ["post.published", "media.ready"], "more": 1 });
        let read = CreateWebhook::read(&fine, &|_| Ok(())).unwrap();
        assert_eq!(
            read.events,
            [WebhookEvent::PostPublished, WebhookEvent::MediaReady]
        );
        let wrong = json!({ "events": ["post.published", "post.deleted", "post.published", 5], "url": "x" });
        let read = CreateWebhook::read(&wrong, &|_| Err("is no address".to_owned()));
        assert_eq!(
            problems(read),
            [
                json!(["events", 1]),
                json!(["events", 2]),
                json!(["events", 3]),
                json!(["url"])
            ]
        );
        let empty = CreateWebhook::read(&json!({ "url": "x", "events": [] }), &|_| Ok(()));
        assert_eq!(problems(empty), [json!(["events"])]);
    }

    #[test]
    fn what_is_absent_or_null_stays_as_it_is() {
        let read = UpdateWebhook::read(&json!({ "url": null, "disabled": true }), &|_| {
            Err("never asked".to_owned())
        });
        let read = read.unwrap();
        assert_eq!((read.url, read.events, read.disabled), (None, None, Some(true)));
        let empty = UpdateWebhook::read(&json!({ "events": [], "disabled": 1 }), &|_| Ok(()));
        assert_eq!(problems(empty), [json!(["events"]), json!(["disabled"])]);
    }
}
