//! The error body (seed, "Error body").

use playout_domain::error::Refusal;
use serde::Serialize;
use serde_json::Value;

/// `{ code, message, details? }`.
#[derive(Debug, Clone, Serialize)]
pub struct ErrorBody {
    /// What a program branches on.
    pub code: &'static str,
    /// What a person reads.
    pub message: String,
    /// Structured detail.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub details: Option<Value>,
}

impl From<Refusal> for ErrorBody {
    fn from(refusal: Refusal) -> Self {
        Self {
            code: refusal.code.as_str(),
            message: refusal.message,
            details: refusal.details,
        }
    }
}
