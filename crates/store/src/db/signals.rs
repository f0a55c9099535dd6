//! Wakes workers for jobs and senders for deliveries, and notifies open pages of changes: in this process, and on PostgreSQL on the other
//! nodes.

use std::time::Duration;

use playout_domain::id::WorkspaceId;
use sqlx::Executor;
use sqlx::postgres::PgListener;
use tokio::sync::Notify;
use tokio::time::timeout;

use super::changes::Watch;
use super::error::Result;
use super::param::params;
use super::postgres::{ANSWER, answered};
use super::store::{Pools, Store};
use super::tx::JOBS_CHANNEL;

/// The channel on which PostgreSQL notifies other nodes of changes.
const CHANGES_CHANNEL: &str = "playout_changes";

/// Changes are gathered for so long before other nodes are notified: every notification takes a lock of the whole database.
const GATHERED_FOR: Duration = Duration::from_millis(200);

/// How long the connection that listens to other nodes may be silent until it is tested.
const SILENCE: Duration = Duration::from_secs(20);

impl Store {
    /// Is notified when a job was added or brought forward. It keeps one notification for the next who waits, so
    /// that none is lost between a look and a wait.
    pub fn job_signal(&self) -> &Notify {
        &self.0.job_signal
    }

    /// Is notified when this process has made a delivery. Those of other nodes are found by looking.
    pub fn delivery_signal(&self) -> &Notify {
        &self.0.delivery_signal
    }

    /// Forwards what other nodes add to [`Store::job_signal`], and notifies the readers here of what they changed, for as
    /// long as it is polled. Ends at once on SQLite, which has no other nodes.
    ///
    /// # Errors
    /// When the connection cannot be made, or is lost for good.
    pub async fn listen(&self) -> Result<()> {
        let Pools::Postgres(postgres) = &self.0.pools else {
            return Ok(());
        };
        let mut listener = PgListener::connect_with(&postgres.watch).await?;
        listener.listen_all([JOBS_CHANNEL, CHANGES_CHANNEL]).await?;
        self.0.changes.were_missed();
        loop {
            let Ok(heard) = timeout(SILENCE, listener.try_recv()).await else {
                // Silence proves nothing: the other end may have vanished.
                answered(ANSWER, listener.execute("SELECT 1")).await?;
                continue;
            };
            match heard? {
                Some(told) if told.channel() == CHANGES_CHANNEL => self.0.changes.hear(told.payload()),
                Some(_) => self.job_signal().notify_one(),
                // A connection that was lost and made again: something may have been missed meanwhile.
                None => {
                    self.job_signal().notify_one();
                    self.0.changes.were_missed();
                }
            }
        }
    }

    /// What changes in a workspace from now on, on any node.
    pub fn watch(&self, workspace: WorkspaceId) -> Watch {
        self.0.changes.watch(workspace)
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
            self.0.changes.gathers().await;
            tokio::time::sleep(GATHERED_FOR).await;
            self.spread_changes_so_far().await?;
        }
    }

    /// Notifies other nodes of what changed until now.
    ///
    /// # Errors
    /// The same.
    pub async fn spread_changes_so_far(&self) -> Result<()> {
        let mut gathered = self.0.changes.gather();
        while let Some(some) = gathered.some() {
            let sql = "SELECT pg_notify($1, $2)";
            let told = gathered.text_of(&some);
            self.execute(sql, params![CHANGES_CHANNEL, told]).await?;
            gathered.were_sent(&some);
        }
        Ok(())
    }
}
