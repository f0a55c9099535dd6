//! `POST /media/import`: a file that the service fetches.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use playout_domain::media::Media;
use playout_store::Stored;
use playout_wire::canonical::Canonical;
use playout_wire::media::{ImportMedia, MediaBody};

use crate::api::auth::Caller;
use crate::api::body::JsonBody;
use crate::api::conditions::stored_with_tag;
use crate::api::error::ApiError;
use crate::api::idempotency::{IdempotencyKey, in_json};
use crate::app::App;

/// Import a file
///
/// Fetches a file from a public address, http or https, with at most three redirects. The media object is PENDING, and `receivedBytes`
/// grows, until the file is received and checked; then it is READY (event `media.ready`), or has a `failure` (event `media.failed`) and is
/// deleted after a day. A connection that breaks off is continued, for 10 minutes in all. The limits are those of an upload.
#[utoipa::path(post, path = "/media/import", operation_id = "importMedia", tag = "Media",
    params(("Idempotency-Key" = Option<String>, Header, nullable = false)),
    request_body(content = ref("#/components/schemas/ImportMedia"), content_type = "application/json"),
    responses((status = 202, description = "The media object, PENDING.", body = MediaBody)),
    extensions(("x-error-codes" = json!(["folder_not_found", "storage_limit_reached", "count_limit_reached"]))))]
pub async fn create(
    State(app): State<Arc<App>>,
    caller: Caller,
    key: IdempotencyKey,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let now = app.now();
    let read = |_| ImportMedia::read(&body, &|url: &str| app.egress.check_file(url));
    let request = key.read(&app, &caller, now, read).await?;
    let same = key.same(&caller, "POST /media/import", now, || request.canonical());
    let (worker, workspace) = (Arc::clone(&app), caller.workspace().clone());
    let work = move |kept| async move { worker.begin_import(&workspace, request, &kept).await };
    same.once(&app, accepted, work).await
}

fn accepted(app: &App, media: &Media) -> Stored {
    let body = MediaBody::new(media.clone(), &app.media_url());
    stored_with_tag(in_json(StatusCode::ACCEPTED, &body), &body)
}
