//! The posts that benches create.

use serde_json::json;

use super::timestamp;

/// The JSON of a request to create a post with one medium on one platform. With a time in microseconds since the epoch it is
/// scheduled, otherwise a draft.
pub fn body(content: &str, platform: &str, media: &str, at: Option<i64>) -> String {
    json!({
        "platformIds": [platform],
        "content": content,
        "mode": if at.is_some() { "schedule" } else { "draft" },
        "scheduledFor": at.map(timestamp::written),
        "mediaIds": [media],
        "settings": { "privacy_level": "SELF_ONLY" },
    })
    .to_string()
}
