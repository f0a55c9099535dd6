//! How many files of each workspace were received and are not finished: they wait to be decoded, or are being decoded.
//!
//! An upload with an `Idempotency-Key` goes on when its client hangs up, so that the limits on connections do not bound these.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use playout_domain::error::Refusal;
use playout_domain::id::WorkspaceId;

use crate::app::refusals::too_many;

/// The files of one workspace.
const PER_WORKSPACE: usize = 32;
/// When to send a file again.
const AGAIN: Duration = Duration::from_secs(1);

/// The unfinished files by workspace.
#[derive(Debug, Default, Clone)]
pub struct Unfinished(Arc<Mutex<HashMap<WorkspaceId, usize>>>);

/// A file that is not finished; it counts until it is dropped.
#[derive(Debug)]
pub(super) struct UnfinishedFile {
    files: Unfinished,
    workspace: WorkspaceId,
}

impl Unfinished {
    /// Rejects a file that is still to be received, where there is no room for it now. It is not counted yet: a slow client
    /// takes nothing from the others of its workspace.
    pub(super) fn check(&self, workspace: WorkspaceId) -> Result<(), Refusal> {
        let files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        room(files.get(&workspace).copied().unwrap_or_default())
    }

    /// Counts a file that was received, or rejects it.
    pub(super) fn count(&self, workspace: WorkspaceId) -> Result<UnfinishedFile, Refusal> {
        let mut files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = files.entry(workspace).or_default();
        room(*count)?;
        *count += 1;
        drop(files);
        let files = self.clone();
        Ok(UnfinishedFile { files, workspace })
    }
}

fn room(count: usize) -> Result<(), Refusal> {
    match count < PER_WORKSPACE {
        true => Ok(()),
        false => Err(too_many(
            &format!(
                "{PER_WORKSPACE} files of this workspace were received and are still being processed. \
                 This one was not taken; send it again."
            ),
            AGAIN,
        )),
    }
}

impl Drop for UnfinishedFile {
    fn drop(&mut self) {
        let mut files = self.files.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = files.get_mut(&self.workspace) {
            *count -= 1;
            if *count == 0 {
                files.remove(&self.workspace);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use playout_domain::time::Time;

    use super::*;
    use crate::chance;

    #[test]
    fn a_workspace_has_so_many_unfinished_files_at_most_and_takes_nothing_from_another() {
        let files = Unfinished::default();
        let one = chance::id(Time::from_secs(0));
        let mut held: Vec<_> = (0..PER_WORKSPACE).map(|_| files.count(one).unwrap()).collect();
        assert!(files.check(one).is_err() && files.count(one).is_err());
        assert!(files.count(chance::id(Time::from_secs(0))).is_ok());
        held.pop();
        assert!(files.check(one).is_ok());
        drop(held);
        assert!(files.0.lock().unwrap().is_empty());
    }
}
