//! Clocks that are wrong: two nodes that disagree, and a clock that is set forward and back. The provider's clock is the true
//! time here. A node can only know its own clock, so a post goes out early by no more than the clock of its node is fast; it
//! is never lost and never goes out twice.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, select_all};
use playout_domain::time::{Clock, ManualClock, Time};
use playout_server::app::App;
use playout_server::serve::{Role, Service};
use playout_store::POLL_EVERY;
use playout_tiktok::sim::{Endpoint, Fault, FaultAction, HoldPoint};
use serde_json::{Value, json};

use crate::harness::{Db, Options, TestApp, on_both, post_body};

on_both!(
    of_two_nodes_half_a_minute_apart_the_fast_one_is_early_by_no_more_than_it_is_fast,
    of_two_nodes_half_a_minute_apart_neither_takes_what_the_other_is_at,
    a_clock_that_was_an_hour_fast_and_is_set_back_delays_nothing_that_is_scheduled_then,
    a_node_whose_clock_is_fast_finds_a_post_whose_answer_was_lost,
    a_node_whose_clock_is_fast_does_not_send_a_post_again_that_is_out,
    a_node_whose_clock_is_hours_fast_finds_a_post_whose_answer_was_lost,
    a_node_whose_clock_is_hours_fast_does_not_send_a_post_again_that_is_out,
    whatever_clocks_do_each_post_goes_out_once_and_early_only_by_what_a_clock_is_fast,
);

/// How time passes while engines sleep.
const MOMENT: Duration = Duration::from_millis(50);
const SECOND: i64 = 1_000_000;
const MINUTE: i64 = 60 * SECOND;

/// A clock that is fast by so many microseconds, or slow. It naps as the system's does: by true time, so that what it shows
/// afterwards may be anything.
#[derive(Clone)]
struct Wrong {
    truth: ManualClock,
    fast_by: Arc<AtomicI64>,
}

impl Wrong {
    fn set(&self, fast_by: i64) {
        self.fast_by.store(fast_by, Ordering::SeqCst);
    }

    fn fast_by(&self) -> i64 {
        self.fast_by.load(Ordering::SeqCst)
    }
}

impl Clock for Wrong {
    fn now(&self) -> Time {
        Time::from_micros(self.truth.now().as_micros() + self.fast_by())
    }

    fn sleep_until(&self, at: Time) -> BoxFuture<'static, ()> {
        let truth = self.truth.clone();
        let at = Time::from_micros(at.as_micros() - self.fast_by());
        async move { truth.sleep_until(at).await }.boxed()
    }
}

/// A node with a clock of its own.
struct Node {
    app: Arc<App>,
    clock: Wrong,
    service: Service,
}

/// A world whose engines have the clocks, and true time. Its own process only answers requests.
struct Scene {
    t: TestApp,
    nodes: Vec<Node>,
    platform: String,
    clip: String,
}

impl Scene {
    async fn set(db: Db, fast_by: &[i64]) -> Self {
        let options = Options {
            role: Some(Role::Api),
            ..Options::default()
        };
        let t = TestApp::start_with(db, options).await;
        let (platform, clip) = (t.connect("kitestudio").await, t.api.upload_clip().await);
        let mut nodes = Vec::new();
        for fast_by in fast_by {
            let clock = Wrong {
                truth: t.clock.clone(),
                fast_by: Arc::new(AtomicI64::new(*fast_by)),
            };
            let (app, service) = t.node_with(Arc::new(clock.clone())).await;
            nodes.push(Node { app, clock, service });
        }
        Self {
            t,
            nodes,
            platform,
            clip,
        }
    }

    async fn schedule(&self, at: Time) -> String {
        let mut body = post_body(&self.platform, std::slice::from_ref(&self.clip));
        (body["mode"], body["scheduledFor"]) = (json!("schedule"), json!(at));
        self.t.api.create_post(&body).await
    }

    /// Hands a photo over that the provider fetches and publishes, and whose answer is lost; then so many searches fail.
    async fn lose_the_answer(&self, failed_searches: u32) -> String {
        let (t, init) = (&self.t, Endpoint::ContentInit);
        t.sim.turn(|knobs| knobs.webhooks = false);
        t.sim.hold(init, HoldPoint::After);
        t.sim.inject(Fault::new(init, FaultAction::DropAfter));
        if failed_searches > 0 {
            let search_fails = Fault::new(Endpoint::VideoList, FaultAction::internal_error());
            t.sim.inject(search_fails.times(failed_searches));
        }
        let photo = t.api.upload_photo(720, 960).await;
        let post = t.api.publish_now(&self.platform, &[photo]).await;
        t.clock.advance(POLL_EVERY);
        t.sim.held(init, 1).await;
        t.sim.idle().await;
        t.sim.release(init);
        post
    }

    /// Lets time pass until a post has left QUEUE.
    async fn settled(&self, post: &str) -> Value {
        loop {
            self.pass_until(later(self.t.now(), MINUTE), POLL_EVERY).await;
            let root = self.t.root(post).await;
            if root["state"] != "QUEUE" {
                return root;
            }
        }
    }

    /// When posts were handed over, in order, by true time.
    fn handovers(&self) -> Vec<Time> {
        self.t
            .calls(Endpoint::VideoInit)
            .iter()
            .map(|call| call.at)
            .collect()
    }

    /// Lets true time pass in steps until it is `to`; what is due after each step is done before the next.
    async fn pass_until(&self, to: Time, step: Duration) {
        while self.t.now() < to {
            self.t.clock.set(self.t.now().plus(step).min(to));
            self.quiet().await;
        }
    }

    /// Waits until no node runs anything and nothing is due by any clock. While something is due that no node works on,
    /// because the engines sleep until they look again, time passes slowly.
    async fn quiet(&self) {
        let mut pulses: Vec<_> = self.nodes.iter().map(|node| node.app.heart.pulse()).collect();
        loop {
            self.t.sim.idle().await;
            pulses
                .iter_mut()
                .for_each(|pulse| drop(pulse.borrow_and_update()));
            if !self.nodes.iter().all(|node| node.app.heart.is_quiet()) {
                let changes = pulses.iter_mut().map(|pulse| pulse.changed().boxed());
                select_all(changes).await.0.unwrap();
                continue;
            }
            let next = self.t.app.store.next_run_at().await.unwrap();
            let latest = self.nodes.iter().map(|node| node.clock.now()).max().unwrap();
            if next.is_none_or(|next| next > latest) {
                return;
            }
            self.t.clock.advance(MOMENT);
            // An engine that wakes up then looks for work, which takes real time.
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }

    /// Gives every engine that woke up time to look for work and to renew the lease of the one job, more of it when the
    /// lease is about to end by the fast clock, which one renewed two steps late is not yet; returns when it ends.
    async fn looked(&self, fast: &Wrong) -> Time {
        for round in 0..30_000 {
            let ends = self.t.app.store.next_run_at().await.unwrap().unwrap();
            if round > 20 && ends.since(fast.now()) >= Duration::from_secs(6) {
                return ends;
            }
            match round {
                0..100 => tokio::task::yield_now().await,
                // A commit waits for the disk, which takes real time.
                _ => tokio::time::sleep(Duration::from_millis(2)).await,
            }
        }
        self.t.app.store.next_run_at().await.unwrap().unwrap()
    }

    async fn stop(self) {
        for node in self.nodes {
            node.service.stop().await;
        }
    }
}

/// A small generator (splitmix64).
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: i64) -> i64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        i64::try_from((mixed ^ (mixed >> 31)) % bound.unsigned_abs()).unwrap()
    }
}

fn later(time: Time, micros: i64) -> Time {
    Time::from_micros(time.as_micros() + micros)
}

async fn of_two_nodes_half_a_minute_apart_the_fast_one_is_early_by_no_more_than_it_is_fast(db: Db) {
    let scene = Scene::set(db, &[-15 * SECOND, 15 * SECOND]).await;
    let start = scene.t.now();
    let mut posts = Vec::new();
    for number in 1..=6 {
        let due = later(start, number * 10 * MINUTE);
        posts.push((scene.schedule(due).await, due));
    }
    scene.pass_until(later(start, 70 * MINUTE), POLL_EVERY).await;
    let handed = scene.handovers();
    assert_eq!(handed.len(), posts.len(), "each once");
    for ((post, due), at) in posts.iter().zip(handed) {
        assert!(at >= later(*due, -15 * SECOND), "{due}: {at}");
        assert!(
            at <= *due,
            "the fast one did not wait for the slow one: {due}: {at}"
        );
        assert_eq!(scene.t.root(post).await["state"], "PUBLISHED");
    }
    assert_eq!(scene.t.sim.publication_count(), 6);
    scene.stop().await;
}

async fn of_two_nodes_half_a_minute_apart_neither_takes_what_the_other_is_at(db: Db) {
    let scene = Scene::set(db, &[-15 * SECOND]).await;
    scene.t.sim.hold(Endpoint::VideoInit, HoldPoint::After);
    let post = scene
        .t
        .api
        .publish_now(&scene.platform, std::slice::from_ref(&scene.clip))
        .await;
    scene.t.clock.advance(Duration::from_secs(20));
    scene.t.sim.held(Endpoint::VideoInit, 1).await;
    // The fast node starts while the slow one is publishing, and looks ten times at least while more time passes than a lease lasts
    // (60 s).
    let clock = Wrong {
        truth: scene.t.clock.clone(),
        fast_by: Arc::new(AtomicI64::new(15 * SECOND)),
    };
    let (other, service) = scene.t.node_with(Arc::new(clock.clone())).await;
    let looks = *other.heart.pulse().borrow();
    let mut steps = 0;
    while steps < 20 || *other.heart.pulse().borrow() <= looks + 10 {
        steps += 1;
        scene.t.clock.advance(Duration::from_secs(5));
        let ends = scene.looked(&clock).await;
        assert!(
            ends > clock.now(),
            "the lease ends {ends} by the fast clock, at {}",
            clock.now()
        );
        assert_eq!(other.heart.running(), 0, "it took over what is not lost");
    }
    scene.t.sim.release(Endpoint::VideoInit);
    service.stop().await;
    scene
        .pass_until(later(scene.t.now(), 5 * MINUTE), POLL_EVERY)
        .await;
    assert_eq!(scene.t.root(&post).await["state"], "PUBLISHED");
    assert_eq!((scene.handovers().len(), scene.t.sim.publication_count()), (1, 1));
    scene.stop().await;
}

async fn a_clock_that_was_an_hour_fast_and_is_set_back_delays_nothing_that_is_scheduled_then(db: Db) {
    let scene = Scene::set(db, &[60 * MINUTE]).await;
    let start = scene.t.now();
    scene.pass_until(later(start, MINUTE), POLL_EVERY).await;
    scene.nodes[0].clock.set(0);
    let due = later(start, 10 * MINUTE);
    let post = scene.schedule(due).await;
    scene.pass_until(later(start, 9 * MINUTE), POLL_EVERY).await;
    assert_eq!(scene.handovers(), [], "by the clock as it is now");
    scene.pass_until(later(due, MINUTE), POLL_EVERY).await;
    assert_eq!(scene.handovers().len(), 1);
    let root = scene.t.root(&post).await;
    assert!(
        scene.handovers()[0].since(due) <= 2 * POLL_EVERY,
        "{:?}: {root:#}",
        scene.handovers()
    );
    assert_eq!(root["state"], "PUBLISHED", "{root:#}");
    scene.stop().await;
}

async fn a_node_whose_clock_is_fast_finds_a_post_whose_answer_was_lost(db: Db) {
    finds_what_is_out(db, 20 * SECOND).await;
}

async fn a_node_whose_clock_is_hours_fast_finds_a_post_whose_answer_was_lost(db: Db) {
    finds_what_is_out(db, 180 * MINUTE).await;
}

async fn finds_what_is_out(db: Db, fast_by: i64) {
    let scene = Scene::set(db, &[fast_by]).await;
    let post = scene.lose_the_answer(0).await;
    let root = scene.settled(&post).await;
    assert_eq!(
        (root["state"].as_str(), scene.t.sim.publication_count()),
        (Some("PUBLISHED"), 1),
        "{root:#}"
    );
    scene.stop().await;
}

async fn a_node_whose_clock_is_fast_does_not_send_a_post_again_that_is_out(db: Db) {
    does_not_send_again(db, 20 * SECOND).await;
}

async fn a_node_whose_clock_is_hours_fast_does_not_send_a_post_again_that_is_out(db: Db) {
    does_not_send_again(db, 180 * MINUTE).await;
}

async fn does_not_send_again(db: Db, fast_by: i64) {
    let scene = Scene::set(db, &[fast_by]).await;
    // The account cannot be searched until a person has to decide.
    let post = scene.lose_the_answer(5).await;
    assert_eq!(scene.settled(&post).await["state"], "ACTION_REQUIRED");
    scene.t.api.publish_as_read(&post).await;
    let root = scene.settled(&post).await;
    assert_eq!(
        (root["state"].as_str(), scene.t.sim.publication_count()),
        (Some("PUBLISHED"), 1),
        "{root:#}"
    );
    assert_eq!(scene.t.calls(Endpoint::ContentInit).len(), 1, "handed over once");
    scene.stop().await;
}

async fn whatever_clocks_do_each_post_goes_out_once_and_early_only_by_what_a_clock_is_fast(db: Db) {
    for seed in 1..=3 {
        jumping_clocks(db, seed).await;
    }
}

/// Posts over two hours, on two nodes whose clocks are set to something else every few minutes; both are right in the end.
async fn jumping_clocks(db: Db, seed: u64) {
    let mut chance = Chance(seed);
    let scene = Scene::set(db, &[0, 0]).await;
    let start = scene.t.now();
    let mut posts = Vec::new();
    for _ in 0..8 {
        let due = later(start, MINUTE + chance.below(120 * MINUTE)).to_millis_precision();
        posts.push((scene.schedule(due).await, due));
    }
    let mut fastest = vec![(start, 0)];
    for _ in 0..24 {
        let node = &scene.nodes[usize::try_from(chance.below(2)).unwrap()];
        node.clock.set(jump(&mut chance));
        let fast_by = scene.nodes.iter().map(|node| node.clock.fast_by()).max().unwrap();
        fastest.push((scene.t.now(), fast_by.max(0)));
        let to = later(scene.t.now(), chance.below(12 * MINUTE));
        scene.pass_until(to, 4 * POLL_EVERY).await;
    }
    scene.nodes.iter().for_each(|node| node.clock.set(0));
    // A query that was put off by a fast clock is late by as much as the clock is fast: six hours at most here.
    scene
        .pass_until(later(scene.t.now(), 7 * 60 * MINUTE), 12 * POLL_EVERY)
        .await;
    let published = scene.t.sim.publications();
    assert_eq!(published.len(), posts.len(), "seed {seed}: each once");
    for (post, due) in &posts {
        let root = scene.t.root(post).await;
        assert_eq!(root["state"], "PUBLISHED", "seed {seed}: {root:#}");
        let release = root["releaseId"].as_str().unwrap();
        let out = published.iter().find(|one| one.post_id == release).unwrap();
        let fast = fastest
            .iter()
            .rfind(|(since, _)| *since <= out.inited_at)
            .unwrap()
            .1;
        assert!(
            out.inited_at >= later(*due, -fast),
            "seed {seed}: {due} was out at {}, {fast} µs fast",
            out.inited_at
        );
    }
    scene.stop().await;
}

/// Right again; seconds off; or minutes to hours, either way.
fn jump(chance: &mut Chance) -> i64 {
    let size = match chance.below(4) {
        0 => return 0,
        1 | 2 => chance.below(40 * SECOND),
        _ => chance.below(6 * 60 * MINUTE),
    };
    if chance.below(2) == 0 { size } else { -size }
}
