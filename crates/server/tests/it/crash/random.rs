//! Two hundred kills at random instants, while posts of every kind go out: none twice, none lost.

use std::collections::HashMap;
use std::time::Duration;

use playout_domain::time::{Clock, Time};
use playout_server::clock::SystemClock;
use playout_tiktok::sim::{Account, Publication};
use serde_json::{Value, json};

use super::scene::{PATIENCE, Scene, now, padded_clip, post_body};
use crate::harness::{Db, Playoutd};

const KILLS: usize = 200;
const ACCOUNTS: usize = 3;
const POSTS: usize = 60;
/// One post of each kind becomes due at the same time, again and again, so that kills find them at every stage.
const BURST_EVERY: Duration = Duration::from_millis(5_500);

/// A small generator (splitmix64): a seed is enough to see the same kills again.
struct Chance(u64);

impl Chance {
    fn seeded() -> Self {
        #[expect(clippy::disallowed_methods, reason = "a setting of the tests themselves")]
        let given = std::env::var("PLAYOUT_TEST_SEED")
            .ok()
            .and_then(|seed| seed.parse().ok());
        Self(given.unwrap_or_else(|| SystemClock.now().as_micros().unsigned_abs()))
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }
}

/// A post by its ID and caption.
struct Made {
    id: String,
    caption: String,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_posts_killed_two_hundred_times_none_goes_out_twice_and_none_is_lost() {
    let mut chance = Chance::seeded();
    let seed = chance.0;
    let scene = Scene::set(Db::Sqlite, &[("PLAYOUT_TIKTOK_RATE_LIMITS", "off")]).await;
    scene.sim.turn(|knobs| {
        knobs.rate_limits = false;
        knobs.processing_ms = 300;
        knobs.pull_delay_ms = 50;
    });
    let posts = schedule(&scene).await;
    let begun = now();
    for _ in 0..KILLS {
        let mut process = scene.spawn(&[(
            "PLAYOUT_TIKTOK_TRANSFER",
            ["upload", "pull"][chance.below(2) as usize],
        )]);
        // One in four dies while it starts, the others while they work.
        if chance.below(4) > 0 {
            process.ready(scene.api.http()).await;
        }
        tokio::time::sleep(Duration::from_millis(chance.below(400))).await;
        process.kill();
    }
    let killing = begun.elapsed();
    let _process = scene.serve().await;
    let settled = settle(&scene, &posts).await;
    let counts = judge(&scene, &posts, &settled, seed);
    let (later, handovers) = (begun.elapsed() - killing, scene.sim.task_count());
    say(&format!(
        "seed {seed}: {KILLS} kills in {killing:?}, settled {later:?} later: {counts:?} after {handovers} hand-overs"
    ));
}

#[expect(clippy::print_stdout, reason = "the figures of the run")]
fn say(line: &str) {
    println!("{line}");
}

/// Uploads one of each kind of media, and plans all posts from two seconds ahead on.
async fn schedule(scene: &Scene) -> Vec<Made> {
    let mut api: Playoutd = scene.serve_api(&[]).await;
    let mut platforms = Vec::new();
    for number in 0..ACCOUNTS {
        let username = format!("crash{number}");
        scene.sim.add_account(Account {
            post_cap: None,
            ..Account::new(&username)
        });
        platforms.push(scene.connect(&username, &[]).await);
    }
    let clip = scene.api.upload_clip().await;
    let long = scene
        .api
        .upload_form("long.mp4", "video/mp4", &padded_clip(66_000_000), &[])
        .await
        .ok();
    let long = long["id"].as_str().unwrap().to_owned();
    let photos = vec![
        scene.api.upload_photo(1254, 1254).await,
        scene.api.upload_photo(540, 960).await,
    ];
    let kinds = [vec![clip.clone()], photos.clone(), vec![clip], photos, vec![long]];
    let start = SystemClock.now().plus(Duration::from_secs(2));
    let mut posts = Vec::new();
    for number in 0..POSTS {
        let at: Time = start.plus(BURST_EVERY * u32::try_from(number / kinds.len()).unwrap());
        // One is the beginning of another: "Flight 1", "Flight 12".
        let caption = format!("Flight {number}");
        // Accounts and kinds go round at different speeds, so that each account gets each kind.
        let platform = &platforms[(number + number / kinds.len()) % ACCOUNTS];
        let mut body = post_body(platform, &caption, &kinds[number % kinds.len()]);
        body["mode"] = json!("schedule");
        body["scheduledFor"] = json!(at.to_string());
        posts.push(Made {
            id: scene.api.create_post(&body).await,
            caption,
        });
    }
    api.kill();
    posts
}

/// Waits until no post is in QUEUE, which takes the longest backoff that many deaths lead to and the looks for a lost handle; returns
/// all roots as they are then, in order.
async fn settle(scene: &Scene, posts: &[Made]) -> Vec<Value> {
    let begun = now();
    loop {
        let mut roots = Vec::new();
        for post in posts {
            roots.push(scene.group(&post.id).await["root"].take());
        }
        let queued = roots.iter().filter(|root| root["state"] == "QUEUE").count();
        if queued == 0 || begun.elapsed() > PATIENCE {
            scene.sim.idle().await;
            return roots;
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

/// Judges every post; returns how many ended in each state.
fn judge(scene: &Scene, posts: &[Made], roots: &[Value], seed: u64) -> HashMap<String, usize> {
    let mut out: HashMap<String, Vec<Publication>> = HashMap::new();
    for publication in scene.sim.publications() {
        out.entry(publication.caption.clone())
            .or_default()
            .push(publication);
    }
    let (mut counts, mut wrong) = (HashMap::new(), Vec::new());
    for (post, root) in posts.iter().zip(roots) {
        let published = out.get(&post.caption).map_or(&[][..], Vec::as_slice);
        *counts
            .entry(root["state"].as_str().unwrap().to_owned())
            .or_default() += 1;
        if let Err(problem) = judge_one(scene, root, published) {
            let tasks: Vec<_> = published.iter().map(|one| &one.publish_id).collect();
            wrong.push(format!("{}: {problem}: {tasks:?} {root:#}", post.caption));
        }
    }
    let log = scene.log();
    assert!(
        wrong.is_empty(),
        "PLAYOUT_TEST_SEED={seed}: {counts:?}\n{}\n{log}",
        wrong.join("\n")
    );
    counts
}

fn judge_one(scene: &Scene, root: &Value, published: &[Publication]) -> Result<(), String> {
    if published.len() > 1 {
        return Err(format!("went out {} times", published.len()));
    }
    match (root["state"].as_str(), published) {
        (Some("PUBLISHED"), [one]) if root["releaseId"] == one.post_id.as_str() => Ok(()),
        (Some("PUBLISHED"), [one]) => Err(format!("its releaseId is not {}", one.post_id)),
        (Some("PUBLISHED"), _) => Err("says PUBLISHED and is not out".to_owned()),
        (Some("ACTION_REQUIRED"), _) => judge_unconfirmed(scene, root),
        (state, _) => Err(format!("ended as {state:?}")),
    }
}

/// The outcome can be unknown only where the provider fetches: an upload's status can always be queried, or the upload
/// begun again.
fn judge_unconfirmed(scene: &Scene, root: &Value) -> Result<(), String> {
    let text = root["errorText"].as_str().unwrap_or_default();
    let caption = format!("\"{}\"", root["content"].as_str().unwrap_or_default());
    let pulled = |body: &str| body.contains("PULL_FROM_URL") && body.contains(&caption);
    if !text.starts_with("It is unknown whether") {
        return Err(format!("waits for something else: {text}"));
    }
    match scene.sim.journal().iter().any(|request| pulled(&request.body)) {
        true => Ok(()),
        false => Err("was never handed over for fetching".to_owned()),
    }
}
