//! Authorizations under way: what ties the start of connecting an account to its end
//! (`docs/contract.md#connecting-accounts`).

use playout_domain::id::{UserId, WorkspaceId};
use playout_domain::platform::Connection;
use playout_domain::secret::Secret;
use playout_domain::time::Time;

use crate::db::{Cell, Result, Store, StoreError, params};

/// An authorization that a user has begun.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Authorization {
    /// Where the account will be connected.
    pub workspace_id: WorkspaceId,
    /// Who began it; `None` where the operator did.
    pub user_id: Option<UserId>,
    /// The SHA-256 of the session in which it was begun; it must end in the same. `None`: it may end in any.
    pub session_hash: Option<[u8; 32]>,
    /// With which provider.
    pub provider: String,
    /// By which of its connections.
    pub connection: Connection,
    /// The PKCE verifier (RFC 7636); stored sealed.
    pub verifier: Secret,
    /// When it can no longer be ended.
    pub expires_at: Time,
}

impl Store {
    /// Notes a beginning; `state_hash` is the SHA-256 of its state parameter.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn create_authorization(
        &self,
        state_hash: [u8; 32],
        authorization: &Authorization,
        now: Time,
    ) -> Result<()> {
        let sql =
            "INSERT INTO authorizations (state_hash, workspace_id, user_id, session_hash, provider, verifier,
            created_at, expires_at, connection) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
        let verifier = self
            .0
            .vault
            .seal(cell(&state_hash), authorization.verifier.expose().as_bytes());
        let params = params![
            state_hash,
            authorization.workspace_id,
            authorization.user_id,
            authorization.session_hash,
            &authorization.provider,
            verifier,
            now,
            authorization.expires_at,
            authorization.connection.as_str()
        ];
        self.execute(sql, params).await?;
        Ok(())
    }

    /// Takes an authorization out, so that it ends once; `None` if it is unknown, was taken or has expired.
    ///
    /// # Errors
    /// When the database fails, or the verifier does not open.
    pub async fn take_authorization(&self, state_hash: [u8; 32], now: Time) -> Result<Option<Authorization>> {
        let sql = "DELETE FROM authorizations WHERE state_hash = $1 AND expires_at > $2
            RETURNING workspace_id, user_id, session_hash, provider, connection, verifier, expires_at";
        let Some(row) = self.write_row(sql, params![state_hash, now]).await? else {
            return Ok(None);
        };
        let fields = row.of("authorizations");
        let session_hash: Option<Vec<u8>> = fields.get("session_hash")?;
        let sealed: Vec<u8> = fields.get("verifier")?;
        let workspace_id: WorkspaceId = fields.id("workspace_id")?;
        let verifier =
            self.0
                .vault
                .open(cell(&state_hash), &sealed)
                .map_err(|source| StoreError::Sealed {
                    table: "authorizations",
                    column: "verifier",
                    row: workspace_id.0,
                    source,
                })?;
        Ok(Some(Authorization {
            workspace_id,
            user_id: fields.opt_id("user_id")?,
            session_hash: session_hash
                .map(|hash| {
                    hash.try_into()
                        .map_err(|_| fields.bad("session_hash", "not 32 bytes"))
                })
                .transpose()?,
            provider: fields.get("provider")?,
            connection: fields.word("connection", Connection::parse)?,
            verifier,
            expires_at: fields.time("expires_at")?,
        }))
    }
}

fn cell(state_hash: &[u8]) -> Cell<'_> {
    Cell {
        row: state_hash,
        column: "verifier",
    }
}
