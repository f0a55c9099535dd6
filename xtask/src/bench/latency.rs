//! How long requests take while the engine publishes beside them: percentiles of each operation over few and over many connections.
//! Clients, service, database and simulator share the machine.

mod operations;

use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::database::{BOTH, Kind, On};
use super::due::run::{Batches, SECOND_MICROS, seed};
use super::http::{Answer, Connection};
use super::publish::{exact, lag, wait};
use super::requests::FIRST_AT;
use super::row::Row;
use super::simulator::Simulator;
use super::startup::millis;
use super::table::{Table, figure};
use super::timestamp;
use super::witness;
use super::world::{Seeded, Served, World};
use crate::failure::{Doing, Failure, Outcome};
use crate::machine::{epoch_micros, now};
use operations::{Operation, Operations};

/// Connections at the same time.
const CONNECTIONS: [usize; 3] = [1, 16, 64];
/// How long each operation is measured at each number of connections, and with `--short`.
const WINDOW: Duration = Duration::from_secs(5);
const SHORT_WINDOW: Duration = Duration::from_millis(500);
/// Posts of the workspace that is asked, and with `--short`.
const POSTS: i64 = 100_000;
const FEW_POSTS: i64 = 5_000;
/// Posts of another workspace that come due in each second, and their accounts.
const STREAM: usize = 10;
const ACCOUNTS: usize = 20;
/// The stream lasts so many times as long as the requests should take.
const SLACK: u32 = 4;
/// And so long at least: on a busy machine a window lasts until the last answer has come.
const LEAST_SECONDS: u64 = 300;
/// Fewer answers have no 99.9th percentile.
const ENOUGH: usize = 1_000;
/// A client whose request was rejected because there are too many waits so long.
const PAUSE: Duration = Duration::from_millis(100);

/// Percentiles on each database, as tables, and whether every post that came due meanwhile was published once.
///
/// # Errors
/// When something does not start, an answer is not the one expected, or the stream of due posts ends too soon.
pub fn latency(world: &World) -> Outcome<Vec<Row>> {
    let both = BOTH.into_iter().map(|database| measured(world, database));
    both.collect()
}

fn measured(world: &World, database: Kind) -> Outcome<Row> {
    let on = database.world(world, "latency")?;
    let mut simulator = Simulator::start(&on.world)?;
    let mut accounts = (0..2 * ACCOUNTS).map(|number| simulator.account(number));
    let asked: Vec<Value> = accounts.by_ref().take(ACCOUNTS).collect::<Outcome<_>>()?;
    let published: Vec<Value> = accounts.collect::<Outcome<_>>()?;
    let seeded = on.world.seed(&some_posts(&asked, world.is_short()))?;
    let stream = Stream::seed(&on, &published, window(world))?;
    let served = on.world.serve(&simulator.url())?;
    thread::sleep(Duration::from_micros(
        u64::try_from(stream.first_at - epoch_micros()).unwrap_or(0),
    ));
    let table = tables(&served, &seeded, window(world))?;
    println!("\n{}, milliseconds\n\n{table}", database.name());
    let seen = stream.seen(&mut simulator)?;
    served.process.stop()?;
    Ok(seen.of(database.name()))
}

fn window(world: &World) -> Duration {
    if world.is_short() { SHORT_WINDOW } else { WINDOW }
}

/// Drafts of one workspace, a minute apart, as `bench-seed` takes them.
fn some_posts(accounts: &[Value], is_short: bool) -> Value {
    json!({
        "accounts": accounts,
        "files": [World::demo_asset("photo-1.jpg")],
        "posts": {
            "count": if is_short { FEW_POSTS } else { POSTS },
            "firstAt": timestamp::written(FIRST_AT),
            "stepSeconds": 60,
            "mediaPerPost": 1,
        },
    })
}

/// Posts that come due one after the other while the requests are measured.
#[derive(Debug, Clone, Copy)]
struct Stream {
    first_at: i64,
    batches: Batches,
}

impl Stream {
    /// Writes them: long enough for all windows, and for what is slower than expected.
    fn seed(on: &On, accounts: &[Value], window: Duration) -> Outcome<Self> {
        let windows = u32::try_from(CONNECTIONS.len() * operations::COUNT).unwrap_or(u32::MAX);
        let seconds = (window * windows * SLACK).as_secs().max(LEAST_SECONDS);
        let batches = Batches {
            batch: STREAM,
            count: STREAM * usize::try_from(seconds).unwrap_or(usize::MAX),
            accounts: accounts.len(),
            asset: "clip.mp4",
        };
        let first_at = (epoch_micros() + batches.lead_micros()) / SECOND_MICROS * SECOND_MICROS;
        seed(&on.world, accounts, batches, (first_at, 1))?;
        Ok(Self { first_at, batches })
    }

    /// How punctual those were that came due until now.
    fn seen(self, simulator: &mut Simulator) -> Outcome<Row> {
        let ended = epoch_micros();
        let all = self.batches.due(self.first_at);
        if all.last().is_none_or(|last| *last < ended) {
            return Err(Failure::new(
                "the stream of due posts ended before the requests did",
            ));
        }
        let due: Vec<i64> = all.into_iter().filter(|due| *due <= ended).collect();
        wait(simulator, &due)?;
        let seen = witness::seen(&due, &simulator.journal()?, &simulator.publications()?)?;
        let remark = format!(
            "{} published, start lag p50 {:.0} ms, p99 {:.0} ms, longest {:.0} ms",
            due.len(),
            lag(&seen, 500),
            lag(&seen, 990),
            lag(&seen, 1000)
        );
        Ok(exact(
            "posts missing or twice beside the requests",
            seen.missing + seen.twice,
        )
        .remark(remark))
    }
}

fn tables(served: &Served, seeded: &Seeded, window: Duration) -> Outcome<Table> {
    let operations = Operations::of(served, seeded)?;
    let head = [
        "operation",
        "connections",
        "p50",
        "p99",
        "p99.9",
        "longest",
        "a second",
        "rejected",
    ];
    let mut table = Table::new(head.map(str::to_owned).to_vec());
    for operation in operations.all() {
        for connections in CONNECTIONS {
            let load = Load {
                served,
                key: &seeded.key,
                connections,
            };
            load.send(&operation, window / 10).doing(operation.what)?;
            let sent = load.send(&operation, window).doing(operation.what)?;
            table.push(sent.row(operation.what, connections));
        }
    }
    Ok(table)
}

/// Clients that send one request after the other.
#[derive(Debug, Clone, Copy)]
struct Load<'a> {
    served: &'a Served,
    key: &'a str,
    connections: usize,
}

/// What came of it.
#[derive(Debug, Default)]
struct Sent {
    /// How long each answer took, ascending.
    taken: Vec<Duration>,
    /// Requests that were rejected because there were too many.
    rejected: usize,
    /// From the first request to the last answer.
    lasted: Duration,
}

impl Load<'_> {
    /// Sends for as long as `window`.
    fn send(&self, operation: &Operation<'_>, window: Duration) -> Outcome<Sent> {
        let began = now();
        let one = &|client: usize| -> Outcome<Sent> {
            let mut connection = Connection::open(self.served.address, self.key)?;
            let (mut sent, mut number) = (Sent::default(), client);
            while began.elapsed() < window {
                let asked = now();
                let answer = (operation.ask)(&mut connection, number)?;
                sent.count(&answer, operation.status, asked.elapsed())?;
                number += self.connections;
            }
            Ok(sent)
        };
        thread::scope(|scope| {
            let clients: Vec<_> = (0..self.connections)
                .map(|client| scope.spawn(move || one(client)))
                .collect();
            let mut all = Sent::default();
            for client in clients {
                let sent = client
                    .join()
                    .map_err(|_| Failure::new("a client's thread panicked"))??;
                all.taken.extend(sent.taken);
                all.rejected += sent.rejected;
            }
            all.lasted = began.elapsed();
            all.taken.sort_unstable();
            Ok(all)
        })
    }
}

impl Sent {
    fn count(&mut self, answer: &Answer, status: u16, taken: Duration) -> Outcome<()> {
        match answer.status {
            found if found == status => self.taken.push(taken),
            429 | 503 => {
                self.rejected += 1;
                thread::sleep(PAUSE);
            }
            found => return Err(Failure::new(format!("{found} {}", answer.text()))),
        }
        Ok(())
    }

    fn row(&self, what: &str, connections: usize) -> Vec<String> {
        #[expect(clippy::cast_precision_loss, reason = "a figure to read")]
        let rate = self.taken.len() as f64 / self.lasted.as_secs_f64();
        let longest = self.taken.last().map_or(f64::NAN, |taken| millis(*taken));
        vec![
            what.to_owned(),
            connections.to_string(),
            figure(self.percentile(500)),
            figure(self.percentile(990)),
            figure(if self.taken.len() < ENOUGH {
                f64::NAN
            } else {
                self.percentile(999)
            }),
            figure(longest),
            figure(rate),
            self.rejected.to_string(),
        ]
    }

    /// The time in milliseconds that `permille` of the answers do not exceed; not a number when there are none.
    fn percentile(&self, permille: usize) -> f64 {
        let rank = (self.taken.len() * permille).div_ceil(1000).saturating_sub(1);
        self.taken.get(rank).map_or(f64::NAN, |taken| millis(*taken))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(count: u64) -> Sent {
        Sent {
            taken: (1..=count).map(Duration::from_millis).collect(),
            rejected: 3,
            lasted: Duration::from_secs(5),
        }
    }

    #[test]
    fn a_row_has_the_percentiles_and_the_longest() {
        let row = sent(2000).row("list", 16);
        assert_eq!(row, ["list", "16", "1000", "1980", "1998", "2000", "400", "3"]);
    }

    #[test]
    fn few_answers_have_no_extreme_percentile() {
        let row = sent(999).row("list", 1);
        assert_eq!(row[3..6], ["990", "–", "999"]);
        let none = Sent::default().row("list", 1);
        assert_eq!(none[2..6], ["–", "–", "–", "–"]);
    }

    #[test]
    fn only_too_many_requests_may_be_rejected() {
        let answer = |status| Answer {
            status,
            location: None,
            body: Vec::new(),
        };
        let mut sent = Sent::default();
        sent.count(&answer(201), 201, PAUSE).unwrap();
        sent.count(&answer(429), 201, PAUSE).unwrap();
        assert_eq!((sent.taken.len(), sent.rejected), (1, 1));
        assert!(sent.count(&answer(500), 201, PAUSE).is_err());
    }
}
