//! Inserting many rows with few statements, and lists of parameters.

use sqlx::AssertSqlSafe;

use super::error::Result;
use super::param::Param;
use super::row::Row;
use super::tx::Tx;

/// Rows in one statement: SQLite takes 32,766 parameters and PostgreSQL 65,535.
const ROWS: usize = 200;
/// About as many bytes as a placeholder and its comma take.
const PLACEHOLDER: usize = 6;

impl Tx {
    /// Adds `rows`, each with a value for every column that `into` names: `INSERT INTO table (a, b)`.
    pub(crate) async fn insert(&mut self, into: &'static str, rows: Vec<Vec<Param>>) -> Result<()> {
        for (sql, params) in statements(into, rows) {
            self.execute(AssertSqlSafe(sql), params).await?;
        }
        Ok(())
    }

    /// [`Tx::insert`], and returns the columns `returning` of each row.
    pub(crate) async fn insert_returning(
        &mut self,
        into: &'static str,
        rows: Vec<Vec<Param>>,
        returning: &'static str,
    ) -> Result<Vec<Row>> {
        let mut returned = Vec::with_capacity(rows.len());
        for (sql, params) in statements(into, rows) {
            let sql = format!("{sql} RETURNING {returning}");
            returned.extend(self.rows(AssertSqlSafe(sql), params).await?);
        }
        Ok(returned)
    }
}

/// As few statements as take all rows, and their parameters.
fn statements(into: &'static str, rows: Vec<Vec<Param>>) -> Vec<(String, Vec<Param>)> {
    let columns = rows.first().map_or(0, Vec::len);
    let mut rows = rows.into_iter().peekable();
    let mut statements = Vec::new();
    while rows.peek().is_some() {
        let chunk: Vec<Vec<Param>> = rows.by_ref().take(ROWS).collect();
        let sql = format!("{into} VALUES {}", placeholders(chunk.len(), columns));
        statements.push((sql, chunk.into_iter().flatten().collect()));
    }
    statements
}

/// `($1, $2), ($3, $4)` for two rows of two columns.
pub(crate) fn placeholders(rows: usize, columns: usize) -> String {
    let mut written = String::with_capacity(rows * columns * PLACEHOLDER);
    for row in 0..rows {
        written.push_str(if row == 0 { "(" } else { ", (" });
        write_numbered(&mut written, row * columns + 1, columns);
        written.push(')');
    }
    written
}

/// `$3, $4` for two parameters from the third.
pub(crate) fn numbered(first: usize, count: usize) -> String {
    let mut written = String::with_capacity(count * PLACEHOLDER);
    write_numbered(&mut written, first, count);
    written
}

/// [`numbered`] at the end of `text`. Every insert and every list is written by it, so it allocates nothing of its own, and formats nothing.
fn write_numbered(text: &mut String, first: usize, count: usize) {
    for number in first..first + count {
        text.push_str(if number == first { "$" } else { ", $" });
        write_number(text, number);
    }
}

fn write_number(text: &mut String, number: usize) {
    if number > 9 {
        write_number(text, number / 10);
    }
    text.push(char::from(b"0123456789"[number % 10]));
}

/// That `column` is none of so many parameters from the `first`, as the rest of a condition. They are rows of their own: PostgreSQL looks up
/// a column in such rows by a hash, and compares it with each member of a list.
pub(crate) fn none_of(column: &str, first: usize, count: usize) -> String {
    match count {
        0 => String::new(),
        count => {
            let rows: Vec<String> = (first..first + count)
                .map(|number| format!("(${number})"))
                .collect();
            format!("AND {column} NOT IN (VALUES {})", rows.join(", "))
        }
    }
}

/// The parameters of a list of identifiers. There are few lengths of lists, so that each connection can keep its prepared
/// statements: the last identifier stands there several times.
pub(crate) fn padded<T: Copy + Into<Param>>(ids: &[T]) -> Vec<Param> {
    let length = if ids.is_empty() {
        0
    } else {
        ids.len().next_power_of_two()
    };
    let last = ids.last().into_iter().cycle();
    ids.iter()
        .chain(last)
        .take(length)
        .map(|id| (*id).into())
        .collect()
}

/// The text and parameters of a query for these identifiers, at least one.
pub(crate) fn asked<T: Copy + Into<Param>>(sql: fn(&str) -> String, ids: &[T]) -> (String, Vec<Param>) {
    let params = padded(ids);
    (sql(&numbered(1, params.len())), params)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_has_a_placeholder_of_its_own() {
        assert_eq!(placeholders(2, 3), "($1, $2, $3), ($4, $5, $6)");
        assert_eq!(numbered(9, 3), "$9, $10, $11");
    }
}
