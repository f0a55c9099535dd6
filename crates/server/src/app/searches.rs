//! Searches of texts, which read every post of a workspace. Workspaces take turns; one runs one search at a time.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use playout_domain::error::Refusal;
use playout_domain::id::WorkspaceId;
use playout_store::SEARCHES;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::error::AppError;
use super::refusals::too_many;
use super::turns::{Turns, Units};

/// How many searches of one workspace may run or wait: one runs, the others wait.
const MOST_OF_ONE: usize = 5;

/// The searches that run and those that wait.
pub(super) struct Searches {
    turns: Arc<Turns>,
    workspaces: Mutex<HashMap<WorkspaceId, OfOne>>,
}

/// The searches of one workspace.
struct OfOne {
    count: usize,
    running: Arc<Semaphore>,
}

/// A search that runs or waits, counted for its workspace.
struct Counted {
    searches: Arc<Searches>,
    workspace: WorkspaceId,
}

/// The right to search.
#[must_use]
pub(super) struct Place {
    // Dropped in this order: the next search of the workspace begins once this one has left the turns.
    _turn: Units,
    _running: Option<OwnedSemaphorePermit>,
    _counted: Counted,
}

impl Default for Searches {
    fn default() -> Self {
        Self {
            turns: Turns::new(u32::try_from(SEARCHES).unwrap_or(u32::MAX)),
            workspaces: Mutex::default(),
        }
    }
}

impl Searches {
    /// Waits until a workspace may search, unless too many of its searches wait already.
    pub(super) async fn enter(self: &Arc<Self>, workspace: WorkspaceId) -> Result<Place, AppError> {
        let (counted, running) = self.count(workspace)?;
        let running = running.acquire_owned().await.ok();
        Ok(Place {
            _turn: self.turns.take(workspace, 1).await?,
            _running: running,
            _counted: counted,
        })
    }

    fn count(self: &Arc<Self>, workspace: WorkspaceId) -> Result<(Counted, Arc<Semaphore>), Refusal> {
        let mut workspaces = self.workspaces();
        let of_one = workspaces.entry(workspace).or_insert_with(|| OfOne {
            count: 0,
            running: Arc::new(Semaphore::new(1)),
        });
        if of_one.count >= MOST_OF_ONE {
            let message = "Too many searches of this workspace are under way.";
            return Err(too_many(message, Duration::from_secs(1)));
        }
        of_one.count += 1;
        let running = Arc::clone(&of_one.running);
        let searches = Arc::clone(self);
        Ok((Counted { searches, workspace }, running))
    }

    fn workspaces(&self) -> MutexGuard<'_, HashMap<WorkspaceId, OfOne>> {
        self.workspaces.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut workspaces = self.searches.workspaces();
        if let Some(of_one) = workspaces.get_mut(&self.workspace) {
            of_one.count -= 1;
            if of_one.count == 0 {
                workspaces.remove(&self.workspace);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::pin::Pin;

    use futures_util::FutureExt;
    use playout_domain::time::Time;

    use super::*;
    use crate::chance;

    type Entering = Pin<Box<dyn Future<Output = Result<Place, AppError>>>>;

    fn enter(searches: &Arc<Searches>, workspace: WorkspaceId) -> Entering {
        let searches = Arc::clone(searches);
        Box::pin(async move { searches.enter(workspace).await })
    }

    #[test]
    fn one_workspace_with_many_searches_leaves_the_other_place_free_and_its_sixth_is_refused() {
        let searches = Arc::new(Searches::default());
        let [busy, other, third] = [0; 3].map(|_| chance::id(Time::from_secs(0)));
        let mut queued: Vec<_> = (0..MOST_OF_ONE).map(|_| enter(&searches, busy)).collect();
        let mut places: Vec<_> = queued.iter_mut().filter_map(|one| one.now_or_never()).collect();
        assert_eq!(places.len(), 1, "one runs");
        let refused = enter(&searches, busy).now_or_never().unwrap().err().unwrap();
        assert!(refused.to_string().contains("rate_limited"), "{refused}");
        let theirs = enter(&searches, other).now_or_never().unwrap().unwrap();
        // With both places taken, the next turn is that of the workspace that waits, not of the one that has just searched.
        let mut waiting = enter(&searches, third);
        assert!((&mut waiting).now_or_never().is_none());
        places.clear();
        assert!((&mut waiting).now_or_never().is_some());
        drop((theirs, waiting, queued));
        assert!(searches.workspaces().is_empty());
        assert_eq!(searches.turns.free(), u32::try_from(SEARCHES).unwrap());
    }
}
