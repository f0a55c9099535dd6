//! `cargo xtask bench`: measures the release build of `playoutd` from outside.

use crate::failure::{Failure, Outcome};

/// Runs the benches named.
///
/// # Errors
/// When a bench cannot run.
pub fn run(names: &[String]) -> Outcome<()> {
    Err(Failure::new(format!("no bench {names:?}")))
}
