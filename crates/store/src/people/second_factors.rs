//! Second factors: the secret that an app shares with us, sealed, and recovery codes, hashed. A code is accepted once,
//! even when it is tried twice at the same moment: the row is locked while it is checked.

use playout_domain::audit::{Actor, PersonalAction};
use playout_domain::id::UserId;
use playout_domain::second_factor::TotpSecret;
use playout_domain::time::Time;

use super::sessions::Renewal;
use crate::db::{Cell, Fields, Result, Store, StoreError, Tx, VaultError, params};

/// A code to be judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SecondFactorCode {
    /// Of the app.
    Totp(u32),
    /// The SHA-256 of a recovery code in its normal form.
    Recovery([u8; 32]),
}

/// The session in which a second factor is turned on.
#[derive(Debug, Clone, Copy)]
pub struct Confirming<'a> {
    /// Whose second factor it is.
    pub user: UserId,
    /// Their session, which goes on under another token.
    pub renewal: &'a Renewal,
    /// They, as the trail names them.
    pub by: &'a Actor,
}

/// What became of a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TakeCode {
    /// It was right, and is not good again.
    Taken,
    /// It is wrong, or was used before.
    Wrong,
    /// There is no second factor to have codes of.
    Off,
}

impl Store {
    /// Keeps a secret that must be confirmed by `expires_at`, in the place of an earlier one that was not; `false`, and
    /// nothing kept, if a second factor is active.
    ///
    /// # Errors
    /// When the database fails, or there is no such person.
    pub async fn begin_second_factor(
        &self,
        user: UserId,
        secret: &TotpSecret,
        (now, expires_at): (Time, Time),
    ) -> Result<bool> {
        let sql = "INSERT INTO second_factors (user_id, secret, last_step, created_at, expires_at)
            VALUES ($1, $2, 0, $3, $4)
            ON CONFLICT (user_id) DO UPDATE SET secret = excluded.secret, last_step = 0,
                created_at = excluded.created_at, expires_at = excluded.expires_at
            WHERE second_factors.expires_at IS NOT NULL";
        let sealed = self
            .0
            .vault
            .seal(cell(&user), secret.base32().expose().as_bytes());
        Ok(self.execute(sql, params![user, sealed, now, expires_at]).await? > 0)
    }

    /// Makes the secret that waits active, if this is a code of it, with these recovery codes (SHA-256). All sessions
    /// end but the one that is renewed.
    ///
    /// # Errors
    /// When the database fails, or the secret does not open.
    pub async fn confirm_second_factor(
        &self,
        Confirming { user, renewal, by }: Confirming<'_>,
        code: u32,
        recovery: &[[u8; 32]],
        now: Time,
    ) -> Result<TakeCode> {
        let mut tx = self.begin().await?;
        tx.hold_user(user).await?;
        let sql = "SELECT user_id AS id, secret, last_step FROM second_factors
            WHERE user_id = $1 AND expires_at > $2";
        let rows = tx.lock(sql, params![user, now]).await?;
        let Some(row) = rows.first() else {
            return Ok(TakeCode::Off);
        };
        if !tx.judge(row.of("second_factors"), code, now).await? {
            return Ok(TakeCode::Wrong);
        }
        let sql = "UPDATE second_factors SET expires_at = NULL WHERE user_id = $1";
        tx.execute(sql, params![user]).await?;
        tx.write_recovery_codes(user, recovery).await?;
        tx.keep_only_session(user, renewal).await?;
        tx.note_personal(user, by, PersonalAction::SecondFactorEnabled.into(), now)
            .await?;
        tx.commit().await?;
        Ok(TakeCode::Taken)
    }

    /// Takes a code, once. The person's activity has the use of a recovery code.
    ///
    /// # Errors
    /// When the database fails, or the secret does not open.
    pub async fn take_code(
        &self,
        user: UserId,
        code: SecondFactorCode,
        by: &Actor,
        now: Time,
    ) -> Result<TakeCode> {
        let mut tx = self.begin().await?;
        let sql = "SELECT user_id AS id, secret, last_step FROM second_factors
            WHERE user_id = $1 AND expires_at IS NULL";
        let rows = tx.lock(sql, params![user]).await?;
        let Some(row) = rows.first() else {
            return Ok(TakeCode::Off);
        };
        let is_right = match code {
            SecondFactorCode::Totp(code) => tx.judge(row.of("second_factors"), code, now).await?,
            SecondFactorCode::Recovery(hash) => {
                let sql = "DELETE FROM recovery_codes WHERE user_id = $1 AND code_hash = $2";
                tx.execute(sql, params![user, hash]).await? > 0
            }
        };
        if !is_right {
            return Ok(TakeCode::Wrong);
        }
        if matches!(code, SecondFactorCode::Recovery(_)) {
            tx.note_personal(user, by, PersonalAction::RecoveryCodeUsed.into(), now)
                .await?;
        }
        tx.commit().await?;
        Ok(TakeCode::Taken)
    }

    /// How many recovery codes are left; `None` where no second factor is active.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn find_second_factor(&self, user: UserId) -> Result<Option<u64>> {
        let sql = "SELECT (SELECT COUNT(*) FROM recovery_codes r WHERE r.user_id = f.user_id) AS codes_left
            FROM second_factors f WHERE f.user_id = $1 AND f.expires_at IS NULL";
        let row = self.row(sql, params![user]).await?;
        row.map(|row| row.of("second_factors").number("codes_left"))
            .transpose()
    }

    /// Turns the second factor off, and ends its recovery codes; `false` if none was active.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn delete_second_factor(&self, user: UserId, by: &Actor, now: Time) -> Result<bool> {
        let mut tx = self.begin().await?;
        let sql = "DELETE FROM second_factors WHERE user_id = $1 AND expires_at IS NULL";
        let was_on = tx.execute(sql, params![user]).await? > 0;
        if was_on {
            tx.note_personal(user, by, PersonalAction::SecondFactorDisabled.into(), now)
                .await?;
        }
        tx.commit().await?;
        Ok(was_on)
    }

    /// Gives a person other recovery codes (SHA-256); `false` if no second factor is active.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn replace_recovery_codes(
        &self,
        user: UserId,
        recovery: &[[u8; 32]],
        by: &Actor,
        now: Time,
    ) -> Result<bool> {
        let mut tx = self.begin().await?;
        let sql = "SELECT user_id FROM second_factors WHERE user_id = $1 AND expires_at IS NULL";
        if tx.lock(sql, params![user]).await?.is_empty() {
            return Ok(false);
        }
        tx.write_recovery_codes(user, recovery).await?;
        tx.note_personal(user, by, PersonalAction::RecoveryCodesRenewed.into(), now)
            .await?;
        tx.commit().await?;
        Ok(true)
    }

    fn open_secret(&self, factor: Fields<'_>) -> Result<TotpSecret> {
        let user: UserId = factor.id("id")?;
        let sealed: Vec<u8> = factor.get("secret")?;
        let opened = self.0.vault.open(cell(&user), &sealed);
        let secret = opened
            .and_then(|base32| TotpSecret::parse(base32.expose()).ok_or(VaultError::Damaged))
            .map_err(|source| StoreError::Sealed {
                table: "second_factors",
                column: "secret",
                row: user.0,
                source,
            })?;
        Ok(secret)
    }
}

impl Tx {
    /// Whether this is a code of a factor whose row is locked. One that is accepted is noted.
    async fn judge(&mut self, factor: Fields<'_>, code: u32, now: Time) -> Result<bool> {
        let user: UserId = factor.id("id")?;
        let secret = self.store().open_secret(factor)?;
        let Some(step) = secret.accept(code, factor.get("last_step")?, now) else {
            return Ok(false);
        };
        let sql = "UPDATE second_factors SET last_step = $2 WHERE user_id = $1";
        self.execute(sql, params![user, step]).await?;
        Ok(true)
    }

    async fn write_recovery_codes(&mut self, user: UserId, hashes: &[[u8; 32]]) -> Result<()> {
        let sql = "DELETE FROM recovery_codes WHERE user_id = $1";
        self.execute(sql, params![user]).await?;
        for hash in hashes {
            let sql = "INSERT INTO recovery_codes (user_id, code_hash) VALUES ($1, $2)";
            self.execute(sql, params![user, hash]).await?;
        }
        Ok(())
    }
}

fn cell(user: &UserId) -> Cell<'_> {
    Cell {
        row: user.0.as_bytes(),
        column: "secret",
    }
}
