//! What storing a large video takes: memory, CPU, time; and the time nginx takes to store the same bytes on the same disk.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

use super::http::{Body, Connection};
use super::nginx::Nginx;
use super::row::{Limit, Row};
use super::startup::{database, megabytes};
use super::video::write_padded;
use super::world::{NOBODY, Seeded, Served, World};
use crate::failure::{Doing, Failure, Outcome};
use crate::machine::{done, now};

/// 1 GB.
pub(super) const SIZE: u64 = 1_000_000_000;
/// Uploads to each server. They take turns in being first.
const ROUNDS: usize = 11;
/// After this long the work of the start and of the last upload is done.
const SETTLED: Duration = Duration::from_secs(3);
/// Ends every part of a form.
const BOUNDARY: &str = "playout-bench-boundary";

/// What one upload took.
#[derive(Debug, Clone, Copy)]
pub(super) struct Taken {
    pub(super) seconds: f64,
    pub(super) cpu_seconds: f64,
    pub(super) peak_bytes: u64,
}

/// Peak memory, CPU and rate of an upload of 1 GB, and the rate beside nginx. A disk is not equally fast at all times, so each
/// upload is compared with the one of its round, and the median counts.
///
/// # Errors
/// When a server does not start, does not accept the video, or stores other bytes.
pub fn upload(world: &World) -> Outcome<Vec<Row>> {
    let video = world.path("video.mp4");
    write_padded(&World::demo_asset("clip.mp4"), &video, SIZE)?;
    let seeded = world.seed(&database(0))?;
    let folder = world.path("nginx");
    std::fs::create_dir_all(&folder).doing(folder.display())?;
    let nginx = Nginx::start(&folder)?;
    let served = world.serve(NOBODY)?;
    thread::sleep(SETTLED);
    let idle = served.process.memory()?.resident;
    served.process.forget_peak()?;
    let mut plain = Vec::new();
    let mut taken = Vec::new();
    for round in 0..ROUNDS {
        for turn in 0..2 {
            prepare(&video)?;
            if round % 2 == turn {
                plain.push(put(&nginx, &video, round)?);
            } else {
                taken.push(post(&served, &seeded, &video)?);
            }
        }
    }
    Ok(rows(idle, &plain, &taken))
}

fn rows(idle: u64, plain: &[f64], taken: &[Taken]) -> Vec<Row> {
    let peak = taken.iter().map(|taken| taken.peak_bytes).max().unwrap_or(0);
    let seconds = taken.iter().map(|taken| taken.seconds);
    let rate = |seconds: f64| megabytes(SIZE) / seconds;
    vec![
        Row::new(
            "1 GB upload: peak memory over idle",
            megabytes(peak.saturating_sub(idle)),
            Limit::AtMost(32.0),
            "MB",
        )
        .remark(format!(
            "the most in {ROUNDS} uploads; idle {:.1} MB",
            megabytes(idle)
        )),
        Row::new(
            "1 GB upload: server CPU",
            median(taken.iter().map(|taken| taken.cpu_seconds)),
            Limit::AtMost(2.5),
            "s",
        )
        .remark(format!("median of {ROUNDS}")),
        Row::new(
            "1 GB upload: rate, nginx PUT = 1",
            median(seconds.clone().zip(plain).map(|(taken, plain)| plain / taken)),
            Limit::AtLeast(0.8),
            "×",
        )
        .remark(format!(
            "median of {ROUNDS} rounds; {:.0} MB/s, nginx {:.0} MB/s",
            rate(median(seconds)),
            rate(median(plain.iter().copied()))
        )),
    ]
}

/// PUTs the video to nginx; how many seconds it took.
fn put(nginx: &Nginx, video: &Path, round: usize) -> Outcome<f64> {
    let name = format!("video-{round}.mp4");
    let mut file = File::open(video).doing(video.display())?;
    let head = format!("PUT /{name} HTTP/1.1\r\nhost: localhost\r\ncontent-length: {SIZE}\r\n");
    let mut connection = Connection::open(nginx.address, "")?;
    let began = now();
    let answer = connection.send_stream(&head, &mut [Body::File(&mut file)])?;
    let seconds = began.elapsed().as_secs_f64();
    let stored = nginx.file(&name);
    let size = std::fs::metadata(&stored).doing(stored.display())?.len();
    if (answer.status, size) != (201, SIZE) {
        return Err(Failure::new(format!(
            "nginx answers {} and stores {size} bytes",
            answer.status
        )));
    }
    std::fs::remove_file(&stored).doing(stored.display())?;
    Ok(seconds)
}

/// Uploads the video to Playout.
pub(super) fn post(served: &Served, seeded: &Seeded, video: &Path) -> Outcome<Taken> {
    let mut file = File::open(video).doing(video.display())?;
    let before_file = format!(
        "--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"file\"; filename=\"video.mp4\"\r\n\
         content-type: video/mp4\r\n\r\n"
    );
    let after_file = format!("\r\n--{BOUNDARY}--\r\n");
    let length = before_file.len() as u64 + SIZE + after_file.len() as u64;
    let head = format!(
        "POST /public/v1/media HTTP/1.1\r\nhost: localhost\r\ncontent-length: {length}\r\n\
         content-type: multipart/form-data; boundary={BOUNDARY}\r\n"
    );
    let mut connection = Connection::open(served.address, &seeded.key)?;
    let (cpu, began) = (served.process.cpu()?, now());
    let mut parts = [
        Body::Text(before_file),
        Body::File(&mut file),
        Body::Text(after_file),
    ];
    let media = connection.send_stream(&head, &mut parts)?.json(201)?;
    let seconds = began.elapsed().as_secs_f64();
    let taken = Taken {
        seconds,
        cpu_seconds: (served.process.cpu()? - cpu).as_secs_f64(),
        peak_bytes: served.process.memory()?.peak,
    };
    expect_probed(&media)?;
    Ok(taken)
}

fn expect_probed(media: &serde_json::Value) -> Outcome<()> {
    let is_right =
        media["size"] == SIZE && media["status"] == "READY" && media["thumbnailMetadata"]["width"].is_u64();
    if is_right {
        Ok(())
    } else {
        Err(Failure::new(format!("it was not stored and probed: {media}")))
    }
}

/// Writes out what earlier work left unwritten, and reads the video into the page cache, so that neither is measured.
pub(super) fn prepare(video: &Path) -> Outcome<()> {
    done(&mut Command::new("sync"))?;
    let mut file = File::open(video).doing(video.display())?;
    let mut block = vec![0; 1 << 20];
    while file.read(&mut block).doing(video.display())? > 0 {}
    Ok(())
}

/// The middle one; not a number when there is none.
pub(super) fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_compare_each_round_and_take_the_worst_memory() {
        let taken = |seconds, peak_bytes| Taken {
            seconds,
            cpu_seconds: 2.0,
            peak_bytes,
        };
        let taken = [
            taken(2.0, 1_000_000),
            taken(9.0, 33_500_000),
            taken(2.5, 2_000_000),
        ];
        let rows = rows(1_000_000, &[1.6, 1.0, 5.0], &taken);
        let verdicts: Vec<bool> = rows.iter().map(Row::holds).collect();
        assert_eq!(verdicts, [false, true, true]);
        assert!(rows[2].to_string().contains("0.800 ×"), "{}", rows[2]);
    }
}
