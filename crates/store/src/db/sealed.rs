//! Sealed values in rows: which columns hold them, and how they are opened.

use playout_domain::secret::Secret;
use uuid::Uuid;

use super::error::StoreError;
use super::row::Fields;
use super::vault::{Cell, Vault};

/// A column whose values are sealed.
#[derive(Clone, Copy)]
pub(crate) struct SealedColumn {
    pub(crate) table: &'static str,
    /// The column with the identifier for which the row's values are sealed.
    pub(crate) id: &'static str,
    /// The column's name.
    pub(crate) column: &'static str,
}

impl Vault {
    /// Opens what a row holds in a column; `None` if it holds nothing.
    pub(crate) fn open_in(
        &self,
        fields: Fields<'_>,
        sealed: SealedColumn,
    ) -> Result<Option<Secret>, StoreError> {
        let SealedColumn { table, id, column } = sealed;
        let Some(sealed) = fields.get::<Option<Vec<u8>>>(column)? else {
            return Ok(None);
        };
        let id: Uuid = fields.get(id)?;
        let row = id.as_bytes();
        let opened = self.open(Cell { row, column }, &sealed);
        opened.map(Some).map_err(|source| StoreError::Sealed {
            table,
            column,
            row: id,
            source,
        })
    }
}
