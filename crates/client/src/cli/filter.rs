//! What of a document is printed: `--json=FIELDS`.

use std::borrow::Cow;

use playout_client::Error;
use serde_json::Value;

use super::fields::{choose, split};
use super::global::Global;

/// The filter of a command's document.
#[derive(Debug, Default)]
pub(super) struct Filter {
    fields: Vec<String>,
}

impl Filter {
    /// The filter of the options.
    pub(super) fn new(global: &Global) -> Self {
        Self {
            fields: global.json.as_deref().map(split).unwrap_or_default(),
        }
    }

    /// The text of a document for programs.
    ///
    /// # Errors
    /// `unknown_field`
    pub(super) fn text(&self, document: &Value) -> Result<String, Error> {
        Ok(format!("{:#}", self.apply(document)?))
    }

    /// The same in one line.
    ///
    /// # Errors
    /// As [`Filter::text`].
    pub(super) fn line(&self, document: &Value) -> Result<String, Error> {
        Ok(self.apply(document)?.to_string())
    }

    fn apply<'a>(&self, document: &'a Value) -> Result<Cow<'a, Value>, Error> {
        match self.fields.is_empty() {
            true => Ok(Cow::Borrowed(document)),
            false => choose(document, &self.fields).map(Cow::Owned),
        }
    }
}
