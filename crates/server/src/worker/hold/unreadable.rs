//! Marked posts whose rows cannot be read.

use std::sync::Arc;

use playout_domain::explanation::RESTORED;
use playout_domain::id::PostId;
use playout_store::{Hold, StoreError};

use crate::app::{App, AppError};
use crate::worker::verdicts;

/// Leaves a post whose rows cannot be read to a person.
pub(super) async fn leave_unreadable(
    app: &Arc<App>,
    hold: &Hold,
    post: PostId,
    why: &StoreError,
) -> Result<(), AppError> {
    tracing::error!(%post, "a post cannot be read, and is left to a person: {why}");
    let (text, detail) = (
        RESTORED.explanation().message(),
        verdicts::detail(&RESTORED.error()),
    );
    app.store
        .settle_unreadable(hold, post, &text, &detail, app.now())
        .await?;
    Ok(())
}
