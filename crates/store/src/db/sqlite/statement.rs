//! Running a statement on a connection of SQLite.

use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, Statement};
use sqlx::SqlSafeStr;

use super::failure::Outcome;
use crate::db::param::Param;
use crate::db::row::{Columns, SqliteRow, in_json};

/// What a value takes beside its place in the row, as JSON.
fn size_of_value(value: &Value) -> usize {
    match value {
        Value::Text(text) => in_json(text.as_bytes()),
        Value::Blob(bytes) => bytes.len(),
        Value::Null | Value::Integer(_) | Value::Real(_) => 8,
    }
}

/// All rows of a statement.
pub(super) fn rows(connection: &Connection, sql: &str, params: &[Param]) -> Outcome<Vec<SqliteRow>> {
    Ok(rows_within(connection, sql, params, usize::MAX)?.0)
}

/// The rows of a statement until they take so many bytes, and whether there were more.
pub(super) fn rows_within(
    connection: &Connection,
    sql: &str,
    params: &[Param],
    bytes: usize,
) -> Outcome<(Vec<SqliteRow>, bool)> {
    let mut statement = connection.prepare_cached(sql)?;
    bind(&mut statement, params)?;
    let (mut found, mut taken) = (Vec::new(), 0);
    let mut columns: Option<Columns> = None;
    let mut cursor = statement.raw_query();
    while let Some(row) = cursor.next()? {
        if taken >= bytes {
            return Ok((found, true));
        }
        let columns = columns.get_or_insert_with(|| Columns::of(&row.as_ref().column_names()));
        let mut values = Vec::with_capacity(columns.len());
        for index in 0..columns.len() {
            values.push(row.get::<_, Value>(index)?);
        }
        if bytes < usize::MAX {
            taken += values.iter().map(size_of_value).sum::<usize>();
        }
        found.push(SqliteRow::new(columns.clone(), values));
    }
    Ok((found, false))
}

/// To SQLite `$2` is a name, not a number: the parameter is looked up by the number in its name.
fn bind(statement: &mut Statement<'_>, params: &[Param]) -> Outcome<()> {
    for index in 1..=statement.parameter_count() {
        let number = statement
            .parameter_name(index)
            .and_then(|name| name.get(1..)?.parse::<usize>().ok());
        let param = number.and_then(|number| params.get(number.checked_sub(1)?));
        let param = param.ok_or(rusqlite::Error::InvalidParameterCount(index, params.len()))?;
        statement.raw_bind_parameter(index, value(param))?;
    }
    Ok(())
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
