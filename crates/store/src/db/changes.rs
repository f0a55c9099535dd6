//! Notifies open pages of a workspace that something changed there, on this node and on the others. A transaction notes
//! what it changes (`Tx::changed`), and the notification is sent after its commit. Nothing of it is stored: a page that
//! opens later reads everything.
//!
//! Changes are only counted, by workspace and noun: a slow reader blocks no one else, and misses nothing.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use playout_domain::change::{Change, Noun};
use playout_domain::id::WorkspaceId;
use tokio::sync::{Notify, watch};
use uuid::Uuid;

use super::chance::random_bytes;
use super::error::Result;
use super::param::params;
use super::store::{Pools, Store};

/// The channel on which PostgreSQL notifies other nodes of changes.
pub(crate) const CHANGES_CHANNEL: &str = "playout_changes";
/// Changes are gathered for so long before other nodes are notified: every notification takes a lock of the whole database.
const GATHERED_FOR: Duration = Duration::from_millis(200);
/// So many fit into a notification, of 8,000 bytes at most.
const AT_ONCE: usize = 150;

/// How often each noun of a workspace changed since its first reader subscribed.
type Counts = [u64; Noun::ALL.len()];

/// The changes that this process counts.
pub(crate) struct Changes {
    /// Identifies this process: it receives its own notifications too.
    node: String,
    watched: Mutex<HashMap<WorkspaceId, watch::Sender<Counts>>>,
    unspread: Mutex<BTreeSet<Change>>,
    gathers: Notify,
}

/// A reader's subscription to the changes of a workspace.
#[derive(Debug)]
pub struct Watch {
    counts: watch::Receiver<Counts>,
    seen: Counts,
}

impl Watch {
    /// Waits until something changes; returns every noun that changed since the last call. `None` where the store is
    /// gone. A caller that drops the future misses nothing.
    pub async fn next(&mut self) -> Option<Vec<Noun>> {
        self.counts.changed().await.ok()?;
        let now = *self.counts.borrow_and_update();
        let seen = std::mem::replace(&mut self.seen, now);
        let is_new = |noun: &Noun| now[*noun as usize] != seen[*noun as usize];
        Some(Noun::ALL.into_iter().filter(is_new).collect())
    }
}

impl Default for Changes {
    fn default() -> Self {
        Self {
            node: Uuid::from_bytes(random_bytes()).to_string(),
            watched: Mutex::default(),
            unspread: Mutex::default(),
            gathers: Notify::new(),
        }
    }
}

impl Changes {
    /// Counts a change for the readers of this process.
    fn count(&self, workspace: WorkspaceId, nouns: &[Noun]) {
        if let Some(counts) = locked(&self.watched).get(&workspace) {
            add(counts, nouns);
        }
    }

    /// Marks everything as changed for all readers of this process: what other nodes changed meanwhile is not known.
    pub(crate) fn were_missed(&self) {
        for counts in locked(&self.watched).values() {
            add(counts, &Noun::ALL);
        }
    }

    /// Counts the changes of a notification from another node.
    pub(crate) fn hear(&self, told: &str) {
        let mut words = told.split(' ');
        if words.next() == Some(&self.node) {
            return;
        }
        for change in words.filter_map(read) {
            self.count(change.workspace, &[change.noun]);
        }
    }
}

impl Store {
    /// What changes in a workspace from now on, on any node.
    pub fn watch(&self, workspace: WorkspaceId) -> Watch {
        let mut watched = locked(&self.0.changes.watched);
        watched.retain(|_, counts| !counts.is_closed());
        let counts = watched.entry(workspace).or_default().subscribe();
        let seen = *counts.borrow();
        Watch { counts, seen }
    }

    /// Notifies the readers of this process, and queues the notification of other nodes; to be called after the commit.
    pub(crate) fn tell(&self, workspace: WorkspaceId, noun: Noun) {
        let changes = &self.0.changes;
        changes.count(workspace, &[noun]);
        if let Pools::Postgres(_) = self.0.pools {
            locked(&changes.unspread).insert(Change { workspace, noun });
            changes.gathers.notify_one();
        }
    }

    /// Notifies other nodes of what changes here, for as long as it is polled. Ends at once on SQLite, which has no other
    /// nodes.
    ///
    /// # Errors
    /// When the database fails. What was not sent is sent the next time.
    pub async fn spread_changes(&self) -> Result<()> {
        let Pools::Postgres(_) = &self.0.pools else {
            return Ok(());
        };
        loop {
            self.0.changes.gathers.notified().await;
            tokio::time::sleep(GATHERED_FOR).await;
            self.spread_changes_so_far().await?;
        }
    }

    /// Notifies other nodes of what changed until now.
    ///
    /// # Errors
    /// The same.
    pub async fn spread_changes_so_far(&self) -> Result<()> {
        let changes = &self.0.changes;
        let mut gathered = Gathered {
            changes,
            left: std::mem::take(&mut *locked(&changes.unspread)),
        };
        while !gathered.left.is_empty() {
            let some: Vec<Change> = gathered.left.iter().take(AT_ONCE).copied().collect();
            let sql = "SELECT pg_notify($1, $2)";
            let told = written(&changes.node, &some);
            self.execute(sql, params![CHANGES_CHANNEL, told]).await?;
            gathered.left.retain(|change| !some.contains(change));
        }
        Ok(())
    }
}

/// Changes that are being sent to other nodes. Those left when that fails or is cancelled are sent the next time.
struct Gathered<'a> {
    changes: &'a Changes,
    left: BTreeSet<Change>,
}

impl Drop for Gathered<'_> {
    fn drop(&mut self) {
        if !self.left.is_empty() {
            locked(&self.changes.unspread).append(&mut self.left);
            self.changes.gathers.notify_one();
        }
    }
}

fn add(counts: &watch::Sender<Counts>, nouns: &[Noun]) {
    counts.send_modify(|counts| {
        for noun in nouns {
            counts[*noun as usize] += 1;
        }
    });
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn written(node: &str, changes: &[Change]) -> String {
    let word = |change: &Change| format!(" {}:{}", change.noun.as_str(), change.workspace.0.simple());
    let words: String = changes.iter().map(word).collect();
    format!("{node}{words}")
}

/// Another version of the program may know other nouns.
fn read(word: &str) -> Option<Change> {
    let (noun, workspace) = word.split_once(':')?;
    Some(Change {
        noun: Noun::parse(noun)?,
        workspace: WorkspaceId(workspace.parse().ok()?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_to_other_nodes_is_read_again_and_fits() {
        let all: Vec<Change> = (0..AT_ONCE)
            .map(|number| Change {
                workspace: WorkspaceId(Uuid::from_u128(number as u128)),
                noun: Noun::ALL[number % Noun::ALL.len()],
            })
            .collect();
        let told = written(&Uuid::nil().to_string(), &all);
        assert!(told.len() < 8_000, "{}", told.len());
        let longest =
            AT_ONCE * format!(" platform:{}", Uuid::nil().simple()).len() + Uuid::nil().to_string().len();
        assert!(longest < 8_000, "{longest}");
        let heard: Vec<Change> = told.split(' ').skip(1).filter_map(read).collect();
        assert_eq!(heard, all);
        assert_eq!(read("star:0196f3a000007000800000000000000f"), None);
        assert_eq!(read("post"), None);
    }
}
