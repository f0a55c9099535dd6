//! Faults of requests, fates of posts, held requests.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::{get, post};
use serde::Deserialize;

use super::reply::{Told, answer, done};
use crate::sim::core::Core;
use crate::sim::fault::{Endpoint, FailRule, Fault};
use crate::sim::hold::HoldPoint;

pub(super) fn router() -> Router<Arc<Core>> {
    Router::new()
        .route("/sim/faults", get(faults).post(inject).delete(clear_faults))
        .route("/sim/fates", get(fates).post(doom).delete(clear_fates))
        .route("/sim/hold", post(hold))
        .route("/sim/release", post(release))
}

async fn faults(State(core): State<Arc<Core>>) -> Response {
    answer(&core.with(|world| world.faults.clone()))
}

async fn inject(State(core): State<Arc<Core>>, Told(fault): Told<Fault>) -> Response {
    core.with(|world| world.faults.push(fault));
    done()
}

async fn clear_faults(State(core): State<Arc<Core>>) -> Response {
    core.with(|world| world.faults.clear());
    done()
}

async fn fates(State(core): State<Arc<Core>>) -> Response {
    answer(&core.with(|world| world.fates.clone()))
}

async fn doom(State(core): State<Arc<Core>>, Told(rule): Told<FailRule>) -> Response {
    core.with(|world| world.fates.push(rule));
    done()
}

async fn clear_fates(State(core): State<Arc<Core>>) -> Response {
    core.with(|world| world.fates.clear());
    done()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Hold {
    endpoint: Endpoint,
    point: HoldPoint,
}

async fn hold(State(core): State<Arc<Core>>, Told(hold): Told<Hold>) -> Response {
    core.holds.close(hold.endpoint, hold.point);
    done()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Release {
    /// Absent: all.
    endpoint: Option<Endpoint>,
}

async fn release(State(core): State<Arc<Core>>, Told(release): Told<Release>) -> Response {
    match release.endpoint {
        Some(endpoint) => core.holds.open(endpoint),
        None => core.holds.open_all(),
    }
    done()
}
