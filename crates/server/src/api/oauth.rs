//! Where a provider sends a user back to after they agreed, or did not.

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};

use super::params::{Names, Query};
use crate::app::{App, AppError};

/// Ends a connection and sends the user on: with the account's ID, or with an `error` (contract §10.13).
pub async fn callback(
    State(app): State<Arc<App>>,
    Names(provider): Names<String>,
    mut query: Query,
) -> Response {
    let outcome = match (query.text("code"), query.text("state"), query.text("error")) {
        (Some(code), Some(state), None) => app.finish_connecting(&provider, &state, &code).await,
        (_, _, error) => {
            return redirect(
                &app,
                "error",
                &error.unwrap_or_else(|| "invalid_request".to_owned()),
            );
        }
    };
    match outcome {
        Ok(platform) => redirect(&app, "connected", &platform.to_string()),
        Err(AppError::Refused(refusal)) => redirect(&app, "error", refusal.code.as_str()),
        Err(internal) => {
            tracing::error!("could not finish connecting an account of {provider}: {internal}");
            redirect(&app, "error", "internal_error")
        }
    }
}

fn redirect(app: &App, name: &str, value: &str) -> Response {
    let query: String = url::form_urlencoded::Serializer::new(String::new())
        .append_pair(name, value)
        .finish();
    Redirect::to(&format!("{}/accounts?{query}", app.config.base_url)).into_response()
}
