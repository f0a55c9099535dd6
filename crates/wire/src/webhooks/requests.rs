//! Requests about webhooks.

use playout_domain::error::Issue;
use playout_domain::webhook::WebhookEvent;
use serde_json::Value;

use crate::read::{CheckUrl, ObjectReader, Patch, checked_url, flag, read_body, schema_of, words};

const URL: &str =
    "The address for the events: an https address that is not private, without a user or a password.";
const EVENTS: &str = "Which events.";

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

impl CreateWebhook {
    /// Parses the body; `check` validates the address.
    pub fn read(body: &Value, check: CheckUrl<'_>) -> Result<Self, Vec<Issue>> {
        read_body(body, |reader| Self::fields(reader, check))
    }

    fn fields(reader: &mut ObjectReader<'_>, check: CheckUrl<'_>) -> Option<Self> {
        reader.about("A new webhook.");
        let url = reader.required("url", checked_url(check), URL);
        let events = reader.required("events", words(&event_table()), EVENTS);
        Some(Self {
            url: url?,
            events: events?,
        })
    }
}

impl Patch for UpdateWebhook {
    const FIELDS: &'static [&'static str] = &["url", "events", "disabled"];

    fn changed_by(field: &str) -> &'static str {
        match field {
            "disabledReason" => "is set by the service; `disabled` switches the webhook off and on",
            _ => "is set by the service",
        }
    }
}

impl UpdateWebhook {
    /// Parses the body; `check` validates the address.
    pub fn read(body: &Value, check: CheckUrl<'_>) -> Result<Self, Vec<Issue>> {
        read_body(body, |reader| Self::fields(reader, check))
    }

    fn fields(reader: &mut ObjectReader<'_>, check: CheckUrl<'_>) -> Option<Self> {
        reader.about("What to change of a webhook; absent fields stay unchanged.");
        let url = reader.optional("url", checked_url(check), URL);
        let events = reader.optional("events", words(&event_table()), EVENTS);
        let disabled = reader.optional(
            "disabled",
            flag(),
            "Whether it is disabled. Disabling it cancels its pending deliveries.",
        );
        Some(Self {
            url: url?,
            events: events?,
            disabled: disabled?,
        })
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
    // The check is not part of a schema.
    let check: CheckUrl<'_> = &|_| Ok(());
    vec![
        (
            "CreateWebhook",
            schema_of(|reader| CreateWebhook::fields(reader, check)),
        ),
        (
            "UpdateWebhook",
            schema_of(|reader| UpdateWebhook::fields(reader, check)),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

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
        let wrong = json!({ "events": ["post.published", "post.gone", "post.published", 5], "url": "x" });
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
