//! How many requests of one workspace may change something at the same time.
//!
//! On PostgreSQL a request that waits for a row lock holds a connection meanwhile. Without a bound the requests of one workspace
//! that wait for the same lock take all connections, and all other requests wait with them. A request takes its place once its
//! body is in, so that a slow client delays no other request.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use playout_domain::error::{Code, Refusal};
use playout_domain::id::WorkspaceId;
use playout_store::spend_time;
use serde_json::json;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// How long a request waits for others of its workspace.
const PATIENCE: Duration = Duration::from_secs(2);

/// The requests that change something, by workspace.
#[derive(Debug)]
pub struct Writers {
    each: Option<usize>,
    open: Mutex<HashMap<WorkspaceId, Counted>>,
}

#[derive(Debug)]
struct Counted {
    places: Arc<Semaphore>,
    /// The number of requests that have a place or wait for one.
    users: usize,
}

/// A request's turn: the place is taken once the body is read, and kept until the request ends.
#[derive(Debug, Clone)]
pub struct Turn {
    each: usize,
    of: Arc<Writers>,
    workspace: WorkspaceId,
    taken: Arc<Mutex<Option<Place>>>,
}

/// A place, given back when it is dropped.
#[derive(Debug)]
struct Place {
    _permit: OwnedSemaphorePermit,
    _user: User,
}

/// A request that has a place or waits for one; the last one of a workspace removes its entry.
#[derive(Debug)]
struct User {
    of: Arc<Writers>,
    workspace: WorkspaceId,
}

impl Writers {
    /// For a database with so many connections: a third of them for each workspace. `None`: one that has a single writer anyway.
    pub fn new(connections: Option<u32>) -> Arc<Self> {
        let each =
            connections.map(|connections| usize::try_from(connections / 3).unwrap_or(usize::MAX).max(1));
        Arc::new(Self {
            each,
            open: Mutex::default(),
        })
    }

    /// The turn of a request of this workspace, not taken yet. The place is given back with the last of its copies. `None` where
    /// the number of places is not limited.
    pub fn turn(self: &Arc<Self>, workspace: WorkspaceId) -> Option<Turn> {
        Some(Turn {
            each: self.each?,
            of: Arc::clone(self),
            workspace,
            taken: Arc::default(),
        })
    }

    fn enter(self: &Arc<Self>, workspace: WorkspaceId, each: usize) -> (User, Arc<Semaphore>) {
        let mut open = self.lock();
        let counted = open.entry(workspace).or_insert_with(|| Counted {
            places: Arc::new(Semaphore::new(each)),
            users: 0,
        });
        counted.users += 1;
        let user = User {
            of: Arc::clone(self),
            workspace,
        };
        (user, Arc::clone(&counted.places))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<WorkspaceId, Counted>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Turn {
    /// Waits for a place.
    ///
    /// # Errors
    /// `unavailable`, if there was none for two seconds.
    pub async fn take(&self) -> Result<(), Refusal> {
        let (user, places) = self.of.enter(self.workspace, self.each);
        let waiting = timeout(PATIENCE, places.acquire_owned());
        let Ok(Ok(permit)) = spend_time(waiting).await else {
            let message = "Other requests that change this workspace take long at the moment. Send the request again, with the same Idempotency-Key.";
            let details = json!({ "retryAfter": PATIENCE.as_secs() });
            return Err(Refusal::new(Code::Unavailable, message).with_details(details));
        };
        let place = Place {
            _permit: permit,
            _user: user,
        };
        *self.taken.lock().unwrap_or_else(PoisonError::into_inner) = Some(place);
        Ok(())
    }
}

impl Drop for User {
    fn drop(&mut self) {
        let mut open = self.of.lock();
        let Some(counted) = open.get_mut(&self.workspace) else {
            return;
        };
        counted.users -= 1;
        if counted.users == 0 {
            open.remove(&self.workspace);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance;
    use playout_domain::time::Time;

    #[tokio::test(start_paused = true)]
    async fn a_place_is_given_back_with_its_turn_and_the_last_forgets_the_workspace() {
        let writers = Writers::new(Some(3));
        let workspace = chance::id(Time::from_secs(0));
        let turn = |workspace| writers.turn(workspace).unwrap();
        let (first, second) = (turn(workspace), turn(workspace));
        first.take().await.unwrap();
        let copy = first.clone();
        drop(first);
        assert_eq!(second.take().await.unwrap_err().code, Code::Unavailable);
        let other = turn(chance::id(Time::from_secs(0)));
        other.take().await.unwrap();
        drop((copy, other));
        second.take().await.unwrap();
        drop(second);
        assert!(writers.lock().is_empty());
    }
}
