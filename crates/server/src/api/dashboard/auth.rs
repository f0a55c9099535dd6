//! `/auth`: sign up, sign in, sign out, and forgotten passwords.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, SET_COOKIE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{AppendHeaders, IntoResponse, Response};
use playout_domain::error::Refusal;
use playout_wire::organizations::OrganizationBody;
use playout_wire::people::{
    ForgotPassword, ResetPassword, SessionBody, SignIn, SignUp, SignUpConditionsBody, read_verification,
};

use crate::api::auth::SignedIn;
use crate::api::body::JsonBody;
use crate::api::error::ApiError;
use crate::api::json::Json;
use crate::api::params::Query;
use crate::api::session::{clear_cookie, device_cookie, set_cookie};
use crate::app::App;
use crate::app::sessions::Begun;
use crate::app::whence::Whence;

/// Get sign-up conditions
///
/// Who may sign up at present, and whether the first user must enter the code that the service prints when it starts.
#[utoipa::path(get, path = "/auth/sign-up", operation_id = "getSignUpConditions", tag = "Sessions",
    responses((status = 200, description = "The conditions.", body = SignUpConditionsBody)))]
pub async fn sign_up_conditions(State(app): State<Arc<App>>) -> Result<Json<SignUpConditionsBody>, ApiError> {
    let conditions = app.sign_up_conditions().await?;
    Ok(Json(SignUpConditionsBody {
        mode: conditions.mode.as_str(),
        setup_code_required: conditions.setup_code_required,
    }))
}

/// Sign up
///
/// Creates a user, a workspace that they own, and a session. With an invitation they join the workspace that invited them
/// instead; `workspaceName` creates one of their own as well. The first user operates the service. The response also sets the
/// session's cookie, and one by which this device is recognized. If the service sends mail, it mails a link to verify the
/// address.
#[utoipa::path(post, path = "/auth/sign-up", operation_id = "signUp", tag = "Sessions",
    request_body(content = ref("#/components/schemas/SignUp"), content_type = "application/json"),
    responses((status = 201, description = "Signed up, with a session.", body = SessionBody)),
    extensions(("x-error-codes" = json!(["email_taken", "signup_closed", "setup_code_required", "not_found"]))))]
pub async fn sign_up(
    State(app): State<Arc<App>>,
    from: Whence,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let request = SignUp::read(&body).map_err(Refusal::invalid)?;
    let begun = app.sign_up(request, from).await?;
    Ok(answer(&app, StatusCode::CREATED, begun))
}

/// Sign in
///
/// Begins a session, which ends 30 days after its last use, and 90 days after it began. The response also sets the session's
/// cookie. Users with a second factor send a code as well: without one, the right password returns `second_factor_required`.
/// After ten wrong passwords or codes an address may be tried once a minute; devices on which its owner has signed in before have
/// a separate limit.
#[utoipa::path(post, path = "/auth/sign-in", operation_id = "signIn", tag = "Sessions",
    request_body(content = ref("#/components/schemas/SignIn"), content_type = "application/json"),
    responses((status = 200, description = "They are in.", body = SessionBody)),
    extensions(("x-error-codes" = json!(["invalid_credentials", "second_factor_required"]))))]
pub async fn sign_in(
    State(app): State<Arc<App>>,
    from: Whence,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let request = SignIn::read(&body).map_err(Refusal::invalid)?;
    let begun = app.sign_in(request, from).await?;
    Ok(answer(&app, StatusCode::OK, begun))
}

/// Request a password reset
///
/// Mails the address a link that works once, for an hour. The response is the same for an address that has no user.
#[utoipa::path(post, path = "/auth/password/forgot", operation_id = "forgotPassword", tag = "Sessions",
    request_body(content = ref("#/components/schemas/ForgotPassword"), content_type = "application/json"),
    responses((status = 204, description = "A mail is sent if the address has a user.")))]
pub async fn forgot_password(
    State(app): State<Arc<App>>,
    JsonBody(body): JsonBody,
) -> Result<StatusCode, ApiError> {
    let request = ForgotPassword::read(&body).map_err(Refusal::invalid)?;
    app.forgot_password(request.email.as_str().to_owned()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Reset a password
///
/// With the token from the mail. Ends all sessions of the user and invalidates every other link that was mailed to them. It also
/// verifies the address; if it was not verified before, their second factor and the keys they created end as well. The response
/// sets the cookie by which this device is recognized.
#[utoipa::path(post, path = "/auth/password/reset", operation_id = "resetPassword", tag = "Sessions",
    request_body(content = ref("#/components/schemas/ResetPassword"), content_type = "application/json"),
    responses((status = 204, description = "The password is changed.")),
    extensions(("x-error-codes" = json!(["not_found"]))))]
pub async fn reset_password(
    State(app): State<Arc<App>>,
    from: Whence,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let request = ResetPassword::read(&body).map_err(Refusal::invalid)?;
    let device = app.reset_password(request, &from).await?;
    let cookie = device_cookie(&app.config.base_url, &device);
    Ok((StatusCode::NO_CONTENT, AppendHeaders([(SET_COOKIE, cookie)])).into_response())
}

/// Verify an address
///
/// With the token from the mail, which works once, for a day. A pending new address replaces the old one; all sessions of the
/// user end except the one that requested the change.
#[utoipa::path(post, path = "/auth/verify-email", operation_id = "verifyEmail", tag = "Sessions",
    request_body(content = ref("#/components/schemas/VerifyEmail"), content_type = "application/json"),
    responses((status = 204, description = "It is verified.")),
    extensions(("x-error-codes" = json!(["not_found", "email_taken"]))))]
pub async fn verify_email(
    State(app): State<Arc<App>>,
    JsonBody(body): JsonBody,
) -> Result<StatusCode, ApiError> {
    let token = read_verification(&body).map_err(Refusal::invalid)?;
    app.verify_email(&token).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Sign out
///
/// Ends the session, or all sessions of the user.
#[utoipa::path(post, path = "/auth/sign-out", operation_id = "signOut", tag = "Sessions",
    params(("everywhere" = Option<bool>, Query, nullable = false, description = "Whether all sessions of the user end.")),
    responses((status = 204, description = "It is over.")))]
pub async fn sign_out(
    State(app): State<Arc<App>>,
    signed_in: SignedIn,
    mut query: Query,
) -> Result<Response, ApiError> {
    let everywhere = query.flag("everywhere");
    query.done()?;
    match everywhere {
        true => {
            app.sign_out_everywhere(signed_in.user().id, &signed_in.actor)
                .await?
        }
        false => app.sign_out(&signed_in.presented.token, &signed_in.actor).await?,
    }
    let cookie = [(SET_COOKIE, clear_cookie(&app.config.base_url))];
    Ok((StatusCode::NO_CONTENT, cookie).into_response())
}

fn answer(app: &App, status: StatusCode, begun: Begun) -> Response {
    let headers = AppendHeaders([
        (SET_COOKIE, set_cookie(&app.config.base_url, &begun.token)),
        (SET_COOKIE, device_cookie(&app.config.base_url, &begun.device)),
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ]);
    let organizations = begun.workspaces.into_iter();
    let body = SessionBody {
        token: begun.token.expose().to_owned(),
        user: begun.user.into(),
        organizations: organizations
            .map(|(workspace, role)| OrganizationBody::new(workspace, role))
            .collect(),
    };
    (status, headers, Json(body)).into_response()
}
