//! How quick the dashboard is in a browser: the tests of `web/e2e` with the tag `@speed`. They need a machine that has nothing else to do.

use super::row::Row;
use super::world::World;
use crate::failure::{Doing, Outcome};
use crate::web;

/// Runs the tests, which print their figures and compare them with their limits themselves: there are no rows.
///
/// # Errors
/// When a figure misses its limit, or a test cannot run.
pub fn dashboard(world: &World) -> Outcome<Vec<Row>> {
    let playoutd = std::path::absolute(world.program()).doing("the path of playoutd")?;
    web::speed(&playoutd)?;
    Ok(Vec::new())
}
