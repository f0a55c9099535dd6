//! Fills a database through the API, as people and programs use it, and writes it to a dump.

use std::time::Duration;

use playout_domain::workspace::Role;
use playout_tiktok::sim::{Account, FailRule};
use reqwest::Method;
use serde_json::{Value, json};

use super::dump;
use crate::harness::{
    CLIP, Db, Options, Person, Receiver, TIKTOK, Takes, TestApp, execute_in, jpeg, post_body,
};

const MINUTE: Duration = Duration::from_secs(60);
/// The key of the request that a test sends again.
pub(super) const IDEMPOTENCY_KEY: &str = "kept";

#[tokio::test]
#[ignore = "writes the dump of this version: for each release, once"]
async fn make_on_sqlite() {
    Box::pin(make(Db::Sqlite)).await;
}

#[tokio::test]
#[ignore = "writes the dump of this version: for each release, once"]
async fn make_on_postgres() {
    Box::pin(make(Db::Postgres)).await;
}

async fn make(db: Db) {
    let options = Options::default().set("egress_allow", "127.0.0.1");
    let mut t = TestApp::start_with(db, options).await;
    let receiver = Receiver::start().await;
    let mut known = people(&t).await;
    known["webhook"] = webhook(&t, &receiver).await;
    known["posts"] = posts(&t, &receiver).await;
    waiting(&t, &known).await;
    t.stop().await;
    // The service is stopped, so nothing revokes the access: the row stays.
    t.remove_account(text(&known["posts"]["gone"])).await;
    // A test uses it at another place, beside a storage of its own: it must not begin with a hold, or wait for its storage.
    let elsewhere = "UPDATE instance SET home = NULL, storage_id = NULL";
    execute_in(t.app.config.database_url.expose(), db, elsewhere).await;
    dump::write(&t, db, known).await;
}

/// People, their sessions and keys, and what they have begun; what a test needs to be them.
async fn people(t: &TestApp) -> Value {
    let ada = t.sign_up_protected("ada@example.org").await;
    let recovery = ada.recovery_codes.clone();
    let at = t.now().plus(MINUTE * 120);
    let code = json!({ "at": at, "code": ada.app.code(at) });
    let ada = in_workspace_of(t, &ada.person, Role::Owner).await;
    let bob = in_workspace_of(t, &t.sign_up("bob@example.org").await, Role::Member).await;
    let key = ada
        .api
        .post("/app/v1/keys", &json!({ "name": "Ada's" }))
        .await
        .ok();
    let revoked = ada
        .api
        .post("/app/v1/keys", &json!({ "name": "lost" }))
        .await
        .ok();
    let path = format!("/app/v1/keys/{}", text(&revoked["id"]));
    assert_eq!(ada.api.delete(&path).await.status, 204);
    let invitations = format!("/app/v1/organizations/{}/invitations", t.workspace.id);
    ada.api
        .post(&invitations, &json!({ "email": "cay@example.org" }))
        .await
        .ok();
    let forgotten = json!({ "email": "bob@example.org" });
    t.nobody().post("/app/v1/auth/password/forgot", &forgotten).await;
    t.nobody().post("/auth/device/start", &json!({})).await.ok();
    json!({
        "workspace": t.workspace.id.to_string(),
        "key": t.api.key(),
        "keyOfAda": key["key"],
        "revokedKey": revoked["key"],
        "sessionOfBob": bob.token,
        "recoveryCodes": recovery,
        "codeOfAda": code,
    })
}

/// The person as a member of the test's workspace.
async fn in_workspace_of(t: &TestApp, person: &Person, role: Role) -> Person {
    let user = person.id.parse().unwrap();
    t.app
        .store
        .add_member(t.workspace.id, user, role, t.now())
        .await
        .unwrap();
    Person {
        api: person.api.in_workspace(&t.workspace.id.to_string()),
        ..person.clone()
    }
}

async fn webhook(t: &TestApp, receiver: &Receiver) -> Value {
    let body = json!({ "url": receiver.url, "events": ["post.queued", "post.published", "post.failed", "media.ready"] });
    t.api.post("/public/v1/webhooks", &body).await.ok()["id"].take()
}

/// A photo in a folder, and a clip; returns the clip.
async fn library(t: &TestApp) -> String {
    let folder = t
        .api
        .post("/public/v1/media/folders", &json!({ "name": "Wind" }))
        .await
        .ok();
    let part = [("folderId", text(&folder["id"]))];
    t.api
        .upload_form("photo.jpg", "image/jpeg", &jpeg(360, 640), &part)
        .await
        .ok();
    t.api.upload_clip().await
}

/// Accounts, and a post of each state.
async fn posts(t: &TestApp, receiver: &Receiver) -> Value {
    let creator = t.connect("kitestudio").await;
    t.sim.add_account(Account::new("kiteshop"));
    let business = t.connect_business("kiteshop").await;
    let gone = t.join("kitesgone").await;
    let clip = library(t).await;
    let plain = post_body(&creator, std::slice::from_ref(&clip));
    let with = |changes: Value| {
        let mut body = plain.clone();
        body.as_object_mut()
            .unwrap()
            .extend(changes.as_object().unwrap().clone());
        body
    };
    let published = t.api.create_post(&with(json!({ "content": "published" }))).await;
    assert_eq!(t.settled(&published).await["state"], "PUBLISHED");
    let removed = t.api.create_post(&with(json!({ "content": "removed" }))).await;
    assert_eq!(t.settled(&removed).await["state"], "PUBLISHED");
    let path = format!("/public/v1/posts/{removed}");
    assert_eq!(t.api.delete(&path).await.status, 204);
    let commented = with(
        json!({ "content": "commented", "platformIds": [business], "settings": { "allow_comment": true }, "comments": [
            { "content": "first", "delayInMinutes": 5 }, { "content": "in the evening", "delayInMinutes": 1_000 },
        ]}),
    );
    let commented = t.api.create_post(&commented).await;
    t.group_until(&commented, |group| group["children"][0]["state"] == "PUBLISHED")
        .await;
    let inbox = with(json!({ "content": "inbox", "settings": { "post_mode": "MEDIA_UPLOAD" } }));
    let inbox = t.api.create_post(&inbox).await;
    assert_eq!(t.settled(&inbox).await["state"], "ACTION_REQUIRED");
    t.sim
        .fail(FailRule::next("file_format_check_failed").on_account(&t.open_id("kitestudio")));
    // One delivery is taken, another waits for its next try.
    receiver.will([Takes::status(204), Takes::status(500)]);
    let failed = t.api.create_post(&with(json!({ "content": "failed" }))).await;
    assert_eq!(t.settled(&failed).await["state"], "ERROR");
    let draft = t
        .api
        .create_post(&with(json!({ "content": "draft", "mode": "draft" })))
        .await;
    // Times are relative to the end of filling, which the dump records as `now`.
    let later = t.now().plus(MINUTE * 60);
    let planned = with(json!({ "content": "planned", "mode": "schedule", "scheduledFor": later }));
    let request = t
        .api
        .request(Method::POST, "/public/v1/posts")
        .header("idempotency-key", IDEMPOTENCY_KEY);
    let created = t.api.send(request.json(&planned)).await.ok();
    // It is handed over, and the provider has not reported its outcome yet.
    t.sim.turn(|knobs| knobs.stuck = true);
    let open = t.api.create_post(&with(json!({ "content": "open" }))).await;
    t.idle().await;
    json!({
        "creator": creator,
        "business": business,
        "gone": gone,
        "published": published,
        "commented": commented,
        "inbox": inbox,
        "failed": failed,
        "draft": draft,
        "planned": created["results"][0]["post"]["root"]["id"],
        "plannedRequest": planned,
        "open": open,
    })
}

/// An upload that is half done, and an account whose connection has begun.
async fn waiting(t: &TestApp, known: &Value) {
    let request = t.api.request(Method::POST, "/public/v1/media/uploads");
    let begun = request
        .header("tus-resumable", "1.0.0")
        .header("upload-length", CLIP.len());
    assert_eq!(t.api.send(begun).await.status, 201);
    t.app
        .start_connecting(text(&known["workspace"]).parse().unwrap(), TIKTOK)
        .await
        .unwrap();
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}
