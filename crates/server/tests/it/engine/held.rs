//! What responses and posts report to people while publications are held, and afterwards of the posts that wait for them
//! because of it; what is logged of holds.

use std::time::Duration;

use futures_util::FutureExt;
use playout_tiktok::sim::{Endpoint, Fault, FaultAction, HoldPoint};
use serde_json::{Value, json};

use super::hold::{DAY, HOUR, draft, plan, planned, searched, searched_in_time};
use crate::harness::{Db, Options, TestApp, eventually, execute_in, on_both, post_body};

on_both!(
    while_publications_are_held_answers_warn_and_a_due_post_says_what_it_waits_for,
    a_post_that_a_restore_leaves_to_a_person_has_an_attempt_that_explains_it,
    a_try_under_way_that_a_restore_leaves_to_a_person_says_why,
    a_post_that_waits_after_a_restore_has_an_attempt_that_says_until_when,
    the_log_says_when_a_person_holds_and_releases,
    a_hold_that_is_released_before_a_node_has_seen_it_is_logged,
    a_search_that_panics_is_logged_and_begun_again,
    a_hold_of_long_ago_is_searched_for_ten_minutes_all_the_same,
    the_log_says_how_to_search_again_when_the_provider_has_not_answered_for_ten_minutes,
);

const POSTS: &str = "/public/v1/posts";

fn codes(body: &Value) -> Vec<&str> {
    let warnings = body["warnings"].as_array().unwrap().iter();
    warnings
        .map(|warning| warning["code"].as_str().unwrap())
        .collect()
}

async fn created(t: &TestApp, path: &str, body: &Value) -> Value {
    t.api.post(path, body).await.ok()["results"][0].take()
}

pub(super) async fn last_attempt(t: &TestApp, post: &str) -> Value {
    let attempts = t.api.get(&format!("{POSTS}/{post}/attempts")).await.ok();
    attempts["attempts"]
        .as_array()
        .unwrap()
        .last()
        .cloned()
        .unwrap_or_default()
}

/// Holds publications by hand, and keeps the search from ending until [`let_go`].
async fn hold(t: &TestApp) {
    t.sim.hold(Endpoint::VideoList, HoldPoint::Before);
    let now = t.now();
    t.app
        .store
        .begin_hold(now.minus(HOUR), "it was held by hand", now)
        .await
        .unwrap();
    eventually("the account is asked", async || {
        t.clock.advance(Duration::from_secs(5));
        t.sim.held(Endpoint::VideoList, 1).now_or_never().is_some()
    })
    .await;
}

async fn while_publications_are_held_answers_warn_and_a_due_post_says_what_it_waits_for(db: Db) {
    let t = TestApp::start(db).await;
    let (platform, clip) = (t.connect("kitestudio").await, t.api.upload_clip().await);
    let sketch = t.api.create_post(&draft(&platform, "a draft", &clip)).await;
    let later = plan(&t, &platform, ("later", &clip), 5 * DAY).await;
    hold(&t).await;

    let now = post_body(&platform, std::slice::from_ref(&clip));
    let soon = planned(&t, &platform, ("soon", &clip), HOUR);
    let answer = created(&t, POSTS, &now).await;
    assert_eq!(codes(&answer), ["held"]);
    let text = answer["warnings"][0]["message"].as_str().unwrap();
    assert!(text.contains("goes out afterwards"), "{text}");
    assert_eq!(
        codes(&created(&t, "/public/v1/posts/validate", &soon).await),
        ["held"]
    );
    assert!(codes(&created(&t, POSTS, &draft(&platform, "another", &clip)).await).is_empty());
    let at = json!({ "scheduledFor": t.now().plus(DAY).to_string() });
    assert_eq!(
        codes(&t.api.patch(&format!("{POSTS}/{later}/schedule"), &at).await.ok()),
        ["held"]
    );
    assert_eq!(
        codes(
            &t.api
                .post(&format!("{POSTS}/{sketch}/publish"), &json!({}))
                .await
                .ok()
        ),
        ["held"]
    );

    let post = answer["post"]["root"]["id"].as_str().unwrap().to_owned();
    let listed = t.api.get(&format!("{POSTS}?state=QUEUE")).await.ok();
    let listed = listed["posts"]
        .as_array()
        .unwrap()
        .iter()
        .find(|listed| listed["id"] == post.as_str())
        .unwrap()
        .clone();
    for root in [t.root(&post).await, listed] {
        assert!(
            root["state"] == "QUEUE" && root["errorText"].as_str().unwrap().contains("(held)"),
            "{root:#}"
        );
    }
    assert_eq!(t.root(&later).await["errorText"], Value::Null, "it is not due");

    t.sim.release(Endpoint::VideoList);
    searched_in_time(&t).await;
    assert!(codes(&created(&t, POSTS, &soon).await).is_empty());
    let root = t.settled(&post).await;
    assert_eq!(
        (&root["state"], &root["errorText"]),
        (&json!("PUBLISHED"), &Value::Null),
        "{root:#}"
    );
}

async fn a_post_that_a_restore_leaves_to_a_person_has_an_attempt_that_explains_it(db: Db) {
    let mut t = TestApp::start(db).await;
    let (platform, clip) = (t.connect("kitestudio").await, t.api.upload_clip().await);
    let due = plan(&t, &platform, ("due in an hour", &clip), HOUR).await;
    let copy = t.copy_database().await;
    t.stop().await;
    t.clock.advance(2 * HOUR);
    t.go_on_with(copy).await;
    searched(&t).await;
    assert_eq!(t.root(&due).await["state"], "ACTION_REQUIRED");
    let attempt = last_attempt(&t, &due).await;
    assert_eq!(
        (&attempt["code"], &attempt["explanation"]["whoActs"]),
        (&json!("restored"), &json!("user")),
        "{attempt:#}"
    );
    assert_eq!(attempt["nextRetryAt"], Value::Null);
}

async fn a_try_under_way_that_a_restore_leaves_to_a_person_says_why(db: Db) {
    let mut t = TestApp::start(db).await;
    t.sim.turn(|knobs| (knobs.stuck, knobs.webhooks) = (true, false));
    let (platform, clip) = (t.connect("kitestudio").await, t.api.upload_clip().await);
    let post = t.api.publish_now(&platform, &[clip]).await;
    t.idle().await;
    let copy = t.copy_database().await;
    t.go_on_with(copy).await;
    searched_in_time(&t).await;
    assert_eq!(t.root(&post).await["state"], "ACTION_REQUIRED");
    let attempt = last_attempt(&t, &post).await;
    assert_eq!(
        (&attempt["code"], &attempt["outcome"]),
        (&json!("restored"), &json!("unknown")),
        "{attempt:#}"
    );
}

async fn a_post_that_waits_after_a_restore_has_an_attempt_that_says_until_when(db: Db) {
    let mut t = TestApp::start(db).await;
    let (platform, clip) = (t.connect("kitestudio").await, t.api.upload_clip().await);
    let soon = HOUR / 3;
    let post = plan(&t, &platform, ("due soon", &clip), soon).await;
    let copy = t.copy_database().await;
    t.go_on_with(copy).await;
    searched(&t).await;
    t.advance(soon).await;
    let attempt = last_attempt(&t, &post).await;
    assert_eq!(
        (&attempt["code"], &attempt["explanation"]["whoActs"]),
        (&json!("restored_recently"), &json!("nobody")),
        "{attempt:#}"
    );
    assert!(
        attempt["nextRetryAt"].as_str().unwrap() > t.now().to_string().as_str(),
        "{attempt:#}"
    );
    t.advance(HOUR).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    assert_eq!(t.sim.publication_count(), 1);
}

async fn the_log_says_when_a_person_holds_and_releases(db: Db) {
    let t = TestApp::start(db).await;
    let (platform, clip) = (t.connect("kitestudio").await, t.api.upload_clip().await);
    plan(&t, &platform, ("later", &clip), DAY).await;
    hold(&t).await;
    let said = t.errors.warned("publications are held").await;
    assert!(
        said.len() == 1 && said[0].contains("held by hand: first 1 post must be looked for"),
        "{said:?}"
    );
    let released = t.app.store.release_hold(t.now()).await.unwrap();
    assert_eq!(released.unwrap().not_looked_for, 1);
    t.sim.release(Endpoint::VideoList);
    eventually("it is noticed", async || {
        t.clock.advance(Duration::from_secs(5));
        !t.errors.warnings("a person has released the hold").is_empty()
    })
    .await;
    assert!(t.errors.warnings("a person has released the hold")[0].contains("not looked for: 1 post"));
}

async fn a_hold_that_is_released_before_a_node_has_seen_it_is_logged(db: Db) {
    let t = TestApp::start(db).await;
    let (platform, clip) = (t.connect("kitestudio").await, t.api.upload_clip().await);
    plan(&t, &platform, ("later", &clip), DAY).await;
    for _ in 0..2 {
        hold(&t).await;
        t.sim.release(Endpoint::VideoList);
        searched_in_time(&t).await;
    }
    assert_eq!(t.errors.warnings("publications were held"), Vec::<String>::new());
    let now = t.now();
    let store = &t.app.store;
    store
        .begin_hold(now.minus(HOUR), "it was held by hand", now)
        .await
        .unwrap();
    store.release_hold(now).await.unwrap();
    eventually("it is noticed", async || {
        t.clock.advance(Duration::from_secs(5));
        !t.errors.warnings("publications were held").is_empty()
    })
    .await;
    let said = t.errors.warnings("publications were held");
    assert!(said[0].contains("it was held by hand"), "{said:?}");
}

#[tokio::test]
async fn a_database_that_is_away_is_not_said_to_hold_publications() {
    let t = TestApp::start(Db::Sqlite).await;
    t.errors.expect("database");
    let file = t
        .app
        .config
        .database_url
        .expose()
        .trim_start_matches("sqlite://")
        .to_owned();
    let away = format!("{file}.away");
    std::fs::rename(&file, &away).unwrap();
    eventually("it was looked for a hold", async || {
        t.clock.advance(Duration::from_secs(5));
        !t.errors.errors("whether publications are held").is_empty()
    })
    .await;
    assert_eq!(t.errors.errors("stay held"), Vec::<String>::new());
    std::fs::rename(&away, &file).unwrap();
}

async fn a_search_that_panics_is_logged_and_begun_again(db: Db) {
    let options = Options::default().set("failpoint", "hold.before_settle=panic".to_owned());
    let t = TestApp::start_with(db, options).await;
    t.errors.expect("could not be looked for");
    let (platform, clip) = (t.connect("kitestudio").await, t.api.upload_clip().await);
    plan(&t, &platform, ("later", &clip), 5 * DAY).await;
    let now = t.now();
    t.app
        .store
        .begin_hold(now.minus(HOUR), "it was held by hand", now)
        .await
        .unwrap();
    eventually("the account is searched a second time", async || {
        t.clock.advance(Duration::from_secs(20));
        t.errors.errors("could not be looked for").len() > 1
    })
    .await;
}

/// A copy that was held an hour before its engine starts, of a database in which its post went out meanwhile.
async fn go_on_with_held_copy(t: &mut TestApp, db: Db) -> String {
    let (platform, clip) = (t.connect("kitestudio").await, t.api.upload_clip().await);
    let due = plan(t, &platform, ("due in an hour", &clip), HOUR).await;
    let copy = t.copy_database().await;
    let held_at = t.now().as_micros();
    let held = format!(
        "UPDATE instance SET held_at = {held_at}, held_since = {held_at}, held_because = 'of the test'"
    );
    execute_in(&copy.url, db, held).await;
    t.clock.advance(HOUR);
    t.settled(&due).await;
    t.go_on_with(copy).await;
    due
}

async fn a_hold_of_long_ago_is_searched_for_ten_minutes_all_the_same(db: Db) {
    let mut t = TestApp::start(db).await;
    let unanswered = Fault::new(Endpoint::VideoList, FaultAction::internal_error());
    t.sim.inject(unanswered.times(1));
    let due = go_on_with_held_copy(&mut t, db).await;
    searched_in_time(&t).await;
    assert_eq!(t.root(&due).await["state"], "PUBLISHED");
    assert_eq!(t.sim.publication_count(), 1);
}

async fn the_log_says_how_to_search_again_when_the_provider_has_not_answered_for_ten_minutes(db: Db) {
    let mut t = TestApp::start(db).await;
    let unanswered = Fault::new(Endpoint::VideoList, FaultAction::internal_error());
    t.sim.inject(unanswered.times(1000));
    let due = go_on_with_held_copy(&mut t, db).await;
    let begun = t.now();
    searched_in_time(&t).await;
    assert!(t.now().since(begun) > Duration::from_secs(600));
    assert_eq!(t.root(&due).await["state"], "ACTION_REQUIRED");
    let meanwhile = t.errors.warnings("could not be searched");
    assert!(
        meanwhile.iter().all(|line| {
            line.contains("are searched again until ")
                && line.contains("nothing to do until then")
                && !line.contains("Where nothing can have been published")
        }) && !meanwhile.is_empty(),
        "{meanwhile:?}"
    );
    let said = t.errors.warned("has not listed any for ten minutes").await;
    assert!(
        said.len() == 1 && said[0].contains("`playoutd admin engine hold`"),
        "{said:?}"
    );
}
