//! What the provider allows an account, known before it rejects anything: numbers, scopes, and what may surprise.

use std::time::Duration;

use playout_domain::limits::{AccountLimits, Delivery, RestrictionKind, ScopeUse, Warning, Window};
use playout_domain::media::MediaType;
use playout_domain::platform::Platform;
use playout_domain::post::Draft;
use serde_json::{Map, Value};

use crate::config::TikTokConfig;
use crate::limits::Call;
use crate::settings::{PostMode, Settings};

const DAY: Duration = Duration::from_secs(24 * 3600);

/// Its documented windows: 6 hand-overs a minute for a token, about 15 direct posts and at most 5 unfinished inbox
/// shares in 24 hours for a creator. Our own hand-overs are not counted where `rate_limits` is off.
pub(crate) fn limits(config: &TikTokConfig) -> AccountLimits {
    let a_day = |count| Some(Window { count, length: DAY });
    AccountLimits {
        hand_overs: config.rate_limits.then(Call::hand_overs),
        direct_posts: a_day(15),
        inbox_shares: a_day(5),
    }
}

pub(crate) fn delivery(platform: &Platform, settings: &Map<String, Value>) -> Delivery {
    match Settings::of(platform, settings).mode() {
        PostMode::Direct => Delivery::Direct,
        PostMode::Inbox => Delivery::Inbox,
    }
}

pub(crate) fn restriction(code: &str) -> Option<RestrictionKind> {
    match code {
        "spam_risk_too_many_posts" => Some(RestrictionKind::DirectPosts),
        "spam_risk_too_many_pending_share" => Some(RestrictionKind::InboxShares),
        "reached_active_user_cap" => Some(RestrictionKind::ActiveUsers),
        "rate_limit_exceeded" => Some(RestrictionKind::Requests),
        "spam_risk_user_banned_from_posting" => Some(RestrictionKind::Banned),
        _ => None,
    }
}

/// A video goes to the inbox without its caption: the provider takes no `post_info` there (photos keep theirs).
pub(crate) fn warnings(platform: &Platform, draft: &Draft) -> Vec<Warning> {
    let is_video = draft
        .media
        .first()
        .is_some_and(|first| first.mime.media_type() == MediaType::Video);
    if !is_video || delivery(platform, &draft.settings) == Delivery::Direct {
        return Vec::new();
    }
    let message = "TikTok takes a video for the inbox without its caption and settings. The text stays here to be \
                   copied when the creator finishes the post in the TikTok app.";
    vec![Warning::new("caption_not_sent", message)]
}

pub(crate) const BASIC: ScopeUse = ScopeUse {
    scope: "user.info.basic",
    meaning: "read the profile's name and picture",
    without: "The account cannot be recognised when it is connected again.",
    needed_for: None,
};

/// The business connection has another scope for the same.
pub(crate) const HANDLE: ScopeUse = ScopeUse {
    scope: "user.info.profile",
    meaning: "read the profile's handle",
    without: "The handle may be missing, and with it the public addresses of posts.",
    needed_for: None,
};

pub(crate) const PUBLISH: ScopeUse = ScopeUse {
    scope: "video.publish",
    meaning: "post content to the account",
    without: "Nothing can be published directly; posts can only go to the creator's inbox.",
    needed_for: Some(Delivery::Direct),
};

pub(crate) const UPLOAD: ScopeUse = ScopeUse {
    scope: "video.upload",
    meaning: "send drafts to the account's inbox",
    without: "Posts cannot be sent to the creator's inbox.",
    needed_for: Some(Delivery::Inbox),
};

pub(crate) const LIST: ScopeUse = ScopeUse {
    scope: "video.list",
    meaning: "read the account's public posts",
    without: "After an interruption we cannot look whether a post came out: a person has to.",
    needed_for: None,
};

/// What is asked for when an account is connected, and what fails without it.
pub(crate) const SCOPES: &[ScopeUse] = &[BASIC, HANDLE, PUBLISH, UPLOAD, LIST];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validate::tests::{draft, image, platform, video};
    use serde_json::json;

    #[test]
    fn every_scope_that_is_asked_for_is_explained() {
        let explained: Vec<&str> = SCOPES.iter().map(|scope| scope.scope).collect();
        assert_eq!(explained, crate::oauth::SCOPES);
    }

    #[test]
    fn every_cap_of_the_table_tells_of_a_restriction() {
        use playout_domain::provider::Fate;
        for row in crate::errors::table().iter().map(|entry| entry.row) {
            let is_limit = matches!(row.fate, Fate::Capped(_));
            assert!(!is_limit || restriction(row.code).is_some(), "{}", row.code);
        }
    }

    #[test]
    fn only_a_video_for_the_inbox_loses_its_caption() {
        let codes = |media, mode: &str| {
            let mut draft = draft(vec![media]);
            draft.settings = json!({ "post_mode": mode }).as_object().unwrap().clone();
            let warnings = warnings(&platform(), &draft);
            warnings
                .into_iter()
                .map(|warning| warning.code)
                .collect::<Vec<_>>()
        };
        assert_eq!(codes(video(), "MEDIA_UPLOAD"), ["caption_not_sent"]);
        assert!(codes(video(), "DIRECT_POST").is_empty());
        assert!(codes(image(), "MEDIA_UPLOAD").is_empty());
    }
}
