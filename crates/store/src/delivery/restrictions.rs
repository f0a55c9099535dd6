//! The limits of accounts that providers reported: known to every node, and still known after a restart.
//!
//! A restriction belongs to the account at its provider, whichever workspaces have connected it.

use playout_domain::id::{PlatformId, WorkspaceId};
use playout_domain::limits::{Restriction, RestrictionKind};
use playout_domain::platform::Platform;
use playout_domain::time::Time;

use crate::db::{Result, Row, Store, params, read_all};

pub(crate) const FIND_RESTRICTIONS: &str =
    "SELECT kind, code, message, since, said_at, next_try_at FROM restrictions
    WHERE provider = $1 AND provider_account_id = $2 ORDER BY kind";

impl Store {
    /// Notes a restriction that a provider just reported. One that it reported before, and that was not lifted, keeps
    /// its beginning.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn note_restriction(&self, platform: &Platform, said: &Restriction) -> Result<()> {
        let sql =
            "INSERT INTO restrictions (provider, provider_account_id, kind, code, message, since, said_at,
                next_try_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            ON CONFLICT (provider, provider_account_id, kind) DO UPDATE SET code = excluded.code,
                message = excluded.message, said_at = excluded.said_at, next_try_at = excluded.next_try_at";
        let params = params![
            &platform.provider,
            &platform.provider_account_id,
            said.kind.as_str(),
            &said.code,
            &said.message,
            said.since,
            said.said_at,
            said.next_try_at
        ];
        self.execute(sql, params).await?;
        Ok(())
    }

    /// The restrictions of an account that its provider reported.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn restrictions_of(&self, platform: &Platform) -> Result<Vec<Restriction>> {
        let params = params![&platform.provider, &platform.provider_account_id];
        read_all(&self.rows(FIND_RESTRICTIONS, params).await?, read_restriction)
    }

    /// The restrictions that providers reported of the accounts of a workspace.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn list_restrictions(&self, workspace: WorkspaceId) -> Result<Vec<(PlatformId, Restriction)>> {
        let sql = "SELECT f.id, r.kind, r.code, r.message, r.since, r.said_at, r.next_try_at FROM platforms f
            JOIN restrictions r ON r.provider = f.provider AND r.provider_account_id = f.provider_account_id
            WHERE f.workspace_id = $1 AND f.removed_at IS NULL ORDER BY f.id, r.kind";
        let read = |row: &Row| Ok((row.of("platforms").id("id")?, read_restriction(row)?));
        self.rows(sql, params![workspace])
            .await?
            .iter()
            .map(read)
            .collect()
    }

    /// Claims the try whether a restriction still holds, until `until`. `false` if it is not time yet, or another caller
    /// has claimed it.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn claim_try(
        &self,
        platform: &Platform,
        kind: RestrictionKind,
        until: Time,
        now: Time,
    ) -> Result<bool> {
        let sql = "UPDATE restrictions SET next_try_at = $4
            WHERE provider = $1 AND provider_account_id = $2 AND kind = $3 AND next_try_at <= $5";
        let account = &platform.provider_account_id;
        let params = params![&platform.provider, account, kind.as_str(), until, now];
        Ok(self.execute(sql, params).await? > 0)
    }

    /// Forgets restrictions that a try has shown to hold no longer.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn lift_restrictions(&self, platform: &Platform, kinds: &[RestrictionKind]) -> Result<()> {
        let sql = "DELETE FROM restrictions WHERE provider = $1 AND provider_account_id = $2 AND kind = $3";
        for kind in kinds {
            let account = &platform.provider_account_id;
            self.execute(sql, params![&platform.provider, account, kind.as_str()])
                .await?;
        }
        Ok(())
    }
}

fn read_restriction(row: &Row) -> Result<Restriction> {
    let fields = row.of("restrictions");
    Ok(Restriction {
        kind: fields.word("kind", RestrictionKind::parse)?,
        code: fields.get("code")?,
        message: fields.get("message")?,
        since: fields.time("since")?,
        said_at: fields.time("said_at")?,
        next_try_at: fields.time("next_try_at")?,
    })
}
