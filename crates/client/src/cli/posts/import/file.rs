//! Reads an import file: a table (CSV) or JSON lines, and writes the rows that failed in the same form.

use std::path::{Path, PathBuf};

use csv::{ByteRecord, ReaderBuilder, WriterBuilder};
use playout_client::Error;
use serde_json::{Map, Value, json};

use super::columns::Column;

/// What separates the cells of a table; a spreadsheet chooses by its language.
const SEPARATORS: [u8; 3] = [b',', b';', b'\t'];

/// So many files of rows that failed are looked for.
const MOST_CONTINUATIONS: usize = 100;

/// The names of a file's columns, or those in its JSON lines, and its rows.
#[derive(Debug)]
pub(super) struct ImportFile {
    pub(super) path: PathBuf,
    /// Its bytes.
    pub(super) content: Vec<u8>,
    form: Form,
    /// Every name, where it is first used.
    pub(super) names: Vec<(String, String)>,
    pub(super) rows: Vec<Row>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Table { separator: u8 },
    Lines,
}

/// A row as it is written.
#[derive(Debug, Clone)]
pub(super) struct Row {
    /// Its row in a spreadsheet, the header being 1; of JSON lines its line.
    pub(super) number: usize,
    /// Its cells, by the names of the file.
    pub(super) cells: Map<String, Value>,
}

impl Row {
    /// The accounts that it names in this column.
    pub(super) fn accounts(&self, column: &str) -> Vec<String> {
        let text = |name: &Value| {
            name.as_str()
                .map_or_else(|| name.to_string(), |name| name.trim().to_owned())
        };
        match self.cells.get(column) {
            Some(Value::String(names)) => names.split(',').map(|name| name.trim().to_owned()).collect(),
            Some(Value::Array(names)) => names.iter().map(text).collect(),
            _ => Vec::new(),
        }
    }

    /// Whether `other` is this row with some of its accounts, its number, and why it failed.
    fn includes(&self, other: &Self, accounts: &str) -> bool {
        let compared = |row: &Self| {
            let mut cells = row.cells.clone();
            cells.retain(|name, _| name != accounts && !is_of_failure(name));
            cells
        };
        let (own, others) = (self.accounts(accounts), other.accounts(accounts));
        compared(self) == compared(other) && others.iter().all(|name| own.contains(name))
    }
}

impl ImportFile {
    /// Reads a file whose name ends in `.csv`, `.jsonl` or `.ndjson`.
    ///
    /// # Errors
    /// If it cannot be read, or is not of that form.
    pub(super) fn read(path: &Path) -> Result<Self, Error> {
        let extension = path.extension().and_then(|extension| extension.to_str());
        let is_table = match extension.map(str::to_lowercase).as_deref() {
            Some("csv" | "tsv") => true,
            Some("jsonl" | "ndjson") => false,
            _ => {
                let message = format!(
                    "{}: the name of the file must end in .csv or .jsonl.",
                    path.display()
                );
                return Err(Error::usage(message));
            }
        };
        let bytes = std::fs::read(path).map_err(|error| Error::file(path, &error))?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
            Error::usage(format!(
                "{}: line {line} is not UTF-8; save the file as UTF-8.",
                path.display()
            ))
        })?;
        let bare = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let file = match is_table {
            true => read_table(path, bare)?,
            false => read_lines(path, bare)?,
        };
        if file.rows.is_empty() {
            return Err(Error::usage(format!("{} has no rows.", path.display())));
        }
        let content = text.into_bytes();
        Ok(Self { content, ..file })
    }

    /// The folder that its relative paths begin at.
    pub(super) fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }

    /// Takes away the files of rows that failed earlier, as far as all of their rows are in this one: it was imported again, and what is left of
    /// them failed anew, or is created. One that cannot be read as an import stays.
    ///
    /// # Errors
    /// If one cannot be taken away.
    pub(super) fn remove_outdated(&self, accounts: &str) -> Result<(), Error> {
        for path in failed_beside(&self.path).take_while(|path| path.exists()) {
            let Ok(failed) = Self::read(&path) else {
                continue;
            };
            let is_here = |row: &Row| self.rows.iter().any(|own| own.includes(row, accounts));
            if failed.rows.iter().all(is_here) {
                std::fs::remove_file(&path).map_err(|error| Error::file(&path, &error))?;
            }
        }
        Ok(())
    }

    /// The row of the first file that a row stands for: its own number, or in a file of what failed the number that it keeps, however it was
    /// corrected; `None` if it keeps none.
    pub(super) fn origin_of(&self, row: &Row) -> Option<usize> {
        let (stem, _) = parts(&self.path);
        if whole_stem(&stem).is_none() {
            return Some(row.number);
        }
        let mut cells = row.cells.iter();
        match cells.find(|(name, _)| Column::Row.is(name))?.1 {
            Value::String(text) => text.trim().parse().ok(),
            number => usize::try_from(number.as_u64()?).ok(),
        }
    }

    /// Rows in the form of this file, each with the number of the row that it stands for, and why it failed.
    pub(super) fn render(&self, failed: &[(Row, String)]) -> Result<Vec<u8>, Error> {
        match self.form {
            Form::Table { separator } => self.render_table(separator, failed),
            Form::Lines => {
                let lines = failed.iter().map(|(row, error)| {
                    let mut cells = row.cells.clone();
                    cells.retain(|name, _| !is_of_failure(name));
                    let origin = self.origin_of(row);
                    cells.extend(origin.map(|origin| (Column::Row.name(), json!(origin))));
                    cells.insert(Column::Error.name(), json!(error));
                    format!("{}\n", Value::Object(cells))
                });
                Ok(lines.collect::<String>().into_bytes())
            }
        }
    }

    fn render_table(&self, separator: u8, failed: &[(Row, String)]) -> Result<Vec<u8>, Error> {
        let of_failure = [Column::Row.name(), Column::Error.name()];
        let names = self.names.iter().map(|(name, _)| name);
        let names: Vec<&String> = names.filter(|name| !is_of_failure(name)).collect();
        let mut writer = WriterBuilder::new().delimiter(separator).from_writer(Vec::new());
        let refuse = |error: csv::Error| Error::usage(error.to_string());
        let head = names.iter().map(|name| name.as_str());
        writer
            .write_record(head.chain(of_failure.iter().map(String::as_str)))
            .map_err(refuse)?;
        for (row, why) in failed {
            let cells = names
                .iter()
                .map(|name| row.cells.get(*name).and_then(Value::as_str).unwrap_or_default());
            let origin = self.origin_of(row).map(|origin| origin.to_string());
            let of_failure = [origin.as_deref().unwrap_or_default(), why.as_str()];
            writer.write_record(cells.chain(of_failure)).map_err(refuse)?;
        }
        writer
            .into_inner()
            .map_err(|error| Error::usage(error.to_string()))
    }
}

/// Whether a column says of a row that failed which one it is, and why it failed.
fn is_of_failure(name: &str) -> bool {
    Column::Row.is(name) || Column::Error.is(name)
}

fn read_table(path: &Path, text: &str) -> Result<ImportFile, Error> {
    let head = text.trim_start_matches(['\r', '\n']);
    let head = head.lines().next().unwrap_or_default();
    let count = |separator: u8| head.bytes().filter(|byte| *byte == separator).count();
    let separator = SEPARATORS
        .into_iter()
        .rev()
        .max_by_key(|separator| count(*separator));
    let separator = separator
        .filter(|separator| count(*separator) > 0)
        .unwrap_or(b',');
    let refuse = |error: csv::Error| Error::usage(format!("{}: {}", path.display(), explained(&error)));
    let mut reader = ReaderBuilder::new()
        .delimiter(separator)
        .has_headers(false)
        .from_reader(text.as_bytes());
    let (mut names, mut rows, mut number) = (None::<Vec<String>>, Vec::new(), 0);
    for record in reader.byte_records() {
        let record = record.map_err(refuse)?;
        number += 1 + empty_lines_before(&record, text);
        let Some(names) = &names else {
            names = Some(
                record
                    .iter()
                    .map(|name| String::from_utf8_lossy(name).into_owned())
                    .collect(),
            );
            continue;
        };
        let cells = cells_of(names, &record);
        if !cells.is_empty() {
            rows.push(Row { number, cells });
        }
    }
    let is_used =
        |name: &String| !name.trim().is_empty() || rows.iter().any(|row| row.cells.contains_key(name));
    let places = (1..).map(|number| format!("column {number}"));
    let names = names.unwrap_or_default().into_iter().zip(places);
    // A spreadsheet may export empty columns after the last one.
    let names = names.filter(|(name, _)| is_used(name)).collect();
    Ok(ImportFile {
        path: path.to_owned(),
        content: Vec::new(),
        form: Form::Table { separator },
        names,
        rows,
    })
}

/// How many empty lines there are between a record and the one before: rows of a spreadsheet, which the reader passes over.
fn empty_lines_before(record: &ByteRecord, text: &str) -> usize {
    let start = record.position().map_or(0, |position| position.byte());
    let start = usize::try_from(start).unwrap_or(usize::MAX);
    let Some((before, rest)) = text.split_at_checked(start) else {
        return 0;
    };
    // The end of the line before may be read in two parts.
    let rest = match before.ends_with('\r') {
        true => rest.strip_prefix('\n').unwrap_or(rest),
        false => rest,
    };
    let ends = rest.len() - rest.trim_start_matches(['\r', '\n']).len();
    rest[..ends].replace("\r\n", "\n").len()
}

/// The cells of a record that are not empty.
fn cells_of(names: &[String], record: &ByteRecord) -> Map<String, Value> {
    let cells = names.iter().zip(record).map(|(name, cell)| {
        let text = String::from_utf8_lossy(cell).into_owned();
        (name.clone(), text)
    });
    cells
        .filter(|(_, text)| !text.trim().is_empty())
        .map(|(name, text)| (name, Value::String(text)))
        .collect()
}

/// A problem of a table, with its line.
fn explained(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::UnequalLengths {
            pos,
            expected_len,
            len,
        } => {
            let line = pos.as_ref().map_or(0, csv::Position::line);
            format!(
                "the row at line {line} has {len} cells and the header {expected_len}; a cell with a separator or a line break must be quoted."
            )
        }
        _ => error.to_string(),
    }
}

fn read_lines(path: &Path, text: &str) -> Result<ImportFile, Error> {
    let (mut rows, mut names) = (Vec::new(), Vec::<(String, String)>::new());
    for (line, number) in text.lines().zip(1..) {
        if line.trim().is_empty() {
            continue;
        }
        let refuse = |why: &str| Error::usage(format!("{}: line {number} {why}", path.display()));
        let cells = match serde_json::from_str(line) {
            Ok(Value::Object(cells)) => cells,
            Ok(_) => return Err(refuse("is no JSON object.")),
            Err(error) => return Err(refuse(&format!("is not JSON: {error}."))),
        };
        for name in cells.keys() {
            if names.iter().all(|(known, _)| known != name) {
                names.push((name.clone(), format!("line {number}")));
            }
        }
        let cells: Map<String, Value> = cells.into_iter().filter(|(_, value)| !value.is_null()).collect();
        if !cells.is_empty() {
            rows.push(Row { number, cells });
        }
    }
    Ok(ImportFile {
        path: path.to_owned(),
        content: Vec::new(),
        form: Form::Lines,
        names,
        rows,
    })
}

/// What the name of a file of rows that failed has before its extension.
const FAILED: &str = ".failed";

/// The first free name for the rows that failed, beside the file: `posts.failed.csv`, then `posts.failed-2.csv`. A file with the same
/// content counts as free; no other is replaced.
pub(super) fn free_name(path: &Path, content: &[u8]) -> PathBuf {
    let is_free = |path: &PathBuf| match std::fs::read(path) {
        Ok(present) => present == content,
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
    };
    failed_names(path)
        .find(is_free)
        .unwrap_or_else(|| path.to_owned())
}

/// The files of what failed beside this one, which imports leave.
pub(super) fn failed_beside(path: &Path) -> impl Iterator<Item = PathBuf> {
    let own = path.to_owned();
    let others = failed_names(path).take(MOST_CONTINUATIONS);
    others.filter(move |path| *path != own)
}

/// The files that have rows of this one: the one that it is the rest of, and those of what failed in it.
pub(super) fn family_of(path: &Path) -> impl Iterator<Item = PathBuf> {
    let (stem, extension) = parts(path);
    let whole = whole_stem(&stem).map(|own| path.with_file_name(format!("{own}.{extension}")));
    whole.into_iter().chain(failed_beside(path))
}

/// The name of the file that one of what failed is the rest of: `posts` of `posts.failed` and `posts.failed-2`.
fn whole_stem(stem: &str) -> Option<&str> {
    let (own, after) = stem.rsplit_once(FAILED)?;
    let number = after.strip_prefix('-');
    let is_one = number.map_or(after.is_empty(), |number| number.parse::<u32>().is_ok());
    is_one.then_some(own)
}

/// The names of the files of rows that failed, in order.
fn failed_names(path: &Path) -> impl Iterator<Item = PathBuf> {
    let (stem, extension) = parts(path);
    let stem = whole_stem(&stem).unwrap_or(&stem).to_owned();
    (1..).map(move |number| {
        path.with_file_name(match number {
            1 => format!("{stem}{FAILED}.{extension}"),
            _ => format!("{stem}{FAILED}-{number}.{extension}"),
        })
    })
}

/// The name of a file without its extension, and the extension.
fn parts(path: &Path) -> (String, String) {
    let text = |part: Option<&std::ffi::OsStr>| {
        part.map(|part| part.to_string_lossy().into_owned())
            .unwrap_or_default()
    };
    (text(path.file_stem()), text(path.extension()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> Result<ImportFile, String> {
        read_table(Path::new("posts.csv"), text).map_err(|error| error.message)
    }

    #[test]
    fn a_table_is_read_as_a_spreadsheet_writes_it() {
        for text in [
            "accounts,content\r\nkites,\"One, two\r\nthree \"\"four\"\"\"\r\n,\r\nbakes,Bread\r\n",
            "accounts;content\nkites;\"One, two\r\nthree \"\"four\"\"\"\n;\nbakes;Bread\n",
        ] {
            let file = table(text).unwrap();
            let rows: Vec<_> = file
                .rows
                .iter()
                .map(|row| (row.number, row.cells["content"].as_str().unwrap()))
                .collect();
            assert_eq!(rows, [(2, "One, two\r\nthree \"four\""), (4, "Bread")]);
        }
    }

    #[test]
    fn empty_lines_count_as_rows_as_in_a_spreadsheet() {
        for end in ["\n", "\r\n", "\r"] {
            let lines = [
                "accounts,content",
                "",
                "kites,One",
                "",
                "",
                "\"kites\",Two",
                "kites,Three",
                "",
            ];
            let file = table(&lines.join(end)).unwrap();
            let numbers: Vec<usize> = file.rows.iter().map(|row| row.number).collect();
            assert_eq!(numbers, [3, 6, 7], "{end:?}");
            let file = table(&[end, end, &lines.join(end)].concat()).unwrap();
            assert_eq!(file.rows[0].number, 5, "{end:?}");
        }
    }

    #[test]
    fn a_column_without_a_name_and_cells_is_none() {
        let names = |text: &str| {
            let names = table(text).unwrap().names.into_iter();
            names.map(|(name, _)| name).collect::<Vec<_>>()
        };
        assert_eq!(
            names("accounts,content,, \nkites,One,,\n"),
            ["accounts", "content"]
        );
        assert_eq!(
            names("accounts,,content\nkites,One,Two\n"),
            ["accounts", "", "content"]
        );
    }

    #[test]
    fn a_row_with_too_many_cells_is_found_by_its_line() {
        let message = table("accounts,content\nkites,One\nkites,One, two\n").unwrap_err();
        assert!(
            message.contains("line 3 has 3 cells and the header 2"),
            "{message}"
        );
    }

    #[test]
    fn rows_that_failed_are_a_file_that_can_be_read_again() {
        let file = table("accounts;content;error\nkites;\"a;b\";old\n").unwrap();
        let failed = [(file.rows[0].clone(), "new; why".to_owned())];
        let text = String::from_utf8(file.render(&failed).unwrap()).unwrap();
        assert_eq!(text, "accounts;content;row;error\nkites;\"a;b\";2;\"new; why\"\n");
        assert_eq!(table(&text).unwrap().rows[0].cells["content"], "a;b");
    }
}
