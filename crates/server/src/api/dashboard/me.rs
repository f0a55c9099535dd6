//! `/me`: the signed-in user.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header::SET_COOKIE;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use playout_domain::error::Refusal;
use playout_domain::id::UserId;
use playout_domain::workspace::User;
use playout_wire::me::{ChangedMeBody, MeBody, UpdateMe};
use playout_wire::organizations::OrganizationBody;

use crate::api::auth::SignedIn;
use crate::api::body::JsonBody;
use crate::api::error::ApiError;
use crate::api::json::Json;
use crate::api::session::{device_cookie, renewed};
use crate::app::App;

/// Get the signed-in user
///
/// With their workspaces, and whether they have a second factor.
#[utoipa::path(get, path = "/me", operation_id = "getMe", tag = "Sessions",
    responses((status = 200, description = "They.", body = MeBody)))]
pub async fn read(State(app): State<Arc<App>>, signed_in: SignedIn) -> Result<Json<MeBody>, ApiError> {
    show(&app, signed_in.user().clone()).await.map(Json)
}

/// Change the signed-in user
///
/// A new address or password needs the current password, and a code where the second factor is on. It ends all other sessions and
/// every mailed link, gives this session a new token, and is reported to the address they had. If the service sends mail, a new
/// address is `pendingEmail` until it is verified, and takes effect then; the response is the same where the address belongs to
/// another user.
#[utoipa::path(patch, path = "/me", operation_id = "updateMe", tag = "Sessions",
    request_body(content = ref("#/components/schemas/UpdateMe"), content_type = "application/json"),
    responses((status = 200, description = "They.", body = ChangedMeBody)),
    extensions(("x-error-codes" = json!(["email_taken", "invalid_credentials", "second_factor_required", "rate_limited"]))))]
pub async fn change(
    State(app): State<Arc<App>>,
    signed_in: SignedIn,
    JsonBody(body): JsonBody,
) -> Result<Response, ApiError> {
    let request = UpdateMe::read(&body).map_err(Refusal::invalid)?;
    let (user, new) = app
        .update_me(&signed_in.session, request, &signed_in.actor)
        .await?;
    let me = show(&app, user).await?;
    let token = new.as_ref().map(|token| token.expose().to_owned());
    let answer = Json(ChangedMeBody { me, token });
    Ok(match new {
        Some(token) => {
            let mut response = renewed(&app, &signed_in.presented, &token, answer);
            if signed_in.presented.by_cookie {
                let cookie = renewed_device(&app, signed_in.user().id).await?;
                response
                    .headers_mut()
                    .extend(cookie.map(|cookie| (SET_COOKIE, cookie)));
            }
            response
        }
        None => answer.into_response(),
    })
}

/// Resend the verification mail
///
/// For the pending address, else for the present one; if that is verified, no mail is sent. An address gets at most three mails
/// at once, then three an hour.
#[utoipa::path(post, path = "/me/verification", operation_id = "sendVerification", tag = "Sessions",
    responses((status = 204, description = "The mail is queued.")),
    extensions(("x-error-codes" = json!(["not_found", "rate_limited"]))))]
pub async fn send_verification(
    State(app): State<Arc<App>>,
    signed_in: SignedIn,
) -> Result<StatusCode, ApiError> {
    app.send_verification(signed_in.user()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The cookie by which this device is recognized under the new password; the old cookie is no longer valid.
async fn renewed_device(app: &App, user: UserId) -> Result<Option<HeaderValue>, ApiError> {
    let found = app.store.find_user(user).await?;
    Ok(found.map(|found| {
        let device = app.new_device(user, &found.password_hash);
        device_cookie(&app.config.base_url, &device)
    }))
}

async fn show(app: &App, user: User) -> Result<MeBody, ApiError> {
    let operator = app.store.is_operator(user.id).await?;
    let me = app.get_me(user).await?;
    let organizations = me.workspaces.into_iter();
    Ok(MeBody {
        email_verified: me.user.email_verified,
        email_verification_required: app.config.require_verified_email,
        pending_email: me.pending_email,
        user: me.user.into(),
        organizations: organizations
            .map(|(workspace, role)| OrganizationBody::new(workspace, role))
            .collect(),
        second_factor: me.recovery_codes_left.is_some(),
        recovery_codes_left: me.recovery_codes_left.unwrap_or_default(),
        operator,
    })
}
