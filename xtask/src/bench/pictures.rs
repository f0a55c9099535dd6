//! What pictures cost the service: CPU time, user and system, of its process for an uploaded photo and for a stored slide, beside
//! F, which is what the decoders and the encoder of JPEG take for the same picture by themselves.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use serde_json::json;

use super::hangups::form;
use super::http::{Body, Connection};
use super::load::{self, CONNECTIONS, Load};
use super::row::{Limit, Row};
use super::slides_example::example;
use super::startup::{database, millis};
use super::world::{NOBODY, Seeded, Served, World};
use crate::failure::{Doing, Failure, Outcome};
use crate::machine::{done, said};

/// The kinds of pictures, by the name of their file, and how often F a slide of each may cost.
const SLIDES: [(&str, &str, f64); 3] = [
    ("photo.jpg", "1080×1920", 0.9),
    ("phone.jpg", "12 megapixels", 1.3),
    ("photo.webp", "WebP", 1.3),
];
/// What an uploaded photo may cost where F is [`UPLOAD_F_MS`]; elsewhere as much more as F is.
const UPLOAD_LIMIT_MS: f64 = 8.0;
const UPLOAD_F_MS: f64 = 14.5;
/// Requests that are measured, and before that.
const COUNT: usize = 320;
const WARM_UP: usize = 32;

/// The CPU time of one upload of a photo of the size of a slide.
///
/// # Errors
/// When the server does not start or an answer is not the one expected.
pub fn upload_photo(world: &World) -> Outcome<Vec<Row>> {
    let photo = written(world)?.join("photo.jpg");
    let file = std::fs::read(&photo).doing(photo.display())?;
    let seeded = world.seed(&database(0))?;
    let served = world.serve(NOBODY)?;
    upload(&served, &seeded, &file, WARM_UP)?;
    let cost = beside(&served, &photo, || upload(&served, &seeded, &file, COUNT))?;
    let limit = UPLOAD_LIMIT_MS * cost.yardstick / UPLOAD_F_MS;
    let row = Row::new(
        format!("CPU per upload of a photo of {} kB", file.len() / 1000),
        cost.millis,
        Limit::AtMost((limit * 100.0).round() / 100.0),
        "ms",
    );
    Ok(vec![row.remark(cost.remark())])
}

/// The CPU time of one stored slide of each kind of picture.
///
/// # Errors
/// When the server does not start or an answer is not the one expected.
pub fn slides_stored(world: &World) -> Outcome<Vec<Row>> {
    let folder = written(world)?;
    let files = SLIDES.map(|(name, _, _)| folder.join(name));
    let mut request = database(0);
    request["files"] = files.iter().map(|file| json!(file)).collect();
    let seeded = world.seed(&request)?;
    let served = world.serve(NOBODY)?;
    let mut rows = Vec::new();
    for ((file, media), (_, what, limit)) in files.iter().zip(&seeded.media).zip(SLIDES) {
        composite(&served, &seeded, media, WARM_UP)?;
        let cost = beside(&served, file, || composite(&served, &seeded, media, COUNT))?;
        let row = Row::new(
            format!("stored slide, {what}"),
            cost.millis / cost.yardstick,
            Limit::AtMost(limit),
            "F",
        );
        rows.push(row.remark(cost.remark()));
    }
    Ok(rows)
}

/// The folder with the pictures.
fn written(world: &World) -> Outcome<std::path::PathBuf> {
    let folder = world.part("pictures")?.path("");
    done(&mut example(&["pictures", &folder.display().to_string()]))?;
    Ok(folder)
}

/// What one of the measured requests takes, and F.
#[derive(Debug, Clone, Copy)]
struct Cost {
    millis: f64,
    yardstick: f64,
}

impl Cost {
    fn remark(&self) -> String {
        let (millis, yardstick) = (self.millis, self.yardstick);
        format!("{millis:.1} ms, F {yardstick:.1} ms; {COUNT} over {CONNECTIONS} connections")
    }
}

/// The CPU time of `requests`, of which there are [`COUNT`], and F of the picture as the mean of just before and just after.
fn beside(served: &Served, picture: &Path, requests: impl FnOnce() -> Outcome<()>) -> Outcome<Cost> {
    let before = yardstick(picture)?;
    let idle = served.process.cpu()?;
    requests()?;
    let cpu = served.process.cpu()? - idle;
    let after = yardstick(picture)?;
    #[expect(clippy::cast_precision_loss, reason = "a figure to read")]
    let count = COUNT as f64;
    Ok(Cost {
        millis: millis(cpu) / count,
        yardstick: (before + after) / 2.0,
    })
}

/// F of a picture, in milliseconds.
fn yardstick(picture: &Path) -> Outcome<f64> {
    let said = said(&mut example(&["yardstick", &picture.display().to_string()]))?;
    said.trim().parse().doing("F")
}

fn composite(served: &Served, seeded: &Seeded, media: &str, count: usize) -> Outcome<()> {
    let load = Load {
        address: served.address,
        key: &seeded.key,
        count,
        status: 201,
    };
    let ask = |number: usize| {
        let caption = format!("Three kites, one wind, and walk number {number}");
        let slide = json!({ "index": 0, "mediaId": media, "caption": caption });
        let body = json!({ "slides": [slide] }).to_string();
        ("POST", "/public/v1/slides/composite".to_owned(), body)
    };
    load::send(load, ask).doing("slides")
}

fn upload(served: &Served, seeded: &Seeded, file: &[u8], count: usize) -> Outcome<()> {
    let next = AtomicUsize::new(0);
    let (head, form) = form(file);
    let one = || -> Outcome<()> {
        let mut connection = Connection::open(served.address, &seeded.key)?;
        while next.fetch_add(1, Ordering::Relaxed) < count {
            connection
                .send_stream(&head, &mut [Body::Bytes(&form)])?
                .json(201)?;
        }
        Ok(())
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..CONNECTIONS).map(|_| scope.spawn(one)).collect();
        let mut ends = threads.into_iter().map(|thread| match thread.join() {
            Ok(outcome) => outcome,
            Err(_) => Err(Failure::new("a connection's thread panicked")),
        });
        ends.try_for_each(|end| end)
    })
}
