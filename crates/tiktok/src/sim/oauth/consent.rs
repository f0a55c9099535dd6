//! The two pages of the login: consent, and "something went wrong".

use super::request::Request;
use crate::sim::account::Account;
use crate::sim::knobs::Pkce;
use crate::sim::pages::html::{avatar, escape, page};
use crate::sim::world::World;

/// The page on which a person chooses the account and the scopes to grant.
pub(super) fn consent_page(world: &World, request: &Request, address: &str) -> String {
    let accounts: String = world
        .accounts()
        .enumerate()
        .map(|(index, account)| account_choice(index, account))
        .collect();
    let scopes: String = request.scopes.iter().map(|scope| scope_choice(scope)).collect();
    let body = format!(
        r#"<main class="consent"><form method="post" action="{action}">
<p class="badge">Simulated provider</p>
<h1>Authorize this app</h1>
<p class="muted">Client key <code>{client}</code> asks for access. You return to <code>{redirect}</code>.</p>
<fieldset><legend>Log in as</legend>{accounts}</fieldset>
<fieldset><legend>It may</legend>{scopes}</fieldset>
{note}<div class="row"><button class="quiet" name="decision" value="deny">Deny</button>
<button name="decision" value="approve">Approve</button></div>
</form></main>"#,
        action = escape(address),
        client = escape(&request.client),
        redirect = escape(&request.redirect_uri),
        note = challenge_note(world.knobs.pkce, request.challenge.as_deref()),
    );
    page("Authorize", &body)
}

/// For developers whose client sends the other encoding: the refusal comes only with the exchange of the code.
fn challenge_note(pkce: Pkce, challenge: Option<&str>) -> &'static str {
    let is_hex = |challenge: &str| {
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        challenge.len() == 64 && challenge.bytes().all(is_digit)
    };
    match (pkce, challenge) {
        (Pkce::Hex | Pkce::Required, Some(challenge)) if !is_hex(challenge) => {
            r#"<p class="muted">The code challenge is not lower-case hexadecimal: its verifier will be rejected, unless the knob
<code>pkce</code> is <code>both</code>, which takes base64url too.</p>
"#
        }
        _ => "",
    }
}

fn account_choice(index: usize, account: &Account) -> String {
    format!(
        r#"<label class="choice"><input type="radio" name="account" value="{open_id}"{checked}>{avatar}
<span><b>{nickname}</b><small>@{username}</small></span></label>"#,
        open_id = escape(&account.open_id),
        checked = if index == 0 { " checked" } else { "" },
        avatar = avatar(&account.username),
        nickname = escape(&account.nickname),
        username = escape(&account.username),
    )
}

fn scope_choice(scope: &str) -> String {
    let meaning = match scope {
        "user.info.basic" => "Read your profile info (avatar, display name)",
        "user.info.profile" => "Read your profile (bio, handle)",
        "user.info.username" => "Read your handle",
        "user.info.stats" => "Read your counts (followers, likes, videos)",
        "video.list" => "Read your public videos",
        "video.upload" => "Send drafts to your inbox",
        "video.publish" => "Post content",
        "comment.list" => "Read the comments under your own posts",
        "comment.list.manage" => "Comment under your own posts",
        _ => "Something else",
    };
    // The basic scope comes with every login: it is shown ticked and cannot be taken away.
    let fixed = if scope == "user.info.basic" {
        format!(
            r#"<input type="hidden" name="granted" value="{scope}"><input type="checkbox" checked disabled>"#
        )
    } else {
        format!(
            r#"<input type="checkbox" name="granted" value="{}" checked>"#,
            escape(scope)
        )
    };
    format!(
        r#"<label class="choice">{fixed}<span><b>{meaning}</b><small>{}</small></span></label>"#,
        escape(scope)
    )
}

/// The error page that is shown to the person without a redirect to the app.
pub(super) fn problem_page(parameter: &str) -> String {
    let body = format!(
        r#"<main class="consent"><p class="badge">Simulated provider</p><h1>Something went wrong</h1>
<p>We couldn't log in with this app. This may be due to specific app settings.</p>
<p class="muted">If you're a developer, correct the following and try again:</p>
<ul><li><code>{}</code></li></ul></main>"#,
        escape(parameter)
    );
    page("Something went wrong", &body)
}
