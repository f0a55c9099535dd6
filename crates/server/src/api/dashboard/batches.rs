//! Batch operations: `POST /posts/reschedule`, `POST /posts/delete`, `POST /media/delete`.

use std::sync::Arc;

use axum::extract::State;
use playout_domain::error::Refusal;
use playout_wire::batches::{DeleteResults, RescheduleResults, read_ids, read_new_times};

use crate::api::auth::Caller;
use crate::api::body::JsonBody;
use crate::api::error::ApiError;
use crate::api::json::Json;
use crate::app::App;

/// Reschedule queued posts
///
/// Gives up to 200 posts in QUEUE new times, each after full validation. A post in any other state is not touched: its entry
/// has the error `post_not_reschedulable`. The other errors of an entry are those of `PATCH /posts/{id}/schedule`.
#[utoipa::path(post, path = "/posts/reschedule", operation_id = "reschedulePosts", tag = "Batches",
    request_body(content = ref("#/components/schemas/ReschedulePosts"), content_type = "application/json"),
    responses((status = 200, description = "The result for each post, in the order of the request.", body = RescheduleResults)))]
pub async fn reschedule_posts(
    State(app): State<Arc<App>>,
    caller: Caller,
    JsonBody(body): JsonBody,
) -> Result<Json<RescheduleResults>, ApiError> {
    let times = read_new_times(&body).map_err(Refusal::invalid)?;
    let results = app
        .reschedule_posts(caller.workspace(), times, &caller.actor())
        .await;
    Ok(Json(RescheduleResults { results }))
}

/// Delete several posts
///
/// Up to 200, each with its group, as `DELETE /posts/{id}` does; the errors of an entry are those of that operation.
#[utoipa::path(post, path = "/posts/delete", operation_id = "deletePosts", tag = "Batches",
    request_body(content = ref("#/components/schemas/DeleteMany"), content_type = "application/json"),
    responses((status = 200, description = "The result for each post, in the order of the request.", body = DeleteResults)))]
pub async fn delete_posts(
    State(app): State<Arc<App>>,
    caller: Caller,
    JsonBody(body): JsonBody,
) -> Result<Json<DeleteResults>, ApiError> {
    let ids = read_ids(&body).map_err(Refusal::invalid)?;
    let results = app
        .delete_posts(caller.workspace().id, ids, &caller.actor())
        .await;
    Ok(Json(DeleteResults { results }))
}

/// Delete several files
///
/// Up to 200, as `DELETE /media/{id}` does; the errors of an entry are those of that operation.
#[utoipa::path(post, path = "/media/delete", operation_id = "deleteMediaMany", tag = "Batches",
    request_body(content = ref("#/components/schemas/DeleteMany"), content_type = "application/json"),
    responses((status = 200, description = "The result for each file, in the order of the request.", body = DeleteResults)))]
pub async fn delete_media(
    State(app): State<Arc<App>>,
    caller: Caller,
    JsonBody(body): JsonBody,
) -> Result<Json<DeleteResults>, ApiError> {
    let ids = read_ids(&body).map_err(Refusal::invalid)?;
    let results = app
        .delete_media_many(caller.workspace().id, ids, &caller.actor())
        .await;
    Ok(Json(DeleteResults { results }))
}
