//! Output: text and colour for people, one JSON document for programs.

use std::io::{ErrorKind, IsTerminal, Write};

use playout_client::{Error, Kind};
use serde_json::Value;
use unicode_width::UnicodeWidthStr;

use super::environment::Environment;
use super::filter::Filter;
use super::report::Report;
use super::table::{Column, lay_out, lines};
use super::text::{clean_lines, width, wrap};

pub(super) use super::text::{brief, clean};

/// The most columns of a line with facts; longer ones are hard to read.
const WIDEST_FACTS: usize = 120;

/// The form of the output.
#[derive(Debug, Clone)]
pub(super) struct Screen {
    /// Whether to print JSON: standard output is no terminal, or `--json` is given.
    pub(super) is_json: bool,
    /// Whether `--json` is given.
    asked: bool,
    is_terminal: bool,
    has_colour: bool,
    /// Whether standard error shows progress.
    has_bars: bool,
    /// How wide the terminal is; `None` without one.
    columns: Option<usize>,
}

/// A colour with a meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Colour {
    Good,
    Bad,
    Careful,
    Busy,
    Quiet,
    Strong,
}

impl Screen {
    /// Detects the form from standard output and `--json`.
    pub(super) fn detect(environment: &Environment, asked: bool) -> Self {
        let is_terminal = std::io::stdout().is_terminal();
        let is_json = asked || !is_terminal;
        let columns = || {
            let (_, columns) = console::Term::stdout().size_checked()?;
            Some(usize::from(columns))
        };
        Self {
            is_json,
            asked,
            is_terminal,
            has_colour: is_terminal && !environment.no_color && !environment.is_dumb,
            has_bars: !is_json && !environment.is_dumb && std::io::stderr().is_terminal(),
            columns: environment.columns.or_else(columns).filter(|_| is_terminal),
        }
    }

    /// Whether to draw progress bars: on a terminal.
    pub(super) fn has_bars(&self) -> bool {
        self.has_bars
    }

    /// How wide the terminal is.
    pub(super) fn columns(&self) -> Option<usize> {
        self.columns
    }

    /// Shows a report.
    ///
    /// # Errors
    /// If the filter does not fit the document, or the output cannot be written.
    pub(super) fn show(&self, report: &Report, filter: &Filter) -> Result<(), Error> {
        if let Some(bytes) = &report.bytes {
            write(bytes)?;
            return match bytes.is_empty() {
                true => Ok(()),
                false => filter.check_bytes(),
            };
        }
        match self.is_json && (self.asked || !report.is_script) {
            true => write(self.shown(filter.text(&report.json)?).as_bytes()),
            false if report.text.is_empty() => Ok(()),
            false => write(format!("{}\n", report.text.trim_end_matches('\n')).as_bytes()),
        }
    }

    /// Prints one of many results at once: a line of text, or the document in a line.
    ///
    /// # Errors
    /// As [`Screen::show`].
    pub(super) fn show_line(&self, json: &Value, text: &str, filter: &Filter) -> Result<(), Error> {
        match self.is_json {
            true => write(self.shown(filter.line(json)?).as_bytes()),
            false => write(format!("{text}\n").as_bytes()),
        }
    }

    /// A document or what a program made of it: on a terminal what others wrote is made safe.
    fn shown(&self, text: String) -> String {
        match self.is_terminal {
            true => clean_lines(&text),
            false => text,
        }
    }

    /// Prints an error.
    pub(super) fn complain(&self, error: &Error) {
        let text = match self.is_json {
            true => self.shown(format!("{:#}", error.to_json())),
            false => self.complaint(error),
        };
        let _closed = writeln!(std::io::stderr().lock(), "{text}");
    }

    fn complaint(&self, error: &Error) -> String {
        let head = self.paint(Colour::Bad, "error");
        let mut text = self.paragraph(&format!("{head}: {}", clean(&error.message)));
        for issue in issues(error.details.as_deref()) {
            text.push_str(&format!("\n  {issue}"));
        }
        text
    }

    /// A remark beside the result, only for people.
    pub(super) fn remark(&self, text: &str) {
        if !self.is_json {
            let _closed = writeln!(std::io::stderr().lock(), "{text}");
        }
    }

    /// A remark for programs, on a line of its own.
    pub(super) fn tell_program(&self, remark: &Value) {
        let _closed = writeln!(std::io::stderr().lock(), "{remark}");
    }

    /// `text` in a colour, if colours are enabled.
    pub(super) fn paint(&self, colour: Colour, text: &str) -> String {
        let code = match colour {
            _ if !self.has_colour => return text.to_owned(),
            Colour::Good => "32",
            Colour::Bad => "31",
            Colour::Careful => "33",
            Colour::Busy => "36",
            Colour::Quiet => "2",
            Colour::Strong => "1",
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }

    /// The state of a post or a file, in its colour.
    pub(super) fn state(&self, state: &str) -> String {
        let colour = match state {
            "PUBLISHED" | "READY" | "published" | "created" | "valid" => Colour::Good,
            "ERROR" | "failed" | "rejected" => Colour::Bad,
            "ACTION_REQUIRED" | "PENDING" => Colour::Careful,
            "QUEUE" => Colour::Busy,
            _ => Colour::Quiet,
        };
        self.paint(colour, &clean(state))
    }

    /// A sentence in lines that fit the terminal.
    pub(super) fn paragraph(&self, text: &str) -> String {
        wrap(text, self.columns.unwrap_or(usize::MAX)).join("\n")
    }

    /// Rows under a head, in columns that fit the terminal.
    pub(super) fn table(&self, columns: &[Column], rows: &[Vec<String>]) -> String {
        let layout = lay_out(columns, rows, self.columns);
        let head = layout.shown.iter().map(|(at, widest)| {
            let name = columns[*at].name;
            let gap = " ".repeat(widest.saturating_sub(name.width()));
            format!("{}{gap}", self.paint(Colour::Strong, name))
        });
        let head: Vec<String> = head.collect();
        let mut all = vec![head.join("  ").trim_end().to_owned()];
        all.extend(rows.iter().flat_map(|row| lines(columns, row, &layout)));
        if !layout.left_out.is_empty() {
            let note = format!(
                "Left out: {}. A wider terminal or --json shows all.",
                layout.left_out.join(", ")
            );
            let note = self.paragraph(&note);
            all.extend(note.lines().map(|line| self.paint(Colour::Quiet, line)));
        }
        all.join("\n")
    }

    /// Names and values, one per line; long values are wrapped. Absent values are left out.
    pub(super) fn facts(&self, facts: &[(&str, Option<String>)]) -> String {
        let given = facts
            .iter()
            .filter_map(|(name, value)| Some((name, value.as_ref()?)));
        let widest = facts.iter().map(|(name, _)| name.width()).max().unwrap_or(0) + 2;
        let room = self.columns.map_or(usize::MAX, |columns| {
            columns.min(WIDEST_FACTS).saturating_sub(widest).max(8)
        });
        let lines = given.map(|(name, value)| {
            let gap = " ".repeat(widest - name.width());
            // A value with a colour is one word.
            let value = match width(value) > room {
                true => wrap(value, room).join(&format!("\n{}", " ".repeat(widest))),
                false => value.clone(),
            };
            format!("{}{gap}{value}", self.paint(Colour::Quiet, name))
        });
        lines.collect::<Vec<_>>().join("\n")
    }
}

/// Writes to standard output. A closed pipe is ignored: no one reads any more.
fn write(bytes: &[u8]) -> Result<(), Error> {
    let mut out = std::io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            let message = format!("The command was done, but its output cannot be written: {error}.");
            Err(Error::new(Kind::Partial, "file_error", message))
        }
        _ => Ok(()),
    }
}

/// The problems in an error's details, each as `path: problem`.
pub(super) fn issues(details: Option<&Value>) -> Vec<String> {
    let listed = details.and_then(Value::as_array).into_iter().flatten();
    let issues = listed.filter_map(|issue| {
        let steps = issue["path"].as_array()?.iter();
        let steps: Vec<String> = steps
            .map(|step| step.as_str().map_or_else(|| step.to_string(), str::to_owned))
            .collect();
        let message = issue["message"].as_str()?;
        Some(clean(&format!("{}: {message}", steps.join("."))))
    });
    issues.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn plain(has_colour: bool) -> Screen {
        Screen {
            is_json: false,
            asked: false,
            is_terminal: true,
            has_colour,
            has_bars: false,
            columns: None,
        }
    }

    #[test]
    fn columns_are_as_wide_as_what_is_seen() {
        for screen in [plain(false), plain(true)] {
            let rows = [
                vec![screen.state("QUEUE"), "日本".to_owned(), "x".to_owned()],
                vec![screen.state("PUBLISHED"), "a".to_owned(), "y".to_owned()],
            ];
            let columns = ["STATE", "NAME", "END"].map(|name| Column::whole(name, 1));
            let table = screen.table(&columns, &rows);
            let ends: Vec<usize> = table.lines().map(width).collect();
            assert_eq!(ends, [9 + 2 + 4 + 2 + 3, 9 + 2 + 4 + 2 + 1, 9 + 2 + 4 + 2 + 1]);
        }
    }

    #[test]
    fn problems_are_shown_with_their_places() {
        let details = json!([{ "path": ["comments", 2, "content"], "message": "must not be empty" }]);
        assert_eq!(issues(Some(&details)), ["comments.2.content: must not be empty"]);
        assert!(issues(Some(&json!({ "limit": 1 }))).is_empty());
    }
}
