//! `/organizations/{organizationId}/members`: the members of a workspace and their roles.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use playout_domain::id::UserId;
use playout_wire::keys::KeyBody;
use playout_wire::organizations::{ChangeRole, HeldWebhookBody, HoldingsBody, MemberBody, MemberList};

use crate::api::auth::{Caller, SignedIn};
use crate::api::body::JsonBody;
use crate::api::error::ApiError;
use crate::api::json::Json;
use crate::api::params::{Id, both};
use crate::app::App;

/// List members
///
/// In the order of joining.
#[utoipa::path(get, path = "/organizations/{organizationId}/members", operation_id = "listMembers", tag = "Members",
    params(("organizationId" = Uuid, Path, description = "The workspace's ID.")),
    responses((status = 200, description = "The members.", body = MemberList)))]
pub async fn list(State(app): State<Arc<App>>, caller: Caller) -> Result<Json<MemberList>, ApiError> {
    let members = app.store.list_members(caller.workspace().id).await?;
    let members = members.into_iter().map(MemberBody::from);
    Ok(Json(MemberList {
        members: members.collect(),
    }))
}

/// Change a member's role
///
/// Owners can change everyone, admins admins and members. The last owner remains an owner. A person who becomes a member loses
/// the keys they created, because members may not create keys.
#[utoipa::path(patch, path = "/organizations/{organizationId}/members/{id}", operation_id = "updateMember", tag = "Members",
    params(("organizationId" = Uuid, Path, description = "The workspace's ID."), ("id" = Uuid, Path, description = "The member's user ID.")),
    request_body(content = ref("#/components/schemas/ChangeRole"), content_type = "application/json"),
    responses((status = 200, description = "The member.", body = MemberBody)),
    extensions(("x-error-codes" = json!(["not_found", "last_owner"]))))]
pub async fn change(
    State(app): State<Arc<App>>,
    caller: Caller,
    id: Result<Id<UserId>, ApiError>,
    JsonBody(body): JsonBody,
) -> Result<Json<MemberBody>, ApiError> {
    let (id, request) = both(id, ChangeRole::read(&body))?;
    let member = app
        .change_role(caller.workspace().id, caller.member()?, id, request.role)
        .await?;
    Ok(Json(member.into()))
}

/// Remove a member
///
/// The invitations they sent and the keys they created end; webhooks whose secret they know stay with the workspace. Owners can
/// remove everyone, admins admins and members. The last owner cannot be removed.
#[utoipa::path(delete, path = "/organizations/{organizationId}/members/{id}", operation_id = "removeMember", tag = "Members",
    params(("organizationId" = Uuid, Path, description = "The workspace's ID."), ("id" = Uuid, Path, description = "The member's user ID.")),
    responses((status = 204, description = "The membership has ended.")),
    extensions(("x-error-codes" = json!(["not_found", "last_owner"]))))]
pub async fn remove(
    State(app): State<Arc<App>>,
    caller: Caller,
    Id(id): Id<UserId>,
) -> Result<StatusCode, ApiError> {
    app.remove_member(caller.workspace().id, caller.member()?, id)
        .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Get a member's holdings
///
/// What removing them, or making them a member, affects: the keys they created, which end, and the webhooks whose secret they
/// know, which stay with the workspace and should get a new secret.
#[utoipa::path(get, path = "/organizations/{organizationId}/members/{id}/holdings", operation_id = "getHoldings", tag = "Members",
    params(("organizationId" = Uuid, Path, description = "The workspace's ID."), ("id" = Uuid, Path, description = "The member's user ID.")),
    responses((status = 200, description = "Keys and webhooks.", body = HoldingsBody)),
    extensions(("x-error-codes" = json!(["not_found"]))))]
pub async fn holdings(
    State(app): State<Arc<App>>,
    caller: Caller,
    Id(id): Id<UserId>,
) -> Result<Json<HoldingsBody>, ApiError> {
    let held = app.get_holdings(caller.workspace().id, id).await?;
    let webhooks = held.webhooks.into_iter();
    Ok(Json(HoldingsBody {
        keys: held.keys.into_iter().map(KeyBody::from).collect(),
        webhooks: webhooks
            .map(|webhook| HeldWebhookBody {
                id: webhook.id,
                url: webhook.url,
            })
            .collect(),
    }))
}

/// Leave a workspace
///
/// Ends the membership of the signed-in user; the keys they created in the workspace end. The last owner cannot leave.
#[utoipa::path(post, path = "/organizations/{organizationId}/leave", operation_id = "leaveOrganization", tag = "Members",
    params(("organizationId" = Uuid, Path, description = "The workspace's ID.")),
    responses((status = 204, description = "The membership has ended.")),
    extensions(("x-error-codes" = json!(["last_owner"]))))]
pub async fn leave(
    State(app): State<Arc<App>>,
    caller: Caller,
    signed_in: SignedIn,
) -> Result<StatusCode, ApiError> {
    app.leave_workspace(caller.workspace().id, signed_in.user().id, &signed_in.actor)
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
