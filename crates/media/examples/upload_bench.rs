//! What storing a large upload costs: wall time, processor time and memory.
//!
//! `cargo run --release -p playout-media --example upload_bench -- [MEGABYTES] [PIECE_BYTES] [DIRECTORY]`
//!
//! The pieces arrive as a socket would deliver them, but from memory and without pause, so that the numbers are this
//! crate's own. Processor time and memory are read from `/proc`: Linux only.

use bytes::Bytes;
use playout_media::Blobs;

type Failure = Box<dyn std::error::Error>;

#[tokio::main]
#[expect(clippy::print_stdout, reason = "a program for people")]
#[expect(
    clippy::disallowed_methods,
    reason = "measures real time, and has no service around it"
)]
async fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let megabytes: usize = arguments.next().map_or(Ok(1000), |text| text.parse())?;
    let piece_bytes: usize = arguments.next().map_or(Ok(64 << 10), |text| text.parse())?;
    let directory = tempfile::tempdir_in(arguments.next().unwrap_or_else(|| ".".to_owned()))?;
    let blobs = Blobs::open(&format!("file://{}", directory.path().canonicalize()?.display()))?;

    let piece = Bytes::from(
        (0..piece_bytes)
            .map(|at| (at * 31 % 251) as u8)
            .collect::<Vec<u8>>(),
    );
    let (started, cpu_before) = (std::time::Instant::now(), Cpu::now()?);
    let mut upload = blobs.upload("large").await?;
    while upload.size_bytes() < megabytes as u64 * 1_000_000 {
        upload.write(piece.clone()).await?;
    }
    let written = started.elapsed();
    let finished = upload.finish().await?;
    let (took, cpu) = (started.elapsed(), Cpu::now()?);

    let size_megabytes = finished.size_bytes as f64 / 1e6;
    println!(
        "{size_megabytes:.0} MB in pieces of {piece_bytes} bytes, sha256 {}",
        &finished.sha256_hex()[..16]
    );
    println!(
        "wall    {:.2} s ({:.0} MB/s), {:.2} s of it syncing",
        took.as_secs_f64(),
        size_megabytes / took.as_secs_f64(),
        (took - written).as_secs_f64()
    );
    println!(
        "cpu     {:.2} s user, {:.2} s system",
        cpu.user - cpu_before.user,
        cpu.system - cpu_before.system
    );
    println!("memory  {} at most", peak_memory()?);
    Ok(())
}

struct Cpu {
    user: f64,
    system: f64,
}

impl Cpu {
    /// This process's times from `/proc/self/stat`, in ticks of a hundredth of a second.
    fn now() -> Result<Self, Failure> {
        let stat = std::fs::read_to_string("/proc/self/stat")?;
        let after_name = stat.rsplit_once(')').ok_or("unexpected /proc/self/stat")?.1;
        let fields: Vec<&str> = after_name.split_whitespace().collect();
        let ticks = |at: usize| -> Result<f64, Failure> {
            Ok(fields.get(at).ok_or("too few fields")?.parse::<f64>()? / 100.0)
        };
        Ok(Self {
            user: ticks(11)?,
            system: ticks(12)?,
        })
    }
}

fn peak_memory() -> Result<String, Failure> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    Ok(line.ok_or("no VmHWM")?.trim().to_owned())
}
