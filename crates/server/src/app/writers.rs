//! How many requests of one workspace may change something at the same time.
//!
//! On PostgreSQL a request that waits for a row lock holds a connection meanwhile. Without a bound the requests of one workspace that
//! wait for the same lock take all connections, and everybody else waits with them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use playout_domain::id::WorkspaceId;
use tokio::sync::Semaphore;
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
    /// Those who have a place or wait for one.
    users: usize,
}

/// Who has a place or waits for one; the last one of a workspace forgets it.
struct User<'a> {
    of: &'a Writers,
    workspace: WorkspaceId,
    places: Arc<Semaphore>,
}

impl Writers {
    /// For a database with so many connections: a third of them for each workspace. `None`: one that has a single writer anyway.
    pub fn new(connections: Option<u32>) -> Self {
        let each =
            connections.map(|connections| usize::try_from(connections / 3).unwrap_or(usize::MAX).max(1));
        Self {
            each,
            open: Mutex::default(),
        }
    }

    /// Does `work` of a workspace when there is a place for it; `None` if there was none for [`PATIENCE`].
    pub async fn enter<T>(&self, workspace: WorkspaceId, work: impl Future<Output = T>) -> Option<T> {
        let Some(each) = self.each else {
            return Some(work.await);
        };
        let user = self.user(workspace, each);
        let place = timeout(PATIENCE, user.places.acquire()).await.ok()?.ok()?;
        let done = work.await;
        drop(place);
        Some(done)
    }

    fn user(&self, workspace: WorkspaceId, each: usize) -> User<'_> {
        let mut open = self.lock();
        let counted = open.entry(workspace).or_insert_with(|| Counted {
            places: Arc::new(Semaphore::new(each)),
            users: 0,
        });
        counted.users += 1;
        User {
            of: self,
            workspace,
            places: Arc::clone(&counted.places),
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<WorkspaceId, Counted>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for User<'_> {
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
