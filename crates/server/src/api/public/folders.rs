//! `/media/folders`: list, create, rename, delete.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use playout_domain::error::Refusal;
use playout_domain::id::FolderId;
use playout_wire::media::{FolderBody, FolderList, NameFolder};

use crate::api::auth::Caller;
use crate::api::body::JsonBody;
use crate::api::error::ApiError;
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
/// Its name is unique in the workspace, ignoring case.
#[utoipa::path(post, path = "/media/folders", operation_id = "createFolder", tag = "Folders",
    request_body(content = ref("#/components/schemas/NameFolder"), content_type = "application/json"),
    responses((status = 201, description = "The folder.", body = FolderBody)))]
pub async fn create(
    State(app): State<Arc<App>>,
    caller: Caller,
    JsonBody(body): JsonBody,
) -> Result<(StatusCode, Json<FolderBody>), ApiError> {
    let request = NameFolder::read(&body).map_err(Refusal::invalid)?;
    let workspace = caller.workspace().id;
    let folder = app.create_folder(workspace, &request).await?;
    Ok((StatusCode::CREATED, Json(FolderBody::new(folder, workspace))))
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
    JsonBody(body): JsonBody,
) -> Result<Json<FolderBody>, ApiError> {
    let (id, request) = both(id, NameFolder::read(&body))?;
    let workspace = caller.workspace().id;
    let folder = app.rename_folder(workspace, id, &request).await?;
    Ok(Json(FolderBody::new(folder, workspace)))
}

/// Delete a folder
///
/// Its media move to the root.
#[utoipa::path(delete, path = "/media/folders/{id}", operation_id = "deleteFolder", tag = "Folders",
    params(("id" = Uuid, Path, description = "The folder's ID.")),
    responses((status = 204, description = "It is gone.")),
    extensions(("x-error-codes" = json!(["folder_not_found"]))))]
pub async fn delete(
    State(app): State<Arc<App>>,
    caller: Caller,
    Id(id): Id<FolderId>,
) -> Result<StatusCode, ApiError> {
    app.delete_folder(caller.workspace().id, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
