//! The tokens of connected accounts: sealed at rest, refreshed by one node at a time, never replaced by nothing.
//!
//! What a provider answers to a call with a token may be written seconds later, when the account has others. So every such write names
//! the [`TokenVersion`] that the answer is about, and changes nothing if the account has another by then.

use std::time::Duration;

use playout_domain::change::Noun;
use playout_domain::event::EventKind;
use playout_domain::id::{JobId, PlatformId, WorkspaceId};
use playout_domain::job::{JobKind, JobQueue, RETRY_WINDOW};
use playout_domain::provider::TokenSet;
use playout_domain::refresh::{place_of, refresh_at};
use playout_domain::secret::Secret;
use playout_domain::time::Time;
use serde_json::json as value;

use crate::db::{
    Cell, Fields, Param, Result, SealedColumn, Store, StoreError, Tx, Vault, json, new_id, params,
};
use crate::events::NewEvent;

/// Which of an account's pairs of tokens: rises with every new pair, and when the account is removed. Only this crate makes one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TokenVersion(i64);

impl From<TokenVersion> for Param {
    fn from(version: TokenVersion) -> Self {
        Self::Int(Some(version.0))
    }
}

/// An account's tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tokens {
    /// Opens the provider's API.
    pub access: Secret,
    /// When that ends.
    pub access_expires_at: Time,
    /// Buys the next pair.
    pub refresh: Option<Secret>,
    /// Which pair it is.
    pub version: TokenVersion,
}

/// A wish to be the one who refreshes an account's tokens.
#[derive(Debug, Clone, Copy)]
pub struct RefreshClaim<'a> {
    /// The account.
    pub platform: PlatformId,
    /// The version of the tokens to be replaced.
    pub version: TokenVersion,
    /// Who wants to.
    pub owner: &'a str,
    /// How long the provider may take to answer, at most.
    pub lease: Duration,
}

impl Store {
    /// An account's tokens; `None` if it has none, because it was removed.
    ///
    /// # Errors
    /// When the database fails, or a token does not open.
    pub async fn tokens(&self, platform: PlatformId) -> Result<Option<Tokens>> {
        let sql = "SELECT id, access_token, access_expires_at, refresh_token, token_version FROM platforms
            WHERE id = $1 AND access_token IS NOT NULL";
        let Some(row) = self.row(sql, params![platform]).await? else {
            return Ok(None);
        };
        let fields = row.of("platforms");
        let Some(access) = open(&self.0.vault, fields, "access_token")? else {
            return Ok(None);
        };
        Ok(Some(Tokens {
            access,
            access_expires_at: fields.time("access_expires_at")?,
            refresh: open(&self.0.vault, fields, "refresh_token")?,
            version: version_of(fields)?,
        }))
    }

    /// Claims the refresh of the tokens, unless another worker holds it or the tokens have been replaced already.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn claim_refresh(&self, claim: RefreshClaim<'_>, now: Time) -> Result<bool> {
        let sql = "UPDATE platforms SET refresh_owner = $3, refresh_lease_until = $4
            WHERE id = $1 AND token_version = $2 AND (refresh_lease_until IS NULL OR refresh_lease_until <= $5)";
        let until = now.plus(claim.lease);
        let params = params![claim.platform, claim.version, claim.owner, until, now];
        Ok(self.execute(sql, params).await? > 0)
    }

    /// Stores a pair that was made from the refresh token of `made_from` before it is used, and plans the next refresh; returns the new
    /// version. `None`, and nothing stored, if other tokens have taken their place or the account was removed. What counts is what is
    /// stored, not who holds the claim: a pair that arrives after the claim has ended may be the only one that still works, because
    /// the provider has spent the refresh token. If that token was refused since, the account need not be reconnected any more, and its
    /// waiting posts go on.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn save_tokens(
        &self,
        platform: PlatformId,
        made_from: &Tokens,
        tokens: &TokenSet,
        now: Time,
    ) -> Result<Option<TokenVersion>> {
        let mut tx = self.begin().await?;
        let sql =
            "SELECT id, workspace_id, refresh_token, token_version, refresh_needed, refused_token_version
            FROM platforms WHERE id = $1 AND access_token IS NOT NULL";
        let rows = tx.lock(sql, params![platform]).await?;
        let Some(fields) = rows.first().map(|row| row.of("platforms")) else {
            return Ok(None);
        };
        let stored_version = version_of(fields)?;
        let given = tokens
            .refresh
            .as_ref()
            .filter(|refresh| !refresh.expose().is_empty());
        let is_spent = given.is_some() && given != made_from.refresh.as_ref();
        // A reconnection may leave the refresh token as it was; if that is spent, only the new pair goes on working.
        let is_current = stored_version == made_from.version
            || is_spent && open(&self.0.vault, fields, "refresh_token")? == made_from.refresh;
        if !is_current {
            return Ok(None);
        }
        let workspace: WorkspaceId = fields.id("workspace_id")?;
        let was_refused = fields.get::<Option<i64>>("refused_token_version")? == Some(stored_version.0);
        let is_needed = fields.get::<bool>("refresh_needed")? && !was_refused;
        let version = tx.write_tokens(platform, tokens, now).await?;
        if was_refused {
            let sql =
                "UPDATE platforms SET refresh_needed = FALSE, refused_token_version = NULL WHERE id = $1";
            tx.execute(sql, params![platform]).await?;
            tx.requeue_waiting(workspace, platform, now).await?;
            tx.changed(workspace, Noun::Platform);
        }
        if !is_needed {
            tx.plan_refresh(workspace, platform, now).await?;
        }
        tx.commit().await?;
        Ok(Some(version))
    }

    /// Gives the claim up without new tokens.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn release_refresh(&self, platform: PlatformId, owner: &str) -> Result<()> {
        let sql = "UPDATE platforms SET refresh_owner = NULL, refresh_lease_until = NULL
            WHERE id = $1 AND refresh_owner = $2";
        self.execute(sql, params![platform, owner]).await?;
        Ok(())
    }

    /// Notes that an account must be reconnected, because the provider refuses the access of that version. `false`, and nothing
    /// changed, if that was known, or the account has other tokens by now. Ends the refreshing of its tokens. The workspace is
    /// notified once for each account, cause and day (UTC), also where the account was reconnected meanwhile.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn mark_refresh_needed(
        &self,
        platform: PlatformId,
        version: TokenVersion,
        cause: &str,
        now: Time,
    ) -> Result<bool> {
        self.mark_refresh_needed_of(platform, version, None, cause, now)
            .await
    }

    /// [`Store::mark_refresh_needed`] because the provider refused the refresh token of that version: a pair that was bought with it
    /// may still arrive ([`Store::save_tokens`]).
    ///
    /// # Errors
    /// When the database fails.
    pub async fn mark_refresh_refused(
        &self,
        platform: PlatformId,
        version: TokenVersion,
        cause: &str,
        now: Time,
    ) -> Result<bool> {
        self.mark_refresh_needed_of(platform, version, Some(version), cause, now)
            .await
    }

    async fn mark_refresh_needed_of(
        &self,
        platform: PlatformId,
        version: TokenVersion,
        refused: Option<TokenVersion>,
        cause: &str,
        now: Time,
    ) -> Result<bool> {
        let mut tx = self.begin().await?;
        let sql = "SELECT id, workspace_id, provider, refresh_notice FROM platforms
            WHERE id = $1 AND token_version = $2 AND refresh_needed = FALSE AND removed_at IS NULL";
        let rows = tx.lock(sql, params![platform, version]).await?;
        let Some(fields) = rows.first().map(|row| row.of("platforms")) else {
            return Ok(false);
        };
        let notice = format!("{} {cause}", now.day());
        let sql = "UPDATE platforms SET refresh_needed = TRUE, updated_at = $2, refresh_owner = NULL,
            refresh_lease_until = NULL, refresh_notice = $3, refused_token_version = $4 WHERE id = $1";
        tx.execute(
            sql,
            params![platform, now, &notice, refused.map(|version| version.0)],
        )
        .await?;
        tx.delete_refresh_job(platform).await?;
        tx.changed(fields.id("workspace_id")?, Noun::Platform);
        if fields.get::<Option<String>>("refresh_notice")? != Some(notice) {
            let provider: String = fields.get("provider")?;
            let event = NewEvent {
                workspace_id: fields.id("workspace_id")?,
                kind: EventKind::PlatformRefreshNeeded,
                payload: value!({ "platformId": platform, "provider": provider, "cause": cause }),
            };
            tx.append_event(event, now).await?;
        }
        tx.commit().await?;
        Ok(true)
    }
}

impl Tx {
    /// Writes a pair of tokens and ends any claim; a missing refresh token keeps the stored one. Returns the new
    /// version.
    pub(crate) async fn write_tokens(
        &mut self,
        platform: PlatformId,
        tokens: &TokenSet,
        now: Time,
    ) -> Result<TokenVersion> {
        let seal = |column, secret: &Secret| {
            self.vault()
                .seal(cell(&platform, column), secret.expose().as_bytes())
        };
        let access = seal("access_token", &tokens.access);
        let given = tokens
            .refresh
            .as_ref()
            .filter(|refresh| !refresh.expose().is_empty());
        let refresh = given.map(|refresh| seal("refresh_token", refresh));
        let refresh_expires_at = given.and(tokens.refresh_expires_at);
        let sql = "UPDATE platforms SET access_token = $2, access_expires_at = $3,
                refresh_expires_at = CASE WHEN $4 IS NULL THEN refresh_expires_at ELSE $5 END,
                refresh_token = COALESCE($4, refresh_token), scopes = $6, token_version = token_version + 1,
                refresh_owner = NULL, refresh_lease_until = NULL, updated_at = $7, tokens_at = $7
            WHERE id = $1 RETURNING id, token_version";
        let scopes = json(&tokens.scopes);
        let expires_at = tokens.access_expires_at;
        let params = params![
            platform,
            access,
            expires_at,
            refresh,
            refresh_expires_at,
            scopes,
            now
        ];
        let row = self.row(sql, params).await?.ok_or(StoreError::Missing {
            table: "platforms",
            row: platform.0,
        })?;
        version_of(row.of("platforms"))
    }

    /// Plans the next refresh of an account's tokens, hours before their end ([`refresh_at`]). There is none to plan
    /// without a refresh token.
    pub(crate) async fn plan_refresh(
        &mut self,
        workspace: WorkspaceId,
        platform: PlatformId,
        now: Time,
    ) -> Result<()> {
        let sql = "SELECT access_expires_at, provider_account_id FROM platforms
            WHERE id = $1 AND refresh_token IS NOT NULL";
        let Some(row) = self.row(sql, params![platform]).await? else {
            return self.delete_refresh_job(platform).await;
        };
        let fields = row.of("platforms");
        let ends = fields.time("access_expires_at")?;
        let account: String = fields.get("provider_account_id")?;
        let run_at = refresh_at(now, ends, place_of(&account, ends)).max(now);
        let id: JobId = new_id(now);
        let sql = "INSERT INTO jobs (id, workspace_id, platform_id, kind, run_at, due_at, attempt, failures, checks,
                deadline_at, queue) VALUES ($1, $2, $3, $4, $5, $5, 0, 0, 0, $6, $7)
            ON CONFLICT (platform_id, kind) WHERE post_id IS NULL DO UPDATE SET run_at = excluded.run_at,
                due_at = excluded.due_at, attempt = jobs.attempt + 1, failures = 0, leased_until = NULL,
                lease_owner = NULL, deadline_at = excluded.deadline_at";
        let kind = JobKind::RefreshPlatform;
        let (kind, queue) = (kind.as_str(), JobQueue::of(kind).as_str());
        let deadline = ends.max(now).plus(RETRY_WINDOW);
        let params = params![id, workspace, platform, kind, run_at, deadline, queue];
        self.execute(sql, params).await?;
        self.wake_workers_for(run_at, now);
        Ok(())
    }
}

fn version_of(fields: Fields<'_>) -> Result<TokenVersion> {
    fields.get("token_version").map(TokenVersion)
}

fn cell<'a>(platform: &'a PlatformId, column: &'a str) -> Cell<'a> {
    Cell {
        row: platform.0.as_bytes(),
        column,
    }
}

fn open(vault: &Vault, fields: Fields<'_>, column: &'static str) -> Result<Option<Secret>> {
    let (table, id) = ("platforms", "id");
    vault.open_in(fields, SealedColumn { table, id, column })
}
