//! Choosing a new password with a token that was mailed: one for each person, good once.

use playout_domain::audit::PersonalAction;
use playout_domain::id::{UserId, WorkspaceId};
use playout_domain::time::Time;
use playout_domain::workspace::User;

use super::activity::themselves;
use crate::db::{Result, Store, Tx, params};

/// A person who has chosen a new password with a mailed link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResetPassword {
    /// Who.
    pub user: User,
    /// Where keys of theirs may have ended with it.
    pub workspaces: Vec<WorkspaceId>,
}

impl Store {
    /// Lets a person choose a new password until `expires_at`; `hash` is the SHA-256 of the token. An earlier one ends.
    ///
    /// # Errors
    /// When the database fails, or there is no such person.
    pub async fn create_password_reset(
        &self,
        user: UserId,
        hash: [u8; 32],
        expires_at: Time,
        now: Time,
    ) -> Result<()> {
        let mut tx = self.begin().await?;
        let sql = "DELETE FROM password_resets WHERE user_id = $1";
        tx.execute(sql, params![user]).await?;
        let sql = "INSERT INTO password_resets (token_hash, user_id, created_at, expires_at)
            VALUES ($1, $2, $3, $4)";
        tx.execute(sql, params![hash, user, now, expires_at]).await?;
        tx.commit().await
    }

    /// The address of the person of this token, if it can still be used.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn find_password_reset(&self, hash: [u8; 32], now: Time) -> Result<Option<String>> {
        let sql = "SELECT u.email FROM password_resets r JOIN users u ON u.id = r.user_id
            WHERE r.token_hash = $1 AND r.expires_at > $2";
        let row = self.row(sql, params![hash, now]).await?;
        row.map(|row| row.of("users").get("email")).transpose()
    }

    /// Gives the person of a token a new password, once, and ends all their sessions and mailed links; `None` if it cannot
    /// be used. The token was mailed, so the address is theirs: where that was not known before, another person may have
    /// signed up with it, and what they left to come back by ends too, the second factor and the keys. `address` is the
    /// network address that the token came from.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn reset_password(
        &self,
        hash: [u8; 32],
        password_hash: &str,
        address: Option<String>,
        now: Time,
    ) -> Result<Option<ResetPassword>> {
        let mut tx = self.begin().await?;
        let sql = "DELETE FROM password_resets WHERE token_hash = $1 AND expires_at > $2 RETURNING user_id";
        let Some(row) = tx.row(sql, params![hash, now]).await? else {
            return Ok(None);
        };
        let id: UserId = row.of("password_resets").id("user_id")?;
        let workspaces = match tx.find_credentials(id).await? {
            Some(found) if !found.user.email_verified => tx.end_other_ways_in(&found.user, now).await?,
            _ => Vec::new(),
        };
        let sql = "UPDATE users SET password_hash = $2 WHERE id = $1";
        tx.execute(sql, params![id, password_hash]).await?;
        tx.note_verified(id, now).await?;
        tx.end_sessions(id).await?;
        tx.end_mailed_links(id).await?;
        let Some(found) = tx.find_credentials(id).await? else {
            return Ok(None);
        };
        let by = themselves(&found.user, None, address);
        tx.note_personal(id, &by, PersonalAction::PasswordReset.into(), now)
            .await?;
        tx.commit().await?;
        let user = found.user;
        Ok(Some(ResetPassword { user, workspaces }))
    }
}

impl Tx {
    /// Ends a person's second factor and what they hold in any workspace; returns in which workspaces keys may have ended.
    async fn end_other_ways_in(&mut self, user: &User, now: Time) -> Result<Vec<WorkspaceId>> {
        let sql = "SELECT workspace_id FROM members WHERE user_id = $1
            UNION SELECT workspace_id FROM keys WHERE created_by = $1 AND revoked_at IS NULL
            ORDER BY workspace_id";
        let rows = self.rows(sql, params![user.id]).await?;
        let workspaces = rows.iter().map(|row| row.of("members").id("workspace_id"));
        let workspaces: Vec<WorkspaceId> = workspaces.collect::<Result<_>>()?;
        let actor = themselves(user, None, None);
        for &workspace in &workspaces {
            self.lock_workspace(workspace).await?;
            self.end_holdings(workspace, user.id, &actor, now).await?;
        }
        self.hold_user(user.id).await?;
        let sql = "DELETE FROM second_factors WHERE user_id = $1";
        self.execute(sql, params![user.id]).await?;
        Ok(workspaces)
    }
}
