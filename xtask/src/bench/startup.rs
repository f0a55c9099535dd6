//! How soon a server is ready, and how much memory it takes while idle.

use std::thread;
use std::time::Duration;

use serde_json::json;

use super::row::{Limit, Row};
use super::world::{NOBODY, World, silent_accounts};
use crate::failure::Outcome;
use crate::machine::now;

/// Starts that are measured.
const STARTS: usize = 10;
/// After this long the start's work is done.
const SETTLED: Duration = Duration::from_secs(3);
/// Posts in the database that it starts on.
const POSTS: usize = 100_000;

/// The median time from starting the process to its first 200 at `/readyz`, on a database with many posts.
///
/// # Errors
/// When the server does not start.
pub fn start(world: &World) -> Outcome<Vec<Row>> {
    world.seed(&database(POSTS))?;
    world.serve(NOBODY)?.process.stop()?;
    let mut times = Vec::with_capacity(STARTS);
    for _ in 0..STARTS {
        let began = now();
        let served = world.serve(NOBODY)?;
        times.push(began.elapsed());
        served.process.stop()?;
    }
    times.sort_unstable();
    let row = Row::new(
        "start until ready, median",
        millis(times[STARTS / 2]),
        Limit::AtMost(150.0),
        "ms",
    );
    let remark = format!(
        "{STARTS} starts, {POSTS} posts; longest {:.0} ms",
        millis(times[STARTS - 1])
    );
    Ok(vec![row.remark(remark)])
}

/// Resident memory of an idle server on SQLite.
///
/// # Errors
/// When the server does not start.
pub fn idle(world: &World) -> Outcome<Vec<Row>> {
    world.seed(&database(0))?;
    let served = world.serve(NOBODY)?;
    thread::sleep(SETTLED);
    let memory = served.process.memory()?;
    let row = Row::new(
        "resident memory, idle",
        megabytes(memory.resident),
        Limit::AtMost(40.0),
        "MB",
    );
    Ok(vec![row.remark("SQLite")])
}

/// A duration in milliseconds.
pub fn millis(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

/// Bytes in megabytes of 10⁶.
#[expect(clippy::cast_precision_loss, reason = "a figure to read")]
pub fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

/// A database with that many posts, as `bench-seed` takes it.
pub fn database(posts: usize) -> serde_json::Value {
    let posts = json!({ "count": posts, "firstAt": "2026-01-01T00:00:00.000Z", "stepSeconds": 60, "mediaPerPost": 0 });
    json!({ "accounts": silent_accounts(5), "files": [], "posts": posts })
}
