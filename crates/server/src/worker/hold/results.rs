//! What a search leaves of a post.

use std::sync::Arc;

use playout_domain::verdict::Verdict;
use playout_store::{Hold, SearchResult, Searched};

use super::candidate::Candidate;
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
