//! Media in a bucket: what an upload of 1 GB takes beside the same bytes put there by curl, and what many reads of a part take.

use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

use super::http::{Connection, Request};
use super::object_storage::{Kind, ObjectStorage};
use super::row::{Limit, Row};
use super::startup::{database, megabytes};
use super::upload::{SIZE, Taken, median, post, prepare};
use super::video::write_padded;
use super::world::{NOBODY, Seeded, Served, World};
use crate::failure::{Failure, Outcome};
use crate::machine::{done, now};

/// Uploads to each. They take turns in being first.
const ROUNDS: usize = 5;
/// After this long the work of the start and of the last upload is done.
const SETTLED: Duration = Duration::from_secs(3);
/// How many clients read at the same time, and how much each.
const READERS: u64 = 64;
const READ_BYTES: u64 = 1 << 20;

/// Memory and rate of an upload of 1 GB, and memory of 64 reads at once.
///
/// # Errors
/// When a server does not start, does not accept the video, or serves other bytes.
pub fn bucket(world: &World) -> Outcome<Vec<Row>> {
    let video = world.path("video.mp4");
    write_padded(&World::demo_asset("clip.mp4"), &video, SIZE)?;
    let storage = ObjectStorage::start(Kind::at_hand(), &world.path(""))?;
    // As curl: neither hashes what it sends for the signature. Over TLS that is what nodes do.
    let world = world
        .part("served")?
        .with(storage.settings().into())
        .with(vec![("AWS_UNSIGNED_PAYLOAD", "true".to_owned())]);
    let seeded = world.seed(&database(0))?;
    let served = world.serve(NOBODY)?;
    thread::sleep(SETTLED);
    let idle = served.process.memory()?.resident;
    served.process.forget_peak()?;
    let (mut plain, mut taken) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        for turn in 0..2 {
            prepare(&video)?;
            if round % 2 == turn {
                plain.push(put(&storage, &video)?);
            } else {
                taken.push(post(&served, &seeded, &video)?);
            }
        }
    }
    let mut rows = rows(idle, &plain, &taken, storage.kind());
    rows.push(reads(&served, &seeded)?);
    Ok(rows)
}

fn rows(idle: u64, plain: &[f64], taken: &[Taken], kind: Kind) -> Vec<Row> {
    let peak = taken.iter().map(|taken| taken.peak_bytes).max().unwrap_or(0);
    let seconds = taken.iter().map(|taken| taken.seconds);
    let rate = |seconds: f64| megabytes(SIZE) / seconds;
    vec![
        Row::new(
            "1 GB upload to a bucket: peak memory over idle",
            megabytes(peak.saturating_sub(idle)),
            Limit::AtMost(64.0),
            "MB",
        )
        .remark(format!(
            "the most in {ROUNDS} uploads; idle {:.1} MB",
            megabytes(idle)
        )),
        Row::new(
            "1 GB upload to a bucket: rate, PUT by curl = 1",
            median(seconds.clone().zip(plain).map(|(taken, plain)| plain / taken)),
            Limit::AtLeast(0.7),
            "×",
        )
        .remark(format!(
            "median of {ROUNDS} rounds; {:.0} MB/s, curl to {} {:.0} MB/s",
            rate(median(seconds)),
            kind.name(),
            rate(median(plain.iter().copied()))
        )),
    ]
}

/// PUTs the video into the bucket by curl; how many seconds it took.
fn put(storage: &ObjectStorage, video: &Path) -> Outcome<f64> {
    let began = now();
    done(
        Command::new("curl")
            .args(["--silent", "--show-error", "--fail"])
            .args([
                "--aws-sigv4",
                "aws:amz:us-east-1:s3",
                "--user",
                &storage.user_and_secret(),
            ])
            .args(["--header", "x-amz-content-sha256: UNSIGNED-PAYLOAD"])
            .arg("--upload-file")
            .arg(video)
            .arg(format!("{}/beside.mp4", storage.bucket_url())),
    )?;
    Ok(began.elapsed().as_secs_f64())
}

/// Reads a part of the video over many connections at once.
fn reads(served: &Served, seeded: &Seeded) -> Outcome<Row> {
    let list = Request {
        method: "GET",
        path: "/public/v1/media?limit=1",
        json: "",
    };
    let listed = Connection::open(served.address, &seeded.key)?
        .send(list)?
        .json(200)?;
    let url = super::world::text(&listed["media"][0]["publicUrl"])?;
    let path = url.find("/media/").map(|at| url[at..].to_owned());
    let path = path.ok_or_else(|| Failure::new(format!("{url} is no address of media")))?;
    thread::sleep(SETTLED);
    let idle = served.process.memory()?.resident;
    served.process.forget_peak()?;
    thread::scope(|scope| {
        let readers: Vec<_> = (0..READERS)
            .map(|number| {
                let path = &path;
                scope.spawn(move || read(served, path, number))
            })
            .collect();
        readers.into_iter().try_for_each(|reader| {
            let read = reader.join();
            read.map_err(|_| Failure::new("a reader failed"))?
        })
    })?;
    let peak = served.process.memory()?.peak;
    Ok(Row::new(
        "64 reads of 1 MB of a 1 GB object at once: peak memory over idle",
        megabytes(peak.saturating_sub(idle)),
        Limit::AtMost(32.0),
        "MB",
    )
    .remark(format!("idle {:.1} MB", megabytes(idle))))
}

fn read(served: &Served, path: &str, number: u64) -> Outcome<()> {
    let from = number * (SIZE / READERS);
    let head = format!(
        "GET {path} HTTP/1.1\r\nhost: localhost\r\nrange: bytes={from}-{}\r\n",
        from + READ_BYTES - 1
    );
    let answer = Connection::open(served.address, "")?.send_stream(&head, &mut [])?;
    match (answer.status, answer.body.len() as u64) {
        (206, READ_BYTES) => Ok(()),
        (status, length) => Err(Failure::new(format!("a read: {status}, {length} bytes"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_compare_each_round_and_take_the_worst_memory() {
        let taken = |seconds, peak_bytes| Taken {
            seconds,
            cpu_seconds: 1.0,
            peak_bytes,
        };
        let taken = [
            taken(2.0, 1_000_000),
            taken(9.0, 66_000_000),
            taken(2.5, 2_000_000),
        ];
        let rows = rows(1_000_000, &[1.4, 1.0, 5.0], &taken, Kind::Garage);
        let verdicts: Vec<bool> = rows.iter().map(Row::holds).collect();
        assert_eq!(verdicts, [false, true]);
    }
}
