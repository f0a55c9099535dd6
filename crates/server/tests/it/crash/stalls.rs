//! A statement that stalls in PostgreSQL while the job that it writes for is taken over.

use playout_tiktok::sim::{Endpoint, Fault, FaultAction};
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

use super::scene::{PATIENCE, Scene, now, post_body};
use crate::harness::{Db, Playoutd, Start};

/// Lets the statement that notes the last byte of `post` wait inside, once it has begun, for as long as `gate` holds the lock.
async fn stall_the_last_byte(gate: &mut PgConnection, post: &str) {
    let sql = format!(
        "CREATE FUNCTION wait_for_gate() RETURNS trigger LANGUAGE plpgsql AS
             $$ BEGIN PERFORM pg_advisory_xact_lock(7); RETURN NEW; END $$;
         CREATE TRIGGER stall BEFORE UPDATE OF last_byte_at ON submissions FOR EACH ROW
             WHEN (NEW.post_id = '{post}') EXECUTE FUNCTION wait_for_gate();
         SELECT pg_advisory_lock(7);"
    );
    gate.execute(sqlx::raw_sql(AssertSqlSafe(sql))).await.unwrap();
}

/// Waits until a number that this query answers is as wanted.
async fn becomes(database: &mut PgConnection, sql: &str, wanted: impl Fn(i64) -> bool) {
    let begun = now();
    loop {
        let query = sqlx::query_scalar::<_, i64>(AssertSqlSafe(sql.to_owned()));
        let found = query.fetch_one(&mut *database).await.unwrap();
        if wanted(found) {
            return;
        }
        assert!(begun.elapsed() < PATIENCE, "still {found}: {sql}");
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

const WAITING: &str = "SELECT COUNT(*) FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
    WHERE NOT l.granted AND a.datname = current_database()";

async fn both_are_out(scene: &Scene) {
    let begun = now();
    while scene.sim.publication_count() < 2 {
        assert!(begun.elapsed() < PATIENCE, "{}", scene.log());
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

/// The address with no limit of PostgreSQL's: none ends the statement while it stalls.
fn without_limits(url: &str) -> String {
    format!("{url}?options=-c%20statement_timeout%3D0%20-c%20lock_timeout%3D0")
}

/// A node stalls inside the statement that notes the last byte, and is stopped; its lease ends, and another node looks for work.
/// Whichever sends the last byte, the other one must not begin again when its own is refused because the address has expired.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_statement_that_stalls_while_its_job_is_taken_over_publishes_nothing_twice() {
    let scene = Scene::set(Db::Postgres, &[]).await;
    scene.sim.turn(|knobs| knobs.webhooks = false);
    let mut api = scene.serve_api(&[]).await;
    let platform = scene.connect("kitestudio", &[]).await;
    let clip = scene.api.upload_clip().await;
    let stalled = scene
        .api
        .create_post(&post_body(&platform, "Stalled", std::slice::from_ref(&clip)))
        .await;
    api.kill();
    let mut gate = PgConnection::connect(scene.database_url()).await.unwrap();
    stall_the_last_byte(&mut gate, &stalled).await;

    let unlimited = without_limits(scene.database_url());
    let settings = [
        ("PLAYOUT_DATABASE_URL", unlimited.as_str()),
        ("PLAYOUT_WORKER_LEASE_SECONDS", "60"),
    ];
    let mut first = scene.spawn(&settings[..1]);
    first.ready(scene.api.http()).await;
    becomes(&mut gate, WAITING, |waiting| waiting == 1).await;
    first.signal("STOP");
    let lease = format!(
        "SELECT leased_until - CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT) FROM jobs
         WHERE post_id = '{stalled}'"
    );
    becomes(&mut gate, &lease, |left| left < 0).await;

    let address = Playoutd::free_address();
    let second = scene.starting(&settings, |start| {
        Playoutd::spawn(&Start {
            address,
            ..start.clone()
        })
    });
    let there = scene.api.at(&second.base_url);
    let mut second = second;
    second.ready(there.http()).await;
    // Once this one is out, the second node has looked for whatever was due before it.
    let other = there.create_post(&post_body(&platform, "Another", &[clip])).await;
    let is_out = async |post: &str| there.get(&format!("/public/v1/posts/{post}")).await.ok()["root"].take();
    let begun = now();
    while is_out(&other).await["state"] == "QUEUE" {
        assert!(begun.elapsed() < PATIENCE, "{}", scene.log());
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    let taken_over = format!(
        "SELECT CASE WHEN attempt = 1 OR ({WAITING}) > 1 THEN 1 ELSE 0 END::bigint FROM jobs WHERE post_id = '{stalled}'"
    );
    becomes(&mut gate, &taken_over, |settled| settled == 1).await;
    second.signal("STOP");

    let open = sqlx::query("SELECT pg_advisory_unlock(7)");
    gate.execute(open).await.unwrap();
    becomes(&mut gate, WAITING, |waiting| waiting == 0).await;
    first.signal("CONT");
    both_are_out(&scene).await;
    let expired = FaultAction::Answer {
        status: 403,
        code: String::new(),
        message: String::new(),
    };
    scene.sim.inject(Fault::new(Endpoint::UploadLast, expired));
    second.signal("CONT");
    let root = scene.settled(&stalled).await;
    assert_eq!(root["state"], "PUBLISHED", "{root:#}\n{}", scene.log());
    assert_eq!(scene.sim.publication_count(), 2, "each of the two went out once");
}
