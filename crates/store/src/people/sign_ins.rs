//! Signing in by two steps: between the right password and the code, a page holds a token.

use playout_domain::id::UserId;
use playout_domain::time::Time;

use super::credentials::Credentials;
use crate::db::{Result, Store, params};

impl Store {
    /// Notes until `expires_at` that the right password was entered; `hash` is the SHA-256 of the token that proves
    /// it.
    ///
    /// # Errors
    /// When the database fails, or there is no such person.
    pub async fn create_sign_in(
        &self,
        hash: [u8; 32],
        user: UserId,
        (now, expires_at): (Time, Time),
    ) -> Result<()> {
        let sql =
            "INSERT INTO sign_ins (token_hash, user_id, created_at, expires_at) VALUES ($1, $2, $3, $4)";
        self.execute(sql, params![hash, user, now, expires_at]).await?;
        Ok(())
    }

    /// Who has shown the right password and got this token. A new password has ended it.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn find_sign_in(&self, hash: [u8; 32], now: Time) -> Result<Option<Credentials>> {
        let sql = "SELECT user_id FROM sign_ins WHERE token_hash = $1 AND expires_at > $2";
        let Some(row) = self.row(sql, params![hash, now]).await? else {
            return Ok(None);
        };
        self.find_user(row.of("sign_ins").id("user_id")?).await
    }

    /// Ends it.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn delete_sign_in(&self, hash: [u8; 32]) -> Result<()> {
        let sql = "DELETE FROM sign_ins WHERE token_hash = $1";
        self.execute(sql, params![hash]).await?;
        Ok(())
    }
}
