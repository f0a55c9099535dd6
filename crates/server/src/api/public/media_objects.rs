//! `/media/{id}`: read, change, delete.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use playout_domain::id::MediaId;
use playout_wire::media::{MediaBody, UpdateMedia};

use crate::api::auth::Caller;
use crate::api::body::JsonBody;
use crate::api::error::ApiError;
use crate::api::params::{Id, both};
use crate::app::App;

/// A media object.
pub async fn read(
    State(app): State<Arc<App>>,
    caller: Caller,
    Id(id): Id<MediaId>,
) -> Result<Json<MediaBody>, ApiError> {
    let media = app.get_media(caller.workspace().id, id).await?;
    Ok(Json(MediaBody::new(media, &app.media_url())))
}

/// Renames or moves a media object.
pub async fn change(
    State(app): State<Arc<App>>,
    caller: Caller,
    id: Result<Id<MediaId>, ApiError>,
    JsonBody(body): JsonBody,
) -> Result<Json<MediaBody>, ApiError> {
    let (id, request) = both(id, UpdateMedia::read(&body))?;
    let media = app.update_media(caller.workspace().id, id, request).await?;
    Ok(Json(MediaBody::new(media, &app.media_url())))
}

/// Deletes a media object and its files.
pub async fn delete(
    State(app): State<Arc<App>>,
    caller: Caller,
    Id(id): Id<MediaId>,
) -> Result<StatusCode, ApiError> {
    app.delete_media(caller.workspace().id, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
