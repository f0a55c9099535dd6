//! `/media/{id}`: read, change, delete.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use playout_domain::id::MediaId;
use playout_wire::media::{MediaBody, UpdateMedia};

use crate::api::auth::Caller;
use crate::api::body::JsonBody;
use crate::api::conditions::{Conditions, tagged};
use crate::api::error::ApiError;
use crate::api::fixed_fields::refuse_fixed;
use crate::api::params::{Id, both};
use crate::app::App;

/// Get a file
///
/// A media object, also one whose resumable upload is still in progress (PENDING).
#[utoipa::path(get, path = "/media/{id}", operation_id = "getMedia", tag = "Media",
    params(("id" = Uuid, Path, description = "The media object's ID.")),
    responses((status = 200, description = "The media object.", body = MediaBody)),
    extensions(("x-error-codes" = json!(["media_not_found"]))))]
pub async fn read(
    State(app): State<Arc<App>>,
    caller: Caller,
    Id(id): Id<MediaId>,
    conditions: Conditions,
) -> Result<Response, ApiError> {
    let media = app.get_media(caller.workspace().id, id).await?;
    Ok(conditions.respond(&MediaBody::new(media, &app.media_url())))
}

/// Rename or move a file
///
/// Absent fields stay unchanged.
#[utoipa::path(patch, path = "/media/{id}", operation_id = "updateMedia", tag = "Media",
    params(("id" = Uuid, Path, description = "The media object's ID.")),
    request_body(content = ref("#/components/schemas/UpdateMedia"), content_type = "application/json"),
    responses((status = 200, description = "The media object.", body = MediaBody)),
    extensions(("x-error-codes" = json!(["media_not_found", "folder_not_found"]))))]
pub async fn change(
    State(app): State<Arc<App>>,
    caller: Caller,
    id: Result<Id<MediaId>, ApiError>,
    conditions: Conditions,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let (id, request) = both(id, UpdateMedia::read(&body))?;
    let workspace = caller.workspace().id;
    let shown = async || {
        let media = app.get_media(workspace, id).await?;
        Ok::<_, ApiError>(MediaBody::new(media, &app.media_url()))
    };
    refuse_fixed::<UpdateMedia, _, _>(&body, shown).await?;
    let (by, expected) = (caller.actor(), conditions.expected());
    let media = app.update_media(workspace, id, request, &by, &expected).await?;
    Ok(tagged(&MediaBody::new(media, &app.media_url())))
}

/// Delete a file
///
/// With its preview; its storage is freed. A file that a draft or a queued post needs is not deleted.
#[utoipa::path(delete, path = "/media/{id}", operation_id = "deleteMedia", tag = "Media",
    params(("id" = Uuid, Path, description = "The media object's ID.")),
    responses((status = 204, description = "It is deleted.")),
    extensions(("x-error-codes" = json!(["media_not_found", "media_in_use"]))))]
pub async fn delete(
    State(app): State<Arc<App>>,
    caller: Caller,
    Id(id): Id<MediaId>,
    conditions: Conditions,
) -> Result<StatusCode, ApiError> {
    let (by, expected) = (caller.actor(), conditions.expected());
    app.delete_media(
        caller.workspace().id,
        id,
        &by,
        &expected,
        &caller.access().accounts,
    )
    .await?;
    Ok(StatusCode::NO_CONTENT)
}
