//! Which key the sealed values of the database are encrypted under, and how they come under another one.
//!
//! A rotation of keys: first every node is given `old,new`, so that it opens both and still encrypts with the old one; then
//! `new,old`, from which on new values, and with the start of a node those that are there, are encrypted with the new one; then `new`
//! alone. At each step nodes of the step before open everything.

use sqlx::AssertSqlSafe;
use uuid::Uuid;

use crate::db::{Cell, Result, Store, StoreError, params};

/// How many values are read at once.
const PAGE: u32 = 500;

/// A column of sealed values.
struct SealedColumn {
    table: &'static str,
    /// The column with the identifier of the row, which is authenticated with the value.
    id: &'static str,
    column: &'static str,
    /// Which rows count, beside those that hold a value.
    condition: &'static str,
    /// Whether the service needs what it holds: otherwise a value that does not open is as good as none.
    is_needed: bool,
}

/// What outlives minutes. Verifiers of authorizations under way are left out.
const COLUMNS: [SealedColumn; 9] = [
    column("platforms", "id", "access_token"),
    column("platforms", "id", "refresh_token"),
    column("revocations", "grant_id", "access_token"),
    column("revocations", "grant_id", "refresh_token"),
    column("second_factors", "user_id", "secret"),
    column("webhooks", "id", "secret"),
    SealedColumn {
        is_needed: false,
        ..column("webhooks", "id", "previous_secret")
    },
    // Of the others nothing is asked any more, and the upload is not read: `SubmissionOutcome::is_in_doubt`.
    SealedColumn {
        condition: " AND closed_at IS NULL",
        ..column("submissions", "id", "upload")
    },
    SealedColumn {
        condition: " AND outcome IN ('unknown', 'in_inbox')",
        is_needed: false,
        ..column("submissions", "id", "upload")
    },
];

const fn column(table: &'static str, id: &'static str, column: &'static str) -> SealedColumn {
    SealedColumn {
        table,
        id,
        column,
        condition: "",
        is_needed: true,
    }
}

impl Store {
    /// Whether everything that is sealed was sealed under a key that is configured: checked at the start, so that a missing key
    /// does not show up post by post.
    ///
    /// # Errors
    /// [`StoreError::WrongKey`] when it was not, or when the database fails.
    pub async fn check_keys(&self) -> Result<()> {
        for SealedColumn {
            table,
            column,
            condition,
            ..
        } in COLUMNS.iter().filter(|column| column.is_needed)
        {
            let sql = format!(
                "SELECT DISTINCT substr({column}, 1, 4) AS start FROM {table} WHERE {column} IS NOT NULL{condition}"
            );
            for row in self.rows(AssertSqlSafe(sql), params![]).await? {
                let start: Vec<u8> = row.of(table).get("start")?;
                self.0.vault.has_key_of(&start).map_err(StoreError::WrongKey)?;
            }
        }
        Ok(())
    }

    /// Seals everything with the first key that was sealed under another one; returns how many values that were. After that the other
    /// keys are not needed any more, once every node has the same first key.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn reseal(&self) -> Result<usize> {
        let mut resealed = usize::from(self.reseal_canary().await?);
        for column in &COLUMNS {
            resealed += self.reseal_column(column).await?;
        }
        Ok(resealed)
    }

    /// The HMAC-SHA256 of `text` under a key that is derived from the first secret key for `purpose` alone. Every node
    /// with the same secret key gets the same.
    pub fn keyed_hash(&self, purpose: &str, text: &[u8]) -> [u8; 32] {
        self.0.vault.keyed_hash(purpose, text)
    }

    async fn reseal_column(&self, of: &SealedColumn) -> Result<usize> {
        let SealedColumn {
            table,
            id,
            column,
            condition,
            ..
        } = of;
        let select = format!(
            "SELECT {id} AS id, {column} AS sealed FROM {table}
             WHERE substr({column}, 1, 4) <> $1 AND {id} > $2{condition} ORDER BY {id} LIMIT {PAGE}"
        );
        let update = format!("UPDATE {table} SET {column} = $2 WHERE {id} = $1 AND {column} = $3");
        let (mut last, mut resealed) = (Uuid::nil(), 0);
        loop {
            let params = params![self.0.vault.sealing_key(), last];
            let rows = self.rows(AssertSqlSafe(select.clone()), params).await?;
            let Some(row) = rows.last() else {
                return Ok(resealed);
            };
            last = row.of(table).get("id")?;
            for row in &rows {
                let fields = row.of(table);
                let (id, sealed): (Uuid, Vec<u8>) = (fields.get("id")?, fields.get("sealed")?);
                let row = id.as_bytes();
                // One that does not open is damaged, or its key is gone: `check_keys` finds those that matter.
                let Ok(value) = self.0.vault.open(Cell { row, column }, &sealed) else {
                    continue;
                };
                let anew = self.0.vault.seal(Cell { row, column }, value.expose().as_bytes());
                let update = AssertSqlSafe(update.clone());
                resealed += usize::from(self.execute(update, params![id, anew, sealed]).await? > 0);
            }
        }
    }
}
