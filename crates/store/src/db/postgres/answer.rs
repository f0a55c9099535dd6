//! Waiting for the server: for the answer to a statement, and for a commit.

use std::time::Duration;

use tokio::time::{Instant, timeout};

use super::limits::{ANSWER, COMMIT, COMMIT_AT_LEAST};
use super::tx::PgTx;
use crate::db::error::{Result, StoreError};
use crate::db::time_budget;

/// What comes of asking the server, if it comes within `limit`, and within what is left of the request's budget unless it may take
/// [`LONG`](super::limits::LONG).
pub(crate) async fn answered<T>(
    limit: Duration,
    asked: impl Future<Output = Result<T, sqlx::Error>>,
) -> Result<T> {
    let is_paid = limit <= ANSWER;
    let limit = match time_budget::left() {
        Some(left) if is_paid => limit.min(left),
        _ => limit,
    };
    let begun = Instant::now();
    let answer = timeout(limit, asked).await;
    if is_paid {
        time_budget::spend(begun.elapsed());
    }
    match answer {
        Ok(answer) => Ok(answer?),
        Err(_) => Err(StoreError::Unavailable("it did not answer in time".into())),
    }
}

/// Commits. A request waits for it as long as its budget lasts; the commit goes on, and whether it is made is not known then.
pub(crate) async fn commit(tx: PgTx) -> Result<()> {
    let committed = match time_budget::left() {
        None => timeout(COMMIT, tx.commit()).await,
        Some(left) => {
            let committing = tokio::spawn(timeout(COMMIT, tx.commit()));
            match timeout(left.max(COMMIT_AT_LEAST), committing).await {
                Ok(Ok(committed)) => committed,
                Ok(Err(_)) | Err(_) => return Err(StoreError::Unconfirmed),
            }
        }
    };
    match committed {
        Ok(Err(sqlx::Error::Io(_))) | Err(_) => Err(StoreError::Unconfirmed),
        Ok(committed) => Ok(committed?),
    }
}
