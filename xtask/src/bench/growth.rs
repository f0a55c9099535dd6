//! What an operation costs in a workspace with few posts, with many, and with very many: a year's posts, all planned for later, so that
//! the engine holds a job for each of them.

mod claims;
mod cost;
mod operations;

use serde_json::{Value, json};

use super::database::{BOTH, Kind};
use super::row::{Limit, Row};
use super::simulator::Simulator;
use super::table::{Table, figure};
use super::timestamp;
use super::world::World;
use crate::failure::Outcome;
use crate::machine::epoch_micros;
use cost::{Cost, Costs};
use operations::{DAY_MICROS, Year};

/// Posts of the workspace.
const SIZES: [u64; 3] = [10_000, 100_000, 1_000_000];
/// With `--short`.
const FEW: [u64; 3] = [500, 1_000, 2_000];
/// Accounts that the posts go to, in turns.
const ACCOUNTS: usize = 20;
const YEAR_SECONDS: u64 = 365 * 86_400;

/// The costs at each size on each database, as a table, and how often the smallest costs the largest takes.
///
/// # Errors
/// When something does not start, or an answer is not the one expected.
pub fn growth(world: &World) -> Outcome<Vec<Row>> {
    let sizes = if world.is_short() { FEW } else { SIZES };
    let mut rows = Vec::new();
    for database in BOTH {
        let mut at_sizes = Vec::new();
        for size in sizes {
            eprintln!("{}: {size} posts", database.name());
            let (costs, lost) = measured(world, database, size)?;
            for (what, Cost { cpu, wall }) in &costs {
                eprintln!("  {what}: CPU {} ms, wall {} ms", figure(*cpu), figure(*wall));
            }
            at_sizes.push(costs);
            rows.push(lost);
        }
        println!(
            "\n{}, milliseconds\n\n{}",
            database.name(),
            table(sizes, &at_sizes)
        );
        rows.extend(ratios(&at_sizes).map(|(what, cost)| {
            let ratio = Row::new(what, cost.cpu, Limit::None, "times").of(database.name());
            ratio.remark(format!("CPU, the largest to the smallest; wall {:.2}", cost.wall))
        }));
    }
    Ok(rows)
}

fn measured(world: &World, database: Kind, size: u64) -> Outcome<(Costs, Row)> {
    let on = database.world(world, &size.to_string())?;
    let mut simulator = Simulator::start(&on.world)?;
    let accounts = (0..ACCOUNTS).map(|number| simulator.account(number));
    let accounts = accounts.collect::<Outcome<Vec<Value>>>()?;
    let first_at = epoch_micros() + 2 * DAY_MICROS;
    let seeded = on.world.seed(&a_year(&accounts, size, first_at))?;
    let served = on.world.serve(&simulator.url())?;
    let year = Year {
        on: &on,
        served: &served,
        seeded: &seeded,
        first_at,
    };
    let mut costs = year.costs(world.is_short())?;
    let (claim, lost) = claims::claimed(&year, &mut simulator, world.is_short())?;
    costs.push(("due post, until it is published", claim));
    served.process.stop()?;
    let lost = lost.of(&format!("{}, {size} posts", database.name()));
    Ok((costs, lost))
}

/// Posts over a year, as `bench-seed` takes them.
fn a_year(accounts: &[Value], size: u64, first_at: i64) -> Value {
    json!({
        "accounts": accounts,
        "files": [World::demo_asset("photo-1.jpg")],
        "posts": {
            "count": size,
            "firstAt": timestamp::written(first_at),
            "stepSeconds": YEAR_SECONDS / size,
            "mediaPerPost": 1,
            "queued": true,
        },
    })
}

/// Each operation with the cost at the largest size as a multiple of that at the smallest.
fn ratios(at_sizes: &[Costs]) -> impl Iterator<Item = (&'static str, Cost)> {
    let ends = at_sizes.first().zip(at_sizes.last());
    ends.into_iter().flat_map(|(small, large)| {
        small.iter().zip(large).map(|((what, small), (_, large))| {
            let ratio = Cost {
                cpu: large.cpu / small.cpu,
                wall: large.wall / small.wall,
            };
            (*what, ratio)
        })
    })
}

fn table(sizes: [u64; 3], at_sizes: &[Costs]) -> Table {
    let mut head = vec!["operation".to_owned()];
    for what in ["CPU", "wall"] {
        head.extend(sizes.map(|size| format!("{what}, {size}")));
        head.push("ratio".to_owned());
    }
    let mut table = Table::new(head);
    for (place, (what, ratio)) in ratios(at_sizes).enumerate() {
        let costs: Vec<Cost> = at_sizes.iter().map(|costs| costs[place].1).collect();
        let mut row = vec![what.to_owned()];
        row.extend(costs.iter().map(|cost| figure(cost.cpu)));
        row.push(figure(ratio.cpu));
        row.extend(costs.iter().map(|cost| figure(cost.wall)));
        row.push(figure(ratio.wall));
        table.push(row);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(cpu: f64, wall: f64) -> Cost {
        Cost { cpu, wall }
    }

    #[test]
    fn a_row_has_every_size_and_the_ratio_of_the_largest_to_the_smallest() {
        let at_sizes =
            [(0.5, 1.0), (0.6, 2.0), (1.0, 4.0)].map(|(cpu, wall)| vec![("list", cost(cpu, wall))]);
        let table = table([1, 2, 3], &at_sizes).to_string();
        let last = table.lines().last().unwrap();
        assert_eq!(last, "| list | 0.50 | 0.60 | 1.0 | 2.0 | 1.0 | 2.0 | 4.0 | 4.0 |");
        let ratios: Vec<_> = ratios(&at_sizes).collect();
        assert_eq!(ratios, [("list", cost(2.0, 4.0))]);
    }

    #[test]
    fn the_posts_of_every_size_take_a_year() {
        for size in SIZES {
            let request = a_year(&[], size, 0);
            let seconds = request["posts"]["stepSeconds"].as_u64().unwrap() * size;
            assert!(
                seconds > YEAR_SECONDS - YEAR_SECONDS / 20 && seconds <= YEAR_SECONDS,
                "{size}"
            );
        }
    }
}
