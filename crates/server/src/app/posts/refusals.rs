//! Refusals that several operations on posts make.

use playout_domain::error::{Code, Refusal};
use playout_store::LimitReached;

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

pub(super) fn post_not_found() -> Refusal {
    Refusal::new(
        Code::PostNotFound,
        "No post with this ID exists in this workspace.",
    )
}
