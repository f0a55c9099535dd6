//! `/me`: who is signed in.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use playout_domain::error::Refusal;
use playout_domain::workspace::User;
use playout_wire::organizations::OrganizationBody;
use playout_wire::people::{MeBody, UpdateMe};

use crate::api::auth::SignedIn;
use crate::api::body::JsonBody;
use crate::api::error::ApiError;
use crate::app::App;

/// Get who is signed in
///
/// And the workspaces they belong to.
#[utoipa::path(get, path = "/me", operation_id = "getMe", tag = "Sessions",
    responses((status = 200, description = "They.", body = MeBody)))]
pub async fn read(State(app): State<Arc<App>>, signed_in: SignedIn) -> Result<Json<MeBody>, ApiError> {
    show(&app, signed_in.user().clone()).await
}

/// Change who is signed in
///
/// A new address or password needs the present password. A new password ends all other sessions.
#[utoipa::path(patch, path = "/me", operation_id = "updateMe", tag = "Sessions",
    request_body(content = ref("#/components/schemas/UpdateMe"), content_type = "application/json"),
    responses((status = 200, description = "They.", body = MeBody)),
    extensions(("x-error-codes" = json!(["email_taken", "invalid_credentials", "rate_limited"]))))]
pub async fn change(
    State(app): State<Arc<App>>,
    signed_in: SignedIn,
    JsonBody(body): JsonBody,
) -> Result<Json<MeBody>, ApiError> {
    let request = UpdateMe::read(&body).map_err(Refusal::invalid)?;
    let user = app.update_me(&signed_in.session, request).await?;
    show(&app, user).await
}

async fn show(app: &App, user: User) -> Result<Json<MeBody>, ApiError> {
    let workspaces = app.store.list_workspaces_of(user.id).await?;
    let organizations = workspaces.into_iter();
    Ok(Json(MeBody {
        user: user.into(),
        organizations: organizations
            .map(|(workspace, role)| OrganizationBody::new(workspace, role))
            .collect(),
    }))
}
