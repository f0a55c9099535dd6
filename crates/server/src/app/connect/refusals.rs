//! Why an account is not connected. The codes go with the redirect; `pages/accounts/notice.rs` explains them.

use playout_domain::error::{Code, Refusal};
use playout_domain::platform::Connection;
use playout_domain::provider::{Fate, Permission, ProviderError};
use serde_json::json;

use crate::app::refusals::quota_details;

/// The plan allows no more.
pub(super) fn limit_reached(limit: u64, used: u64) -> Refusal {
    let message = format!("The plan allows {limit} connected accounts; {used} are connected.");
    Refusal::new(Code::AccountLimitReached, message).with_details(quota_details(limit, used, None))
}

/// The provider treats all grants of an account as one: access that is granted during a revocation may be revoked
/// with it.
pub(super) fn being_revoked() -> Refusal {
    let message = "What the account had granted before is being given back. Connect it in a minute.";
    Refusal::new(Code::ProviderUnavailable, message)
}

/// An account connected twice would get everything that is sent to all accounts twice.
pub(super) fn connected_otherwise(connection: Connection) -> Refusal {
    let word = connection.as_str();
    let message = format!(
        "The account is connected to this workspace as a {word} account already. Disconnect that first; posts that are \
         planned for it are not taken along."
    );
    Refusal::new(Code::ConnectedOtherwise, message).with_details(json!({ "connection": word }))
}

/// Whether an account of another connection is the same one is unknown: the provider does not return its present handle.
pub(super) fn not_compared(account: &str) -> Refusal {
    let message = format!(
        "{account} is connected to this workspace in another way, and the provider does not answer at the moment whether it is the \
         same account. Try again later, or disconnect that one first."
    );
    Refusal::new(Code::ProviderUnavailable, message)
}

/// The same, where the handle of one of the two accounts is not known: the permission to read it was not granted, or the provider leaves
/// it out, or refuses it.
pub(super) fn handle_unknown(account: &str) -> Refusal {
    let message = format!(
        "{account} is connected to this workspace in another way, and it is unknown whether it is the same account, because the \
         handle of one of the two is not known. Connect the account again with every permission granted, or later; or connect {account} \
         again in that way, or disconnect it first."
    );
    Refusal::new(Code::ProviderUnavailable, message)
}

/// The state is unknown, spent or too old.
pub(super) fn unknown_state() -> Refusal {
    Refusal::new(
        Code::InvalidRequest,
        "This connection was already finished, or took too long. Start again.",
    )
}

/// The state belongs to another user, or to another session of this user.
pub(super) fn another_session() -> Refusal {
    Refusal::new(
        Code::InvalidSession,
        "This connection was begun in another session. Start again in this one.",
    )
}

/// Less was granted than posting needs.
pub(super) fn permissions_missing(missing: &[&Permission]) -> Refusal {
    let meanings: Vec<&str> = missing.iter().map(|permission| permission.meaning).collect();
    let scopes: Vec<&str> = missing.iter().map(|permission| permission.scope).collect();
    let message = format!(
        "The account was not connected, because it was not allowed to {}.",
        meanings.join(", to ")
    );
    Refusal::new(Code::PermissionsMissing, message).with_details(json!({ "missing": scopes }))
}

/// The provider did not accept the code, its verifier or the tokens, or did not answer.
pub(super) fn refused(error: &ProviderError) -> Refusal {
    let code = match error.fate {
        Fate::Rejected | Fate::Reauthorize | Fate::StaleToken => Code::ConnectionRejected,
        Fate::Repeatable | Fate::Throttled(_) | Fate::Capped(_) | Fate::Unavailable | Fate::Unknown => {
            Code::ProviderUnavailable
        }
    };
    Refusal::new(code, error.message.clone())
}
