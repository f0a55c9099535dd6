//! Output: text and colour for people, one JSON document for programs.

use std::io::{IsTerminal, Write};

use playout_client::Error;
use serde_json::Value;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::environment::Environment;
use super::report::Report;

/// The form of the output.
#[derive(Debug, Clone)]
pub(super) struct Screen {
    /// Whether to print JSON: standard output is no terminal, or `--json` is given.
    pub(super) is_json: bool,
    /// Whether `--json` is given.
    asked: bool,
    has_colour: bool,
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
        Self {
            is_json: asked || !is_terminal,
            asked,
            has_colour: is_terminal && !environment.no_color,
        }
    }

    /// Whether to draw progress bars: on a terminal.
    pub(super) fn has_bars(&self) -> bool {
        !self.is_json && std::io::stderr().is_terminal()
    }

    /// Shows a report.
    pub(super) fn show(&self, report: &Report) {
        let text = match self.is_json && (self.asked || !report.is_script) {
            true => format!("{:#}", report.json),
            false => report.text.clone(),
        };
        let mut out = std::io::stdout().lock();
        // A closed pipe is ignored.
        let _closed = writeln!(out, "{}", text.trim_end_matches('\n')).and_then(|()| out.flush());
    }

    /// Prints an error.
    pub(super) fn complain(&self, error: &Error) {
        let text = match self.is_json {
            true => format!("{:#}", error.to_json()),
            false => self.complaint(error),
        };
        let _closed = writeln!(std::io::stderr().lock(), "{text}");
    }

    fn complaint(&self, error: &Error) -> String {
        let head = self.paint(Colour::Bad, "error");
        let mut text = format!("{head}: {}", clean(&error.message));
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

    /// Rows under a head, in columns. Colours of cells are kept.
    pub(super) fn table(&self, head: &[&str], rows: &[Vec<String>]) -> String {
        let widths: Vec<usize> = (0..head.len())
            .map(|column| {
                let cells = rows.iter().filter_map(|row| row.get(column));
                let widest = cells.map(|cell| width(cell)).max().unwrap_or(0);
                widest.max(head[column].width())
            })
            .collect();
        let head: Vec<String> = head.iter().map(|name| self.paint(Colour::Strong, name)).collect();
        let lines = std::iter::once(&head).chain(rows).map(|row| line(row, &widths));
        lines.collect::<Vec<_>>().join("\n")
    }

    /// Names and values, one per line. Absent values are left out.
    pub(super) fn facts(&self, facts: &[(&str, Option<String>)]) -> String {
        let given = facts
            .iter()
            .filter_map(|(name, value)| Some((name, value.as_ref()?)));
        let widest = facts.iter().map(|(name, _)| name.width()).max().unwrap_or(0);
        let lines = given.map(|(name, value)| {
            let gap = " ".repeat(widest - name.width() + 2);
            format!("{}{gap}{value}", self.paint(Colour::Quiet, name))
        });
        lines.collect::<Vec<_>>().join("\n")
    }
}

fn line(row: &[String], widths: &[usize]) -> String {
    let cells = row.iter().zip(widths).map(|(cell, widest)| {
        let gap = " ".repeat(widest.saturating_sub(width(cell)));
        format!("{cell}{gap}")
    });
    cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
}

/// The display width, without colour codes.
fn width(cell: &str) -> usize {
    let mut columns = 0;
    let mut rest = cell;
    while let Some(at) = rest.find('\u{1b}') {
        columns += rest[..at].width();
        rest = rest[at..].split_once('m').map_or("", |(_, after)| after);
    }
    columns + rest.width()
}

/// Untrusted text made safe for a terminal: one line, without control sequences.
pub(super) fn clean(text: &str) -> String {
    let shown = text.chars().map(|c| match c {
        '\n' | '\r' | '\t' => ' ',
        // Also the marks that change the direction of text.
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        c if c.is_control() => '\u{fffd}',
        c => c,
    });
    shown.collect()
}

/// [`clean`] text, cut to a number of columns.
pub(super) fn brief(text: &str, columns: usize) -> String {
    let text = clean(text);
    if text.width() <= columns {
        return text;
    }
    let mut used = 1;
    let fits = text.chars().take_while(|c| {
        used += c.width().unwrap_or(0);
        used <= columns
    });
    let mut cut: String = fits.collect();
    cut.push('…');
    cut
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
            has_colour,
        }
    }

    #[test]
    fn columns_are_as_wide_as_what_is_seen() {
        for screen in [plain(false), plain(true)] {
            let rows = [
                vec![screen.state("QUEUE"), "日本".to_owned(), "x".to_owned()],
                vec![screen.state("PUBLISHED"), "a".to_owned(), "y".to_owned()],
            ];
            let table = screen.table(&["STATE", "NAME", "END"], &rows);
            let ends: Vec<usize> = table.lines().map(width).collect();
            assert_eq!(ends, [9 + 2 + 4 + 2 + 3, 9 + 2 + 4 + 2 + 1, 9 + 2 + 4 + 2 + 1]);
        }
    }

    #[test]
    fn text_of_others_cannot_command_the_terminal() {
        assert_eq!(
            clean("a\u{1b}[2Jb\nc\u{202e}d\u{7}"),
            "a\u{fffd}[2Jb c\u{fffd}d\u{fffd}"
        );
    }

    #[test]
    fn long_text_is_cut_by_columns() {
        assert_eq!(brief("short", 5), "short");
        assert_eq!(brief("longer", 5), "long…");
        assert_eq!(brief("日本語", 5), "日本…");
    }

    #[test]
    fn problems_are_shown_with_their_places() {
        let details = json!([{ "path": ["comments", 2, "content"], "message": "must not be empty" }]);
        assert_eq!(issues(Some(&details)), ["comments.2.content: must not be empty"]);
        assert!(issues(Some(&json!({ "limit": 1 }))).is_empty());
    }
}
