//! What a request costs the server: CPU time, user and system, of its whole process.

use serde_json::{Value, json};

use super::http::{Connection, Request};
use super::load::{self, CONNECTIONS, Load};
use super::row::{Limit, Row};
use super::startup::millis;
use super::world::{NOBODY, Seeded, Served, World, silent_accounts};
use super::{post, timestamp};
use crate::failure::{Doing, Failure, Outcome};
use crate::machine::now;

/// Connected accounts.
const ACCOUNTS: usize = 5;
/// The list of platforms.
pub const PLATFORMS_PATH: &str = "/public/v1/platforms";
/// Posts in the database.
const POSTS: i64 = 100_000;
/// One post a minute, so that every range has its share.
pub const STEP_SECONDS: i64 = 60;
/// The planned time of the first one: 2026-01-01.
pub const FIRST_AT: i64 = 1_767_225_600_000_000;
/// Posts on a page of a list.
pub const PAGE: usize = 20;
/// A list asks for the posts of one day.
const RANGE_MICROS: i64 = 86_400_000_000;
/// Requests before measuring begins.
const WARM_UP: usize = 500;

/// One kind of request and what it may cost.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// What a row calls it.
    pub what: &'static str,
    /// The most CPU time, in milliseconds.
    pub limit_ms: f64,
    /// How many are sent.
    pub count: usize,
    /// What each is answered.
    pub status: u16,
}

const PLATFORMS: Kind = Kind {
    what: "CPU per GET /platforms",
    limit_ms: 0.10,
    count: 20_000,
    status: 200,
};
const LIST: Kind = Kind {
    what: "CPU per list of 20 posts among 100,000",
    limit_ms: 0.30,
    count: 10_000,
    status: 200,
};
const DRAFT: Kind = Kind {
    what: "CPU per draft created",
    limit_ms: 0.50,
    count: 5_000,
    status: 201,
};

/// CPU time per request: the list of platforms, a list of posts, a new draft.
///
/// # Errors
/// When the server does not start or an answer is not the one expected.
pub fn requests(world: &World) -> Outcome<Vec<Row>> {
    let seeded = world.seed(&database())?;
    let served = world.serve(NOBODY)?;
    expect_full_lists(&served, &seeded)?;
    let ask_draft = |number| ("POST", "/public/v1/posts".to_owned(), draft(&seeded, number));
    Ok(vec![
        measure(&served, &seeded, &PLATFORMS, |_| {
            ("GET", PLATFORMS_PATH.to_owned(), String::new())
        })?,
        measure(&served, &seeded, &LIST, |number| {
            ("GET", page(number, PAGE), String::new())
        })?,
        measure(&served, &seeded, &DRAFT, ask_draft)?,
    ])
}

/// The body of a request for a draft.
pub fn draft(seeded: &Seeded, number: usize) -> String {
    planned(seeded, number, None)
}

/// The body of a request for a post at a time, or for a draft.
pub fn planned(seeded: &Seeded, number: usize, at: Option<i64>) -> String {
    let platform = &seeded.platforms[number % seeded.platforms.len()];
    let content =
        format!("Draft {number}: a caption of ordinary length, with a few words and two #tags #more");
    post::body(&content, platform, &seeded.media[0], at)
}

/// 100,000 posts on some accounts, as `bench-seed` takes them.
pub fn database() -> Value {
    json!({
        "accounts": silent_accounts(ACCOUNTS),
        "files": [World::demo_asset("photo-1.jpg")],
        "posts": {
            "count": POSTS,
            "firstAt": timestamp::written(FIRST_AT),
            "stepSeconds": STEP_SECONDS,
            "mediaPerPost": 1,
        },
    })
}

/// A page of `limit` of one day's posts; another day with each number.
pub fn page(number: usize, limit: usize) -> String {
    let days = POSTS * STEP_SECONDS * 1_000_000 / RANGE_MICROS;
    let day = i64::try_from(number).unwrap_or(0) * 7 % days;
    let from = FIRST_AT + day * RANGE_MICROS;
    let (from, to) = (timestamp::written(from), timestamp::written(from + RANGE_MICROS));
    format!("/public/v1/posts?startDate={from}&endDate={to}&limit={limit}")
}

/// A list that answers nothing would be cheap; makes sure that both lists are full.
///
/// # Errors
/// When they are not.
pub fn expect_full_lists(served: &Served, seeded: &Seeded) -> Outcome<()> {
    let mut connection = Connection::open(served.address, &seeded.key)?;
    let page = page(3, PAGE);
    for (path, list, expected) in [
        (PLATFORMS_PATH, "platforms", ACCOUNTS),
        (page.as_str(), "posts", PAGE),
    ] {
        let answer = connection
            .send(Request {
                method: "GET",
                path,
                json: "",
            })?
            .json(200)?;
        let found = answer[list].as_array().map_or(0, Vec::len);
        if found != expected {
            return Err(Failure::new(format!(
                "{path}: {found} {list} instead of {expected}"
            )));
        }
    }
    Ok(())
}

/// The CPU time that one of `kind` costs, number *i* being `ask(i)`.
///
/// # Errors
/// When an answer is not the one expected.
pub fn measure(
    served: &Served,
    seeded: &Seeded,
    kind: &Kind,
    ask: impl Fn(usize) -> load::Asked + Sync,
) -> Outcome<Row> {
    let load = Load {
        address: served.address,
        key: &seeded.key,
        count: WARM_UP.min(kind.count),
        status: kind.status,
    };
    load::send(load, &ask).doing(kind.what)?;
    let (before, began) = (served.process.cpu()?, now());
    load::send(
        Load {
            count: kind.count,
            ..load
        },
        &ask,
    )
    .doing(kind.what)?;
    let (cpu, elapsed) = (served.process.cpu()? - before, began.elapsed());
    #[expect(clippy::cast_precision_loss, reason = "a figure to read")]
    let count = kind.count as f64;
    let remark = format!(
        "{count} over {CONNECTIONS} connections, {:.0} a second",
        count / elapsed.as_secs_f64()
    );
    Ok(Row::new(kind.what, millis(cpu) / count, Limit::AtMost(kind.limit_ms), "ms").remark(remark))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_lies_among_the_posts() {
        let last = FIRST_AT + POSTS * STEP_SECONDS * 1_000_000;
        for number in 0..1000 {
            let path = page(number, PAGE);
            let end = path.split("endDate=").nth(1).unwrap().split('&').next().unwrap();
            assert!(timestamp::read(end).unwrap() <= last, "{path}");
        }
    }
}
