//! `/me/second-factor`: codes of an authenticator app beside the password.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header::CACHE_CONTROL;
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::Response;
use playout_domain::error::Refusal;
use playout_domain::secret::Secret;
use playout_wire::second_factor::{
    BothFactors, ConfirmSecondFactor, ConfirmedBody, RecoveryCodesBody, SetUpBody, SetUpSecondFactor,
};

use crate::api::auth::SignedIn;
use crate::api::body::JsonBody;
use crate::api::error::ApiError;
use crate::api::json::Json;
use crate::api::session::renewed;
use crate::app::App;

/// Forbids caches to store a response with a secret.
const NO_STORE: [(HeaderName, HeaderValue); 1] = [(CACHE_CONTROL, HeaderValue::from_static("no-store"))];

/// Set up a second factor
///
/// Creates a secret for an authenticator app (TOTP, RFC 6238). Signing in needs a code once the secret is confirmed, within an
/// hour. An earlier secret that was not confirmed ends.
#[utoipa::path(post, path = "/me/second-factor", operation_id = "setUpSecondFactor", tag = "Second factor",
    request_body(content = ref("#/components/schemas/SetUpSecondFactor"), content_type = "application/json"),
    responses((status = 201, description = "The secret for the app.", body = SetUpBody)),
    extensions(("x-error-codes" = json!(["invalid_credentials", "second_factor_active"]))))]
pub async fn set_up(
    State(app): State<Arc<App>>,
    signed_in: SignedIn,
    JsonBody(body): JsonBody,
) -> Result<(StatusCode, [(HeaderName, HeaderValue); 1], Json<SetUpBody>), ApiError> {
    let request = SetUpSecondFactor::read(&body).map_err(Refusal::invalid)?;
    let user = signed_in.user();
    let secret = app.set_up_second_factor(user, request.password).await?;
    let body = SetUpBody {
        secret: secret.base32().expose().to_owned(),
        otpauth_url: secret.otpauth_url(&user.email).expose().to_owned(),
    };
    Ok((StatusCode::CREATED, NO_STORE, Json(body)))
}

/// Confirm the second factor
///
/// With the app's first code; from then on signing in needs a code. All other sessions end, and this one gets a new token.
#[utoipa::path(post, path = "/me/second-factor/confirm", operation_id = "confirmSecondFactor", tag = "Second factor",
    request_body(content = ref("#/components/schemas/ConfirmSecondFactor"), content_type = "application/json"),
    responses((status = 200, description = "It is on.", body = ConfirmedBody)),
    extensions(("x-error-codes" = json!(["invalid_credentials", "not_found"]))))]
pub async fn confirm(
    State(app): State<Arc<App>>,
    signed_in: SignedIn,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let request = ConfirmSecondFactor::read(&body).map_err(Refusal::invalid)?;
    let confirmed = app
        .confirm_second_factor(&signed_in.session, &request.code, &signed_in.actor)
        .await?;
    let body = ConfirmedBody {
        recovery_codes: shown(&confirmed.recovery_codes),
        token: confirmed.token.expose().to_owned(),
    };
    Ok(renewed(&app, &signed_in.presented, &confirmed.token, Json(body)))
}

/// Turn the second factor off
///
/// With the password and a code, or a recovery code. Signing in needs only the password again.
#[utoipa::path(delete, path = "/me/second-factor", operation_id = "deleteSecondFactor", tag = "Second factor",
    request_body(content = ref("#/components/schemas/BothFactors"), content_type = "application/json"),
    responses((status = 204, description = "It is off.")),
    extensions(("x-error-codes" = json!(["invalid_credentials", "not_found"]))))]
pub async fn turn_off(
    State(app): State<Arc<App>>,
    signed_in: SignedIn,
    JsonBody(body): JsonBody,
) -> Result<StatusCode, ApiError> {
    let proof = BothFactors::read(&body).map_err(Refusal::invalid)?;
    app.end_second_factor(signed_in.user(), proof, &signed_in.actor)
        .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Make new recovery codes
///
/// With the password and a code, or one of the old recovery codes, all of which become invalid.
#[utoipa::path(post, path = "/me/second-factor/recovery-codes", operation_id = "renewRecoveryCodes", tag = "Second factor",
    request_body(content = ref("#/components/schemas/BothFactors"), content_type = "application/json"),
    responses((status = 200, description = "The new codes.", body = RecoveryCodesBody)),
    extensions(("x-error-codes" = json!(["invalid_credentials", "not_found"]))))]
pub async fn renew_recovery_codes(
    State(app): State<Arc<App>>,
    signed_in: SignedIn,
    JsonBody(body): JsonBody,
) -> Result<([(HeaderName, HeaderValue); 1], Json<RecoveryCodesBody>), ApiError> {
    let proof = BothFactors::read(&body).map_err(Refusal::invalid)?;
    let codes = app
        .renew_recovery_codes(signed_in.user(), proof, &signed_in.actor)
        .await?;
    let recovery_codes = shown(&codes);
    Ok((NO_STORE, Json(RecoveryCodesBody { recovery_codes })))
}

fn shown(codes: &[Secret]) -> Vec<String> {
    codes.iter().map(|code| code.expose().to_owned()).collect()
}
