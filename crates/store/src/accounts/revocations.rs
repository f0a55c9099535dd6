//! Access that is to be given back: tokens that no account has any more, kept until their provider has ended them.
//!
//! A row is written in the transaction that takes the tokens from their account, and only the revoking job reads it. It
//! belongs to no workspace, because it outlives its own. To a provider all that an account has granted is one grant: so
//! nothing is given back that a connected account, in any workspace, still needs.

use std::time::Duration;

use playout_domain::id::{PlatformId, WorkspaceId};
use playout_domain::platform::{Connection, ProviderConnection};
use playout_domain::provider::TokenSet;
use playout_domain::secret::Secret;
use playout_domain::time::Time;
use sqlx::AssertSqlSafe;
use uuid::Uuid;

use crate::db::{Cell, Fields, Result, Row, SealedColumn, Store, Tx, Vault, new_id, params};

/// The assumed lifetime of a refresh token whose end the provider did not return.
const LONGEST_LIFE: Duration = Duration::from_secs(366 * 86_400);

/// Access that is being given back. `grant_id`, `version` and `attempt` are the fence: a later claim has a higher
/// attempt, and every write of an earlier holder changes nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revocation {
    /// The account it was stored with, or an identifier of its own.
    pub grant_id: Uuid,
    /// Which of that account's tokens.
    pub version: i64,
    /// The provider's identifier.
    pub provider: String,
    /// Which of its connections granted it, and ends it.
    pub connection: Connection,
    /// The account at the provider.
    pub provider_account_id: String,
    /// Opens the provider's API, unless it has ended.
    pub access: Secret,
    /// Buys the next pair.
    pub refresh: Option<Secret>,
    /// When all of it ends by itself.
    pub dies_at: Time,
    /// How often it was claimed, this time included.
    pub attempt: i64,
    /// How many tries failed.
    pub failures: u32,
}

pub(crate) const NEXT_REVOCATION: &str =
    "SELECT due_at AS next_at FROM revocations WHERE due_at >= 0 ORDER BY due_at LIMIT 1";

/// Whether an account that is connected again, or in another workspace, needs what is to be given back.
macro_rules! is_needed {
    ($revocations:literal) => {
        concat!(
            "EXISTS (SELECT 1 FROM platforms p WHERE p.provider = ",
            $revocations,
            ".provider AND p.provider_account_id = ",
            $revocations,
            ".provider_account_id AND p.connection = ",
            $revocations,
            ".connection AND p.removed_at IS NULL AND p.refresh_needed = FALSE)"
        )
    };
}

/// What is due but needed.
const FORGET_NEEDED: &str = concat!(
    "DELETE FROM revocations WHERE due_at <= $1 AND ",
    is_needed!("revocations")
);

/// Sealed tokens go as they are: `grant_id` and the column's name are what they were sealed for.
macro_rules! move_tokens {
    () => {
        "INSERT INTO revocations (grant_id, version, provider, connection, provider_account_id, access_token,
            refresh_token, dies_at, due_at, attempt, failures)
        SELECT id, token_version, provider, connection, provider_account_id, access_token, refresh_token,
            CASE WHEN refresh_token IS NULL THEN COALESCE(access_expires_at, $3)
                ELSE COALESCE(refresh_expires_at, $3) END, $2, 0, 0
        FROM platforms WHERE workspace_id = $1 AND access_token IS NOT NULL"
    };
}

impl Store {
    /// Notes that access which no account got is to be given back.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn queue_revocation(
        &self,
        of: ProviderConnection<'_>,
        tokens: &TokenSet,
        now: Time,
    ) -> Result<()> {
        let mut tx = self.begin().await?;
        tx.queue_revocation(of, tokens, now).await?;
        tx.commit().await
    }

    /// Claims what is to be given back next, for as long as `lease`. What is needed after all is forgotten first.
    ///
    /// # Errors
    /// When the database fails, or a token does not open.
    pub async fn claim_revocation(&self, lease: Duration, now: Time) -> Result<Option<Revocation>> {
        let mut tx = self.begin().await?;
        tx.execute(FORGET_NEEDED, params![now]).await?;
        let sql = claim_sql(&tx);
        let row = tx.row(AssertSqlSafe(sql), params![now, now.plus(lease)]).await?;
        tx.commit().await?;
        row.map(|row| read_revocation(&self.0.vault, &row)).transpose()
    }

    /// When there is next something to give back. It may be past.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn next_revocation_at(&self) -> Result<Option<Time>> {
        let row = self.row(NEXT_REVOCATION, params![]).await?;
        row.map_or(Ok(None), |row| row.of("revocations").opt_time("next_at"))
    }

    /// Keeps a new pair of the access before it is used; a missing refresh token keeps the stored one. `false`, and
    /// nothing stored, if another worker has taken over.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn renew_revocation(&self, held: &Revocation, tokens: &TokenSet) -> Result<bool> {
        let (access, refresh) = sealed(&self.0.vault, held.grant_id, tokens);
        let sql = "UPDATE revocations SET access_token = $4, refresh_token = COALESCE($5, refresh_token)
            WHERE grant_id = $1 AND version = $2 AND attempt = $3";
        let params = params![held.grant_id, held.version, held.attempt, access, refresh];
        Ok(self.execute(sql, params).await? > 0)
    }

    /// Gives it back to be tried again later; `false`, and nothing changed, if another worker has taken over.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn put_off_revocation(&self, held: &Revocation, until: Time) -> Result<bool> {
        let sql = "UPDATE revocations SET due_at = $4, leased_until = NULL, failures = failures + 1
            WHERE grant_id = $1 AND version = $2 AND attempt = $3";
        let params = params![held.grant_id, held.version, held.attempt, until];
        Ok(self.execute(sql, params).await? > 0)
    }

    /// Forgets it: the provider has ended it, or it has ended by itself.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn finish_revocation(&self, held: &Revocation) -> Result<bool> {
        let sql = "DELETE FROM revocations WHERE grant_id = $1 AND version = $2 AND attempt = $3";
        let params = params![held.grant_id, held.version, held.attempt];
        Ok(self.execute(sql, params).await? > 0)
    }
}

impl Tx {
    pub(crate) async fn queue_revocation(
        &mut self,
        of: ProviderConnection<'_>,
        tokens: &TokenSet,
        now: Time,
    ) -> Result<()> {
        let id: Uuid = new_id(now);
        let (access, refresh) = sealed(self.vault(), id, tokens);
        let dies_at = match &refresh {
            Some(_) => tokens.refresh_expires_at.unwrap_or(now.plus(LONGEST_LIFE)),
            None => tokens.access_expires_at,
        };
        let sql = "INSERT INTO revocations (grant_id, version, provider, provider_account_id, access_token,
                refresh_token, dies_at, due_at, attempt, failures, connection)
            VALUES ($1, 0, $2, $3, $4, $5, $6, $7, 0, 0, $8)";
        let account = &tokens.provider_account_id;
        let (provider, connection) = (of.provider, of.connection.as_str());
        let params = params![id, provider, account, access, refresh, dies_at, now, connection];
        self.execute(sql, params).await?;
        Ok(())
    }

    /// Notes that the tokens of an account are to be given back. The caller takes them from the account.
    pub(crate) async fn move_tokens(
        &mut self,
        workspace: WorkspaceId,
        platform: PlatformId,
        now: Time,
    ) -> Result<()> {
        let sql = concat!(move_tokens!(), " AND id = $4");
        let params = params![workspace, now, now.plus(LONGEST_LIFE), platform];
        self.execute(sql, params).await?;
        Ok(())
    }

    /// The same for all accounts of a workspace that is to go.
    pub(crate) async fn move_all_tokens(&mut self, workspace: WorkspaceId, now: Time) -> Result<()> {
        let params = params![workspace, now, now.plus(LONGEST_LIFE)];
        self.execute(move_tokens!(), params).await?;
        Ok(())
    }

    /// Keeps what an account has granted from being given back, because it is connected again. `false` if that is
    /// under way at this moment: then the new access may end with the old.
    pub(crate) async fn keep_grant(
        &mut self,
        of: ProviderConnection<'_>,
        account: &str,
        now: Time,
    ) -> Result<bool> {
        let (provider, by) = (of.provider, of.connection.as_str());
        let sql = "SELECT leased_until FROM revocations
            WHERE provider = $1 AND provider_account_id = $2 AND connection = $3";
        let rows = self.lock(sql, params![provider, account, by]).await?;
        for row in &rows {
            if row
                .of("revocations")
                .opt_time("leased_until")?
                .is_some_and(|until| until > now)
            {
                return Ok(false);
            }
        }
        let sql =
            "DELETE FROM revocations WHERE provider = $1 AND provider_account_id = $2 AND connection = $3";
        self.execute(sql, params![provider, account, by]).await?;
        Ok(true)
    }
}

/// The text of [`Store::claim_revocation`]. What is needed is passed over here too: it may have been added since the statement that forgets
/// it began.
pub(crate) fn claim_sql(tx: &Tx) -> String {
    let skip_locked = tx.skip_locked("r");
    let needed = is_needed!("r");
    format!(
        "WITH picked AS (
            SELECT r.grant_id AS picked_id, r.version AS picked_version FROM revocations r
            WHERE r.due_at <= $1 AND NOT {needed} ORDER BY r.due_at LIMIT 1 {skip_locked}
        )
        UPDATE revocations SET attempt = attempt + 1, leased_until = $2, due_at = $2
        WHERE grant_id = (SELECT picked_id FROM picked) AND version = (SELECT picked_version FROM picked)
        RETURNING grant_id, version, provider, connection, provider_account_id, access_token, refresh_token, dies_at,
            attempt, failures"
    )
}

fn sealed(vault: &Vault, grant: Uuid, tokens: &TokenSet) -> (Vec<u8>, Option<Vec<u8>>) {
    let seal = |column, secret: &Secret| vault.seal(cell(&grant, column), secret.expose().as_bytes());
    let given = tokens
        .refresh
        .as_ref()
        .filter(|refresh| !refresh.expose().is_empty());
    let refresh = given.map(|refresh| seal("refresh_token", refresh));
    (seal("access_token", &tokens.access), refresh)
}

fn read_revocation(vault: &Vault, row: &Row) -> Result<Revocation> {
    let fields = row.of("revocations");
    Ok(Revocation {
        grant_id: fields.get("grant_id")?,
        version: fields.get("version")?,
        provider: fields.get("provider")?,
        connection: fields.word("connection", Connection::parse)?,
        provider_account_id: fields.get("provider_account_id")?,
        access: open(vault, fields, "access_token")?.unwrap_or_else(|| Secret::new("")),
        refresh: open(vault, fields, "refresh_token")?,
        dies_at: fields.time("dies_at")?,
        attempt: fields.get("attempt")?,
        failures: fields.number("failures")?,
    })
}

fn open(vault: &Vault, fields: Fields<'_>, column: &'static str) -> Result<Option<Secret>> {
    let (table, id) = ("revocations", "grant_id");
    vault.open_in(fields, SealedColumn { table, id, column })
}

fn cell<'a>(grant: &'a Uuid, column: &'a str) -> Cell<'a> {
    Cell {
        row: grant.as_bytes(),
        column,
    }
}
