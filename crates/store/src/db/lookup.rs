//! Queries for what belongs to many things at once, by their identifiers. The text is the same for any number of them, so that it is prepared
//! once, and has one plan.

use uuid::Uuid;

use super::error::Result;
use super::row::Fields;

/// A query for what belongs to many things. The column `number` of its rows is which of the identifiers they belong to, from 1.
pub(crate) struct Lookup {
    /// For SQLite: `$1` is the bytes of the identifiers, one after the other.
    pub(crate) sqlite: &'static str,
    /// For PostgreSQL: `$1` is an array of them.
    pub(crate) postgres: &'static str,
}

/// The identifiers as SQLite is given them.
pub(super) fn bytes(ids: &[Uuid]) -> Vec<u8> {
    ids.iter().flat_map(|id| *id.as_bytes()).collect()
}

impl Fields<'_> {
    /// Which of the identifiers of a [`Lookup`] the row belongs to, from 0.
    pub(crate) fn looked_up(self) -> Result<usize> {
        Ok(self.number::<usize>("number")?.saturating_sub(1))
    }
}
