//! How punctually posts go out, seen from the provider: when its simulator received what, and how often.

use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::load::{self, Load};
use super::row::{Limit, Row};
use super::simulator::Simulator;
use super::witness::{self, Seen, marker};
use super::world::{Seeded, Served, World};
use super::{post, timestamp};
use crate::failure::{Doing, Failure, Outcome};
use crate::machine::{epoch_micros, now};

/// Accounts that posts are spread over.
const ACCOUNTS: usize = 50;
/// How long after the last due time everything must have gone out.
const PATIENCE: Duration = Duration::from_secs(900);
/// Nothing is asked of the simulator before this long after the last due time, so that asking slows nothing that is measured.
const UNDISTURBED: Duration = Duration::from_secs(11);
/// How often to ask then whether everything has. Seldom, because with thousands of posts the answer is long.
const PAUSE: Duration = Duration::from_secs(4);

/// Posts due one batch a second.
#[derive(Debug, Clone, Copy)]
struct Plan {
    batches: usize,
    batch: usize,
    /// What is posted; it decides at which endpoints the provider is called first and last.
    content: Content,
    /// From now until the first batch is due, long enough to create all posts.
    lead_seconds: i64,
}

impl Plan {
    /// When each post is due, the first batch at `first`.
    fn due(self, first: i64) -> Vec<i64> {
        let seconds = (0..self.batches).flat_map(|batch| std::iter::repeat_n(batch, self.batch));
        seconds
            .map(|second| first + i64::try_from(second).unwrap_or(0) * 1_000_000)
            .collect()
    }
}

/// What a bench posts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Content {
    /// One photo that the provider fetches.
    Photo,
    /// A short video that is sent to the provider.
    Video,
}

impl Content {
    /// The file of the demo that is posted.
    fn asset(self) -> &'static str {
        match self {
            Self::Photo => "photo-1.jpg",
            Self::Video => "clip.mp4",
        }
    }
}

/// 50 posts due each second for a minute: how late they start.
///
/// # Errors
/// When something does not start, or the posts do not all go out.
pub fn schedule(world: &World) -> Outcome<Vec<Row>> {
    let plan = Plan {
        batches: 60,
        batch: 50,
        content: Content::Photo,
        lead_seconds: 20,
    };
    let seen = run(world, plan)?;
    let remark = format!("{} posts, {} missing", seen.lags.len(), seen.missing);
    Ok(vec![
        Row::new(
            "50 posts a second: start lag, median",
            lag(&seen, 500),
            Limit::None,
            "ms",
        )
        .remark(remark),
        Row::new(
            "50 posts a second: start lag, p99",
            lag(&seen, 990),
            Limit::AtMost(100.0),
            "ms",
        ),
        Row::new(
            "50 posts a second: start lag, longest",
            lag(&seen, 1000),
            Limit::None,
            "ms",
        ),
        exact("50 posts a second: early", early(&seen)),
        exact("50 posts a second: missing or twice", seen.missing + seen.twice),
    ])
}

/// 1,000 posts due in the same second, once as photos and once as videos.
///
/// # Errors
/// As [`schedule`].
pub fn burst(world: &World) -> Outcome<Vec<Row>> {
    let mut rows = Vec::new();
    for (name, content) in [("photos", Content::Photo), ("videos", Content::Video)] {
        let world = world.part(name)?;
        let seen = run(
            &world,
            Plan {
                batches: 1,
                batch: 1000,
                content,
                lead_seconds: 15,
            },
        )?;
        let first = lag(&seen, 0) / 1000.0;
        let all = seconds(seen.last);
        rows.push(Row::new(
            format!("1,000 {name} at once: first submission"),
            first,
            Limit::AtMost(0.3),
            "s",
        ));
        rows.push(Row::new(
            format!("1,000 {name} at once: all submitted"),
            all,
            Limit::AtMost(10.0),
            "s",
        ));
        rows.push(exact(&format!("1,000 {name} at once: early"), early(&seen)));
        rows.push(exact(
            &format!("1,000 {name} at once: missing or twice"),
            seen.missing + seen.twice,
        ));
    }
    Ok(rows)
}

pub(super) fn exact(what: &str, count: usize) -> Row {
    #[expect(clippy::cast_precision_loss, reason = "a small count")]
    Row::new(what, count as f64, Limit::AtMost(0.0), "posts")
}

pub(super) fn early(seen: &Seen) -> usize {
    seen.lags.iter().filter(|lag| **lag < 0).count()
}

/// The lag in milliseconds that `permille` of the posts do not exceed; not a number when there are none.
pub(super) fn lag(seen: &Seen, permille: usize) -> f64 {
    let rank = (seen.lags.len() * permille).div_ceil(1000).saturating_sub(1);
    seen.lags
        .get(rank)
        .map_or(f64::NAN, |micros| seconds(*micros) * 1000.0)
}

#[expect(clippy::cast_precision_loss, reason = "a figure to read")]
pub(super) fn seconds(micros: i64) -> f64 {
    micros as f64 / 1e6
}

fn run(world: &World, plan: Plan) -> Outcome<Seen> {
    let mut simulator = Simulator::start(world)?;
    let accounts = (0..ACCOUNTS)
        .map(|number| simulator.account(number))
        .collect::<Outcome<Vec<Value>>>()?;
    let file = World::demo_asset(plan.content.asset());
    let posts = json!({ "count": 0, "firstAt": timestamp::written(0), "stepSeconds": 1, "mediaPerPost": 0 });
    let seeded = world.seed(&json!({ "accounts": accounts, "files": [file], "posts": posts }))?;
    let served = world.serve(&simulator.url())?;
    let due = plan.due((epoch_micros() / 1_000_000 + plan.lead_seconds) * 1_000_000);
    create(&served, &seeded, &due)?;
    if due.first().is_some_and(|first| epoch_micros() >= *first) {
        return Err(Failure::new("the posts were due before all were created"));
    }
    wait(&mut simulator, &due)?;
    let journal = simulator.journal()?;
    let published = simulator.publications()?;
    served.process.stop()?;
    witness::seen(&due, &journal, &published)
}

/// Creates a post for each due time through the API.
fn create(served: &Served, seeded: &Seeded, due: &[i64]) -> Outcome<()> {
    let load = Load {
        address: served.address,
        key: &seeded.key,
        count: due.len(),
        status: 201,
    };
    load::send(load, |number| {
        let platform = &seeded.platforms[number % seeded.platforms.len()];
        let body = post::body(&marker(number), platform, &seeded.media[0], Some(due[number]));
        ("POST", "/public/v1/posts".to_owned(), body)
    })
    .doing("creating posts")
}

/// Waits until everything has gone out, or long enough.
pub(super) fn wait(simulator: &mut Simulator, due: &[i64]) -> Outcome<()> {
    let until_due = due.last().copied().unwrap_or(0) - epoch_micros();
    thread::sleep(Duration::from_micros(u64::try_from(until_due).unwrap_or(0)) + UNDISTURBED);
    let began = now();
    while simulator.publications()?.len() < due.len() && began.elapsed() < PATIENCE {
        thread::sleep(PAUSE);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_are_due_a_second_apart() {
        let plan = Plan {
            batches: 2,
            batch: 2,
            content: Content::Photo,
            lead_seconds: 1,
        };
        assert_eq!(
            plan.due(10_000_000),
            [10_000_000, 10_000_000, 11_000_000, 11_000_000]
        );
    }

    #[test]
    fn percentiles_of_lags_are_in_milliseconds() {
        let seen = Seen {
            lags: vec![-1000, 5000, 7000, 20_000],
            ..Seen::default()
        };
        assert_eq!(
            (lag(&seen, 0), lag(&seen, 500), lag(&seen, 1000)),
            (-1.0, 5.0, 20.0)
        );
        assert_eq!(early(&seen), 1);
        assert!(lag(&Seen::default(), 500).is_nan());
    }
}
