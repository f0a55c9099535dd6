//! Many posts at once, many posts in all, and many posts a second: how punctual the engine is then and what it costs, seen
//! from the provider and from `/proc`. Server, database, simulator and witness share the machine.

use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::publish::{early, exact, lag, seconds, wait};
use super::row::{Limit, Row};
use super::simulator::Simulator;
use super::startup::{megabytes, millis};
use super::timestamp;
use super::witness::{self, Seen};
use super::world::{Seeded, Served, World};
use crate::failure::{Doing, Failure, Outcome};
use crate::install::postgres_programs;
use crate::machine::{epoch_micros, now};
use crate::postgres::Postgres;

const SECOND_MICROS: i64 = 1_000_000;
/// How long after the last publication the questions after it are answered and counted too.
const ASKED_AFTER: Duration = Duration::from_secs(7);
/// After this long nothing of the start goes on.
const SETTLED: Duration = Duration::from_secs(5);

/// How much of everything.
#[derive(Debug, Clone, Copy)]
struct Size {
    /// Posts due at the same time, and accounts that they go to.
    at_once: usize,
    accounts: usize,
    /// Posts planned over a year.
    planned: usize,
    /// For how long one post a second is watched among them, and idling.
    watched_seconds: usize,
    /// For how long fifty a second are.
    fifty_seconds: usize,
}

const FULL: Size = Size {
    at_once: 10_000,
    accounts: 500,
    planned: 100_000,
    watched_seconds: 120,
    fifty_seconds: 600,
};
const SHORT: Size = Size {
    at_once: 1_000,
    accounts: 50,
    planned: 10_000,
    watched_seconds: 20,
    fifty_seconds: 20,
};

/// Posts that `bench-seed` makes, all to go out.
#[derive(Debug, Clone, Copy)]
struct Batches {
    batch: usize,
    count: usize,
    accounts: usize,
    /// What is posted: a video is uploaded, a photo is fetched.
    asset: &'static str,
}

impl Batches {
    /// When each is due, one batch a second.
    fn due(self, first_at: i64) -> Vec<i64> {
        let second = |number: usize| i64::try_from(number / self.batch).unwrap_or(0);
        (0..self.count)
            .map(|number| first_at + second(number) * SECOND_MICROS)
            .collect()
    }

    /// From now until the first is due: long enough to write them all and to start.
    fn lead_micros(self) -> i64 {
        (12 + i64::try_from(self.count / 400).unwrap_or(0)) * SECOND_MICROS
    }
}

/// What was seen of them, and what they cost the server.
struct Ran {
    seen: Seen,
    cpu: Duration,
}

/// All three, on SQLite and on PostgreSQL.
///
/// # Errors
/// When something does not start, or posts are due before they are all written.
pub fn due(world: &World) -> Outcome<Vec<Row>> {
    let size = if world.is_short() { SHORT } else { FULL };
    let programs = postgres_programs().ok_or_else(|| Failure::new("PostgreSQL is missing"))?;
    let mut rows = Vec::new();
    for name in ["sqlite", "postgresql"] {
        let on = |part: &str| -> Outcome<(World, Option<Postgres>)> {
            let world = world.part(&format!("{name}-{part}"))?;
            if name == "sqlite" {
                return Ok((world, None));
            }
            let postgres = Postgres::start(&programs)?;
            Ok((world.on(postgres.url()), Some(postgres)))
        };
        let is_measured = name == "postgresql";
        rows.extend(
            at_once(&on("at-once")?.0, size, is_measured)
                .doing("at once")?
                .into_iter()
                .map(|row| row.of(name)),
        );
        rows.extend(
            a_year(&on("year")?.0, size)
                .doing("a year")?
                .into_iter()
                .map(|row| row.of(name)),
        );
        for workers in [1, 2].into_iter().filter(|_| is_measured) {
            rows.extend(fifty(&on(&format!("fifty-{workers}"))?.0, size, workers).doing("fifty a second")?);
        }
    }
    Ok(rows)
}

/// Everything is due in the same second.
fn at_once(world: &World, size: Size, is_limited: bool) -> Outcome<Vec<Row>> {
    let batches = Batches {
        batch: size.at_once,
        count: size.at_once,
        accounts: size.accounts,
        asset: "clip.mp4",
    };
    let ran = run(world, batches, 1)?;
    let limit = |limit| {
        if is_limited {
            Limit::AtMost(limit)
        } else {
            Limit::None
        }
    };
    #[expect(clippy::cast_precision_loss, reason = "a figure to read")]
    let cpu = millis(ran.cpu) / size.at_once as f64;
    let what = format!("{} videos at once", size.at_once);
    Ok(vec![
        Row::new(
            format!("{what}: all submitted"),
            seconds(ran.seen.last),
            limit(60.0),
            "s",
        ),
        Row::new(format!("{what}: server CPU a post"), cpu, limit(4.0), "ms"),
        exact(&format!("{what}: early"), early(&ran.seen)),
        exact(
            &format!("{what}: missing or twice"),
            ran.seen.missing + ran.seen.twice,
        ),
    ])
}

/// Fifty a second for minutes, with one worker or two.
fn fifty(world: &World, size: Size, workers: usize) -> Outcome<Vec<Row>> {
    let batches = Batches {
        batch: 50,
        count: 50 * size.fifty_seconds,
        accounts: 50,
        asset: "clip.mp4",
    };
    let ran = run(world, batches, workers)?;
    let what = format!("50 videos a second, {workers} workers");
    let cpu = millis(ran.cpu) / f64::from(u32::try_from(batches.count).unwrap_or(u32::MAX));
    Ok(vec![
        Row::new(
            format!("{what}: start lag, median"),
            lag(&ran.seen, 500),
            Limit::None,
            "ms",
        ),
        Row::new(
            format!("{what}: start lag, p99"),
            lag(&ran.seen, 990),
            Limit::AtMost(100.0),
            "ms",
        ),
        Row::new(
            format!("{what}: start lag, longest"),
            lag(&ran.seen, 1000),
            Limit::None,
            "ms",
        ),
        Row::new(format!("{what}: server CPU a post"), cpu, Limit::None, "ms"),
        exact(&format!("{what}: early"), early(&ran.seen)),
        exact(
            &format!("{what}: missing or twice"),
            ran.seen.missing + ran.seen.twice,
        ),
    ])
}

/// A year's posts lie in the database: what they cost while nothing is due, and how punctual one a second is among them.
fn a_year(world: &World, size: Size) -> Outcome<Vec<Row>> {
    let empty = world.part("empty")?;
    seed(
        &empty,
        &[],
        Batches {
            batch: 1,
            count: 0,
            accounts: 1,
            asset: "clip.mp4",
        },
        (0, 1),
    )?;
    let (idle, _) = idling(&empty, size.watched_seconds)?;
    let step = i64::try_from(365 * 86_400 / size.planned).unwrap_or(1);
    let far = Batches {
        batch: 1,
        count: size.planned,
        accounts: 1,
        asset: "clip.mp4",
    };
    let first = epoch_micros() + 86_400 * SECOND_MICROS;
    let world = world.part("full")?;
    let silent = super::world::silent_accounts(5);
    seed(&world, &silent, far, (first, step))?;
    let (resident, busy) = idling(&world, size.watched_seconds)?;
    let near = Batches {
        batch: 1,
        count: size.watched_seconds,
        accounts: 20,
        asset: "clip.mp4",
    };
    let ran = run(&world, near, 1)?;
    let what = format!("{} planned over a year", size.planned);
    let cpu = millis(ran.cpu) / f64::from(u32::try_from(near.count).unwrap_or(u32::MAX));
    Ok(vec![
        Row::new(
            format!("{what}: memory above idle"),
            resident - idle,
            Limit::AtMost(10.0),
            "MB",
        )
        .remark(format!("{resident:.1} MB and {idle:.1} MB")),
        Row::new(
            format!("{what}: CPU while nothing is due"),
            busy,
            Limit::AtMost(0.5),
            "%",
        ),
        Row::new(
            format!("{what}, one a second: lag, median"),
            lag(&ran.seen, 500),
            Limit::None,
            "ms",
        ),
        Row::new(
            format!("{what}, one a second: lag, p99"),
            lag(&ran.seen, 990),
            Limit::AtMost(100.0),
            "ms",
        ),
        Row::new(
            format!("{what}, one a second: lag, longest"),
            lag(&ran.seen, 1000),
            Limit::None,
            "ms",
        ),
        Row::new(
            format!("{what}, one a second: CPU a post"),
            cpu,
            Limit::None,
            "ms",
        ),
        exact(&format!("{what}, one a second: early"), early(&ran.seen)),
        exact(
            &format!("{what}, one a second: missing or twice"),
            ran.seen.missing + ran.seen.twice,
        ),
    ])
}

/// Memory in MB and CPU in percent of a server to which nothing happens.
fn idling(world: &World, for_seconds: usize) -> Outcome<(f64, f64)> {
    let served = world.serve(super::world::NOBODY)?;
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
fn seed(
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

/// Lets them go out with so many workers, and asks the provider afterwards.
fn run(world: &World, batches: Batches, workers: usize) -> Outcome<Ran> {
    let mut simulator = Simulator::start(world)?;
    let accounts = (0..batches.accounts).map(|number| simulator.account(number));
    let accounts = accounts.collect::<Outcome<Vec<Value>>>()?;
    let first_at = (epoch_micros() + batches.lead_micros()) / SECOND_MICROS * SECOND_MICROS;
    seed(world, &accounts, batches, (first_at, 1))?;
    let roles = ["all", "worker"].into_iter().take(workers);
    let served = roles
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

    #[test]
    fn the_short_size_is_smaller_in_everything_that_takes_time() {
        assert!(SHORT.at_once < FULL.at_once && SHORT.planned < FULL.planned);
        assert!(SHORT.watched_seconds < FULL.watched_seconds && SHORT.fifty_seconds < FULL.fifty_seconds);
    }
}
