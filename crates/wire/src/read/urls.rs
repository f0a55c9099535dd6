//! Addresses that the service will send requests to.

use playout_domain::error::IssueCode;

use super::field_type::FieldType;
use super::texts::text;

/// The longest address.
const MAX_URL_CHARS: usize = 2048;

/// Checks an address; returns its problem, if it has one.
pub type CheckUrl<'a> = &'a dyn Fn(&str) -> Result<(), String>;

/// An address that `check` accepts.
pub(crate) fn checked_url(check: CheckUrl<'_>) -> impl FieldType<Parsed = String> {
    let url = text(MAX_URL_CHARS).with("format", "uri");
    url.then(move |url| match check(&url) {
        Ok(()) => Ok(url),
        Err(problem) => Err(IssueCode::Format.with(problem)),
    })
}
