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

/// List platforms
///
/// The workspace's connected accounts that can be posted to, by name. Disabled accounts and accounts that must be
/// connected again are left out.
#[utoipa::path(get, path = "/platforms", operation_id = "listPlatforms", tag = "Platforms",
    responses((status = 200, description = "The accounts.", body = PlatformList)))]
pub async fn list(State(app): State<Arc<App>>, caller: Caller) -> Result<Json<PlatformList>, ApiError> {
    let platforms = app.list_platforms(caller.workspace().id, false).await?;
    let bodies = platforms
        .into_iter()
        .map(|(platform, name)| PlatformBody::new(platform, name));
    Ok(Json(PlatformList {
        platforms: bodies.collect(),
    }))
}

/// Get a platform's schema
///
/// An account and what it accepts: limits of the caption and the media, and the settings a post may have, with the
/// options this very account has.
#[utoipa::path(get, path = "/platforms/{id}/schema", operation_id = "getPlatformSchema", tag = "Platforms",
    params(("id" = Uuid, Path, description = "A platform's ID, from the platform list.")),
    responses((status = 200, description = "The account and its schema.", body = PlatformWithSchema)),
    extensions(("x-error-codes" = json!(["platform_not_found"]))))]
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
