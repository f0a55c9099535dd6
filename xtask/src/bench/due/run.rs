//! Runs of posts that are all published: written before the server starts, published, and observed at the provider.

use std::iter::{once, repeat};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::bench::publish::wait;
use crate::bench::simulator::Simulator;
use crate::bench::startup::megabytes;
use crate::bench::timestamp;
use crate::bench::witness::{self, Seen};
use crate::bench::world::{NOBODY, Seeded, Served, World};
use crate::failure::{Failure, Outcome};
use crate::machine::{epoch_micros, now};

/// A second, in microseconds.
pub const SECOND_MICROS: i64 = 1_000_000;
/// How long after the last publication the questions after it are answered and counted too.
const ASKED_AFTER: Duration = Duration::from_secs(7);
/// After this long the start's work is done.
const SETTLED: Duration = Duration::from_secs(5);

/// Posts that `bench-seed` makes, all to go out.
#[derive(Debug, Clone, Copy)]
pub struct Batches {
    /// So many at the same time, the next a second later.
    pub batch: usize,
    /// So many in all.
    pub count: usize,
    /// Accounts that they go to.
    pub accounts: usize,
    /// What is posted: a video is uploaded, a photo is fetched.
    pub asset: &'static str,
}

impl Batches {
    /// When each is due, one batch a second.
    pub fn due(self, first_at: i64) -> Vec<i64> {
        let second = |number: usize| i64::try_from(number / self.batch).unwrap_or(0);
        (0..self.count)
            .map(|number| first_at + second(number) * SECOND_MICROS)
            .collect()
    }

    /// From now until the first is due: long enough to write them all and to start.
    pub fn lead_micros(self) -> i64 {
        (12 + i64::try_from(self.count / 400).unwrap_or(0)) * SECOND_MICROS
    }
}

/// What was seen of them, and what they cost the server.
#[derive(Debug)]
pub struct Ran {
    /// What the provider saw.
    pub seen: Seen,
    /// CPU time of all servers.
    pub cpu: Duration,
}

/// Memory in MB and CPU in percent of a server to which nothing happens.
///
/// # Errors
/// When it does not start or stop.
pub fn idling(world: &World, for_seconds: usize) -> Outcome<(f64, f64)> {
    let served = world.serve(NOBODY)?;
    thread::sleep(SETTLED);
    let (began, before) = (now(), served.process.cpu()?);
    thread::sleep(Duration::from_secs(for_seconds as u64));
    let spent = served.process.cpu()?.saturating_sub(before);
    let percent = 100.0 * spent.as_secs_f64() / began.elapsed().as_secs_f64();
    let resident = megabytes(served.process.memory()?.resident);
    served.process.stop()?;
    Ok((resident, percent))
}

/// Writes posts of one file, the first due at `first_at`, `step_seconds` from batch to batch.
///
/// # Errors
/// When `bench-seed` fails.
pub fn seed(
    world: &World,
    accounts: &[Value],
    batches: Batches,
    (first_at, step_seconds): (i64, i64),
) -> Outcome<Seeded> {
    let posts = json!({
        "count": batches.count, "firstAt": timestamp::written(first_at), "stepSeconds": step_seconds,
        "mediaPerPost": 1, "queued": true, "batch": batches.batch
    });
    let files = [World::demo_asset(batches.asset)];
    world.seed(&json!({ "accounts": accounts, "files": files, "posts": posts }))
}

/// Who publishes them, and where to.
#[derive(Debug, Clone, Copy)]
pub struct Scene {
    /// Nodes, of which the first answers requests too.
    pub workers: usize,
    /// How long the provider takes to respond.
    pub responds_after: Duration,
}

impl Scene {
    /// A provider that responds at once.
    pub fn with(workers: usize) -> Self {
        let responds_after = Duration::ZERO;
        Self {
            workers,
            responds_after,
        }
    }
}

/// Lets them be published, and queries the provider afterwards.
///
/// # Errors
/// When something does not start, or the posts are due before all are written.
pub fn run(world: &World, batches: Batches, scene: Scene) -> Outcome<Ran> {
    let mut simulator = Simulator::start(world)?;
    let knobs = json!({ "responseDelayMs": u64::try_from(scene.responds_after.as_millis()).unwrap_or(0) });
    simulator.ask("PATCH", "/sim/knobs", &knobs)?;
    let accounts = (0..batches.accounts).map(|number| simulator.account(number));
    let accounts = accounts.collect::<Outcome<Vec<Value>>>()?;
    let first_at = (epoch_micros() + batches.lead_micros()) / SECOND_MICROS * SECOND_MICROS;
    seed(world, &accounts, batches, (first_at, 1))?;
    let roles = once("all").chain(repeat("worker"));
    let served = roles
        .take(scene.workers)
        .map(|role| world.serve_as(role, &simulator.url()))
        .collect::<Outcome<Vec<Served>>>()?;
    let left = u64::try_from(first_at - epoch_micros() - SECOND_MICROS / 2);
    let left = left.map_err(|_| Failure::new("the posts were due before all were written"))?;
    thread::sleep(Duration::from_micros(left));
    let due = batches.due(first_at);
    let before = cpu(&served)?;
    wait(&mut simulator, &due)?;
    thread::sleep(ASKED_AFTER);
    let spent = cpu(&served)?.saturating_sub(before);
    let journal = simulator.journal()?;
    let published = simulator.publications()?;
    served.into_iter().try_for_each(|served| served.process.stop())?;
    Ok(Ran {
        seen: witness::seen(&due, &journal, &published)?,
        cpu: spent,
    })
}

fn cpu(served: &[Served]) -> Outcome<Duration> {
    served.iter().map(|served| served.process.cpu()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_is_due_together_and_the_next_a_second_later() {
        let batches = Batches {
            batch: 2,
            count: 5,
            accounts: 1,
            asset: "clip.mp4",
        };
        let due = batches.due(7_000_000);
        assert_eq!(due, [7_000_000, 7_000_000, 8_000_000, 8_000_000, 9_000_000]);
    }
}
