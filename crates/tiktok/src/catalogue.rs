//! The rows of the table in [`crate::errors`]: what happened, and what next. The codes are the provider's: its error tables for Login Kit and the
//! Content Posting API, its `fail_reason` values, and the numeric codes of its business API.

use std::time::Duration;

use playout_domain::provider::Fate;

use playout_domain::explanation::{Row, WhoActs};

use crate::entry::{COOL_DOWN, Entry, Place};

const LATER: Fate = Fate::Capped(Duration::from_secs(3600));
const SOON: Fate = Fate::Throttled(COOL_DOWN);

/// Writes a row as `"code": fate, who acts => "what happened", "what next";`, grouped by where the code is met.
macro_rules! entries {
    ($($place:ident { $($code:literal: $fate:expr, $who:ident => $what:literal, $next:literal;)* })*) => {
        pub(crate) const ENTRIES: &[Entry] = &[$($(Entry {
            place: Place::$place,
            row: Row {
                code: $code,
                fate: $fate,
                who_acts: WhoActs::$who,
                what_happened: $what,
                next_step: $next,
            },
        },)*)*];
    };
}

entries! {
    Anywhere {
        "access_token_invalid": Fate::StaleToken, Nobody =>
            "TikTok no longer accepts this account's access.",
            "It is renewed automatically; a post in ACTION_REQUIRED waits for the account to be reconnected.";
        "scope_not_authorized": Fate::Reauthorize, User =>
            "The TikTok account has not granted the permission this needs.",
            "Reconnect the account and leave every permission ticked.";
        "scope_permission_missed": Fate::Reauthorize, User =>
            "The TikTok account has granted only some of the permissions this needs.",
            "Reconnect the account and leave every permission ticked.";
        "rate_limit_exceeded": SOON, Nobody =>
            "TikTok takes no more requests for this account for a minute.",
            "It is tried again by itself.";
        "internal_error": Fate::Unknown, Nobody =>
            "TikTok had a fault of its own and did not say whether it took the request.",
            "Where nothing can have been published it is tried again by itself; else the account is searched \
             for the post.";
        "invalid_param": Fate::Rejected, User =>
            "TikTok refused the request as invalid.",
            "Check the post's text, media and settings; create it again with what is wrong changed, and delete this one.";
        "invalid_params": Fate::Rejected, User =>
            "TikTok refused the request as invalid.",
            "Check the post's text, media and settings; create it again with what is wrong changed, and delete this one.";
    }
    Init {
        "invalid_file_upload": Fate::Rejected, User =>
            "TikTok cannot use the file.",
            "Export it again as an MP4 with H.264 video, or as a JPEG, create the post again with it, and delete this one.";
        "spam_risk_too_many_posts": LATER, Nobody =>
            "The account has used up the posts that TikTok allows through apps in 24 hours.",
            "The post waits, and is tried again every hour for a day.";
        "spam_risk_too_many_pending_share": LATER, User =>
            "Five drafts from apps already wait in this account's TikTok inbox, and TikTok takes no more \
             within 24 hours.",
            "Open the notifications in the TikTok app's inbox and post or discard them (they are not under \
             Drafts); the post is tried again every hour for a day.";
        "spam_risk_user_banned_from_posting": Fate::Rejected, User =>
            "TikTok has banned this account from posting.",
            "Open the TikTok app to see why and to appeal; then schedule the post again.";
        "reached_active_user_cap": LATER, Operator =>
            "This service's TikTok app has reached the number of accounts that may post in 24 hours.",
            "The post is tried again every hour for a day; the operator of this service can ask TikTok for a \
             higher limit.";
        "unaudited_client_can_only_post_to_private_accounts": Fate::Rejected, Operator =>
            "TikTok has not audited this service's app yet, so it takes direct posts only from accounts that \
             are private, and only with the privacy \"only me\".",
            "Set the whole account to private in the TikTok app, and create the post again with SELF_ONLY; or create it \
             again for the inbox, with MEDIA_UPLOAD. Delete this one. The operator of this service can apply for the audit.";
        "url_ownership_unverified": Fate::Rejected, Operator =>
            "TikTok does not know that the address of this service's media belongs to it.",
            "The operator of this service must verify the domain under \"URL properties\" of the app at \
             developers.tiktok.com; then schedule the post again.";
        "privacy_level_option_mismatch": Fate::Rejected, User =>
            "The account no longer allows the privacy that was chosen for this post.",
            "Create the post again with one of the account's present options, and delete this one.";
        "app_version_check_failed": Fate::Rejected, User =>
            "The creator's TikTok app is too old to receive photos in its inbox.",
            "Update the app to version 31.8 or later and schedule the post again.";
        "upload_host_refused": Fate::Rejected, Operator =>
            "TikTok's answer named an upload address outside its own domain, so nothing was sent there.",
            "The operator of this service should check the configured API address.";
        "handover_incomplete": Fate::Rejected, User =>
            "A file of this post has no contents or no address to be fetched from, so nothing was sent.",
            "Upload the media again, create the post again with it, and delete this one.";
    }
    Status {
        "invalid_publish_id": Fate::Rejected, User =>
            "TikTok does not know this submission any more.",
            "Check on the account whether the post is there before you schedule it again.";
        "token_not_authorized_for_specified_publish_id": Fate::Rejected, User =>
            "TikTok says that this submission belongs to another account.",
            "Check on the account whether the post is there before you schedule it again.";
        "publish_not_cancellable": Fate::Rejected, Nobody =>
            "TikTok is already processing this post, so it can no longer be cancelled.",
            "Nobody has to do anything; the post goes on.";
        "publish_cancelled": Fate::Rejected, User =>
            "The post was cancelled before TikTok had fetched it.",
            "Schedule it again if it is still wanted.";
        "file_format_check_failed": Fate::Rejected, User =>
            "TikTok cannot read one of the files.",
            "Videos must be MP4, MOV or WebM with H.264, H.265, VP8 or VP9; photos must be JPEG or WebP. \
             Create the post again with another file, and delete this one.";
        "duration_check_failed": Fate::Rejected, User =>
            "TikTok found the video too short or too long for this account.",
            "Trim it, create the post again with it, and delete this one.";
        "frame_rate_check_failed": Fate::Rejected, User =>
            "TikTok takes only videos with 23 to 60 pictures a second.",
            "Export the video again, create the post again with it, and delete this one.";
        "picture_size_check_failed": Fate::Rejected, User =>
            "TikTok found one of the pictures too large or too small: a video needs 360 to 4096 pixels a side, \
             and a photo at most 1080 on its shorter side.",
            "Resize it, create the post again with it, and delete this one.";
        "internal": Fate::Repeatable, Nobody =>
            "TikTok failed while it processed the post, and nothing was published.",
            "It is submitted again by itself.";
        "video_pull_failed": Fate::Repeatable, Nobody =>
            "TikTok could not fetch the video from this service, and nothing was published.",
            "It is submitted again by itself.";
        "photo_pull_failed": Fate::Repeatable, Nobody =>
            "TikTok could not fetch the photos from this service, and nothing was published.",
            "They are submitted again by themselves.";
        "auth_removed": Fate::Reauthorize, User =>
            "The creator took this service's permission back while the post was on its way.",
            "Reconnect the account; the post then goes on by itself.";
        "authorization.removed": Fate::Reauthorize, User =>
            "This service's permission to use the TikTok account was taken back.",
            "Reconnect the account to go on posting.";
        "spam_risk_text": Fate::Rejected, User =>
            "TikTok judged the caption risky.",
            "Create the post again with another text, other links and hashtags, and delete this one.";
        "spam_risk": Fate::Rejected, User =>
            "TikTok judged this post risky and did not publish it.",
            "Create the post again with other contents, and delete this one; or post it in the TikTok app to see what is wrong.";
        "failed_without_reason": Fate::Rejected, User =>
            "TikTok gave up on the post without saying why.",
            "Check the media and the text. Schedule the post again, or create it again with others and delete this one.";
    }
    Upload {
        "upload_refused": Fate::Rejected, Operator =>
            "TikTok refused the bytes of the video as malformed, so nothing was posted.",
            "Schedule the post again; if it keeps happening, the operator of this service should report it \
             with the log ID.";
    }
    OAuth {
        "access_denied": Fate::Rejected, User =>
            "The connection was cancelled on TikTok's page.",
            "Start connecting again, and approve it there.";
        "invalid_grant": Fate::Reauthorize, User =>
            "TikTok's permission for this account has expired or was taken back.",
            "Reconnect the account; posts that wait for it then go on by themselves.";
        "invalid_request": Fate::Rejected, Operator =>
            "TikTok refused the sign-in request.",
            "Start connecting again; if it keeps failing, the operator of this service must check the redirect \
             address registered for the app.";
        "invalid_client": Fate::Rejected, Operator =>
            "TikTok does not accept this service's client key and secret.",
            "The operator of this service must correct them.";
        "unauthorized_client": Fate::Rejected, Operator =>
            "TikTok does not let this service's app connect accounts.",
            "The operator of this service must check that the app is live and has Login Kit.";
        "invalid_scope": Fate::Rejected, Operator =>
            "TikTok has not approved this service's app for a permission it asks for.",
            "The operator of this service must add the scopes to the app.";
        "unsupported_grant_type": Fate::Rejected, Operator =>
            "TikTok does not know the kind of token request that was made.",
            "The operator of this service should check the configured API address.";
        "unsupported_response_type": Fate::Rejected, Operator =>
            "TikTok does not know the kind of sign-in request that was made.",
            "The operator of this service should check the configured consent address.";
        "server_error": Fate::Unavailable, Nobody =>
            "TikTok's sign-in service had a fault of its own and did nothing.",
            "It is tried again by itself.";
        "temporarily_unavailable": Fate::Unavailable, Nobody =>
            "TikTok's sign-in service is overloaded at the moment and did nothing.",
            "It is tried again by itself.";
    }
    Business {
        "business_40000": Fate::Rejected, User =>
            "TikTok refused the request.",
            "Check the text, and that the post is public and takes comments.";
        "business_40001": Fate::Rejected, User =>
            "TikTok does not let this account do that.",
            "Check that the post takes comments; if it does, reconnect the account and leave every permission \
             ticked.";
        "business_40002": Fate::Rejected, User =>
            "TikTok refused the request as invalid.",
            "Check the text, the media and the settings, and for a comment that the post is public and takes \
             comments.";
        "business_40007": Fate::Rejected, User =>
            "TikTok does not find what this is about.",
            "Check that the post is public and still there.";
        "business_40100": SOON, Nobody =>
            "TikTok takes no more of these requests from this account for a minute.",
            "It is tried again by itself.";
        "business_40101": Fate::Rejected, Operator =>
            "TikTok does not accept this service's business client ID and secret.",
            "The operator of this service must correct them.";
        "business_40102": Fate::StaleToken, Nobody =>
            "TikTok no longer accepts this account's access.",
            "It is renewed automatically; a post in ACTION_REQUIRED waits for the account to be reconnected.";
        "business_40103": Fate::Reauthorize, User =>
            "TikTok's permission for this account has expired.",
            "Reconnect the account; posts that wait for it then go on by themselves.";
        "business_40104": Fate::StaleToken, Nobody =>
            "TikTok found no access for this account.",
            "It is renewed automatically; a post in ACTION_REQUIRED waits for the account to be reconnected.";
        "business_40105": Fate::StaleToken, Nobody =>
            "TikTok no longer accepts this account's access.",
            "It is renewed automatically; a post in ACTION_REQUIRED waits for the account to be reconnected.";
        "business_40110": Fate::Rejected, User =>
            "TikTok no longer accepts this connection: it took too long, or was finished already.",
            "Start connecting again, and come back at once.";
        "business_50000": Fate::Unknown, User =>
            "TikTok had a fault of its own and did not say whether it took the request.",
            "Look at the account: if it is not there, publish it again.";
        "business_50002": Fate::Unknown, User =>
            "TikTok had a fault of its own and did not say whether it took the request.",
            "Look at the account: if it is not there, publish it again.";
        "business_51065": Fate::Unknown, User =>
            "TikTok had a fault of its own and did not say whether it took the request.",
            "Look at the account: if it is not there, publish it again.";
        "comment_hidden": Fate::Rejected, User =>
            "The comment is written, but TikTok's spam filter hides it: nobody else sees it.",
            "Look at it in the TikTok app, and do not write similar comments in a short time.";
    }
    Transport {
        "connect_error": Fate::Unavailable, Nobody =>
            "TikTok could not be reached.",
            "It is tried again by itself.";
        "network_error": Fate::Unknown, Nobody =>
            "The connection to TikTok broke before its answer came, so it may or may not have taken the \
             request.",
            "Where nothing can have been published it is tried again by itself; else the account is searched \
             for the post.";
        "timeout": Fate::Unknown, Nobody =>
            "TikTok did not answer in time, so it may or may not have taken the request.",
            "Where nothing can have been published it is tried again by itself; else the account is searched \
             for the post.";
        "unreadable_answer": Fate::Unknown, Nobody =>
            "TikTok's answer could not be understood, so it may or may not have taken the request.",
            "Where nothing can have been published it is tried again by itself; else the account is searched \
             for the post.";
    }
}
