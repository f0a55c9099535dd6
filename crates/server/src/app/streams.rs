//! How many streams of events each user, and each workspace with its keys, has open: on all nodes together, as far as the database answers.

pub mod open;

use std::time::Duration;

use playout_domain::error::Refusal;
use playout_store::{OpenStreams, StoreError};

use self::open::OpenStream;
use super::App;
use super::payloads::Holder;
use super::refusals::too_many;

/// The streams of one holder. The tabs of a browser share one.
const PER_HOLDER: u32 = 10;
/// When to try for a free stream again: a page without one polls meanwhile.
const AGAIN: Duration = Duration::from_secs(60);

impl App {
    /// Counts one more stream of a holder, or refuses it: if a new stream replaced an old one, the old one's client would
    /// reconnect and replace the next.
    ///
    /// # Errors
    ///
    /// `rate_limited`, where the holder has 10 already.
    pub async fn open_stream(&self, holder: Holder) -> Result<OpenStream, Refusal> {
        let (open, count) = self.streams.open(holder);
        // Noted before the others are counted: of two nodes that open one at a time, one at least sees both.
        let elsewhere = match self.store.is_shared() && count <= PER_HOLDER {
            true => self.count_elsewhere(holder).await.unwrap_or(0),
            false => 0,
        };
        match count + elsewhere <= PER_HOLDER {
            true => Ok(open),
            false => {
                let message = format!("{PER_HOLDER} streams of events are open already. Close one first.");
                Err(too_many(&message, AGAIN))
            }
        }
    }

    async fn count_elsewhere(&self, holder: Holder) -> Result<u32, StoreError> {
        let _turn = self.streams.turn().await;
        let (node, now, count) = (&self.node.name, self.now(), self.streams.count(holder));
        let bytes = holder.bytes();
        let open = OpenStreams {
            holder: bytes.clone(),
            count,
        };
        let until = now.plus(open::COUNTED_FOR);
        self.store.note_streams(node, &[open], until).await?;
        self.streams.noted(&[(holder, count)], until);
        self.store.streams_elsewhere(node, &bytes, now).await
    }

    /// Notes for other nodes what is open here.
    ///
    /// # Errors
    /// When the database fails.
    pub(super) async fn share_streams(&self) -> Result<(), StoreError> {
        let _turn = self.streams.turn().await;
        let now = self.now();
        let unknown = self.streams.unknown(now);
        if unknown.is_empty() {
            return Ok(());
        }
        let open = unknown.iter().map(|(holder, count)| OpenStreams {
            holder: holder.bytes(),
            count: *count,
        });
        let (open, until): (Vec<_>, _) = (open.collect(), now.plus(open::COUNTED_FOR));
        self.store.note_streams(&self.node.name, &open, until).await?;
        self.streams.noted(&unknown, until);
        Ok(())
    }
}
