//! What comes out of a statement: a row of either database, read into domain values.
//!
//! A cell that cannot be read is an internal error that names table, column and row.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use playout_domain::time::Time;
use rusqlite::types::Value;
use serde::de::DeserializeOwned;
use sqlx::postgres::{PgRow, Postgres};
use sqlx::types::Json;
use sqlx::{Decode, Row as _, Type};
use uuid::Uuid;

use super::error::{Result, StoreError};

/// A row of either database.
pub(crate) enum Row {
    Sqlite(SqliteRow),
    Postgres(PgRow),
}

/// A row of SQLite: its values, and the names of their columns.
pub(crate) struct SqliteRow {
    columns: Columns,
    values: Vec<Value>,
    /// The column after the one that was read last. Rows are mostly read in the order of their columns, so a search that begins
    /// here mostly ends here.
    next: AtomicUsize,
}

/// The names of the columns of a statement, shared by its rows.
#[derive(Clone)]
pub(crate) struct Columns(Arc<[Box<str>]>);

impl Columns {
    pub(crate) fn of(names: &[&str]) -> Self {
        Self(names.iter().map(|&name| name.into()).collect())
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}

/// A type that both databases can hold in a cell.
pub(crate) trait Cell: for<'r> Decode<'r, Postgres> + Type<Postgres> {
    /// Reads what SQLite holds; `None` if it is of another type.
    fn of_sqlite(value: &Value) -> Option<Self>;
}

macro_rules! cells {
    ($($type:ty: $pattern:pat => $read:expr;)*) => {$(
        impl Cell for $type {
            fn of_sqlite(value: &Value) -> Option<Self> {
                match value {
                    $pattern => $read,
                    _ => None,
                }
            }
        }
    )*};
}

cells! {
    i64: Value::Integer(number) => Some(*number);
    bool: Value::Integer(number) => Some(*number != 0);
    String: Value::Text(text) => Some(text.clone());
    Vec<u8>: Value::Blob(bytes) => Some(bytes.clone());
    Uuid: Value::Blob(bytes) => Uuid::from_slice(bytes).ok();
}

impl<T: DeserializeOwned + Unpin + Send + 'static> Cell for Json<T> {
    fn of_sqlite(value: &Value) -> Option<Self> {
        match value {
            Value::Text(text) => serde_json::from_str(text).ok().map(Json),
            _ => None,
        }
    }
}

impl<T: Cell> Cell for Option<T>
where
    Self: for<'r> Decode<'r, Postgres> + Type<Postgres>,
{
    fn of_sqlite(value: &Value) -> Option<Self> {
        match value {
            Value::Null => Some(None),
            other => T::of_sqlite(other).map(Some),
        }
    }
}

/// A row, and the table that it came from.
#[derive(Clone, Copy)]
pub(crate) struct Fields<'a> {
    row: &'a Row,
    table: &'static str,
}

impl Row {
    /// This row as one of `table`.
    pub(crate) fn of(&self, table: &'static str) -> Fields<'_> {
        Fields { row: self, table }
    }

    fn cell<T: Cell>(&self, column: &str) -> Result<T, String> {
        match self {
            Self::Sqlite(row) => row.cell(column),
            Self::Postgres(row) => row.try_get(column).map_err(|error| error.to_string()),
        }
    }
}

impl SqliteRow {
    /// A row with a value for every column.
    pub(crate) fn new(columns: Columns, values: Vec<Value>) -> Self {
        Self {
            columns,
            values,
            next: AtomicUsize::new(0),
        }
    }

    fn cell<T: Cell>(&self, column: &str) -> Result<T, String> {
        let value = self
            .index_of(column)
            .and_then(|index| self.values.get(index))
            .ok_or("there is no such column")?;
        T::of_sqlite(value).ok_or_else(|| format!("its type is {}", value.data_type()))
    }

    fn index_of(&self, column: &str) -> Option<usize> {
        let names = &self.columns.0;
        let next = self.next.load(Ordering::Relaxed).min(names.len());
        let found = (next..names.len())
            .chain(0..next)
            .find(|&index| names.get(index).is_some_and(|name| **name == *column))?;
        self.next.store(found + 1, Ordering::Relaxed);
        Some(found)
    }
}

impl Fields<'_> {
    /// The value of `column`.
    pub(crate) fn get<T: Cell>(self, column: &'static str) -> Result<T> {
        self.row.cell(column).map_err(|error| self.bad(column, error))
    }

    /// The identifier in `column`.
    pub(crate) fn id<T: From<Uuid>>(self, column: &'static str) -> Result<T> {
        self.get::<Uuid>(column).map(T::from)
    }

    /// The identifier in `column`, if there is one.
    pub(crate) fn opt_id<T: From<Uuid>>(self, column: &'static str) -> Result<Option<T>> {
        Ok(self.get::<Option<Uuid>>(column)?.map(T::from))
    }

    /// The time in `column`.
    pub(crate) fn time(self, column: &'static str) -> Result<Time> {
        self.get(column).map(Time::from_micros)
    }

    /// The time in `column`, if there is one.
    pub(crate) fn opt_time(self, column: &'static str) -> Result<Option<Time>> {
        Ok(self.get::<Option<i64>>(column)?.map(Time::from_micros))
    }

    /// The number in `column`, in the range of `T`.
    pub(crate) fn number<T: TryFrom<i64>>(self, column: &'static str) -> Result<T> {
        let number: i64 = self.get(column)?;
        T::try_from(number).map_err(|_| self.bad(column, "out of range"))
    }

    /// The number in `column`, if there is one, in the range of `T`.
    pub(crate) fn opt_number<T: TryFrom<i64>>(self, column: &'static str) -> Result<Option<T>> {
        match self.get::<Option<i64>>(column)? {
            None => Ok(None),
            Some(number) => T::try_from(number)
                .map(Some)
                .map_err(|_| self.bad(column, "out of range")),
        }
    }

    /// The word in `column`, read by `parse`.
    pub(crate) fn word<T>(self, column: &'static str, parse: fn(&str) -> Option<T>) -> Result<T> {
        let word: String = self.get(column)?;
        parse(&word).ok_or_else(|| self.bad(column, format!("unknown word {word:?}")))
    }

    /// The word in `column`, if there is one, read by `parse`.
    pub(crate) fn opt_word<T>(self, column: &'static str, parse: fn(&str) -> Option<T>) -> Result<Option<T>> {
        match self.get::<Option<String>>(column)? {
            None => Ok(None),
            Some(word) => match parse(&word) {
                None => Err(self.bad(column, format!("unknown word {word:?}"))),
                known => Ok(known),
            },
        }
    }

    /// The JSON value in `column`.
    pub(crate) fn json<T: DeserializeOwned + Unpin + Send + 'static>(
        self,
        column: &'static str,
    ) -> Result<T> {
        self.get::<Json<T>>(column).map(|json| json.0)
    }

    /// The JSON value in `column`, if there is one.
    pub(crate) fn opt_json<T>(self, column: &'static str) -> Result<Option<T>>
    where
        T: DeserializeOwned + Unpin + Send + 'static,
    {
        Ok(self.get::<Option<Json<T>>>(column)?.map(|json| json.0))
    }

    /// The error that `column` cannot be read.
    pub(crate) fn bad(self, column: &'static str, reason: impl ToString) -> StoreError {
        let row = self
            .row
            .cell::<Uuid>("id")
            .map_or_else(|_| "without id".to_owned(), |id| id.to_string());
        StoreError::BadRow {
            table: self.table,
            column,
            row,
            reason: without_place(reason.to_string()),
        }
    }
}

/// Without where in a JSON text it is wrong, which serde adds: the text is in no file.
fn without_place(mut reason: String) -> String {
    if let Some((before, _)) = reason.rsplit_once(" at line ") {
        reason.truncate(before.len());
    }
    reason
}

/// Reads every row with `read`.
pub(crate) fn read_all<T>(rows: &[Row], read: fn(&Row) -> Result<T>) -> Result<Vec<T>> {
    rows.iter().map(read).collect()
}

/// Reads the row, if there is one, with `read`.
pub(crate) fn read_one<T>(row: Option<Row>, read: fn(&Row) -> Result<T>) -> Result<Option<T>> {
    row.as_ref().map(read).transpose()
}

/// How many bytes a text takes in JSON, where some characters are written as two bytes or six.
pub(crate) fn in_json(text: &[u8]) -> usize {
    let more = |byte: &u8| match byte {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' => 1,
        0..0x20 => 5,
        _ => 0,
    };
    text.len() + text.iter().map(more).sum::<usize>()
}
