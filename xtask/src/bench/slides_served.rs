//! Slides as the service makes them: how soon ten are there, what memory they take, and the effect on all other requests while
//! many clients request slides without pause.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::http::{Connection, Request};
use super::load::{self, Load};
use super::requests::{PAGE, page};
use super::row::{Limit, Row};
use super::slides_example::example;
use super::startup::{megabytes, millis};
use super::timestamp;
use super::world::{NOBODY, Seeded, Served, World, silent_accounts};
use crate::failure::{Doing, Failure, Outcome};
use crate::machine::{done, now};

/// Slides of a request, as many as a language model writes captions for.
const SLIDES: usize = 10;
/// Requests that are measured one after the other.
const ROUNDS: usize = 20;
/// Clients that request slides without pause.
const BUSY: usize = 8;
/// Clients that read lists meanwhile, and how many they read.
const READERS: usize = 4;
const READ: usize = 4_000;
/// Posts to be listed.
const POSTS: i64 = 100_000;

/// Wall time of ten slides, memory above idle, and the slowest hundredth of lists beside 8 clients that composite.
///
/// # Errors
/// When the server does not start or an answer is not the one expected.
pub fn served(world: &World) -> Outcome<Vec<Row>> {
    let files = photos(world)?;
    let posts = json!({ "count": POSTS, "firstAt": timestamp::written(1_767_225_600_000_000), "stepSeconds": 60, "mediaPerPost": 1 });
    let seeded = world.seed(&json!({ "accounts": silent_accounts(5), "files": files, "posts": posts }))?;
    let served = world.serve(NOBODY)?;
    let idle = served.process.memory()?.resident;
    let quiet = slowest(&served, &seeded)?;
    served.process.forget_peak()?;
    let taken = one_after_the_other(&served, &seeded)?;
    let (busy, made) = beside_slides(&served, &seeded)?;
    let peak = served.process.memory()?.peak;
    let half = millis(taken[taken.len() / 2]);
    let longest = millis(taken[taken.len() - 1]);
    Ok(vec![
        Row::new(
            format!("{SLIDES} slides through the endpoint, median"),
            half,
            Limit::AtMost(250.0),
            "ms",
        )
        .remark(format!("{ROUNDS} requests, longest {longest:.0} ms")),
        Row::new(
            "memory above idle, at most",
            megabytes(peak.saturating_sub(idle)),
            Limit::AtMost(120.0),
            "MB",
        )
        .remark(format!("idle {:.0} MB", megabytes(idle))),
        Row::new(
            format!("list of {PAGE} posts beside {BUSY} that composite, 99th"),
            millis(busy) / millis(quiet),
            Limit::AtMost(3.0),
            "times",
        )
        .remark(format!(
            "{:.1} ms instead of {:.1}; {made} slides meanwhile",
            millis(busy),
            millis(quiet)
        )),
    ])
}

/// The photos of the bench of slides, as many as a request has slides.
fn photos(world: &World) -> Outcome<Vec<String>> {
    let folder = world.part("photos")?.path("");
    done(&mut example(&["write", &folder.display().to_string()]))?;
    let photo = |number: usize| folder.join(format!("{number:02}.jpg")).display().to_string();
    Ok((0..SLIDES).map(photo).collect())
}

/// The body of a request for ten slides.
fn ten(seeded: &Seeded) -> String {
    let captions = [
        "Three kites, one wind",
        "Nobody told us about the sea fog, so we just kept walking until the horn sounded twice",
    ];
    let slide = |number: usize| {
        let media = &seeded.media[number % seeded.media.len()];
        json!({ "index": number, "mediaId": media, "caption": captions[number % captions.len()] })
    };
    json!({ "slides": (0..SLIDES).map(slide).collect::<Value>() }).to_string()
}

/// How long each of some requests takes, ascending.
fn one_after_the_other(served: &Served, seeded: &Seeded) -> Outcome<Vec<Duration>> {
    let body = ten(seeded);
    let mut taken = Vec::with_capacity(ROUNDS);
    // The first one starts the threads and reads the fonts.
    composite(served, seeded, &body)?;
    for _ in 0..ROUNDS {
        let began = now();
        composite(served, seeded, &body)?;
        taken.push(began.elapsed());
    }
    taken.sort_unstable();
    Ok(taken)
}

fn composite(served: &Served, seeded: &Seeded, body: &str) -> Outcome<()> {
    let mut connection = Connection::open(served.address, &seeded.key)?;
    let request = Request {
        method: "POST",
        path: "/public/v1/slides/composite",
        json: body,
    };
    connection.send(request)?.json(201).map(drop)
}

/// The slowest hundredth of lists.
fn slowest(served: &Served, seeded: &Seeded) -> Outcome<Duration> {
    let load = Load {
        address: served.address,
        key: &seeded.key,
        count: READ,
        status: 200,
    };
    let ask = |number| ("GET", page(number, PAGE), String::new());
    let taken = load::send_over(READERS, load, ask).doing("lists")?;
    Ok(taken[taken.len() * 99 / 100])
}

/// The same while others composite, and how many slides they got.
fn beside_slides(served: &Served, seeded: &Seeded) -> Outcome<(Duration, usize)> {
    let (is_over, made) = (AtomicBool::new(false), AtomicUsize::new(0));
    let body = ten(seeded);
    let busy = || -> Outcome<()> {
        while !is_over.load(Ordering::Relaxed) {
            composite(served, seeded, &body)?;
            made.fetch_add(SLIDES, Ordering::Relaxed);
        }
        Ok(())
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..BUSY).map(|_| scope.spawn(busy)).collect();
        let slowest = slowest(served, seeded);
        is_over.store(true, Ordering::Relaxed);
        for thread in threads {
            thread
                .join()
                .map_err(|_| Failure::new("a client's thread panicked"))??;
        }
        Ok((slowest?, made.load(Ordering::Relaxed)))
    })
}
