//! What belongs to this database: the secret key, the storage, and the place where the database itself was last written to.
//!
//! All of it is in the one row of `instance`. Key and storage are adopted by the first start, and compared by every later one.
//! The place and the pulse distinguish a database from its copy: a copy is at another place, or its pulse is behind the one that
//! was kept outside.

use playout_domain::time::Time;
use uuid::Uuid;

use crate::db::{Cell, Result, Store, StoreError, Tx, VaultError, params};

/// What is sealed as the canary.
const SONG: &[u8] = b"playout";

/// Which cell the canary is.
const CANARY: Cell<'static> = Cell {
    row: b"instance",
    column: "canary",
};

/// When and where the database was last written to by a service.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LastSeen {
    /// Rises with each start and every ten seconds.
    pub pulse: i64,
    /// When it last rose.
    pub at: Option<Time>,
    /// Where the database was, as of [`Store::home`].
    pub home: Option<String>,
}

/// The adoption of a storage: until it is dropped no other node adopts one.
pub struct StorageAdoption {
    tx: Tx,
    /// The storage that belongs to the database, if one was adopted before.
    pub known: Option<Uuid>,
}

impl StorageAdoption {
    /// From now on this storage belongs to the database.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn adopt(mut self, storage: Uuid) -> Result<()> {
        let sql = "UPDATE instance SET storage_id = $1 WHERE id = 1";
        self.tx.execute(sql, params![storage]).await?;
        self.tx.commit().await
    }
}

impl Store {
    /// Whether one of the configured keys opens what the database was first written with. The first start adopts the first key, if
    /// everything that is sealed was sealed under configured keys.
    ///
    /// # Errors
    /// [`StoreError::WrongKey`] when none does, or when the database fails.
    pub async fn check_canary(&self) -> Result<()> {
        if let Some(sealed) = self.canary().await? {
            return self.opens(&sealed);
        }
        self.check_keys().await?;
        let sealed = self.0.vault.seal(CANARY, SONG);
        let sql = "UPDATE instance SET canary = $1 WHERE id = 1 AND canary IS NULL";
        if self.execute(sql, params![sealed]).await? > 0 {
            return Ok(());
        }
        // Another node has adopted its key at the same time: a node with a different key gets the error.
        match self.canary().await? {
            Some(sealed) => self.opens(&sealed),
            None => Err(StoreError::WrongKey(VaultError::Damaged)),
        }
    }

    /// [`Store::check_canary`], but adopts nothing.
    ///
    /// # Errors
    /// As of that.
    pub async fn look_at_canary(&self) -> Result<()> {
        match self.canary().await? {
            Some(sealed) => self.opens(&sealed),
            None => Ok(()),
        }
    }

    /// Seals the canary with the first key; `false` if it was, or if there is none.
    pub(crate) async fn reseal_canary(&self) -> Result<bool> {
        let Some(before) = self.canary().await? else {
            return Ok(false);
        };
        if self.0.vault.is_sealed_by_first(&before) {
            return Ok(false);
        }
        self.opens(&before)?;
        let sealed = self.0.vault.seal(CANARY, SONG);
        let sql = "UPDATE instance SET canary = $1 WHERE id = 1 AND canary = $2";
        Ok(self.execute(sql, params![sealed, before]).await? > 0)
    }

    async fn canary(&self) -> Result<Option<Vec<u8>>> {
        let sql = "SELECT canary FROM instance WHERE id = 1";
        let row = self.row(sql, params![]).await?;
        row.map_or(Ok(None), |row| row.of("instance").get("canary"))
    }

    fn opens(&self, canary: &[u8]) -> Result<()> {
        let opened = self.0.vault.open(CANARY, canary);
        opened.map(drop).map_err(StoreError::WrongKey)
    }

    /// Which storage belongs to the database, if one was adopted.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn storage_id(&self) -> Result<Option<Uuid>> {
        let sql = "SELECT storage_id FROM instance WHERE id = 1";
        let row = self.row(sql, params![]).await?;
        row.map_or(Ok(None), |row| row.of("instance").opt_id("storage_id"))
    }

    /// Begins to adopt a storage.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn adopt_storage(&self) -> Result<StorageAdoption> {
        let mut tx = self.begin().await?;
        let sql = "SELECT storage_id FROM instance WHERE id = $1";
        let rows = tx.lock(sql, params![1_i64]).await?;
        let known = match rows.first() {
            Some(row) => row.of("instance").opt_id("storage_id")?,
            None => None,
        };
        Ok(StorageAdoption { tx, known })
    }

    /// When and where the database was last written to by a service.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn last_seen(&self) -> Result<LastSeen> {
        let sql = "SELECT pulse, pulse_at, home FROM instance WHERE id = 1";
        let Some(row) = self.row(sql, params![]).await? else {
            return Ok(LastSeen::default());
        };
        let fields = row.of("instance");
        Ok(LastSeen {
            pulse: fields.get("pulse")?,
            at: fields.opt_time("pulse_at")?,
            home: fields.get("home")?,
        })
    }

    /// Raises the pulse above what was `seen` and above `outside`, and notes where the database is. Returns the pulse; `None`, and nothing
    /// changed, where the database has another pulse or place than was seen: another node has raised it since, or another database is
    /// in its place, which must be compared first.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn raise_pulse(
        &self,
        seen: &LastSeen,
        outside: i64,
        home: &str,
        now: Time,
    ) -> Result<Option<i64>> {
        let pulse = seen.pulse.max(outside) + 1;
        let sql = "UPDATE instance SET pulse = $1, pulse_at = $2, home = $3
            WHERE id = 1 AND pulse = $4 AND COALESCE(home, '') = $5";
        let seen_home = seen.home.as_deref().unwrap_or_default();
        let params = params![pulse, now, home, seen.pulse, seen_home];
        let is_raised = self.execute(sql, params).await? > 0;
        Ok(is_raised.then_some(pulse))
    }

    /// Notes where the database is, where that is known not to make it a copy.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn note_home(&self, home: &str) -> Result<()> {
        let sql = "UPDATE instance SET home = $1 WHERE id = 1";
        self.execute(sql, params![home]).await.map(drop)
    }
}
