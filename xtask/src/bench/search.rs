//! How long a search takes among a million posts of one workspace, and how long others wait beside many searches.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::http::{Connection, Request};
use super::row::{Limit, Row};
use super::startup::millis;
use super::timestamp;
use super::world::{NOBODY, Seeded, Served, World, silent_accounts};
use crate::failure::{Failure, Outcome};
use crate::install::postgres_programs;
use crate::machine::now;
use crate::postgres::Postgres;

const POSTS: u64 = 1_000_000;
/// With `--short`.
const FEW_POSTS: u64 = 50_000;
/// The planned time of the first one: 2026-01-01.
const FIRST_AT: i64 = 1_767_225_600_000_000;
/// A text that no post has, and one that is too short for an index.
const NOWHERE: &str = "/public/v1/posts?q=zeppelin";
const SHORT: &str = "/public/v1/posts?q=zz";
/// A word of every post.
const EVERYWHERE: &str = "/public/v1/posts?q=seeded&limit=20";
/// Requests of each kind.
const COUNT: usize = 100;
/// Searches at the same time.
const SEARCHES: usize = 16;
/// Requests beside them, and the pause between two.
const BESIDE: usize = 500;
const PAUSE: Duration = Duration::from_millis(10);

/// Searches on SQLite and on PostgreSQL.
///
/// # Errors
/// When a server does not start or an answer is not the one expected.
pub fn search(world: &World) -> Outcome<Vec<Row>> {
    let mut rows = measured(&world.part("sqlite")?, "SQLite")?;
    let programs = postgres_programs().ok_or_else(|| Failure::new("PostgreSQL is missing"))?;
    let postgres = Postgres::start(&programs)?;
    rows.extend(measured(
        &world.part("postgresql")?.on(postgres.url()),
        "PostgreSQL",
    )?);
    Ok(rows)
}

fn measured(world: &World, name: &str) -> Outcome<Vec<Row>> {
    let posts = if world.is_short() { FEW_POSTS } else { POSTS };
    let seeded = world.seed(&database(posts))?;
    let served = world.serve(NOBODY)?;
    let rows = vec![
        alone(
            &served,
            &seeded,
            NOWHERE,
            "search without hits",
            Limit::AtMost(20.0),
        )?,
        alone(
            &served,
            &seeded,
            EVERYWHERE,
            "search of a word of every post",
            Limit::AtMost(20.0),
        )?,
        alone(
            &served,
            &seeded,
            SHORT,
            "search of two letters without hits",
            Limit::None,
        )?,
        beside(
            &served,
            &seeded,
            NOWHERE,
            "/healthz beside 16 of them, 99th percentile",
        )?,
        beside(
            &served,
            &seeded,
            SHORT,
            "/healthz beside 16 of two letters, 99th percentile",
        )?,
    ];
    let named = |row: Row| row.remark(format!("among {posts} posts")).of(name);
    Ok(rows.into_iter().map(named).collect())
}

fn database(posts: u64) -> Value {
    json!({
        "accounts": silent_accounts(1),
        "files": [],
        "posts": {
            "count": posts,
            "firstAt": timestamp::written(FIRST_AT),
            "stepSeconds": 30,
            "mediaPerPost": 0,
        },
    })
}

/// The median of one search after the other.
fn alone(served: &Served, seeded: &Seeded, path: &str, what: &str, limit: Limit) -> Outcome<Row> {
    let mut connection = Connection::open(served.address, &seeded.key)?;
    let count = if path == SHORT { COUNT / 10 } else { COUNT };
    let mut taken = Vec::with_capacity(count);
    for _ in 0..count {
        let began = now();
        let answer = connection.send(get(path))?.json(200)?;
        taken.push(began.elapsed());
        let found = answer["posts"].as_array().map_or(0, Vec::len);
        if (found == 0) == (path == EVERYWHERE) {
            return Err(Failure::new(format!("{path}: {found} posts")));
        }
    }
    taken.sort_unstable();
    Ok(Row::new(what, millis(taken[taken.len() / 2]), limit, "ms"))
}

/// The slowest of a hundred `/healthz` while searches run without a pause. Those that are too many are rejected, and sent again a
/// moment later.
fn beside(served: &Served, seeded: &Seeded, path: &str, what: &str) -> Outcome<Row> {
    let is_over = AtomicBool::new(false);
    let search = || -> Outcome<()> {
        let mut connection = Connection::open(served.address, &seeded.key)?;
        while !is_over.load(Ordering::Acquire) {
            match connection.send(get(path))?.status {
                200 => {}
                429 => thread::sleep(PAUSE * 10),
                status => return Err(Failure::new(format!("{path}: {status}"))),
            }
        }
        Ok(())
    };
    let taken = thread::scope(|scope| {
        let searching: Vec<_> = (0..SEARCHES).map(|_| scope.spawn(search)).collect();
        let taken = signs_of_life(served, seeded);
        is_over.store(true, Ordering::Release);
        for thread in searching {
            thread
                .join()
                .map_err(|_| Failure::new("a search's thread panicked"))??;
        }
        taken
    });
    let taken = taken?;
    Ok(Row::new(
        what,
        millis(taken[taken.len() * 99 / 100]),
        Limit::AtMost(20.0),
        "ms",
    ))
}

/// How long `/healthz` takes, ascending.
fn signs_of_life(served: &Served, seeded: &Seeded) -> Outcome<Vec<Duration>> {
    let mut connection = Connection::open(served.address, &seeded.key)?;
    let mut taken = Vec::with_capacity(BESIDE);
    for _ in 0..BESIDE {
        let began = now();
        connection.send(get("/healthz"))?.json(200)?;
        taken.push(began.elapsed());
        thread::sleep(PAUSE);
    }
    taken.sort_unstable();
    Ok(taken)
}

fn get(path: &str) -> Request<'_> {
    Request {
        method: "GET",
        path,
        json: "",
    }
}
