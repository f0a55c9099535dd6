//! Inserting many rows with few statements.

use sqlx::AssertSqlSafe;

use crate::db::Tx;
use crate::error::Result;
use crate::param::Param;

/// Rows in one statement: SQLite takes 32,766 parameters and PostgreSQL 65,535.
const ROWS: usize = 200;

impl Tx {
    /// Adds `rows`, each with a value for every column that `into` names: `INSERT INTO table (a, b)`.
    pub(crate) async fn insert(&mut self, into: &'static str, rows: Vec<Vec<Param>>) -> Result<()> {
        let columns = rows.first().map_or(0, Vec::len);
        let mut rows = rows.into_iter().peekable();
        while rows.peek().is_some() {
            let chunk: Vec<Vec<Param>> = rows.by_ref().take(ROWS).collect();
            let sql = format!("{into} VALUES {}", placeholders(chunk.len(), columns));
            self.execute(AssertSqlSafe(sql), chunk.into_iter().flatten().collect())
                .await?;
        }
        Ok(())
    }
}

/// `($1, $2), ($3, $4)` for two rows of two columns.
fn placeholders(rows: usize, columns: usize) -> String {
    let row = |row: usize| format!("({})", numbered(row * columns + 1, columns));
    (0..rows).map(row).collect::<Vec<_>>().join(", ")
}

/// `$3, $4` for two parameters from the third.
pub(crate) fn numbered(first: usize, count: usize) -> String {
    (first..first + count)
        .map(|number| format!("${number}"))
        .collect::<Vec<_>>()
        .join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_has_a_placeholder_of_its_own() {
        assert_eq!(placeholders(2, 3), "($1, $2, $3), ($4, $5, $6)");
        assert_eq!(numbered(3, 2), "$3, $4");
    }
}
