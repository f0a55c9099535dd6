//! What belongs to this database: the secret key, the storage, and the place where the database itself was last written to.
//!
//! All of it is in the one row of `instance`. Key and storage are adopted by the first start, and compared by every later one.
//! The place and the pulse distinguish a database from its copy: a copy is at another place, or its pulse is behind the one that
//! was kept outside. A dump that is loaded into the same PostgreSQL database is at the same place: so the OID of the table `instance` is
//! compared too, and kept in `instance_place`, which the dumps of `playoutd backup` leave empty.

use playout_domain::time::Time;
use sqlx::AssertSqlSafe;
use uuid::Uuid;

use crate::db::{Cell, IN_A_BACKUP, Result, Store, StoreError, Tx, VaultError, params};

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
    /// Whether its tables are those that were last written to.
    pub tables: Tables,
    /// The OID of the table `instance`; 0 on SQLite.
    table_oid: i64,
}

/// Whether the tables of a database are those that a service last wrote to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Tables {
    /// No service of this version has written to the database yet: the first one takes the tables as they are.
    #[default]
    NotNoted,
    /// They are.
    Same,
    /// They were made anew, by a dump that was loaded.
    Others,
    /// They were made by a dump of `playoutd backup`.
    OfABackup,
}

impl LastSeen {
    /// Whether the database is that of a backup. One that no service had used when it was copied is none.
    pub fn is_in_a_backup(&self) -> bool {
        let is_marked = |home: &str| home == IN_A_BACKUP || self.tables == Tables::OfABackup;
        self.home.as_deref().is_some_and(is_marked)
    }

    /// Whether a database that is at `home` now was last written to at another place, or in other tables.
    pub fn is_elsewhere(&self, home: &str) -> bool {
        let has_other_tables = matches!(self.tables, Tables::Others | Tables::OfABackup);
        let is_other = |was: &str| was != home || has_other_tables;
        self.home.as_deref().is_some_and(is_other)
    }
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
        // One statement, so that the table is the one whose row is read.
        let sql = format!(
            "SELECT pulse, pulse_at, home, {} AS present_oid, instance_place.id AS place_id, table_oid
            FROM instance LEFT JOIN instance_place ON instance_place.id = instance.id WHERE instance.id = 1",
            self.present_oid()
        );
        let Some(row) = self.row(AssertSqlSafe(sql), params![]).await? else {
            return Ok(LastSeen::default());
        };
        let fields = row.of("instance");
        let table_oid: i64 = fields.get("present_oid")?;
        let place: Option<i64> = fields.get("place_id")?;
        let noted: Option<i64> = fields.get("table_oid")?;
        Ok(LastSeen {
            pulse: fields.get("pulse")?,
            at: fields.opt_time("pulse_at")?,
            home: fields.get("home")?,
            tables: match (place, noted) {
                (None, _) => Tables::OfABackup,
                (Some(_), None) => Tables::NotNoted,
                (Some(_), Some(noted)) if noted == table_oid => Tables::Same,
                (Some(_), Some(_)) => Tables::Others,
            },
            table_oid,
        })
    }

    /// The expression for the OID of the table `instance`, which pg_restore and `DROP SCHEMA` change, and VACUUM FULL, REINDEX, an ALTER
    /// TABLE that rewrites the rows, and pg_upgrade do not (PostgreSQL's manual, "System Columns" and "pg_class"). A migration must not
    /// make this table anew.
    fn present_oid(&self) -> &'static str {
        match self.is_postgres() {
            true => "CAST(instance.tableoid AS BIGINT)",
            false => "0",
        }
    }

    /// Raises the pulse above what was `seen` and above `outside`, and notes where the database is. Returns the pulse; `None`, and nothing
    /// changed, where the database has another pulse, place or table than was seen: another node has raised it since, or another database
    /// is in its place, which must be compared first.
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
        let sql = format!(
            "UPDATE instance SET pulse = $1, pulse_at = $2, home = $3
            WHERE id = 1 AND pulse = $4 AND COALESCE(home, '') = $5 AND {} = $6",
            self.present_oid()
        );
        let seen_home = seen.home.as_deref().unwrap_or_default();
        let params = params![pulse, now, home, seen.pulse, seen_home, seen.table_oid];
        let mut tx = self.begin().await?;
        if tx.execute(AssertSqlSafe(sql), params).await? == 0 {
            return Ok(None);
        }
        if seen.tables != Tables::Same {
            self.note_tables(&mut tx).await?;
        }
        tx.commit().await?;
        Ok(Some(pulse))
    }

    /// Notes that these tables are the ones that are written to.
    async fn note_tables(&self, tx: &mut Tx) -> Result<()> {
        let sql = format!(
            "INSERT INTO instance_place (id, table_oid) SELECT id, {} FROM instance WHERE id = 1
            ON CONFLICT (id) DO UPDATE SET table_oid = excluded.table_oid",
            self.present_oid()
        );
        tx.execute(AssertSqlSafe(sql), params![]).await.map(drop)
    }

    /// Notes where the database is, where that is known not to make it a copy.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn note_home(&self, home: &str) -> Result<()> {
        let mut tx = self.begin().await?;
        let sql = "UPDATE instance SET home = $1 WHERE id = 1";
        tx.execute(sql, params![home]).await?;
        self.note_tables(&mut tx).await?;
        tx.commit().await
    }
}
