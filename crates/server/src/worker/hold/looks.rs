//! What a look leaves of a post.

use std::sync::Arc;

use playout_domain::verdict::Verdict;
use playout_store::{Hold, Look, Looked};

use super::candidate::Candidate;
use crate::app::{App, AppError};
use crate::worker::verdicts;

pub(super) async fn settle(
    app: &Arc<App>,
    hold: &Hold,
    candidate: &Candidate,
    look: Look,
) -> Result<(), AppError> {
    app.reach("hold.before_settle");
    app.store
        .settle_looked(hold, candidate.post.id, &look, app.now())
        .await?;
    app.reach("hold.after_settle");
    Ok(())
}

pub(super) fn answered(looked: Looked) -> Look {
    Look {
        looked,
        was_in_vain: false,
    }
}

pub(super) fn in_vain(looked: Looked) -> Look {
    Look {
        looked,
        was_in_vain: true,
    }
}

pub(super) fn left_to_a_person() -> Looked {
    ended(verdicts::restored())
}

pub(super) fn ended(verdict: Verdict) -> Looked {
    let detail = verdicts::detail_of(&verdict);
    Looked::Ended(verdict, detail)
}
