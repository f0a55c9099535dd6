//! Who created a post, and who changed it last: a member in a session or a key, by the name that they had then.

use std::time::Duration;

use playout_domain::workspace::Role;
use playout_tiktok::sim::{Endpoint, Fault, FaultAction, HoldPoint};
use serde_json::{Value, json};

use crate::harness::{Client, Db, Person, TestApp, on_both, post_body, secret};

on_both!(
    every_answer_with_a_post_names_who_created_it_and_who_changed_it_last,
    the_engine_changes_no_author,
    whoever_marks_a_post_as_published_is_named,
    comments_name_who_wrote_them_and_names_outlive_keys_and_members,
);

const TOMORROW: &str = "2026-11-21T12:00:00.000Z";

/// A key of a person's workspace, and what posts show of it.
async fn key_of(person: &Person, name: &str) -> (Client, Value) {
    let key = person
        .api
        .post("/app/v1/keys", &json!({ "name": name }))
        .await
        .ok();
    let client = person.api.with_key(Some(secret(key["key"].as_str().unwrap())));
    (client, json!({ "kind": "key", "id": key["id"], "name": name }))
}

fn user(person: &Person) -> Value {
    json!({ "kind": "user", "id": person.id, "name": person.email })
}

fn authors(post: &Value) -> (Value, Value) {
    (post["createdBy"].clone(), post["updatedBy"].clone())
}

/// The post of the only result.
fn created(answer: &Value) -> &Value {
    &answer["results"][0]["post"]
}

async fn every_answer_with_a_post_names_who_created_it_and_who_changed_it_last(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let bob = t.colleague(&ada, Role::Member, "bob@example.org").await;
    let (key, by_key) = key_of(&ada, "CI").await;
    let platform = t.connect_in(ada.workspace.parse().unwrap(), "kitestudio").await;
    let photo = key.upload_photo(300, 400).await;
    let mut draft = post_body(&platform, &[photo]);
    draft["mode"] = json!("draft");
    draft["settings"] = json!({ "privacy_level": "SELF_ONLY" });
    let by_ada = ada.api.post("/app/v1/posts", &draft).await.ok();
    let group = created(&by_ada);
    assert_eq!(authors(&group["root"]), (user(&ada), Value::Null));
    let id = group["root"]["id"].as_str().unwrap();
    let at = |rest: &str| format!("/app/v1/posts/{id}{rest}");
    assert_eq!(
        authors(&ada.api.get(&at("")).await.ok()["root"]),
        (user(&ada), Value::Null)
    );
    let edited = key
        .patch(&format!("/public/v1/posts/{id}"), &json!({ "content": "Again" }))
        .await
        .ok();
    assert_eq!(authors(&edited["root"]), (user(&ada), by_key.clone()));
    let scheduled = bob
        .api
        .patch(&at("/schedule"), &json!({ "scheduledFor": TOMORROW }))
        .await
        .ok();
    assert_eq!(authors(&scheduled["root"]), (user(&ada), user(&bob)));
    let listed = key.get("/public/v1/posts").await.ok();
    assert_eq!(authors(&listed["posts"][0]), (user(&ada), user(&bob)));
    let other = key.post("/public/v1/posts", &draft).await.ok();
    let other = created(&other)["root"].clone();
    assert_eq!(authors(&other), (by_key.clone(), Value::Null));
    let path = format!("/app/v1/posts/{}/publish", other["id"].as_str().unwrap());
    let request = ada.api.request(reqwest::Method::POST, &path);
    let published = ada.api.send(request).await.ok();
    assert_eq!(authors(&published["root"]), (by_key, user(&ada)));
}

async fn the_engine_changes_no_author(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    let id = t
        .api
        .publish_now(&platform, &[t.api.upload_photo(300, 400).await])
        .await;
    let before = authors(&t.root(&id).await);
    let settled = t.settled(&id).await;
    assert_eq!(settled["state"], "PUBLISHED");
    assert_eq!(authors(&settled), before);
    assert_eq!((&before.0["kind"], &before.1), (&json!("key"), &Value::Null));
}

async fn whoever_marks_a_post_as_published_is_named(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect("kitestudio").await;
    t.sim.turn(|knobs| knobs.webhooks = false);
    t.sim.hold(Endpoint::ContentInit, HoldPoint::After);
    t.sim
        .inject(Fault::new(Endpoint::ContentInit, FaultAction::DropAfter));
    t.sim
        .inject(Fault::new(Endpoint::VideoList, FaultAction::internal_error()).times(5));
    let mut body = post_body(&platform, &[t.api.upload_photo(300, 400).await]);
    body["settings"] = json!({ "privacy_level": "SELF_ONLY" });
    let id = t.api.create_post(&body).await;
    t.sim.held(Endpoint::ContentInit, 1).await;
    t.sim.idle().await;
    t.sim.release(Endpoint::ContentInit);
    assert_eq!(t.settled(&id).await["state"], "ACTION_REQUIRED");
    let marked = t
        .api
        .post(&format!("/public/v1/posts/{id}/mark-published"), &json!({}))
        .await
        .ok();
    assert_eq!(marked["root"]["updatedBy"], marked["root"]["createdBy"]);
    assert_eq!(marked["root"]["updatedBy"]["kind"], "key");
    t.advance(Duration::from_secs(60)).await;
}

async fn comments_name_who_wrote_them_and_names_outlive_keys_and_members(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let bob = t.colleague(&ada, Role::Member, "bob@example.org").await;
    let (key, by_key) = key_of(&ada, "CI").await;
    let platform = t.connect_in(ada.workspace.parse().unwrap(), "kitestudio").await;
    let mut draft = post_body(&platform, &[key.upload_photo(300, 400).await]);
    draft["mode"] = json!("draft");
    draft["comments"] = json!([{ "content": "First" }]);
    let made = key.post("/public/v1/posts", &draft).await.ok();
    let group = created(&made);
    assert_eq!(authors(&group["children"][0]), (by_key.clone(), Value::Null));
    let path = format!("/app/v1/posts/{}", group["root"]["id"].as_str().unwrap());
    let edited = bob
        .api
        .patch(&path, &json!({ "comments": [{ "content": "Second" }] }))
        .await
        .ok();
    assert_eq!(authors(&edited["children"][0]), (user(&bob), Value::Null));
    ada.api
        .delete(&format!("/app/v1/keys/{}", by_key["id"].as_str().unwrap()))
        .await;
    ada.api
        .delete(&format!(
            "/app/v1/organizations/{}/members/{}",
            ada.workspace, bob.id
        ))
        .await;
    let group = ada.api.get(&path).await.ok();
    assert_eq!(authors(&group["root"]), (by_key, user(&bob)));
    assert_eq!(authors(&group["children"][0]), (user(&bob), Value::Null));
}
