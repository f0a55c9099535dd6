//! `GET /usage`.

use std::sync::Arc;

use axum::extract::State;
use playout_wire::usage::UsageBody;

use crate::api::auth::Caller;
use crate::api::error::ApiError;
use crate::api::json::Json;
use crate::app::App;

/// Get usage
///
/// The plan's limits, and what the workspace has used of them. `null` means unlimited.
#[utoipa::path(get, path = "/usage", operation_id = "getUsage", tag = "Usage",
    responses((status = 200, description = "The plan and what is used of it.", body = UsageBody)))]
pub async fn read(State(app): State<Arc<App>>, caller: Caller) -> Result<Json<UsageBody>, ApiError> {
    let seen = &caller.access().accounts;
    Ok(Json(app.usage(caller.workspace(), seen).await?))
}
