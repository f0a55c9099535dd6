//! Sessions of the dashboard: only the SHA-256 of a session's token is stored (contract §7).

use std::time::Duration;

use playout_domain::id::UserId;
use playout_domain::time::Time;
use playout_domain::workspace::User;

use crate::db::Store;
use crate::error::Result;
use crate::param::params;
use crate::users::read_user;

/// How long a session lasts after it was last used.
pub const SESSION_LIFETIME: Duration = Duration::from_secs(30 * 24 * 3600);

/// A session's end is moved at most this often, so that reading stays reading.
const SLIDE_EVERY: Duration = Duration::from_secs(24 * 3600);

impl Store {
    /// Begins a session that ends [`SESSION_LIFETIME`] from now; `hash` is the SHA-256 of its token.
    ///
    /// # Errors
    /// When the database fails, or the user does not exist.
    pub async fn create_session(&self, hash: [u8; 32], user: UserId, now: Time) -> Result<()> {
        let sql =
            "INSERT INTO sessions (token_hash, user_id, created_at, expires_at) VALUES ($1, $2, $3, $4)";
        self.execute(sql, params![hash, user, now, now.plus(SESSION_LIFETIME)])
            .await?;
        Ok(())
    }

    /// Whose session this is, if it has not ended. Its end moves away with use, at most once a day.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn find_session(&self, hash: [u8; 32], now: Time) -> Result<Option<User>> {
        let sql = "SELECT u.id, u.email, u.name, u.created_at, s.expires_at
            FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.token_hash = $1 AND s.expires_at > $2";
        let Some(row) = self.row(sql, params![hash, now]).await? else {
            return Ok(None);
        };
        let end = now.plus(SESSION_LIFETIME);
        if end.since(row.of("sessions").time("expires_at")?) >= SLIDE_EVERY {
            let sql = "UPDATE sessions SET expires_at = $2 WHERE token_hash = $1";
            self.execute(sql, params![hash, end]).await?;
        }
        read_user(&row).map(Some)
    }

    /// Ends a session; `false` if it had ended before.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn delete_session(&self, hash: [u8; 32]) -> Result<bool> {
        let sql = "DELETE FROM sessions WHERE token_hash = $1";
        Ok(self.execute(sql, params![hash]).await? > 0)
    }
}
