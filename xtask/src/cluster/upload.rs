//! tus-js-client uploads 1 GB through the balancer while each node in turn is killed.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use super::nodes::{Cluster, NODES};
use crate::bench::video::write_padded;
use crate::bench::world::World;
use crate::conformance::{npm, npm_script};
use crate::failure::{Doing, Failure, Outcome};
use crate::machine::said;

/// 1 GB.
const SIZE: u64 = 1_000_000_000;
/// How often each node is killed meanwhile.
const ROUNDS: usize = 2;

/// Uploads the video and compares the hash of what is served then.
pub(super) fn upload(cluster: &mut Cluster) -> Outcome<()> {
    let video = cluster.world.path("video.mp4");
    write_padded(&World::demo_asset("clip.mp4"), &video, SIZE)?;
    let sum = said(std::process::Command::new("sha256sum").arg(&video))?;
    let expected = sum.split_whitespace().next().unwrap_or_default().to_owned();
    let mut client = npm_script(&npm()?, "upload");
    client
        .env("PLAYOUT_API_URL", cluster.url())
        .env("PLAYOUT_API_KEY", &cluster.seeded.key)
        .env("FILE", &video)
        .stdin(Stdio::null())
        .stdout(Stdio::piped());
    let mut client = client.spawn().doing("starting tus-js-client")?;
    let lines = client.stdout.take();
    let lines = lines.ok_or_else(|| Failure::new("tus-js-client has no output"))?;
    let kills = u64::try_from(NODES * ROUNDS).unwrap_or(1);
    let (mut killed, mut hash) = (0, String::new());
    for line in BufReader::new(lines).lines() {
        let line = line.doing("reading what tus-js-client writes")?;
        match line.split_once(' ') {
            Some(("sent", sent)) => {
                let sent: u64 = sent.parse().doing("reading how much was sent")?;
                if killed < kills && sent > SIZE / (kills + 1) * (killed + 1) {
                    println!("{} MB were sent", sent / 1_000_000);
                    cluster.kill(usize::try_from(killed).unwrap_or(0) % NODES)?;
                    killed += 1;
                }
            }
            Some(("hash", seen)) => hash = seen.to_owned(),
            _ => println!("{line}"),
        }
    }
    let status = client.wait().doing("waiting for tus-js-client")?;
    println!(
        "{killed} nodes were killed, the file that was sent is {expected}, the one that is served {hash}"
    );
    match status.success() && hash == expected && killed == kills {
        true => Ok(()),
        false => Err(Failure::new("the upload is not whole")),
    }
}
