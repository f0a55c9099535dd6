//! A database that is put back to an earlier state under a running node, in the middle of its comparison.

use std::time::Duration;

use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

use super::hold::{HOUR, planned};
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
    let post = t
        .api
        .create_post(&planned(&t, &platform, ("due in an hour", &clip), HOUR))
        .await;
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
