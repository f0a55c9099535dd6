//! What a member loses with their role: the keys they made, and the webhooks whose secret they have seen.

use playout_domain::workspace::Role;
use serde_json::{Value, json};

use crate::harness::{Client, Db, Person, TestApp, on_both, secret};

on_both!(
    the_keys_of_who_is_removed_demoted_or_leaves_end_at_once,
    an_owner_who_becomes_an_admin_keeps_their_keys,
    what_a_member_holds_is_listed_before_and_gone_after_they_are_removed,
    what_a_member_holds_is_shown_to_admins_alone,
);

/// A key that a person made in the dashboard.
async fn key_of(person: &Person) -> Client {
    let made = person
        .api
        .post("/app/v1/keys", &json!({ "name": "CI" }))
        .await
        .ok();
    person.api.with_key(Some(secret(made["key"].as_str().unwrap())))
}

async fn webhook_by(api: &Client, path: &str, url: &str) -> String {
    let made = api
        .post(path, &json!({ "url": url, "events": ["post.published"] }))
        .await
        .ok();
    made["id"].as_str().unwrap().to_owned()
}

fn path_of(owner: &Person, member: &Person) -> String {
    format!("/app/v1/organizations/{}/members/{}", owner.workspace, member.id)
}

fn urls(holdings: &Value) -> Vec<&str> {
    let webhooks = holdings["webhooks"].as_array().unwrap().iter();
    let mut urls: Vec<&str> = webhooks.map(|webhook| webhook["url"].as_str().unwrap()).collect();
    urls.sort_unstable();
    urls
}

/// The records of these actions, as `who action`.
async fn noted(owner: &Person, action: &str) -> Vec<String> {
    let trail = owner.trail().await;
    let entries = trail.iter().filter(|entry| entry["action"] == action);
    entries
        .map(|entry| entry["actor"]["name"].as_str().unwrap().to_owned())
        .collect()
}

async fn the_keys_of_who_is_removed_demoted_or_leaves_end_at_once(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let own = key_of(&ada).await;
    for (email, way) in [
        ("bob@example.org", "remove"),
        ("cleo@example.org", "demote"),
        ("dan@example.org", "leave"),
    ] {
        let admin = t.colleague(&ada, Role::Admin, email).await;
        let key = key_of(&admin).await;
        // The node has the key in memory.
        key.get("/public/v1/posts").await.ok();
        match way {
            "remove" => assert_eq!(ada.api.delete(&path_of(&ada, &admin)).await.status, 204),
            "demote" => drop(
                ada.api
                    .patch(&path_of(&ada, &admin), &json!({ "role": "member" }))
                    .await
                    .ok(),
            ),
            _ => {
                let leave = format!("/app/v1/organizations/{}/leave", ada.workspace);
                assert_eq!(admin.api.post(&leave, &Value::Null).await.status, 204);
            }
        }
        key.get("/public/v1/posts").await.refused(401, "invalid_api_key");
    }
    assert_eq!(
        noted(&ada, "key.revoked").await,
        ["dan@example.org", "ada@example.org", "ada@example.org"]
    );
    own.get("/public/v1/posts").await.ok();
}

async fn an_owner_who_becomes_an_admin_keeps_their_keys(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let bob = t.colleague(&ada, Role::Owner, "bob@example.org").await;
    let key = key_of(&bob).await;
    ada.api
        .patch(&path_of(&ada, &bob), &json!({ "role": "admin" }))
        .await
        .ok();
    key.get("/public/v1/posts").await.ok();
}

async fn what_a_member_holds_is_listed_before_and_gone_after_they_are_removed(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let bob = t.colleague(&ada, Role::Admin, "bob@example.org").await;
    let program = key_of(&bob).await;
    let theirs = webhook_by(&ada.api, "/app/v1/webhooks", "https://ada.example/hook").await;
    webhook_by(&bob.api, "/app/v1/webhooks", "https://bob.example/hook").await;
    let third = webhook_by(&program, "/public/v1/webhooks", "https://program.example/hook").await;
    let holdings = format!("{}/holdings", path_of(&ada, &bob));
    let listed = ada.api.get(&holdings).await.ok();
    assert_eq!(
        (
            &listed["keys"][0]["name"],
            listed["keys"].as_array().unwrap().len()
        ),
        (&json!("CI"), 1)
    );
    assert_eq!(
        urls(&listed),
        ["https://bob.example/hook", "https://program.example/hook"]
    );
    // The member who rotates the secret, and sees the new one, holds the webhook from then on.
    bob.api
        .post(&format!("/app/v1/webhooks/{theirs}/rotate-secret"), &Value::Null)
        .await
        .ok();
    ada.api
        .post(&format!("/app/v1/webhooks/{third}/rotate-secret"), &Value::Null)
        .await
        .ok();
    assert_eq!(
        urls(&ada.api.get(&holdings).await.ok()),
        ["https://ada.example/hook", "https://bob.example/hook"]
    );
    assert_eq!(ada.api.delete(&path_of(&ada, &bob)).await.status, 204);
    ada.api.get(&holdings).await.refused(404, "not_found");
    assert_eq!(noted(&ada, "webhook.handed_over").await.len(), 2);
    assert_eq!(
        ada.api.get("/app/v1/webhooks").await.ok()["webhooks"]
            .as_array()
            .unwrap()
            .len(),
        3,
        "they stay"
    );
    t.app
        .store
        .add_member(
            ada.workspace.parse().unwrap(),
            bob.id.parse().unwrap(),
            Role::Admin,
            t.now(),
        )
        .await
        .unwrap();
    assert_eq!(
        ada.api.get(&holdings).await.ok(),
        json!({ "keys": [], "webhooks": [] })
    );
}

async fn what_a_member_holds_is_shown_to_admins_alone(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let bob = t.colleague(&ada, Role::Member, "bob@example.org").await;
    bob.api
        .get(&format!("{}/holdings", path_of(&ada, &bob)))
        .await
        .refused(403, "forbidden");
    let eve = t.sign_up("eve@example.org").await;
    ada.api
        .get(&format!("{}/holdings", path_of(&ada, &eve)))
        .await
        .refused(404, "not_found");
}
