//! Accounts, posts and a client for tests.

use std::sync::Arc;

use playout_domain::media::{Media, MediaStatus, MimeType, Probe};
use playout_domain::platform::{Capability, Connection, Platform};
use playout_domain::post::Draft;
use playout_domain::provider::{Grant, Handover};
use playout_domain::secret::Secret;
use playout_domain::submission::Transfer;
use playout_domain::time::{ManualClock, Time};
use playout_tiktok::{TikTok, TikTokConfig};
use serde_json::{Map, Value, json};
use uuid::Uuid;

pub(crate) const NOW: Time = Time::from_secs(1_795_000_000);

/// A client whose provider is at `url`, and its clock.
pub(crate) fn client_at(url: &str) -> (TikTok, ManualClock) {
    client_with(config(url))
}

pub(crate) fn client_with(config: TikTokConfig) -> (TikTok, ManualClock) {
    let clock = ManualClock::at(NOW);
    let client = TikTok::new(config, Arc::new(clock.clone())).expect("a client");
    (client, clock)
}

pub(crate) fn config(url: &str) -> TikTokConfig {
    TikTokConfig {
        api_url: url.parse().expect("an address"),
        auth_url: "http://127.0.0.1:9/".parse().expect("an address"),
        ..TikTokConfig::new("awk1", Secret::new("top secret"))
    }
}

/// An account that may do everything, with the options of a public one.
pub(crate) fn platform() -> Platform {
    let scopes = ["user.info.basic", "video.publish", "video.upload", "video.list"];
    let metadata = json!({
        "username": "kitestudio",
        "privacyLevelOptions": ["PUBLIC_TO_EVERYONE", "MUTUAL_FOLLOW_FRIENDS", "SELF_ONLY"],
        "commentDisabled": false, "duetDisabled": false, "stitchDisabled": false,
        "maxVideoPostDurationSec": 600, "refreshedAt": NOW.to_string(), "scopes": scopes
    });
    Platform {
        id: Uuid::nil().into(),
        provider: "tiktok".to_owned(),
        connection: Connection::Creator,
        provider_account_id: "-000AbC".to_owned(),
        display_name: Some("Kite Studio".to_owned()),
        display_handle: Some("kitestudio".to_owned()),
        display_image_url: None,
        disabled: false,
        refresh_needed: false,
        token_expires_at: None,
        capabilities: vec![
            Capability::Video,
            Capability::Photos,
            Capability::DirectPost,
            Capability::InboxDraft,
        ],
        metadata: object(metadata),
        settings: Map::new(),
        created_at: NOW,
    }
}

pub(crate) fn object(value: Value) -> Map<String, Value> {
    value.as_object().expect("an object").clone()
}

pub(crate) fn access() -> Secret {
    Secret::new("act.1")
}

pub(crate) fn grant<'a>(platform: &'a Platform, access: &'a Secret) -> Grant<'a> {
    Grant { platform, access }
}

pub(crate) fn media(mime: MimeType, size_bytes: u64) -> Media {
    Media {
        id: Uuid::nil().into(),
        storage_key: "key".to_owned(),
        preview_key: None,
        mime,
        size_bytes: Some(size_bytes),
        received_bytes: None,
        file_name: "file".to_owned(),
        status: MediaStatus::Ready,
        probe: Some(Probe::default()),
        sha256: None,
        finalized_at: None,
        failure: None,
        folder_id: None,
        created_at: NOW,
    }
}

pub(crate) fn draft(media: Vec<Media>, settings: Value) -> Draft {
    Draft {
        content: "Kite day #kites".to_owned(),
        media,
        settings: object(settings),
        comments: Vec::new(),
    }
}

/// A public video of `size_bytes`.
pub(crate) fn video_draft(size_bytes: u64) -> Draft {
    let settings = json!({ "privacy_level": "PUBLIC_TO_EVERYONE", "allow_comment": true });
    draft(vec![media(MimeType::Mp4, size_bytes)], settings)
}

pub(crate) fn upload(draft: &Draft) -> Handover<'_> {
    Handover {
        draft,
        transfer: Transfer::Upload,
        urls: Vec::new(),
    }
}

pub(crate) fn pull(draft: &Draft, urls: Vec<String>) -> Handover<'_> {
    Handover {
        draft,
        transfer: Transfer::Pull,
        urls,
    }
}
