//! Connected accounts. Connecting one is in `connect.rs`, changing and removing one in `platform_changes.rs`, its tokens
//! are in `tokens.rs`.

use playout_domain::id::{PlatformId, WorkspaceId};
use playout_domain::job::JobKind;
use playout_domain::platform::{Connection, ListedPlatform, Platform};
use playout_domain::provider::AccountOptions;
use playout_domain::time::Time;
use sqlx::AssertSqlSafe;

use super::handles::{SEE_HANDLE, seen};
use super::tokens::TokenVersion;
use crate::db::{Fields, Param, Result, Row, Store, Tx, json, numbered, params, read_all, read_one};

/// The columns that [`read_platform`] reads.
macro_rules! platform_columns {
    () => {
        "id, provider, connection, provider_account_id, display_name, display_handle, display_image_url, disabled,
         refresh_needed, access_expires_at, capabilities, metadata, settings, created_at"
    };
}
pub(crate) use platform_columns;

pub(crate) const LIST_PLATFORMS: &str = concat!(
    "SELECT ",
    platform_columns!(),
    " FROM platforms WHERE workspace_id = $1 AND removed_at IS NULL"
);

pub(crate) const COUNT_PLATFORMS: &str =
    "SELECT COUNT(*) AS used FROM platforms WHERE workspace_id = $1 AND removed_at IS NULL";

impl Store {
    /// [`Store::list_platforms`] for a list that is shown.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn list_shown_platforms(&self, workspace: WorkspaceId) -> Result<Vec<ListedPlatform>> {
        self.list_with(workspace, read_listed).await
    }

    /// All accounts that were not removed, by name, then identifier; those without a name come first.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn list_platforms(&self, workspace: WorkspaceId) -> Result<Vec<Platform>> {
        self.list_with(workspace, read_platform).await
    }

    async fn list_with<S>(
        &self,
        workspace: WorkspaceId,
        read: fn(&Row) -> Result<Platform<S>>,
    ) -> Result<Vec<Platform<S>>> {
        let params = params![workspace];
        let (mut platforms, _) = self
            .read_within(LIST_PLATFORMS.to_owned(), params, usize::MAX, read)
            .await?;
        // Sorted here, because the two databases collate differently.
        platforms.sort_by(|a, b| (&a.display_name, a.id).cmp(&(&b.display_name, b.id)));
        Ok(platforms)
    }

    /// How many accounts there are that were not removed.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn count_platforms(&self, workspace: WorkspaceId) -> Result<u64> {
        let row = self.row(COUNT_PLATFORMS, params![workspace]).await?;
        row.map_or(Ok(0), |row| row.of("platforms").number("used"))
    }

    /// The account with this identifier, unless it was removed.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn find_platform(&self, workspace: WorkspaceId, id: PlatformId) -> Result<Option<Platform>> {
        let sql = concat!(
            "SELECT ",
            platform_columns!(),
            " FROM platforms WHERE id = $2 AND workspace_id = $1 AND removed_at IS NULL"
        );
        read_one(self.row(sql, params![workspace, id]).await?, read_platform)
    }

    /// Those of the accounts with these identifiers that exist and were not removed, in any order.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn find_platforms(&self, workspace: WorkspaceId, ids: &[PlatformId]) -> Result<Vec<Platform>> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let mut params = params![workspace];
        params.extend(ids.iter().map(|id| Param::from(*id)));
        let sql = platforms_of_workspace(ids.len());
        read_all(&self.rows(AssertSqlSafe(sql), params).await?, read_platform)
    }

    /// The accounts that workspaces have connected to one account of the provider.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn find_by_provider_account(
        &self,
        provider: &str,
        provider_account_id: &str,
    ) -> Result<Vec<(WorkspaceId, Platform)>> {
        let sql = concat!(
            "SELECT workspace_id, ",
            platform_columns!(),
            " FROM platforms WHERE provider = $1 AND provider_account_id = $2 AND removed_at IS NULL"
        );
        let rows = self.rows(sql, params![provider, provider_account_id]).await?;
        let read = |row| Ok((Row::of(row, "platforms").id("workspace_id")?, read_platform(row)?));
        rows.iter().map(read).collect()
    }

    /// Replaces what the provider returned about an account to a call with the access of that version. `false`, and nothing
    /// changed, if the account has other tokens by now: the answer may be from before a reconnection.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn update_options(
        &self,
        platform: PlatformId,
        version: TokenVersion,
        options: &AccountOptions,
        now: Time,
    ) -> Result<bool> {
        let sql = "UPDATE platforms SET metadata = $3, updated_at = $4, display_handle = COALESCE($5, display_handle)
            WHERE id = $1 AND token_version = $2";
        let handle = options.handle.as_deref();
        let params = params![platform, version, json(&options.metadata), now, handle];
        let is_written = self.execute(sql, params).await? > 0;
        if let Some(handle) = handle.filter(|_| is_written) {
            self.execute(SEE_HANDLE, seen(platform, handle, now)).await?;
        }
        Ok(is_written)
    }
}

impl Tx {
    /// Ends the refreshing of an account's tokens.
    pub(crate) async fn delete_refresh_job(&mut self, platform: PlatformId) -> Result<()> {
        let sql = "DELETE FROM jobs WHERE platform_id = $1 AND kind = $2 AND post_id IS NULL";
        self.execute(sql, params![platform, JobKind::RefreshPlatform.as_str()])
            .await?;
        Ok(())
    }
}

/// The query for accounts of the workspace `$1` by identifiers, so many, from `$2` on. `IS TRUE` keeps the workspace from being what they
/// are looked up by: SQLite would read all that it has.
pub(crate) fn platforms_of_workspace(count: usize) -> String {
    let list = numbered(2, count);
    let columns = platform_columns!();
    format!(
        "SELECT {columns} FROM platforms WHERE id IN ({list}) AND removed_at IS NULL AND (workspace_id = $1) IS TRUE"
    )
}

pub(crate) fn read_platform(row: &Row) -> Result<Platform> {
    read_with(row, |fields, column| fields.json(column))
}

/// The same for a list.
fn read_listed(row: &Row) -> Result<ListedPlatform> {
    read_with(row, |fields, column| fields.object_text(column))
}

fn read_with<S>(row: &Row, object: fn(Fields<'_>, &'static str) -> Result<S>) -> Result<Platform<S>> {
    let fields = row.of("platforms");
    Ok(Platform {
        id: fields.id("id")?,
        provider: fields.get("provider")?,
        connection: fields.word("connection", Connection::parse)?,
        provider_account_id: fields.get("provider_account_id")?,
        display_name: fields.get("display_name")?,
        display_handle: fields.get("display_handle")?,
        display_image_url: fields.get("display_image_url")?,
        disabled: fields.get("disabled")?,
        refresh_needed: fields.get("refresh_needed")?,
        token_expires_at: fields.opt_time("access_expires_at")?,
        capabilities: fields.json("capabilities")?,
        metadata: object(fields, "metadata")?,
        settings: object(fields, "settings")?,
        created_at: fields.time("created_at")?,
    })
}
