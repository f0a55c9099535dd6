//! The results of an import: a table or a document, and the file of the rows that failed.

use std::path::{Path, PathBuf};

use playout_client::{Error, Kind};
use serde_json::{Map, Value, json};

use super::draft::When;
use super::file::{ImportFile, Row, free_name};
use super::journal::Journal;
use super::send::GO_ON;
use super::state::{AccountState, Outcome, RowState};
use crate::cli::moment::Here;
use crate::cli::report::Report;
use crate::cli::screen::{Colour, Screen, brief, clean};
use crate::cli::table::Column;

const COLUMNS: [Column; 5] = [
    Column::whole("ROW", 5),
    Column::cut("ACCOUNT", 8, 3),
    Column::whole("WHEN", 2),
    Column::whole("STATUS", 4),
    // As wide as a post's ID.
    Column::wrap("RESULT", 36, 6),
];

/// What is to be done where the service knows a key of an import of which there is no note here.
const REUSED: &str = "This file was imported within 24 hours from elsewhere (another machine, or another address of the service), or with other \
    media, and posts of it exist. Compare `playout posts list` with it, and import the rows that are missing as a file of their own; \
    --idempotency-key would create all of them once more.";

/// What an import came to.
pub(super) struct Results<'a> {
    pub(super) file: &'a ImportFile,
    /// The name of the column of accounts in the file.
    pub(super) accounts: &'a str,
    pub(super) rows: &'a [RowState],
    /// Its notes, unless it is a dry run.
    pub(super) journal: Option<Journal>,
    /// Why it stopped, if it did.
    pub(super) stopped: Option<Error>,
    /// The file of rows that failed in an earlier run, if it was imported since.
    pub(super) continued_in: Option<PathBuf>,
    pub(super) is_dry_run: bool,
}

/// How many posts came to what; a row has one post for each of its accounts.
#[derive(Debug, Default, Clone, Copy)]
struct Counts {
    done: usize,
    /// Those of `done` that an earlier run has created.
    repeated: usize,
    failed: usize,
    left: usize,
    continued: usize,
}

impl Results<'_> {
    /// Writes the file of failures, unless it was a dry run, and reports all. That it cannot be written does not hide what was created.
    pub(super) fn report(mut self, screen: &Screen, here: &Here) -> Report {
        let (failed_file, unwritten) = match self.is_dry_run {
            true => (None, None),
            false => match self.write_failed() {
                Ok(file) => (file, None),
                Err(error) => (None, Some(error)),
            },
        };
        if let (Some(journal), Some(file)) = (&mut self.journal, &failed_file) {
            // Without the note, what is corrected in that file counts as failed.
            let _unnoted = journal.leaves(file);
        }
        let counts = self.counts();
        let entries: Vec<Value> = self
            .accounts()
            .map(|(row, account)| entry(row, account))
            .collect();
        let json = json!({
            "file": self.file.path.display().to_string(),
            "dryRun": self.is_dry_run,
            "rows": entries,
            "created": if self.is_dry_run { 0 } else { counts.done },
            "valid": if self.is_dry_run { counts.done } else { 0 },
            "repeated": counts.repeated,
            "failed": counts.failed,
            "notSent": counts.left,
            "failedFile": failed_file.as_ref().map(|path| path.display().to_string()),
            "continuedIn": self.continued_in.as_ref().map(|path| path.display().to_string()),
        });
        let text = self.text(screen, here, counts, failed_file.as_deref());
        let error = self
            .error(counts, failed_file.as_deref())
            .map(|error| Error {
                message: match &unwritten {
                    Some(unwritten) => format!(
                        "{} The rows that failed are in no file: {}",
                        error.message, unwritten.message
                    ),
                    None => error.message.clone(),
                },
                ..error
            })
            .or_else(|| self.left(counts))
            .or(unwritten.map(|error| Error {
                kind: Kind::Partial,
                ..error
            }));
        Report::new(json, text).but(error)
    }

    /// The error of posts of which it is not known whether they were created, although nothing failed.
    fn left(&self, counts: Counts) -> Option<Error> {
        let message = format!(
            "{} posts were not sent, or have no response. {GO_ON}",
            counts.left
        );
        (counts.left > 0).then(|| Error::new(Kind::Partial, "not_sent", message))
    }

    fn accounts(&self) -> impl Iterator<Item = (&RowState, &AccountState)> {
        let rows = self.rows.iter();
        rows.flat_map(|row| row.accounts.iter().map(move |account| (row, account)))
    }

    fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for (_, account) in self.accounts() {
            match account.outcome {
                Outcome::Created { is_repeated, .. } => {
                    counts.done += 1;
                    counts.repeated += usize::from(is_repeated);
                }
                Outcome::Valid => counts.done += 1,
                Outcome::Failed(_) | Outcome::Blocked(_) => counts.failed += 1,
                Outcome::NotSent | Outcome::Unknown => counts.left += 1,
                Outcome::Continued => counts.continued += 1,
            }
        }
        counts
    }

    fn text(&self, screen: &Screen, here: &Here, counts: Counts, failed_file: Option<&Path>) -> String {
        let rows = self
            .accounts()
            .map(|(row, account)| line(row, account, screen, here));
        let rows: Vec<Vec<String>> = rows.collect();
        let mut text = screen.table(&COLUMNS, &rows);
        for (row, account) in self.accounts() {
            for warning in &account.warnings {
                let word = screen.paint(Colour::Careful, "warning");
                text += &format!("\nrow {}: {word}: {}", row.row.number, clean(warning));
            }
        }
        let what = if self.is_dry_run { "valid" } else { "created" };
        text += &format!("\n\n{} {what}", counts.done);
        if counts.repeated > 0 {
            text += &format!(" ({} of them by an earlier run)", counts.repeated);
        }
        text += &format!(", {} failed", counts.failed);
        if counts.left > 0 {
            text += &format!(", {} not sent or without a response", counts.left);
        }
        if let (Some(path), 1..) = (&self.continued_in, counts.continued) {
            let path = path.display().to_string();
            text += &format!(", {} imported from {} instead", counts.continued, clean(&path));
        }
        if let Some(path) = failed_file {
            let path = path.display().to_string();
            text += &format!(". Correct what failed in {} and import that", clean(&path));
        }
        text + "."
    }

    /// The rows of which a post failed, with only the accounts on which it did; returns the path if there are any.
    fn write_failed(&self) -> Result<Option<PathBuf>, Error> {
        if self.stopped.is_none() && self.continued_in.is_none() {
            self.file.remove_outdated(self.accounts)?;
        }
        let failed: Vec<(Row, String)> = self.rows.iter().filter_map(|row| self.failed_row(row)).collect();
        if failed.is_empty() {
            return Ok(None);
        }
        let content = self.file.render(&failed)?;
        let path = free_name(&self.file.path, &content);
        match std::fs::write(&path, content) {
            Ok(()) => Ok(Some(path)),
            Err(error) => {
                // A part of it would look like an import of its own.
                let _gone = std::fs::remove_file(&path);
                Err(Error::file(&path, &error))
            }
        }
    }

    fn failed_row(&self, row: &RowState) -> Option<(Row, String)> {
        let mut why = Vec::new();
        let mut names = Vec::new();
        for account in &row.accounts {
            let Some(problem) = account.outcome.problem() else {
                continue;
            };
            names.push(account.name.as_str());
            let line = match row.accounts.len() {
                1 => problem.line(),
                _ => format!("{}: {}", account.name, problem.line()),
            };
            why.push(clean(&line));
        }
        if names.is_empty() {
            return None;
        }
        let mut row_left = row.row.clone();
        if names.len() < row.accounts.len() {
            let present = row_left.cells.get(self.accounts);
            let left = match present {
                Some(Value::Array(_)) => json!(names),
                _ => json!(names.join(", ")),
            };
            row_left.cells.insert(self.accounts.to_owned(), left);
        }
        Some((row_left, why.join("; ")))
    }

    fn error(&self, counts: Counts, failed_file: Option<&Path>) -> Option<Error> {
        if let Some(stopped) = &self.stopped {
            let again = match stopped.code.as_str() {
                "idempotency_key_reused" => REUSED,
                _ if self.is_dry_run => "",
                _ => GO_ON,
            };
            // The service advises a new key, with which all posts would be created again.
            let why = if again == REUSED { "" } else { &stopped.message };
            let message = format!("{why} {again}").trim().to_owned();
            let error = Error {
                message,
                ..stopped.clone()
            };
            return Some(error.with_done(counts.done > 0));
        }
        let (row, problem) = self
            .accounts()
            .find_map(|(row, account)| match &account.outcome {
                Outcome::Failed(problem) | Outcome::Blocked(problem) => Some((row, problem)),
                _ => None,
            })?;
        let of = counts.done + counts.failed;
        let what = match (self.is_dry_run, counts.failed) {
            (true, 1) => "is invalid",
            (true, _) => "are invalid",
            (false, 1) => "was not created",
            (false, _) => "were not created",
        };
        let mut message = format!(
            "{} of {of} posts {what}; the first: row {}: {}",
            counts.failed,
            row.row.number,
            problem.line()
        );
        if !message.ends_with('.') {
            message.push('.');
        }
        if let Some(path) = failed_file {
            message += &format!(" All are in {}.", path.display());
        }
        let error = Error::new(Kind::Refused, &problem.code, message);
        Some(error.with_done(counts.done > 0))
    }
}

fn line(row: &RowState, account: &AccountState, screen: &Screen, here: &Here) -> Vec<String> {
    let when = match row.draft.as_ref().map(|draft| draft.when) {
        Ok(When::Now) => "now".to_owned(),
        Ok(When::Draft(None)) => "draft".to_owned(),
        Ok(When::Draft(Some(at))) => format!("draft for {}", here.show(at)),
        Ok(When::At(at)) => here.show(at),
        Err(_) => "-".to_owned(),
    };
    let result = match &account.outcome {
        Outcome::Created {
            post_id,
            is_repeated: true,
            ..
        } => format!("{} by an earlier run", clean(post_id)),
        Outcome::Created { post_id, .. } => clean(post_id),
        Outcome::Failed(problem) | Outcome::Blocked(problem) => clean(&problem.line()),
        Outcome::Unknown => "there was no response".to_owned(),
        Outcome::Continued => "imported from the file of what failed".to_owned(),
        Outcome::Valid | Outcome::NotSent => "-".to_owned(),
    };
    vec![
        row.row.number.to_string(),
        brief(&account.name, 24),
        when,
        screen.state(account.outcome.word()),
        result,
    ]
}

fn entry(row: &RowState, account: &AccountState) -> Value {
    let mut entry = Map::from_iter([
        ("row".to_owned(), json!(row.row.number)),
        ("account".to_owned(), json!(account.name)),
        ("platformId".to_owned(), json!(account.platform_id)),
    ]);
    let when = row.draft.as_ref().map(|draft| draft.when);
    let (mode, planned) = match when {
        Ok(When::Now) => (Some("now"), None),
        Ok(When::Draft(at)) => (Some("draft"), at),
        Ok(When::At(at)) => (Some("schedule"), Some(at)),
        Err(_) => (None, None),
    };
    entry.insert("mode".to_owned(), json!(mode));
    let (post_id, scheduled_for, is_repeated) = match &account.outcome {
        Outcome::Created {
            post_id,
            scheduled_for,
            is_repeated,
        } => (Some(post_id), *scheduled_for, *is_repeated),
        _ => (None, planned, false),
    };
    entry.insert("scheduledFor".to_owned(), json!(scheduled_for));
    entry.insert("status".to_owned(), json!(account.outcome.word()));
    entry.insert("postId".to_owned(), json!(post_id));
    entry.insert("repeated".to_owned(), json!(is_repeated));
    if let Some(problem) = account.outcome.problem() {
        let mut error = json!({ "code": problem.code, "message": problem.line() });
        if let Some(details) = &problem.details {
            error["details"] = details.clone();
        }
        entry.insert("error".to_owned(), error);
    }
    if !account.warnings.is_empty() {
        entry.insert("warnings".to_owned(), json!(account.warnings));
    }
    Value::Object(entry)
}
