//! Budgets of the engine: slow or unanswered requests for one account or one kind of work delay no other.

use std::time::Duration;

use playout_domain::time::Time;
use playout_tiktok::sim::{Account, Endpoint, HoldPoint};
use serde_json::json;

use crate::harness::{Client, Db, Options, TestApp, eventually, on_both, post_body, texts_in};

on_both!(
    sixty_four_held_uploads_of_eleven_accounts_delay_no_start_of_a_twelfth,
    posts_start_while_uploads_have_no_room_and_each_goes_out_once,
    one_workspace_cannot_take_all_hand_overs,
    two_hundred_refreshes_without_an_answer_delay_no_start,
);

const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(3600);

async fn schedule(api: &Client, platform: &str, clip: &str, at: Time) -> String {
    let mut body = post_body(platform, &[clip.to_owned()]);
    (body["mode"], body["scheduledFor"]) = (json!("schedule"), json!(at));
    api.create_post(&body).await
}

/// New accounts in the test's workspace, each with one post for `at`; returns the posts.
async fn one_post_each(t: &TestApp, accounts: usize, at: Time) -> Vec<String> {
    let clip = t.api.upload_clip().await;
    let mut posts = Vec::new();
    for number in 0..accounts {
        let platform = t.join(&format!("creator{number}")).await;
        posts.push(schedule(&t.api, &platform, &clip, at).await);
    }
    posts
}

/// A new account that is connected without the consent page: for tests that need many.
async fn join_quickly(t: &TestApp, username: &str) -> String {
    t.sim.add_account(Account::new(username));
    let scopes = [
        "user.info.basic",
        "user.info.profile",
        "video.publish",
        "video.upload",
        "video.list",
    ];
    t.connect_granted(username, &scopes).await
}

/// Waits until the first post of an account has reached the provider, and returns when, by the clock of the test. What is held at the
/// provider ends by itself after half a minute of real time: the caller asserts that the others are still held.
async fn started_at(t: &TestApp, username: &str) -> Time {
    eventually("the post is started", async || t.handovers_of(username) == 1).await;
    let open_id = Some(t.open_id(username));
    let calls = t.calls(Endpoint::VideoInit);
    calls.iter().find(|call| call.account == open_id).unwrap().at
}

/// How many refreshes were begun. Those that have ended make room for others.
async fn refreshes_begun(t: &TestApp, db: Db) -> usize {
    let sql = "SELECT CAST(attempt AS TEXT) FROM jobs WHERE kind = 'refresh_platform' AND attempt > 0";
    texts_in(t.app.config.database_url.expose(), db, sql).await.len()
}

/// How many accounts had their options queried again after they were connected: their posts are being handed over.
fn handed_over(t: &TestApp, connected: usize) -> usize {
    t.calls(Endpoint::CreatorInfo).len() - connected
}

async fn all_are_published_once(t: &TestApp, posts: &[String]) {
    for post in posts {
        assert_eq!(t.settled(post).await["state"], "PUBLISHED");
        let answer = t.api.get(&format!("/public/v1/posts/{post}/attempts")).await.ok();
        let attempts = answer["attempts"].as_array().unwrap();
        assert_eq!(attempts.len(), 1, "waiting is no attempt: {attempts:#?}");
    }
}

async fn sixty_four_held_uploads_of_eleven_accounts_delay_no_start_of_a_twelfth(db: Db) {
    let t = TestApp::start(db).await;
    let due = t.now().plus(MINUTE);
    let clip = t.api.upload_clip().await;
    let mut posts = Vec::new();
    for account in 0..6 {
        let platform = t.join(&format!("creator{account}")).await;
        for _ in 0..6 {
            posts.push(schedule(&t.api, &platform, &clip, due).await);
        }
    }
    for (account, count) in (6..11).zip([6, 6, 6, 6, 4]) {
        let username = format!("creator{account}");
        t.sim.add_account(Account::new(&username));
        let (api, platform) = t.stranger_with(&username).await;
        let clip = api.upload_clip().await;
        for _ in 0..count {
            schedule(&api, &platform, &clip, due).await;
        }
    }
    let twelfth = t.join("twelfth").await;
    let later = due.plus(SECOND * 10);
    posts.push(schedule(&t.api, &twelfth, &clip, later).await);
    t.sim.hold(Endpoint::Upload, HoldPoint::Before);
    t.clock.set(due);
    t.sim.held(Endpoint::Upload, 64).await;
    t.clock.set(later);
    let started = started_at(&t, "twelfth").await;
    assert!(started.since(later) <= SECOND);
    // The others are held still.
    t.sim.held(Endpoint::Upload, 65).await;
    t.sim.release(Endpoint::Upload);
    t.idle().await;
    all_are_published_once(&t, &posts).await;
    t.advance(HOUR).await;
    assert_eq!(t.sim.publication_count(), 65);
}

async fn posts_start_while_uploads_have_no_room_and_each_goes_out_once(db: Db) {
    let t = TestApp::start_with(db, Options::default().set("worker_concurrency", "4")).await;
    let due = t.now().plus(MINUTE);
    let posts = one_post_each(&t, 10, due).await;
    t.sim.hold(Endpoint::Upload, HoldPoint::Before);
    t.clock.set(due);
    eventually("all ten are started", async || {
        t.calls(Endpoint::VideoInit).len() == 10
    })
    .await;
    // Three of a workspace, and with the first of each account six.
    eventually("those without room are given back", async || {
        t.app.heart.running() == 6
    })
    .await;
    t.sim.held(Endpoint::Upload, 6).await;
    eventually("the engine rests, with posts that are due", async || {
        let before = *t.app.heart.pulse().borrow();
        for _ in 0..20 {
            t.api.get("/public/v1/platforms").await.ok();
        }
        *t.app.heart.pulse().borrow() == before
    })
    .await;
    t.sim.release(Endpoint::Upload);
    t.idle().await;
    all_are_published_once(&t, &posts).await;
    t.advance(HOUR).await;
    assert_eq!(t.sim.publication_count(), 10);
}

async fn one_workspace_cannot_take_all_hand_overs(db: Db) {
    let t = TestApp::start_with(db, Options::default().set("worker_concurrency", "4")).await;
    let due = t.now().plus(MINUTE);
    let posts = one_post_each(&t, 10, due).await;
    t.sim.add_account(Account::new("elsewhere"));
    let (api, platform) = t.stranger_with("elsewhere").await;
    let clip = api.upload_clip().await;
    let later = due.plus(SECOND);
    schedule(&api, &platform, &clip, later).await;
    t.sim.hold(Endpoint::VideoInit, HoldPoint::Before);
    t.clock.set(due);
    eventually("the workspace has all that it can", async || {
        t.app.heart.running() >= 4
    })
    .await;
    t.clock.set(later);
    let open_id = Some(t.open_id("elsewhere"));
    eventually("the post of the other workspace is started", async || {
        let calls = t.calls(Endpoint::CreatorInfo);
        calls.iter().filter(|call| call.account == open_id).count() == 2
    })
    .await;
    // The first six are held still.
    t.sim.held(Endpoint::VideoInit, 7).await;
    assert_eq!(
        handed_over(&t, 11),
        7,
        "six of the one workspace, one of the other"
    );
    t.sim.release(Endpoint::VideoInit);
    t.idle().await;
    all_are_published_once(&t, &posts).await;
    assert_eq!(t.sim.publication_count(), 11);
}

async fn two_hundred_refreshes_without_an_answer_delay_no_start(db: Db) {
    let t = TestApp::start(db).await;
    for number in 0..200 {
        join_quickly(&t, &format!("creator{number}")).await;
    }
    t.sim.hold(Endpoint::TokenRefresh, HoldPoint::Before);
    t.clock.advance(HOUR * 23);
    eventually("refreshes are under way", async || t.app.heart.running() >= 20).await;
    let platform = t.join("late").await;
    let later = t.now().plus(MINUTE);
    let post = schedule(&t.api, &platform, &t.api.upload_clip().await, later).await;
    t.clock.set(later);
    let started = started_at(&t, "late").await;
    assert!(started.since(later) <= SECOND);
    let begun = refreshes_begun(&t, db).await;
    assert!(
        begun <= t.app.heart.running(),
        "some of {begun} refreshes have ended"
    );
    t.sim.release(Endpoint::TokenRefresh);
    t.idle().await;
    all_are_published_once(&t, &[post]).await;
}
