//! The list of creators, a creator's profile, and a creator's inbox.

use std::time::Duration;

use super::html::{audience, avatar, bar, counted, escape, moment, page};
use super::post::{card, frame};
use crate::sim::account::Account;
use crate::sim::ledger::InboxDelivery;
use crate::sim::world::World;

/// Posts shown on a profile.
const SHOWN: usize = 60;

/// All creators, and how far the provider's clock was moved.
pub(super) fn index(world: &World, ahead: Duration) -> String {
    let person = |account: &Account| {
        let posts = counted(world.ledger.of_account(&account.open_id).count(), "post");
        let private = if account.private { " · private" } else { "" };
        format!(
            r#"<a class="person" href="/@{username}">{avatar}<span><b>{nickname}</b><small>@{username} · {posts}{private}</small></span></a>"#,
            username = escape(&account.username),
            avatar = avatar(&account.username),
            nickname = escape(&account.nickname),
        )
    };
    let people: String = world.accounts().map(person).collect();
    let body = format!(
        r#"<main><h1>Creators</h1><p class="muted">Everything here was published through the simulated provider; nothing left this machine.</p>{clock}<div class="people">{people}</div></main>"#,
        clock = clock_note(ahead),
    );
    page("Creators", &format!("{}{body}", bar()))
}

fn clock_note(ahead: Duration) -> String {
    if ahead.is_zero() {
        return String::new();
    }
    format!(
        r#"<p class="muted">The provider's clock is {} seconds ahead. Programs that check the age of webhooks reject the events it sends;
<code>POST /sim/reset</code> sets it back.</p>"#,
        ahead.as_secs_f64()
    )
}

/// A creator's profile with the newest posts.
pub(super) fn profile(world: &World, account: &Account) -> String {
    let total = world.ledger.of_account(&account.open_id).count();
    let cards: String = world
        .ledger
        .of_account(&account.open_id)
        .take(SHOWN)
        .map(card)
        .collect();
    let feed = match total {
        0 => r#"<div class="empty">No posts yet.</div>"#.to_owned(),
        _ => format!(r#"<div class="feed">{cards}</div>"#),
    };
    let body = format!(
        r#"<main><section class="profile">{avatar}<div><h1>{nickname}{tick}</h1><small>@{username}</small>
<p class="counts"><span><b>{total}</b> posts</span><span><b>{followers}</b> followers</span><a href="/messages/{username}"><u>Inbox</u></a></p>
<p class="muted">{bio}</p></div></section>{feed}</main>"#,
        avatar = avatar(&account.username),
        nickname = escape(&account.nickname),
        tick = if account.verified {
            r#" <span class="tick" title="Verified">✔</span>"#
        } else {
            ""
        },
        username = escape(&account.username),
        followers = account.followers,
        bio = escape(&account.bio),
    );
    page(&account.nickname, &format!("{}{body}", bar()))
}

/// The inboxes to choose from.
pub(super) fn inboxes(world: &World) -> String {
    let row = |account: &Account| {
        let waiting = world
            .ledger
            .drafts_of(&account.open_id)
            .filter(|draft| draft.posted_at.is_none())
            .count();
        format!(
            r#"<a class="person" href="/messages/{username}">{avatar}<span><b>{nickname}</b><small>{waiting} waiting</small></span></a>"#,
            username = escape(&account.username),
            avatar = avatar(&account.username),
            nickname = escape(&account.nickname),
        )
    };
    let people: String = world.accounts().map(row).collect();
    page(
        "Inboxes",
        &format!(
            r#"{}<main><h1>Inboxes</h1><div class="people">{people}</div></main>"#,
            bar()
        ),
    )
}

/// A creator's inbox: drafts that wait to be posted.
pub(super) fn inbox(world: &World, account: &Account) -> String {
    let waiting = world
        .ledger
        .drafts_of(&account.open_id)
        .filter(|draft| draft.posted_at.is_none());
    let drafts: String = waiting
        .take(SHOWN)
        .map(|draft| draft_form(account, draft))
        .collect();
    let list = if drafts.is_empty() {
        r#"<div class="empty">Nothing waits here.</div>"#.to_owned()
    } else {
        drafts
    };
    let body = format!(
        r#"<main><h1>Inbox of @{}</h1>{list}</main>"#,
        escape(&account.username)
    );
    page("Inbox", &format!("{}{body}", bar()))
}

fn draft_form(account: &Account, draft: &InboxDelivery) -> String {
    let option = |level: &&str| format!(r#"<option value="{level}">{}</option>"#, audience(level));
    let levels: String = account.privacy_options().iter().map(option).collect();
    let text = [draft.title.as_str(), draft.description.as_str()];
    let text: Vec<&str> = text.into_iter().filter(|part| !part.is_empty()).collect();
    format!(
        r#"<section class="draft">{frame}<form method="post" action="/messages/{username}">
<input type="hidden" name="publish_id" value="{id}"><small>Arrived {when}</small>
<label>Caption<textarea name="caption" rows="3">{text}</textarea></label>
<label>Who can watch<select name="privacy_level">{levels}</select></label>
<button>Post it</button></form></section>"#,
        frame = frame(draft.kind, &draft.media, "Draft"),
        username = escape(&account.username),
        id = escape(&draft.publish_id),
        when = moment(draft.delivered_at),
        text = escape(&text.join("\n")),
    )
}
