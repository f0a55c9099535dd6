//! The accounts, each with its state in words and the actions on it.

use axum::http::Method;
use playout_domain::platform::{Connection, Platform};
use playout_domain::workspace::Workspace;

use super::membership::{ACCOUNT, CONNECT, Membership, least};
use crate::api::html::Html;
use crate::app::App;

/// Writes a section for each workspace.
pub(super) fn write(html: &mut Html, app: &App, sections: &[(Membership, Vec<Platform>)]) {
    html.raw("<div class=\"wide\">");
    if sections.is_empty() {
        html.raw("<p>You belong to no workspace.</p>");
    }
    for (membership, accounts) in sections {
        html.raw("<h2>").text(&membership.0.name).raw("</h2>");
        section(html, app, membership, accounts);
    }
    html.raw("</div>");
}

fn section(html: &mut Html, app: &App, membership: &Membership, accounts: &[Platform]) {
    let (workspace, role) = membership;
    let may_connect = role.covers(least(&Method::POST, CONNECT));
    let may_change = role.covers(least(&Method::PATCH, ACCOUNT));
    if accounts.is_empty() {
        html.raw("<p>No account is connected yet.</p>");
    } else {
        html.raw("<ul class=\"list\">");
        for account in accounts {
            html.raw("<li>");
            describe(html, app, account);
            if may_change {
                actions(html, workspace, account);
            }
            html.raw("</li>");
        }
        html.raw("</ul>");
    }
    if may_connect {
        html.raw("<p class=\"actions\">");
        connect_link(html, workspace, "Connect an account");
        html.raw("</p>");
    } else {
        html.raw("<p class=\"hint\">Owners and admins connect, change and disconnect accounts.</p>");
    }
}

fn connect_link(html: &mut Html, workspace: &Workspace, label: &str) {
    html.raw("<a class=\"button\" href=\"/accounts/connect?organization=")
        .text(&workspace.id.to_string())
        .raw("\">")
        .text(label)
        .raw("</a>");
}

fn describe(html: &mut Html, app: &App, account: &Platform) {
    html.raw("<div><strong>")
        .text(account.shown_name())
        .raw("</strong>");
    if let Some(handle) = &account.display_handle {
        html.raw(" <span class=\"soft\">@").text(handle).raw("</span>");
    }
    let provider = app.provider_of(account);
    let name = provider.map_or(account.provider.as_str(), |provider| provider.name());
    html.raw("<br><span class=\"soft\">").text(name);
    if account.connection != Connection::default() {
        html.raw(" (").text(account.connection.as_str()).raw(")");
    }
    html.raw(" · ");
    html.raw(state(account, provider.is_some())).raw("</span></div>");
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

fn actions(html: &mut Html, workspace: &Workspace, account: &Platform) {
    let path = format!("/accounts/{}", account.id);
    html.raw("<div class=\"actions\">");
    if account.refresh_needed {
        connect_link(html, workspace, "Connect again");
    }
    html.form(&path, |html| {
        let (wanted, label) = match account.disabled {
            true => ("false", "Switch on"),
            false => ("true", "Switch off"),
        };
        html.hidden("disabled", wanted)
            .raw("<button>")
            .text(label)
            .raw("</button>");
    });
    html.raw("<a class=\"button\" href=\"")
        .text(&path)
        .raw("/disconnect\">Disconnect</a></div>");
}

/// The confirmation before an account is disconnected.
pub(super) fn really(workspace: &Workspace, account: &Platform) -> Html {
    let mut html = Html::default();
    html.raw("<p>Disconnect <strong>")
        .text(account.shown_name())
        .raw("</strong> from the workspace ");
    html.text(&workspace.name).raw("?</p>");
    html.raw("<p>Its access is revoked. Posts that are scheduled for it stay, and wait for a person when they are due. ");
    html.raw("Connecting the same account again brings everything back.</p><div class=\"actions\">");
    html.form(&format!("/accounts/{}/disconnect", account.id), |html| {
        html.raw("<button class=\"danger\">Disconnect</button>");
    });
    html.raw("<a class=\"button\" href=\"/accounts\">Keep it</a></div>");
    html
}
