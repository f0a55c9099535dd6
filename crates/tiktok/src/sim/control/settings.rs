//! Knobs, the clock, and a fresh start.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::{get, post};
use serde::Deserialize;
use serde_json::{Value, json};

use super::reply::{Told, answer, done, refuse};
use crate::sim::core::Core;
use crate::sim::knobs::Knobs;
use crate::sim::world::World;

pub(super) fn router() -> Router<Arc<Core>> {
    Router::new()
        .route("/sim/knobs", get(show).patch(turn))
        .route("/sim/clock", get(clock))
        .route("/sim/clock/advance", post(advance))
        .route("/sim/reset", post(reset))
}

async fn show(State(core): State<Arc<Core>>) -> Response {
    answer(&core.with(|world| world.knobs.clone()))
}

/// Changes the knobs named in the body; an unknown name changes nothing.
async fn turn(
    State(core): State<Arc<Core>>,
    Told(changes): Told<serde_json::Map<String, Value>>,
) -> Response {
    let turned = core.with(|world| {
        let mut all = serde_json::to_value(&world.knobs)?;
        if let Some(all) = all.as_object_mut() {
            all.extend(changes);
        }
        let knobs: Knobs = serde_json::from_value(all)?;
        world.turn(knobs);
        Ok::<_, serde_json::Error>(world.knobs.clone())
    });
    match turned {
        Ok(knobs) => answer(&knobs),
        Err(error) => refuse(400, &error.to_string()),
    }
}

impl World {
    /// Sets all knobs; what was stuck goes on if it may.
    pub(in crate::sim) fn turn(&mut self, knobs: Knobs) {
        self.knobs = knobs;
        if !self.knobs.stuck {
            self.unstick();
        }
    }
}

async fn clock(State(core): State<Arc<Core>>) -> Response {
    told_time(&core)
}

fn told_time(core: &Core) -> Response {
    let ahead_ms = u64::try_from(core.ahead().as_millis()).unwrap_or(u64::MAX);
    answer(&json!({ "now": core.now(), "aheadMs": ahead_ms }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Advance {
    ms: u64,
}

/// Moves the provider's clock on, away from all others: programs that check the age of webhooks reject what it
/// sends from then on, until a reset.
async fn advance(State(core): State<Arc<Core>>, Told(by): Told<Advance>) -> Response {
    core.advance(Duration::from_millis(by.ms));
    told_time(&core)
}

async fn reset(State(core): State<Arc<Core>>) -> Response {
    core.reset();
    done()
}
