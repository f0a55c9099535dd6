//! The table of error codes on the page.

use axum::http::StatusCode;
use playout_domain::error::Code;
use serde_json::Value;

use super::markdown::Markdown;
use crate::api::error::status_of;
use crate::api::openapi::document;

/// The codes that `results` of a created or validated post contain, with no status of their own.
const OF_RESULTS: [Code; 4] = [
    Code::InvalidContent,
    Code::InvalidMedia,
    Code::InvalidSettings,
    Code::CommentsNotSupported,
];
/// The codes of paths and methods that there are not.
const ANYWHERE: [Code; 2] = [Code::NotFound, Code::MethodNotAllowed];

/// An error code.
pub(super) struct Row {
    pub code: &'static str,
    /// `None` for a code in `results`.
    pub status: Option<StatusCode>,
    pub meaning: Markdown,
}

/// The codes that the API responds with.
pub(super) fn rows() -> Vec<Row> {
    let of_operations = codes_of_operations();
    let is_listed = |code: &&Code| {
        of_operations.contains(&code.as_str()) || OF_RESULTS.contains(code) || ANYWHERE.contains(code)
    };
    let row = |code: &Code| Row {
        code: code.as_str(),
        status: (!OF_RESULTS.contains(code)).then(|| status_of(*code)),
        meaning: Markdown(code.meaning()),
    };
    Code::ALL.iter().filter(is_listed).map(row).collect()
}

fn codes_of_operations() -> Vec<&'static str> {
    document()["paths"]
        .as_object()
        .into_iter()
        .flat_map(|paths| paths.values())
        .filter_map(Value::as_object)
        .flat_map(|methods| methods.values())
        .filter_map(|operation| operation["x-error-codes"].as_array())
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}
