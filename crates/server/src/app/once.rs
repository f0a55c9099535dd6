//! Doing the work of a request once, whatever happens between asking and answering (`docs/contract.md#idempotency`).
//!
//! The record of a key is *started* before the work, and gets the answer in the transaction of the effect
//! (`store/src/idempotency.rs`). Only answers of success are kept: a refusal did nothing, and frees the key.

use std::panic::{AssertUnwindSafe, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::FutureExt;
use playout_domain::error::{Code, Refusal};
use playout_domain::id::WorkspaceId;
use playout_domain::time::Time;
use playout_store::{BeginIdempotent, Claim, Keep, StoreError, Stored, inherit_time_budget};
use serde_json::json;
use tracing::Instrument;

use super::refusals::too_many;
use super::{App, AppError};

/// How long a failed request waits until its key is free.
const FREED_WITHIN: Duration = Duration::from_millis(400);

/// Makes the answer of an outcome.
pub type Answer<T> = fn(&App, &T) -> Stored;

/// Where the answer of an outcome `T` is kept: with the key that was claimed for it, or nowhere.
pub struct Kept<T>(Option<Arc<Record<T>>>);

struct Record<T> {
    app: Arc<App>,
    claim: Claim,
    answer: Answer<T>,
    is_kept: AtomicBool,
}

impl<T> Kept<T> {
    /// Nowhere.
    pub fn nowhere() -> Self {
        Self(None)
    }

    /// For the store, which keeps the answer together with the effect: `made` makes the outcome of the effect.
    pub fn keep<'a, U: ?Sized>(&'a self, made: impl Fn(&U) -> T + Send + Sync + 'a) -> Keep<'a, U> {
        let Some(record) = &self.0 else {
            return Keep::nowhere();
        };
        Keep::with(&record.claim, move |effect| {
            record.is_kept.store(true, Ordering::Release);
            (record.answer)(&record.app, &made(effect))
        })
    }
}

/// A request that carries a key.
pub struct Asked {
    /// Whose key it is.
    pub workspace: WorkspaceId,
    /// The key.
    pub key: String,
    /// Identifies the request when it is repeated.
    pub fingerprint: [u8; 32],
    /// When it was read.
    pub at: Time,
}

/// What a request is answered.
#[derive(Debug, PartialEq, Eq)]
pub enum Answered {
    /// What came of its work.
    Done(Stored),
    /// The work was done before: this was the answer.
    Replayed(Stored),
}

/// What a key is good for.
enum Claimed {
    /// The work is to be done.
    Granted(Claim),
    /// It was done before: this was the answer.
    Answered(Stored),
}

impl App {
    /// Does the work of a request and answers it, or answers it as before. A request with a key goes on when its client
    /// disconnects: a repetition gets its result.
    pub async fn once<T, W>(
        self: &Arc<Self>,
        asked: Option<Asked>,
        answer: Answer<T>,
        work: impl FnOnce(Kept<T>) -> W + Send + 'static,
    ) -> Result<Answered, AppError>
    where
        T: Send + Sync + 'static,
        W: Future<Output = Result<T, AppError>> + Send + 'static,
    {
        let Some(asked) = asked else {
            let outcome = work(Kept::nowhere()).await?;
            return Ok(Answered::Done(answer(self, &outcome)));
        };
        let app = Arc::clone(self);
        let claimed = async move {
            let claim = match app.claim(&asked).await? {
                Claimed::Granted(claim) => claim,
                Claimed::Answered(answer) => return Ok(Answered::Replayed(answer)),
            };
            let record = Arc::new(Record {
                app,
                claim,
                answer,
                is_kept: AtomicBool::new(false),
            });
            let work = work(Kept(Some(Arc::clone(&record))));
            record.settle(work).await.map(Answered::Done)
        };
        let settled = tokio::spawn(inherit_time_budget(claimed).in_current_span()).await;
        settled.unwrap_or_else(|lost| match lost.try_into_panic() {
            Ok(panic) => resume_unwind(panic),
            Err(lost) => Err(lost.into()),
        })
    }

    async fn claim(&self, asked: &Asked) -> Result<Claimed, AppError> {
        let lease = self.config.worker_lease;
        let begun =
            self.store
                .begin_idempotent(asked.workspace, &asked.key, asked.fingerprint, lease, asked.at);
        match begun.await? {
            BeginIdempotent::Started(claim) => Ok(Claimed::Granted(claim)),
            BeginIdempotent::Replay(answer) => Ok(Claimed::Answered(answer)),
            BeginIdempotent::Full(wait) => {
                let message =
                    "Too many answers to requests with an Idempotency-Key are stored for this workspace.";
                Err(too_many(message, wait).into())
            }
            BeginIdempotent::InProgress => Err(in_progress().into()),
            BeginIdempotent::Mismatch => Err(Refusal::new(
                Code::IdempotencyKeyReused,
                "This Idempotency-Key was used for another request, or by another API key that sees other accounts: look whether what you want exists \
                 already, and take a new one for what is new.",
            )
            .into()),
        }
    }
}

impl<T> Record<T> {
    async fn settle(&self, work: impl Future<Output = Result<T, AppError>>) -> Result<Stored, AppError> {
        self.app.failpoint("once.after_claim");
        let worked = AssertUnwindSafe(work).catch_unwind().await;
        self.app.failpoint("once.after_effect");
        match worked {
            Ok(Ok(outcome)) => self.complete(&outcome).await,
            // Its answer may be stored with the effect; if not, the key is free when its lease is over.
            Ok(Err(AppError::Store(StoreError::Unconfirmed))) => Err(StoreError::Unconfirmed.into()),
            Ok(Err(error)) => {
                self.abandon().await;
                Err(match error {
                    AppError::Store(StoreError::ClaimLost) => in_progress().into(),
                    other => other,
                })
            }
            Err(panic) => {
                self.abandon().await;
                resume_unwind(panic)
            }
        }
    }

    /// Keeps an answer that was not kept with an effect, because there was none.
    async fn complete(&self, outcome: &T) -> Result<Stored, AppError> {
        let answer = (self.answer)(&self.app, outcome);
        if !self.is_kept.load(Ordering::Acquire) {
            let store = &self.app.store;
            store.complete_idempotent(&self.claim, &answer).await?;
        }
        Ok(answer)
    }

    /// Frees the key, unless its answer is kept after all. A key that cannot be freed is free when its lease is over. In a task of its
    /// own, which has time where the request has none left.
    async fn abandon(&self) {
        let (store, claim) = (self.app.store.clone(), self.claim.clone());
        let abandoning = async move {
            if let Err(error) = store.abandon_idempotent(&claim).await {
                tracing::warn!(
                    "could not free the idempotency key of a request that came to nothing: {error}"
                );
            }
        };
        let abandoned = tokio::spawn(abandoning.in_current_span());
        // Later than that, it goes on by itself.
        drop(tokio::time::timeout(FREED_WITHIN, abandoned).await);
    }
}

fn in_progress() -> Refusal {
    Refusal::new(
        Code::IdempotencyInProgress,
        "The first request with this Idempotency-Key is still running, or the process that ran it has died; then the key is free within a minute. Send it again then.",
    )
    .with_details(json!({ "retryAfter": 1 }))
}
