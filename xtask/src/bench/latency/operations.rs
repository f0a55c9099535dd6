//! The operations whose latency is measured.

use serde_json::json;

use crate::bench::hangups::form;
use crate::bench::http::{Answer, Body, Connection, Request};
use crate::bench::requests::{FIRST_AT, PAGE, PLATFORMS_PATH, draft, planned};
use crate::bench::timestamp;
use crate::bench::world::{Seeded, Served, World, text};
use crate::failure::{Doing, Failure, Outcome};
use crate::machine::epoch_micros;

/// How many there are.
pub(super) const COUNT: usize = 8;
const DAY_MICROS: i64 = 86_400_000_000;
/// Days that even the short run has posts of.
const DAYS: i64 = 3;
/// Scheduled posts are so far away that none of them is due while we measure.
const LEAD_MICROS: i64 = 30 * DAY_MICROS;

/// A kind of request.
pub(super) struct Operation<'a> {
    /// What the table calls it.
    pub(super) what: &'static str,
    /// The status of every answer.
    pub(super) status: u16,
    /// Sends number *i* of them.
    pub(super) ask: &'a (dyn Fn(&mut Connection, usize) -> Outcome<Answer> + Sync),
}

/// What the operations need.
pub(super) struct Operations<'a> {
    asks: [(&'static str, u16, Ask<'a>); COUNT],
}

type Ask<'a> = Box<dyn Fn(&mut Connection, usize) -> Outcome<Answer> + Sync + 'a>;

impl<'a> Operations<'a> {
    /// Prepares them: looks up some posts, reads the photo.
    ///
    /// # Errors
    /// When the list of posts is not full or the photo cannot be read.
    pub(super) fn of(served: &Served, seeded: &'a Seeded) -> Outcome<Self> {
        let posts = some_posts(served, seeded)?;
        let photo = World::demo_asset("photo-1.jpg");
        let photo = std::fs::read(&photo).doing(photo.display())?;
        let (head, form) = form(&photo);
        let first_at = epoch_micros() + LEAD_MICROS;
        let at = move |number: usize| first_at + i64::try_from(number).unwrap_or(0) * 1_000_000;
        Ok(Self {
            asks: [
                ("/healthz", 200, get(|_| "/healthz".to_owned())),
                ("platforms", 200, get(|_| PLATFORMS_PATH.to_owned())),
                ("list of 20 posts", 200, get(page)),
                (
                    "post",
                    200,
                    get(move |number| posts[number % posts.len()].clone()),
                ),
                (
                    "draft",
                    201,
                    post("/public/v1/posts", move |number| draft(seeded, number)),
                ),
                (
                    "scheduled post",
                    201,
                    post("/public/v1/posts", move |number| {
                        planned(seeded, number, Some(at(number)))
                    }),
                ),
                ("upload of a photo of 26 kB", 201, upload(head, form)),
                (
                    "one slide",
                    201,
                    post("/public/v1/slides/composite", move |number| slide(seeded, number)),
                ),
            ],
        })
    }

    /// All, in the order of the table.
    pub(super) fn all(&self) -> impl Iterator<Item = Operation<'_>> {
        self.asks.iter().map(|(what, status, ask)| Operation {
            what,
            status: *status,
            ask: ask.as_ref(),
        })
    }
}

fn get<'a>(path: impl Fn(usize) -> String + Sync + 'a) -> Ask<'a> {
    Box::new(move |connection, number| {
        connection.send(Request {
            method: "GET",
            path: &path(number),
            json: "",
        })
    })
}

fn post<'a>(path: &'static str, body: impl Fn(usize) -> String + Sync + 'a) -> Ask<'a> {
    Box::new(move |connection, number| {
        connection.send(Request {
            method: "POST",
            path,
            json: &body(number),
        })
    })
}

fn upload<'a>(head: String, form: Vec<u8>) -> Ask<'a> {
    Box::new(move |connection, _| connection.send_stream(&head, &mut [Body::Bytes(&form)]))
}

/// The first page of one day; another day with each number.
fn page(number: usize) -> String {
    let from = FIRST_AT + i64::try_from(number).unwrap_or(0) % DAYS * DAY_MICROS;
    let (from, to) = (timestamp::written(from), timestamp::written(from + DAY_MICROS));
    format!("/public/v1/posts?startDate={from}&endDate={to}&limit={PAGE}")
}

fn slide(seeded: &Seeded, number: usize) -> String {
    let caption = format!("Three kites, one wind, and walk number {number}");
    let slide = json!({ "index": 0, "mediaId": seeded.media[0], "caption": caption });
    json!({ "slides": [slide] }).to_string()
}

/// The paths of the posts of the first page.
fn some_posts(served: &Served, seeded: &Seeded) -> Outcome<Vec<String>> {
    let mut connection = Connection::open(served.address, &seeded.key)?;
    let answer = get(page)(&mut connection, 0)?.json(200)?;
    let posts = answer["posts"].as_array().map_or(&[][..], Vec::as_slice);
    if posts.len() != PAGE {
        return Err(Failure::new(format!("{} posts instead of {PAGE}", posts.len())));
    }
    let paths = posts.iter().map(|post| text(&post["id"]));
    paths
        .map(|id| id.map(|id| format!("/public/v1/posts/{id}")))
        .collect()
}
