//! What restricted keys may do (`docs/contract.md#scopes`): every operation with every scope, drafts alone, some accounts alone.

use std::collections::BTreeSet;
use std::time::Duration;

use playout_domain::access::{Scope, Scopes};
use playout_domain::error::Code;
use playout_server::api::key_access::{Names, OF_EVERY_KEY, OPERATIONS};
use playout_server::api::openapi::document;
use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{Client, Db, Options, Person, TestApp, on_both, post_body, secret};

on_both!(
    every_operation_wants_its_scope_and_no_other,
    a_key_for_drafts_changes_drafts_alone,
    a_batch_needs_the_scope_of_what_it_creates,
    a_draft_is_queued_or_deleted_by_a_key_for_drafts_but_never_both,
    a_key_for_one_account_sees_that_account_and_its_posts_alone,
    a_key_for_one_account_creates_nothing_on_another,
    a_stored_response_is_not_repeated_to_a_key_that_does_not_see_its_account,
    the_events_of_accounts_that_a_key_does_not_see_are_not_sent_to_it,
    a_key_is_listed_with_what_it_may_do,
    a_key_tells_what_it_may_do,
);

const NOWHERE: &str = "0196f3a0-0000-7000-8000-000000000000";
const POSTS: &str = "/public/v1/posts";

/// A workspace with an owner, a key that may do everything, and two accounts.
struct World {
    t: TestApp,
    ada: Person,
    all: Client,
    ours: String,
    other: String,
}

impl World {
    async fn new(db: Db) -> Self {
        let t = TestApp::start(db).await;
        let ada = t.sign_up("ada@example.org").await;
        let workspace = ada.workspace.parse().unwrap();
        let ours = t.connect_in(workspace, "kitestudio").await;
        let other = t.connect_in(workspace, "harborbakes").await;
        let all = key(&t, &ada, json!({})).await;
        Self {
            t,
            ada,
            all,
            ours,
            other,
        }
    }

    async fn key(&self, grant: Value) -> Client {
        key(&self.t, &self.ada, grant).await
    }

    /// A post to this account in this mode, created by the key that may do everything.
    async fn post(&self, account: &str, mode: &str) -> String {
        self.all.create_post(&self.body(account, mode).await).await
    }

    async fn body(&self, account: &str, mode: &str) -> Value {
        let clip = self.all.upload_clip().await;
        let mut body = post_body(account, &[clip]);
        body["mode"] = mode.into();
        if mode == "schedule" {
            body["scheduledFor"] = json!(self.t.now().plus(Duration::from_secs(3600)));
        }
        body
    }
}

/// A client with a new key of the person's workspace, with this grant.
async fn key(t: &TestApp, by: &Person, mut grant: Value) -> Client {
    grant["name"] = "agent".into();
    let made = by.api.post("/app/v1/keys", &grant).await.ok();
    t.nobody().with_key(Some(secret(made["key"].as_str().unwrap())))
}

fn at(post: &str) -> String {
    format!("{POSTS}/{post}")
}

/// A request that reaches no handler: with a parameter that no operation has.
async fn status_of(api: &Client, (method, path): (&str, &str)) -> (u16, Value) {
    let path = format!("/public/v1{}?nonsense=1", path.replace("{id}", NOWHERE));
    let method = Method::from_bytes(method.as_bytes()).unwrap();
    let answer = api.request(method, &path).send().await.unwrap();
    let status = answer.status().as_u16();
    (status, answer.json().await.unwrap_or_default())
}

async fn every_operation_wants_its_scope_and_no_other(db: Db) {
    let t = TestApp::start_with(db, Options::default().set("rate_limits", "off")).await;
    let ada = t.sign_up("ada@example.org").await;
    let reference = document();
    let paths = reference["paths"].as_object().unwrap().iter();
    let documented: BTreeSet<(String, &str)> = paths
        .filter_map(|(path, methods)| Some((path.strip_prefix("/public/v1")?, methods.as_object()?)))
        .flat_map(|(path, methods)| methods.keys().map(move |method| (method.to_uppercase(), path)))
        .collect();
    let listed = OPERATIONS.iter().map(|(method, path, ..)| (*method, *path));
    let listed = listed.chain(OF_EVERY_KEY.iter().copied());
    let listed = listed.map(|(method, path)| (method.to_owned(), path));
    assert_eq!(listed.collect::<BTreeSet<_>>(), documented);
    for granted in Scope::ALL {
        let api = key(&t, &ada, json!({ "scopes": [granted.as_str()] })).await;
        let scopes: Scopes = [granted].into_iter().collect();
        for (method, path) in OF_EVERY_KEY {
            assert_eq!(status_of(&api, (method, path)).await.0, 400, "{method} {path}");
        }
        for (method, path, wanted, _) in OPERATIONS {
            let (status, body) = status_of(&api, (method, path)).await;
            let what = format!("{method} {path} with {}: {status} {body}", granted.as_str());
            match scopes.allow(*wanted) {
                true => assert_eq!(status, 400, "{what}"),
                false => assert_eq!(status, 403, "{what}"),
            }
            if status == 403 && *method != "HEAD" {
                assert_eq!(body["code"], Code::InsufficientScope.as_str(), "{what}");
                assert_eq!(
                    body["details"],
                    json!({ "required": [wanted.as_str()] }),
                    "{what}"
                );
            }
        }
    }
}

async fn a_key_for_drafts_changes_drafts_alone(db: Db) {
    let world = World::new(db).await;
    let api = world.key(json!({ "scopes": ["drafts"] })).await;
    let needs_publish = |answer: crate::harness::Answer| {
        let refused = answer.refused(403, "insufficient_scope");
        assert_eq!(refused["details"]["required"], json!(["publish"]));
    };
    for mode in ["now", "schedule"] {
        needs_publish(api.post(POSTS, &world.body(&world.ours, mode).await).await);
    }
    let queued = world.post(&world.ours, "schedule").await;
    let before = world.all.get(&at(&queued)).await.ok();
    needs_publish(api.patch(&at(&queued), &json!({ "content": "Changed" })).await);
    needs_publish(api.delete(&at(&queued)).await);
    let later = json!({ "scheduledFor": before["root"]["scheduledFor"] });
    needs_publish(api.patch(&format!("{}/schedule", at(&queued)), &later).await);
    for operation in ["publish", "unschedule", "mark-published"] {
        needs_publish(
            api.post(&format!("{}/{operation}", at(&queued)), &json!({}))
                .await,
        );
    }
    assert_eq!(world.all.get(&at(&queued)).await.ok(), before);
    let draft = api.create_post(&world.body(&world.ours, "draft").await).await;
    let changed = api
        .patch(&at(&draft), &json!({ "content": "Changed" }))
        .await
        .ok();
    assert_eq!(changed["root"]["content"], "Changed");
    assert_eq!(api.delete(&at(&draft)).await.status, 204);
    api.delete(&at(&draft)).await.refused(404, "post_not_found");
}

async fn a_batch_needs_the_scope_of_what_it_creates(db: Db) {
    let world = World::new(db).await;
    let drafts = json!({ "posts": [world.body(&world.ours, "draft").await] });
    let mixed = json!({ "posts": [drafts["posts"][0], world.body(&world.ours, "schedule").await] });
    let (drafter, reader) = (
        world.key(json!({ "scopes": ["drafts"] })).await,
        world.key(json!({ "scopes": ["read"] })).await,
    );
    let send = async |api: &Client, body: &Value| {
        let request = api.request(Method::POST, "/public/v1/posts/batch").json(body);
        api.send(request.header("idempotency-key", "one")).await
    };
    for (api, body, wanted) in [(&drafter, &mixed, "publish"), (&reader, &drafts, "drafts")] {
        let refused = send(api, body).await.refused(403, "insufficient_scope");
        assert_eq!(refused["details"]["required"], json!([wanted]));
    }
    // Of a dry run nothing is stored, and what was refused frees its key.
    let mut dry_run = mixed.clone();
    dry_run["dryRun"] = true.into();
    for _ in 0..2 {
        let answer = send(&reader, &dry_run).await;
        assert_eq!((answer.status, answer.header("idempotency-replayed")), (200, ""));
    }
    assert_eq!(world.all.get(POSTS).await.ok()["posts"], json!([]));
    send(&world.all, &mixed).await.ok();
    assert_eq!(
        world.all.get(POSTS).await.ok()["posts"].as_array().unwrap().len(),
        2
    );
}

async fn a_draft_is_queued_or_deleted_by_a_key_for_drafts_but_never_both(db: Db) {
    let world = World::new(db).await;
    let api = world.key(json!({ "scopes": ["drafts"] })).await;
    let body = world.body(&world.ours, "draft").await;
    let at_time = json!({ "scheduledFor": world.t.now().plus(Duration::from_secs(3600)) });
    for _ in 0..20 {
        let draft = world.all.create_post(&body).await;
        let (path, schedule) = (at(&draft), format!("{}/schedule", at(&draft)));
        let edit = json!({ "content": "Edited" });
        let (queued, deleted, edited) = tokio::join!(
            world.all.patch(&schedule, &at_time),
            api.delete(&path),
            api.patch(&path, &edit)
        );
        let now = world.all.get(&path).await;
        match (queued.status, deleted.status) {
            (200, 403) => assert_eq!(now.ok()["root"]["state"], "QUEUE"),
            // Read while it was deleted, it has no media.
            (404 | 400, 204) => assert_eq!(now.status, 404),
            other => panic!("scheduled and deleted: {other:?}, edited: {}", edited.status),
        }
    }
}

async fn a_key_for_one_account_sees_that_account_and_its_posts_alone(db: Db) {
    let world = World::new(db).await;
    let (ours, theirs) = (
        world.post(&world.ours, "schedule").await,
        world.post(&world.other, "schedule").await,
    );
    let api = world.key(json!({ "platformIds": [world.ours] })).await;
    let platforms = api.get("/public/v1/platforms?include=all").await.ok();
    assert_eq!(platforms["platforms"].as_array().unwrap().len(), 1);
    assert_eq!(platforms["platforms"][0]["id"], json!(world.ours));
    let listed = async |query: &str| -> Vec<Value> {
        let list = api.get(&format!("{POSTS}{query}")).await.ok();
        let posts = list["posts"].as_array().unwrap().iter();
        posts.map(|post| post["id"].clone()).collect()
    };
    let own = vec![json!(ours)];
    for (query, posts) in [
        (String::new(), &own),
        ("?state=QUEUE&order=desc".to_owned(), &own),
        ("?q=i".to_owned(), &own),
        (format!("?platformId={}", world.ours), &own),
        (format!("?platformId={}", world.other), &Vec::new()),
        (format!("?platformId={}&state=QUEUE", world.other), &Vec::new()),
    ] {
        assert_eq!(listed(&query).await, *posts, "{query}");
    }
    for (method, path, _, names) in OPERATIONS {
        let (id, code) = match names {
            Names::Nothing => continue,
            Names::Account => (&world.other, "platform_not_found"),
            Names::Post => (&theirs, "post_not_found"),
        };
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        let path = format!("/public/v1{}", path.replace("{id}", id));
        let request = api.request(method, &path).json(&json!({ "content": "Mine" }));
        api.send(request).await.refused(404, code);
    }
    assert_eq!(world.all.get(&at(&theirs)).await.ok()["root"]["state"], "QUEUE");
    let media = world.all.get(&at(&theirs)).await.ok()["root"]["mediaIds"][0].take();
    let used = format!("/public/v1/media/{}", media.as_str().unwrap());
    let refused = api.delete(&used).await.refused(409, "media_in_use");
    assert_eq!(refused["details"]["postIds"], json!([]));
    let refused = world.all.delete(&used).await.refused(409, "media_in_use");
    assert_eq!(refused["details"]["postIds"], json!([theirs]));
    let usage = api.get("/public/v1/usage").await.ok();
    let accounts = usage["accounts"].as_array().unwrap().iter();
    let accounts: Vec<&Value> = accounts.map(|account| &account["platformId"]).collect();
    assert_eq!(accounts, [&json!(world.ours)]);
    let changed = api.patch(&at(&ours), &json!({ "content": "Mine" })).await.ok();
    assert_eq!(changed["root"]["content"], "Mine");
    let refused = api.get("/public/v1/webhooks").await;
    assert_eq!(
        refused.refused(403, "insufficient_scope")["details"]["required"],
        json!(["webhooks"])
    );
}

async fn a_key_for_one_account_creates_nothing_on_another(db: Db) {
    let world = World::new(db).await;
    let api = world.key(json!({ "platformIds": [world.ours] })).await;
    let mut body = world.body(&world.ours, "draft").await;
    body["platformIds"] = json!([world.other, world.ours]);
    let statuses = |results: &Value, name: &str| {
        let results = results.as_array().unwrap().iter();
        results.map(|result| result[name].clone()).collect::<Vec<_>>()
    };
    let created = api.post(POSTS, &body).await.ok();
    assert_eq!(statuses(&created["results"], "status"), ["failed", "created"]);
    assert_eq!(created["results"][0]["error"]["code"], "platform_not_found");
    let validated = api.post("/public/v1/posts/validate", &body).await.ok();
    assert_eq!(statuses(&validated["results"], "status"), ["failed", "valid"]);
    let batch = json!({ "posts": [body] });
    let created = api.post("/public/v1/posts/batch", &batch).await.ok();
    let of_post = &created["results"][0]["results"];
    assert_eq!(statuses(of_post, "status"), ["failed", "created"], "{created:#}");
    let listed = world
        .all
        .get(&format!("{POSTS}?platformId={}", world.other))
        .await
        .ok();
    assert_eq!(listed["posts"], json!([]));
}

async fn a_stored_response_is_not_repeated_to_a_key_that_does_not_see_its_account(db: Db) {
    let world = World::new(db).await;
    let body = world.body(&world.other, "draft").await;
    let send = async |api: &Client| {
        let request = api.request(Method::POST, POSTS).header("idempotency-key", "one");
        api.send(request.json(&body)).await
    };
    send(&world.all).await.ok();
    let api = world.key(json!({ "platformIds": [world.ours] })).await;
    send(&api).await.refused(422, "idempotency_key_reused");
}

async fn the_events_of_accounts_that_a_key_does_not_see_are_not_sent_to_it(db: Db) {
    let world = World::new(db).await;
    let api = world.key(json!({ "platformIds": [world.ours] })).await;
    let request = api.request(Method::GET, "/public/v1/events?event=post.created");
    let mut stream = request.send().await.unwrap();
    assert_eq!(stream.status(), 200);
    world.post(&world.other, "draft").await;
    let ours = world.post(&world.ours, "draft").await;
    let mut read = String::new();
    while !read.contains(&ours) {
        read += std::str::from_utf8(&stream.chunk().await.unwrap().unwrap()).unwrap();
    }
    assert!(!read.contains(&world.other), "{read}");
    assert_eq!(read.matches("event: post.created").count(), 1, "{read}");
}

async fn a_key_is_listed_with_what_it_may_do(db: Db) {
    let world = World::new(db).await;
    let refused = json!({ "name": "x", "platformIds": [world.ours, NOWHERE], "scopes": ["read"] });
    let answer = world.ada.api.post("/app/v1/keys", &refused).await;
    answer.invalid_at(&[json!(["platformIds", 1])]);
    let refused = json!({ "name": "x", "platformIds": [world.ours], "scopes": ["webhooks"] });
    let answer = world.ada.api.post("/app/v1/keys", &refused).await;
    answer.invalid_at(&[json!(["scopes"])]);
    world.t.clock.advance(Duration::from_secs(1));
    world
        .key(json!({ "scopes": ["publish"], "platformIds": [world.ours] }))
        .await;
    let keys = world.ada.api.get("/app/v1/keys").await.ok();
    let shown: Vec<(&Value, &Value)> = keys["keys"]
        .as_array()
        .unwrap()
        .iter()
        .map(|key| (&key["scopes"], &key["platformIds"]))
        .collect();
    let all: Vec<&str> = Scope::ALL.into_iter().map(Scope::as_str).collect();
    assert_eq!(
        shown,
        [
            (&json!(all), &Value::Null),
            (&json!(["read", "drafts", "publish"]), &json!([world.ours]))
        ]
    );
    let trail = world.ada.api.get("/app/v1/audit").await.ok();
    assert_eq!(
        trail["entries"][0]["detail"]["scopes"], "read drafts publish",
        "{trail:#}"
    );
}

async fn a_key_tells_what_it_may_do(db: Db) {
    let world = World::new(db).await;
    let ends = world.t.now().plus(Duration::from_secs(3600));
    let grant = json!({ "scopes": ["media"], "platformIds": [world.ours], "expiresAt": ends });
    let told = world.key(grant).await.get("/public/v1/key").await.ok();
    let wanted = json!({
        "id": told["id"], "name": "agent", "organizationId": world.ada.workspace,
        "scopes": ["read", "media"], "platformIds": [world.ours], "expiresAt": ends,
    });
    assert_eq!(told, wanted);
    let told = world.all.get("/public/v1/key").await.ok();
    assert_eq!(
        (&told["platformIds"], &told["expiresAt"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(told["scopes"].as_array().unwrap().len(), Scope::ALL.len());
    let refused = world
        .key(json!({ "scopes": ["read"] }))
        .await
        .post(POSTS, &json!({}))
        .await;
    let challenge = "Bearer error=\"insufficient_scope\", scope=\"drafts\"";
    assert_eq!(refused.header("www-authenticate"), challenge);
    let misspelt = json!({ "name": "x", "scope": "read" });
    let answer = world.ada.api.post("/app/v1/keys", &misspelt).await;
    answer.invalid_at(&[json!(["scope"])]);
}
