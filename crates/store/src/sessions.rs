//! Sessions of the dashboard: only the SHA-256 of a session's token is stored (contract §7).

use std::time::Duration;

use playout_domain::id::{SessionId, UserId};
use playout_domain::time::Time;
use playout_domain::workspace::User;

use crate::db::{Store, Tx};
use crate::error::Result;
use crate::param::params;
use crate::users::read_user;

/// How long a session lasts after it was last used.
pub const SESSION_LIFETIME: Duration = Duration::from_secs(30 * 24 * 3600);

/// A session's end is moved at most this often, so that reading stays reading.
const SLIDE_EVERY: Duration = Duration::from_secs(24 * 3600);

/// A session to be.
#[derive(Debug, Clone)]
pub struct NewSession {
    /// Its identifier, which opens nothing.
    pub id: SessionId,
    /// The SHA-256 of its token.
    pub hash: [u8; 32],
    /// The network address it was begun from.
    pub address: Option<String>,
}

/// A session that has not ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundSession {
    /// Its identifier.
    pub id: SessionId,
    /// Whose it is.
    pub user: User,
    /// Whether its end was just moved away.
    pub moved: bool,
}

impl Store {
    /// Begins a session that ends [`SESSION_LIFETIME`] from now.
    ///
    /// # Errors
    /// When the database fails, or the user does not exist.
    pub async fn create_session(&self, session: &NewSession, user: UserId, now: Time) -> Result<()> {
        let mut tx = self.begin().await?;
        tx.insert_session(session, user, now).await?;
        tx.commit().await
    }

    /// The session with this hash, if it has not ended. Its end moves away with use, at most once a day.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn find_session(&self, hash: [u8; 32], now: Time) -> Result<Option<FoundSession>> {
        let sql = "SELECT u.id, u.email, u.name, u.created_at, s.id AS session_id, s.expires_at
            FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.token_hash = $1 AND s.expires_at > $2";
        let Some(row) = self.row(sql, params![hash, now]).await? else {
            return Ok(None);
        };
        let fields = row.of("sessions");
        let end = now.plus(SESSION_LIFETIME);
        let moved = end.since(fields.time("expires_at")?) >= SLIDE_EVERY;
        if moved {
            let sql = "UPDATE sessions SET expires_at = $2 WHERE token_hash = $1";
            self.execute(sql, params![hash, end]).await?;
        }
        Ok(Some(FoundSession {
            id: fields.id("session_id")?,
            user: read_user(&row)?,
            moved,
        }))
    }

    /// Ends a session; `false` if it had ended before.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn delete_session(&self, hash: [u8; 32]) -> Result<bool> {
        let sql = "DELETE FROM sessions WHERE token_hash = $1";
        Ok(self.execute(sql, params![hash]).await? > 0)
    }

    /// Ends all sessions of a person; answers how many there were.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn delete_sessions_of(&self, user: UserId) -> Result<u64> {
        let sql = "DELETE FROM sessions WHERE user_id = $1";
        self.execute(sql, params![user]).await
    }
}

impl Tx {
    pub(crate) async fn insert_session(
        &mut self,
        session: &NewSession,
        user: UserId,
        now: Time,
    ) -> Result<()> {
        let sql = "INSERT INTO sessions (token_hash, id, user_id, address, created_at, expires_at)
            VALUES ($1, $2, $3, $4, $5, $6)";
        let end = now.plus(SESSION_LIFETIME);
        let params = params![session.hash, session.id, user, session.address.clone(), now, end];
        self.execute(sql, params).await?;
        Ok(())
    }
}
