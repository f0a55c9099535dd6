//! A PostgreSQL that stalls, or in which somebody holds a lock for ever: who does not need it goes on, and whoever does hears soon
//! that it is not available.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::{Value, json};
use sqlx::{Connection, Executor, PgConnection};

use crate::harness::{Answer, Client, Db, Options, Proxy, TestApp};

/// Well before anything gives up that waits for a lock or a connection: a busy machine is slow by itself.
const AT_ONCE: Duration = Duration::from_millis(1900);
const POSTS: &str = "/public/v1/posts";

/// What came of a request, and after how long.
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

fn is_unavailable((answer, took): &(Answer, Duration)) {
    answer.refused(503, "unavailable");
    assert!(answer.header("retry-after").parse::<u64>().unwrap() > 0);
    assert!(*took < Duration::from_secs(8), "{took:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lock_that_is_held_for_ever_keeps_only_those_waiting_who_need_it() {
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
        join_all(rounds).await.into_iter().flatten().collect::<Vec<_>>()
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
                    answer.status < 300 && took < AT_ONCE,
                    "{what}: {} after {took:?}",
                    answer.status
                );
            }
        }
    };
    let (waited, ()) = tokio::join!(waiting, others);
    waited.iter().for_each(is_unavailable);
    gate.execute("ROLLBACK").await.unwrap();
    t.api.create_post(&body).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_stalls_makes_its_node_not_ready_at_once_and_ready_again() {
    let proxy = Proxy::to(Db::postgres()).await;
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
    assert!(took < Duration::from_secs(3), "{took:?}");
    join_all((0..30).map(|_| timed(t.api.get(POSTS))))
        .await
        .iter()
        .for_each(is_unavailable);
    assert_eq!(nobody.get("/healthz").await.status, 200);
    proxy.thaw();
    let begun = now();
    while nobody.get("/readyz").await.status != 200 {
        assert!(begun.elapsed() < Duration::from_secs(10));
        // An engine that could not look meanwhile looks again after a second of the manual clock.
        t.clock.advance(Duration::from_millis(100));
    }
    t.api.get(POSTS).await.ok();
}
