//! Every code and signal of the provider's error table, where it occurs, and the required outcome. `errors.rs` runs the
//! cases.

use Ends::{Reconnect, Refused, Renewed, Unmoved, Waits};
use Kind::{Clip, InboxClip, InboxPhoto, Photo};
use Strikes::{Account, Fails, Init, Question, Refresh, Upload};

/// A code, where it occurs, and the required outcome.
pub(super) struct Case {
    pub(super) code: &'static str,
    pub(super) strikes: Strikes,
    pub(super) post: Kind,
    pub(super) ends: Ends,
}

/// Where a code occurs, with its HTTP status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Strikes {
    /// Querying what the account allows.
    Account(u16),
    /// Handing the post over.
    Init(u16),
    /// The bytes.
    Upload(u16),
    /// Querying the post's status.
    Question(u16),
    /// The provider fails the post with this `fail_reason`.
    Fails,
    /// Renewing tokens that have expired.
    Refresh(u16),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Clip,
    Photo,
    InboxClip,
    InboxPhoto,
}

/// The outcome of the post.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ends {
    /// ERROR, and nothing went out.
    Refused,
    /// ACTION_REQUIRED, the account must be reconnected, and nothing went out.
    Reconnect,
    /// It has an error text in QUEUE, waits at least this many seconds, and goes out once.
    Waits(u64),
    /// It goes out once, at its first handover, after the tokens were renewed.
    Renewed,
    /// It goes out once, at its first handover.
    Unmoved,
}

const fn case(code: &'static str, strikes: Strikes, post: Kind, ends: Ends) -> Case {
    Case {
        code,
        strikes,
        post,
        ends,
    }
}

const HOUR: u64 = 3600;

#[rustfmt::skip]
pub(super) const CASES: &[Case] = &[
    case("spam_risk_too_many_posts", Account(200), Clip, Waits(HOUR)),
    case("reached_active_user_cap", Account(200), Clip, Waits(HOUR)),
    case("spam_risk_user_banned_from_posting", Account(200), Clip, Refused),
    case("access_token_invalid", Account(401), Clip, Renewed),
    case("scope_not_authorized", Account(401), Clip, Reconnect),
    case("rate_limit_exceeded", Account(429), Clip, Waits(60)),
    case("internal_error", Account(500), Clip, Waits(3)),
    case("access_token_invalid", Init(401), Clip, Renewed),
    case("scope_not_authorized", Init(401), Clip, Reconnect),
    case("scope_permission_missed", Init(400), Clip, Reconnect),
    case("rate_limit_exceeded", Init(429), Clip, Waits(60)),
    case("internal_error", Init(500), Clip, Waits(3)),
    case("invalid_param", Init(400), Clip, Refused),
    case("invalid_params", Init(400), Photo, Refused),
    case("invalid_file_upload", Init(400), Clip, Refused),
    case("spam_risk_too_many_posts", Init(403), Clip, Waits(HOUR)),
    case("spam_risk_too_many_pending_share", Init(403), InboxClip, Waits(HOUR)),
    case("spam_risk_user_banned_from_posting", Init(403), Clip, Refused),
    case("reached_active_user_cap", Init(403), Photo, Waits(HOUR)),
    case("unaudited_client_can_only_post_to_private_accounts", Init(403), Clip, Refused),
    case("url_ownership_unverified", Init(403), Photo, Refused),
    case("privacy_level_option_mismatch", Init(403), Clip, Refused),
    case("app_version_check_failed", Init(400), InboxPhoto, Refused),
    case("spam_risk_of_tomorrow", Init(403), Clip, Refused),
    case("code_of_tomorrow", Init(400), Photo, Refused),
    case("upload_refused", Upload(400), Clip, Refused),
    case("upload_expired", Upload(403), Clip, Waits(3)),
    case("upload_expired", Upload(404), Clip, Waits(3)),
    case("rate_limit_exceeded", Upload(429), Clip, Waits(3)),
    case("invalid_publish_id", Question(400), Clip, Unmoved),
    case("token_not_authorized_for_specified_publish_id", Question(400), Photo, Unmoved),
    case("publish_not_cancellable", Question(400), Clip, Unmoved),
    case("internal_error", Question(500), Clip, Unmoved),
    case("rate_limit_exceeded", Question(429), Photo, Unmoved),
    case("access_token_invalid", Question(401), Clip, Renewed),
    case("publish_cancelled", Fails, Photo, Refused),
    case("file_format_check_failed", Fails, Clip, Refused),
    case("duration_check_failed", Fails, Clip, Refused),
    case("frame_rate_check_failed", Fails, Clip, Refused),
    case("picture_size_check_failed", Fails, Photo, Refused),
    case("internal", Fails, Clip, Waits(3)),
    case("video_pull_failed", Fails, Clip, Waits(3)),
    case("photo_pull_failed", Fails, Photo, Waits(3)),
    case("spam_risk_too_many_posts", Fails, Clip, Waits(HOUR)),
    case("spam_risk_user_banned_from_posting", Fails, Clip, Refused),
    case("spam_risk_text", Fails, Clip, Refused),
    case("spam_risk", Fails, Photo, Refused),
    case("failed_without_reason", Fails, Clip, Refused),
    case("invalid_grant", Refresh(400), Clip, Reconnect),
    case("access_token_invalid", Refresh(401), Clip, Reconnect),
    case("invalid_request", Refresh(400), Clip, Refused),
    case("invalid_client", Refresh(401), Clip, Refused),
    case("unauthorized_client", Refresh(400), Clip, Refused),
    case("invalid_scope", Refresh(400), Clip, Refused),
    case("unsupported_grant_type", Refresh(400), Clip, Refused),
    case("server_error", Refresh(500), Clip, Waits(3)),
    case("temporarily_unavailable", Refresh(503), Photo, Waits(3)),
];

/// Codes of the table that other tests provoke, and where.
pub(super) const ELSEWHERE: &[(&str, &str)] = &[
    ("access_denied", "a_refused_consent_connects_nothing_and_says_why"),
    (
        "unsupported_response_type",
        "a_refused_consent_connects_nothing_and_says_why",
    ),
    (
        "authorization.removed",
        "tokens: a_removed_grant_is_noticed_before_the_next_post",
    ),
    (
        "auth_removed",
        "removed: an_upload_that_dies_with_the_grant_is_begun_again_after_reconnecting",
    ),
    (
        "upload_host_refused",
        "bytes_are_not_sent_to_a_host_that_the_provider_does_not_own",
    ),
    (
        "connect_error",
        "unclear: a_provider_that_cannot_be_reached_for_a_day_ends_in_error",
    ),
    (
        "internal_failure",
        "internal: a_post_whose_storage_is_away_says_so_and_goes_out_once_when_it_is_back",
    ),
    (
        "network_error",
        "unclear: a_handover_without_a_clear_answer_goes_out_once",
    ),
    (
        "unreadable_answer",
        "unclear: a_handover_without_a_clear_answer_goes_out_once",
    ),
];

/// Codes of the table that no request to a running service can bring about, and why.
pub(super) const OUT_OF_REACH: &[(&str, &str)] = &[
    (
        "timeout",
        "half a minute of real time; proved by the client's own tests",
    ),
    (
        "handover_incomplete",
        "a READY medium always has contents, and a pull always has addresses",
    ),
];
