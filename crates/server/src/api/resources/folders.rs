//! `/media/folders`: list, create, rename, delete.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use playout_domain::id::FolderId;
use playout_store::Stored;
use playout_wire::canonical::Canonical;
use playout_wire::media::{FolderBody, FolderList, NameFolder};

use crate::api::auth::Caller;
use crate::api::body::JsonBody;
use crate::api::conditions::{Conditions, stored_with_tag, tagged};
use crate::api::error::ApiError;
use crate::api::fixed_fields::refuse_fixed;
use crate::api::idempotency::{IdempotencyKey, in_json};
use crate::api::json::Json;
use crate::api::params::{Id, both};
use crate::app::App;

/// List folders
///
/// By name.
#[utoipa::path(get, path = "/media/folders", operation_id = "listFolders", tag = "Folders",
    responses((status = 200, description = "The folders.", body = FolderList)))]
pub async fn list(State(app): State<Arc<App>>, caller: Caller) -> Result<Json<FolderList>, ApiError> {
    let workspace = caller.workspace().id;
    let folders = app.store.list_folders(workspace).await?;
    Ok(Json(FolderList {
        folders: folders
            .into_iter()
            .map(|folder| FolderBody::new(folder, workspace))
            .collect(),
    }))
}

/// Create a folder
///
/// Its name is unique in the workspace, ignoring case. A workspace has 1,000 folders at most.
#[utoipa::path(post, path = "/media/folders", operation_id = "createFolder", tag = "Folders",
    params(("Idempotency-Key" = Option<String>, Header, nullable = false)),
    request_body(content = ref("#/components/schemas/NameFolder"), content_type = "application/json"),
    responses((status = 201, description = "The folder.", body = FolderBody)),
    extensions(("x-error-codes" = json!(["count_limit_reached"]))))]
pub async fn create(
    State(app): State<Arc<App>>,
    caller: Caller,
    key: IdempotencyKey,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let now = app.now();
    let request = key.read(&app, &caller, now, |_| NameFolder::read(&body)).await?;
    let same = key.same(&caller, "POST /media/folders", now, || request.canonical());
    let (worker, workspace, by) = (Arc::clone(&app), caller.workspace().id, caller.actor());
    let work = move |kept| async move { worker.create_folder(workspace, &request, &by, &kept).await };
    same.once(&app, created, work).await
}

fn created(_: &App, folder: &FolderBody) -> Stored {
    stored_with_tag(in_json(StatusCode::CREATED, folder), folder)
}

/// Rename a folder
///
/// Its name is unique in the workspace, ignoring case.
#[utoipa::path(patch, path = "/media/folders/{id}", operation_id = "renameFolder", tag = "Folders",
    params(("id" = Uuid, Path, description = "The folder's ID.")),
    request_body(content = ref("#/components/schemas/NameFolder"), content_type = "application/json"),
    responses((status = 200, description = "The folder.", body = FolderBody)),
    extensions(("x-error-codes" = json!(["folder_not_found"]))))]
pub async fn rename(
    State(app): State<Arc<App>>,
    caller: Caller,
    id: Result<Id<FolderId>, ApiError>,
    conditions: Conditions,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let (id, request) = both(id, NameFolder::read(&body))?;
    let workspace = caller.workspace().id;
    let shown = async || {
        let folder = app.get_folder(workspace, id).await?;
        Ok::<_, ApiError>(FolderBody::new(folder, workspace))
    };
    refuse_fixed::<NameFolder, _, _>(&body, shown).await?;
    let (by, expected) = (caller.actor(), conditions.expected());
    let folder = app.rename_folder(workspace, id, &request, &by, &expected).await?;
    Ok(tagged(&FolderBody::new(folder, workspace)))
}

/// Delete a folder
///
/// Its media move to the root.
#[utoipa::path(delete, path = "/media/folders/{id}", operation_id = "deleteFolder", tag = "Folders",
    params(("id" = Uuid, Path, description = "The folder's ID.")),
    responses((status = 204, description = "It is deleted.")),
    extensions(("x-error-codes" = json!(["folder_not_found"]))))]
pub async fn delete(
    State(app): State<Arc<App>>,
    caller: Caller,
    Id(id): Id<FolderId>,
    conditions: Conditions,
) -> Result<StatusCode, ApiError> {
    app.delete_folder(caller.workspace().id, id, &caller.actor(), &conditions.expected())
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
