//! How an account's tokens stand, without the tokens.

use playout_domain::id::{PlatformId, WorkspaceId};
use playout_domain::job::JobKind;
use playout_domain::time::Time;

use crate::db::{Result, Row, Store, params, read_one};

/// How an account's tokens stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenState {
    /// When the access token ends; `None` where there is none.
    pub access_expires_at: Option<Time>,
    /// When what renews it ends, if the provider returned it.
    pub refresh_expires_at: Option<Time>,
    /// Whether there is anything to renew it with.
    pub is_renewable: bool,
    /// When the present tokens were stored; `None` for those stored before that was noted.
    pub renewed_at: Option<Time>,
    /// When they are renewed next, or tried to be.
    pub next_renewal_at: Option<Time>,
    /// How many tries to renew them have failed in a row.
    pub failures: u32,
    /// What the user granted.
    pub scopes: Vec<String>,
}

impl Store {
    /// How the tokens of an account stand; `None` if there is no such account.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn token_state(
        &self,
        workspace: WorkspaceId,
        platform: PlatformId,
    ) -> Result<Option<TokenState>> {
        let sql = "SELECT f.id, f.access_expires_at, f.refresh_expires_at, f.refresh_token IS NOT NULL AS renewable,
                f.tokens_at, f.scopes, j.run_at, j.failures
            FROM platforms f LEFT JOIN jobs j ON j.platform_id = f.id AND j.kind = $3 AND j.post_id IS NULL
            WHERE f.id = $2 AND f.workspace_id = $1 AND f.removed_at IS NULL";
        let params = params![workspace, platform, JobKind::RefreshPlatform.as_str()];
        read_one(self.row(sql, params).await?, read_state)
    }
}

fn read_state(row: &Row) -> Result<TokenState> {
    let fields = row.of("platforms");
    Ok(TokenState {
        access_expires_at: fields.opt_time("access_expires_at")?,
        refresh_expires_at: fields.opt_time("refresh_expires_at")?,
        is_renewable: fields.get("renewable")?,
        renewed_at: fields.opt_time("tokens_at")?,
        next_renewal_at: fields.opt_time("run_at")?,
        failures: fields.opt_number("failures")?.unwrap_or(0),
        scopes: fields.json("scopes")?,
    })
}
