//! The visitor of a page: signed in or not.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use playout_domain::error::{Code, Refusal};

use super::frame::PageError;
use crate::api::address::Address;
use crate::api::auth::{Visitor, signed_in, with_cookie};
use crate::api::session::{Presented, presented, refuse_foreign_page};
use crate::app::refusals::too_many;
use crate::app::{App, AppError};

/// Determines who requests a page. A form must come from a page of this service, signed in or not: otherwise another site could
/// sign a user in to an account of its choice.
pub(super) async fn visit(
    State(app): State<Arc<App>>,
    Address(from): Address,
    mut request: Request,
    next: Next,
) -> Response {
    let presented = refuse_foreign_page(&app, &request).and_then(|()| presented_if_any(&app, &request));
    let visitor = match find_visitor(&app, from, presented).await {
        Ok(visitor) => visitor,
        Err(error) => return PageError::from(error).into_response(),
    };
    request.extensions_mut().insert(visitor.clone());
    let response = next.run(request).await;
    match &visitor.0 {
        Some(signed_in) => with_cookie(&app, signed_in, response),
        None => response,
    }
}

fn presented_if_any(app: &App, request: &Request) -> Result<Option<Presented>, Refusal> {
    match presented(app, request.method(), request.headers()) {
        Ok(presented) => Ok(Some(presented)),
        Err(refusal) if refusal.code == Code::InvalidSession => Ok(None),
        Err(refusal) => Err(refusal),
    }
}

async fn find_visitor(
    app: &App,
    from: Option<IpAddr>,
    presented: Result<Option<Presented>, Refusal>,
) -> Result<Visitor, AppError> {
    let Some(presented) = presented? else {
        return Ok(Visitor::default());
    };
    let signed_in = match signed_in(app, from, presented).await {
        Ok(signed_in) => signed_in,
        Err(AppError::Refused(_)) => return Ok(Visitor::default()),
        Err(internal) => return Err(internal),
    };
    match app.take_call_in_session(signed_in.user().id).await {
        Some((_, taken)) if !taken.allowed => Err(too_many("Too many pages at once.", taken.more_in).into()),
        _ => Ok(Visitor(Some(signed_in))),
    }
}
