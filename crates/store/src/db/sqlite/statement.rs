//! Running a statement on a connection of SQLite.

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{CachedStatement, Connection};
use sqlx::SqlSafeStr;

use super::failure::Outcome;
use crate::db::error::Result;
use crate::db::param::Param;
use crate::db::row::{Columns, Row, SqliteRow, in_json};

/// What a value takes beside its place in the row, as JSON.
fn size_of_value(value: ValueRef<'_>) -> usize {
    match value {
        ValueRef::Text(text) => in_json(text),
        ValueRef::Blob(bytes) => bytes.len(),
        ValueRef::Null | ValueRef::Integer(_) | ValueRef::Real(_) => 8,
    }
}

/// All rows of a statement.
pub(super) fn rows(connection: &Connection, sql: &str, params: &[Param]) -> Outcome<Vec<Row>> {
    let mut statement = prepared(connection, sql, params)?;
    let mut found = Vec::new();
    let mut columns = None;
    let mut cursor = statement.raw_query();
    while let Some(row) = cursor.next()? {
        let columns = columns.get_or_insert_with(|| columns_of(row));
        found.push(copied(row, SqliteRow::new(columns.clone()))?.into());
    }
    Ok(found)
}

/// What `read` makes of the rows of a statement until they take so many bytes, and whether there were more. No more than one row is
/// held at a time.
pub(crate) fn read_within<T>(
    connection: &Connection,
    sql: &str,
    params: &[Param],
    bytes: usize,
    read: fn(&Row) -> Result<T>,
) -> Outcome<Result<(Vec<T>, bool)>> {
    let mut statement = prepared(connection, sql, params)?;
    let (mut found, mut taken) = (Vec::new(), 0);
    let mut last: Option<SqliteRow> = None;
    let mut cursor = statement.raw_query();
    while let Some(row) = cursor.next()? {
        if taken >= bytes {
            return Ok(Ok((found, true)));
        }
        let empty = last.map_or_else(|| SqliteRow::new(columns_of(row)), SqliteRow::cleared);
        let row = copied(row, empty)?;
        taken += row.values().map(size_of_value).sum::<usize>();
        let row = Row::from(row);
        match read(&row) {
            Ok(value) => found.push(value),
            Err(error) => return Ok(Err(error)),
        }
        last = row.into_sqlite();
    }
    Ok(Ok((found, false)))
}

fn columns_of(row: &rusqlite::Row<'_>) -> Columns {
    Columns::of(&row.as_ref().column_names())
}

/// The row at the cursor, as a copy in one without values.
fn copied(row: &rusqlite::Row<'_>, mut copy: SqliteRow) -> Outcome<SqliteRow> {
    for index in 0..copy.width() {
        copy.push(row.get_ref(index)?);
    }
    Ok(copy)
}

/// The statement, with its parameters.
fn prepared<'c>(connection: &'c Connection, sql: &str, params: &[Param]) -> Outcome<CachedStatement<'c>> {
    let mut statement = connection.prepare_cached(sql)?;
    for index in 1..=statement.parameter_count() {
        let number = statement.parameter_name(index).and_then(number).unwrap_or(index);
        let param = params
            .get(number - 1)
            .ok_or(rusqlite::Error::InvalidParameterCount(number, params.len()))?;
        statement.raw_bind_parameter(index, value(param))?;
    }
    Ok(statement)
}

/// The number in `$2`, which to SQLite is a name: it numbers parameters by where each name stands first
/// (<https://sqlite.org/lang_expr.html#varparam>).
fn number(name: &str) -> Option<usize> {
    let number: usize = name.strip_prefix('$')?.parse().ok()?;
    (number > 0).then_some(number)
}

fn value(param: &Param) -> ToSqlOutput<'_> {
    let borrowed = match param {
        Param::Uuid(Some(id)) => ValueRef::Blob(id.as_bytes()),
        Param::Int(Some(number)) => ValueRef::Integer(*number),
        Param::Text(Some(text)) => ValueRef::Text(text.as_bytes()),
        Param::Bytes(Some(bytes)) => ValueRef::Blob(bytes),
        Param::Bool(truth) => ValueRef::Integer(i64::from(*truth)),
        Param::Json(Some(json)) => ValueRef::Text(json.get().as_bytes()),
        Param::Uuid(None) | Param::Int(None) | Param::Text(None) | Param::Bytes(None) | Param::Json(None) => {
            ValueRef::Null
        }
    };
    ToSqlOutput::Borrowed(borrowed)
}

/// The text of a statement.
pub(crate) fn text(sql: impl SqlSafeStr) -> String {
    sql.into_sql_str().as_str().to_owned()
}
