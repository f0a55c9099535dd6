//! Where the database is: what distinguishes it from its copies, and shows that a connection has led to another one.

use std::os::unix::fs::MetadataExt;

use super::error::{Result, StoreError};
use super::param::params;
use super::postgres::FIND_HOME;
use super::store::{Pools, Store};

impl Store {
    /// Where the database is: device and inode of an SQLite file; system identifier, timeline and OID of a PostgreSQL database. It
    /// differs in a copy, in a dump that was loaded into another database, and after a recovery to a point in time. A dump that was loaded
    /// into the same database is found by its tables (`instance/identity.rs`). What leads to doubt from here on is not
    /// settled by the next [`Store::set_home`].
    ///
    /// # Errors
    /// When the database fails, or the file is not there.
    pub async fn home(&self) -> Result<String> {
        match &self.0.pools {
            Pools::Sqlite(sqlite) => {
                let found = std::fs::metadata(sqlite.path()).map_err(|error| StoreError::Open {
                    what: format!("the SQLite file {}", sqlite.path().display()),
                    source: error.into(),
                })?;
                Ok(format!("file {}:{}", found.dev(), found.ino()))
            }
            Pools::Postgres(postgres) => {
                postgres.open_engine().await;
                postgres.home.begin_comparison();
                let row = self.row(FIND_HOME, params![]).await?;
                row.map_or(Ok(String::new()), |row| row.of("instance").get("home"))
            }
        }
    }

    /// Notes that the database was compared, is at this place, and has this pulse or a later one: work may be claimed from it.
    pub fn set_home(&self, home: &str, pulse: i64) {
        if let Pools::Postgres(postgres) = &self.0.pools {
            postgres.home.set(home, pulse);
        }
    }

    /// The pulse that was compared last; 0 before, and on SQLite, whose file is compared by itself.
    pub(crate) fn known_pulse(&self) -> i64 {
        match &self.0.pools {
            Pools::Postgres(postgres) => postgres.home.pulse(),
            Pools::Sqlite(_) => 0,
        }
    }

    /// How often the database came into doubt.
    pub(crate) fn doubts(&self) -> u64 {
        match &self.0.pools {
            Pools::Postgres(postgres) => postgres.home.doubts(),
            Pools::Sqlite(_) => 0,
        }
    }

    /// Fails while the database may be a copy that was not compared yet; to be called when there is a connection.
    pub(crate) async fn check_home(&self) -> Result<()> {
        match &self.0.pools {
            Pools::Postgres(postgres) if !postgres.home.is_right().await => Err(StoreError::Unavailable(
                "it is not where it was, or may be older than it was, as after a failover, and is compared with what is known of it first"
                    .into(),
            )),
            _ => Ok(()),
        }
    }

    /// Completes when a connection has led to a database at another place than was set, or with an earlier pulse, as after a failover, or
    /// when the engine has a new connection, before which it may have gone back. Nothing is claimed or begun until it was compared again:
    /// [`Store::home`], then [`Store::set_home`].
    pub async fn doubted(&self) {
        match &self.0.pools {
            Pools::Postgres(postgres) => postgres.home.doubted().await,
            Pools::Sqlite(_) => std::future::pending().await,
        }
    }
}
