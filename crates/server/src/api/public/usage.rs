//! `GET /usage`.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use playout_wire::usage::UsageBody;

use crate::api::auth::Caller;
use crate::api::error::ApiError;
use crate::app::App;

/// What the workspace has used of its plan.
pub async fn read(State(app): State<Arc<App>>, caller: Caller) -> Result<Json<UsageBody>, ApiError> {
    Ok(Json(app.usage(caller.workspace()).await?))
}
