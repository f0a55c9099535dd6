//! `cargo xtask cluster`: several nodes on this machine, as they would run on several: PostgreSQL, a storage, a balancer in front.
//!
//! It publishes through the balancer and shows where to look. Nodes are killed or replaced by those of another version meanwhile, if that is
//! wanted, and what went out is counted.

mod balancer;
mod nodes;
mod options;
mod pooler;
mod posts;
mod upgrade;
mod upload;

use std::thread;

use self::nodes::Cluster;
use self::options::{Options, What};
use crate::bench::world::World;
use crate::failure::Outcome;
use crate::install::{self, Need};
use crate::playoutd::{Profile, build_playoutd};
use crate::web;

/// Runs the cluster.
///
/// # Errors
/// When something does not start, or what is counted is not as it must be.
pub fn run(words: &[String]) -> Outcome<()> {
    let options = Options::parse(words)?;
    let mut needs = [
        install::TO_BUILD.as_slice(),
        &[Need::Ffmpeg, Need::Postgres, Need::HaProxy],
    ]
    .concat();
    if options.pooled {
        needs.push(Need::PgBouncer);
    }
    install::ensure(&needs)?;
    web::build_if_possible()?;
    let playoutd = options
        .playoutd
        .clone()
        .map_or_else(|| build_playoutd(Profile::Release, &[]), Ok)?;
    let first = match &options.what {
        What::Upgrade(from) => upgrade::program_of(from)?,
        _ => playoutd.clone(),
    };
    let world = World::new(&playoutd, "cluster")?;
    let mut cluster = Cluster::start(world, first, &options)?;
    cluster.show();
    match options.what {
        What::Publish => posts::publish(&mut cluster, false)?,
        What::Kill => posts::publish(&mut cluster, true)?,
        What::Upload => upload::upload(&mut cluster)?,
        What::Upgrade(_) => upgrade::upgrade(&mut cluster, &playoutd)?,
    }
    if !options.once {
        println!("It runs until you press Ctrl-C.");
        loop {
            thread::park();
        }
    }
    cluster.end()
}
