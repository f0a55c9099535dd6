//! Many changes in one request. Each item is a change of its own, with the transaction, the events and the refusals that it
//! has by itself: what comes first is not undone when a later one is refused.

use std::sync::Arc;
use std::time::Duration;

use playout_domain::access::Accounts;
use playout_domain::audit::Actor;
use playout_domain::error::{Code, Issue, Refusal};
use playout_domain::id::{MediaId, PostId, WorkspaceId};
use playout_domain::time::Time;
use playout_domain::workspace::Workspace;
use playout_wire::batches::{DeleteResult, NewTime, RescheduleResult};
use playout_wire::posts::schedule_problem;

use super::expected::Expected;
use super::posts::{Asked, Changes};
use super::{App, AppError};

/// Below the time limit of a request: what was done so far is still reported.
const PATIENCE: Duration = Duration::from_secs(20);

/// A batch on its way: whether its next item is still to be tried.
struct Batch {
    ends: Time,
    has_failed: bool,
}

impl App {
    /// Gives queued posts new times, in order.
    pub async fn reschedule_posts(
        self: &Arc<Self>,
        workspace: &Workspace,
        times: Vec<NewTime>,
        by: &Actor,
    ) -> Vec<RescheduleResult> {
        let mut batch = Batch::begin(self.now());
        let mut results = Vec::with_capacity(times.len());
        for NewTime { id, scheduled_for } in times {
            let outcome = match batch.check(self.now(), Some(scheduled_for)) {
                Ok(()) => {
                    let moved = self.move_queued_group(workspace, id, scheduled_for, by);
                    batch.settle(moved.await.map(|queued| queued.group.root))
                }
                Err(refusal) => Err(refusal),
            };
            results.push(RescheduleResult::new(id, outcome));
        }
        results
    }

    /// Deletes posts with their groups, in order.
    pub async fn delete_posts(
        &self,
        workspace: WorkspaceId,
        ids: Vec<PostId>,
        by: &Actor,
    ) -> Vec<DeleteResult> {
        let asked = Asked {
            by,
            expected: &Expected::Any,
            changes: Changes::All,
        };
        let mut batch = Batch::begin(self.now());
        let mut results = Vec::with_capacity(ids.len());
        for id in ids {
            let outcome = match batch.check(self.now(), None) {
                Ok(()) => batch.settle(self.delete_group(workspace, id, asked).await),
                Err(refusal) => Err(refusal),
            };
            results.push(DeleteResult::new(id.0, outcome));
        }
        results
    }

    /// Deletes media, in order.
    pub async fn delete_media_many(
        &self,
        workspace: WorkspaceId,
        ids: Vec<MediaId>,
        by: &Actor,
    ) -> Vec<DeleteResult> {
        let mut batch = Batch::begin(self.now());
        let mut results = Vec::with_capacity(ids.len());
        for id in ids {
            let outcome = match batch.check(self.now(), None) {
                Ok(()) => batch.settle(
                    self.delete_media(workspace, id, by, &Expected::Any, &Accounts::All)
                        .await,
                ),
                Err(refusal) => Err(refusal),
            };
            results.push(DeleteResult::new(id.0, outcome));
        }
        results
    }
}

impl Batch {
    fn begin(now: Time) -> Self {
        Self {
            ends: now.plus(PATIENCE),
            has_failed: false,
        }
    }

    /// Whether the next item may be tried, and may have this time.
    fn check(&self, now: Time, time: Option<Time>) -> Result<(), Refusal> {
        if self.has_failed {
            return Err(failed());
        }
        if now > self.ends {
            let message = "The batch took too long before this item, which is as it was. Send it again.";
            return Err(Refusal::new(Code::RequestTimeout, message));
        }
        match time.and_then(|at| schedule_problem(at, now)) {
            Some(problem) => Err(Refusal::invalid(vec![Issue::field("scheduledFor", problem)])),
            None => Ok(()),
        }
    }

    /// An item's outcome. After a failure inside, nothing else is tried.
    fn settle<T>(&mut self, outcome: Result<T, AppError>) -> Result<T, Refusal> {
        outcome.map_err(|error| match error {
            AppError::Refused(refusal) => refusal,
            internal => {
                tracing::error!("a batch failed inside: {internal:?}");
                self.has_failed = true;
                failed()
            }
        })
    }
}

fn failed() -> Refusal {
    let message =
        "Something failed on the server. The x-request-id of this response identifies it in the log.";
    Refusal::new(Code::InternalError, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOON: Time = Time::from_secs(1_795_176_000);

    #[test]
    fn after_a_failure_inside_nothing_else_is_tried() {
        let mut batch = Batch::begin(NOON);
        let refused = Refusal::new(Code::PostNotFound, "none");
        assert_eq!(
            batch.settle::<()>(Err(refused.into())).unwrap_err().code,
            Code::PostNotFound
        );
        assert!(batch.check(NOON, None).is_ok());
        let broken = AppError::Store(playout_store::StoreError::Missing {
            table: "posts",
            row: uuid::Uuid::nil(),
        });
        assert_eq!(
            batch.settle::<()>(Err(broken)).unwrap_err().code,
            Code::InternalError
        );
        assert_eq!(batch.check(NOON, None).unwrap_err().code, Code::InternalError);
    }

    #[test]
    fn what_would_take_too_long_is_reported_and_not_tried() {
        let batch = Batch::begin(NOON);
        let late = NOON.plus(Duration::from_secs(21));
        assert_eq!(batch.check(late, None).unwrap_err().code, Code::RequestTimeout);
    }
}
