//! A thousand hostile connections from one address, with few descriptors: their effect on other clients, and on the engine.

pub mod clients;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::process::Command;
use std::thread;
use std::time::Duration;

use serde_json::Value;

use super::due::run::{Batches, SECOND_MICROS, seed};
use super::process::Process;
use super::publish::{exact, lag, wait};
use super::row::{Limit, Row};
use super::simulator::Simulator;
use super::startup::millis;
use super::witness;
use super::world::World;
use crate::failure::{Doing, Failure, Outcome};
use crate::machine::{epoch_micros, now};
use clients::{Kept, connect};

/// The hidden command that runs [`clients::run`].
pub const CLIENTS: &str = "hostile-clients";
/// How many there are; a third each of the kinds that [`clients`] knows.
const HOSTILE: usize = 1000;
/// Where they come from, and where good requests do.
const HOSTILE_FROM: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);
const GOOD_FROM: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 3);
/// What the service may open.
const DESCRIPTORS: u32 = 1024;
/// All local addresses are counted like those of strangers.
const SETTINGS: [(&str, &str); 1] = [("PLAYOUT_CONNECTIONS_EXEMPT", "none")];
/// Posts that go out meanwhile, five a second.
const BATCHES: Batches = Batches {
    batch: 5,
    count: 200,
    accounts: 20,
    asset: "clip.mp4",
};
/// A good request every so often, and how long it may take at most.
const EVERY: Duration = Duration::from_millis(20);
const PATIENCE: Duration = Duration::from_secs(10);

/// `/healthz` from another address, and posts that are due meanwhile.
///
/// # Errors
/// When something does not start.
pub fn hostile(world: &World) -> Outcome<Vec<Row>> {
    let world = world.part("confined")?.confined(&SETTINGS, DESCRIPTORS);
    let mut simulator = Simulator::start(&world)?;
    let accounts = (0..BATCHES.accounts).map(|number| simulator.account(number));
    let accounts = accounts.collect::<Outcome<Vec<Value>>>()?;
    let first_at = (epoch_micros() + 20 * SECOND_MICROS) / SECOND_MICROS * SECOND_MICROS;
    seed(&world, &accounts, BATCHES, (first_at, 1))?;
    let served = world.serve(&simulator.url())?;
    let hostile = attack(&world, served.address)?;
    let due = due(first_at);
    let left = u64::try_from(first_at - epoch_micros());
    let left = left.map_err(|_| Failure::new("the posts were due before the attack began"))?;
    thread::sleep(Duration::from_micros(left));
    let (mut answered, failed) = ask_meanwhile(served.address, &due)?;
    wait(&mut simulator, &due)?;
    hostile.kill();
    let journal = simulator.journal()?;
    let published = simulator.publications()?;
    served.process.stop()?;
    let seen = witness::seen(&due, &journal, &published)?;
    answered.sort_unstable();
    let p99 = answered
        .get(answered.len() * 99 / 100)
        .copied()
        .unwrap_or(PATIENCE);
    let median = answered.get(answered.len() / 2).copied().unwrap_or(PATIENCE);
    let what = format!("{HOSTILE} hostile connections");
    Ok(vec![
        Row::new(
            format!("{what}: GET /healthz, median"),
            millis(median),
            Limit::None,
            "ms",
        ),
        Row::new(
            format!("{what}: GET /healthz, p99"),
            millis(p99),
            Limit::AtMost(200.0),
            "ms",
        )
        .remark(format!("{} requests, each on its own connection", answered.len())),
        Row::new(
            format!("{what}: GET /healthz, failed"),
            count(failed),
            Limit::AtMost(0.0),
            "",
        ),
        Row::new(
            format!("{what}: start lag, p99"),
            lag(&seen, 990),
            Limit::AtMost(1000.0),
            "ms",
        ),
        exact(&format!("{what}: missing or twice"), seen.missing + seen.twice),
    ])
}

#[expect(clippy::cast_precision_loss, reason = "a small count")]
fn count(count: usize) -> f64 {
    count as f64
}

fn due(first_at: i64) -> Vec<i64> {
    let second = |number: usize| i64::try_from(number / BATCHES.batch).unwrap_or(0);
    (0..BATCHES.count)
        .map(|number| first_at + second(number) * SECOND_MICROS)
        .collect()
}

/// The hostile clients are a process of their own: they need descriptors, and their work is not to delay the good ones.
fn attack(world: &World, address: SocketAddr) -> Outcome<Process> {
    let this = std::env::current_exe().doing("finding this program")?;
    let mut command = Command::new("sh");
    let line = "ulimit -n $(ulimit -Hn); exec \"$0\" \"$@\"";
    command.args(["-c", line]).arg(this).arg(CLIENTS);
    command.args([address.to_string(), HOSTILE_FROM.to_string(), HOSTILE.to_string()]);
    Process::start(&mut command, &world.path("hostile.log"))
}

/// Asks for `/healthz` until the last post is due; how long each request took, and how many failed.
fn ask_meanwhile(address: SocketAddr, due: &[i64]) -> Outcome<(Vec<Duration>, usize)> {
    let end = due.last().copied().unwrap_or(0);
    let (mut answered, mut failed) = (Vec::new(), 0);
    while epoch_micros() < end {
        let began = now();
        match ask(address) {
            Ok(()) => answered.push(began.elapsed()),
            Err(_) => failed += 1,
        }
        thread::sleep(EVERY);
    }
    Ok((answered, failed))
}

fn ask(address: SocketAddr) -> Outcome<()> {
    let mut kept = Kept(connect(address, IpAddr::V4(GOOD_FROM), PATIENCE)?);
    kept.send(b"GET /healthz HTTP/1.1\r\nHost: playout\r\nConnection: close\r\n\r\n")
        .doing("asking")?;
    let answer = kept.read_to_end().doing("reading the answer")?;
    match answer.starts_with(b"HTTP/1.1 200 ") {
        true => Ok(()),
        false => Err(Failure::new("no 200")),
    }
}
