//! Calls that are counted for all nodes, which on SQLite is one.
//!
//! A node counts in its memory and adds what it counted here, many calls at a time; what it learns is what the other nodes have added.
//! So several nodes let through as many calls as one would, and a few more that they do not know of one another
//! (`docs/decisions.md#count-calls-in-memory-and-share-the-counts`).

use std::time::Duration;

use playout_domain::rate::{Bucket, Rate};
use playout_domain::time::Time;

use crate::db::{Dialect, Result, Row, Store, params};

/// Rows of callers who have not called for so long say nothing: no rate has a longer window.
pub(crate) const RATES_LIFETIME: Duration = Duration::from_secs(2 * 86_400);

/// Calls of one caller that were let through.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Calls {
    /// Who called; only a keyed hash of it is stored.
    pub subject: Vec<u8>,
    /// How often they may.
    pub rate: Rate,
    /// How many were let through since the node last added some.
    pub count: u32,
}

const ADD: &str = "INSERT INTO rates (kind, subject, quota, cost, most, parts, at) VALUES ($1, $2, $3, $4, $5, $5 - $6, $7)
    ON CONFLICT (kind, subject) DO UPDATE SET quota = excluded.quota, cost = excluded.cost, most = excluded.most,
        parts = CASE WHEN rates.quota = excluded.quota AND rates.cost = excluded.cost AND rates.most = excluded.most
            THEN least(excluded.most, rates.parts + excluded.quota
                * least(greatest(excluded.at - rates.at, 0), 2 * excluded.most / excluded.quota + 1)) - $6
            ELSE excluded.parts END,
        at = greatest(rates.at, excluded.at)
    RETURNING parts, at";

impl Store {
    /// Whether other nodes may count calls too.
    pub fn shares_rates(&self) -> bool {
        self.dialect() == Dialect::Postgres
    }

    /// Adds calls of a caller of this kind that were made until `now`, and returns what is then left to them. A caller whose rate has changed begins with all of
    /// it. PostgreSQL only ([`Store::shares_rates`]).
    ///
    /// # Errors
    /// When the database fails.
    pub async fn add_calls(&self, kind: &str, calls: &Calls, now: Time) -> Result<Bucket> {
        let subject = self.0.vault.keyed_hash("rates", &calls.subject);
        let rate = calls.rate;
        let params = params![
            kind,
            subject,
            i64::from(rate.quota()),
            rate.parts_of(1),
            rate.parts_of(rate.burst()),
            rate.parts_of(calls.count),
            now,
        ];
        let row = self.write_row(ADD, params).await?;
        row.map_or_else(|| Ok(Bucket::new(rate, now)), |row| read_bucket(&row))
    }

    /// Gives a caller all of what they may call.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn forget_calls(&self, kind: &str, subject: &[u8]) -> Result<()> {
        let subject = self.0.vault.keyed_hash("rates", subject);
        let sql = "DELETE FROM rates WHERE kind = $1 AND subject = $2";
        self.execute(sql, params![kind, subject]).await?;
        Ok(())
    }
}

fn read_bucket(row: &Row) -> Result<Bucket> {
    let fields = row.of("rates");
    Ok(Bucket::of(fields.get("parts")?, fields.time("at")?))
}
