//! Sessions of the dashboard: only the SHA-256 of a session's token is stored (`docs/contract.md#sessions`).

use std::time::Duration;

use playout_domain::audit::{Actor, PersonalAction};
use playout_domain::id::{SessionId, UserId, WorkspaceId};
use playout_domain::time::Time;
use playout_domain::workspace::User;
use serde_json::json as value;

use super::activity::{Personal, themselves};
use super::credentials::{Credentials, read_user};
use crate::db::{Result, Row, Store, Tx, params, read_all};

/// How long a session lasts after it was last used.
pub const SESSION_LIFETIME: Duration = Duration::from_secs(30 * 24 * 3600);

/// How long a session lasts however often it is used.
pub const SESSION_LIMIT: Duration = Duration::from_secs(90 * 24 * 3600);

/// A session's end is moved at most this often, so that reading stays reading.
const SLIDE_EVERY: Duration = Duration::from_secs(24 * 3600);

pub(crate) const MAY_LOOK: &str = "SELECT s.id FROM sessions s JOIN members m ON m.user_id = s.user_id
    WHERE m.workspace_id = $1 AND s.token_hash = $2 AND s.expires_at > $3";

/// The newest first. A person has few; those that are over are swept away.
pub(crate) const LIST_SESSIONS: &str =
    "SELECT id, address, program, created_at, noted_at, expires_at FROM sessions
    WHERE user_id = $1 AND expires_at > $2 ORDER BY created_at DESC, id DESC LIMIT $3";

/// A session to be.
#[derive(Debug, Clone)]
pub struct NewSession {
    /// Its identifier, which opens nothing.
    pub id: SessionId,
    /// The SHA-256 of its token.
    pub hash: [u8; 32],
    /// The network address it was begun from.
    pub address: Option<String>,
    /// The program it was begun with, as that named itself.
    pub program: Option<String>,
}

/// A session that has not ended, as its owner sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionRecord {
    /// Its identifier, which opens nothing.
    pub id: SessionId,
    /// The network address it was begun from.
    pub address: Option<String>,
    /// The program it was begun with, as that named itself.
    pub program: Option<String>,
    /// When it began.
    pub created_at: Time,
    /// When its use was last noted: at most once a day.
    pub last_noted_at: Time,
    /// When it ends unless it is used before.
    pub expires_at: Time,
}

/// A session that goes on under another token: the old one is no longer valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Renewal {
    /// The session.
    pub session: SessionId,
    /// The SHA-256 of its new token.
    pub hash: [u8; 32],
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
    /// Begins a session that ends [`SESSION_LIFETIME`] from now, for a person who has proven who they are by these
    /// credentials; `false` if they are not theirs any more. Checking a password takes its time, and a change of it
    /// meanwhile, or of the second factor, has ended all sessions: none may begin after that with what was shown
    /// before.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn create_session(
        &self,
        session: &NewSession,
        proven: &Credentials,
        now: Time,
    ) -> Result<bool> {
        let mut tx = self.begin().await?;
        let user = proven.user.id;
        tx.hold_user(user).await?;
        let present = tx.find_credentials(user).await?;
        if !present.is_some_and(|present| present.are_proven_by(proven)) {
            return Ok(false);
        }
        tx.insert_session(session, user, now).await?;
        let by = themselves(&proven.user, Some(session.id), session.address.clone());
        tx.note_personal(user, &by, PersonalAction::SignInSucceeded.into(), now)
            .await?;
        tx.commit().await?;
        Ok(true)
    }

    /// The session with this hash, if it has not ended. Its end moves away with use, at most once a day, until
    /// [`SESSION_LIMIT`] after it began.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn find_session(&self, hash: [u8; 32], now: Time) -> Result<Option<FoundSession>> {
        let sql = "SELECT u.id, u.email, u.name, u.email_verified_at, u.created_at, s.id AS session_id,
                s.created_at AS begun_at, s.noted_at
            FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.token_hash = $1 AND s.expires_at > $2";
        let Some(row) = self.row(sql, params![hash, now]).await? else {
            return Ok(None);
        };
        let fields = row.of("sessions");
        let moved = now.since(fields.time("noted_at")?) >= SLIDE_EVERY;
        if moved {
            let limit = fields.time("begun_at")?.plus(SESSION_LIMIT);
            let end = now.plus(SESSION_LIFETIME).min(limit);
            let sql = "UPDATE sessions SET expires_at = $2, noted_at = $3 WHERE token_hash = $1";
            self.execute(sql, params![hash, end, now]).await?;
        }
        Ok(Some(FoundSession {
            id: fields.id("session_id")?,
            user: read_user(&row)?,
            moved,
        }))
    }

    /// Whether a session goes on, of a member of the workspace. Its end does not move: this is called for pages that are
    /// open, whether or not they are in use.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn may_look(&self, workspace: WorkspaceId, hash: [u8; 32], now: Time) -> Result<bool> {
        let row = self.row(MAY_LOOK, params![workspace, hash, now]).await?;
        Ok(row.is_some())
    }

    /// Ends a session; `false` if it had ended before.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn delete_session(&self, hash: [u8; 32], by: &Actor, now: Time) -> Result<bool> {
        let mut tx = self.begin().await?;
        let sql = "DELETE FROM sessions WHERE token_hash = $1 RETURNING user_id";
        let Some(row) = tx.row(sql, params![hash]).await? else {
            return Ok(false);
        };
        let user = row.of("sessions").id("user_id")?;
        tx.note_personal(user, by, PersonalAction::SignedOut.into(), now)
            .await?;
        tx.commit().await?;
        Ok(true)
    }

    /// At most `limit` sessions of a person that have not ended, the newest first.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn list_sessions_of(&self, user: UserId, limit: u32, now: Time) -> Result<Vec<SessionRecord>> {
        let rows = self.rows(LIST_SESSIONS, params![user, now, limit]).await?;
        read_all(&rows, read_session)
    }

    /// Ends one session of a person; `false` if they have none with this identifier that goes on.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn delete_session_of(
        &self,
        user: UserId,
        id: SessionId,
        by: &Actor,
        now: Time,
    ) -> Result<bool> {
        let mut tx = self.begin().await?;
        let sql = "DELETE FROM sessions WHERE id = $2 AND user_id = $1 AND expires_at > $3";
        let is_ended = tx.execute(sql, params![user, id, now]).await? > 0;
        if is_ended {
            let noted = Personal {
                action: PersonalAction::SessionEnded,
                detail: Some(value!({ "sessionId": id })),
            };
            tx.note_personal(user, by, noted, now).await?;
        }
        tx.commit().await?;
        Ok(is_ended)
    }

    /// Ends all sessions of a person but one, and those that are about to begin; returns how many went on until then.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn delete_sessions_but(
        &self,
        user: UserId,
        kept: SessionId,
        by: &Actor,
        now: Time,
    ) -> Result<u64> {
        let mut tx = self.begin().await?;
        tx.hold_user(user).await?;
        let sql = "DELETE FROM sign_ins WHERE user_id = $1";
        tx.execute(sql, params![user]).await?;
        let sql = "DELETE FROM sessions WHERE user_id = $1 AND id <> $2 AND expires_at > $3";
        let ended = tx.execute(sql, params![user, kept, now]).await?;
        tx.note_personal(user, by, sessions_ended(ended), now).await?;
        tx.commit().await?;
        Ok(ended)
    }

    /// Ends all sessions of a person; returns how many there were.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn delete_sessions_of(&self, user: UserId, by: &Actor, now: Time) -> Result<u64> {
        let mut tx = self.begin().await?;
        let ended = tx.end_sessions(user).await?;
        tx.note_personal(user, by, sessions_ended(ended), now).await?;
        tx.commit().await?;
        Ok(ended)
    }
}

impl Tx {
    /// Keeps other transactions from changing a person, or beginning a session for them, until the end of this one.
    pub(crate) async fn hold_user(&mut self, user: UserId) -> Result<()> {
        self.lock("SELECT id FROM users WHERE id = $1", params![user])
            .await?;
        Ok(())
    }

    /// Ends all sessions of a person, and those that are about to begin.
    pub(crate) async fn end_sessions(&mut self, user: UserId) -> Result<u64> {
        let sql = "DELETE FROM sign_ins WHERE user_id = $1";
        self.execute(sql, params![user]).await?;
        let sql = "DELETE FROM sessions WHERE user_id = $1";
        self.execute(sql, params![user]).await
    }

    /// The same, but for one session, which goes on under its new token. The person's row must be held or written
    /// before, or a session might begin meanwhile.
    pub(crate) async fn keep_only_session(&mut self, user: UserId, renewal: &Renewal) -> Result<()> {
        let sql = "DELETE FROM sign_ins WHERE user_id = $1";
        self.execute(sql, params![user]).await?;
        let sql = "DELETE FROM sessions WHERE user_id = $1 AND id <> $2";
        self.execute(sql, params![user, renewal.session]).await?;
        let sql = "UPDATE sessions SET token_hash = $3 WHERE user_id = $1 AND id = $2";
        self.execute(sql, params![user, renewal.session, renewal.hash])
            .await?;
        Ok(())
    }

    /// Ends all sessions of a person but one, if it goes on, and those that are about to begin.
    pub(crate) async fn end_sessions_but(&mut self, user: UserId, kept: Option<SessionId>) -> Result<()> {
        let sql = "DELETE FROM sign_ins WHERE user_id = $1";
        self.execute(sql, params![user]).await?;
        let kept = kept.unwrap_or(SessionId(uuid::Uuid::nil()));
        let sql = "DELETE FROM sessions WHERE user_id = $1 AND id <> $2";
        self.execute(sql, params![user, kept]).await?;
        Ok(())
    }

    pub(crate) async fn insert_session(
        &mut self,
        session: &NewSession,
        user: UserId,
        now: Time,
    ) -> Result<()> {
        let sql = "INSERT INTO sessions (token_hash, id, user_id, address, program, created_at, noted_at, expires_at)
            VALUES ($1, $2, $3, $4, $5, $6, $6, $7)";
        let end = now.plus(SESSION_LIFETIME);
        let (address, program) = (session.address.clone(), session.program.clone());
        let params = params![session.hash, session.id, user, address, program, now, end];
        self.execute(sql, params).await?;
        Ok(())
    }
}

fn sessions_ended(count: u64) -> Personal {
    Personal {
        action: PersonalAction::SessionsEnded,
        detail: Some(value!({ "sessions": count })),
    }
}

fn read_session(row: &Row) -> Result<SessionRecord> {
    let fields = row.of("sessions");
    Ok(SessionRecord {
        id: fields.id("id")?,
        address: fields.get("address")?,
        program: fields.get("program")?,
        created_at: fields.time("created_at")?,
        last_noted_at: fields.time("noted_at")?,
        expires_at: fields.time("expires_at")?,
    })
}
