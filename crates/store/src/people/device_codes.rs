//! How often a person may type a wrong user code (RFC 8628 §5.1): ten times in any ten minutes, over all their sessions and nodes.
//! After that the right one is rejected too, so that guessing cannot go on.

use std::time::Duration;

use playout_domain::device::{UserCode, WRONG_CODES, WRONG_CODES_WITHIN};
use playout_domain::id::UserId;
use playout_domain::time::Time;

use super::devices::FoundDevice;
use crate::db::{Result, Store, Tx, params};

/// What became of a code that a person typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TriedCode {
    /// It was looked up. One that stands for nothing is counted.
    Found(FoundDevice),
    /// It was not: there were too many wrong ones. Another may be typed after this time.
    TooMany(Duration),
}

/// Those that count no more.
pub(crate) const DELETE_OLD_CODES: &str = "DELETE FROM wrong_codes WHERE at <= $1";

impl Store {
    /// Looks up a code that a person typed, `None` where it cannot be one. The codes of one person are looked up one at a time, so that many at
    /// once are no more than one after another.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn try_code(&self, user: UserId, typed: Option<&UserCode>, now: Time) -> Result<TriedCode> {
        let mut tx = self.begin().await?;
        tx.lock("SELECT id FROM users WHERE id = $1", params![user])
            .await?;
        if let Some(wait) = tx.wait_for_a_try(user, now).await? {
            return Ok(TriedCode::TooMany(wait));
        }
        let found = match typed {
            Some(code) => tx.find_device(code, now).await?,
            None => FoundDevice::Unknown,
        };
        if found == FoundDevice::Unknown {
            let sql = "INSERT INTO wrong_codes (user_id, at) VALUES ($1, $2)";
            tx.execute(sql, params![user, now]).await?;
            tx.commit().await?;
        }
        Ok(TriedCode::Found(found))
    }
}

impl Tx {
    /// How long a person has to wait before the next code; `None` for not at all.
    async fn wait_for_a_try(&mut self, user: UserId, now: Time) -> Result<Option<Duration>> {
        let sql =
            "SELECT at FROM wrong_codes WHERE user_id = $1 AND at > $2 ORDER BY at DESC LIMIT 1 OFFSET $3";
        let last = i64::try_from(WRONG_CODES - 1).unwrap_or(i64::MAX);
        let row = self
            .row(sql, params![user, now.minus(WRONG_CODES_WITHIN), last])
            .await?;
        let tenth = row.map(|row| row.of("wrong_codes").time("at")).transpose()?;
        Ok(tenth.map(|at| at.plus(WRONG_CODES_WITHIN).since(now)))
    }
}
