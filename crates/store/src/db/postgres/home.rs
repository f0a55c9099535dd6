//! Which database a connection leads to.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use sqlx::postgres::PgConnection;
use sqlx::{Executor, Row as _};
use tokio::sync::Notify;

/// Where the database is: its cluster's system identifier, its timeline and its OID. A failover or a recovery gives it another timeline;
/// files that were put back under the server give it an earlier pulse (`instance/identity.rs`). Each new connection of the engine is compared
/// with both, so that nothing is claimed from a database that may have lost what was written last.
#[derive(Default)]
pub(crate) struct Home {
    known: Mutex<Option<Compared>>,
    has_moved: AtomicBool,
    moved: Notify,
}

/// What was compared, and is right.
struct Compared {
    home: String,
    pulse: i64,
}

/// The timeline is the first eight digits of the name of the file that is being written.
pub(crate) const FIND_HOME: &str = "SELECT 'postgres ' || system_identifier::text || ':'
        || CASE WHEN pg_is_in_recovery() THEN '' ELSE substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) END || ':'
        || (SELECT oid::text FROM pg_database WHERE datname = current_database()) AS home
    FROM pg_control_system()";

const FIND_PULSE: &str = "SELECT pulse FROM instance WHERE id = 1";

impl Home {
    /// The place and the pulse that were compared, and are right.
    pub(crate) fn set(&self, home: &str, pulse: i64) {
        let home = home.to_owned();
        *self.known() = Some(Compared { home, pulse });
        self.has_moved.store(false, Ordering::Release);
    }

    /// The pulse that was compared last; 0 before.
    pub(crate) fn pulse(&self) -> i64 {
        self.known().as_ref().map_or(0, |known| known.pulse)
    }

    /// Whether a connection led to another place, or to an earlier state, since.
    pub(crate) fn has_moved(&self) -> bool {
        self.has_moved.load(Ordering::Acquire)
    }

    /// Waits until one does.
    pub(crate) async fn moved(&self) {
        self.moved.notified().await;
    }

    /// Compares where a new connection leads. Before anything was compared there may be no tables yet.
    pub(super) async fn compare(&self, connection: &mut PgConnection) -> sqlx::Result<()> {
        if self.known().is_none() {
            return Ok(());
        }
        let home: String = connection.fetch_one(sqlx::raw_sql(FIND_HOME)).await?.try_get(0)?;
        let pulse = connection.fetch_optional(sqlx::raw_sql(FIND_PULSE)).await?;
        let pulse: i64 = pulse.map_or(Ok(0), |row| row.try_get(0))?;
        let is_other = |known: &Compared| known.home != home || known.pulse > pulse;
        if self.known().as_ref().is_some_and(is_other) {
            self.has_moved.store(true, Ordering::Release);
            self.moved.notify_one();
        }
        Ok(())
    }

    fn known(&self) -> MutexGuard<'_, Option<Compared>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
