//! The notice about the last action, from the query of a redirect. Anyone can make up such an address: so all sentences are
//! fixed, and of the query only known values, or a plain word, are shown.

use playout_domain::error::Code;
use playout_domain::platform::Platform;
use playout_domain::provider::Permission;

use super::membership::Membership;
use crate::api::params::Query;
use crate::app::App;

const AGAIN: &str = "Nothing was connected.";

/// What became of the last action.
pub(super) enum Notice {
    Done(String),
    Failed(String),
}

/// Reads the notice from the query, if there is one.
pub(super) fn read(
    app: &App,
    query: &mut Query,
    connected: &[(Membership, Vec<Platform>)],
) -> Option<Notice> {
    if let Some(id) = query.text("connected") {
        let mut accounts = connected.iter().flat_map(|(_, accounts)| accounts);
        let account = accounts.find(|account| account.id.to_string() == id)?;
        let requeued = query
            .text("requeued")
            .map(|text| text.parse().unwrap_or_default());
        return Some(Notice::Done(is_connected(account.shown_name(), requeued)));
    }
    if let Some(error) = query.text("error") {
        let missing = query.text("missing").unwrap_or_default();
        return Some(Notice::Failed(refused(app, &error, &missing)));
    }
    let disconnected = "The account is disconnected, and its access is being revoked.";
    query
        .text("disconnected")
        .map(|_| Notice::Done(disconnected.to_owned()))
}

fn is_connected(name: &str, requeued: Option<u64>) -> String {
    match requeued {
        None => format!("{name} is connected."),
        Some(0) => format!("{name} is connected again."),
        Some(1) => format!("{name} is connected again. The post that waited for it continues."),
        Some(posts) => format!("{name} is connected again. The {posts} posts that waited for it continue."),
    }
}

/// The meaning of a callback's `error`, and what to do (`docs/contract.md#connecting-accounts`).
fn refused(app: &App, error: &str, missing: &str) -> String {
    let sentence = match (error, Code::parse(error)) {
        ("access_denied", _) => {
            "The account was not allowed to be used. If that was not intended, connect it again and grant access."
        }
        (_, Some(Code::PermissionsMissing)) => return permissions_missing(app, missing),
        (_, Some(Code::InvalidRequest)) => {
            "It took longer than 15 minutes, or was completed already. Connect the account again."
        }
        (_, Some(Code::InvalidSession)) => {
            "It was begun in another session, or in one that has ended. Connect the account again in this one."
        }
        (_, Some(Code::Forbidden)) => {
            "You may no longer connect accounts to this workspace. Ask one of its owners or admins."
        }
        (_, Some(Code::ConnectedOtherwise)) => {
            "The account already has another connection, and would get each post twice. Disconnect it \
             first, and then connect it the way you want it."
        }
        (_, Some(Code::AccountLimitReached)) => {
            "The plan allows no more accounts. Disconnect one that is no longer used, or switch to a larger plan."
        }
        (_, Some(Code::ConnectionRejected)) => {
            "The provider did not accept the sign-in: it was too old or used before. Connect the account again."
        }
        (_, Some(Code::ProviderUnavailable)) => {
            "The provider did not answer, did not accept it, or does not show whether the account is connected already. Connect it again in a \
             minute, with every permission granted."
        }
        (_, Some(Code::ProviderNotConfigured)) => {
            "This service is not set up for that provider. Its operator has to do that first."
        }
        (_, Some(Code::InternalError)) => {
            "Something failed on the server. Try again; if it fails again, contact the operator of this service."
        }
        _ => {
            return format!(
                "{AGAIN} The provider refused{}. Try again; if it fails again, contact the operator of this service.",
                named(error)
            );
        }
    };
    format!("{AGAIN} {sentence}")
}

/// The provider's error code, if it is a plain word.
fn named(error: &str) -> String {
    let is_word = (1..=64).contains(&error.len())
        && error
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_.".contains(&byte));
    if is_word {
        format!(" ({error})")
    } else {
        String::new()
    }
}

fn permissions_missing(app: &App, missing: &str) -> String {
    let named: Vec<&str> = missing.split(',').collect();
    let is_named = |permission: &&Permission| named.contains(&permission.scope);
    let needed = app.providers().flat_map(|provider| provider.needed_permissions());
    let mut meanings: Vec<&str> = Vec::new();
    for permission in needed.filter(is_named) {
        // Several connections of a provider need the same permissions.
        if !meanings.contains(&permission.meaning) {
            meanings.push(permission.meaning);
        }
    }
    let what = match meanings.is_empty() {
        true => "do all that posting needs".to_owned(),
        false => meanings.join(", or to "),
    };
    format!(
        "{AGAIN} We were not allowed to {what}. Connect the account again and leave every permission on. An account that \
         was connected before stays unchanged."
    )
}
