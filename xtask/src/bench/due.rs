//! Many posts at once, many posts in all, and many posts a second: how punctual the engine is then and what it costs, seen
//! from the provider and from `/proc`. Server, database, simulator and witness share the machine.

pub mod run;

use std::time::Duration;

use super::publish::{early, exact, lag, seconds};
use super::row::{Limit, Row};
use super::startup::millis;
use super::world::{World, silent_accounts};
use crate::failure::{Failure, Outcome};
use crate::install::postgres_programs;
use crate::machine::epoch_micros;
use crate::postgres::Postgres;
use run::{Batches, Ran, SECOND_MICROS, Scene, idling, run, seed};

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

/// How long a slow provider takes to respond.
const SLOW_RESPONSE: Duration = Duration::from_millis(200);

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
        let ran = run(&world, batches, Scene::with(1))?;
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
        let ran = run(&world, batches, Scene::with(workers))?;
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

/// Everything is due in the same second on PostgreSQL, at a provider that takes its time, for one node and for three.
///
/// # Errors
/// As [`at_once`].
pub fn nodes(world: &World) -> Outcome<Vec<Row>> {
    let size = size(world);
    let batches = Batches {
        batch: size.at_once,
        count: size.at_once,
        accounts: size.accounts,
        asset: "clip.mp4",
    };
    let (mut rows, mut rates) = (Vec::new(), Vec::new());
    for workers in [1, 3] {
        let (world, _postgres) = BOTH[1].world(world, &format!("nodes-{workers}"))?;
        let world = world.with(vec![("PLAYOUT_WORKER_CONCURRENCY", "16".to_owned())]);
        let scene = Scene {
            workers,
            responds_after: SLOW_RESPONSE,
        };
        let ran = run(&world, batches, scene)?;
        let what = format!("{} videos at once, workers: {workers}", size.at_once);
        rates.push(size.at_once as f64 / seconds(ran.seen.last));
        rows.extend(ran.counts(&what));
    }
    let row = Row::new(
        format!("{} videos at once: posts a second, 3 workers to 1", size.at_once),
        rates[1] / rates[0],
        Limit::AtLeast(2.5),
        "×",
    );
    let remark = format!(
        "{:.0} and {:.0} a second; 16 at a time, responses after {} ms",
        rates[1],
        rates[0],
        SLOW_RESPONSE.as_millis()
    );
    rows.push(row.remark(remark));
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
    let ran = run(world, near, Scene::with(1))?;
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
