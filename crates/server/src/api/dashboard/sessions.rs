//! `/me/sessions`: the sessions of the signed-in user.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::SET_COOKIE;
use axum::response::{IntoResponse, Response};
use playout_domain::id::SessionId;
use playout_store::SessionRecord;
use playout_wire::sessions::{EndedSessionsBody, OwnSessionBody, OwnSessionList};

use crate::api::auth::SignedIn;
use crate::api::error::ApiError;
use crate::api::json::Json;
use crate::api::params::Id;
use crate::api::session::clear_cookie;
use crate::app::App;

/// List sessions
///
/// The user's own sessions that have not ended, newest first, at most 100. Address and program are those with which each session
/// began.
#[utoipa::path(get, path = "/me/sessions", operation_id = "listSessions", tag = "Sessions",
    responses((status = 200, description = "The sessions.", body = OwnSessionList)))]
pub async fn list(
    State(app): State<Arc<App>>,
    signed_in: SignedIn,
) -> Result<Json<OwnSessionList>, ApiError> {
    let sessions = app.list_sessions(signed_in.user().id).await?.into_iter();
    let current = signed_in.session.id;
    Ok(Json(OwnSessionList {
        sessions: sessions.map(|session| shown(session, current)).collect(),
    }))
}

/// End a session
///
/// Its token becomes invalid. Ending this session signs out.
#[utoipa::path(delete, path = "/me/sessions/{id}", operation_id = "endSession", tag = "Sessions",
    params(("id" = Uuid, Path, description = "The session's ID.")),
    responses((status = 204, description = "It is over.")),
    extensions(("x-error-codes" = json!(["not_found"]))))]
pub async fn end(
    State(app): State<Arc<App>>,
    signed_in: SignedIn,
    Id(id): Id<SessionId>,
) -> Result<Response, ApiError> {
    app.end_session(signed_in.user().id, id, &signed_in.actor).await?;
    if id != signed_in.session.id {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    let cookie = [(SET_COOKIE, clear_cookie(&app.config.base_url))];
    Ok((StatusCode::NO_CONTENT, cookie).into_response())
}

/// End all other sessions
///
/// This one continues. A sign-in elsewhere that has passed the password but not the code starts over.
#[utoipa::path(delete, path = "/me/sessions", operation_id = "endOtherSessions", tag = "Sessions",
    responses((status = 200, description = "They have ended.", body = EndedSessionsBody)))]
pub async fn end_others(
    State(app): State<Arc<App>>,
    signed_in: SignedIn,
) -> Result<Json<EndedSessionsBody>, ApiError> {
    let ended = app
        .end_other_sessions(&signed_in.session, &signed_in.actor)
        .await?;
    Ok(Json(EndedSessionsBody { ended }))
}

fn shown(session: SessionRecord, current: SessionId) -> OwnSessionBody {
    OwnSessionBody {
        id: session.id,
        current: session.id == current,
        address: session.address,
        program: session.program,
        created_at: session.created_at,
        last_noted_at: session.last_noted_at,
        expires_at: session.expires_at,
    }
}
