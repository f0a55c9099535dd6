//! Rate limits per key (`docs/contract.md#rate-limits`): how much is allowed, how responses report it, and that no key
//! uses up another's allowance.

use std::time::Duration;

use reqwest::Method;
use reqwest::header::ORIGIN;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::harness::{Answer, Client, Db, Options, TestApp, on_both};

on_both!(
    a_burst_is_let_through_and_then_what_the_rate_allows,
    after_retry_after_the_next_call_is_let_through,
    a_refused_call_costs_nothing,
    each_key_has_its_own,
    of_many_at_once_exactly_the_burst_is_let_through,
    every_kind_of_answer_says_what_is_left,
    the_limit_comes_after_the_key_and_before_everything_else,
    a_refused_upload_is_not_read,
    off_limits_nobody_and_says_nothing,
    a_plan_may_have_a_rate_of_its_own,
    pages_of_other_origins_can_read_the_headers,
    an_upload_counts_as_one_call,
);

const LIST: &str = "/public/v1/platforms";
const DEFAULT: &str = "120/60s;burst=60";

async fn limited(db: Db, rate: &str) -> TestApp {
    TestApp::start_with(db, Options::default().set("rate_limit", rate)).await
}

/// Another key of the same workspace.
async fn second_key(t: &TestApp) -> Client {
    let made = t
        .app
        .create_key(t.workspace.id, "second", None, None)
        .await
        .unwrap();
    t.api.with_key(Some(made.key))
}

/// The `r` and the `t` of an answer.
#[track_caller]
fn left(answer: &Answer) -> (u64, u64) {
    let text = answer.header("ratelimit");
    let parts = text
        .strip_prefix("\"default\";r=")
        .and_then(|rest| rest.split_once(";t="));
    let (r, t) = parts.unwrap_or_else(|| panic!("RateLimit: {text}"));
    (r.parse().unwrap(), t.parse().unwrap())
}

async fn a_burst_is_let_through_and_then_what_the_rate_allows(db: Db) {
    let t = limited(db, DEFAULT).await;
    for rest in (0..60).rev() {
        let answer = t.api.get(LIST).await;
        assert_eq!((answer.status, left(&answer)), (200, (rest, 1)));
        assert_eq!(answer.header("ratelimit-policy"), "\"default\";q=120;w=60");
        assert_eq!(answer.header("retry-after"), "");
    }
    let refused = t.api.get(LIST).await;
    refused.refused(429, "rate_limited");
    assert_eq!((left(&refused), refused.header("retry-after")), ((0, 1), "1"));
    assert_eq!(refused.header("ratelimit-policy"), "\"default\";q=120;w=60");
    t.advance(Duration::from_millis(499)).await;
    t.api.get(LIST).await.refused(429, "rate_limited");
    t.advance(Duration::from_millis(1)).await;
    assert_eq!(left(&t.api.get(LIST).await), (0, 1));
    t.api.get(LIST).await.refused(429, "rate_limited");
    t.advance(Duration::from_secs(30)).await;
    assert_eq!(left(&t.api.get(LIST).await).0, 59, "never more than the burst");
}

async fn after_retry_after_the_next_call_is_let_through(db: Db) {
    let t = limited(db, "3/60s;burst=2").await;
    t.api.get(LIST).await.ok();
    t.advance(Duration::from_micros(1_234_567)).await;
    t.api.get(LIST).await.ok();
    let refused = t.api.get(LIST).await;
    refused.refused(429, "rate_limited");
    let wait: u64 = refused.header("retry-after").parse().unwrap();
    assert_eq!(
        (wait, left(&refused)),
        (19, (0, 19)),
        "20 s after the first, in whole seconds"
    );
    t.advance(Duration::from_secs(wait)).await;
    t.api.get(LIST).await.ok();
}

async fn a_refused_call_costs_nothing(db: Db) {
    let t = limited(db, "1/60s;burst=1").await;
    t.api.get(LIST).await.ok();
    for _ in 0..59 {
        t.advance(Duration::from_secs(1)).await;
        t.api.get(LIST).await.refused(429, "rate_limited");
    }
    t.advance(Duration::from_secs(1)).await;
    t.api.get(LIST).await.ok();
}

async fn each_key_has_its_own(db: Db) {
    let t = limited(db, "1/60s;burst=1").await;
    let (second, stranger) = (second_key(&t).await, t.stranger().await);
    t.api.get(LIST).await.ok();
    t.api.get(LIST).await.refused(429, "rate_limited");
    second.get(LIST).await.ok();
    stranger.get(LIST).await.ok();
    second.get(LIST).await.refused(429, "rate_limited");
}

async fn of_many_at_once_exactly_the_burst_is_let_through(db: Db) {
    let t = limited(db, DEFAULT).await;
    let calls = (0..64).map(|_| {
        let api = t.api.clone();
        tokio::spawn(async move { api.get(LIST).await.status })
    });
    let calls: Vec<_> = calls.collect();
    let mut statuses = Vec::new();
    for call in calls {
        statuses.push(call.await.unwrap());
    }
    let of = |status| statuses.iter().filter(|found| **found == status).count();
    assert_eq!((of(200), of(429)), (60, 4), "{statuses:?}");
}

async fn every_kind_of_answer_says_what_is_left(db: Db) {
    let t = limited(db, DEFAULT).await;
    let json = |method, path: &str, body: &str| {
        t.api
            .request(method, path)
            .header("content-type", "application/json")
            .body(body.to_owned())
    };
    let nowhere = "/public/v1/posts/0196f3a0-0000-7000-8000-000000000000";
    let large = format!("\"{}\"", "a".repeat(1024 * 1024));
    let cases = [
        (200, t.api.request(Method::GET, LIST)),
        (200, t.api.request(Method::HEAD, LIST)),
        (404, t.api.request(Method::GET, "/public/v1/nothing")),
        (404, t.api.request(Method::GET, "/public/v1")),
        (404, t.api.request(Method::GET, "/public/v1/")),
        (404, t.api.request(Method::GET, nowhere)),
        (405, t.api.request(Method::PUT, "/public/v1/posts")),
        (405, t.api.request(Method::DELETE, "/public/v1/media")),
        (415, t.api.request(Method::POST, "/public/v1/posts").body("x")),
        (415, t.api.request(Method::POST, "/public/v1/media").body("x")),
        (413, json(Method::POST, "/public/v1/posts", &large)),
        (400, json(Method::POST, "/public/v1/posts", "{")),
        (400, json(Method::POST, "/public/v1/posts", "{}")),
        (400, t.api.request(Method::GET, "/public/v1/posts/x")),
    ];
    for (index, (status, request)) in cases.into_iter().enumerate() {
        let answer = t.api.send(request).await;
        assert_eq!((answer.status, left(&answer).0), (status, 59 - index as u64));
        assert_eq!(answer.header("ratelimit-policy"), "\"default\";q=120;w=60");
    }
    for path in [LIST, "/public/v1/nothing"] {
        let unknown = t.api.with_key(None).get(path).await;
        assert_eq!(
            (unknown.status, unknown.header("ratelimit")),
            (401, ""),
            "there is no key to count for"
        );
    }
    assert_eq!(t.api.get("/healthz").await.header("ratelimit"), "");
}

async fn the_limit_comes_after_the_key_and_before_everything_else(db: Db) {
    let t = limited(db, "1/60s;burst=1").await;
    t.api.get(LIST).await.ok();
    t.api
        .with_key(None)
        .get(LIST)
        .await
        .refused(401, "missing_api_key");
    for (method, path) in [
        (Method::GET, "/public/v1/nothing"),
        (Method::GET, "/public/v1/"),
        (Method::PUT, "/public/v1/posts"),
        (Method::POST, "/public/v1/posts"),
        (Method::POST, "/public/v1/media"),
        (Method::GET, "/public/v1/posts/x"),
    ] {
        let answer = t
            .api
            .send(
                t.api
                    .request(method.clone(), path)
                    .header(ORIGIN, "https://studio.example"),
            )
            .await;
        answer.refused(429, "rate_limited");
        assert_eq!(
            answer.header("access-control-allow-origin"),
            "*",
            "{method} {path}"
        );
        assert!(!answer.header("x-request-id").is_empty());
    }
    let head = t.api.send(t.api.request(Method::HEAD, LIST)).await;
    assert_eq!((head.status, head.header("retry-after")), (429, "60"));
    let preflight = t
        .api
        .with_key(None)
        .request(Method::OPTIONS, LIST)
        .header(ORIGIN, "https://studio.example");
    assert_eq!(
        t.api
            .send(preflight.header("access-control-request-method", "GET"))
            .await
            .status,
        200
    );
}

async fn a_refused_upload_is_not_read(db: Db) {
    let t = limited(db, "1/60s;burst=1").await;
    let key = t
        .app
        .create_key(t.workspace.id, "raw", None, None)
        .await
        .unwrap()
        .key;
    t.api.with_key(Some(key.clone())).get(LIST).await.ok();
    let address = t.app.config.base_url.strip_prefix("http://").unwrap();
    let mut socket = TcpStream::connect(address).await.unwrap();
    let head = format!(
        "POST /public/v1/media HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\nContent-Length: 4000000000\r\n\
             Content-Type: multipart/form-data; boundary=form\r\nExpect: 100-continue\r\n\r\n",
        key.expose()
    );
    socket.write_all(head.as_bytes()).await.unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).await.unwrap();
    assert!(
        answer.starts_with("HTTP/1.1 429 "),
        "not even asked for: {answer}"
    );
    assert!(answer.contains("retry-after: 60"), "{answer}");
}

async fn off_limits_nobody_and_says_nothing(db: Db) {
    let t = limited(db, "off").await;
    for _ in 0..200 {
        let answer = t.api.get(LIST).await;
        assert_eq!(
            (
                answer.status,
                answer.header("ratelimit"),
                answer.header("ratelimit-policy")
            ),
            (200, "", "")
        );
    }
}

async fn a_plan_may_have_a_rate_of_its_own(db: Db) {
    let plans = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(
        &plans,
        "[plans.unlimited]\n[plans.fast]\nrate_limit = \"600/1m;burst=200\"\n",
    )
    .unwrap();
    let path = plans.path().to_str().unwrap();
    let options = Options::default()
        .set("plans_file", path)
        .set("rate_limit", "2/60s")
        .plan("fast");
    let t = TestApp::start_with(db, options).await;
    let answer = t.api.get(LIST).await;
    assert_eq!(left(&answer), (199, 1));
    assert_eq!(answer.header("ratelimit-policy"), "\"default\";q=600;w=60");
    let stranger = t.stranger().await.get(LIST).await;
    assert_eq!(
        (left(&stranger), stranger.header("ratelimit-policy")),
        ((1, 30), "\"default\";q=2;w=60")
    );
}

async fn pages_of_other_origins_can_read_the_headers(db: Db) {
    let t = limited(db, DEFAULT).await;
    let answer = t
        .api
        .send(
            t.api
                .request(Method::GET, LIST)
                .header(ORIGIN, "https://studio.example"),
        )
        .await;
    let exposed = answer
        .header("access-control-expose-headers")
        .to_ascii_lowercase();
    for name in [
        "ratelimit",
        "ratelimit-policy",
        "retry-after",
        "idempotency-replayed",
        "x-request-id",
    ] {
        assert!(
            exposed.split(',').any(|word| word.trim() == name),
            "{name} in {exposed}"
        );
    }
}

async fn an_upload_counts_as_one_call(db: Db) {
    let t = limited(db, "1/60s;burst=2").await;
    let photo = t
        .api
        .upload_form("a.jpg", "image/jpeg", &crate::harness::jpeg(40, 30), &[])
        .await;
    assert_eq!((photo.status, left(&photo)), (201, (1, 60)));
    let draft = json!({ "platformIds": [photo.json()["id"]], "content": "x", "mode": "draft" });
    assert_eq!(left(&t.api.post("/public/v1/posts", &draft).await).0, 0);
}

/// Requests in turn at three nodes, for two seconds, of a key that may make 120 in a minute.
#[tokio::test]
async fn three_nodes_let_through_as_many_calls_as_one_and_a_few_more() {
    let t = limited(Db::Postgres, "120/60s;burst=120").await;
    let (_second, second, _second_service) = t.second_api().await;
    let (_third, third, _third_service) = t.second_api().await;
    let mut let_through = 0;
    for number in 0..1000 {
        let node = [&t.api, &second, &third][number % 3];
        let answer = node.get(LIST).await;
        assert!([200, 429].contains(&answer.status), "{}", answer.status);
        let_through += u32::from(answer.status == 200);
        t.clock.advance(Duration::from_millis(2));
    }
    assert!((120..=150).contains(&let_through), "{let_through} of 1000");
    t.clock.advance(Duration::from_secs(60));
    for node in [&t.api, &second, &third] {
        assert_eq!(node.get(LIST).await.status, 200, "a minute later");
    }
}

#[tokio::test]
async fn what_was_used_up_at_one_node_is_used_up_at_the_others() {
    let t = limited(Db::Postgres, "60/60s;burst=10").await;
    let (_other, other, _service) = t.second_api().await;
    for _ in 0..10 {
        assert_eq!(t.api.get(LIST).await.status, 200);
    }
    assert_eq!(t.api.get(LIST).await.status, 429);
    t.app.share_counts().await.unwrap();
    // The first call at a node that knows nothing of the caller may pass.
    let _first = other.get(LIST).await;
    assert_eq!(other.get(LIST).await.status, 429);
    t.clock.advance(Duration::from_secs(1));
    let at_both = [other.get(LIST).await.status, t.api.get(LIST).await.status];
    assert!(
        at_both.contains(&429),
        "a second allows one more at both together: {at_both:?}"
    );
}
