//! What the requests of the public API cost on each database, and how long they take when many come at once.

use super::http::{Connection, Request};
use super::load::{self, Asked, Load};
use super::requests::{
    Kind, PAGE, PLATFORMS_PATH, database, draft, expect_full_lists, measure, page, planned,
};
use super::row::{Limit, Row};
use super::startup::millis;
use super::world::{NOBODY, Seeded, Served, World, text};
use crate::failure::{Doing, Failure, Outcome};
use crate::install::postgres_programs;
use crate::machine::{epoch_micros, now};
use crate::postgres::Postgres;

/// The most posts on one page.
const LONG_PAGE: usize = 1000;
/// Clients that ask at the same time.
const CLIENTS: usize = 64;
/// How many lists they ask for.
const ASKED: usize = 20_000;
/// Posts are planned from so long after now on, each a second after the one before: none is due while we measure.
const LEAD_MICROS: i64 = 30 * 86_400_000_000;
const SECOND_MICROS: i64 = 1_000_000;

/// A database to measure on, and what an ordinary request may cost there.
struct On {
    name: &'static str,
    limit_ms: f64,
}

const SQLITE: On = On {
    name: "SQLite",
    limit_ms: 0.5,
};
const POSTGRESQL: On = On {
    name: "PostgreSQL",
    limit_ms: 0.6,
};

/// CPU time of the server per request on SQLite and on PostgreSQL; the slowest of a hundred answers under load. PostgreSQL's own
/// time is not counted.
///
/// # Errors
/// When a server does not start or an answer is not the one expected.
pub fn api(world: &World) -> Outcome<Vec<Row>> {
    let mut rows = measured(&world.part("sqlite")?, &SQLITE)?;
    let programs = postgres_programs().ok_or_else(|| Failure::new("PostgreSQL is missing"))?;
    let postgres = Postgres::start(&programs)?;
    rows.extend(measured(
        &world.part("postgresql")?.on(postgres.url()),
        &POSTGRESQL,
    )?);
    Ok(rows)
}

fn measured(world: &World, on: &On) -> Outcome<Vec<Row>> {
    let seeded = world.seed(&database())?;
    let served = world.serve(NOBODY)?;
    expect_full_lists(&served, &seeded)?;
    let posts = some_posts(&served, &seeded)?;
    let begun = epoch_micros() + LEAD_MICROS;
    let at = |number: usize| begun + i64::try_from(number).unwrap_or(0) * SECOND_MICROS;
    let get = |path: String| ("GET", path, String::new());
    let post = |body: String| ("POST", "/public/v1/posts".to_owned(), body);
    let cost = |kind: Kind, ask: &(dyn Fn(usize) -> Asked + Sync)| {
        Ok(measure(&served, &seeded, &kind, ask)?.of(on.name))
    };
    Ok(vec![
        cost(on.kind("CPU per GET /platforms", 10_000, 200), &|_| {
            get(PLATFORMS_PATH.to_owned())
        })?,
        cost(on.kind("CPU per list of 20 posts", 10_000, 200), &|number| {
            get(page(number, PAGE))
        })?,
        cost(on.kind("CPU per post read", 10_000, 200), &|number| {
            get(posts[number % posts.len()].clone())
        })?,
        cost(on.kind("CPU per draft created", 5_000, 201), &|number| {
            post(draft(&seeded, number))
        })?,
        cost(on.kind("CPU per scheduled post created", 5_000, 201), &|number| {
            post(planned(&seeded, number, Some(at(number))))
        })?,
        cost(long_list(), &|number| get(page(number, LONG_PAGE)))?,
        latency(&served, &seeded)?.of(on.name),
    ])
}

impl On {
    fn kind(&self, what: &'static str, count: usize, status: u16) -> Kind {
        Kind {
            what,
            limit_ms: self.limit_ms,
            count,
            status,
        }
    }
}

fn long_list() -> Kind {
    Kind {
        what: "CPU per list of 1,000 posts",
        limit_ms: 8.0,
        count: 500,
        status: 200,
    }
}

/// The paths of a thousand posts.
fn some_posts(served: &Served, seeded: &Seeded) -> Outcome<Vec<String>> {
    let path = page(3, LONG_PAGE);
    let mut connection = Connection::open(served.address, &seeded.key)?;
    let request = Request {
        method: "GET",
        path: &path,
        json: "",
    };
    let answer = connection.send(request)?.json(200)?;
    let posts = answer["posts"].as_array().map_or(&[][..], Vec::as_slice);
    if posts.len() != LONG_PAGE {
        return Err(Failure::new(format!(
            "{path}: {} posts instead of {LONG_PAGE}",
            posts.len()
        )));
    }
    let paths = posts.iter().map(|post| text(&post["id"]));
    paths
        .map(|id| id.map(|id| format!("/public/v1/posts/{id}")))
        .collect()
}

/// How long the slowest hundredth of lists takes with many clients, who share the machine with the server.
fn latency(served: &Served, seeded: &Seeded) -> Outcome<Row> {
    let what = format!("list of {PAGE} posts, 99th percentile");
    let load = Load {
        address: served.address,
        key: &seeded.key,
        count: ASKED,
        status: 200,
    };
    let began = now();
    let taken =
        load::send_over(CLIENTS, load, |number| ("GET", page(number, PAGE), String::new())).doing(&what)?;
    let seconds = began.elapsed().as_secs_f64();
    #[expect(clippy::cast_precision_loss, reason = "a figure to read")]
    let rate = ASKED as f64 / seconds;
    let figure = |percent: usize| millis(taken[taken.len() * percent / 100]);
    Ok(
        Row::new(what, figure(99), Limit::AtMost(50.0), "ms").remark(format!(
            "{CLIENTS} connections, {rate:.0} a second, median {:.1} ms",
            figure(50)
        )),
    )
}
