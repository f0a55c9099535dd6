//! The error body (`docs/contract.md#errors`).

use playout_domain::error::Refusal;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

/// `{ code, message, details? }`.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Error)]
pub struct ErrorBody {
    /// The code for programs; stable.
    #[schema(value_type = String)]
    pub code: &'static str,
    /// The message for people.
    pub message: String,
    /// Structured detail: for `invalid_request` an array of `{ path, code, message }`, for limits `{ limit, used, resetsAt }`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Value>)]
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
