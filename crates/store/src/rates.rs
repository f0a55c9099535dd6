//! Calls that are counted for all nodes, which on SQLite is one.
//!
//! A node counts in its memory and adds what it counted here, many calls at a time; what it learns is what the other nodes have added.
//! So several nodes let through as many calls as one would, and a few more that they do not know of one another
//! (`docs/decisions.md#count-calls-in-memory-and-share-the-counts`).

use std::collections::HashMap;

use data_encoding::HEXLOWER;
use playout_domain::rate::{Bucket, Rate};
use playout_domain::time::Time;
use serde::Serialize;

use crate::db::{Dialect, Result, Row, Store, json, params};

/// Calls of one caller that were let through.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Calls {
    /// Who called; only a keyed hash of it is stored.
    pub subject: Vec<u8>,
    /// How often they may.
    pub rate: Rate,
    /// How many were let through since the node last added some.
    pub count: u32,
    /// When the last of them was.
    pub at: Time,
}

/// Nodes lock the rows that they add to in the same order.
const ADD: &str = "INSERT INTO rates (kind, subject, quota, cost, most, parts, at)
    SELECT $1, decode(subject, 'hex'), quota, cost, most, most - spent, at
    FROM jsonb_to_recordset($2) AS calls (subject text, quota bigint, cost bigint, most bigint, spent bigint, at bigint)
    ORDER BY subject
    ON CONFLICT (kind, subject) DO UPDATE SET quota = excluded.quota, cost = excluded.cost, most = excluded.most,
        parts = CASE WHEN rates.quota = excluded.quota AND rates.cost = excluded.cost AND rates.most = excluded.most
            THEN least(excluded.most, rates.parts + excluded.quota
                * least(greatest(excluded.at - rates.at, 0), 2 * excluded.most / excluded.quota + 1))
                + excluded.parts - excluded.most
            ELSE excluded.parts END,
        at = greatest(rates.at, excluded.at)
    RETURNING subject, parts, at";

/// What is left to callers counts as nothing used up when it is all of it again.
pub(crate) const DELETE_REFILLED: &str = "DELETE FROM rates WHERE at + (most - parts) / quota < $1";

impl Store {
    /// Whether other nodes may use this database, too.
    pub fn is_shared(&self) -> bool {
        self.dialect() == Dialect::Postgres
    }

    /// Adds calls of callers of this kind, none of them twice, and returns what is then left to each, in their order. A caller whose rate has
    /// changed begins with all of it. PostgreSQL only ([`Store::is_shared`]).
    ///
    /// # Errors
    /// When the database fails.
    pub async fn add_calls(&self, kind: &str, calls: &[&Calls]) -> Result<Vec<Bucket>> {
        let subjects = calls
            .iter()
            .map(|calls| self.0.vault.keyed_hash("rates", &calls.subject));
        let subjects: Vec<[u8; 32]> = subjects.collect();
        let added = calls.iter().zip(&subjects).map(|(calls, subject)| Added {
            subject: HEXLOWER.encode(subject),
            quota: calls.rate.quota(),
            cost: calls.rate.parts_of(1),
            most: calls.rate.parts_of(calls.rate.burst()),
            spent: calls.rate.parts_of(calls.count),
            at: calls.at.as_micros(),
        });
        let added: Vec<Added> = added.collect();
        let rows = self.write_rows(ADD, params![kind, json(&added)]).await?;
        let left = rows.iter().map(read_left).collect::<Result<HashMap<_, _>>>()?;
        let left_to = |(calls, subject): (&&Calls, &[u8; 32])| {
            let left = left.get(subject.as_slice()).copied();
            left.unwrap_or_else(|| Bucket::new(calls.rate, calls.at))
        };
        Ok(calls.iter().zip(&subjects).map(left_to).collect())
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

/// Calls as the statement reads them, counted in the parts of a [`Bucket`].
#[derive(Serialize)]
struct Added {
    subject: String,
    quota: u32,
    cost: i64,
    most: i64,
    spent: i64,
    at: i64,
}

fn read_left(row: &Row) -> Result<(Vec<u8>, Bucket)> {
    let fields = row.of("rates");
    let left = Bucket::of(fields.get("parts")?, fields.time("at")?);
    Ok((fields.get("subject")?, left))
}
