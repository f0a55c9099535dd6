//! A PostgreSQL that stalls, or in which another session holds a lock forever: requests that do not need it go on, and
//! those that do are rejected as unavailable while it lasts. How soon is measured by the tests `on_a_quiet_machine_…`, which run by
//! their own command (`CONTRIBUTING.md`).

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use sqlx::{Connection, Executor, PgConnection};

use crate::harness::{
    Answer, Client, Database, Db, Options, PATIENCE, Playoutd, Proxy, SHARED_KEY, Start, TestApp, eventually,
    execute_in, secret,
};

/// How long responses may take.
#[derive(Clone, Copy)]
struct Longest {
    /// Of requests that do not need what is locked.
    others: Duration,
    /// Of requests that are rejected as unavailable.
    rejection: Duration,
    readiness: Duration,
}

/// For tests that run beside others: only the order counts.
const ON_A_BUSY_MACHINE: Longest = Longest {
    others: PATIENCE,
    rejection: PATIENCE,
    readiness: PATIENCE,
};

/// Others take well less than every timeout for a lock or a connection.
const ON_A_QUIET_MACHINE: Longest = Longest {
    others: Duration::from_secs(1),
    rejection: Duration::from_secs(5),
    readiness: Duration::from_secs(2),
};

const POSTS: &str = "/public/v1/posts";

/// The response to a request, and how long it took.
async fn timed(request: impl Future<Output = Answer>) -> (Answer, Duration) {
    let begun = now();
    (request.await, begun.elapsed())
}

#[expect(
    clippy::disallowed_methods,
    reason = "how long clients wait, in their own time"
)]
fn now() -> Instant {
    Instant::now()
}

fn scheduled(t: &TestApp, platform: &str, clip: &str) -> Value {
    json!({
        "platformIds": [platform],
        "content": "A kite over the bay",
        "mediaIds": [clip],
        "settings": { "privacy_level": "SELF_ONLY" },
        "mode": "schedule",
        "scheduledFor": t.now().plus(Duration::from_secs(86_400)).to_string(),
    })
}

async fn creates(api: &Client, body: &Value) -> (Answer, Duration) {
    timed(api.post(POSTS, body)).await
}

async fn creates_with_key(api: &Client, key: &str, body: &Value) -> Answer {
    let request = api.request(Method::POST, POSTS).header("idempotency-key", key);
    api.send(request.json(body)).await
}

fn is_unavailable(answer: &Answer, took: Duration, longest: Longest) {
    answer.refused(503, "unavailable");
    assert!(answer.header("retry-after").parse::<u64>().unwrap() > 0);
    assert!(took < longest.rejection, "{took:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lock_that_is_held_for_ever_keeps_only_those_waiting_who_need_it() {
    keeps_only_those_waiting_who_need_it(ON_A_BUSY_MACHINE).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "measures time, see CONTRIBUTING.md"]
async fn on_a_quiet_machine_a_lock_delays_no_others_and_ends_in_a_rejection_within_five_seconds() {
    keeps_only_those_waiting_who_need_it(ON_A_QUIET_MACHINE).await;
}

async fn keeps_only_those_waiting_who_need_it(longest: Longest) {
    let t = TestApp::start(Db::Postgres).await;
    let platform = t.connect("kitestudio").await;
    let body = scheduled(&t, &platform, &t.api.upload_clip().await);
    t.api.create_post(&body).await;
    let (stranger, theirs) = t.stranger_with("harborbakes").await;
    let their_body = scheduled(&t, &theirs, &stranger.upload_clip().await);
    let mut gate = PgConnection::connect(t.app.config.database_url.expose())
        .await
        .unwrap();
    gate.execute("BEGIN; SELECT month FROM usage FOR UPDATE")
        .await
        .unwrap();

    let waiting = async {
        let rounds = (0..12).map(|_| async {
            let first = creates(&t.api, &body).await;
            [first, creates(&t.api, &body).await]
        });
        let keyed = timed(creates_with_key(&t.api, "locked", &body));
        let (rounds, keyed) = tokio::join!(join_all(rounds), keyed);
        rounds.into_iter().flatten().chain([keyed]).collect::<Vec<_>>()
    };
    let others = async {
        let nobody = t.api.with_key(None);
        for _ in 0..20 {
            for (what, (answer, took)) in [
                ("a list", timed(stranger.get(POSTS)).await),
                ("a post", creates(&stranger, &their_body).await),
                ("readiness", timed(nobody.get("/readyz")).await),
            ] {
                assert!(
                    answer.status < 300 && took < longest.others,
                    "{what}: {} after {took:?}",
                    answer.status
                );
            }
        }
    };
    let (waited, ()) = tokio::join!(waiting, others);
    for (answer, took) in &waited {
        is_unavailable(answer, *took, longest);
    }
    gate.execute("ROLLBACK").await.unwrap();
    t.api.create_post(&body).await;
    // The key is free again.
    creates_with_key(&t.api, "locked", &body).await.ok();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_stalls_makes_its_node_not_ready_at_once_and_ready_again() {
    makes_its_node_not_ready(ON_A_BUSY_MACHINE).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "measures time, see CONTRIBUTING.md"]
async fn on_a_quiet_machine_a_database_that_stalls_makes_its_node_not_ready_within_two_seconds() {
    makes_its_node_not_ready(ON_A_QUIET_MACHINE).await;
}

async fn makes_its_node_not_ready(longest: Longest) {
    let (host, port) = Db::postgres();
    let proxy = Proxy::to(host, port).await;
    let options = Options {
        database_at: Some(proxy.address),
        ..Options::default()
    };
    let t = TestApp::start_with(Db::Postgres, options).await;
    t.errors.expect("not available");
    let nobody = t.api.with_key(None);
    assert_eq!(nobody.get("/readyz").await.status, 200);
    proxy.freeze();
    let (ready, took) = timed(nobody.get("/readyz")).await;
    assert_eq!(
        (ready.status, &ready.json()["database"]),
        (503, &json!("failing"))
    );
    assert!(took < longest.readiness, "{took:?}");
    for (answer, took) in join_all((0..30).map(|_| timed(t.api.get(POSTS)))).await {
        is_unavailable(&answer, took, longest);
    }
    assert_eq!(nobody.get("/healthz").await.status, 200);
    proxy.thaw();
    eventually("it is ready again", async || {
        // The comparison of key and storage waits by the clock, and the engine for a second.
        t.clock.advance(Duration::from_millis(100));
        nobody.get("/readyz").await.status == 200
    })
    .await;
    t.api.get(POSTS).await.ok();
}

#[tokio::test]
async fn a_database_that_refuses_connections_is_logged_as_that_with_its_address() {
    let (host, port) = Db::postgres();
    let proxy = Proxy::to(host, port).await;
    let options = Options {
        database_at: Some(proxy.address),
        ..Options::default()
    };
    let t = TestApp::start_with(Db::Postgres, options).await;
    t.errors.expect("");
    proxy.refuse();
    let refuses = format!("PostgreSQL at {} refuses connections", proxy.address);
    eventually("it is logged", async || {
        t.clock.advance(Duration::from_secs(5));
        !t.errors.errors(&refuses).is_empty()
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_commit_that_stalls_is_answered_in_time_and_made_once() {
    is_answered_and_made_once(ON_A_BUSY_MACHINE).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "measures time, see CONTRIBUTING.md"]
async fn on_a_quiet_machine_a_commit_that_stalls_is_answered_within_five_seconds() {
    is_answered_and_made_once(ON_A_QUIET_MACHINE).await;
}

async fn is_answered_and_made_once(longest: Longest) {
    let t = TestApp::start(Db::Postgres).await;
    let platform = t.connect("kitestudio").await;
    let body = scheduled(&t, &platform, &t.api.upload_clip().await);
    let mut gate = PgConnection::connect(t.app.config.database_url.expose())
        .await
        .unwrap();
    // It does not wait for a lock, because the connection's limit for that would end the commit.
    let stall = "CREATE FUNCTION stall() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                WHILE NOT pg_try_advisory_xact_lock(7) LOOP PERFORM pg_sleep(0.02); END LOOP; RETURN NULL;
            END $$;
        CREATE CONSTRAINT TRIGGER stall AFTER INSERT ON posts DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW EXECUTE FUNCTION stall();
        SELECT pg_advisory_lock(7)";
    gate.execute(stall).await.unwrap();
    let creates = || creates_with_key(&t.api, "stalled", &body);
    let (answer, took) = timed(creates()).await;
    answer.refused(503, "unavailable");
    assert!(took < longest.rejection, "{took:?}");
    assert!(
        !answer.headers.contains_key("retry-after"),
        "it may have been made"
    );
    gate.execute("SELECT pg_advisory_unlock(7)").await.unwrap();
    // Waits until the commit is made.
    gate.execute("DROP TRIGGER stall ON posts").await.unwrap();
    creates().await.ok();
    let list = t.api.get(POSTS).await.ok();
    assert_eq!(list["posts"].as_array().map(Vec::len), Some(1), "{list:#}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_due_job_that_another_transaction_holds_is_looked_for_ten_times_a_second() {
    let t = TestApp::start(Db::Postgres).await;
    let platform = t.connect("kitestudio").await;
    let post = t
        .api
        .create_post(&scheduled(&t, &platform, &t.api.upload_clip().await))
        .await;
    let mut gate = PgConnection::connect(t.app.config.database_url.expose())
        .await
        .unwrap();
    gate.execute("BEGIN; SELECT id FROM jobs WHERE post_id IS NOT NULL FOR UPDATE")
        .await
        .unwrap();
    t.clock.advance(Duration::from_secs(86_400));
    let looks = t.app.heart.pulse();
    eventually("it has looked a few times", async || *looks.borrow() > 20).await;
    let (before, begun) = (*looks.borrow(), now());
    // Each look is counted when it begins and when it ends.
    eventually("it has looked twenty times more", async || {
        *looks.borrow() > before + 2 * 20
    })
    .await;
    assert!(
        begun.elapsed() > Duration::from_millis(1500),
        "{:?}",
        begun.elapsed()
    );
    gate.execute("ROLLBACK").await.unwrap();
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
}

/// The connections of the service to the database of a world.
async fn connections(url: &str) -> i64 {
    let mut gate = PgConnection::connect(url).await.unwrap();
    let count = "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'playout'";
    sqlx::query_scalar(count).fetch_one(&mut gate).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_opens_no_more_connections_than_its_setting_allows() {
    let database = Database::create(Db::Postgres, std::path::Path::new("/")).await;
    for (pool, least, most) in [("2", 1, 7), ("16", 8, 21)] {
        let (dir, address) = (tempfile::tempdir().unwrap(), Playoutd::free_address());
        let env = [
            ("PLAYOUT_DATABASE_URL", database.url.clone()),
            ("PLAYOUT_SECRET_KEY", SHARED_KEY.to_owned()),
            ("PLAYOUT_STORAGE_URL", format!("file://{}", dir.path().display())),
            ("PLAYOUT_DATABASE_POOL", pool.to_owned()),
        ];
        let start = Start {
            dir: dir.path(),
            address,
            simulator: "http://127.0.0.1:9",
            env: env.to_vec(),
        };
        let api = Client::new(&format!("http://{address}"), Some(secret("pk_unknown")));
        let mut process = Playoutd::spawn(&start);
        process.ready(api.http()).await;
        eventually("it needs so many", async || {
            join_all((0..60).map(|_| api.get(POSTS))).await;
            connections(&database.url).await >= least
        })
        .await;
        let open = connections(&database.url).await;
        assert!(open <= most, "{pool} for work, {open} in all");
        process.kill();
        execute_in(
            &database.url,
            Db::Postgres,
            "UPDATE instance SET storage_id = NULL",
        )
        .await;
    }
}

#[tokio::test]
async fn with_postgres_a_node_without_a_secret_key_does_not_start() {
    let database = Database::create(Db::Postgres, std::path::Path::new("/")).await;
    let dir = tempfile::tempdir().unwrap();
    let start = Start {
        dir: dir.path(),
        address: Playoutd::free_address(),
        simulator: "http://127.0.0.1:9",
        env: vec![("PLAYOUT_DATABASE_URL", database.url.clone())],
    };
    let output = Playoutd::command(&start).arg("serve").output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{said}");
    assert!(
        said.contains("PLAYOUT_SECRET_KEY") && said.contains("the same on every node"),
        "{said}"
    );
    assert!(!dir.path().join("secret.key").exists());
}
