//! A post's settings as the provider understands them: what was given, else what holds for the account.

use playout_domain::platform::{Capability, Platform};
use serde_json::{Map, Value};

use crate::account::key;

/// The names of the settings (`docs/contract.md#setting-fields`).
pub(crate) mod name {
    pub(crate) const PRIVACY: &str = "privacy_level";
    pub(crate) const POST_MODE: &str = "post_mode";
    pub(crate) const TITLE: &str = "title";
    pub(crate) const COMMENT: &str = "allow_comment";
    pub(crate) const DUET: &str = "allow_duet";
    pub(crate) const STITCH: &str = "allow_stitch";
    pub(crate) const MUSIC: &str = "auto_add_music";
    pub(crate) const PHOTO_COVER: &str = "photo_cover_index";
    pub(crate) const VIDEO_COVER: &str = "video_cover_timestamp_ms";
    pub(crate) const BRANDED: &str = "brand_content_toggle";
    pub(crate) const OWN_BRAND: &str = "brand_organic_toggle";
    pub(crate) const AI_MADE: &str = "is_aigc";

    /// All of them.
    pub(crate) const ALL: &[&str] = &[
        PRIVACY,
        POST_MODE,
        TITLE,
        COMMENT,
        DUET,
        STITCH,
        MUSIC,
        PHOTO_COVER,
        VIDEO_COVER,
        BRANDED,
        OWN_BRAND,
        AI_MADE,
    ];
}

/// Only the creator sees the post.
pub(crate) const SELF_ONLY: &str = "SELF_ONLY";

/// Everyone sees the post.
pub(crate) const EVERYONE: &str = "PUBLIC_TO_EVERYONE";

/// How a post reaches the account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PostMode {
    /// Published at once.
    Direct,
    /// Delivered to the creator's inbox, to be finished there.
    Inbox,
}

impl PostMode {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Direct => "DIRECT_POST",
            Self::Inbox => "MEDIA_UPLOAD",
        }
    }

    /// What `platform` can do, the better first; both where it can do neither, because there is no better answer.
    pub(crate) fn of(platform: &Platform) -> Vec<Self> {
        let direct = platform.can(Capability::DirectPost);
        let inbox = platform.can(Capability::InboxDraft);
        match (direct, inbox) {
            (true, false) => vec![Self::Direct],
            (false, true) => vec![Self::Inbox],
            _ => vec![Self::Direct, Self::Inbox],
        }
    }
}

/// The settings of a post to one account.
#[derive(Clone, Copy)]
pub(crate) struct Settings<'a> {
    platform: &'a Platform,
    own: &'a Map<String, Value>,
}

impl<'a> Settings<'a> {
    pub(crate) fn of(platform: &'a Platform, own: &'a Map<String, Value>) -> Self {
        Self { platform, own }
    }

    /// What was given under `key`, else the account's default; `null` is absent.
    fn get(&self, key: &str) -> Option<&'a Value> {
        let given = |settings: &'a Map<String, Value>| settings.get(key).filter(|value| !value.is_null());
        given(self.own).or_else(|| given(&self.platform.settings))
    }

    pub(crate) fn is_on(&self, key: &str) -> bool {
        self.get(key).and_then(Value::as_bool).unwrap_or_default()
    }

    pub(crate) fn music(&self) -> bool {
        self.get(name::MUSIC).and_then(Value::as_bool).unwrap_or(true)
    }

    pub(crate) fn text(&self, key: &str) -> Option<&'a str> {
        self.get(key)?.as_str().filter(|text| !text.is_empty())
    }

    pub(crate) fn number(&self, key: &str) -> Option<u64> {
        self.get(key)?.as_u64()
    }

    pub(crate) fn privacy(&self) -> &'a str {
        self.text(name::PRIVACY).unwrap_or(SELF_ONLY)
    }

    pub(crate) fn mode(&self) -> PostMode {
        let possible = PostMode::of(self.platform);
        let wanted = self.text(name::POST_MODE);
        let chosen = [PostMode::Direct, PostMode::Inbox]
            .into_iter()
            .find(|mode| Some(mode.as_str()) == wanted);
        chosen
            .or_else(|| possible.first().copied())
            .unwrap_or(PostMode::Direct)
    }

    /// Whether `key` is allowed to viewers: wanted, and not forbidden by the account.
    pub(crate) fn allows(&self, key: &str) -> bool {
        self.is_on(key) && !is_forbidden(self.platform, key)
    }
}

/// Whether the public may ever see a post with these effective settings. In the inbox the creator chooses.
pub(crate) fn may_become_public(settings: &Map<String, Value>) -> bool {
    let is = |key: &str, word: &str| settings.get(key).and_then(Value::as_str) == Some(word);
    is(name::POST_MODE, PostMode::Inbox.as_str()) || is(name::PRIVACY, EVERYONE)
}

/// Whether the account itself forbids `allow_comment`, `allow_duet` or `allow_stitch`.
pub(crate) fn is_forbidden(platform: &Platform, setting: &str) -> bool {
    let flag = match setting {
        name::COMMENT => key::COMMENT_DISABLED,
        name::DUET => key::DUET_DISABLED,
        name::STITCH => key::STITCH_DISABLED,
        _ => return false,
    };
    platform
        .metadata
        .get(flag)
        .and_then(Value::as_bool)
        .unwrap_or_default()
}

/// The privacy levels that the account offers; only the creator, where none were received yet.
pub(crate) fn privacy_options(platform: &Platform) -> Vec<String> {
    let options = platform.metadata.get(key::PRIVACY).and_then(Value::as_array);
    let options = options.into_iter().flatten().filter_map(Value::as_str);
    let mut options: Vec<String> = options.map(str::to_owned).collect();
    if options.is_empty() {
        options.push(SELF_ONLY.to_owned());
    }
    options
}

/// Whether the provider has ever answered which privacy levels the account offers.
pub(crate) fn knows_privacy_options(platform: &Platform) -> bool {
    let options = platform.metadata.get(key::PRIVACY).and_then(Value::as_array);
    options.is_some_and(|options| !options.is_empty())
}

/// The longest video that may be posted directly, in seconds, as last received.
pub(crate) fn longest_video_secs(platform: &Platform) -> Option<u64> {
    platform.metadata.get(key::MAX_DURATION)?.as_u64()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_public_posts_and_drafts_for_the_inbox_may_get_a_link() {
        let expects = |settings: Value| may_become_public(settings.as_object().unwrap());
        assert!(expects(json!({ "privacy_level": "PUBLIC_TO_EVERYONE" })));
        assert!(expects(json!({ "post_mode": "MEDIA_UPLOAD" })));
        assert!(!expects(json!({ "privacy_level": "MUTUAL_FOLLOW_FRIENDS" })));
        assert!(!expects(json!({})));
    }
}
