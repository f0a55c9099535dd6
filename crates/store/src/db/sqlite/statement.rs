//! Running a statement on a connection of SQLite.

use rusqlite::types::{ToSqlOutput, Value, ValueRef};
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
        found.push(copied(row, &mut columns)?.into());
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
    let mut columns = None;
    let mut cursor = statement.raw_query();
    while let Some(row) = cursor.next()? {
        if taken >= bytes {
            return Ok(Ok((found, true)));
        }
        let row = copied(row, &mut columns)?;
        taken += row.values().map(size_of_value).sum::<usize>();
        match read(&row.into()) {
            Ok(value) => found.push(value),
            Err(error) => return Ok(Err(error)),
        }
    }
    Ok(Ok((found, false)))
}

/// The row at the cursor. `columns` is of the statement, once there was a row.
fn copied(row: &rusqlite::Row<'_>, columns: &mut Option<Columns>) -> Outcome<SqliteRow> {
    let columns = columns.get_or_insert_with(|| Columns::of(&row.as_ref().column_names()));
    let mut copy = SqliteRow::new(columns.clone());
    for index in 0..columns.len() {
        copy.push(row.get_ref(index)?);
    }
    Ok(copy)
}

/// The statement, with its parameters.
fn prepared<'c>(connection: &'c Connection, sql: &str, params: &[Param]) -> Outcome<CachedStatement<'c>> {
    let mut statement = connection.prepare_cached(&numbered(sql))?;
    let count = statement.parameter_count();
    if count > params.len() {
        return Err(rusqlite::Error::InvalidParameterCount(count, params.len()));
    }
    for (index, param) in (1..=count).zip(params) {
        statement.raw_bind_parameter(index, value(param))?;
    }
    Ok(statement)
}

/// A statement with `?2` for `$2`, which to SQLite is a name and not a number.
fn numbered(sql: &str) -> String {
    let bytes = sql.as_bytes();
    // In pairs, so that the compiler makes it a loop over many bytes at once: each statement passes here.
    let numbered = |pair: &[u8]| match pair {
        [b'$', b'0'..=b'9'] => b'?',
        pair => pair[0],
    };
    let mut text: Vec<u8> = bytes.windows(2).map(numbered).collect();
    text.extend(bytes.last());
    String::from_utf8(text).unwrap_or_else(|_| sql.to_owned())
}

fn value(param: &Param) -> ToSqlOutput<'_> {
    let borrowed = match param {
        Param::Uuid(Some(id)) => ValueRef::Blob(id.as_bytes()),
        Param::Int(Some(number)) => ValueRef::Integer(*number),
        Param::Text(Some(text)) => ValueRef::Text(text.as_bytes()),
        Param::Bytes(Some(bytes)) => ValueRef::Blob(bytes),
        Param::Bool(truth) => ValueRef::Integer(i64::from(*truth)),
        Param::Json(Some(json)) => return ToSqlOutput::Owned(Value::Text(json.to_string())),
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
