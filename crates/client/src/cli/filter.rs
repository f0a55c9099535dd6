//! What of a document is printed: `--json=FIELDS`, then `--jq PROGRAM`.

use std::borrow::Cow;

use playout_client::Error;
use serde_json::Value;

use super::fields::{choose, split};
use super::global::Global;
use super::jq;
use super::sandbox::Program;

/// The filter of a command's document.
#[derive(Default)]
pub(super) struct Filter {
    fields: Vec<String>,
    program: Option<Program>,
    /// Whether the command only reads, and prints the same again.
    only_reads: bool,
}

impl Filter {
    /// The filter of the options, for a command that only reads or another one.
    ///
    /// # Errors
    /// `invalid_filter` if the program of `--jq` cannot be run.
    pub(super) fn new(global: &Global, only_reads: bool) -> Result<Self, Error> {
        Ok(Self {
            fields: global.json.as_deref().map(split).unwrap_or_default(),
            program: global.jq.as_deref().map(Program::read).transpose()?,
            only_reads,
        })
    }

    /// The lines of a document for programs: the document, or a line for each output of the program, none if it has none.
    ///
    /// # Errors
    /// `unknown_field`, of which the details have the fields, and `filter_failed`. After a command that changes something the details have
    /// the document.
    pub(super) fn text(&self, document: &Value) -> Result<String, Error> {
        self.print(document, |chosen| format!("{chosen:#}\n"))
    }

    /// The same, the document in one line.
    ///
    /// # Errors
    /// As [`Filter::text`].
    pub(super) fn line(&self, document: &Value) -> Result<String, Error> {
        self.print(document, |chosen| format!("{chosen}\n"))
    }

    fn print(&self, document: &Value, whole: impl Fn(&Value) -> String) -> Result<String, Error> {
        let chosen = self.choose(document);
        let printed = chosen.and_then(|chosen| match &self.program {
            Some(program) => program.run(&chosen),
            None => Ok(whole(&chosen)),
        });
        printed.map_err(|error| match self.only_reads {
            true => error,
            false => Error {
                message: format!("{} The details have the output.", error.message),
                ..error.with_details(document.clone())
            },
        })
    }

    /// Checks that a body that is not JSON may be printed as it is.
    ///
    /// # Errors
    /// `filter_failed` if fields or a program were to choose.
    pub(super) fn check_bytes(&self) -> Result<(), Error> {
        match self.fields.is_empty() && self.program.is_none() {
            true => Ok(()),
            false => Err(jq::failed("the body of the response is not JSON")),
        }
    }

    fn choose<'a>(&self, document: &'a Value) -> Result<Cow<'a, Value>, Error> {
        match self.fields.is_empty() {
            true => Ok(Cow::Borrowed(document)),
            false => choose(document, &self.fields).map(Cow::Owned),
        }
    }
}
