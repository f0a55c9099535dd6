//! Counts the large payloads of requests ([`crate::app::payloads`]).

use std::sync::Arc;

use axum::body::HttpBody;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;

use super::auth::{Caller, SignedIn};
use super::error::refusal_response;
use crate::app::App;
use crate::app::payloads::{Holder, Room, SMALL};

/// Counts a larger answer to whoever asks, for as long as it is in memory, and gives the reader of the body the same [`Room`].
pub async fn count(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let known = request.extensions();
    let person = known.get::<SignedIn>().map(|one| Holder::Person(one.user().id));
    let holder = person.or_else(|| {
        known
            .get::<Caller>()
            .map(|one| Holder::Workspace(one.workspace().id))
    });
    let Some(holder) = holder else {
        return next.run(request).await;
    };
    let room = Room::new(&app.payloads, holder);
    request.extensions_mut().insert(room.clone());
    let response = next.run(request).await;
    // Streams have no length yet, and a bounded buffer.
    let length = response.body().size_hint().exact();
    let Some(length) = length.filter(|length| *length > SMALL) else {
        return response;
    };
    match room.take(length) {
        Ok(share) => response.map(|body| share.with(body)),
        Err(refusal) => refusal_response(refusal),
    }
}
