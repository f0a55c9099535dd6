//! Which database a connection leads to.

use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sqlx::postgres::PgConnection;
use sqlx::{Executor, Row as _};
use tokio::sync::Notify;
use tokio::time::{Instant, timeout};

/// Where the database is: its cluster's system identifier, its timeline and its OID. A failover or a recovery gives it another timeline;
/// files that were put back under the server give it an earlier pulse (`instance/identity.rs`). Each new connection is compared with both, so
/// that nothing is claimed or begun in a database that may have lost what was written last. A new connection of the engine may follow
/// an outage in which other nodes raised the pulse: after it nothing is claimed or begun before the service has compared the database
/// with its storage, too.
#[derive(Default)]
pub(crate) struct Home {
    known: Mutex<Option<Compared>>,
    /// How often it came into doubt, how often it had when the present comparison began, and at the last one that came out right.
    doubts: AtomicU64,
    doubts_at_begin: AtomicU64,
    settled_doubts: AtomicU64,
    doubted: Notify,
    compared: Notify,
}

/// How long a claim waits until a database in doubt was compared.
const COMPARISON: Duration = Duration::from_secs(4);

/// What was compared, and is right.
struct Compared {
    home: String,
    pulse: i64,
    at: Instant,
}

/// For how long a comparison counts where no connection has led elsewhere since: it is made every ten seconds. A node that was cut off from
/// the database for longer may find one that went back, and whose pulse is not behind what it knows.
const COUNTS_FOR: Duration = Duration::from_secs(25);

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
        let at = Instant::now();
        *self.known() = Some(Compared { home, pulse, at });
        let settled = self.doubts_at_begin.load(Ordering::Acquire);
        self.settled_doubts.store(settled, Ordering::Release);
        self.compared.notify_waiters();
    }

    /// A comparison begins: it settles no doubt that comes later.
    pub(crate) fn begin_comparison(&self) {
        let doubts = self.doubts.load(Ordering::Acquire);
        self.doubts_at_begin.store(doubts, Ordering::Release);
    }

    /// The pulse that was compared last; 0 before.
    pub(crate) fn pulse(&self) -> i64 {
        self.known().as_ref().map_or(0, |known| known.pulse)
    }

    /// How often it came into doubt.
    pub(crate) fn doubts(&self) -> u64 {
        self.doubts.load(Ordering::Acquire)
    }

    /// Waits a little while the database is in doubt; `false` if it still is.
    pub(crate) async fn is_right(&self) -> bool {
        let compared = async {
            loop {
                let mut compared = pin!(self.compared.notified());
                compared.as_mut().enable();
                if self.settled_doubts.load(Ordering::Acquire) == self.doubts.load(Ordering::Acquire) {
                    return;
                }
                compared.await;
            }
        };
        timeout(COMPARISON, compared).await.is_ok()
    }

    /// Waits until it is in doubt.
    pub(crate) async fn doubted(&self) {
        self.doubted.notified().await;
    }

    /// Leaves it in doubt until [`Home::set`], if it was ever compared.
    pub(crate) fn doubt(&self) {
        if self.known().is_some() {
            self.doubts.fetch_add(1, Ordering::AcqRel);
            self.doubted.notify_one();
        }
    }

    /// Leaves it in doubt if it was compared long ago.
    pub(crate) fn doubt_unless_recent(&self) {
        let is_old = |known: &Compared| known.at.elapsed() > COUNTS_FOR;
        if self.known().as_ref().is_some_and(is_old) {
            self.doubt();
        }
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
            self.doubt();
        }
        Ok(())
    }

    fn known(&self) -> MutexGuard<'_, Option<Compared>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
