//! A database that is put back to an earlier state under a running node: in the middle of its comparison, or table by table.

use std::cell::Cell;
use std::time::Duration;

use playout_server::identity::Fit;
use serde_json::json;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

use super::hold::{HOUR, plan, planned};
use super::internal::damage;
use super::restored::{MINUTE, is_a_persons};
use super::restored_private::set_defaults;
use crate::harness::{Db, TestApp, eventually, texts_in};

/// Whether the node waits to raise the pulse that it has read.
async fn waits_to_raise_the_pulse(url: &str) -> bool {
    let waiting =
        "SELECT query FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
        AND query LIKE '%UPDATE instance SET%pulse%'";
    !texts_in(url, Db::Postgres, waiting).await.is_empty()
}

/// The files of the server are put back between the statement that reads the pulse and the one that raises it.
#[tokio::test]
async fn a_database_that_is_put_back_while_it_is_compared_publishes_nothing_twice() {
    let t = TestApp::start(Db::Postgres).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let post = plan(&t, &platform, ("due in an hour", &clip), HOUR).await;
    let url = t.app.config.database_url.expose().to_owned();
    let before = t.app.store.last_seen().await.unwrap();
    let jobs = "SELECT row_to_json(j)::text FROM jobs j WHERE kind = 'publish_post'";
    let job = texts_in(&url, Db::Postgres, jobs).await[0].replace('\'', "''");
    t.clock.advance(HOUR);
    t.settled(&post).await;
    assert_eq!(t.sim.publication_count(), 1);

    let mut connection = PgConnection::connect(&url).await.unwrap();
    let mut put_back = connection.begin().await.unwrap();
    put_back
        .execute("SELECT id FROM instance FOR UPDATE")
        .await
        .unwrap();
    t.clock.advance(Duration::from_secs(10));
    eventually("the pulse was read", async || {
        waits_to_raise_the_pulse(&url).await
    })
    .await;
    let earlier = format!(
        "UPDATE posts SET state = 'QUEUE', release_id = NULL, release_url = NULL, publishing = FALSE;
         DELETE FROM submissions;
         INSERT INTO jobs SELECT * FROM json_populate_record(NULL::jobs, '{job}');
         UPDATE instance SET pulse = {}, pulse_at = {}",
        before.pulse,
        before.at.unwrap().as_micros()
    );
    put_back.execute(AssertSqlSafe(earlier)).await.unwrap();
    put_back.commit().await.unwrap();

    eventually("a hold has begun and ended", async || {
        t.clock.advance(Duration::from_secs(5));
        t.app.store.find_last_hold().await.unwrap().is_some()
    })
    .await;
    t.idle().await;
    assert_eq!(t.root(&post).await["state"], "PUBLISHED");
    assert_eq!(t.sim.publication_count(), 1);
}

/// What `pg_restore --clean` has done half way: the jobs and the row of the installation are there, no post is, and neither is the key
/// that is made last.
fn half_a_restore(pulse: i64, at: i64) -> String {
    format!(
        "ALTER TABLE jobs DROP CONSTRAINT jobs_post_id_fkey;
         DELETE FROM posts;
         DELETE FROM jobs WHERE post_id IS NOT NULL;
         INSERT INTO jobs SELECT * FROM kept_jobs;
         UPDATE instance SET pulse = {pulse}, pulse_at = {at}"
    )
}

const THE_OTHER_HALF: &str = "INSERT INTO posts SELECT * FROM kept_posts;
    INSERT INTO post_media SELECT * FROM kept_media;
    ALTER TABLE jobs ADD CONSTRAINT jobs_post_id_fkey FOREIGN KEY (post_id) REFERENCES posts (id) ON DELETE CASCADE";

/// A hold that began while the posts are missing would mark none and end at once.
#[tokio::test]
async fn a_dump_that_is_loaded_table_by_table_under_a_running_node_publishes_nothing_twice() {
    let t = TestApp::start(Db::Postgres).await;
    t.errors.expect("still being filled");
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let due = plan(&t, &platform, ("due in an hour", &clip), HOUR).await;
    let later = plan(&t, &platform, ("due in two days", &clip), 48 * HOUR).await;
    let seen = t.app.store.last_seen().await.unwrap();
    let copy = "CREATE TABLE kept_posts AS TABLE posts;
        CREATE TABLE kept_media AS TABLE post_media;
        CREATE TABLE kept_jobs AS SELECT * FROM jobs WHERE post_id IS NOT NULL";
    damage(&t, Db::Postgres, copy.to_owned()).await;
    t.clock.advance(HOUR);
    t.settled(&due).await;
    assert_eq!(t.sim.publication_count(), 1);

    // As it does in the time between a backup and its restore.
    eventually("the pulse has risen", async || {
        t.clock.advance(Duration::from_secs(10));
        t.app.store.last_seen().await.unwrap().pulse > seen.pulse + 1
    })
    .await;
    let half = half_a_restore(seen.pulse, seen.at.unwrap().as_micros());
    damage(&t, Db::Postgres, half).await;
    eventually("it is found incomplete", async || {
        t.clock.advance(Duration::from_secs(2));
        t.app.identity.fit() == Fit::Incomplete
    })
    .await;
    eventually("it is logged", async || {
        t.clock.advance(Duration::from_secs(2));
        !t.errors.errors("still being filled").is_empty()
    })
    .await;
    let health = t.nobody().get("/readyz").await;
    assert_eq!(health.status, 503);
    assert_eq!(health.json()["database"], "failing");
    assert!(t.app.store.find_hold().await.unwrap().is_none());
    assert!(t.app.store.find_last_hold().await.unwrap().is_none());
    let url = t.app.config.database_url.expose();
    let jobs = "SELECT attempt::text FROM jobs WHERE post_id IS NOT NULL";
    assert_eq!(
        texts_in(url, Db::Postgres, jobs).await,
        ["0", "0"],
        "none was claimed"
    );

    damage(&t, Db::Postgres, THE_OTHER_HALF.to_owned()).await;
    eventually("a hold has begun and ended", async || {
        t.clock.advance(Duration::from_secs(5));
        t.app.identity.fit() == Fit::Fits && t.app.store.find_last_hold().await.unwrap().is_some()
    })
    .await;
    t.idle().await;
    assert_eq!(t.root(&due).await["state"], "PUBLISHED");
    assert_eq!(t.root(&later).await["state"], "QUEUE");
    assert_eq!(t.sim.publication_count(), 1);
}

/// The text and the privacy that a post may be out with are kept once the hold has begun. What a person changes before that would be lost.
#[tokio::test]
async fn an_edit_waits_until_a_database_that_was_put_back_is_held() {
    waits_until_what_was_put_back_is_held(true).await;
}

#[tokio::test]
async fn an_edit_waits_until_a_database_that_was_put_back_under_its_connections_is_held() {
    waits_until_what_was_put_back_is_held(false).await;
}

async fn waits_until_what_was_put_back_is_held(are_cut: bool) {
    let t = TestApp::start(Db::Postgres).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let mut body = planned(&t, &platform, ("due in an hour", &clip), HOUR);
    body["settings"]["privacy_level"] = "SELF_ONLY".into();
    let post = t.api.create_post(&body).await;
    let url = t.app.config.database_url.expose().to_owned();
    let before = t.app.store.last_seen().await.unwrap();
    t.clock.advance(Duration::from_secs(10));
    eventually("the pulse has risen", async || {
        t.app.store.last_seen().await.unwrap().pulse > before.pulse
    })
    .await;

    let mut gate = PgConnection::connect(&url).await.unwrap();
    let earlier = format!(
        "UPDATE instance SET pulse = {}, pulse_at = {}",
        before.pulse,
        before.at.unwrap().as_micros()
    );
    gate.execute(AssertSqlSafe(earlier)).await.unwrap();
    gate.execute("BEGIN; SELECT id FROM instance FOR UPDATE")
        .await
        .unwrap();
    if are_cut {
        gate.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE datname = current_database() AND pid <> pg_backend_pid()",
        )
        .await
        .unwrap();
    }
    let path = format!("/public/v1/posts/{post}");
    let public = json!({ "settings": { "privacy_level": "PUBLIC_TO_EVERYONE" } });
    assert_eq!(t.api.patch(&path, &public).await.status, 503);
    assert_eq!(t.api.delete(&path).await.status, 503);
    gate.execute("ROLLBACK").await.unwrap();
    eventually("a hold has begun and ended", async || {
        t.clock.advance(Duration::from_secs(5));
        matches!(t.app.store.find_last_hold().await, Ok(Some(_)))
    })
    .await;
    is_a_persons(&t.root(&post).await);
}

/// While a comparison cannot end nothing is claimed. It is repeated once it can, although no time passes that a clock would show.
#[tokio::test]
async fn a_comparison_that_fails_is_repeated() {
    let t = TestApp::start(Db::Postgres).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let url = t.app.config.database_url.expose().to_owned();
    let mut gate = PgConnection::connect(&url).await.unwrap();
    // A query that used a connection in that moment fails with why it ends, or that it has ended.
    t.errors.expect("terminating connection");
    t.errors.expect("error communicating with database");
    gate.execute("BEGIN; SELECT id FROM instance FOR UPDATE")
        .await
        .unwrap();
    gate.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid()",
    )
    .await
    .unwrap();
    eventually("requests have new connections", async || {
        t.api.get("/public/v1/platforms").await.status == 200
    })
    .await;
    let post = t.api.publish_now(&platform, &[clip]).await;
    eventually("the node compares", async || waits_to_raise_the_pulse(&url).await).await;
    // Not once, but as often as its connections were new.
    let quiet = Cell::new(0);
    eventually("that has failed", async || {
        let waits = waits_to_raise_the_pulse(&url).await;
        quiet.set(if waits { 0 } else { quiet.get() + 1 });
        quiet.get() == 50
    })
    .await;
    gate.execute("ROLLBACK").await.unwrap();
    eventually("it was published", async || {
        t.root(&post).await["state"] == "PUBLISHED"
    })
    .await;
}

/// A hold begins while the account of its posts is made public: they may be out as private ones, which no account lists.
#[tokio::test]
async fn posts_that_a_hold_marks_while_their_account_is_changed_count_as_hidden() {
    let t = TestApp::start(Db::Postgres).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    set_defaults(&t, &platform, &json!({ "privacy_level": "SELF_ONLY" })).await;
    let mut body = planned(&t, &platform, ("due in an hour", &clip), HOUR);
    body["settings"] = json!({});
    t.api.create_post(&body).await;
    let url = t.app.config.database_url.expose().to_owned();
    let mut gate = PgConnection::connect(&url).await.unwrap();
    gate.execute("BEGIN; SELECT id FROM platforms FOR UPDATE")
        .await
        .unwrap();
    let public = json!({ "privacy_level": "PUBLIC_TO_EVERYONE" });
    let changing = set_defaults(&t, &platform, &public);
    let waiting =
        "SELECT query FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
        AND query LIKE '%FROM platforms%'";
    let holding = async {
        eventually("the change waits", async || {
            !texts_in(&url, Db::Postgres, waiting).await.is_empty()
        })
        .await;
        let (since, now) = (t.now().minus(MINUTE), t.now());
        let begun = t.app.store.begin_hold(since, "it was held by hand", now);
        begun.await.unwrap();
        gate.execute("ROLLBACK").await.unwrap();
    };
    tokio::join!(changing, holding);
    let hidden = "SELECT CAST(look_hidden AS TEXT) FROM posts";
    assert_eq!(texts_in(&url, Db::Postgres, hidden).await, ["true"]);
}
