//! What a post costs that is created in a batch, against one that is created by itself: CPU time of the service and of its database.

use serde_json::{Value, json};

use super::database::{BOTH, Kind, On};
use super::load::{self, Load};
use super::requests::{FIRST_AT, STEP_SECONDS, planned};
use super::row::{Limit, Row};
use super::startup::millis;
use super::timestamp;
use super::world::{NOBODY, Seeded, Served, World, silent_accounts};
use crate::failure::{Doing, Outcome};
use crate::machine::epoch_micros;

/// Connected accounts.
const ACCOUNTS: usize = 5;
/// Posts that are there before.
const EARLIER: u32 = 1_000;
/// Posts of a batch, as many as it may have.
const BATCH: usize = 100;
/// Batches before measuring begins.
const WARM_UP: usize = 3;
/// Batches of each kind that are measured.
const BATCHES: usize = 30;
/// The most that a post of a batch may cost, as a part of one by itself.
const RATIO: f64 = 0.5;
/// The first post is planned for so long from now, in microseconds, and those that follow a minute apart.
const LEAD_MICROS: i64 = 86_400_000_000;
const MINUTE_MICROS: i64 = 60_000_000;

/// CPU time per post: by itself and in batches of 100, on both databases.
///
/// # Errors
/// When the server does not start or an answer is not the one expected.
pub fn batches(world: &World) -> Outcome<Vec<Row>> {
    let rows: Vec<Vec<Row>> = BOTH.iter().map(|kind| on(world, *kind)).collect::<Outcome<_>>()?;
    Ok(rows.concat())
}

fn on(world: &World, kind: Kind) -> Outcome<Vec<Row>> {
    let on = kind.world(world, "batches")?;
    let seeded = on.world.seed(&json!({
        "accounts": silent_accounts(ACCOUNTS),
        "files": [World::demo_asset("photo-1.jpg")],
        "posts": {
            "count": EARLIER,
            "firstAt": timestamp::written(FIRST_AT),
            "stepSeconds": STEP_SECONDS,
            "mediaPerPost": 1,
        },
    }))?;
    let served = on.world.serve(NOBODY)?;
    let scene = Scene {
        on: &on,
        served: &served,
        seeded: &seeded,
        first_at: epoch_micros() + LEAD_MICROS,
    };
    let single = |number| ("POST", "/public/v1/posts".to_owned(), scene.post(number));
    let batch = |number| ("POST", "/public/v1/posts/batch".to_owned(), scene.batch(number));
    let alone = scene.cost(201, BATCH, single)?;
    let in_batch = scene.cost(200, 1, batch)?;
    let rows = [
        Row::new("CPU per scheduled post", alone, Limit::None, "ms"),
        Row::new("the same in a batch of 100", in_batch, Limit::None, "ms"),
        Row::new(
            "in a batch, as a part of by itself",
            in_batch / alone,
            Limit::AtMost(RATIO),
            "",
        ),
    ];
    Ok(rows.into_iter().map(|row| row.of(kind.name())).collect())
}

/// A service and its data.
struct Scene<'a> {
    on: &'a On,
    served: &'a Served,
    seeded: &'a Seeded,
    first_at: i64,
}

impl Scene<'_> {
    /// The CPU time in milliseconds that each of [`BATCHES`] times [`BATCH`] posts costs, of which a request creates a batch, or `per_batch`
    /// requests do.
    fn cost(&self, status: u16, per_batch: usize, ask: impl Fn(usize) -> load::Asked + Sync) -> Outcome<f64> {
        let load = Load {
            address: self.served.address,
            key: &self.seeded.key,
            count: WARM_UP * per_batch,
            status,
        };
        load::send(load, &ask).doing("warming up")?;
        let before = self.on.cpu(self.served)?;
        let count = BATCHES * per_batch;
        load::send(Load { count, ..load }, &ask).doing("creating posts")?;
        #[expect(clippy::cast_precision_loss, reason = "a figure to read")]
        let posts = (BATCHES * BATCH) as f64;
        Ok(millis(self.on.cpu(self.served)? - before) / posts)
    }

    /// The body of a request for a scheduled post.
    fn post(&self, number: usize) -> String {
        let minutes = i64::try_from(number).unwrap_or(0);
        planned(self.seeded, number, Some(self.first_at + minutes * MINUTE_MICROS))
    }

    /// The body of a request for a batch of them.
    fn batch(&self, number: usize) -> String {
        let numbers = number * BATCH..(number + 1) * BATCH;
        let posts: Vec<Value> = numbers
            .map(|number| serde_json::from_str(&self.post(number)).unwrap_or_default())
            .collect();
        json!({ "posts": posts }).to_string()
    }
}
