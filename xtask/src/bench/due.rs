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
use super::world::{NOBODY, Seeded, Served, World, silent_accounts};
use crate::failure::{Failure, Outcome};
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

/// A database to measure on, and whether the limits are meant for it.
struct On {
    name: &'static str,
    is_measured: bool,
}

const BOTH: [On; 2] = [
    On {
        name: "SQLite",
        is_measured: false,
    },
    On {
        name: "PostgreSQL",
        is_measured: true,
    },
];

impl On {
    /// A world on this database; the second keeps its server alive.
    fn world(&self, world: &World, part: &str) -> Outcome<(World, Option<Postgres>)> {
        let world = world.part(&format!("{}-{part}", self.name))?;
        if !self.is_measured {
            return Ok((world, None));
        }
        let programs = postgres_programs().ok_or_else(|| Failure::new("PostgreSQL is missing"))?;
        let postgres = Postgres::start(&programs)?;
        Ok((world.on(postgres.url()), Some(postgres)))
    }
}

fn size(world: &World) -> Size {
    if world.is_short() { SHORT } else { FULL }
}

/// Everything is due in the same second, on either database.
///
/// # Errors
/// When something does not start, or posts are due before they are all written.
pub fn at_once(world: &World) -> Outcome<Vec<Row>> {
    let size = size(world);
    let batches = Batches {
        batch: size.at_once,
        count: size.at_once,
        accounts: size.accounts,
        asset: "clip.mp4",
    };
    let mut rows = Vec::new();
    for on in BOTH {
        let (world, _postgres) = on.world(world, "at-once")?;
        let ran = run(&world, batches, 1)?;
        let limit = |limit| {
            if on.is_measured {
                Limit::AtMost(limit)
            } else {
                Limit::None
            }
        };
        let what = format!("{} videos at once", size.at_once);
        let found = [
            Row::new(
                format!("{what}: all submitted"),
                seconds(ran.seen.last),
                limit(60.0),
                "s",
            ),
            Row::new(
                format!("{what}: server CPU a post"),
                ran.cpu_a_post(batches),
                limit(4.0),
                "ms",
            ),
        ];
        rows.extend(
            found
                .into_iter()
                .chain(ran.counts(&what))
                .map(|row| row.of(on.name)),
        );
    }
    Ok(rows)
}

/// Fifty a second for minutes on PostgreSQL, with one worker and with two.
///
/// # Errors
/// As [`at_once`].
pub fn fifty(world: &World) -> Outcome<Vec<Row>> {
    let batches = Batches {
        batch: 50,
        count: 50 * size(world).fifty_seconds,
        accounts: 50,
        asset: "clip.mp4",
    };
    let mut rows = Vec::new();
    for workers in [1, 2] {
        let (world, _postgres) = BOTH[1].world(world, &format!("fifty-{workers}"))?;
        let ran = run(&world, batches, workers)?;
        let what = format!("50 videos a second, {workers} workers");
        rows.extend(ran.lags(&what));
        rows.push(Row::new(
            format!("{what}: server CPU a post"),
            ran.cpu_a_post(batches),
            Limit::None,
            "ms",
        ));
        rows.extend(ran.counts(&what));
    }
    Ok(rows)
}

/// A year's posts lie in the database: what they cost while nothing is due, and how punctual one a second is among them.
///
/// # Errors
/// As [`at_once`].
pub fn a_year(world: &World) -> Outcome<Vec<Row>> {
    let mut rows = Vec::new();
    for on in BOTH {
        let size = size(world);
        let (empty, _postgres) = on.world(world, "empty")?;
        seed(&empty, &[], one_a_second(0), (0, 1))?;
        let (idle, _) = idling(&empty, size.watched_seconds)?;
        let (full, _postgres) = on.world(world, "year")?;
        rows.extend(
            among_a_year(&full, size, idle)?
                .into_iter()
                .map(|row| row.of(on.name)),
        );
    }
    Ok(rows)
}

fn among_a_year(world: &World, size: Size, idle: f64) -> Outcome<Vec<Row>> {
    let step_seconds = i64::try_from(365 * 86_400 / size.planned).unwrap_or(1);
    let first_at = epoch_micros() + 86_400 * SECOND_MICROS;
    seed(
        world,
        &silent_accounts(5),
        one_a_second(size.planned),
        (first_at, step_seconds),
    )?;
    let (resident, busy) = idling(world, size.watched_seconds)?;
    let near = one_a_second(size.watched_seconds);
    let ran = run(world, near, 1)?;
    let what = format!("{} planned", size.planned);
    let mut rows = vec![
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
    ];
    let what = format!("{what}, one a second");
    rows.extend(ran.lags(&what));
    rows.push(Row::new(
        format!("{what}: CPU a post"),
        ran.cpu_a_post(near),
        Limit::None,
        "ms",
    ));
    rows.extend(ran.counts(&what));
    Ok(rows)
}

fn one_a_second(count: usize) -> Batches {
    Batches {
        batch: 1,
        count,
        accounts: 20,
        asset: "clip.mp4",
    }
}

impl Ran {
    fn cpu_a_post(&self, batches: Batches) -> f64 {
        millis(self.cpu) / f64::from(u32::try_from(batches.count).unwrap_or(u32::MAX))
    }

    fn lags(&self, what: &str) -> [Row; 3] {
        let row = |name, permille, limit| {
            Row::new(format!("{what}: {name}"), lag(&self.seen, permille), limit, "ms")
        };
        [
            row("start lag, median", 500, Limit::None),
            row("start lag, p99", 990, Limit::AtMost(100.0)),
            row("start lag, longest", 1000, Limit::None),
        ]
    }

    fn counts(&self, what: &str) -> [Row; 2] {
        [
            exact(&format!("{what}: early"), early(&self.seen)),
            exact(
                &format!("{what}: missing or twice"),
                self.seen.missing + self.seen.twice,
            ),
        ]
    }
}

/// Memory in MB and CPU in percent of a server to which nothing happens.
fn idling(world: &World, for_seconds: usize) -> Outcome<(f64, f64)> {
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
