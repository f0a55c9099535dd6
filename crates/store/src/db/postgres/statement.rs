//! Running a statement on a connection of PostgreSQL.

use futures_util::TryStreamExt;
use sqlx::postgres::{PgConnection, PgRow};
use sqlx::{AssertSqlSafe, Column as _, Executor, Row as _, TypeInfo as _};

use crate::db::error::Result;
use crate::db::param::Param;
use crate::db::row::{Row, in_json};

/// The query with every parameter bound.
macro_rules! bound {
    ($sql:expr, $params:expr) => {{
        use $crate::db::param::Param;
        let query = sqlx::query($sql);
        $params.into_iter().fold(query, |query, param| match param {
            Param::Uuid(value) => query.bind(value),
            Param::Int(value) => query.bind(value),
            Param::Text(value) => query.bind(value),
            Param::Bytes(value) => query.bind(value),
            Param::Bool(value) => query.bind(value),
            Param::Json(value) => query.bind(value.map(sqlx::types::Json)),
        })
    }};
}
pub(crate) use bound;

/// Whether PostgreSQL ended a statement because of its time limit (SQLSTATE 57014).
pub(crate) fn was_cancelled(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(|error| error.code());
    code.is_some_and(|code| code == "57014")
}

/// What a value of a fixed size takes as JSON, about.
const FIXED: usize = 16;

/// The columns of which a value may be of any size. To look at each value takes sqlx almost as long as to read it.
fn of_any_size(row: &PgRow) -> Vec<usize> {
    let is_fixed = |name: &str| matches!(name, "UUID" | "INT8" | "BOOL");
    let columns = row.columns().iter().enumerate();
    let measured = columns.filter(|(_, column)| !is_fixed(column.type_info().name()));
    measured.map(|(index, _)| index).collect()
}

/// What `read` makes of the rows of a statement until they take so many bytes, and whether there were more.
pub(crate) async fn read_within<T>(
    connection: &mut PgConnection,
    sql: String,
    params: Vec<Param>,
    bytes: usize,
    read: fn(&Row) -> Result<T>,
) -> Result<Result<(Vec<T>, bool)>, sqlx::Error> {
    let mut stream = connection.fetch(bound!(AssertSqlSafe(sql), params));
    let (mut found, mut taken) = (Vec::new(), 0);
    let mut measured = None;
    while let Some(row) = stream.try_next().await? {
        if taken >= bytes {
            return Ok(Ok((found, true)));
        }
        let measured = measured.get_or_insert_with(|| of_any_size(&row));
        let sizes = measured.iter().map(|index| {
            let value = row.try_get_raw(*index).ok()?;
            value.as_bytes().ok().map(in_json)
        });
        taken += FIXED * (row.len() - measured.len()) + sizes.flatten().sum::<usize>();
        match read(&row.into()) {
            Ok(value) => found.push(value),
            Err(error) => return Ok(Err(error)),
        }
    }
    Ok(Ok((found, false)))
}
