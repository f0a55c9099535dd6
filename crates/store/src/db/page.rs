//! Pages of lists.

use playout_domain::time::Time;
use uuid::Uuid;

/// A page of a list: at most `limit` rows, those that follow `after` in the list's order.
///
/// `after` is the sort key of the last row of the page before: (effective date, id) for posts, (created, id) for
/// media. Because the key names a place and not a count, rows added meanwhile make no page repeat or skip any.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// At most so many rows.
    pub limit: u32,
    /// The key of the last row already seen.
    pub after: Option<(Time, Uuid)>,
}

/// What the rows of a page take at most as JSON, before the row that reaches it.
pub(crate) const MOST_BYTES: usize = 4 << 20;
