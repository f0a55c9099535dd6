//! Constraints that a column holds one of some words, in a form that SQLite checks fast.
//!
//! For each row that it inserts, SQLite makes a table in memory of the words of `CHECK (state IN ('a', 'b', 'c'))`, and looks the value up
//! in it: two such lists of a post take 34,000 instructions. Comparisons with each word mean the same and need no table.

use sqlx::sqlite::SqliteConnection;
use sqlx::{Connection, Executor};

use super::error::Result;

const TABLES: &str =
    "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%CHECK (% IN (%'";
/// Lists of fewer words SQLite compares without a table.
const FEWEST_WORDS: usize = 3;

/// Rewrites the constraints of all tables that still have such a list.
///
/// SQLite has no statement for that. The text of a table is changed in its schema, as
/// [ALTER TABLE](https://sqlite.org/lang_altertable.html#otheralter) describes for changes that do not affect the rows.
pub(crate) async fn rewrite(connection: &mut SqliteConnection) -> Result<()> {
    if rewritten(connection).await?.is_empty() {
        return Ok(());
    }
    let mut tx = connection.begin_with("BEGIN IMMEDIATE").await?;
    // Again: another process may have changed a table meanwhile.
    let tables = rewritten(&mut tx).await?;
    tx.execute("PRAGMA writable_schema = ON").await?;
    for (name, sql) in tables {
        let update = "UPDATE sqlite_schema SET sql = $2 WHERE type = 'table' AND name = $1";
        sqlx::query(update).bind(name).bind(sql).execute(&mut *tx).await?;
    }
    // Reads the schema again, and fails if it cannot be read: then nothing has changed.
    tx.execute("PRAGMA writable_schema = RESET").await?;
    tx.execute("SELECT 1 FROM sqlite_schema LIMIT 0").await?;
    let version: i64 = sqlx::query_scalar("PRAGMA schema_version")
        .fetch_one(&mut *tx)
        .await?;
    // By a new version other connections know that they must read it again.
    let next = format!("PRAGMA schema_version = {}", version + 1);
    tx.execute(sqlx::AssertSqlSafe(next)).await?;
    Ok(tx.commit().await?)
}

/// The tables with such lists, and what their texts are to be.
async fn rewritten(connection: &mut SqliteConnection) -> Result<Vec<(String, String)>> {
    let tables: Vec<(String, String)> = sqlx::query_as(TABLES).fetch_all(connection).await?;
    let rewritten = tables.into_iter().filter_map(|(name, sql)| {
        let compared = compared(&sql);
        (compared != sql).then_some((name, compared))
    });
    Ok(rewritten.collect())
}

/// The text of a table with a comparison for each word of a list.
fn compared(sql: &str) -> String {
    let mut parts = sql.split("CHECK (");
    let mut written = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        written.push_str("CHECK (");
        match list(part) {
            Some((column, words, rest)) => {
                let comparisons: Vec<String> =
                    words.iter().map(|word| format!("{column} = {word}")).collect();
                written.push_str(&comparisons.join(" OR "));
                written.push(')');
                written.push_str(rest);
            }
            None => written.push_str(part),
        }
    }
    written
}

/// Column and words of `state IN ('a', 'b', 'c')) …`, and what follows.
fn list(check: &str) -> Option<(&str, Vec<&str>, &str)> {
    let (column, rest) = check.split_once(" IN (")?;
    let (words, rest) = rest.split_once("))")?;
    let words: Vec<&str> = words.split(", ").collect();
    let is_name = |text: &str| text.chars().all(|c| c.is_ascii_alphabetic() || c == '_');
    let is_word = |text: &&str| {
        text.strip_prefix('\'')
            .and_then(|text| text.strip_suffix('\''))
            .is_some_and(is_name)
    };
    let is_list = is_name(column) && words.len() >= FEWEST_WORDS && words.iter().all(is_word);
    is_list.then_some((column, words, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_words_becomes_comparisons_and_all_else_stays() {
        let sql = "CREATE TABLE t (a TEXT CHECK (a IN ('x', 'y_z', 'Q')), b TEXT CHECK (b IN ('x', 'y')), CHECK ((a = 'x') = (b IS NULL)),
            c BIGINT CHECK (c >= 0))";
        let expected = "CREATE TABLE t (a TEXT CHECK (a = 'x' OR a = 'y_z' OR a = 'Q'), b TEXT CHECK (b IN ('x', 'y')), CHECK ((a = 'x') = (b IS NULL)),
            c BIGINT CHECK (c >= 0))";
        assert_eq!(compared(sql), expected);
        assert_eq!(compared(expected), expected);
    }

    #[test]
    fn a_list_that_is_of_something_else_than_words_stays() {
        for sql in [
            "CHECK (a IN (1, 2, 3))",
            "CHECK (a IN ('it''s', 'b', 'c'))",
            "CHECK (lower(a) IN ('a', 'b', 'c'))",
            "CHECK (a NOT IN ('a', 'b', 'c'))",
            "CHECK (a IN ('a', 'b', 'c') OR b)",
            "CHECK (a IN ('a',",
        ] {
            assert_eq!(compared(sql), sql);
        }
    }
}
