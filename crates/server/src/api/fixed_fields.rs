//! Refuses what the body of a `PATCH` would change of a resource, but the operation does not (`docs/contract.md#fixed-fields`).

use playout_domain::error::Refusal;
use playout_wire::read::{Patch, fixed_fields, has_other_fields};
use serde::Serialize;
use serde_json::Value;

use super::error::ApiError;

/// Refuses other values of fields that `P` does not change. The resource is read only where the body has other fields than `P` reads.
pub(super) async fn refuse_fixed<P: Patch, S: Serialize, E: Into<ApiError>>(
    body: &Value,
    shown: impl AsyncFnOnce() -> Result<S, E>,
) -> Result<(), ApiError> {
    if !has_other_fields::<P>(body) {
        return Ok(());
    }
    let shown = shown().await.map_err(E::into)?;
    let issues = fixed_fields::<P>(body, &shown);
    match issues.is_empty() {
        true => Ok(()),
        false => Err(Refusal::invalid(issues).into()),
    }
}
