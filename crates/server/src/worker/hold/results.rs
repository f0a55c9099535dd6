//! What a search leaves of a post.

use std::sync::Arc;

use playout_domain::post::Waiting;
use playout_domain::verdict::Verdict;
use playout_store::{Hold, MarkedPosts, SearchResult, Searched};

use super::candidate::Candidate;
use super::unreadable::leave_unreadable;
use crate::app::{App, AppError};
use crate::worker::verdicts;

pub(super) async fn settle(
    app: &Arc<App>,
    hold: &Hold,
    candidate: &Candidate,
    searched: Searched,
) -> Result<(), AppError> {
    let searched = asked_anew(app, candidate, searched).await?;
    app.failpoint("hold.before_settle");
    app.store
        .settle_searched(hold, candidate.post.id, &searched, app.now())
        .await?;
    app.failpoint("hold.after_settle");
    Ok(())
}

/// The `errorText` of a post that was not found must be true of this hold. That of a draft in the creator's inbox says to look at the account
/// first. That of a post that an earlier hold could not search for says what publishing it does: where this search does not find it
/// either, a person is asked anew, so that the text is true of this hold.
async fn asked_anew(app: &App, candidate: &Candidate, searched: Searched) -> Result<Searched, AppError> {
    let is_found = matches!(searched.result, SearchResult::Ended(..));
    if !is_found && candidate.post.waiting == Some(Waiting::Inbox) {
        let result = ended(verdicts::in_inbox_after_hold());
        return Ok(Searched { result, ..searched });
    }
    if is_found || candidate.post.waiting != Some(Waiting::Unconfirmed) {
        return Ok(searched);
    }
    let code = app.store.last_code_of(candidate.post.id).await?;
    if !verdicts::is_left_unsearched(code.as_deref()) {
        return Ok(searched);
    }
    let result = match searched.was_in_vain {
        true => ended(verdicts::restored_unsearched()),
        false => left_to_a_person(),
    };
    Ok(Searched { result, ..searched })
}

pub(super) fn answered(result: SearchResult) -> Searched {
    Searched {
        result,
        was_in_vain: false,
        is_hidden: false,
    }
}

pub(super) fn in_vain(result: SearchResult) -> Searched {
    Searched {
        result,
        was_in_vain: true,
        is_hidden: false,
    }
}

pub(super) fn left_to_a_person() -> SearchResult {
    ended(verdicts::restored())
}

pub(super) fn ended(verdict: Verdict) -> SearchResult {
    let detail = verdicts::detail_of(&verdict);
    SearchResult::Ended(verdict, detail)
}

/// Leaves posts that cannot be looked for as they are, where they can be looked for before they are submitted, and to a person where they
/// are due.
pub(super) async fn leave_in_vain(app: &Arc<App>, hold: &Hold, marked: &MarkedPosts) -> Result<(), AppError> {
    for unreadable in &marked.unreadable {
        leave_unreadable(app, hold, unreadable.id, &unreadable.error).await?;
    }
    for post in &marked.posts {
        let result = match post.due_at.is_some_and(|due| due <= app.now()) {
            true => left_to_a_person(),
            false => SearchResult::NotFound,
        };
        let searched = in_vain(result);
        let settled = app.store.settle_searched(hold, post.id, &searched, app.now());
        match settled.await {
            Err(error) if error.is_bad_row() => leave_unreadable(app, hold, post.id, &error).await?,
            settled => {
                settled?;
            }
        }
    }
    Ok(())
}
