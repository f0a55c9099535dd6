//! When two requests count as the same: with the same content, however it is written (`docs/contract.md#same-request`).

use serde_json::{Value, json};

use crate::media::NameFolder;
use crate::posts::{Comment, CreatePost, Mode};
use crate::webhooks::CreateWebhook;

/// The content of a request, as JSON, regardless of the order of fields and of absent, `null` or unknown ones.
pub trait Says {
    /// The parsed fields.
    fn says(&self) -> Value;
}

impl Says for CreatePost {
    fn says(&self) -> Value {
        let Self {
            platform_ids,
            content,
            mode,
            media_ids,
            settings,
            comments,
            comments_first: _,
        } = self;
        let word = match mode {
            Mode::Draft(_) => "draft",
            Mode::Now => "now",
            Mode::Schedule(_) => "schedule",
        };
        json!({
            "platformIds": platform_ids,
            "content": content,
            "mode": word,
            "scheduledFor": mode.scheduled_for(),
            "mediaIds": media_ids,
            "settings": settings,
            "comments": comments.iter().map(Says::says).collect::<Vec<_>>(),
        })
    }
}

impl Says for Comment {
    fn says(&self) -> Value {
        let Self {
            content,
            delay_minutes,
            settings,
            media_ids,
        } = self;
        json!({
            "content": content,
            "delayInMinutes": delay_minutes,
            "settings": settings,
            "mediaIds": media_ids,
        })
    }
}

impl Says for NameFolder {
    fn says(&self) -> Value {
        let Self { name } = self;
        json!({ "name": name })
    }
}

impl Says for CreateWebhook {
    fn says(&self) -> Value {
        let Self { url, events } = self;
        let events: Vec<&str> = events.iter().map(|event| event.as_str()).collect();
        json!({ "url": url, "events": events })
    }
}

#[cfg(test)]
mod tests {
    use playout_domain::time::Time;

    use super::*;

    const ID: &str = "0196f3a0-0000-7000-8000-000000000001";

    fn says(body: &Value) -> Value {
        let mut says = CreatePost::read(body, Time::from_secs(1_795_176_000))
            .unwrap()
            .says();
        says.sort_all_objects();
        says
    }

    #[test]
    fn what_is_written_otherwise_says_the_same() {
        let plain = json!({ "platformIds": [ID], "content": "x", "mode": "draft", "settings": { "a": 1, "b": { "c": 2, "d": 3 } } });
        let other = json!({ "mode": "draft", "settings": { "b": { "d": 3, "c": 2 }, "a": 1 }, "comments": [], "content": "x",
            "mediaIds": null, "unknown": 1, "platformIds": [ID.to_uppercase()] });
        assert_eq!(says(&plain).to_string(), says(&other).to_string());
    }

    #[test]
    fn every_field_matters() {
        let plain = json!({ "platformIds": [ID], "content": "x", "mode": "draft", "scheduledFor": null, "mediaIds": [],
            "settings": {}, "comments": [] });
        let at = json!("2026-11-21T12:00:00Z");
        let mut seen = vec![says(&plain)];
        for (field, value) in [
            ("platformIds", json!(["0196f3a0-0000-7000-8000-000000000002"])),
            ("content", json!("y")),
            ("mode", json!("now")),
            ("scheduledFor", at),
            ("mediaIds", json!([ID])),
            ("settings", json!({ "a": null })),
            ("comments", json!([{ "content": "c" }])),
            ("comments", json!([{ "content": "c", "delayInMinutes": 0 }])),
            ("comments", json!([{ "content": "d" }])),
            ("comments", json!([{ "content": "c", "settings": { "a": 1 } }])),
            ("comments", json!([{ "content": "c", "mediaIds": [ID] }])),
        ] {
            let mut body = plain.clone();
            body[field] = value;
            let says = says(&body);
            assert!(!seen.contains(&says), "{body}");
            seen.push(says);
        }
    }
}
