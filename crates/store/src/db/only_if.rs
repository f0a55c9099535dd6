//! Changes that are made only if the row is still what the caller has seen.

use super::error::{Result, StoreError};

/// Whether a row, locked for a change, is one that the caller wants to change; `None`: whatever it is.
pub type OnlyIf<'a, T> = Option<&'a (dyn Fn(&T) -> bool + Send + Sync)>;

/// Refuses a row that the caller does not want to change.
///
/// # Errors
/// [`StoreError::Stale`].
pub(crate) fn require<T>(only_if: OnlyIf<'_, T>, row: &T) -> Result<()> {
    match only_if {
        Some(wanted) if !wanted(row) => Err(StoreError::Stale),
        _ => Ok(()),
    }
}
