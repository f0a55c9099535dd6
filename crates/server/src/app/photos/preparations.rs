//! Renditions to be made in the background, a queue for each workspace.
//!
//! One of a workspace is made at a time, so that a post that is due waits for one of them at most before its own photos have
//! their turn. What does not fit into the queue is dropped: publishing makes the rendition itself.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use playout_domain::id::WorkspaceId;
use playout_domain::media::Media;
use playout_domain::provider::PhotoLimits;

/// How many photos of one workspace may wait.
pub(super) const MOST_WAITING: usize = 100;

/// The queues. A workspace has an entry, which may be empty, while a task works on its queue.
#[derive(Debug, Default)]
pub struct Preparations(Mutex<HashMap<WorkspaceId, VecDeque<Preparation>>>);

/// A rendition to be made.
#[derive(Debug)]
pub(super) struct Preparation {
    /// Where the rendition will be kept.
    pub(super) key: String,
    pub(super) media: Media,
    pub(super) limits: PhotoLimits,
}

impl Preparations {
    /// Queues what is not queued yet and fits. Returns whether the caller must start a task that takes it with
    /// [`Preparations::next`] until there is nothing left.
    #[must_use]
    pub(super) fn add(&self, workspace: WorkspaceId, wanted: impl IntoIterator<Item = Preparation>) -> bool {
        let mut queues = self.queues();
        let is_idle = !queues.contains_key(&workspace);
        let queue = queues.entry(workspace).or_default();
        for preparation in wanted {
            if queue.len() < MOST_WAITING && queue.iter().all(|queued| queued.key != preparation.key) {
                queue.push_back(preparation);
            }
        }
        is_idle
    }

    /// The next one of a workspace. After `None` the task must end: the workspace is forgotten.
    pub(super) fn next(&self, workspace: WorkspaceId) -> Option<Preparation> {
        let mut queues = self.queues();
        let next = queues.get_mut(&workspace).and_then(VecDeque::pop_front);
        if next.is_none() {
            queues.remove(&workspace);
        }
        next
    }

    fn queues(&self) -> MutexGuard<'_, HashMap<WorkspaceId, VecDeque<Preparation>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use playout_domain::media::{MediaStatus, MimeType};
    use playout_domain::time::Time;

    use super::*;
    use crate::chance;

    fn preparation(number: usize) -> Preparation {
        let now = Time::from_secs(0);
        Preparation {
            key: number.to_string(),
            media: Media {
                id: chance::id(now),
                storage_key: number.to_string(),
                preview_key: None,
                mime: MimeType::Jpeg,
                size_bytes: None,
                received_bytes: None,
                file_name: "a.jpg".to_owned(),
                status: MediaStatus::Ready,
                probe: None,
                sha256: None,
                finalized_at: None,
                failure: None,
                folder_id: None,
                created_at: now,
            },
            limits: PhotoLimits {
                max_short_side: 1080,
                max_long_side: 1920,
                max_bytes: 1_000_000,
            },
        }
    }

    #[test]
    fn a_workspace_has_one_task_and_a_bounded_queue() {
        let preparations = Preparations::default();
        let one = chance::id(Time::from_secs(0));
        assert!(preparations.add(one, (0..MOST_WAITING / 2).map(preparation)));
        assert!(!preparations.add(one, (0..3 * MOST_WAITING).map(preparation)));
        let another = chance::id(Time::from_secs(0));
        assert!(preparations.add(another, [preparation(0)]), "queues are separate");
        for number in 0..MOST_WAITING {
            assert_eq!(preparations.next(one).unwrap().key, number.to_string());
        }
        assert!(
            !preparations.add(one, [preparation(0)]),
            "the last one is still made"
        );
        assert!(preparations.next(one).is_some());
        assert!(preparations.next(one).is_none());
        assert!(preparations.add(one, [preparation(0)]));
    }
}
