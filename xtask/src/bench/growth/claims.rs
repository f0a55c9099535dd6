//! What a post costs that comes due while all others are planned for later: from its time until it is published.

use std::thread;
use std::time::Duration;

use super::cost::Cost;
use super::operations::Year;
use crate::bench::load::{self, Load};
use crate::bench::post;
use crate::bench::publish::{exact, lag, wait};
use crate::bench::row::Row;
use crate::bench::simulator::Simulator;
use crate::bench::startup::millis;
use crate::bench::witness::{self, marker};
use crate::failure::{Doing, Failure, Outcome};
use crate::machine::epoch_micros;

const SECOND_MICROS: i64 = 1_000_000;
/// Posts due in each second.
const BATCH: usize = 5;
/// For so many seconds, and with `--short`.
const SECONDS: usize = 30;
const FEW_SECONDS: usize = 3;
/// From now until the first is due: long enough to create them all.
const LEAD_SECONDS: i64 = 10;

/// Creates some posts that come due soon, and waits until they are published: what each cost, and how many were not published once.
///
/// # Errors
/// When they are not created in time.
pub(super) fn claimed(year: &Year<'_>, simulator: &mut Simulator, is_short: bool) -> Outcome<(Cost, Row)> {
    let seconds = if is_short { FEW_SECONDS } else { SECONDS };
    let first_at = (epoch_micros() / SECOND_MICROS + LEAD_SECONDS) * SECOND_MICROS;
    let due: Vec<i64> = (0..seconds * BATCH)
        .map(|number| first_at + i64::try_from(number / BATCH).unwrap_or(0) * SECOND_MICROS)
        .collect();
    create(year, &due)?;
    let left = u64::try_from(first_at - epoch_micros() - SECOND_MICROS / 2);
    let left = left.map_err(|_| Failure::new("the posts were due before all were created"))?;
    thread::sleep(Duration::from_micros(left));
    let before = year.on.cpu(year.served)?;
    wait(simulator, &due)?;
    let spent = year.on.cpu(year.served)?.saturating_sub(before);
    let seen = witness::seen(&due, &simulator.journal()?, &simulator.publications()?)?;
    #[expect(clippy::cast_precision_loss, reason = "a figure to read")]
    let count = due.len() as f64;
    let cost = Cost {
        cpu: millis(spent) / count,
        wall: lag(&seen, 500),
    };
    let remark = format!("{} due, start lag p99 {:.0} ms", due.len(), lag(&seen, 990));
    let lost = exact("missing or twice", seen.missing + seen.twice).remark(remark);
    Ok((cost, lost))
}

fn create(year: &Year<'_>, due: &[i64]) -> Outcome<()> {
    let seeded = year.seeded;
    let load = Load {
        address: year.served.address,
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
