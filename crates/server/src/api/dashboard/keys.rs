//! `/keys`: the API keys of a workspace.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header::CACHE_CONTROL;
use axum::http::{HeaderName, StatusCode};
use playout_domain::error::{Code, Refusal};
use playout_domain::id::KeyId;
use playout_wire::keys::{CreateKey, KeyBody, KeyList, NewKeyBody, RevokedKeysBody};

use crate::api::auth::Caller;
use crate::api::body::JsonBody;
use crate::api::error::ApiError;
use crate::api::json::Json;
use crate::api::params::Id;
use crate::app::App;

/// A new key, which no cache may store.
type NewKeyAnswer = (StatusCode, [(HeaderName, &'static str); 1], Json<NewKeyBody>);

/// List keys
///
/// The keys that are not revoked, oldest first, expired ones included.
#[utoipa::path(get, path = "/keys", operation_id = "listKeys", tag = "Keys",
    responses((status = 200, description = "The keys.", body = KeyList)))]
pub async fn list(State(app): State<Arc<App>>, caller: Caller) -> Result<Json<KeyList>, ApiError> {
    let keys = app.store.list_keys(caller.workspace().id).await?;
    Ok(Json(KeyList {
        keys: keys.into_iter().map(KeyBody::from).collect(),
    }))
}

/// Create a key
///
/// The key itself is returned only here; only its hash is stored. It may do what its scopes allow, with the accounts that it sees.
#[utoipa::path(post, path = "/keys", operation_id = "createKey", tag = "Keys",
    request_body(content = ref("#/components/schemas/CreateKey"), content_type = "application/json"),
    responses((status = 201, description = "The key.", body = NewKeyBody)),
    extensions(("x-error-codes" = json!(["email_not_verified", "count_limit_reached"]))))]
pub async fn create(
    State(app): State<Arc<App>>,
    caller: Caller,
    JsonBody(body): JsonBody,
) -> Result<NewKeyAnswer, ApiError> {
    let request = CreateKey::read(&body, app.now()).map_err(Refusal::invalid)?;
    let actor = caller.member()?.actor;
    let made = app.create_key_for(caller.workspace().id, request, actor).await?;
    let body = NewKeyBody::new(made.record, made.key.expose().to_owned());
    Ok((StatusCode::CREATED, [(CACHE_CONTROL, "no-store")], Json(body)))
}

/// Revoke a key
///
/// Requests with it are rejected: on this node at once, on others within two seconds.
#[utoipa::path(delete, path = "/keys/{id}", operation_id = "revokeKey", tag = "Keys",
    params(("id" = Uuid, Path, description = "The key's ID.")),
    responses((status = 204, description = "It is revoked.")),
    extensions(("x-error-codes" = json!(["not_found"]))))]
pub async fn revoke(
    State(app): State<Arc<App>>,
    caller: Caller,
    Id(id): Id<KeyId>,
) -> Result<StatusCode, ApiError> {
    let actor = caller.member()?.actor;
    match app.revoke_key_for(caller.workspace().id, id, actor).await? {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(Refusal::new(Code::NotFound, "No key with this ID exists in this workspace.").into()),
    }
}

/// Revoke all keys
///
/// Every key of the workspace, for when one does harm and it is not known which: requests with them are rejected on this node at once, on
/// others within two seconds. Programs that were approved and have not fetched their key get none.
#[utoipa::path(delete, path = "/keys", operation_id = "revokeAllKeys", tag = "Keys",
    responses((status = 200, description = "They are revoked.", body = RevokedKeysBody)))]
pub async fn revoke_all(
    State(app): State<Arc<App>>,
    caller: Caller,
) -> Result<Json<RevokedKeysBody>, ApiError> {
    let actor = caller.member()?.actor;
    let revoked = app.revoke_all_keys(caller.workspace().id, actor).await?;
    Ok(Json(RevokedKeysBody { revoked }))
}
