//! What webhooks receive, in the reference (OpenAPI 3.1, `webhooks`).

use playout_domain::change::Noun;
use playout_domain::event::EventKind;
use playout_domain::webhook::{TEST_EVENT, WebhookEvent};
use serde_json::{Map, Value, json};

/// An event, as the reference describes it.
struct Described {
    word: &'static str,
    meaning: &'static str,
    /// The schema of `data`.
    data: &'static str,
}

/// The tag of the requests. It is not that of the operations on webhooks: openapi-generator makes a file of each tag, first of `paths`
/// and then of `webhooks`.
pub(super) fn tag() -> Value {
    json!({
        "name": "Webhook events",
        "description": "What the service sends to your webhooks, with a signature according to [Standard Webhooks](https://www.standardwebhooks.com). \
            The body of `post.published` is [PostPublishedEvent](#object-PostPublishedEvent), and so on."
    })
}

/// The requests that the service sends, one for each event.
pub(super) fn section() -> Map<String, Value> {
    let request = |event: Described| (event.word.to_owned(), json!({ "post": operation(&event) }));
    events().map(request).collect()
}

/// The schemas of the bodies.
pub(super) fn schemas() -> impl Iterator<Item = (String, Value)> {
    let test = json!({
        "type": "object", "description": "The webhook that is tested.", "required": ["webhookId"],
        "properties": { "webhookId": { "type": "string", "format": "uuid", "description": "Its ID." } }
    });
    let bodies = events().map(|event| (name_of(event.word), body(&event)));
    bodies.chain([("TestData".to_owned(), test)])
}

fn events() -> impl Iterator<Item = Described> {
    let all = WebhookEvent::ALL.iter().map(|event| Described {
        word: event.as_str(),
        meaning: event.meaning(),
        data: shown_as(*event),
    });
    all.chain([Described {
        word: TEST_EVENT,
        meaning: "A test was requested. Every webhook receives it.",
        data: "TestData",
    }])
}

/// The schema of the type that `app/webhooks/shown.rs` shows for the event's subject.
fn shown_as(event: WebhookEvent) -> &'static str {
    let kind = EventKind::ALL
        .iter()
        .find(|kind| WebhookEvent::of(**kind) == Some(event));
    match kind.map(|kind| kind.noun()) {
        Some(Noun::Platform) => "Platform",
        Some(Noun::Media) => "Media",
        _ => "Post",
    }
}

/// `post.action_required` is `PostActionRequiredEvent`.
fn name_of(word: &str) -> String {
    let parts = word.split(['.', '_']);
    let capitalized = parts.map(|part| part[..1].to_uppercase() + &part[1..]);
    capitalized.collect::<String>() + "Event"
}

/// The body that `body_of` makes.
fn body(event: &Described) -> Value {
    json!({
        "type": "object", "description": event.meaning, "required": ["type", "timestamp", "data"],
        "properties": {
            "type": { "type": "string", "const": event.word, "description": "The event." },
            "timestamp": { "type": "string", "format": "date-time", "description": "When it happened." },
            "data": { "$ref": format!("#/components/schemas/{}", event.data),
                "description": "What it is about, as it was then." }
        }
    })
}

fn operation(event: &Described) -> Value {
    let header = |name: &str, description: &str| json!({ "name": name, "in": "header", "required": true, "description": description, "schema": { "type": "string" } });
    let name = name_of(event.word);
    json!({
        "operationId": format!("receive{name}"),
        "summary": format!("Receive {}", event.word),
        "description": format!("{} Sent to the address of each webhook that subscribes to it, at least once.", event.meaning),
        "tags": [tag()["name"]],
        "security": [],
        "parameters": [
            header("webhook-id", "The event's ID, the same for every copy of it."),
            header("webhook-timestamp", "When it was sent, in seconds since 1970."),
            header("webhook-signature", "Signatures by the webhook's secrets, as Standard Webhooks defines them."),
        ],
        "requestBody": { "required": true, "content": { "application/json": {
            "schema": { "$ref": format!("#/components/schemas/{name}") }
        } } },
        "responses": {
            "2XX": { "description": "It was received. Any other response is a failed try, after which it is sent again." },
            "410": { "description": "Nothing more shall be sent: disables the webhook." }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::openapi::document;
    use playout_domain::time::Time;
    use playout_domain::webhook::body_of;
    use std::collections::BTreeSet;

    #[test]
    fn every_event_is_described_with_the_fields_of_the_body_that_is_sent() {
        let words: BTreeSet<&str> = events().map(|event| event.word).collect();
        let described = document()["webhooks"].as_object().unwrap();
        assert_eq!(
            described.keys().map(String::as_str).collect::<BTreeSet<_>>(),
            words
        );
        for word in words {
            let sent: Value = serde_json::from_str(&body_of(word, Time::from_secs(1), &json!({}))).unwrap();
            let content = &described[word]["post"]["requestBody"]["content"]["application/json"];
            let path = content["schema"]["$ref"]
                .as_str()
                .unwrap()
                .trim_start_matches('#');
            let schema = document().pointer(path).unwrap();
            assert_eq!(schema["properties"]["type"]["const"], sent["type"]);
            let fields = |value: &Value| {
                value
                    .as_object()
                    .unwrap()
                    .keys()
                    .cloned()
                    .collect::<BTreeSet<_>>()
            };
            assert_eq!(fields(&schema["properties"]), fields(&sent), "{word}");
        }
    }

    #[test]
    fn the_data_of_an_event_is_what_it_is_about() {
        let data: Vec<(&str, &str)> = events().map(|event| (event.word, event.data)).collect();
        for (word, data) in data {
            let expected = match word.split('.').next() {
                Some("post") => "Post",
                Some("platform") => "Platform",
                Some("media") => "Media",
                _ => "TestData",
            };
            assert_eq!(data, expected, "{word}");
        }
    }
}
