//! A call that a sample shows.

use super::literal::plain;
use crate::api::openapi::examples::{Step, variable_in};

/// A call of an operation, as a step of the examples makes it.
pub(super) struct Call<'a> {
    pub step: &'a Step,
    pub method: &'a str,
    pub path: &'a str,
    pub shown: Shown<'a>,
}

/// What there is to show of a response.
pub(super) enum Shown<'a> {
    /// A JSON document.
    Json,
    /// Bytes, which are written to this file.
    Bytes(&'a str),
    /// The headers alone.
    Headers,
    /// Its lines, as they come.
    Stream,
    Nothing,
}

impl Call<'_> {
    /// The address below the service's, with variables in the notation of a language, and its query.
    pub(super) fn address(&self, variable: fn(&str) -> String) -> String {
        let mut address = self.path.to_owned();
        for (name, value) in &self.step.path {
            let value = value.as_str().unwrap_or_default();
            let shown = match variable_in(value) {
                Some((before, name)) => before.to_owned() + &variable(name),
                None => value.to_owned(),
            };
            address = address.replace(&format!("{{{name}}}"), &shown);
        }
        for (index, (name, value)) in self.step.query.iter().enumerate() {
            address.push(if index == 0 { '?' } else { '&' });
            address.push_str(&format!("{name}={}", plain(value)));
        }
        address
    }
}
