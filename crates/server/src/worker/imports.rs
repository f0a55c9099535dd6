//! Fetches files that are imported, beside the engine and never in its way: a few at a time, fewer of one workspace.
//! `app/imports.rs` has the steps of an import.

use std::collections::HashMap;
use std::sync::Arc;

use playout_domain::id::WorkspaceId;
use playout_domain::time::Time;
use playout_store::{ClaimImports, Import, POLL_EVERY, StoreError};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::app::imports::LEASE;
use crate::logs::log_failure;
use crate::outage::Outage;

/// How many are fetched at the same time.
const AT_ONCE: usize = 8;
/// How many are fetched at the same time with the first of each workspace, which is fetched beyond [`AT_ONCE`].
const AT_ONCE_WITH_FIRST: usize = 16;
/// How many of one workspace.
const PER_WORKSPACE: u32 = 2;

/// The imports that this process fetches.
#[derive(Default)]
struct Running {
    tasks: JoinSet<WorkspaceId>,
    counts: HashMap<WorkspaceId, u32>,
}

/// Runs until `stop`, then until what is under way has been broken off.
pub async fn run(app: Arc<App>, stop: CancellationToken) {
    let mut running = Running::default();
    let mut outage = Outage::of("files cannot be imported");
    while !stop.is_cancelled() {
        let until = match running.look(&app).await {
            Ok(next) => {
                outage.is_over(app.now(), "files are imported again");
                next
            }
            Err(error) => {
                outage.goes_on(app.now(), &error);
                app.now().plus(POLL_EVERY)
            }
        };
        tokio::select! {
            () = stop.cancelled() => {}
            () = app.importing.notified() => {}
            () = running.one_ends() => {}
            () = app.clock.sleep_until(until) => {}
        }
    }
    while !running.tasks.is_empty() {
        running.one_ends().await;
    }
}

impl Running {
    /// Begins what is due and can be begun; answers when to look again, unless something happens before.
    async fn look(&mut self, app: &Arc<App>) -> Result<Time, StoreError> {
        let next = app.store.next_import_at().await?;
        let now = app.now();
        let poll = now.plus(POLL_EVERY);
        let (room, per_workspace) = match AT_ONCE.saturating_sub(self.tasks.len()) {
            0 => (AT_ONCE_WITH_FIRST.saturating_sub(self.tasks.len()), 1),
            room => (room, PER_WORKSPACE),
        };
        if room == 0 || next.is_none_or(|next| next > now) {
            return Ok(next
                .filter(|next| *next > now)
                .map_or(poll, |next| next.min(poll)));
        }
        let claim = ClaimImports {
            limit: room,
            per_workspace,
            under_way: &self.counts,
            lease: LEASE,
        };
        for import in app.store.claim_imports(claim, now).await? {
            self.start(app, import);
        }
        Ok(poll)
    }

    fn start(&mut self, app: &Arc<App>, import: Import) {
        let (app, workspace) = (Arc::clone(app), import.workspace_id);
        *self.counts.entry(workspace).or_default() += 1;
        self.tasks.spawn(async move {
            let id = import.upload.media.id;
            // A panic must free the slot too: its own task, awaited here.
            match tokio::spawn(async move { Box::pin(app.run_import(import)).await }).await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => log_failure!(error, media = %id, "the import {id} broke off: {error}"),
                Err(error) => tracing::error!(media = %id, "the import {id} panicked: {error}"),
            }
            workspace
        });
    }

    /// Waits until one has ended; for ever where none is under way.
    async fn one_ends(&mut self) {
        let Some(ended) = self.tasks.join_next().await else {
            return std::future::pending().await;
        };
        let Ok(workspace) = ended else { return };
        let count = self.counts.entry(workspace).or_default();
        *count = count.saturating_sub(1);
        self.counts.retain(|_, count| *count > 0);
    }
}
