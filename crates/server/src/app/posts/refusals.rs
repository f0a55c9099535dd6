//! Refusals that several operations on posts make.

use playout_domain::error::{Code, Refusal};
use playout_domain::platform::Platform;
use playout_domain::post::{Post, PostState};
use playout_store::LimitReached;
use serde_json::json;

use crate::app::refusals::quota_details;

pub(super) fn limit_reached(reached: LimitReached) -> Refusal {
    let LimitReached {
        limit,
        used,
        resets_at,
    } = reached;
    let message = format!(
        "The plan allows {limit} posts a month; {used} are used until {resets_at}. Nothing was created or queued."
    );
    Refusal::new(Code::PostLimitReached, message).with_details(quota_details(limit, used, Some(resets_at)))
}

/// Two accounts of one request have one handle: the post would go out twice.
pub(super) fn in_another_way(platform: &Platform, other: &Platform) -> Refusal {
    let (name, by) = (platform.shown_name(), other.connection.as_str());
    let message = format!(
        "{name} has the handle of another account of this request, which is connected as a {by} account: they are one account, and \
         the post would be published twice. Disconnect one of them. If the account was renamed, ask for the health of both with \
         refresh=true, which renews the handles."
    );
    Refusal::new(Code::ConnectedOtherwise, message).with_details(json!({ "connection": by }))
}

/// The contents of a post cannot be changed as it is.
pub(super) fn not_editable(root: &Post) -> Refusal {
    let message = match root.state {
        PostState::Draft | PostState::Queue => {
            "The post is being handed to the provider right now, and cannot be changed."
        }
        PostState::Published => "The post is published, and cannot be changed here.",
        PostState::Error => {
            "A post in ERROR cannot be changed. Create it again with other contents, and delete this one; to send it as it is, publish it, or \
             give it a new time."
        }
        PostState::ActionRequired => {
            "A post in ACTION_REQUIRED cannot be changed; its errorText says what it waits for. If it is not published, and is to be sent with \
             other contents, give it a new time, and change it then. Where its account no longer takes it, create it again with other \
             contents, and delete this one."
        }
    };
    Refusal::new(Code::PostNotEditable, message)
}

pub(crate) fn post_not_found() -> Refusal {
    Refusal::new(
        Code::PostNotFound,
        "No post with this ID exists in this workspace.",
    )
}

pub(super) fn publishing() -> Refusal {
    Refusal::new(
        Code::PostPublishing,
        "The post is being handed to the provider right now. Try again when that is settled.",
    )
}
