//! Storage reserved for an upload of one request while its bytes come in, so that many at once do not exceed the plan.

use std::sync::Arc;
use std::time::Duration;

use playout_domain::id::WorkspaceId;
use playout_domain::time::Time;
use playout_store::InsertMedia;

use super::refusals::storage_limit_reached;
use super::{App, AppError};

/// For a body of unknown length as much again is reserved as has come, within these bounds.
const LEAST_AHEAD_BYTES: u64 = 256 << 10;
const MOST_AHEAD_BYTES: u64 = 16 << 20;
/// What a form holds besides its file, at most.
const FORM_BYTES: u64 = 64 << 10;
/// A reservation that was not extended for so long belonged to a process that died.
const LEASE: Duration = Duration::from_secs(300);
const EXTEND_AFTER: Duration = Duration::from_secs(60);
/// How many reservations a sweep ends.
const SWEPT_AT_ONCE: u32 = 1000;

/// The storage of one upload. Dropped, it is given back, unless it became a media object's own.
pub struct Reservation {
    app: Arc<App>,
    workspace: WorkspaceId,
    storage_key: String,
    /// The plan's storage; nothing is reserved where it has no limit.
    limit: Option<u64>,
    /// The length of the whole request, where it is announced.
    body_length: Option<u64>,
    reserved: u64,
    leased_at: Time,
}

impl Reservation {
    /// A reservation of nothing yet. Nothing is reserved where `limit` is `None`.
    pub(super) fn new(
        app: &Arc<App>,
        workspace: WorkspaceId,
        storage_key: &str,
        (limit, body_length): (Option<u64>, Option<u64>),
    ) -> Self {
        Self {
            app: Arc::clone(app),
            workspace,
            storage_key: storage_key.to_owned(),
            limit,
            body_length,
            reserved: 0,
            leased_at: app.now(),
        }
    }

    /// Reserves storage for a file of `size` bytes so far, or refuses it.
    pub(super) async fn cover(&mut self, size: u64) -> Result<(), AppError> {
        let Some(limit) = self.limit else { return Ok(()) };
        let missing = size.saturating_sub(self.reserved);
        let is_stale = self.app.now().since(self.leased_at) >= EXTEND_AFTER;
        if missing == 0 && !is_stale {
            return Ok(());
        }
        // All that may come, so that uploads beside each other do not take one another's last bytes; else what must come.
        let (whole, least) = match self.body_length {
            Some(length) => (length, length.saturating_sub(FORM_BYTES)),
            None => (size + size.clamp(LEAST_AHEAD_BYTES, MOST_AHEAD_BYTES), size),
        };
        let reserved = match self.reserve_up_to(whole.max(size), limit).await {
            Err(AppError::Refused(_)) => self.reserve_up_to(least.max(size), limit).await,
            reserved => reserved,
        };
        if matches!(reserved, Err(AppError::Refused(_))) {
            self.app
                .store
                .release_storage(self.workspace, &self.storage_key)
                .await?;
            self.reserved = 0;
        }
        reserved
    }

    /// Extends the reservation to `total` bytes, if it is smaller, and its lease in any case.
    async fn reserve_up_to(&mut self, total: u64, limit: u64) -> Result<(), AppError> {
        let bytes = total.saturating_sub(self.reserved);
        let now = self.app.now();
        let store = &self.app.store;
        let reserved =
            store.reserve_storage(self.workspace, &self.storage_key, (bytes, limit), now.plus(LEASE));
        match reserved.await? {
            InsertMedia::Inserted => {
                self.reserved += bytes;
                self.leased_at = now;
                Ok(())
            }
            InsertMedia::StorageLimitReached { limit, used } => {
                Err(storage_limit_reached(limit, used).into())
            }
        }
    }

    /// The media object was inserted and has taken the reservation over.
    pub(super) fn settled(mut self) {
        self.reserved = 0;
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return;
        };
        if self.reserved == 0 {
            return;
        }
        let (app, workspace) = (Arc::clone(&self.app), self.workspace);
        let storage_key = std::mem::take(&mut self.storage_key);
        runtime.spawn(async move {
            if let Err(error) = app.store.release_storage(workspace, &storage_key).await {
                tracing::warn!("storage that was reserved for an upload is left to the sweep: {error}");
            }
        });
    }
}

impl App {
    /// Gives back what processes that died had reserved, and removes the files that they left under a name.
    pub async fn sweep_reservations(&self) -> Result<(), AppError> {
        for (workspace, storage_key) in self
            .store
            .abandoned_reservations(self.now(), SWEPT_AT_ONCE)
            .await?
        {
            // Not where a media object was inserted meanwhile.
            if self.store.release_storage(workspace, &storage_key).await? {
                self.remove_files(&storage_key).await?;
            }
        }
        Ok(())
    }
}
