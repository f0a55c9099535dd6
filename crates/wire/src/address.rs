//! Addresses of people on the wire.

use playout_domain::error::IssueCode;
use playout_domain::people::{Email, MAX_EMAIL_CHARS};
use serde_json::json;

use crate::read::{FieldType, trimmed_text};

/// The description of a user's address.
pub(crate) const ADDRESS: &str = "The address; upper and lower case count as the same.";

/// An address, valid or not.
pub(crate) fn address() -> impl FieldType<Parsed = String> {
    trimmed_text(MAX_EMAIL_CHARS).described_as(|description| {
        json!({ "type": "string", "format": "email", "maxLength": MAX_EMAIL_CHARS, "description": description })
    })
}

/// A valid address.
pub(crate) fn email() -> impl FieldType<Parsed = Email> {
    address()
        .then(|text| Email::parse(&text).ok_or_else(|| IssueCode::Format.with("must be an e-mail address")))
}
