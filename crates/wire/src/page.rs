//! Pagination: an opaque cursor that holds the last row's sort key (`docs/contract.md#pagination`).

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use playout_domain::time::Time;
use uuid::Uuid;

/// The most rows of one page, and the default.
pub const MAX_LIMIT: u32 = 1000;

/// The row after which a page starts: its time and ID.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor {
    /// The sort time of the last row of the page before.
    pub at: Time,
    /// Its ID.
    pub id: Uuid,
}

impl Cursor {
    /// The text that clients send back.
    pub fn encode(self) -> String {
        let mut bytes = [0; 24];
        bytes[..8].copy_from_slice(&self.at.as_micros().to_be_bytes());
        bytes[8..].copy_from_slice(self.id.as_bytes());
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Parses the text of [`Cursor::encode`].
    pub fn decode(text: &str) -> Option<Self> {
        let bytes: [u8; 24] = URL_SAFE_NO_PAD.decode(text).ok()?.try_into().ok()?;
        let (at, id) = bytes.split_at(8);
        Some(Self {
            at: Time::from_micros(i64::from_be_bytes(at.try_into().ok()?)),
            id: Uuid::from_slice(id).ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_cursor_survives_the_round_trip(at: i64, id: u128) {
            let cursor = Cursor { at: Time::from_micros(at), id: Uuid::from_u128(id) };
            prop_assert_eq!(Cursor::decode(&cursor.encode()), Some(cursor));
        }

        #[test]
        fn garbage_is_no_cursor(text in "\\PC{0,31}") {
            prop_assert_eq!(Cursor::decode(&text), None);
        }
    }
}
