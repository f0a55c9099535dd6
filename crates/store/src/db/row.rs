//! What comes out of a statement: a row of either database, read into domain values.
//!
//! A cell that cannot be read is an internal error that names table, column and row.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use playout_domain::object_text::ObjectText;
use playout_domain::time::Time;
use rusqlite::types::ValueRef;
use serde::de::DeserializeOwned;
use sqlx::postgres::{PgRow, Postgres};
use sqlx::types::Json;
use sqlx::{Column, Decode, Row as _, Type};
use uuid::Uuid;

use super::error::{Result, StoreError};

/// A row of either database.
pub(crate) struct Row {
    cells: Cells,
    /// The column after the one that was read last. Rows are mostly read in the order of their columns, so a search that begins
    /// here mostly ends here.
    next: AtomicUsize,
}

enum Cells {
    Sqlite(SqliteRow),
    Postgres(PgRow),
}

impl From<SqliteRow> for Row {
    fn from(row: SqliteRow) -> Self {
        Self {
            cells: Cells::Sqlite(row),
            next: AtomicUsize::new(0),
        }
    }
}

impl From<PgRow> for Row {
    fn from(row: PgRow) -> Self {
        Self {
            cells: Cells::Postgres(row),
            next: AtomicUsize::new(0),
        }
    }
}

/// A row of SQLite: its values, and the names of their columns.
pub(crate) struct SqliteRow {
    columns: Columns,
    values: Vec<SqliteValue>,
    /// The bytes of its texts and blobs, one after the other: one allocation instead of one for each.
    bytes: Vec<u8>,
}

/// What PostgreSQL sends before the text of a `jsonb`: the version of the form in which it sends them (`jsonb_send` in
/// <https://github.com/postgres/postgres/blob/master/src/backend/utils/adt/jsonb.c>).
const JSONB_VERSION: &u8 = &1;

/// The bytes of most rows.
const FIRST_BYTES: usize = 256;

/// A value of SQLite; of a text or a blob, where it begins and ends in the bytes of its row.
enum SqliteValue {
    Null,
    Integer(i64),
    Real(f64),
    Text(usize, usize),
    Blob(usize, usize),
}

/// The names of the columns of a statement, shared by its rows.
#[derive(Clone)]
pub(crate) struct Columns(Arc<Names>);

/// Names, one after the other: one allocation instead of one for each.
struct Names {
    text: String,
    names: Vec<Name>,
}

struct Name {
    /// Where it begins in the text.
    begins: usize,
    length: usize,
    /// The address of the constant that was last found to be this name: a reader asks each row for its columns by the same constants.
    constant: AtomicUsize,
}

impl Columns {
    pub(crate) fn of(names: &[&str]) -> Self {
        let text = names.concat();
        let names = names.iter().scan(0, |end, name| {
            let begins = *end;
            *end += name.len();
            Some(Name {
                begins,
                length: name.len(),
                constant: AtomicUsize::new(0),
            })
        });
        Self(Arc::new(Names {
            names: names.collect(),
            text,
        }))
    }

    pub(crate) fn len(&self) -> usize {
        self.0.names.len()
    }

    fn is_named(&self, index: usize, column: &'static str) -> bool {
        let Some(name) = self.0.names.get(index).filter(|name| name.length == column.len()) else {
            return false;
        };
        let constant = column.as_ptr().addr();
        if name.constant.load(Ordering::Relaxed) == constant {
            return true;
        }
        let is_equal = self.0.text.get(name.begins..name.begins + name.length) == Some(column);
        if is_equal {
            name.constant.store(constant, Ordering::Relaxed);
        }
        is_equal
    }
}

/// A type that both databases can hold in a cell.
pub(crate) trait Cell: for<'r> Decode<'r, Postgres> + Type<Postgres> {
    /// Reads what SQLite holds; `None` if it is of another type.
    fn of_sqlite(value: ValueRef<'_>) -> Option<Self>;
}

macro_rules! cells {
    ($($type:ty: $pattern:pat => $read:expr;)*) => {$(
        impl Cell for $type {
            fn of_sqlite(value: ValueRef<'_>) -> Option<Self> {
                match value {
                    $pattern => $read,
                    _ => None,
                }
            }
        }
    )*};
}

cells! {
    i64: ValueRef::Integer(number) => Some(number);
    bool: ValueRef::Integer(number) => Some(number != 0);
    String: ValueRef::Text(text) => std::str::from_utf8(text).ok().map(str::to_owned);
    Vec<u8>: ValueRef::Blob(bytes) => Some(bytes.to_vec());
    Uuid: ValueRef::Blob(bytes) => Uuid::from_slice(bytes).ok();
}

impl<T: DeserializeOwned + Unpin + Send + 'static> Cell for Json<T> {
    fn of_sqlite(value: ValueRef<'_>) -> Option<Self> {
        match value {
            ValueRef::Text(text) => serde_json::from_slice(text).ok().map(Json),
            _ => None,
        }
    }
}

impl<T: Cell> Cell for Option<T>
where
    Self: for<'r> Decode<'r, Postgres> + Type<Postgres>,
{
    fn of_sqlite(value: ValueRef<'_>) -> Option<Self> {
        match value {
            ValueRef::Null => Some(None),
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

    /// The row of SQLite that it is.
    pub(crate) fn into_sqlite(self) -> Option<SqliteRow> {
        match self.cells {
            Cells::Sqlite(row) => Some(row),
            Cells::Postgres(_) => None,
        }
    }

    fn cell<T: Cell>(&self, column: &'static str) -> Result<T, String> {
        let index = self.index_of(column)?;
        match &self.cells {
            Cells::Sqlite(row) => {
                let value = row.value(index);
                T::of_sqlite(value).ok_or_else(|| mistyped(value))
            }
            Cells::Postgres(row) => row.try_get(index).map_err(|error| error.to_string()),
        }
    }

    fn text(&self, column: &'static str) -> Result<Option<&str>, String> {
        let index = self.index_of(column)?;
        match &self.cells {
            Cells::Sqlite(row) => row.text(index),
            Cells::Postgres(row) => row.try_get(index).map_err(|error| error.to_string()),
        }
    }

    fn bytes(&self, column: &'static str) -> Result<Option<&[u8]>, String> {
        let index = self.index_of(column)?;
        match &self.cells {
            Cells::Sqlite(row) => match row.value(index) {
                ValueRef::Null => Ok(None),
                ValueRef::Blob(bytes) => Ok(Some(bytes)),
                other => Err(mistyped(other)),
            },
            Cells::Postgres(row) => row.try_get(index).map_err(|error| error.to_string()),
        }
    }

    fn json_text(&self, column: &'static str) -> Result<&str, String> {
        let index = self.index_of(column)?;
        match &self.cells {
            Cells::Sqlite(row) => row.text(index)?.ok_or_else(|| mistyped(ValueRef::Null)),
            Cells::Postgres(row) => {
                let value = row.try_get_raw(index).map_err(|error| error.to_string())?;
                let sent = value.as_bytes().map_err(|error| error.to_string())?;
                let (JSONB_VERSION, text) = sent.split_first().ok_or("it is empty")? else {
                    return Err("it is not in the known form of jsonb".to_owned());
                };
                std::str::from_utf8(text).map_err(|error| error.to_string())
            }
        }
    }

    fn index_of(&self, column: &'static str) -> Result<usize, &'static str> {
        let count = match &self.cells {
            Cells::Sqlite(row) => row.columns.len(),
            Cells::Postgres(row) => row.len(),
        };
        let next = self.next.load(Ordering::Relaxed).min(count);
        let is_named = |index: &usize| match &self.cells {
            Cells::Sqlite(row) => row.columns.is_named(*index, column),
            Cells::Postgres(row) => row
                .columns()
                .get(*index)
                .is_some_and(|known| known.name() == column),
        };
        let found = (next..count).chain(0..next).find(is_named);
        let found = found.ok_or("there is no such column")?;
        self.next.store(found + 1, Ordering::Relaxed);
        Ok(found)
    }
}

fn mistyped(value: ValueRef<'_>) -> String {
    format!("its type is {}", value.data_type())
}

impl SqliteRow {
    /// A row without values yet.
    pub(crate) fn new(columns: Columns) -> Self {
        Self {
            values: Vec::with_capacity(columns.len()),
            columns,
            bytes: Vec::with_capacity(FIRST_BYTES),
        }
    }

    /// The same without values, for the next row of the same statement: it takes the memory of this one.
    pub(crate) fn cleared(mut self) -> Self {
        self.values.clear();
        self.bytes.clear();
        self
    }

    /// How many columns it is to have.
    pub(crate) fn width(&self) -> usize {
        self.columns.len()
    }

    /// Adds the value of the next column.
    pub(crate) fn push(&mut self, value: ValueRef<'_>) {
        let begins = self.bytes.len();
        let value = match value {
            ValueRef::Null => SqliteValue::Null,
            ValueRef::Integer(number) => SqliteValue::Integer(number),
            ValueRef::Real(number) => SqliteValue::Real(number),
            ValueRef::Text(bytes) => {
                self.bytes.extend_from_slice(bytes);
                SqliteValue::Text(begins, self.bytes.len())
            }
            ValueRef::Blob(bytes) => {
                self.bytes.extend_from_slice(bytes);
                SqliteValue::Blob(begins, self.bytes.len())
            }
        };
        self.values.push(value);
    }

    /// Its values.
    pub(crate) fn values(&self) -> impl Iterator<Item = ValueRef<'_>> {
        (0..self.values.len()).map(|index| self.value(index))
    }

    fn text(&self, index: usize) -> Result<Option<&str>, String> {
        match self.value(index) {
            ValueRef::Null => Ok(None),
            ValueRef::Text(text) => match std::str::from_utf8(text) {
                Ok(text) => Ok(Some(text)),
                Err(error) => Err(error.to_string()),
            },
            other => Err(mistyped(other)),
        }
    }

    fn value(&self, index: usize) -> ValueRef<'_> {
        let bytes = |begins: usize, ends: usize| self.bytes.get(begins..ends).unwrap_or_default();
        match self.values.get(index) {
            None | Some(SqliteValue::Null) => ValueRef::Null,
            Some(SqliteValue::Integer(number)) => ValueRef::Integer(*number),
            Some(SqliteValue::Real(number)) => ValueRef::Real(*number),
            Some(SqliteValue::Text(begins, ends)) => ValueRef::Text(bytes(*begins, *ends)),
            Some(SqliteValue::Blob(begins, ends)) => ValueRef::Blob(bytes(*begins, *ends)),
        }
    }
}

impl<'a> Fields<'a> {
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

    /// The identifiers in `column`, 16 bytes each; none where it is null.
    pub(crate) fn ids<T: From<Uuid>>(self, column: &'static str) -> Result<Vec<T>> {
        let bytes = self.row.bytes(column).map_err(|error| self.bad(column, error))?;
        match bytes.unwrap_or_default().as_chunks() {
            (ids, []) => Ok(ids.iter().map(|id| T::from(Uuid::from_bytes(*id))).collect()),
            _ => Err(self.bad(column, "it is not of whole identifiers")),
        }
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

    /// The text in `column`, if there is one.
    pub(crate) fn opt_text(self, column: &'static str) -> Result<Option<&'a str>> {
        self.row.text(column).map_err(|error| self.bad(column, error))
    }

    /// The text in `column`.
    pub(crate) fn text(self, column: &'static str) -> Result<&'a str> {
        self.opt_text(column)?
            .ok_or_else(|| self.bad(column, "it is null"))
    }

    /// The JSON object in `column`, as text.
    pub(crate) fn object_text(self, column: &'static str) -> Result<ObjectText> {
        let stored = self.row.json_text(column);
        let stored = stored.map_err(|error| self.bad(column, error))?;
        ObjectText::read(stored).map_err(|error| self.bad(column, error))
    }

    /// The word in `column`, read by `parse`.
    pub(crate) fn word<T>(self, column: &'static str, parse: fn(&str) -> Option<T>) -> Result<T> {
        let word = self.text(column)?;
        parse(word).ok_or_else(|| self.bad(column, format!("unknown word {word:?}")))
    }

    /// The word in `column`, if there is one, read by `parse`.
    pub(crate) fn opt_word<T>(self, column: &'static str, parse: fn(&str) -> Option<T>) -> Result<Option<T>> {
        match self.opt_text(column)? {
            None => Ok(None),
            Some(word) => match parse(word) {
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

/// So many bytes are counted at once, in numbers of a byte each: the compiler makes a few instructions of them.
const COUNTED: usize = 32;

/// How many bytes a text takes in JSON, where some characters are written as two bytes or six.
pub(crate) fn in_json(text: &[u8]) -> usize {
    let more = |bytes: &[u8]| {
        let count =
            |is: fn(u8) -> bool| usize::from(bytes.iter().map(|byte| u8::from(is(*byte))).sum::<u8>());
        let quoted = count(|byte| byte == b'"' || byte == b'\\');
        let controls = count(|byte| byte < 0x20);
        let short = count(|byte| byte == b'\n' || byte == b'\r' || byte == b'\t');
        quoted + 5 * controls - 4 * short
    };
    text.len() + text.chunks(COUNTED).map(more).sum::<usize>()
}
