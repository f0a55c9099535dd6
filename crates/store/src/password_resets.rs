//! Choosing a new password with a token that was mailed: one for each person, good once.

use playout_domain::audit::PersonalAction;
use playout_domain::id::UserId;
use playout_domain::time::Time;

use crate::activity::themselves;
use crate::db::Store;
use crate::error::Result;
use crate::param::params;
use crate::row::read_one;
use crate::users::read_user;

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

    /// Whether this token can still be used.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn is_password_reset(&self, hash: [u8; 32], now: Time) -> Result<bool> {
        let sql = "SELECT user_id FROM password_resets WHERE token_hash = $1 AND expires_at > $2";
        Ok(self.row(sql, params![hash, now]).await?.is_some())
    }

    /// Gives the person of a token a new password, once, and ends all their sessions; `false` if it cannot be used.
    /// `address` is the network address that the token came from.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn reset_password(
        &self,
        hash: [u8; 32],
        password_hash: &str,
        address: Option<String>,
        now: Time,
    ) -> Result<bool> {
        let mut tx = self.begin().await?;
        let sql = "DELETE FROM password_resets WHERE token_hash = $1 AND expires_at > $2 RETURNING user_id";
        let Some(row) = tx.row(sql, params![hash, now]).await? else {
            return Ok(false);
        };
        let user: UserId = row.of("password_resets").id("user_id")?;
        let sql = "UPDATE users SET password_hash = $2 WHERE id = $1 RETURNING id, email, name, created_at";
        let row = tx.row(sql, params![user, password_hash]).await?;
        tx.end_sessions(user).await?;
        if let Some(person) = read_one(row, read_user)? {
            let by = themselves(&person, None, address);
            tx.note_personal(user, &by, PersonalAction::PasswordReset.into(), now)
                .await?;
        }
        tx.commit().await?;
        Ok(true)
    }
}
