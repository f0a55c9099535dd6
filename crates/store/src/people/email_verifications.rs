//! Verifying addresses: links that were mailed to them, each good once, and what became of those that were used. A link to
//! another address than a person's present one makes it theirs.

use playout_domain::audit::PersonalAction;
use playout_domain::id::{SessionId, UserId};
use playout_domain::time::Time;
use playout_domain::workspace::User;

use super::activity::themselves;
use super::credentials::read_user;
use crate::db::{Result, Store, StoreError, Tx, params, read_one};

/// A link to be mailed.
#[derive(Debug, Clone)]
pub struct NewVerification {
    /// The SHA-256 of its token.
    pub hash: [u8; 32],
    /// Whose link it is.
    pub user: UserId,
    /// Where it is mailed to, in lower case.
    pub email: String,
    /// The session in which another address was entered.
    pub session: Option<SessionId>,
    /// Until when it can be used.
    pub expires_at: Time,
}

/// What became of [`Store::verify_email`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VerifyEmail {
    /// The address is theirs.
    Verified {
        /// The person as they are now.
        user: User,
        /// Who they were before, if their address was another.
        before: Option<User>,
    },
    /// Another person has got this address meanwhile.
    EmailTaken,
    /// The link is unknown, was used, or is over.
    NotFound,
}

impl Store {
    /// Lets an address be verified; earlier links of the same person to the same end (their present address, or another)
    /// end.
    ///
    /// # Errors
    /// When the database fails, or there is no such person.
    pub async fn create_verification(&self, new: &NewVerification, now: Time) -> Result<()> {
        let mut tx = self.begin().await?;
        tx.hold_user(new.user).await?;
        let sql = "DELETE FROM email_verifications WHERE user_id = $1
            AND (email = (SELECT email FROM users WHERE id = $1)) = ($2 = (SELECT email FROM users WHERE id = $1))";
        tx.execute(sql, params![new.user, &new.email]).await?;
        let sql =
            "INSERT INTO email_verifications (token_hash, user_id, email, session_id, created_at, expires_at)
            VALUES ($1, $2, $3, $4, $5, $6)";
        let params = params![new.hash, new.user, &new.email, new.session, now, new.expires_at];
        tx.execute(sql, params).await?;
        tx.commit().await
    }

    /// The address that becomes a person's once it is verified, and the session in which it was entered.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn find_pending_email(
        &self,
        user: UserId,
        now: Time,
    ) -> Result<Option<(String, Option<SessionId>)>> {
        let sql = "SELECT v.email, v.session_id FROM email_verifications v JOIN users u ON u.id = v.user_id
            WHERE v.user_id = $1 AND v.email <> u.email AND v.expires_at > $2
            ORDER BY v.created_at DESC LIMIT 1";
        read_one(self.row(sql, params![user, now]).await?, |row| {
            let fields = row.of("email_verifications");
            Ok((fields.get("email")?, fields.opt_id("session_id")?))
        })
    }

    /// Discards an address that was entered and not verified.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn delete_pending_email(&self, user: UserId) -> Result<()> {
        let sql = "DELETE FROM email_verifications
            WHERE user_id = $1 AND email <> (SELECT email FROM users WHERE id = $1)";
        self.execute(sql, params![user]).await?;
        Ok(())
    }

    /// Uses a link up. Another address than before is theirs from now on: all mailed links end, and all sessions but the
    /// one in which it was entered.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn verify_email(&self, hash: [u8; 32], now: Time) -> Result<VerifyEmail> {
        let mut tx = self.begin().await?;
        let sql = "SELECT user_id, email, session_id FROM email_verifications
            WHERE token_hash = $1 AND expires_at > $2";
        let Some(row) = tx.row(sql, params![hash, now]).await? else {
            return Ok(VerifyEmail::NotFound);
        };
        let fields = row.of("email_verifications");
        let (id, email): (UserId, String) = (fields.id("user_id")?, fields.get("email")?);
        tx.hold_user(id).await?;
        let sql = "DELETE FROM email_verifications WHERE token_hash = $1";
        let Some(before) = tx.find_credentials(id).await? else {
            return Ok(VerifyEmail::NotFound);
        };
        if tx.execute(sql, params![hash]).await? == 0 {
            return Ok(VerifyEmail::NotFound);
        }
        let sql = "UPDATE users SET email = $2, email_verified_at = $3 WHERE id = $1
            RETURNING id, email, name, email_verified_at, created_at";
        let row = match tx.row(sql, params![id, &email, now]).await {
            Err(StoreError::Conflict { .. }) => return Ok(VerifyEmail::EmailTaken),
            other => other?,
        };
        let Some(user) = read_one(row, read_user)? else {
            return Ok(VerifyEmail::NotFound);
        };
        let by = themselves(&before.user, fields.opt_id("session_id")?, None);
        let before = Some(before.user).filter(|before| before.email != user.email);
        if before.is_some() {
            tx.end_sessions_but(id, by.session).await?;
            tx.end_mailed_links(id).await?;
            tx.note_personal(id, &by, PersonalAction::EmailChanged.into(), now)
                .await?;
        }
        tx.commit().await?;
        Ok(VerifyEmail::Verified { user, before })
    }
}

impl Tx {
    /// Notes that a person's present address is theirs.
    pub(crate) async fn note_verified(&mut self, user: UserId, now: Time) -> Result<()> {
        let sql = "UPDATE users SET email_verified_at = COALESCE(email_verified_at, $2) WHERE id = $1";
        self.execute(sql, params![user, now]).await?;
        Ok(())
    }

    /// Ends the links that were mailed to a person: to choose a password, and to change the address. One that verifies the
    /// address they have goes on.
    pub(crate) async fn end_mailed_links(&mut self, user: UserId) -> Result<()> {
        let sql = "DELETE FROM password_resets WHERE user_id = $1";
        self.execute(sql, params![user]).await?;
        let sql = "DELETE FROM email_verifications
            WHERE user_id = $1 AND email <> (SELECT email FROM users WHERE id = $1)";
        self.execute(sql, params![user]).await?;
        Ok(())
    }
}
