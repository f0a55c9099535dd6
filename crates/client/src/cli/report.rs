//! The outcome of a command: text for people, a document for programs.

use playout_client::Error;
use serde_json::Value;

/// The result of a command, or its error.
pub(super) type Outcome = Result<Report, Error>;

/// The result of a command.
#[derive(Debug, Default)]
pub(super) struct Report {
    /// For programs: the one document on standard output.
    pub(super) json: Value,
    /// For people.
    pub(super) text: String,
    /// An error beside the result.
    pub(super) error: Option<Error>,
    /// Whether the text is printed even without a terminal, except with `--json`: a script for a shell.
    pub(super) is_script: bool,
    /// What is printed instead of both, byte for byte: a body that is not JSON.
    pub(super) bytes: Option<Vec<u8>>,
}

impl Report {
    /// The report of a success.
    pub(super) fn new(json: Value, text: impl Into<String>) -> Self {
        Self {
            json,
            text: text.into(),
            ..Self::default()
        }
    }

    /// The report with an error.
    pub(super) fn but(self, error: Option<Error>) -> Self {
        Self { error, ..self }
    }
}
