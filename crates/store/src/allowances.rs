//! Limits that hold on every node and across restarts: how many mails go to an address, how many invitations a person
//! sends. One row a subject, changed by one statement, so that the limit is exact under concurrency.

use std::time::Duration;

use playout_domain::rate::Rate;
use playout_domain::time::Time;

use crate::db::{Result, Store, Tx, params};

/// The outcome of taking one from an allowance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Allowance {
    /// One was taken.
    Taken,
    /// None is left; the next one is free after this time.
    UsedUp(Duration),
}

/// What is limited, and how often it may happen.
#[derive(Debug, Clone, Copy)]
pub struct Allowed<'a> {
    /// The purpose, such as `invitations to`: subjects of different kinds do not share anything.
    pub kind: &'a str,
    /// The person, workspace or address; only a keyed hash of it is stored.
    pub subject: &'a [u8],
    /// How often.
    pub rate: Rate,
}

impl Store {
    /// Takes one from an allowance, if one is left.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn take_allowance(&self, of: Allowed<'_>, now: Time) -> Result<Allowance> {
        let mut tx = self.begin().await?;
        let taken = tx.take_allowance(of, now).await?;
        tx.commit().await?;
        Ok(taken)
    }
}

impl Tx {
    /// [`Store::take_allowance`] within a transaction. A transaction that takes from several must take them in the same
    /// order as every other, since each holds its row to the end.
    pub(crate) async fn take_allowance(&mut self, of: Allowed<'_>, now: Time) -> Result<Allowance> {
        let subject = self.vault().keyed_hash("allowances", of.subject);
        let each = interval(of.rate);
        let all = each.saturating_mul(of.rate.burst());
        let sql = "INSERT INTO allowances (kind, subject, used_until) VALUES ($1, $2, $4)
            ON CONFLICT (kind, subject) DO UPDATE SET used_until =
                CASE WHEN allowances.used_until > $3 THEN allowances.used_until + $5 ELSE $4 END
            WHERE allowances.used_until + $5 <= $6 RETURNING used_until";
        let step = i64::try_from(each.as_micros()).unwrap_or(i64::MAX);
        let params = params![of.kind, subject, now, now.plus(each), step, now.plus(all)];
        if self.row(sql, params).await?.is_some() {
            return Ok(Allowance::Taken);
        }
        let sql = "SELECT used_until FROM allowances WHERE kind = $1 AND subject = $2";
        let row = self.row(sql, params![of.kind, subject]).await?;
        let used_until = row
            .map(|row| row.of("allowances").time("used_until"))
            .transpose()?;
        let free = used_until.unwrap_or(now).plus(each).minus(all);
        Ok(Allowance::UsedUp(free.since(now)))
    }
}

impl Tx {
    /// Adds to an allowance that is full after `all`, whether or not that much is left of it: for what is known only once
    /// it has happened. Holds its row to the end of the transaction.
    pub(crate) async fn charge_allowance(
        &mut self,
        kind: &str,
        subject: &[u8],
        cost: Duration,
        now: Time,
    ) -> Result<()> {
        let subject = self.vault().keyed_hash("allowances", subject);
        let sql = "INSERT INTO allowances (kind, subject, used_until) VALUES ($1, $2, $4)
            ON CONFLICT (kind, subject) DO UPDATE SET used_until =
                CASE WHEN allowances.used_until > $3 THEN allowances.used_until + $5 ELSE $4 END";
        let step = i64::try_from(cost.as_micros()).unwrap_or(i64::MAX);
        let params = params![kind, subject, now, now.plus(cost), step];
        self.execute(sql, params).await?;
        Ok(())
    }

    /// How long it takes until something is left of an allowance that is full after `all`; `None` where there is.
    pub(crate) async fn allowance_full(
        &mut self,
        kind: &str,
        subject: &[u8],
        all: Duration,
        now: Time,
    ) -> Result<Option<Duration>> {
        let subject = self.vault().keyed_hash("allowances", subject);
        let sql = "SELECT used_until FROM allowances WHERE kind = $1 AND subject = $2";
        let row = self.row(sql, params![kind, subject]).await?;
        let used_until = row
            .map(|row| row.of("allowances").time("used_until"))
            .transpose()?;
        let over = used_until.map_or(Duration::ZERO, |until| until.since(now.plus(all)));
        Ok(Some(over).filter(|over| !over.is_zero()))
    }
}

/// The time after which one more is free.
fn interval(rate: Rate) -> Duration {
    Duration::from_secs(rate.window_seconds().into()) / rate.quota()
}
