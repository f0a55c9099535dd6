//! Who calls is a value: [`Caller`] is made here and nowhere else.

use std::sync::Arc;

use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use playout_domain::error::{Code, Refusal};
use playout_domain::id::KeyId;
use playout_domain::workspace::Workspace;
use playout_store::FoundKey;

use super::error::ApiError;
use crate::app::App;

/// The proof that a request carried a valid API key: the workspace it acts on.
#[derive(Clone)]
pub struct Caller(Arc<FoundKey>);

impl Caller {
    /// The one workspace this request can see.
    pub fn workspace(&self) -> &Workspace {
        &self.0.workspace
    }

    /// The key it came with.
    pub fn key(&self) -> KeyId {
        self.0.key.id
    }
}

/// Lets only requests with a valid key through, before anything else is looked at (contract §1, order of checks).
pub async fn require_key(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let found = match bearer(request.headers()) {
        Some(key) => app.authenticate(&key).await,
        None => Err(missing_key().into()),
    };
    match found {
        Ok(found) => {
            request.extensions_mut().insert(Caller(found));
            next.run(request).await
        }
        Err(error) => ApiError::from(error).into_response(),
    }
}

impl<S: Sync> FromRequestParts<S> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        Ok(parts
            .extensions
            .get::<Caller>()
            .cloned()
            .ok_or_else(missing_key)?)
    }
}

/// The token of a Bearer header (RFC 6750 §2.1); `None` where there is none, or an empty one. Bytes that are no text
/// make it a wrong token, not a missing one.
fn bearer(headers: &HeaderMap) -> Option<String> {
    let value = String::from_utf8_lossy(headers.get(header::AUTHORIZATION)?.as_bytes());
    let (scheme, token) = value.split_once(' ')?;
    let token = Some(token.trim()).filter(|token| scheme.eq_ignore_ascii_case("bearer") && !token.is_empty());
    token.map(str::to_owned)
}

fn missing_key() -> Refusal {
    Refusal::new(
        Code::MissingApiKey,
        "A Bearer API key is required: Authorization: Bearer svc_sk_…",
    )
}
