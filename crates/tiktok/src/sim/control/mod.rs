//! The control API under `/sim/`: every knob, over HTTP, for whatever cannot link this crate.

mod accounts;
mod faults;
mod ledger;
mod reply;
mod settings;

use std::sync::Arc;

use axum::Router;

use super::core::Core;

/// All control endpoints.
pub(super) fn router() -> Router<Arc<Core>> {
    Router::new()
        .merge(settings::router())
        .merge(faults::router())
        .merge(accounts::router())
        .merge(ledger::router())
}
