//! How many streams of events a person or a workspace has open at all nodes, which on SQLite is one.
//!
//! Each node writes its own numbers, with a time until which they count; those of one that dies end then.

use data_encoding::HEXLOWER;
use playout_domain::time::Time;
use serde::Serialize;

use crate::db::{Result, Store, json, params, read_one};

/// The streams that a holder has open at one node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenStreams {
    /// Who has them; only a keyed hash of it is stored.
    pub holder: Vec<u8>,
    /// How many.
    pub count: u32,
}

const NOTE: &str = "INSERT INTO open_streams (holder, node, streams, until)
    SELECT decode(holder, 'hex'), $1, streams, $3 FROM jsonb_to_recordset($2) AS open (holder text, streams bigint) ORDER BY holder
    ON CONFLICT (holder, node) DO UPDATE SET streams = excluded.streams, until = excluded.until";

const ELSEWHERE: &str = "SELECT CAST(COALESCE(SUM(streams), 0) AS BIGINT) AS streams FROM open_streams
    WHERE holder = $1 AND node <> $2 AND until > $3";

pub(crate) const DELETE_ENDED: &str = "DELETE FROM open_streams WHERE streams = 0 OR until <= $1";

impl Store {
    /// Notes what a node has open, until a time. PostgreSQL only ([`Store::is_shared`]).
    ///
    /// # Errors
    /// When the database fails.
    pub async fn note_streams(&self, node: &str, open: &[OpenStreams], until: Time) -> Result<()> {
        let open = open.iter().map(|open| Noted {
            holder: HEXLOWER.encode(&self.holder_of(&open.holder)),
            streams: open.count,
        });
        let open: Vec<Noted> = open.collect();
        self.execute(NOTE, params![node, json(&open), until]).await?;
        Ok(())
    }

    /// How many streams a holder has open at other nodes.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn streams_elsewhere(&self, node: &str, holder: &[u8], now: Time) -> Result<u32> {
        let params = params![self.holder_of(holder), node, now];
        let row = self.row(ELSEWHERE, params).await?;
        let count = read_one(row, |row| row.of("open_streams").number("streams"))?;
        Ok(count.unwrap_or(0))
    }

    fn holder_of(&self, holder: &[u8]) -> [u8; 32] {
        self.0.vault.keyed_hash("streams", holder)
    }
}

/// Streams as the statement reads them.
#[derive(Serialize)]
struct Noted {
    holder: String,
    streams: u32,
}
