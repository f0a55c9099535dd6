//! The operations of a client without a browser: it begins the flow, polls for the key, and can revoke the key.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use playout_domain::device::{Grant, INTERVAL, LIFETIME};
use playout_domain::error::Refusal;
use playout_domain::secret::Secret;
use playout_wire::devices::{DeviceStartedBody, DeviceTokenBody, PollDevice, StartDevice, read_revocation};

use super::standard::{OAuthError, check_grant};
use crate::api::address::Address;
use crate::api::body::FormOrJson;
use crate::api::error::ApiError;
use crate::api::json::Json;
use crate::app::App;
use crate::app::devices::Answer;

/// Start device authorization
///
/// Returns two codes (RFC 8628 §3.1): the client shows the user code to the person and polls with the device code. Both are valid
/// for ten minutes. The person sees the scopes that the client asks for, and may grant fewer.
#[utoipa::path(post, path = "/auth/device/start", operation_id = "startDevice", tag = "Device authorization",
    request_body(content(
        (ref("#/components/schemas/StartDevice") = "application/json"),
        (ref("#/components/schemas/StartDeviceForm") = "application/x-www-form-urlencoded"))),
    responses((status = 200, description = "The codes.", body = DeviceStartedBody)),
    extensions(("x-oauth-errors" = json!(["invalid_request", "invalid_scope"]))))]
pub async fn start(
    State(app): State<Arc<App>>,
    Address(from): Address,
    body: FormOrJson,
) -> Result<Response, ApiError> {
    body.check_once(&["client_name", "client_id", "scope"])?;
    let request = StartDevice::read(&body.value).map_err(Refusal::invalid)?;
    let Some(asked) = request.asked() else {
        return Ok(unknown_scope().into_response());
    };
    let started = app.start_device(request, asked, from).await?;
    let (page, user_code) = (app.device_page(), started.user_code.to_string());
    Ok(Json(DeviceStartedBody {
        device_code: started.device_code.expose().to_owned(),
        verification_uri_complete: format!("{page}?user_code={user_code}"),
        verification_uri: page,
        user_code,
        expires_in: LIFETIME.as_secs(),
        interval: INTERVAL.as_secs(),
    })
    .into_response())
}

/// RFC 6749 §5.2.
fn unknown_scope() -> OAuthError {
    OAuthError(
        "invalid_scope",
        "A scope is unknown: those there are stand in scopes_supported of /.well-known/oauth-authorization-server.",
    )
}

/// Poll for the key
///
/// Every `interval` seconds; the first poll may follow at once. Until the person has decided the response is
/// `authorization_pending`; a poll that is too early gets `slow_down`, which makes the interval five seconds longer. After the
/// approval, one response contains the key. With a `grant_type` (RFC 8628 §3.4), which a form needs, the response has the fields
/// of OAuth as well.
#[utoipa::path(post, path = "/auth/device/token", operation_id = "pollDevice", tag = "Device authorization",
    request_body(content(
        (ref("#/components/schemas/PollDevice") = "application/json"),
        (ref("#/components/schemas/PollDeviceForm") = "application/x-www-form-urlencoded"))),
    responses((status = 200, description = "The key.", body = DeviceTokenBody)),
    extensions(("x-oauth-errors" = json!(["authorization_pending", "slow_down", "access_denied", "expired_token", "invalid_grant",
        "invalid_request", "unsupported_grant_type"]))))]
pub async fn token(State(app): State<Arc<App>>, body: FormOrJson) -> Result<Response, ApiError> {
    body.check_once(&["grant_type", "device_code", "client_id"])?;
    if let Err(error) = check_grant(&body) {
        return Ok(error.into_response());
    }
    let request = PollDevice::read(&body.value).map_err(Refusal::invalid)?;
    Ok(match outcome(app.poll_device(&request).await?) {
        Ok((key, grant)) => {
            Json(DeviceTokenBody::new(&key, &grant, request.is_grant, app.now())).into_response()
        }
        Err(error) => error.into_response(),
    })
}

/// The key, or the flow's own error (RFC 8628 §3.5).
fn outcome(answer: Answer) -> Result<(Secret, Grant), OAuthError> {
    Err(match answer {
        Answer::Key(key, grant) => return Ok((key, grant)),
        Answer::Pending => OAuthError("authorization_pending", "The request is not decided yet."),
        Answer::SlowDown => OAuthError("slow_down", "Too early: add five seconds to the interval."),
        Answer::Denied => OAuthError(
            "access_denied",
            "The person denied the request, or cannot make a key any more.",
        ),
        Answer::Expired => OAuthError(
            "expired_token",
            "The code has expired, was used, or was never issued.",
        ),
        Answer::OtherClient => OAuthError(
            "invalid_grant",
            "The code was given to a client with another client_id.",
        ),
    })
}

/// Revoke a key
///
/// The holder of a key can revoke it (RFC 7009): on this node at once, on others within two seconds. The response is the same for
/// a token that is no key, or is revoked already.
#[utoipa::path(post, path = "/auth/revoke", operation_id = "revokeToken", tag = "Device authorization",
    request_body(content(
        (ref("#/components/schemas/RevokeTokenForm") = "application/x-www-form-urlencoded"),
        (ref("#/components/schemas/RevokeToken") = "application/json"))),
    responses((status = 200, description = "The key is revoked, or was not valid.")),
    extensions(("x-oauth-errors" = json!(["invalid_request"]))))]
pub async fn revoke(
    State(app): State<Arc<App>>,
    Address(from): Address,
    body: FormOrJson,
) -> Result<StatusCode, ApiError> {
    body.check_once(&["token", "token_type_hint"])?;
    let token = read_revocation(&body.value).map_err(Refusal::invalid)?;
    app.revoke_own_key(&token, from).await?;
    Ok(StatusCode::OK)
}
