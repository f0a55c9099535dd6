//! The limits of a request: how often its key calls, how long it takes, how much its workspace changes at the same time, and the
//! memory of its payloads.

use std::sync::Arc;
use std::time::Duration;

use axum::body::HttpBody;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use playout_domain::error::{Code, Refusal};

use super::auth::{Caller, SignedIn};
use super::error::{ApiError, refusal_response};
use super::rate_limit::counted;
use super::{key_access, query_names};
use crate::app::App;
use crate::app::payloads::{Holder, Room, SMALL};

/// The timeout of an ordinary request. Uploads and downloads have none.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Limits the calls of a key, and to what it may do. The body of a rejected request is not read.
pub(super) async fn limit_rate(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let caller = request.extensions().get::<Caller>();
    let limited = caller.and_then(|caller| Some((caller.key()?, caller.workspace().plan.clone())));
    let call = match limited {
        Some((key, plan)) => app.take_call(key, &plan).await,
        None => None,
    };
    let answer = async {
        match key_access::admit(&app, request).await {
            Ok(request) => next.run(request).await,
            Err(error) => ApiError::from(error).into_response(),
        }
    };
    counted("This key", call, answer).await
}

/// Aborts a request that takes too long.
pub(super) async fn limit_time(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let end = app.now().plus(TIMEOUT);
    tokio::select! {
        biased;
        response = next.run(request) => response,
        () = app.clock.sleep_until(end) => timed_out(),
    }
}

/// [`limit_time`], and limits the concurrent changes of a workspace. In one layer, because each layer is an allocation.
pub(super) async fn take_turns(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let workspace = match request.method().is_safe() {
        true => None,
        false => request
            .extensions()
            .get::<Caller>()
            .map(|caller| caller.workspace().id),
    };
    let Some(turn) = workspace.and_then(|workspace| app.writers.turn(workspace)) else {
        return limit_time(State(app), request, next).await;
    };
    if request.body().is_end_stream() {
        if let Err(refusal) = turn.take().await {
            return refusal_response(refusal);
        }
    } else {
        // The reader of the body waits for the turn.
        request.extensions_mut().insert(turn.clone());
    }
    let response = limit_time(State(app), request, next).await;
    drop(turn);
    response
}

fn timed_out() -> Response {
    let message = "The request took too long; its effect, if any, is not undone. Check the result before you repeat it.";
    let mut response = refusal_response(Refusal::new(Code::RequestTimeout, message));
    response
        .headers_mut()
        .insert(header::CONNECTION, HeaderValue::from_static("close"));
    response
}

/// Counts a larger response for as long as it is in memory, and gives the reader of the body the same [`Room`]. Refuses unknown query
/// parameters before: in one layer, because each layer is an allocation.
pub(super) async fn count_payloads(
    State(app): State<Arc<App>>,
    mut request: Request,
    next: Next,
) -> Response {
    if let Err(refusal) = query_names::check(&request) {
        return refusal_response(refusal);
    }
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
    let is_change = !request.method().is_safe();
    if is_change && let Err(refusal) = room.check_change() {
        return refusal_response(refusal);
    }
    request.extensions_mut().insert(room.clone());
    let response = next.run(request).await;
    // Streams have no length yet, and a bounded buffer.
    let length = response.body().size_hint().exact();
    let Some(length) = length.filter(|length| *length > SMALL) else {
        return response;
    };
    if is_change {
        // What is made is not answered as if it were not.
        return response.map(|body| room.take_for_change(length).with(body));
    }
    match room.take(length) {
        Ok(share) => response.map(|body| share.with(body)),
        Err(refusal) => refusal_response(refusal),
    }
}
