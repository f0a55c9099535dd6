//! Notifies open pages of a workspace that something changed there, on this node and on the others. A transaction notes
//! what it changes (`Tx::changed`), and the notification is sent after its commit. Nothing of it is stored: a page that
//! opens later reads everything.
//!
//! Changes are only counted, by workspace and noun: a slow reader blocks no one else, and misses nothing.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use playout_domain::change::{Change, Noun};
use playout_domain::id::WorkspaceId;
use tokio::sync::{Notify, watch};
use uuid::Uuid;

use super::chance::random_bytes;

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
    /// A subscription to what changes in a workspace from now on.
    pub(super) fn watch(&self, workspace: WorkspaceId) -> Watch {
        let mut watched = locked(&self.watched);
        watched.retain(|_, counts| !counts.is_closed());
        let counts = watched.entry(workspace).or_default().subscribe();
        let seen = *counts.borrow();
        Watch { counts, seen }
    }

    /// Notifies the readers of this process, and queues the notification of other nodes if there may be some; to be called after the
    /// commit.
    pub(super) fn notify(&self, change: Change, to_other_nodes: bool) {
        self.count(change.workspace, &[change.noun]);
        if to_other_nodes {
            locked(&self.unspread).insert(change);
            self.gathers.notify_one();
        }
    }

    /// Waits until there is something to send to other nodes.
    pub(super) async fn gathers(&self) {
        self.gathers.notified().await;
    }

    /// Takes what is to be sent to other nodes.
    pub(super) fn gather(&self) -> Gathered<'_> {
        Gathered {
            changes: self,
            left: std::mem::take(&mut *locked(&self.unspread)),
        }
    }

    /// Counts a change for the readers of this process.
    fn count(&self, workspace: WorkspaceId, nouns: &[Noun]) {
        if let Some(counts) = locked(&self.watched).get(&workspace) {
            add(counts, nouns);
        }
    }

    /// Marks everything as changed for all readers of this process: what other nodes changed meanwhile is not known.
    pub(super) fn were_missed(&self) {
        for counts in locked(&self.watched).values() {
            add(counts, &Noun::ALL);
        }
    }

    /// Counts the changes of a notification from another node.
    pub(super) fn hear(&self, told: &str) {
        let mut words = told.split(' ');
        if words.next() == Some(&self.node) {
            return;
        }
        for change in words.filter_map(read) {
            self.count(change.workspace, &[change.noun]);
        }
    }
}

/// Changes that are being sent to other nodes. Those left when that fails or is cancelled are sent the next time.
pub(super) struct Gathered<'a> {
    changes: &'a Changes,
    left: BTreeSet<Change>,
}

impl Gathered<'_> {
    /// As many of those left as fit into a notification; `None` once all were sent.
    pub(super) fn some(&self) -> Option<Vec<Change>> {
        let some: Vec<Change> = self.left.iter().take(AT_ONCE).copied().collect();
        Some(some).filter(|some| !some.is_empty())
    }

    /// The text of a notification of these.
    pub(super) fn text_of(&self, some: &[Change]) -> String {
        written(&self.changes.node, some)
    }

    /// Notes that these were sent.
    pub(super) fn were_sent(&mut self, some: &[Change]) {
        self.left.retain(|change| !some.contains(change));
    }
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
