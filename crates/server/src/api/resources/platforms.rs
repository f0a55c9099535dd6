//! `GET /platforms`, `GET /platforms/{id}/schema`, `GET /platforms/{id}/health`.

use std::sync::Arc;

use axum::extract::State;
use playout_domain::id::PlatformId;
use playout_wire::platform_health::HealthBody;
use playout_wire::platforms::{Include, PlatformBody, PlatformList, PlatformWithSchema, SchemaBody};

use crate::api::auth::Caller;
use crate::api::error::ApiError;
use crate::api::json::Json;
use crate::api::params::{Id, Query};
use crate::app::App;

/// List platforms
///
/// The workspace's connected accounts that can be posted to, by name. With `include=all`, disabled accounts and accounts that must be
/// connected again are included.
#[utoipa::path(get, path = "/platforms", operation_id = "listPlatforms", tag = "Platforms",
    params(("include" = inline(Option<Include>), Query, nullable = false, description = "`ready`, those that can be posted to now (the default), or `all`.")),
    responses((status = 200, description = "The accounts.", body = PlatformList)),
    extensions(("x-error-codes" = json!(["invalid_request"]))))]
pub async fn list(
    State(app): State<Arc<App>>,
    caller: Caller,
    mut query: Query,
) -> Result<Json<PlatformList>, ApiError> {
    let all = query.word("include", &[("ready", false), ("all", true)]);
    query.done()?;
    let platforms = app.list_platforms(caller.workspace().id, all).await?;
    let seen = &caller.access().accounts;
    let bodies = platforms
        .into_iter()
        .filter(|(platform, _)| seen.allow(platform.id))
        .map(|(platform, name)| PlatformBody::new(platform, name));
    Ok(Json(PlatformList {
        platforms: bodies.collect(),
    }))
}

/// Get a platform's schema
///
/// An account and what it accepts: limits of the caption and the media, and the settings of a post, with the options of this
/// account.
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

/// Get a platform's health
///
/// Whether an account can be posted to, in any state: its access, its permissions, the provider's limits and reports, every
/// problem with who must act and what to do, and a verdict. The response is built from stored data; with `refresh=true` the
/// provider is called first, at most once a minute. If it does not respond, `refresh` reports that.
#[utoipa::path(get, path = "/platforms/{id}/health", operation_id = "getPlatformHealth", tag = "Platforms",
    params(("id" = Uuid, Path, description = "A platform's ID; also of one that is not in the platform list."),
        ("refresh" = Option<bool>, Query, nullable = false, description = "Whether to call the provider first; default `false`.")),
    responses((status = 200, description = "The account's health.", body = HealthBody)),
    extensions(("x-error-codes" = json!(["platform_not_found", "provider_not_configured"]))))]
pub async fn health(
    State(app): State<Arc<App>>,
    caller: Caller,
    Id(id): Id<PlatformId>,
    mut query: Query,
) -> Result<Json<HealthBody>, ApiError> {
    let refresh = query.flag("refresh");
    query.done()?;
    let health = app.platform_health(caller.workspace().id, id, refresh);
    Ok(Json(health.await?))
}
