//! The requests whose cost is measured at each size.

use super::cost::{Cost, Costs};
use crate::bench::database::On;
use crate::bench::http::{Connection, Request};
use crate::bench::load::{self, Asked, Load};
use crate::bench::requests::{draft, planned};
use crate::bench::startup::millis;
use crate::bench::timestamp;
use crate::bench::world::{Seeded, Served};
use crate::failure::{Doing, Failure, Outcome};

pub(super) const DAY_MICROS: i64 = 86_400_000_000;
/// Posts on a page.
const PAGE: usize = 100;
/// Months that the year is read in.
const MONTHS: i64 = 12;
/// A state that no post has.
const NO_STATE: &str = "/public/v1/posts?state=ERROR";
/// A text that no post has, one that a single post has, and one that all have.
const NOWHERE: &str = "/public/v1/posts?q=zeppelin";
const ONCE: &str = "/public/v1/posts?q=post%20444%3A";
const EVERYWHERE: &str = "/public/v1/posts?q=seeded&limit=20";

/// A running service whose workspace has a year's posts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Year<'a> {
    pub(super) on: &'a On,
    pub(super) served: &'a Served,
    pub(super) seeded: &'a Seeded,
    /// The time of the first post.
    pub(super) first_at: i64,
}

/// A kind of request.
struct Operation<'a> {
    what: &'static str,
    count: usize,
    status: u16,
    ask: Box<dyn Fn(usize) -> Asked + Sync + 'a>,
    /// The number of posts in each answer, where it is a list.
    expected: Option<usize>,
}

impl<'a> Operation<'a> {
    fn get(what: &'static str, count: usize, path: impl Fn(usize) -> String + Sync + 'a) -> Self {
        Self {
            what,
            count,
            status: 200,
            ask: Box::new(move |number| ("GET", path(number), String::new())),
            expected: None,
        }
    }

    /// The same whose answer has so many posts.
    fn expecting(self, posts: usize) -> Self {
        Self {
            expected: Some(posts),
            ..self
        }
    }

    /// Creates a post.
    fn create(what: &'static str, body: impl Fn(usize) -> String + Sync + 'a) -> Self {
        Self {
            what,
            count: 1_000,
            status: 201,
            ask: Box::new(move |number| ("POST", "/public/v1/posts".to_owned(), body(number))),
            expected: None,
        }
    }
}

impl Year<'_> {
    /// The cost of each kind of request, one at a time.
    ///
    /// # Errors
    /// When an answer is not the one expected.
    pub(super) fn costs(&self, is_short: bool) -> Outcome<Costs> {
        let platforms = &self.seeded.platforms;
        let of_account = |number: usize| {
            let platform = &platforms[number % platforms.len()];
            format!("/public/v1/posts?platformId={platform}&limit=20")
        };
        let at = |number: usize| self.first_at + i64::try_from(number).unwrap_or(0) * 1_000_000;
        let operations = [
            Operation::get("list: a month, first 100", 500, |number| self.month(number)),
            Operation::get("list: one account, first 20", 1_000, of_account).expecting(20),
            Operation::get("list: a state that no post has", 100, |_| NO_STATE.to_owned()).expecting(0),
            Operation::get("search: no post", 1_000, |_| NOWHERE.to_owned()).expecting(0),
            Operation::get("search: one post", 1_000, |_| ONCE.to_owned()).expecting(1),
            Operation::get("search: every post, first 20", 500, |_| EVERYWHERE.to_owned()).expecting(20),
            Operation::get("usage", 2_000, |_| "/public/v1/usage".to_owned()),
            Operation::create("create: draft", |number| draft(self.seeded, number)),
            Operation::create("create: scheduled post", |number| {
                planned(self.seeded, number, Some(at(number)))
            }),
        ];
        let less = if is_short { 10 } else { 1 };
        let costs = operations.iter().map(|operation| {
            let cost = self
                .cost(operation, operation.count / less)
                .doing(operation.what)?;
            Ok((operation.what, cost))
        });
        costs.collect()
    }

    /// The path of the first page of a month, which is full unless the workspace has few posts.
    fn month(&self, number: usize) -> String {
        let month = i64::try_from(number).unwrap_or(0) % MONTHS;
        let from = self.first_at + month * 30 * DAY_MICROS;
        let (from, to) = (
            timestamp::written(from),
            timestamp::written(from + 30 * DAY_MICROS),
        );
        format!("/public/v1/posts?startDate={from}&endDate={to}&limit={PAGE}")
    }

    fn cost(&self, operation: &Operation<'_>, count: usize) -> Outcome<Cost> {
        self.expect(operation)?;
        let load = Load {
            address: self.served.address,
            key: &self.seeded.key,
            count: count / 10,
            status: operation.status,
        };
        load::send_over(1, load, &operation.ask)?;
        let before = self.on.cpu(self.served)?;
        let taken = load::send_over(1, Load { count, ..load }, &operation.ask)?;
        let spent = self.on.cpu(self.served)?.saturating_sub(before);
        #[expect(clippy::cast_precision_loss, reason = "a figure to read")]
        let count = count as f64;
        Ok(Cost {
            cpu: millis(spent) / count,
            wall: millis(taken[taken.len() / 2]),
        })
    }

    /// Makes sure that a list has as many posts as it is measured with.
    fn expect(&self, operation: &Operation<'_>) -> Outcome<()> {
        let Some(expected) = operation.expected else {
            return Ok(());
        };
        let (method, path, json) = (operation.ask)(0);
        let mut connection = Connection::open(self.served.address, &self.seeded.key)?;
        let request = Request {
            method,
            path: &path,
            json: &json,
        };
        let answer = connection.send(request)?.json(operation.status)?;
        match answer["posts"].as_array().map_or(0, Vec::len) {
            found if found == expected => Ok(()),
            found => Err(Failure::new(format!(
                "{path}: {found} posts instead of {expected}"
            ))),
        }
    }
}
