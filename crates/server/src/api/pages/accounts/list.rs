//! The accounts, each with its state in words.

use axum::http::Method;
use playout_domain::platform::{Connection, Platform};
use playout_domain::workspace::Workspace;

use super::membership::{ACCOUNT, CONNECT, Membership, least};
use crate::app::App;

/// A workspace with its accounts, as the page shows them to a member.
pub(super) struct Section<'a> {
    pub workspace: &'a Workspace,
    pub accounts: Vec<ListedAccount<'a>>,
    /// Whether the member may connect accounts.
    pub may_connect: bool,
    /// Whether the member may change and disconnect accounts.
    pub may_change: bool,
}

/// An account in words.
pub(super) struct ListedAccount<'a> {
    pub account: &'a Platform,
    /// The provider's name.
    pub provider: &'a str,
    /// The kind of connection, unless it is the usual one.
    pub connection: Option<&'static str>,
    pub state: &'static str,
}

/// The sections of the page.
pub(super) fn sections<'a>(app: &'a App, connected: &'a [(Membership, Vec<Platform>)]) -> Vec<Section<'a>> {
    let section = |((workspace, role), accounts): &'a (Membership, Vec<Platform>)| Section {
        workspace,
        accounts: accounts.iter().map(|account| listed(app, account)).collect(),
        may_connect: role.covers(least(&Method::POST, CONNECT)),
        may_change: role.covers(least(&Method::PATCH, ACCOUNT)),
    };
    connected.iter().map(section).collect()
}

fn listed<'a>(app: &'a App, account: &'a Platform) -> ListedAccount<'a> {
    let provider = app.provider_of(account);
    let is_usual = account.connection == Connection::default();
    ListedAccount {
        account,
        provider: provider.map_or(account.provider.as_str(), |provider| provider.name()),
        connection: (!is_usual).then(|| account.connection.as_str()),
        state: state(account, provider.is_some()),
    }
}

/// The state of an account, and what to do about it.
fn state(account: &Platform, is_configured: bool) -> &'static str {
    match (account.disabled, account.refresh_needed) {
        _ if !is_configured => "This service is no longer set up for it, so no posts are published.",
        (true, true) => "Disabled, and must be connected again before it can be used.",
        (true, false) => "Disabled: no posts are published to it. Posts that became due wait for you.",
        (false, true) => {
            "Must be connected again: the provider no longer accepts posts. Posts that became due wait, and continue then."
        }
        (false, false) => "Ready to post.",
    }
}
