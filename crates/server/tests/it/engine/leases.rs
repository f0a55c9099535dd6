//! Leases of runs that are under way for long.

use std::time::Duration;

use playout_tiktok::sim::{Endpoint, HoldPoint};
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

use super::comments::{business, with_comments};
use super::internal::quoted;
use crate::harness::{Db, TestApp, eventually, execute_in, on_both, texts_in};

on_both!(a_locked_row_costs_neither_its_run_nor_the_others_their_leases);

/// A column of the job of a post, as text.
async fn of_its_job(t: &TestApp, db: Db, post: &str, column: &str) -> String {
    let post = quoted(db, post);
    let sql =
        format!("SELECT CAST({column} AS TEXT) FROM jobs WHERE post_id = {post} AND kind = 'publish_post'");
    let mut found = texts_in(t.app.config.database_url.expose(), db, sql).await;
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

/// Until when the job of a post is claimed, in microseconds.
async fn leased_until(t: &TestApp, db: Db, post: &str) -> i64 {
    of_its_job(t, db, post, "leased_until").await.parse().unwrap()
}

/// Waits until the job of a post is claimed for longer than that.
async fn is_renewed(t: &TestApp, db: Db, post: &str, before: i64) {
    eventually("its lease is renewed", async || {
        leased_until(t, db, post).await > before
    })
    .await;
}

/// A transaction that holds the row of the job of a post. SQLite has no such locks.
async fn holding(t: &TestApp, db: Db, post: &str) -> Option<PgConnection> {
    if db == Db::Sqlite {
        return None;
    }
    let mut gate = PgConnection::connect(t.app.config.database_url.expose())
        .await
        .unwrap();
    let post = quoted(db, post);
    let sql = format!("BEGIN; SELECT id FROM jobs WHERE post_id = {post} FOR UPDATE");
    gate.execute(AssertSqlSafe(sql)).await.unwrap();
    Some(gate)
}

async fn a_locked_row_costs_neither_its_run_nor_the_others_their_leases(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    t.sim.hold(Endpoint::UploadLast, HoldPoint::Before);
    let locked = t.api.publish_now(&platform, std::slice::from_ref(&clip)).await;
    let other = t.api.publish_now(&platform, &[clip]).await;
    t.sim.held(Endpoint::UploadLast, 2).await;
    let lease = t.app.config.worker_lease;
    let of_locked = leased_until(&t, db, &locked).await;
    let of_other = leased_until(&t, db, &other).await;
    let gate = holding(&t, db, &locked).await;
    t.clock.advance(lease / 3);
    is_renewed(&t, db, &other, of_other).await;
    if let Some(mut gate) = gate {
        assert_eq!(leased_until(&t, db, &locked).await, of_locked);
        gate.execute("ROLLBACK").await.unwrap();
        // Before the next round of the others.
        t.clock.advance(lease / 12);
    }
    is_renewed(&t, db, &locked, of_locked).await;
    for _ in 0..3 {
        let of_locked = leased_until(&t, db, &locked).await;
        let of_other = leased_until(&t, db, &other).await;
        t.clock.advance(lease / 3);
        is_renewed(&t, db, &locked, of_locked).await;
        is_renewed(&t, db, &other, of_other).await;
    }
    for post in [&locked, &other] {
        assert_eq!(of_its_job(&t, db, post, "attempt").await, "1", "one run");
    }
    t.sim.release(Endpoint::UploadLast);
    for post in [&locked, &other] {
        assert_eq!(t.settled(post).await["state"], "PUBLISHED");
    }
    assert_eq!((t.sim.publication_count(), t.sim.task_count()), (2, 2));
}

/// Lets the statement that first notes a last chunk wait for [`GATE`], and another node take the job over before it is committed.
const TAKEN_OVER_AT_THE_NOTE: &str = "
    CREATE FUNCTION take_over() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        PERFORM pg_advisory_xact_lock(7);
        UPDATE jobs SET attempt = attempt + 1, lease_owner = 'another node', leased_until = leased_until + 600000000,
            due_at = leased_until + 600000000 WHERE post_id = NEW.post_id AND leased_until IS NOT NULL;
        RETURN NEW;
    END $$;
    CREATE TRIGGER at_the_note BEFORE UPDATE ON submissions FOR EACH ROW
        WHEN (OLD.last_byte_at IS NULL AND NEW.last_byte_at IS NOT NULL) EXECUTE FUNCTION take_over()";
const GATE: &str = "SELECT pg_advisory_lock(7)";
const WAITING: &str = "SELECT CAST(objid AS TEXT) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted \
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";

#[tokio::test]
async fn a_run_that_stood_still_while_it_noted_its_last_chunk_sends_nothing_once_it_was_taken_over() {
    let t = TestApp::start(Db::Postgres).await;
    let url = t.app.config.database_url.expose();
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    let mut gate = PgConnection::connect(url).await.unwrap();
    gate.execute(TAKEN_OVER_AT_THE_NOTE).await.unwrap();
    gate.execute(GATE).await.unwrap();
    let post = t.api.publish_now(&platform, &[clip]).await;
    eventually("the note waits", async || {
        !texts_in(url, Db::Postgres, WAITING.to_owned()).await.is_empty()
    })
    .await;
    t.clock.advance(t.app.config.worker_lease);
    gate.close().await.unwrap();
    t.idle().await;
    assert_eq!(t.calls(Endpoint::UploadLast).len(), 0, "the job is another's");
    execute_in(url, Db::Postgres, "DROP TRIGGER at_the_note ON submissions").await;
    t.advance(Duration::from_secs(700)).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    assert_eq!(t.sim.publication_count(), 1);
}

/// As after a failover that has lost the claim. The run would send the end of the upload long after the post was searched for.
#[tokio::test]
async fn a_run_whose_job_is_gone_is_ended_while_the_provider_does_not_answer() {
    let t = TestApp::start(Db::Postgres).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    t.sim.hold(Endpoint::UploadLast, HoldPoint::Before);
    let post = t.api.publish_now(&platform, &[clip]).await;
    t.sim.held(Endpoint::UploadLast, 1).await;
    let sql = format!("DELETE FROM jobs WHERE post_id = '{post}'");
    execute_in(t.app.config.database_url.expose(), Db::Postgres, sql).await;
    assert_eq!(t.app.slots.count(), 1);
    t.clock.advance(t.app.config.worker_lease / 3);
    eventually("its run is ended", async || t.app.slots.count() == 0).await;
    t.sim.release(Endpoint::UploadLast);
}

/// Takes the job of a comment away in the transaction that records its try.
const LOST_WHEN_OPENED: &str = "
    CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN DELETE FROM jobs WHERE post_id = NEW.post_id; RETURN NEW; END $$;
    CREATE TRIGGER losing AFTER INSERT ON submissions FOR EACH ROW WHEN (NEW.transfer = 'text') EXECUTE FUNCTION lose()";

/// As where the machine stood still there, and another node has looked for the comment and left it to a person.
#[tokio::test]
async fn a_comment_whose_job_is_lost_once_its_try_is_recorded_is_not_written() {
    let t = TestApp::start(Db::Postgres).await;
    let url = t.app.config.database_url.expose();
    execute_in(url, Db::Postgres, LOST_WHEN_OPENED).await;
    let platform = business(&t, "kitestudio").await;
    let clip = t.api.upload_clip().await;
    let body = with_comments(&platform, &clip, &[("first", None)]);
    let post = t.api.create_post(&body).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    let opened = "SELECT CAST(id AS TEXT) FROM submissions WHERE transfer = 'text'";
    eventually("its try is recorded", async || {
        t.clock.advance(Duration::from_secs(1));
        !texts_in(url, Db::Postgres, opened.to_owned()).await.is_empty()
    })
    .await;
    eventually("its run is ended", async || t.app.slots.count() == 0).await;
    let written = t.sim.account("kitestudio").unwrap().comments();
    assert_eq!(written.len(), 0, "{written:?}");
}

/// Lets every renewal and claim fail.
const REFUSING: &str = "
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the gate is closed'; END $$;
    CREATE TRIGGER refusing BEFORE UPDATE ON jobs FOR EACH ROW EXECUTE FUNCTION refuse()";

/// As where the node cannot reach the database any more: another one may have claimed the job once the lease is over.
#[tokio::test]
async fn a_run_whose_lease_cannot_be_renewed_is_ended_when_the_lease_is_over() {
    let t = TestApp::start(Db::Postgres).await;
    t.errors.expect("the gate is closed");
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    t.sim.hold(Endpoint::UploadLast, HoldPoint::Before);
    t.api.publish_now(&platform, &[clip]).await;
    t.sim.held(Endpoint::UploadLast, 1).await;
    let url = t.app.config.database_url.expose();
    execute_in(url, Db::Postgres, REFUSING).await;
    let begun = t.now();
    eventually("its run is ended", async || {
        t.clock.advance(Duration::from_secs(2));
        t.app.slots.count() == 0
    })
    .await;
    assert!(t.now() >= begun.plus(t.app.config.worker_lease / 2));
    execute_in(url, Db::Postgres, "DROP TRIGGER refusing ON jobs").await;
    t.sim.release(Endpoint::UploadLast);
}

/// The database is there, and was busy: the log warns of it, and has no error that an operator would look for.
#[tokio::test]
async fn a_run_that_waits_too_long_for_a_lock_is_a_warning_and_its_post_goes_out_once() {
    let t = TestApp::start(Db::Postgres).await;
    let platform = t.connect("kitestudio").await;
    let clip = t.api.upload_clip().await;
    t.sim.hold(Endpoint::UploadLast, HoldPoint::Before);
    let post = t.api.publish_now(&platform, &[clip]).await;
    t.sim.held(Endpoint::UploadLast, 1).await;
    let mut gate = holding(&t, Db::Postgres, &post).await.unwrap();
    t.sim.release(Endpoint::UploadLast);
    let failed = t.errors.warned("is repeated").await.remove(0);
    assert!(
        (failed.contains("lock timeout") || failed.contains("statement timeout")) && failed.contains(&post),
        "{failed}"
    );
    t.errors.warned("could not be noted").await;
    gate.execute("ROLLBACK").await.unwrap();
    t.advance(Duration::from_secs(700)).await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    assert_eq!(t.sim.publication_count(), 1);
}
