//! The store: one of two databases, and what this process keeps beside it.
//!
//! Statements are written once, with `$1` parameters, and run on either database: by themselves (`statements.rs`) or in a transaction
//! (`tx.rs`).

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use playout_domain::change::Change;
use tokio::sync::{Notify, Semaphore};

use super::changes::Changes;
use super::postgres::Postgres;
use super::show::Show;
use super::sqlite::Sqlite;
use super::vault::Vault;

/// The store: all SQL of the product. Cheap to clone.
#[derive(Clone)]
pub struct Store(pub(crate) Arc<Inner>);

/// What all clones of a store share.
pub(crate) struct Inner {
    pub(crate) pools: Pools,
    pub(crate) vault: Vault,
    pub(crate) job_signal: Notify,
    pub(crate) changes: Changes,
    pub(crate) delivery_signal: Notify,
    pub(crate) show: OnceLock<Show>,
    /// Places for [`Store::begin_search`].
    pub(crate) searches: Arc<Semaphore>,
    /// Whether the index of texts was there when it was last looked for.
    pub(crate) has_text_index: AtomicBool,
}

pub(crate) enum Pools {
    Sqlite(Sqlite),
    Postgres(Postgres),
}

/// Which SQL the database reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    Sqlite,
    Postgres,
}

impl Store {
    /// Whether transactions run beside one another, and other nodes may use the database: PostgreSQL.
    pub fn is_postgres(&self) -> bool {
        matches!(self.0.pools, Pools::Postgres(_))
    }

    pub(crate) fn dialect(&self) -> Dialect {
        match self.0.pools {
            Pools::Sqlite(_) => Dialect::Sqlite,
            Pools::Postgres(_) => Dialect::Postgres,
        }
    }

    /// Notifies open pages of a change, on this node and on the others; to be called after its commit.
    pub(crate) fn notify(&self, change: Change) {
        self.0.changes.notify(change, self.is_postgres());
    }
}
