//! `GET /platforms`, `GET /platforms/{id}/schema`.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use playout_domain::id::PlatformId;
use playout_wire::platforms::{PlatformBody, PlatformList, PlatformWithSchema, SchemaBody};

use crate::api::auth::Caller;
use crate::api::error::ApiError;
use crate::api::params::Id;
use crate::app::App;

/// Lists the accounts that can be posted to, by name.
pub async fn list(State(app): State<Arc<App>>, caller: Caller) -> Result<Json<PlatformList>, ApiError> {
    let platforms = app.list_platforms(caller.workspace().id).await?;
    let bodies = platforms
        .into_iter()
        .map(|(platform, name)| PlatformBody::new(platform, name));
    Ok(Json(PlatformList {
        platforms: bodies.collect(),
    }))
}

/// An account and what it accepts.
pub async fn schema(
    State(app): State<Arc<App>>,
    caller: Caller,
    Id(id): Id<PlatformId>,
) -> Result<Json<PlatformWithSchema>, ApiError> {
    let (platform, name, schema) = app.platform_schema(caller.workspace().id, id).await?;
    let schema = SchemaBody::new(schema, platform.provider.clone());
    Ok(Json(PlatformWithSchema {
        platform: PlatformBody::new(platform, name),
        schema,
    }))
}
