//! `Idempotency-Key`: a repeated request takes effect once and gets the stored response (`docs/contract.md#idempotency`).

use std::borrow::Cow;
use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use playout_domain::error::{Issue, IssueCode, Refusal};
use playout_domain::time::Time;
use playout_store::Stored;
use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::auth::Caller;
use super::error::ApiError;
use crate::app::once::{Answer, Answered, Asked, Kept};
use crate::app::{App, AppError};

/// Marks a response that was stored earlier.
pub const IDEMPOTENCY_REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

const IDEMPOTENCY_KEY: &str = "Idempotency-Key";
const MAX_KEY_CHARS: usize = 255;

/// The `Idempotency-Key` of a request, if it carries one.
pub struct IdempotencyKey(Result<Option<String>, Issue>);

/// A request as its repetition is recognized: by its key and its fingerprint. `None` without a key.
pub struct IdempotentRequest(Result<Option<Asked>, Issue>);

impl<S: Sync> FromRequestParts<S> for IdempotencyKey {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self(read_key(&parts.headers)))
    }
}

fn read_key(headers: &HeaderMap) -> Result<Option<String>, Issue> {
    let refuse = |violation| Err(Issue::field(IDEMPOTENCY_KEY, violation));
    let mut values = headers.get_all(IDEMPOTENCY_KEY).iter();
    let Some(value) = values.next() else {
        return Ok(None);
    };
    if values.next().is_some() {
        return refuse(IssueCode::Duplicate.with("must be sent once"));
    }
    match value.to_str() {
        Ok(key)
            if (1..=MAX_KEY_CHARS).contains(&key.len())
                && key.bytes().all(|byte| byte.is_ascii_graphic()) =>
        {
            Ok(Some(key.to_owned()))
        }
        _ => refuse(IssueCode::Format.with("must have 1 to 255 visible ASCII characters")),
    }
}

impl IdempotencyKey {
    /// Rejects an invalid key.
    pub fn check(&self) -> Result<(), Refusal> {
        let issue = self.0.as_ref().err();
        issue.map_or(Ok(()), |issue| Err(Refusal::invalid(vec![issue.clone()])))
    }

    /// Parses a request with `read`, which validates it as of a given time. A request with a stored response was valid when it
    /// arrived, although its schedule may be in the past by now.
    pub async fn read<R>(
        &self,
        app: &App,
        caller: &Caller,
        now: Time,
        read: impl Fn(Time) -> Result<R, Vec<Issue>>,
    ) -> Result<R, ApiError> {
        let (key, problems) = match (&self.0, read(now)) {
            (Ok(_), Ok(request)) => return Ok(request),
            (Ok(key), Err(problems)) => (key.as_ref(), problems),
            (Err(issue), read) => (
                None,
                [vec![issue.clone()], read.err().unwrap_or_default()].concat(),
            ),
        };
        if let Some(key) = key
            && let Some(then) = app.store.answered_at(caller.workspace().id, key, now).await?
            && let Ok(request) = read(then)
        {
            return Ok(request);
        }
        Err(Refusal::invalid(problems).into())
    }

    /// The request to `route`, read at `now`, with this content (`wire::canonical`).
    pub fn same(
        self,
        caller: &Caller,
        route: &str,
        now: Time,
        canonical: impl FnOnce() -> Value,
    ) -> IdempotentRequest {
        let asked = |key| Asked {
            workspace: caller.workspace().id,
            key,
            fingerprint: fingerprint(&of_key(caller, route), canonical()),
            at: now,
        };
        IdempotentRequest(self.0.map(|key| key.map(asked)))
    }
}

/// The route, and the key where it does not see every account: the stored response to another key may be about others.
fn of_key<'r>(caller: &Caller, route: &'r str) -> Cow<'r, str> {
    match (caller.access().accounts.only(), caller.key()) {
        (Some(_), Some(key)) => format!("{route} {key}").into(),
        _ => route.into(),
    }
}

impl IdempotentRequest {
    /// Responds to the request: with the stored response, or with the outcome of `work`.
    pub async fn once<T, W>(
        self,
        app: &Arc<App>,
        answer: Answer<T>,
        work: impl FnOnce(Kept<T>) -> W + Send + 'static,
    ) -> Result<Response, ApiError>
    where
        T: Send + Sync + 'static,
        W: Future<Output = Result<T, AppError>> + Send + 'static,
    {
        Ok(respond_to(self.answered(app, answer, work).await?))
    }

    /// [`IdempotentRequest::once`], for a response that is completed with what must not be stored.
    pub async fn answered<T, W>(
        self,
        app: &Arc<App>,
        answer: Answer<T>,
        work: impl FnOnce(Kept<T>) -> W + Send + 'static,
    ) -> Result<Answered, ApiError>
    where
        T: Send + Sync + 'static,
        W: Future<Output = Result<T, AppError>> + Send + 'static,
    {
        let asked = self.0.map_err(|issue| Refusal::invalid(vec![issue]))?;
        Ok(app.once(asked, answer, work).await?)
    }
}

/// The response of a request that was answered now or before.
pub fn respond_to(answered: Answered) -> Response {
    match answered {
        Answered::Done(stored) => respond(stored),
        Answered::Replayed(stored) => {
            let mut response = respond(stored);
            response
                .headers_mut()
                .insert(IDEMPOTENCY_REPLAYED, HeaderValue::from_static("true"));
            response
        }
    }
}

/// A fingerprint of a request's content (`wire::canonical`) and its route.
pub fn fingerprint(route: &str, mut canonical: Value) -> [u8; 32] {
    canonical.sort_all_objects();
    let hash = Sha256::new().chain_update(route).chain_update([0]);
    hash.chain_update(canonical.to_string()).finalize().into()
}

/// A JSON response to be stored.
pub fn in_json(status: StatusCode, body: &impl Serialize) -> Stored {
    Stored {
        status: status.as_u16(),
        headers: vec![(header::CONTENT_TYPE.to_string(), "application/json".to_owned())],
        body: serde_json::to_vec(body).expect("the API's types can be written as JSON"),
    }
}

fn respond(stored: Stored) -> Response {
    let status = StatusCode::from_u16(stored.status).unwrap_or(StatusCode::OK);
    let mut response = (status, stored.body).into_response();
    for (name, value) in stored.headers {
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value)) {
            response.headers_mut().insert(name, value);
        }
    }
    response
}
