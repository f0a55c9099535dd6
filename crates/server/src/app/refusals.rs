//! Refusals that several use cases make.

use std::time::Duration;

use playout_domain::access::Scope;
use playout_domain::error::{Code, Refusal};
use playout_domain::key::MAX_KEYS;
use playout_domain::media::MAX_UNFINISHED_UPLOADS;
use playout_domain::time::Time;
use serde_json::{Value, json};

/// The refusal of a request above a limit, with the time to wait.
pub fn too_many(message: &str, wait: Duration) -> Refusal {
    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    let details = serde_json::json!({ "retryAfter": seconds });
    Refusal::new(Code::RateLimited, format!("{message} Wait {seconds} s.")).with_details(details)
}

/// The refusal of a user who is not a member of a workspace; it is the same for a workspace that does not exist.
pub fn not_a_member() -> Refusal {
    Refusal::new(Code::Forbidden, "You are no member of this workspace.")
}

/// The refusal of a member whose role does not reach so far.
pub fn role_too_low() -> Refusal {
    Refusal::new(
        Code::Forbidden,
        "Your role in this workspace does not allow this.",
    )
}

/// The refusal of a key that lacks a scope.
pub fn insufficient_scope(required: Scope) -> Refusal {
    let scope = required.as_str();
    let message = match required {
        Scope::Publish => format!(
            "This key may not do this: it has no scope `{scope}`. With the scope `drafts` it may create, edit and delete drafts, which a person publishes."
        ),
        _ => format!(
            "This key may not do this: it has no scope `{scope}`. Ask the person who made it for one that has."
        ),
    };
    Refusal::new(Code::InsufficientScope, message).with_details(json!({ "required": [scope] }))
}

/// The refusal of work with a provider, or a connection of one, that has no settings here.
pub(super) fn provider_not_configured() -> Refusal {
    Refusal::new(
        Code::ProviderNotConfigured,
        "This provider, or this connection of it, is not configured on this server.",
    )
}

/// The refusal of the right password alone.
pub(super) fn code_required() -> Refusal {
    let message = "Send the code of your authenticator app, or a recovery code, as well.";
    Refusal::new(Code::SecondFactorRequired, message)
}

/// The refusal of a file that the plan's storage has no room for.
pub(super) fn storage_limit_reached(limit: u64, used: u64) -> Refusal {
    let message = format!("The plan's storage of {limit} bytes would be exceeded; {used} are used.");
    Refusal::new(Code::StorageLimitReached, message).with_details(quota_details(limit, used, None))
}

/// That a workspace has as many of something as it can have. `things` is what, and `remedy` makes room for another.
pub(super) fn count_limit_reached(limit: u32, things: &str, remedy: &str) -> Refusal {
    let message = format!("A workspace has {limit} {things} at most. {remedy}");
    let details = quota_details(limit.into(), limit.into(), None);
    Refusal::new(Code::CountLimitReached, message).with_details(details)
}

/// That a workspace has as many keys as it can have.
pub(super) fn too_many_keys() -> Refusal {
    count_limit_reached(MAX_KEYS, "API keys", "Revoke one first.")
}

/// That a workspace has as many unfinished uploads and imports, which are counted together, as it can have.
pub(super) fn too_many_unfinished() -> Refusal {
    let remedy = "Finish or delete one first.";
    count_limit_reached(MAX_UNFINISHED_UPLOADS, "unfinished uploads and imports", remedy)
}

/// The details of every refusal for want of room in the plan or in the workspace; `resets_at` is `None` for what does not begin anew.
pub(crate) fn quota_details(limit: u64, used: u64, resets_at: Option<Time>) -> Value {
    json!({ "limit": limit, "used": used, "resetsAt": resets_at })
}
