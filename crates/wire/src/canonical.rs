//! When two requests count as the same: with the same content, however it is written (`docs/contract.md#same-request`).

use serde_json::{Value, json};

use crate::media::{ImportMedia, NameFolder};
use crate::posts::{Comment, CreatePost, Mode};
use crate::webhooks::CreateWebhook;

/// The canonical form of a request: its content as JSON, the same however it is written, with absent and `null` fields alike and
/// without unknown ones. The order of fields has no meaning.
pub trait Canonical {
    /// The parsed fields, each with its name in the API.
    fn canonical(&self) -> Value;
}

impl Canonical for CreatePost {
    fn canonical(&self) -> Value {
        let Self {
            platform_ids,
            content,
            mode,
            media_ids,
            settings,
            comments,
            comments_first: _,
            ignored: _,
            has_unused_time: _,
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
            "comments": comments.iter().map(Canonical::canonical).collect::<Vec<_>>(),
        })
    }
}

impl Canonical for Comment {
    fn canonical(&self) -> Value {
        let Self {
            content,
            delay_minutes,
            settings,
            media_ids,
            ignored: _,
        } = self;
        json!({
            "content": content,
            "delayInMinutes": delay_minutes,
            "settings": settings,
            "mediaIds": media_ids,
        })
    }
}

impl Canonical for ImportMedia {
    fn canonical(&self) -> Value {
        let Self {
            url,
            file_name,
            folder_id,
        } = self;
        json!({ "url": url, "fileName": file_name, "folderId": folder_id })
    }
}

impl Canonical for NameFolder {
    fn canonical(&self) -> Value {
        let Self { name } = self;
        json!({ "name": name })
    }
}

impl Canonical for CreateWebhook {
    fn canonical(&self) -> Value {
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

    fn canonical(body: &Value) -> Value {
        let mut canonical = CreatePost::read(body, Time::from_secs(1_795_176_000))
            .unwrap()
            .canonical();
        canonical.sort_all_objects();
        canonical
    }

    #[test]
    fn what_is_written_otherwise_says_the_same() {
        let plain = json!({ "platformIds": [ID], "content": "x", "mode": "draft", "settings": { "a": 1, "b": { "c": 2, "d": 3 } } });
        let other = json!({ "mode": "draft", "settings": { "b": { "d": 3, "c": 2 }, "a": 1 }, "comments": [], "content": "x",
            "mediaIds": null, "unknown": 1, "platformIds": [ID.to_uppercase()] });
        assert_eq!(canonical(&plain).to_string(), canonical(&other).to_string());
    }

    #[test]
    fn every_field_matters() {
        let plain = json!({ "platformIds": [ID], "content": "x", "mode": "draft", "scheduledFor": null, "mediaIds": [],
            "settings": {}, "comments": [] });
        let at = json!("2026-11-21T12:00:00Z");
        let mut seen = vec![canonical(&plain)];
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
            let canonical = canonical(&body);
            assert!(!seen.contains(&canonical), "{body}");
            seen.push(canonical);
        }
    }
}
