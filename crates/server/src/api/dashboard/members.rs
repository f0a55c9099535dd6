//! `/organizations/{organizationId}/members`: who belongs to a workspace, as what.

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

/// Give a member another role
///
/// Owners decide about everybody, admins about admins and members. The last owner stays one. Whoever becomes a member, and
/// so may make no keys, loses those they made.
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
/// The invitations they sent and the keys they made end; webhooks whose secret they know stay with the workspace. Owners decide about everybody, admins about admins and
/// members. The last owner stays.
#[utoipa::path(delete, path = "/organizations/{organizationId}/members/{id}", operation_id = "removeMember", tag = "Members",
    params(("organizationId" = Uuid, Path, description = "The workspace's ID."), ("id" = Uuid, Path, description = "The member's user ID.")),
    responses((status = 204, description = "They are no member any more.")),
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

/// Show what a member holds
///
/// What goes when they are removed or become a member: the keys they made end, and webhooks whose secret they know are the
/// workspace's, which should rotate it.
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
/// Whoever is signed in is no member any more, and the keys they made in it end. The last owner stays.
#[utoipa::path(post, path = "/organizations/{organizationId}/leave", operation_id = "leaveOrganization", tag = "Members",
    params(("organizationId" = Uuid, Path, description = "The workspace's ID.")),
    responses((status = 204, description = "They are no member any more.")),
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
