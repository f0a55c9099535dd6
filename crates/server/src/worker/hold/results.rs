//! What a search leaves of a post.

use std::sync::Arc;

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
    app.failpoint("hold.before_settle");
    app.store
        .settle_searched(hold, candidate.post.id, &searched, app.now())
        .await?;
    app.failpoint("hold.after_settle");
    Ok(())
}

pub(super) fn answered(result: SearchResult) -> Searched {
    Searched {
        result,
        was_in_vain: false,
    }
}

pub(super) fn in_vain(result: SearchResult) -> Searched {
    Searched {
        result,
        was_in_vain: true,
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
