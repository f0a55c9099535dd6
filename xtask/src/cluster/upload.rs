//! tus-js-client uploads 1 GB through the balancer while each node in turn is killed.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use super::nodes::{Cluster, NODES};
use crate::bench::video::write_padded;
use crate::bench::world::World;
use crate::conformance::{npm, npm_script};
use crate::failure::{Doing, Failure, Outcome};
use crate::machine::said;

/// 1 GB.
const SIZE: u64 = 1_000_000_000;
/// How often nodes are killed meanwhile: each once.
const KILLS: usize = NODES;
/// How often to look how much was sent.
const PAUSE: Duration = Duration::from_millis(5);

/// Uploads the video and compares the hash of what is served then.
pub(super) fn upload(cluster: &mut Cluster) -> Outcome<()> {
    let video = cluster.world.path("video.mp4");
    write_padded(&World::demo_asset("clip.mp4"), &video, SIZE)?;
    let sum = said(Command::new("sha256sum").arg(&video))?;
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
    let sent = AtomicU64::new(0);
    let (killed, hash) = thread::scope(|scope| {
        let reader = scope.spawn(|| follow(lines, &sent));
        let mut killed = 0;
        while killed < KILLS && !reader.is_finished() {
            let sent = sent.load(Ordering::Relaxed);
            let parts = u64::try_from(KILLS + 1).unwrap_or(1);
            if sent > SIZE / parts * u64::try_from(killed + 1).unwrap_or(0) {
                println!("{} MB were sent", sent / 1_000_000);
                cluster.kill(killed % NODES)?;
                killed += 1;
            }
            thread::sleep(PAUSE);
        }
        let hash = reader
            .join()
            .map_err(|_| Failure::new("tus-js-client cannot be read"))?;
        Ok::<_, Failure>((killed, hash))
    })?;
    let status = client.wait().doing("waiting for tus-js-client")?;
    println!(
        "{killed} nodes were killed; the SHA-256 of what was sent is {expected}, of what is served {hash}"
    );
    match status.success() && hash == expected && killed == KILLS {
        true => Ok(()),
        false => Err(Failure::new("the upload is not whole")),
    }
}

/// Follows what `upload.mjs` prints; returns the hash at its end.
fn follow(lines: impl Read, sent: &AtomicU64) -> String {
    let mut hash = String::new();
    for line in BufReader::new(lines).lines().map_while(Result::ok) {
        match line.split_once(' ') {
            Some(("sent", bytes)) => sent.store(bytes.parse().unwrap_or(0), Ordering::Relaxed),
            Some(("hash", seen)) => hash = seen.to_owned(),
            _ => println!("{line}"),
        }
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_client_prints_is_followed() {
        let sent = AtomicU64::new(0);
        let hash = follow("sent 1\nsent 70000\nhash 9f32\n".as_bytes(), &sent);
        assert_eq!((hash.as_str(), sent.load(Ordering::Relaxed)), ("9f32", 70_000));
    }
}
