//! Refusals that several use cases make.

use std::time::Duration;

use playout_domain::error::{Code, Refusal};
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

/// The details of every refusal for want of room in the plan; `resets_at` is `None` for what does not begin anew.
pub(crate) fn quota_details(limit: u64, used: u64, resets_at: Option<Time>) -> Value {
    json!({ "limit": limit, "used": used, "resetsAt": resets_at })
}
