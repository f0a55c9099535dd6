//! What lists cost: pages of posts and the list of platforms, on each database, before and after it has the statistics that `ANALYZE`
//! collects; and what new posts cost, which must not pay for it. On PostgreSQL the CPU time of the server and of all its backends counts, too.

use std::process::Command;
use std::time::Duration;

use super::load::{self, Asked, CONNECTIONS, Load};
use super::process::cpu_with_children;
use super::requests::{FIRST_AT, PLATFORMS_PATH, STEP_SECONDS, database, draft, expect_full_lists, planned};
use super::row::{Limit, Row};
use super::startup::millis;
use super::timestamp;
use super::world::{NOBODY, Seeded, Served, World};
use crate::failure::{Doing, Failure, Outcome};
use crate::install::postgres_programs;
use crate::machine::{epoch_micros, program, said};
use crate::postgres::Postgres;

/// The pages: so many posts in a row.
const PAGES: [usize; 2] = [85, 830];
/// How often each is measured; the median counts.
const RUNS: usize = 3;
/// Planned posts are so far away that none is due while we measure.
const LEAD_MICROS: i64 = 30 * 86_400_000_000;

/// A database to measure on.
struct On<'a> {
    name: &'static str,
    postgres: Option<&'a Postgres>,
    limits: Limits,
}

/// The most CPU time of each kind of request, in milliseconds.
#[derive(Clone, Copy)]
struct Limits {
    /// Of [`PAGES`].
    pages: [f64; 2],
    platforms: f64,
    draft: f64,
    planned: f64,
}

const SQLITE: Limits = Limits {
    pages: [0.4, 3.0],
    platforms: 0.06,
    draft: 0.165,
    planned: 0.165,
};
const POSTGRESQL: Limits = Limits {
    pages: [0.6, 4.5],
    platforms: 0.12,
    draft: 0.34,
    planned: 0.44,
};

/// A kind of request.
struct Kind<'a> {
    what: String,
    limit_ms: f64,
    count: usize,
    status: u16,
    ask: &'a (dyn Fn(usize) -> Asked + Sync),
}

/// CPU time per list, draft and planned post on SQLite and on PostgreSQL.
///
/// # Errors
/// When a server does not start or an answer is not the one expected.
pub fn lists(world: &World) -> Outcome<Vec<Row>> {
    let on = On {
        name: "SQLite",
        postgres: None,
        limits: SQLITE,
    };
    let mut rows = measured(&world.part("sqlite")?, &on)?;
    let programs = postgres_programs().ok_or_else(|| Failure::new("PostgreSQL is missing"))?;
    // It would collect statistics when it likes.
    let postgres = Postgres::without_autovacuum(&programs)?;
    let on = On {
        name: "PostgreSQL",
        postgres: Some(&postgres),
        limits: POSTGRESQL,
    };
    rows.extend(measured(&world.part("postgresql")?.on(postgres.url()), &on)?);
    Ok(rows)
}

fn measured(world: &World, on: &On<'_>) -> Outcome<Vec<Row>> {
    let seeded = world.seed(&database())?;
    let mut rows = on.lists(world, &seeded, "no statistics")?;
    on.analyze(world)?;
    rows.extend(on.lists(world, &seeded, "statistics")?);
    rows.extend(on.posts(world, &seeded)?);
    Ok(rows)
}

impl On<'_> {
    fn lists(&self, world: &World, seeded: &Seeded, known: &str) -> Outcome<Vec<Row>> {
        let served = world.serve(NOBODY)?;
        expect_full_lists(&served, seeded)?;
        let mut rows = Vec::new();
        for (size, limit_ms) in PAGES.into_iter().zip(self.limits.pages) {
            let kind = Kind {
                what: format!("list of {size} posts, {known}"),
                limit_ms,
                count: 170_000 / size,
                status: 200,
                ask: &|number| ("GET", page(number, size), String::new()),
            };
            rows.push(self.measure(&served, seeded, &kind)?);
        }
        let platforms = Kind {
            what: format!("list of platforms, {known}"),
            limit_ms: self.limits.platforms,
            count: 10_000,
            status: 200,
            ask: &|_| ("GET", PLATFORMS_PATH.to_owned(), String::new()),
        };
        rows.push(self.measure(&served, seeded, &platforms)?);
        served.process.stop()?;
        Ok(rows)
    }

    fn posts(&self, world: &World, seeded: &Seeded) -> Outcome<Vec<Row>> {
        let served = world.serve(NOBODY)?;
        let path = || "/public/v1/posts".to_owned();
        let begun = epoch_micros() + LEAD_MICROS;
        let at = |number: usize| begun + i64::try_from(number).unwrap_or(0) * 1_000_000;
        let kinds = [
            Kind {
                what: "draft created".to_owned(),
                limit_ms: self.limits.draft,
                count: 3000,
                status: 201,
                ask: &|number| ("POST", path(), draft(seeded, number)),
            },
            Kind {
                what: "scheduled post created".to_owned(),
                limit_ms: self.limits.planned,
                count: 3000,
                status: 201,
                ask: &|number| ("POST", path(), planned(seeded, number, Some(at(number)))),
            },
        ];
        let rows = kinds.iter().map(|kind| self.measure(&served, seeded, kind));
        rows.collect()
    }

    fn measure(&self, served: &Served, seeded: &Seeded, kind: &Kind<'_>) -> Outcome<Row> {
        let load = Load {
            address: served.address,
            key: &seeded.key,
            count: kind.count / 5,
            status: kind.status,
        };
        // Plans are chosen anew for the first statements of a connection.
        load::send(load, kind.ask).doing(&kind.what)?;
        let load = Load {
            count: kind.count,
            ..load
        };
        let mut runs = Vec::new();
        for _ in 0..RUNS {
            let before = self.cpu(served)?;
            load::send(load, kind.ask).doing(&kind.what)?;
            let after = self.cpu(served)?;
            #[expect(clippy::cast_precision_loss, reason = "a figure to read")]
            let count = kind.count as f64;
            let each = |(after, before): (Duration, Duration)| millis(after - before) / count;
            runs.push((each((after.0, before.0)), each((after.1, before.1))));
        }
        runs.sort_by(|a, b| (a.0 + a.1).total_cmp(&(b.0 + b.1)));
        let (own, database) = runs[RUNS / 2];
        let remark = match self.postgres {
            None => format!("{} over {CONNECTIONS} connections", kind.count),
            Some(_) => format!(
                "{} over {CONNECTIONS} connections, PostgreSQL {database:.3} of it",
                kind.count
            ),
        };
        let limit = Limit::AtMost(kind.limit_ms);
        let row = Row::new(format!("CPU per {}", kind.what), own + database, limit, "ms");
        Ok(row.of(self.name).remark(remark))
    }

    /// CPU time of the service so far, and of PostgreSQL.
    fn cpu(&self, served: &Served) -> Outcome<(Duration, Duration)> {
        let database = match self.postgres {
            None => Duration::ZERO,
            Some(postgres) => cpu_with_children(postgres.process_id()?)?,
        };
        Ok((served.process.cpu()?, database))
    }

    /// Collects statistics.
    fn analyze(&self, world: &World) -> Outcome<()> {
        let Some(postgres) = self.postgres else {
            let python = program("python3").ok_or_else(|| Failure::new("Python is missing"))?;
            let script = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('ANALYZE')";
            let mut analyze = Command::new(python);
            analyze
                .args(["-c", script])
                .arg(world.path("data").join("playout.db"));
            return said(&mut analyze).doing("collecting statistics").map(drop);
        };
        postgres.execute("VACUUM ANALYZE")
    }
}

/// The page of the `size` posts that follow one another from a day on; another day with each number.
fn page(number: usize, size: usize) -> String {
    let size = i64::try_from(size).unwrap_or(0);
    let from = FIRST_AT + i64::try_from(number).unwrap_or(0) * 7 % 60 * 86_400_000_000;
    let to = from + size * STEP_SECONDS * 1_000_000;
    let (from, to) = (timestamp::written(from), timestamp::written(to));
    format!("/public/v1/posts?startDate={from}&endDate={to}")
}
