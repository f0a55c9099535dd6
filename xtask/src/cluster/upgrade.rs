//! A rolling upgrade: nodes of another version are replaced one after the other while requests come in and posts go out.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::json;

use super::nodes::{Cluster, NODES};
use super::posts::Scheduled;
use crate::bench::http::{Connection, Request};
use crate::failure::{Doing, Failure, Outcome};
use crate::machine::{done, now};

/// Requests a second, and the connections that take turns in sending them.
const RATE: u32 = 50;
const CLIENTS: u32 = 5;
/// Every request in this many creates a draft; the others read.
const WRITES_ONE_IN: usize = 5;
/// How much later than due a post may begin.
const LATE: Duration = Duration::from_secs(5);

/// The program that `from` names: a file, or a revision that is built once.
pub(super) fn program_of(from: &str) -> Outcome<PathBuf> {
    let file = PathBuf::from(from);
    if file.is_file() {
        return Ok(file);
    }
    let folder = crate::root().join("target/upgrade").join(from);
    let program = folder.join("playoutd");
    if program.is_file() {
        return Ok(program);
    }
    let source = folder.join("source");
    if !source.is_dir() {
        let mut worktree = Command::new("git");
        worktree.current_dir(crate::root());
        worktree
            .args(["worktree", "add", "--detach"])
            .arg(&source)
            .arg(from);
        done(&mut worktree)?;
    }
    println!("compiling {from}, once");
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--release", "--locked", "-p", "playout-server"]);
    cargo
        .current_dir(&source)
        .env("CARGO_TARGET_DIR", folder.join("build"));
    done(&mut cargo)?;
    std::fs::copy(folder.join("build/release/playoutd"), &program).doing(program.display())?;
    Ok(program)
}

/// Replaces every node by the program `new`; fails if a request failed, or a post went out twice, early or late.
pub(super) fn upgrade(cluster: &mut Cluster, new: &Path) -> Outcome<()> {
    let scheduled = Scheduled::of(cluster)?;
    let load = Load {
        address: cluster.address(),
        key: cluster.seeded.key.clone(),
        platform: cluster.seeded.platforms[0].clone(),
        is_over: AtomicBool::new(false),
        sent: AtomicUsize::new(0),
        failed: AtomicUsize::new(0),
    };
    let counted = thread::scope(|scope| {
        for client in 0..CLIENTS {
            let load = &load;
            scope.spawn(move || load.send(client));
        }
        let replaced = (0..NODES).try_for_each(|number| cluster.replace(number, new));
        let counted = replaced.and_then(|()| scheduled.wait(cluster));
        load.is_over.store(true, Ordering::Relaxed);
        counted
    })?;
    let (sent, failed) = (
        load.sent.load(Ordering::Relaxed),
        load.failed.load(Ordering::Relaxed),
    );
    println!("{NODES} nodes were replaced; {sent} requests, {failed} of them failed; {counted}");
    counted.judge()?;
    match (failed, counted.latest() <= LATE) {
        (0, true) => Ok(()),
        (0, false) => Err(Failure::new("a post went out late")),
        _ => Err(Failure::new("requests failed")),
    }
}

/// Requests that come in all the time.
#[derive(Debug)]
struct Load {
    address: SocketAddr,
    key: String,
    platform: String,
    is_over: AtomicBool,
    sent: AtomicUsize,
    failed: AtomicUsize,
}

impl Load {
    fn send(&self, client: u32) {
        let pause = Duration::from_secs(1) * CLIENTS / RATE;
        thread::sleep(pause * client / CLIENTS);
        let mut connection = None;
        while !self.is_over.load(Ordering::Relaxed) {
            let began = now();
            let number = self.sent.fetch_add(1, Ordering::Relaxed);
            if let Err(failure) = self.ask(&mut connection, number) {
                self.failed.fetch_add(1, Ordering::Relaxed);
                println!("a request failed: {failure}");
                connection = None;
            }
            thread::sleep(pause.saturating_sub(began.elapsed()));
        }
    }

    /// Sends one request over a connection that is kept.
    fn ask(&self, connection: &mut Option<Connection>, number: usize) -> Outcome<()> {
        let draft =
            json!({ "platformIds": [self.platform], "content": "Under load", "mode": "draft" }).to_string();
        let (method, path, json, expected) = match number % WRITES_ONE_IN {
            0 => ("POST", "/public/v1/posts", draft.as_str(), 201),
            _ => ("GET", "/public/v1/posts?limit=20", "", 200),
        };
        let open = match connection {
            Some(open) => open,
            None => connection.insert(Connection::open(self.address, &self.key)?),
        };
        open.send(Request { method, path, json })?.json(expected)?;
        Ok(())
    }
}
