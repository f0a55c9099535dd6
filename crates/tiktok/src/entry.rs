//! A row of the table in [`crate::errors`].

use std::time::Duration;

use playout_domain::explanation::Row;

/// How long to send nothing for an account after the provider answered "too many requests".
pub(crate) const COOL_DOWN: Duration = Duration::from_secs(60);

/// Where a code is met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Any call.
    Anywhere,
    /// The consent page's answer, or the token endpoint.
    OAuth,
    /// Handing a post over.
    Init,
    /// The bytes of an upload.
    Upload,
    /// A status query for a submission, its `fail_reason`, or the event that reports it.
    Status,
    /// Any call of the business API; its numeric codes are written `business_40100`.
    Business,
    /// No code came: what the transport showed. The codes are ours.
    Transport,
}

/// One row of the table, and where its code is met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// Where.
    pub place: Place,
    /// The code, its fate, and its explanation for the person who has to act.
    pub row: Row,
}
