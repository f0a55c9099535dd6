//! `/organizations/{organizationId}/invitations`, and accepting one.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use playout_domain::error::Refusal;
use playout_domain::id::InvitationId;
use playout_wire::organizations::{
    Accept, InvitationBody, InvitationList, InvitationToBody, Invite, NewInvitationBody, OrganizationBody,
};

use crate::api::auth::{Caller, SignedIn};
use crate::api::body::JsonBody;
use crate::api::error::ApiError;
use crate::api::json::Json;
use crate::api::params::Id;
use crate::app::App;

/// List invitations
///
/// Those that can still be accepted, newest first.
#[utoipa::path(get, path = "/organizations/{organizationId}/invitations", operation_id = "listInvitations", tag = "Invitations",
    params(("organizationId" = Uuid, Path, description = "The workspace's ID.")),
    responses((status = 200, description = "The invitations.", body = InvitationList)))]
pub async fn list(State(app): State<Arc<App>>, caller: Caller) -> Result<Json<InvitationList>, ApiError> {
    let invitations = app
        .store
        .list_invitations(caller.workspace().id, app.now())
        .await?;
    let invitations = invitations.into_iter().map(InvitationBody::from);
    Ok(Json(InvitationList {
        invitations: invitations.collect(),
    }))
}

/// Invite someone
///
/// The invitation can be accepted for a week, with the token that is mailed and returned only here. An earlier invitation for the
/// same address ends. The role can be no higher than the inviter's own. A user can send at most 20 invitations a day, a workspace
/// 50, and one address can receive 3 an hour: more are `rate_limited`.
#[utoipa::path(post, path = "/organizations/{organizationId}/invitations", operation_id = "createInvitation", tag = "Invitations",
    params(("organizationId" = Uuid, Path, description = "The workspace's ID.")),
    request_body(content = ref("#/components/schemas/Invite"), content_type = "application/json"),
    responses((status = 201, description = "The invitation and its token.", body = NewInvitationBody)),
    extensions(("x-error-codes" = json!(["email_not_verified"]))))]
pub async fn create(
    State(app): State<Arc<App>>,
    caller: Caller,
    JsonBody(body): JsonBody,
) -> Result<(StatusCode, Json<NewInvitationBody>), ApiError> {
    let request = Invite::read(&body).map_err(Refusal::invalid)?;
    let (invitation, token) = app.invite(caller.workspace(), caller.member()?, request).await?;
    let body = NewInvitationBody {
        invitation: invitation.into(),
        url: app.invitation_url(&token),
        mailed: app.config.mailer.is_set_up(),
        token: token.expose().to_owned(),
    };
    Ok((StatusCode::CREATED, Json(body)))
}

/// Revoke an invitation
///
/// It can no longer be accepted.
#[utoipa::path(delete, path = "/organizations/{organizationId}/invitations/{id}", operation_id = "revokeInvitation", tag = "Invitations",
    params(("organizationId" = Uuid, Path, description = "The workspace's ID."), ("id" = Uuid, Path, description = "The invitation's ID.")),
    responses((status = 204, description = "It is revoked.")),
    extensions(("x-error-codes" = json!(["not_found"]))))]
pub async fn revoke(
    State(app): State<Arc<App>>,
    caller: Caller,
    Id(id): Id<InvitationId>,
) -> Result<StatusCode, ApiError> {
    app.revoke_invitation(caller.workspace().id, id, caller.member()?)
        .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Read an invitation
///
/// What its token grants. Needs no session, and does not use the token up. The token is sent in the body, because addresses end
/// up in logs.
#[utoipa::path(post, path = "/invitations/read", operation_id = "readInvitation", tag = "Invitations",
    request_body(content = ref("#/components/schemas/AcceptInvitation"), content_type = "application/json"),
    responses((status = 200, description = "The invitation.", body = InvitationToBody)),
    extensions(("x-error-codes" = json!(["not_found"]))))]
pub async fn read(
    State(app): State<Arc<App>>,
    JsonBody(body): JsonBody,
) -> Result<Json<InvitationToBody>, ApiError> {
    let request = Accept::read(&body).map_err(Refusal::invalid)?;
    let (invitation, organization_name) = app.get_invitation(&request.token).await?;
    let invited_by = app.find_inviter(&invitation).await?;
    Ok(Json(InvitationToBody {
        organization_name,
        email: invitation.email,
        role: invitation.role.as_str(),
        invited_by,
        expires_at: invitation.expires_at,
    }))
}

/// Accept an invitation
///
/// The signed-in user joins the workspace that invited their address. A member keeps their role.
#[utoipa::path(post, path = "/invitations/accept", operation_id = "acceptInvitation", tag = "Invitations",
    request_body(content = ref("#/components/schemas/AcceptInvitation"), content_type = "application/json"),
    responses((status = 200, description = "The workspace.", body = OrganizationBody)),
    extensions(("x-error-codes" = json!(["not_found", "forbidden"]))))]
pub async fn accept(
    State(app): State<Arc<App>>,
    signed_in: SignedIn,
    JsonBody(body): JsonBody,
) -> Result<Json<OrganizationBody>, ApiError> {
    let request = Accept::read(&body).map_err(Refusal::invalid)?;
    let (workspace, role) = app
        .accept_invitation(&request.token, signed_in.user(), &signed_in.actor)
        .await?;
    Ok(Json(OrganizationBody::new(workspace, role)))
}
