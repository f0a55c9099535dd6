//! `/organizations`: the workspaces of the signed-in user.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use playout_domain::error::Refusal;
use playout_domain::workspace::Role;
use playout_store::WorkspaceChanges;
use playout_wire::organizations::{
    DeleteOrganization, NameOrganization, OrganizationBody, OrganizationList, UpdateOrganization,
};

use crate::api::auth::{Caller, SignedIn};
use crate::api::body::JsonBody;
use crate::api::error::ApiError;
use crate::api::json::Json;
use crate::app::App;

/// List workspaces
///
/// The workspaces that the signed-in user belongs to.
#[utoipa::path(get, path = "/organizations", operation_id = "listOrganizations", tag = "Organizations",
    responses((status = 200, description = "The workspaces.", body = OrganizationList)))]
pub async fn list(
    State(app): State<Arc<App>>,
    signed_in: SignedIn,
) -> Result<Json<OrganizationList>, ApiError> {
    let workspaces = app.store.list_workspaces_of(signed_in.user().id).await?;
    let organizations = workspaces.into_iter();
    let organizations = organizations.map(|(workspace, role)| OrganizationBody::new(workspace, role));
    Ok(Json(OrganizationList {
        organizations: organizations.collect(),
    }))
}

/// Create a workspace
///
/// The signed-in user owns it. A user can own as many as `PLAYOUT_WORKSPACES_PER_USER` allows.
#[utoipa::path(post, path = "/organizations", operation_id = "createOrganization", tag = "Organizations",
    request_body(content = ref("#/components/schemas/NameOrganization"), content_type = "application/json"),
    responses((status = 201, description = "The workspace.", body = OrganizationBody)),
    extensions(("x-error-codes" = json!(["workspace_limit_reached"]))))]
pub async fn create(
    State(app): State<Arc<App>>,
    signed_in: SignedIn,
    JsonBody(body): JsonBody,
) -> Result<(StatusCode, Json<OrganizationBody>), ApiError> {
    let request = NameOrganization::read(&body).map_err(Refusal::invalid)?;
    let workspace = app
        .create_workspace(request.name, signed_in.user().id, &signed_in.actor)
        .await?;
    let body = OrganizationBody::new(workspace, Role::Owner);
    Ok((StatusCode::CREATED, Json(body)))
}

/// Change a workspace
///
/// Its name, its time zone and its rule for overdue posts, for its owners and admins; absent fields stay unchanged.
#[utoipa::path(patch, path = "/organizations/{organizationId}", operation_id = "updateOrganization", tag = "Organizations",
    params(("organizationId" = Uuid, Path, description = "The workspace's ID.")),
    request_body(content = ref("#/components/schemas/UpdateOrganization"), content_type = "application/json"),
    responses((status = 200, description = "The workspace.", body = OrganizationBody)))]
pub async fn change(
    State(app): State<Arc<App>>,
    caller: Caller,
    JsonBody(body): JsonBody,
) -> Result<Json<OrganizationBody>, ApiError> {
    let request = UpdateOrganization::read(&body).map_err(Refusal::invalid)?;
    let changes = WorkspaceChanges {
        name: request.name,
        time_zone: request.time_zone,
        lateness_policy: request.lateness_policy,
    };
    let by = caller.member()?;
    let workspace = app.update_workspace(caller.workspace().id, &changes, by).await?;
    Ok(Json(OrganizationBody::new(workspace, by.role)))
}

/// Delete a workspace
///
/// With its posts, media, keys and connected accounts, and the providers' grants. What was published stays published. For its
/// owners, with the password, and a code where the second factor is on.
#[utoipa::path(delete, path = "/organizations/{organizationId}", operation_id = "deleteOrganization", tag = "Organizations",
    params(("organizationId" = Uuid, Path, description = "The workspace's ID.")),
    request_body(content = ref("#/components/schemas/DeleteOrganization"), content_type = "application/json"),
    responses((status = 204, description = "It is deleted.")),
    extensions(("x-error-codes" = json!(["invalid_credentials", "second_factor_required"]))))]
pub async fn delete(
    State(app): State<Arc<App>>,
    caller: Caller,
    signed_in: SignedIn,
    JsonBody(body): JsonBody,
) -> Result<StatusCode, ApiError> {
    let proof = DeleteOrganization::read(&body).map_err(Refusal::invalid)?;
    app.delete_workspace(caller.workspace().id, signed_in.user(), caller.member()?, proof)
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
