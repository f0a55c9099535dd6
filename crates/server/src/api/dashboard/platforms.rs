//! `/platforms` in a session: all accounts, how they are connected, changed and removed.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use playout_domain::error::Refusal;
use playout_domain::id::PlatformId;
use playout_domain::platform::ProviderConnection;
use playout_wire::platforms::{
    AuthorizationBody, ConnectPlatform, ConnectionBody, ConnectionList, PlatformBody, PlatformList,
    UpdatePlatform,
};

use crate::api::auth::{Caller, SignedIn};
use crate::api::body::JsonBody;
use crate::api::error::ApiError;
use crate::api::json::Json;
use crate::api::params::{Id, Query, both};
use crate::app::App;

/// List platforms
///
/// The workspace's connected accounts, by name. Disabled accounts and accounts that must be connected again are among
/// them if `all` says so.
#[utoipa::path(get, path = "/platforms", operation_id = "listPlatforms", tag = "Platforms",
    params(("all" = Option<bool>, Query, nullable = false, description = "Also those that cannot be posted to now; `false` unless given.")),
    responses((status = 200, description = "The accounts.", body = PlatformList)),
    extensions(("x-error-codes" = json!(["invalid_request"]))))]
pub async fn list(
    State(app): State<Arc<App>>,
    caller: Caller,
    mut query: Query,
) -> Result<Json<PlatformList>, ApiError> {
    let all = query.flag("all");
    query.done()?;
    let platforms = app.list_platforms(caller.workspace().id, all).await?;
    let bodies = platforms
        .into_iter()
        .map(|(platform, name)| PlatformBody::new(platform, name));
    Ok(Json(PlatformList {
        platforms: bodies.collect(),
    }))
}

/// Get a platform
///
/// In whatever state it is.
#[utoipa::path(get, path = "/platforms/{id}", operation_id = "getPlatform", tag = "Platforms",
    params(("id" = Uuid, Path, description = "The platform's ID.")),
    responses((status = 200, description = "The account.", body = PlatformBody)),
    extensions(("x-error-codes" = json!(["platform_not_found", "provider_not_configured"]))))]
pub async fn read(
    State(app): State<Arc<App>>,
    caller: Caller,
    Id(id): Id<PlatformId>,
) -> Result<Json<PlatformBody>, ApiError> {
    let (platform, name) = app.get_platform(caller.workspace().id, id).await?;
    Ok(Json(PlatformBody::new(platform, name)))
}

/// Change a platform
///
/// Switches it off or on again, and replaces its defaults. Posts of a disabled account that are due wait for a person
/// (ACTION_REQUIRED): when it is enabled again, schedule or publish them. Settings are held against the account's own
/// schema, as those of a post are.
#[utoipa::path(patch, path = "/platforms/{id}", operation_id = "updatePlatform", tag = "Platforms",
    params(("id" = Uuid, Path, description = "The platform's ID.")),
    request_body(content = ref("#/components/schemas/UpdatePlatform"), content_type = "application/json"),
    responses((status = 200, description = "The account.", body = PlatformBody)),
    extensions(("x-error-codes" = json!(["platform_not_found", "provider_not_configured"]))))]
pub async fn change(
    State(app): State<Arc<App>>,
    caller: Caller,
    id: Result<Id<PlatformId>, ApiError>,
    JsonBody(body): JsonBody,
) -> Result<Json<PlatformBody>, ApiError> {
    let (id, request) = both(id, UpdatePlatform::read(&body))?;
    let actor = caller.member()?.actor;
    let (platform, name) = app
        .update_platform(caller.workspace().id, id, request, actor)
        .await?;
    Ok(Json(PlatformBody::new(platform, name)))
}

/// Disconnect a platform
///
/// It is gone at once, and its access is given back to the provider, again and again until that has worked. Its posts
/// stay; those that are due wait for a person (ACTION_REQUIRED). Connecting the same account again brings it back under
/// the same ID.
#[utoipa::path(delete, path = "/platforms/{id}", operation_id = "deletePlatform", tag = "Platforms",
    params(("id" = Uuid, Path, description = "The platform's ID.")),
    responses((status = 204, description = "It is disconnected.")),
    extensions(("x-error-codes" = json!(["platform_not_found"]))))]
pub async fn remove(
    State(app): State<Arc<App>>,
    caller: Caller,
    Id(id): Id<PlatformId>,
) -> Result<StatusCode, ApiError> {
    let actor = caller.member()?.actor;
    app.remove_platform(caller.workspace().id, id, actor).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// List connections
///
/// The ways in which accounts can be connected here, for whoever offers the choice. Without any, whoever runs the service
/// has to set up a provider.
#[utoipa::path(get, path = "/platforms/connections", operation_id = "listConnections", tag = "Platforms",
    responses((status = 200, description = "The connections.", body = ConnectionList)))]
pub async fn connections(State(app): State<Arc<App>>, _caller: Caller) -> Json<ConnectionList> {
    let bodies = app.providers().map(|provider| ConnectionBody {
        provider: provider.id(),
        connection: provider.connection(),
        provider_name: provider.name(),
        notes: provider.connection_notes(),
    });
    Json(ConnectionList {
        connections: bodies.collect(),
    })
}

/// Connect a platform
///
/// Answers the provider's page, where a person chooses an account and what to allow. The provider sends them back to
/// this service, which leads them to `/accounts`: with `connected`, the platform's ID, or with `error`. They must come
/// back within 15 minutes, in the session that asked, and still be an admin. An account that was connected before keeps
/// its ID, its settings and its posts; those that waited for it go on. What `connection` cannot do, or can beside, is in
/// the account's `capabilities`; an account has one connection at a time (`connected_otherwise`).
#[utoipa::path(post, path = "/platforms/connect", operation_id = "connectPlatform", tag = "Platforms",
    request_body(content = ref("#/components/schemas/ConnectPlatform"), content_type = "application/json"),
    responses((status = 200, description = "Where to send the person.", body = AuthorizationBody)),
    extensions(("x-error-codes" = json!(["provider_not_configured"]))))]
pub async fn connect(
    State(app): State<Arc<App>>,
    caller: Caller,
    signed_in: SignedIn,
    JsonBody(body): JsonBody,
) -> Result<Json<AuthorizationBody>, ApiError> {
    let request = ConnectPlatform::read(&body).map_err(Refusal::invalid)?;
    let wanted = ProviderConnection {
        provider: request.provider,
        connection: request.connection,
    };
    let link = app
        .start_connecting_for(caller.workspace().id, wanted, &signed_in.connector())
        .await?;
    Ok(Json(AuthorizationBody {
        authorization_url: link,
    }))
}
