//! `/me`: who is signed in.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use playout_domain::error::Refusal;
use playout_domain::workspace::User;
use playout_wire::me::{ChangedMeBody, MeBody, UpdateMe};
use playout_wire::organizations::OrganizationBody;

use crate::api::auth::SignedIn;
use crate::api::body::JsonBody;
use crate::api::error::ApiError;
use crate::api::session::renewed;
use crate::app::App;

/// Get who is signed in
///
/// And the workspaces they belong to, and whether they sign in with a code as well.
#[utoipa::path(get, path = "/me", operation_id = "getMe", tag = "Sessions",
    responses((status = 200, description = "They.", body = MeBody)))]
pub async fn read(State(app): State<Arc<App>>, signed_in: SignedIn) -> Result<Json<MeBody>, ApiError> {
    show(&app, signed_in.user().clone()).await.map(Json)
}

/// Change who is signed in
///
/// A new address or password needs the present password. A new password ends all other sessions, and gives this one a
/// new token.
#[utoipa::path(patch, path = "/me", operation_id = "updateMe", tag = "Sessions",
    request_body(content = ref("#/components/schemas/UpdateMe"), content_type = "application/json"),
    responses((status = 200, description = "They.", body = ChangedMeBody)),
    extensions(("x-error-codes" = json!(["email_taken", "invalid_credentials"]))))]
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
        Some(token) => renewed(&app, &signed_in.presented, &token, answer),
        None => answer.into_response(),
    })
}

async fn show(app: &App, user: User) -> Result<MeBody, ApiError> {
    let workspaces = app.store.list_workspaces_of(user.id).await?;
    let codes_left = app.store.find_second_factor(user.id).await?;
    let organizations = workspaces.into_iter();
    Ok(MeBody {
        user: user.into(),
        organizations: organizations
            .map(|(workspace, role)| OrganizationBody::new(workspace, role))
            .collect(),
        second_factor: codes_left.is_some(),
        recovery_codes_left: codes_left.unwrap_or_default(),
    })
}
