//! `POST /posts/batch`: up to a hundred posts in one request.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use playout_domain::access::Scope;
use playout_store::Stored;
use playout_wire::posts::{BatchResults, CreateBatch, CreatePost, Mode};

use crate::api::auth::Caller;
use crate::api::body::BatchBody;
use crate::api::error::ApiError;
use crate::api::idempotency::{IdempotencyKey, in_json};
use crate::api::json::Json;
use crate::app::App;
use crate::app::once::Kept;
use crate::app::posts::Creator;

/// Create several posts
///
/// Each by itself, in their order: one that is rejected, or for which the plan has no post left, keeps no other from being created. With
/// `dryRun` nothing is created, and the results are what they would be. One `Idempotency-Key` counts for all of them; a dry run needs none.
/// A batch with a post that is no draft needs the scope `publish`, one of drafts `drafts`, a dry run `read`.
#[utoipa::path(post, path = "/posts/batch", operation_id = "createPosts", tag = "Posts",
    params(("Idempotency-Key" = Option<String>, Header, nullable = false)),
    request_body(content = ref("#/components/schemas/CreateBatch"), content_type = "application/json"),
    responses((status = 200, description = "The result for each post.", body = BatchResults)))]
pub async fn create(
    State(app): State<Arc<App>>,
    caller: Caller,
    key: IdempotencyKey,
    BatchBody(body): BatchBody,
) -> Result<Response, ApiError> {
    let now = app.now();
    let request = key
        .read(&app, &caller, now, |now| CreateBatch::read(&body, now))
        .await?;
    let creator = Creator {
        by: &caller.actor(),
        accounts: &caller.access().accounts,
    };
    if request.dry_run {
        // Nothing is created, and so nothing is stored to be repeated.
        let (workspace, nowhere) = (caller.workspace(), Kept::nowhere());
        let results = app.create_batch(workspace, &request, creator, &nowhere).await?;
        return Ok(Json(results).into_response());
    }
    let is_draft = |post: &CreatePost| matches!(post.mode, Mode::Draft(_));
    let are_drafts = request.posts.iter().flatten().all(is_draft);
    caller.require(if are_drafts { Scope::Drafts } else { Scope::Publish })?;
    let same = key.same(&caller, "POST /posts/batch", now, || {
        CreateBatch::canonical(&body)
    });
    let (worker, workspace) = (Arc::clone(&app), caller.workspace().clone());
    let (by, caller) = (caller.actor(), caller.clone());
    let work = move |kept| async move {
        let creator = Creator {
            by: &by,
            accounts: &caller.access().accounts,
        };
        worker.create_batch(&workspace, &request, creator, &kept).await
    };
    same.once(&app, created, work).await
}

fn created(_: &App, results: &BatchResults) -> Stored {
    in_json(StatusCode::OK, results)
}
