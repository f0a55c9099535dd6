//! The callback to which a provider redirects a user after they granted or denied access.

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use playout_domain::error::Refusal;
use serde_json::Value;

use crate::api::auth::{SignedIn, Visitor};
use crate::api::params::{Names, Query};
use crate::app::connect::Connected;
use crate::app::{App, AppError};

/// The longest error code of a provider that is passed on.
const MAX_WORD_CHARS: usize = 100;

/// The query of the page that shows the outcome.
type Pairs = Vec<(&'static str, String)>;

/// The parameters of a callback after the user granted access.
struct Authorized {
    provider: String,
    state: String,
    code: String,
}

/// Completes a connection and redirects the user: with the account's ID, or with an `error`
/// (`docs/contract.md#connecting-accounts`).
pub async fn callback(
    State(app): State<Arc<App>>,
    Names(provider): Names<String>,
    visitor: Visitor,
    mut query: Query,
) -> Response {
    let (code, state) = (query.text("code"), query.text("state"));
    match (code, state, query.text("error")) {
        (Some(code), Some(state), None) => {
            let authorized = Authorized {
                provider,
                state,
                code,
            };
            finish(&app, visitor, authorized).await
        }
        (_, state, error) => refused(&app, state.as_deref(), error).await,
    }
}

/// In a task of its own: otherwise a browser that disconnects could leave a grant that is not stored anywhere.
async fn finish(app: &Arc<App>, visitor: Visitor, authorized: Authorized) -> Response {
    let world = Arc::clone(app);
    let connector = visitor.0.as_ref().map(SignedIn::connector);
    let finishing = tokio::spawn(async move {
        let Authorized {
            provider,
            state,
            code,
        } = authorized;
        world
            .finish_connecting(&provider, (&state, &code), connector.as_ref())
            .await
    });
    match finishing.await.map_err(AppError::from).flatten() {
        Ok(connected) => redirect(app, &told(connected)),
        Err(error) => redirect(app, &why(error)),
    }
}

/// The provider or the user refused. The error is only passed on; the page explains the known codes.
async fn refused(app: &App, state: Option<&str>, error: Option<String>) -> Response {
    if let Some(state) = state
        && let Err(error) = app.drop_connecting(state).await
    {
        tracing::error!("could not delete the state of a denied authorization: {error}");
    }
    let word = error.unwrap_or_else(|| "invalid_request".to_owned());
    redirect(app, &[("error", word.chars().take(MAX_WORD_CHARS).collect())])
}

fn told(connected: Connected) -> Pairs {
    let requeued = connected.requeued.map(|posts| ("requeued", posts.to_string()));
    let id = ("connected", connected.id.to_string());
    requeued.into_iter().chain([id]).collect()
}

fn why(error: AppError) -> Pairs {
    match error {
        AppError::Refused(refusal) => {
            let error = ("error", refusal.code.as_str().to_owned());
            [error].into_iter().chain(missing(&refusal)).collect()
        }
        internal => {
            tracing::error!("could not finish connecting an account: {internal}");
            vec![("error", "internal_error".to_owned())]
        }
    }
}

fn missing(refusal: &Refusal) -> Option<(&'static str, String)> {
    let missing = refusal.details.as_ref()?["missing"].as_array()?;
    let scopes: Vec<&str> = missing.iter().filter_map(Value::as_str).collect();
    Some(("missing", scopes.join(",")))
}

fn redirect(app: &App, pairs: &[(&'static str, String)]) -> Response {
    let query: String = url::form_urlencoded::Serializer::new(String::new())
        .extend_pairs(pairs)
        .finish();
    Redirect::to(&format!("{}/accounts?{query}", app.config.base_url)).into_response()
}
