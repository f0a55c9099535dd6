//! `/events` sends the changes in a workspace to every member who has it open.

use std::time::Duration;

use playout_domain::workspace::Role;
use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{Client, Db, Options, PATIENCE, Pooler, TestApp, on_both, post_body, secret};

on_both!(
    a_colleague_sees_what_others_change_and_nothing_of_other_workspaces,
    what_programs_and_the_engine_do_is_seen,
    whoever_is_removed_is_shown_out_at_once,
    a_session_that_ended_sees_nothing_after_a_minute,
    a_session_that_was_ended_from_another_sees_nothing_after_a_minute,
    a_service_that_stops_ends_the_streams,
);

/// An open stream of events.
struct Stream {
    response: reqwest::Response,
    read: String,
}

impl Stream {
    async fn open(api: &Client) -> Self {
        let request = api.request(Method::GET, "/app/v1/events");
        let response = request.header("accept-encoding", "gzip").send().await.unwrap();
        assert_eq!(response.status(), 200);
        for (name, value) in [
            ("content-type", "text/event-stream"),
            ("cache-control", "no-cache"),
            ("x-accel-buffering", "no"),
        ] {
            assert_eq!(response.headers()[name], value);
        }
        assert!(!response.headers().contains_key("content-encoding"));
        let read = String::new();
        Self { response, read }
    }

    /// The type of the next event; `None` where the stream ends.
    async fn next(&mut self) -> Option<String> {
        loop {
            if let Some((event, rest)) = self.read.split_once("\n\n") {
                let data = event.strip_prefix("data: ").map(str::to_owned);
                self.read = rest.to_owned();
                // A line without data is a comment: a keep-alive.
                let Some(data) = data else { continue };
                let event: Value = serde_json::from_str(&data).unwrap();
                return Some(event["type"].as_str().unwrap().to_owned());
            }
            let piece = tokio::time::timeout(PATIENCE, self.response.chunk()).await;
            let piece = piece.expect("no event arrives").unwrap()?;
            self.read.push_str(std::str::from_utf8(&piece).unwrap());
        }
    }

    /// Reads until an event of that type.
    async fn until(&mut self, kind: &str) {
        while self.next().await.expect("the stream has ended") != kind {}
    }
}

async fn make_folder(by: &Client, name: &str) {
    let made = by.post("/app/v1/media/folders", &json!({ "name": name })).await;
    assert_eq!(made.status, 201);
}

async fn a_colleague_sees_what_others_change_and_nothing_of_other_workspaces(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let bob = t.colleague(&ada, Role::Member, "bob@example.org").await;
    let eve = t.sign_up("eve@example.org").await;
    let (mut hers, mut theirs) = (Stream::open(&ada.api).await, Stream::open(&eve.api).await);
    make_folder(&bob.api, "Kites").await;
    assert_eq!(hers.next().await.unwrap(), "media.updated");
    let refused = bob
        .api
        .post("/app/v1/media/folders", &json!({ "name": "" }))
        .await;
    assert_eq!(refused.status, 400);
    let made = ada.api.post("/app/v1/keys", &json!({ "name": "CI" })).await;
    assert_eq!(made.status, 201);
    assert_eq!(
        hers.next().await.unwrap(),
        "key.updated",
        "what was refused changed nothing"
    );
    let eves = eve.api.post("/app/v1/keys", &json!({ "name": "CI" })).await;
    assert_eq!(eves.status, 201);
    assert_eq!(
        theirs.next().await.unwrap(),
        "key.updated",
        "nothing of the folder"
    );
}

async fn what_programs_and_the_engine_do_is_seen(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let workspace = t.workspace.id;
    t.app
        .store
        .add_member(workspace, ada.id.parse().unwrap(), Role::Member, t.now())
        .await
        .unwrap();
    let mut stream = Stream::open(&ada.api.in_workspace(&workspace.to_string())).await;
    let platform = t.connect("kitestudio").await;
    stream.until("platform.updated").await;
    let media = t.api.upload_clip().await;
    stream.until("media.updated").await;
    let mut body = post_body(&platform, &[media]);
    let at = t.now().plus(Duration::from_secs(3600)).to_string();
    (body["mode"], body["scheduledFor"]) = (json!("schedule"), json!(at));
    let post = t.api.create_post(&body).await;
    stream.until("post.updated").await;
    assert_eq!(t.settled(&post).await["state"], "PUBLISHED");
    stream.until("post.updated").await;
}

async fn whoever_is_removed_is_shown_out_at_once(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let bob = t.colleague(&ada, Role::Member, "bob@example.org").await;
    let (mut hers, mut his) = (Stream::open(&ada.api).await, Stream::open(&bob.api).await);
    let path = format!("/app/v1/organizations/{}/members/{}", ada.workspace, bob.id);
    assert_eq!(ada.api.delete(&path).await.status, 204);
    assert_eq!(his.next().await, None);
    assert_eq!(hers.next().await.unwrap(), "member.updated");
}

async fn a_session_that_ended_sees_nothing_after_a_minute(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let mut stream = Stream::open(&ada.api).await;
    t.clock.advance(Duration::from_secs(60));
    make_folder(&ada.api, "Kites").await;
    // It goes on with the session. A node that has only begun to listen to others reports everything as changed once.
    stream.until("media.updated").await;
    assert_eq!(
        ada.api.post("/app/v1/auth/sign-out", &Value::Null).await.status,
        204
    );
    t.clock.advance(Duration::from_secs(60));
    while stream.next().await.is_some() {}
}

async fn a_session_that_was_ended_from_another_sees_nothing_after_a_minute(db: Db) {
    let t = TestApp::start(db).await;
    let here = t.sign_up("ada@example.org").await;
    let there = t.person(&t.sign_in("ada@example.org").await.ok());
    let sessions = there.api.get("/app/v1/me/sessions").await.ok();
    let sessions = sessions["sessions"].as_array().unwrap();
    let current = sessions
        .iter()
        .find(|session| session["current"] == true)
        .unwrap();
    let (mut hers, mut theirs) = (Stream::open(&here.api).await, Stream::open(&there.api).await);
    let path = format!("/app/v1/me/sessions/{}", current["id"].as_str().unwrap());
    assert_eq!(here.api.delete(&path).await.status, 204);
    t.clock.advance(Duration::from_secs(60));
    // A node that has only begun to listen to others reports everything as changed once.
    while theirs.next().await.is_some() {}
    make_folder(&here.api, "Kites").await;
    hers.until("media.updated").await;
}

async fn a_service_that_stops_ends_the_streams(db: Db) {
    let mut t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let mut stream = Stream::open(&ada.api).await;
    t.stop().await;
    assert_eq!(stream.next().await, None);
}

/// PostgreSQL alone has second nodes.
#[tokio::test]
async fn what_happens_on_one_node_is_seen_on_another() {
    is_seen_on_another(&TestApp::start(Db::Postgres).await).await;
}

#[tokio::test]
async fn what_happens_on_one_node_is_seen_on_another_by_pgbouncer_too() {
    let pooler = Pooler::start("session").await;
    let options = Options {
        database_at: Some(pooler.address),
        ..Options::default()
    };
    let mut t = TestApp::start_with(Db::Postgres, options).await;
    is_seen_on_another(&t).await;
    t.stop().await;
    t.app.store.close().await;
}

async fn is_seen_on_another(t: &TestApp) {
    let ada = t.sign_up("ada@example.org").await;
    let (app, other, service) = t.second_api().await;
    let there = other
        .with_key(Some(secret(&ada.token)))
        .in_workspace(&ada.workspace);
    let mut stream = Stream::open(&there).await;
    // The first may be sent because the other node has only begun to listen.
    for name in ["Kites", "Boats", "Gliders"] {
        make_folder(&ada.api, name).await;
        stream.until("media.updated").await;
    }
    service.stop().await;
    app.store.close().await;
}
