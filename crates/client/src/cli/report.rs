//! What a command has to say: once for people, once for programs.

use playout_client::Error;
use serde_json::Value;

/// How a command ends.
pub(super) type Outcome = Result<Report, Error>;

/// What a command found or did.
#[derive(Debug, Default)]
pub(super) struct Report {
    /// For programs: the one document on standard output.
    pub(super) json: Value,
    /// For people.
    pub(super) text: String,
    /// What went wrong although there is something to show.
    pub(super) error: Option<Error>,
    /// Text even where a program reads it, unless it asks for JSON: a script for a shell.
    pub(super) is_script: bool,
}

impl Report {
    /// A report of something that went well.
    pub(super) fn new(json: Value, text: impl Into<String>) -> Self {
        Self {
            json,
            text: text.into(),
            ..Self::default()
        }
    }

    /// The same with what went wrong.
    pub(super) fn but(self, error: Option<Error>) -> Self {
        Self { error, ..self }
    }
}
