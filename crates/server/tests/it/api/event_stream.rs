//! `GET /events`: what webhooks are sent, as a stream (`docs/contract.md#webhooks`).

use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::harness::{
    Client, Db, Options, PATIENCE, Receiver, TestApp, eventually, execute_in, on_both, post_body,
};

on_both!(
    a_program_follows_the_events_that_webhooks_are_sent,
    a_stream_goes_on_after_the_event_that_was_received_last,
    a_stream_that_is_cut_while_it_repeats_events_reaches_the_new_ones,
    an_id_of_the_future_hides_nothing,
    an_event_that_is_committed_late_is_not_missed,
    only_the_events_that_are_asked_for_are_sent,
    what_cannot_be_followed_is_refused,
    another_workspace_sees_nothing,
    a_deleted_object_is_named,
    a_stream_ends_with_its_key,
    a_stream_ends_with_a_key_that_another_node_revokes,
    a_stream_ends_with_the_service,
    a_workspace_has_ten_streams,
);

const EVENTS: &str = "/public/v1/events";
const MINUTE: Duration = Duration::from_secs(60);

/// A message of the stream.
#[derive(Debug)]
struct Message {
    id: String,
    event: String,
    data: String,
}

impl Message {
    fn data(&self) -> Value {
        serde_json::from_str::<Value>(&self.data).unwrap()["data"].take()
    }
}

/// An open stream.
struct Stream {
    response: reqwest::Response,
    read: String,
}

impl Stream {
    async fn open(api: &Client, query: &str, last: &str) -> Self {
        let request = api.request(Method::GET, &format!("{EVENTS}{query}"));
        let request = request
            .header("accept-encoding", "gzip")
            .header("last-event-id", last);
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        for (name, value) in [
            ("content-type", "text/event-stream"),
            ("x-accel-buffering", "no"),
            ("cache-control", "no-store"),
        ] {
            assert_eq!(response.headers()[name], value);
        }
        assert!(!response.headers().contains_key("content-encoding"));
        let read = String::new();
        Self { response, read }
    }

    /// The next message; `None` where the stream ends.
    async fn next(&mut self) -> Option<Message> {
        loop {
            if let Some((message, rest)) = self.read.split_once("\n\n") {
                let field = |name: &str| {
                    let mut lines = message.lines();
                    lines.find_map(|line| Some(line.strip_prefix(name)?.strip_prefix(": ")?.to_owned()))
                };
                let message = field("event").map(|event| Message {
                    event,
                    id: field("id").unwrap(),
                    data: field("data").unwrap(),
                });
                self.read = rest.to_owned();
                // A comment keeps the connection alive.
                let Some(message) = message else { continue };
                return Some(message);
            }
            let piece = tokio::time::timeout(PATIENCE, self.response.chunk()).await;
            let piece = piece.expect("no event arrives").unwrap()?;
            self.read.push_str(std::str::from_utf8(&piece).unwrap());
        }
    }

    async fn next_name(&mut self) -> String {
        self.next().await.expect("the stream has ended").event
    }
}

/// A draft, and the event that it was created.
async fn draft(t: &TestApp, platform: &str) -> String {
    let mut body = post_body(platform, &[]);
    body["mode"] = json!("draft");
    t.api.create_post(&body).await
}

async fn a_program_follows_the_events_that_webhooks_are_sent(db: Db) {
    let t = TestApp::start_with(db, Options::default().set("egress_allow", "127.0.0.1")).await;
    let receiver = Receiver::start().await;
    let events = [
        "media.ready",
        "post.created",
        "post.queued",
        "post.published",
        "platform.disconnected",
    ];
    let body = json!({ "url": receiver.url, "events": events });
    assert_eq!(t.api.post("/public/v1/webhooks", &body).await.status, 201);
    let platform = t.connect("kitestudio").await;
    let mut stream = Stream::open(&t.api, "", "").await;
    let clip = t.api.upload_clip().await;
    let post = t.api.publish_now(&platform, &[clip]).await;
    t.settled(&post).await;
    t.idle().await;
    let mut delivered = receiver.received();
    delivered.sort_by_key(|one| one.headers["webhook-id"].to_str().unwrap().to_owned());
    assert_eq!(delivered.len(), 4);
    for one in delivered {
        let message = stream.next().await.unwrap();
        assert_eq!(message.id, one.headers["webhook-id"].to_str().unwrap());
        let (sent, followed) = (one.json(), serde_json::from_str::<Value>(&message.data).unwrap());
        assert_eq!(
            (&sent["type"], &sent["timestamp"]),
            (&followed["type"], &followed["timestamp"])
        );
        assert_eq!(sent["type"], message.event.as_str());
        assert_eq!(sent["data"]["id"], followed["data"]["id"]);
        if message.event == "post.published" || message.event == "media.ready" {
            assert_eq!(sent, followed);
        }
    }
}

async fn a_stream_goes_on_after_the_event_that_was_received_last(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    // What was half a minute before the last event may come again.
    t.clock.advance(MINUTE);
    let mut stream = Stream::open(&t.api, "", "").await;
    let first = draft(&t, &platform).await;
    let last = stream.next().await.unwrap();
    assert_eq!(last.data()["id"], first.as_str());
    drop(stream);
    t.clock.advance(MINUTE);
    let mut missed = Vec::new();
    // More than are read at once.
    for _ in 0..130 {
        missed.push(draft(&t, &platform).await);
    }
    let mut stream = Stream::open(&t.api, "", &last.id).await;
    for post in &missed {
        assert_eq!(stream.next().await.unwrap().data()["id"], post.as_str());
    }
    let new = draft(&t, &platform).await;
    assert_eq!(stream.next().await.unwrap().data()["id"], new.as_str());
    let mut fresh = Stream::open(&t.api, "", "").await;
    let newest = draft(&t, &platform).await;
    assert_eq!(
        fresh.next().await.unwrap().data()["id"],
        newest.as_str(),
        "nothing of before"
    );
}

/// Each connection here receives 25 events and is cut; 60 happened within the half minute that is repeated.
async fn a_stream_that_is_cut_while_it_repeats_events_reaches_the_new_ones(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    t.clock.advance(MINUTE);
    let mut stream = Stream::open(&t.api, "", "").await;
    let mut posts = Vec::new();
    for _ in 0..60 {
        posts.push(draft(&t, &platform).await);
        t.clock.advance(Duration::from_millis(10));
    }
    let mut last = String::new();
    for post in &posts {
        let message = stream.next().await.unwrap();
        assert_eq!(message.data()["id"], post.as_str());
        last = message.id;
    }
    assert!(!last.contains(' '), "the newest is its own");
    let new = draft(&t, &platform).await;
    for connection in 1.. {
        assert!(connection < 5, "the new event is not reached");
        let mut stream = Stream::open(&t.api, "", &last).await;
        let mut received = Vec::new();
        for _ in 0..25 {
            let message = stream.next().await.unwrap();
            let post = message.data()["id"].take();
            let (is_new, is_newest) = (post == new.as_str(), post == posts[59].as_str());
            received.push(message.id.clone());
            assert_eq!(message.id.contains(' '), !is_new && !is_newest, "{}", message.id);
            last = message.id;
            if is_new {
                return;
            }
        }
        assert!(received.is_sorted(), "in order");
    }
}

/// One that was made up, or one of a database whose clock was ahead.
async fn an_id_of_the_future_hides_nothing(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let ahead = "ffffffff-ffff-7fff-bfff-ffffffffffff";
    for last in [
        ahead.to_owned(),
        format!("019aa124-7a00-7000-8000-000000000042 {ahead}"),
    ] {
        let mut stream = Stream::open(&t.api, "", &last).await;
        let post = draft(&t, &platform).await;
        assert_eq!(stream.next().await.unwrap().data()["id"], post.as_str());
    }
}

/// On PostgreSQL a transaction may commit after another whose events are later.
async fn an_event_that_is_committed_late_is_not_missed(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let mut stream = Stream::open(&t.api, "", "").await;
    t.clock.advance(MINUTE);
    let before = t.now().minus(Duration::from_secs(20));
    draft(&t, &platform).await;
    let later = stream.next().await.unwrap();
    let millis = format!("{:012x}", before.as_millis());
    let early = format!("{}-{}-7000-8000-000000000001", &millis[..8], &millis[8..]);
    let url = t.app.config.database_url.expose().to_owned();
    // Both databases store an identifier as a parameter; here it is the bytes of one on SQLite.
    let (own, of) = match db {
        Db::Sqlite => (
            format!("x'{}'", early.replace('-', "")),
            format!("x'{}'", t.workspace.id.to_string().replace('-', "")),
        ),
        Db::Postgres => (format!("'{early}'"), format!("'{}'", t.workspace.id)),
    };
    let insert = format!(
        "INSERT INTO events (workspace_id, id, kind, payload, created_at)
         VALUES ({of}, {own}, 'platform.connected', '{{\"platformId\":\"{platform}\"}}', {})",
        before.as_micros()
    );
    execute_in(&url, db, insert).await;
    let next = draft(&t, &platform).await;
    let late = stream.next().await.unwrap();
    assert_eq!(
        (late.id.clone(), late.event.as_str()),
        (format!("{early} {}", later.id), "platform.connected")
    );
    assert_eq!(late.data()["id"], platform.as_str());
    assert_eq!(stream.next().await.unwrap().data()["id"], next.as_str());
    // A client that received only the later one and reads again from there receives it too.
    let mut again = Stream::open(&t.api, "?event=platform.connected", &later.id).await;
    assert_eq!(again.next().await.unwrap().id, format!("{early} {}", later.id));
}

async fn only_the_events_that_are_asked_for_are_sent(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let mut stream = Stream::open(&t.api, "?event=post.deleted&event=post.queued", "").await;
    let post = draft(&t, &platform).await;
    assert_eq!(
        t.api.delete(&format!("/public/v1/posts/{post}")).await.status,
        204
    );
    assert_eq!(stream.next_name().await, "post.deleted");
    t.api.publish_now(&platform, &[t.api.upload_clip().await]).await;
    assert_eq!(stream.next_name().await, "post.queued");
}

async fn what_cannot_be_followed_is_refused(db: Db) {
    let t = TestApp::start(db).await;
    for (query, last, path, code) in [
        ("?event=post.posted", "", "event", "unknown_value"),
        ("?event=webhook.test", "", "event", "unknown_value"),
        ("?event=", "", "event", "unknown_value"),
        ("", "seven", "Last-Event-ID", "format"),
        (
            "",
            "019aa124-7a00-7000-8000-000000000042 seven",
            "Last-Event-ID",
            "format",
        ),
        ("?events=post.queued", "", "events", "not_supported"),
    ] {
        let request = t.api.request(Method::GET, &format!("{EVENTS}{query}"));
        let answer = t.api.send(request.header("last-event-id", last)).await;
        assert_eq!(answer.status, 400, "{query} {last}");
        let details = answer.json()["details"][0].take();
        assert_eq!(details["path"], json!([path]), "{query} {last}");
        assert!(details["code"].as_str().unwrap().starts_with(code), "{details}");
    }
    assert_eq!(t.nobody().get(EVENTS).await.status, 401);
}

async fn another_workspace_sees_nothing(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let (stranger, mut own) = (t.stranger().await, Stream::open(&t.api, "", "").await);
    draft(&t, &platform).await;
    let last = own.next().await.unwrap().id;
    let mut theirs = Stream::open(&stranger, "", &last).await;
    let mut late = Stream::open(&stranger, "", "019aa124-7a00-7000-8000-000000000001").await;
    draft(&t, &platform).await;
    let media = stranger.upload_clip().await;
    for stream in [&mut theirs, &mut late] {
        let first = stream.next().await.unwrap();
        assert_eq!(
            (first.event.as_str(), first.data()["id"].as_str()),
            ("media.ready", Some(&*media))
        );
    }
}

async fn a_deleted_object_is_named(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let mut stream = Stream::open(&t.api, "", "").await;
    draft(&t, &platform).await;
    let created = stream.next().await.unwrap();
    let post = draft(&t, &platform).await;
    let path = format!("/public/v1/posts/{post}");
    assert_eq!(t.api.delete(&path).await.status, 204);
    assert_eq!(stream.next_name().await, "post.created");
    let deleted = stream.next().await.unwrap();
    assert_eq!(deleted.event, "post.deleted");
    assert_eq!(deleted.data(), json!({ "id": post }));
    let mut again = Stream::open(&t.api, "?event=post.created", &created.id).await;
    assert_eq!(again.next().await.unwrap().data(), json!({ "id": post }));
}

async fn a_stream_ends_with_its_key(db: Db) {
    let t = TestApp::start(db).await;
    let made = t.app.create_key(t.workspace.id, "for a while", None, None);
    let made = made.await.unwrap();
    let api = t.api.with_key(Some(made.key.clone()));
    let mut stream = Stream::open(&api, "", "").await;
    let platform = t.connect("kitestudio").await;
    assert_eq!(stream.next_name().await, "platform.connected");
    t.clock.advance(MINUTE);
    draft(&t, &platform).await;
    assert_eq!(stream.next_name().await, "post.created", "the key is valid");
    let revoked = t.app.revoke_key(t.workspace.id, made.record.id).await.unwrap();
    assert!(revoked);
    // Whatever happens next is not sent, also in the same moment.
    draft(&t, &platform).await;
    assert!(stream.next().await.is_none());
}

/// A node knows a key for a second.
async fn a_stream_ends_with_a_key_that_another_node_revokes(db: Db) {
    let t = TestApp::start(db).await;
    let made = t.app.create_key(t.workspace.id, "for a while", None, None);
    let api = t.api.with_key(Some(made.await.unwrap().key));
    let mut stream = Stream::open(&api, "", "").await;
    let platform = t.connect("kitestudio").await;
    assert_eq!(stream.next_name().await, "platform.connected");
    let sql = "DELETE FROM keys WHERE name = 'for a while'";
    execute_in(t.app.config.database_url.expose(), db, sql).await;
    t.clock.advance(Duration::from_secs(2));
    draft(&t, &platform).await;
    assert!(stream.next().await.is_none());
}

async fn a_stream_ends_with_the_service(db: Db) {
    let mut t = TestApp::start(db).await;
    let mut stream = Stream::open(&t.api, "", "").await;
    t.stop().await;
    assert!(stream.next().await.is_none());
}

async fn a_workspace_has_ten_streams(db: Db) {
    let t = TestApp::start(db).await;
    let mut open = Vec::new();
    for _ in 0..10 {
        open.push(Stream::open(&t.api, "", "").await);
    }
    let refused = t.api.get(EVENTS).await;
    assert_eq!(
        (refused.status, &refused.json()["code"]),
        (429, &json!("rate_limited"))
    );
    assert_eq!(refused.header("retry-after"), "60");
    Stream::open(&t.stranger().await, "", "").await;
}

#[tokio::test]
async fn a_workspace_has_ten_streams_on_all_nodes_together() {
    let t = TestApp::start(Db::Postgres).await;
    let (second_app, second, _service) = t.second_api().await;
    let mut open = Vec::new();
    for number in 0..10 {
        let node = [&t.api, &second][number % 2];
        open.push(Stream::open(node, "", "").await);
    }
    for node in [&t.api, &second] {
        assert_eq!(node.get(EVENTS).await.status, 429);
    }
    drop(open.pop());
    eventually("a stream that was closed there may be opened here", async || {
        second_app.share_counts().await.unwrap();
        let opened = t.api.request(Method::GET, EVENTS).send().await.unwrap();
        opened.status() == StatusCode::OK
    })
    .await;
}

/// PostgreSQL alone has second nodes.
#[tokio::test]
async fn what_happens_on_one_node_is_followed_on_another() {
    let t = TestApp::start(Db::Postgres).await;
    let platform = t.connect("kitestudio").await;
    let (_app, other, service) = t.second_api().await;
    let mut stream = Stream::open(&other, "", "").await;
    let post = draft(&t, &platform).await;
    assert_eq!(stream.next().await.unwrap().data()["id"], post.as_str());
    service.stop().await;
}
