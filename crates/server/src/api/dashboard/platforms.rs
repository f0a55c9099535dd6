//! `/platforms` in a session: listing all accounts, connecting, changing and removing them.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use playout_domain::error::Refusal;
use playout_domain::id::PlatformId;
use playout_domain::platform::ProviderConnection;
use playout_wire::platforms::{
    AuthorizationBody, ConnectPlatform, ConnectionBody, ConnectionList, PlatformBody, PlatformList,
    UpdatePlatform,
};

use crate::api::auth::{Caller, SignedIn};
use crate::api::body::JsonBody;
use crate::api::conditions::{Conditions, tagged};
use crate::api::error::ApiError;
use crate::api::fixed_fields::refuse_fixed;
use crate::api::json::Json;
use crate::api::params::{Id, Query, both};
use crate::app::App;

/// List platforms
///
/// The workspace's connected accounts, by name. With `all`, disabled accounts and accounts that must be connected again are
/// included.
#[utoipa::path(get, path = "/platforms", operation_id = "listPlatforms", tag = "Platforms",
    params(("all" = Option<bool>, Query, nullable = false, description = "Also those that cannot be posted to now; default `false`.")),
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
/// In any state.
#[utoipa::path(get, path = "/platforms/{id}", operation_id = "getPlatform", tag = "Platforms",
    params(("id" = Uuid, Path, description = "The platform's ID.")),
    responses((status = 200, description = "The account.", body = PlatformBody)),
    extensions(("x-error-codes" = json!(["platform_not_found", "provider_not_configured"]))))]
pub async fn read(
    State(app): State<Arc<App>>,
    caller: Caller,
    Id(id): Id<PlatformId>,
    conditions: Conditions,
) -> Result<Response, ApiError> {
    let (platform, name) = app.get_platform(caller.workspace().id, id).await?;
    Ok(conditions.respond(&PlatformBody::new(platform, name)))
}

/// Change a platform
///
/// Disables or enables it, and replaces its defaults. Due posts of a disabled account become ACTION_REQUIRED: when it is enabled
/// again, schedule or publish them. Settings are validated against the account's own schema, as those of a post are.
#[utoipa::path(patch, path = "/platforms/{id}", operation_id = "updatePlatform", tag = "Platforms",
    params(("id" = Uuid, Path, description = "The platform's ID.")),
    request_body(content = ref("#/components/schemas/UpdatePlatform"), content_type = "application/json"),
    responses((status = 200, description = "The account.", body = PlatformBody)),
    extensions(("x-error-codes" = json!(["platform_not_found", "provider_not_configured"]))))]
pub async fn change(
    State(app): State<Arc<App>>,
    caller: Caller,
    id: Result<Id<PlatformId>, ApiError>,
    conditions: Conditions,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let (id, request) = both(id, UpdatePlatform::read(&body))?;
    let (workspace, actor) = (caller.workspace().id, caller.member()?.actor);
    let shown = async || {
        let (platform, name) = app.get_platform(workspace, id).await?;
        Ok::<_, ApiError>(PlatformBody::new(platform, name))
    };
    refuse_fixed::<UpdatePlatform, _, _>(&body, shown).await?;
    let (platform, name) = app
        .update_platform(workspace, id, request, actor, &conditions.expected())
        .await?;
    Ok(tagged(&PlatformBody::new(platform, name)))
}

/// Disconnect a platform
///
/// It is removed at once, and its access is revoked at the provider, with retries until that succeeds. Its posts stay; those that
/// become due are ACTION_REQUIRED. Connecting the same account again restores it under the same ID.
#[utoipa::path(delete, path = "/platforms/{id}", operation_id = "deletePlatform", tag = "Platforms",
    params(("id" = Uuid, Path, description = "The platform's ID.")),
    responses((status = 204, description = "It is disconnected.")),
    extensions(("x-error-codes" = json!(["platform_not_found"]))))]
pub async fn remove(
    State(app): State<Arc<App>>,
    caller: Caller,
    Id(id): Id<PlatformId>,
    conditions: Conditions,
) -> Result<StatusCode, ApiError> {
    let actor = caller.member()?.actor;
    app.remove_platform(caller.workspace().id, id, actor, &conditions.expected())
        .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// List connections
///
/// The kinds of connection that are available here. If there is none, the operator has to set up a provider.
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
/// Returns the address of the provider's page, where a person chooses an account and grants access. The provider redirects them
/// to this service, which redirects to `/accounts`: with `connected`, the platform's ID, or with `error`. They must return within
/// 15 minutes, in the session that began the connection, and still be an admin. An account that was connected before keeps its
/// ID, its settings and its posts; posts that waited for it continue. What an account can do with its `connection` is in its
/// `capabilities`; an account has one connection at a time (`connected_otherwise`).
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
