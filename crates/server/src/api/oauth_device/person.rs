//! The operations of a person for a client that waits: read, approve or deny its request.

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use playout_domain::error::Refusal;
use playout_wire::devices::{
    ApproveDevice, DecideDevice, DeviceApprovedBody, DeviceDeniedBody, PendingDeviceBody,
};

use crate::api::auth::{Caller, SignedIn};
use crate::api::body::JsonBody;
use crate::api::error::ApiError;
use crate::api::json::Json;
use crate::app::App;

/// Get a device request
///
/// The name that the client gave, the network address from which it asked, and what it asks to be allowed. After ten wrong codes within ten minutes all codes
/// of the person are rejected.
#[utoipa::path(get, path = "/auth/device/{userCode}", operation_id = "getDevice", tag = "Device authorization",
    params(("userCode" = String, Path, min_length = 8, description = "The code that the client shows; case, spaces and dashes do not matter.")),
    responses((status = 200, description = "The client.", body = PendingDeviceBody)),
    extensions(("x-error-codes" = json!(["device_code_not_found", "method_not_allowed", "rate_limited"]))))]
pub async fn read(
    State(app): State<Arc<App>>,
    signed_in: SignedIn,
    code: Result<Path<String>, PathRejection>,
) -> Result<Json<PendingDeviceBody>, ApiError> {
    let typed = code.map_or_else(|_| String::new(), |Path(code)| code);
    let (code, device) = app.get_device(signed_in.user(), &typed).await?;
    Ok(Json(PendingDeviceBody::new(device, code.to_string(), app.now())))
}

/// Approve a device
///
/// The client's next poll returns a key of this workspace, named after the client and created by you. It may do what the client asked
/// for, or less: `scopes`, `platformIds` and `expiresAt` narrow it. For the workspace's owners and admins.
#[utoipa::path(post, path = "/auth/device/approve", operation_id = "approveDevice", tag = "Device authorization",
    request_body(content = ref("#/components/schemas/ApproveDevice"), content_type = "application/json"),
    responses((status = 200, description = "It is approved.", body = DeviceApprovedBody)),
    extensions(("x-error-codes" = json!(["count_limit_reached", "device_code_not_found", "email_not_verified", "rate_limited"]))))]
pub async fn approve(
    State(app): State<Arc<App>>,
    caller: Caller,
    signed_in: SignedIn,
    JsonBody(body): JsonBody,
) -> Result<Json<DeviceApprovedBody>, ApiError> {
    let request = ApproveDevice::read(&body, app.now()).map_err(Refusal::invalid)?;
    let (_, device) = app.get_device(signed_in.user(), &request.user_code).await?;
    let organization_id = caller.workspace().id;
    app.approve_device(organization_id, &device, &request.grant, caller.member()?.actor)
        .await?;
    Ok(Json(DeviceApprovedBody {
        status: "approved",
        organization_id,
    }))
}

/// Deny a device
///
/// The client's next poll returns `access_denied`.
#[utoipa::path(post, path = "/auth/device/deny", operation_id = "denyDevice", tag = "Device authorization",
    request_body(content = ref("#/components/schemas/DecideDevice"), content_type = "application/json"),
    responses((status = 200, description = "It is denied.", body = DeviceDeniedBody)),
    extensions(("x-error-codes" = json!(["device_code_not_found", "rate_limited"]))))]
pub async fn deny(
    State(app): State<Arc<App>>,
    signed_in: SignedIn,
    JsonBody(body): JsonBody,
) -> Result<Json<DeviceDeniedBody>, ApiError> {
    let request = DecideDevice::read(&body).map_err(Refusal::invalid)?;
    let (_, device) = app.get_device(signed_in.user(), &request.user_code).await?;
    app.deny_device(device.id).await?;
    Ok(Json(DeviceDeniedBody { status: "denied" }))
}
