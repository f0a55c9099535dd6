//! What the largest pictures take in memory when many clients upload them at once and hang up: the decoder runs on, and
//! nothing that it holds may be counted as free.

use std::io::Write;
use std::net::TcpStream;
use std::thread;
use std::time::Duration;

use super::http::{Body, Connection};
use super::row::{Limit, Row};
use super::startup::{database, megabytes};
use super::world::{NOBODY, Seeded, Served, World};
use crate::failure::{Doing, Failure, Outcome};

/// Uploads at once.
const UPLOADS: usize = 40;
/// Pixels a side, the most that is taken.
const SIDE: u32 = 8192;
/// After this long the start's work is done, and every upload has arrived whole.
const SETTLED: Duration = Duration::from_secs(3);
/// Ends every part of a form.
const BOUNDARY: &str = "playout-bench-boundary";
/// How often the server is asked whether it is done.
const ASKED: usize = 3;

/// The peak of resident memory over idle, for WebPs and for progressive JPEGs.
///
/// # Errors
/// When the server does not start or does not take a picture afterwards.
pub fn hangups(world: &World) -> Outcome<Vec<Row>> {
    let seeded = world.seed(&database(0))?;
    let served = world.serve(NOBODY)?;
    thread::sleep(SETTLED);
    let idle = served.process.memory()?.resident;
    let files = [
        ("lossless WebPs", webp(SIDE)),
        ("progressive JPEGs", progressive_jpeg(SIDE)),
    ];
    let mut rows = Vec::new();
    for (kind, file) in files {
        served.process.forget_peak()?;
        let peak = peak(&served, &seeded, &file)?;
        let row = Row::new(
            format!("{UPLOADS} {kind} whose clients hang up: peak memory over idle"),
            megabytes(peak.saturating_sub(idle)),
            Limit::AtMost(300.0),
            "MB",
        );
        rows.push(row.remark(format!("{SIDE}×{SIDE} pixels; idle {:.1} MB", megabytes(idle))));
    }
    Ok(rows)
}

fn peak(served: &Served, seeded: &Seeded, file: &[u8]) -> Outcome<u64> {
    let mut streams = Vec::with_capacity(UPLOADS);
    for _ in 0..UPLOADS {
        let mut stream = TcpStream::connect(served.address).doing("connecting")?;
        let (head, form) = form(file);
        let head = format!("{head}authorization: Bearer {}\r\n\r\n", seeded.key);
        stream.write_all(head.as_bytes()).doing("sending a head")?;
        stream.write_all(&form).doing("sending a picture")?;
        streams.push(stream);
        thread::sleep(SETTLED / 30);
    }
    drop(streams);
    // Decoding is first come, first served: a picture that is taken has waited for all that went before.
    let mut taken = 0;
    while taken < ASKED {
        let (head, form) = form(&webp(1));
        let mut connection = Connection::open(served.address, &seeded.key)?;
        match connection.send_stream(&head, &mut [Body::Bytes(&form)])?.status {
            201 => taken += 1,
            // The service has not noticed yet that all clients hung up, and their files still count as unfinished.
            429 => thread::sleep(SETTLED / 30),
            sent => return Err(Failure::new(format!("a picture was answered {sent}"))),
        }
    }
    Ok(served.process.memory()?.peak)
}

/// The head of a request that uploads a file, without its end, and its body.
pub fn form(file: &[u8]) -> (String, Vec<u8>) {
    let before =
        format!("--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\n");
    let form = [
        before.as_bytes(),
        file,
        format!("\r\n--{BOUNDARY}--\r\n").as_bytes(),
    ]
    .concat();
    let head = format!(
        "POST /public/v1/media HTTP/1.1\r\nhost: localhost\r\ncontent-length: {}\r\n\
         content-type: multipart/form-data; boundary={BOUNDARY}\r\n",
        form.len()
    );
    (head, form)
}

/// A lossless WebP of one colour. Each of its codes has a single symbol, which takes no bits: it has no data (RFC 9649 §3.7).
fn webp(side: u32) -> Vec<u8> {
    let packed = (side - 1) | (side - 1) << 14 | 1 << 28;
    let codes = b"\x07\x10\x11\x11\x88\x88\xfe\x07\0\0\0\0\0\0\0\0\0\0\0";
    [
        &b"RIFF\x24\0\0\0WEBPVP8L\x18\0\0\0\x2f"[..],
        &packed.to_le_bytes(),
        codes,
    ]
    .concat()
}

/// The headers of a progressive JPEG with colour at half the size. Its decoder sets its coefficients up before it misses data.
fn progressive_jpeg(side: u32) -> Vec<u8> {
    let [.., high, low] = side.to_be_bytes();
    let table = [&[0xFF, 0xDB, 0, 67, 0][..], &[1; 64]].concat();
    let frame = [
        0xFF, 0xC2, 0, 17, 8, high, low, high, low, 3, 1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0,
    ];
    let codes = [&[0xFF, 0xC4, 0, 20, 0, 1][..], &[0; 15], &[0]].concat();
    let scan = [0xFF, 0xDA, 0, 12, 3, 1, 0, 2, 0, 3, 0, 0, 0, 0];
    [
        &[0xFF, 0xD8][..],
        &table,
        &frame,
        &codes,
        &scan,
        &[0; 64],
        &[0xFF, 0xD9],
    ]
    .concat()
}
