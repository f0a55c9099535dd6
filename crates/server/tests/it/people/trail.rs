//! The audit trail: who did what, from which session and address, in order, append-only.

use playout_domain::workspace::Role;
use serde_json::{Value, json};

use crate::harness::{Client, Db, Person, TestApp, on_both, secret};

on_both!(
    whatever_is_done_to_a_workspace_its_people_and_keys_is_noted,
    two_sessions_of_one_person_are_told_apart,
    what_is_refused_is_not_noted_and_what_is_noted_stays,
    the_trail_is_read_page_by_page_and_only_by_its_own,
    edits_and_deletions_of_posts_files_and_folders_name_who_made_them_and_no_content,
    what_was_refused_changes_neither_a_post_nor_the_trail,
    the_trail_is_filtered_by_who_did_it_and_by_what_was_done,
);

/// When the post is scheduled.
const TIME: &str = "2026-11-21T12:00:00.000Z";

async fn entries(of: &Person) -> Vec<Value> {
    let trail = of.api.get("/app/v1/audit").await.ok();
    assert_eq!(trail["nextCursor"], json!(null));
    trail["entries"].as_array().unwrap().clone()
}

/// Changes the workspace, its people and its keys; an invitation and a key that were made.
async fn change_all_there_is(ada: &Person, bob: &Person) -> (Value, Value) {
    let at = |rest: &str| format!("/app/v1/organizations/{}{rest}", ada.workspace);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    ada.api.patch(&at(""), &json!({ "name": "Kites" })).await.ok();
    ada.api
        .patch(&at(""), &json!({ "timeZone": "Asia/Tokyo" }))
        .await
        .ok();
    ada.api
        .patch(&at(""), &json!({ "latenessPolicy": { "askAfterHours": 2 } }))
        .await
        .ok();
    let invitation = ada
        .api
        .post(&at("/invitations"), &json!({ "email": bob.email }))
        .await
        .ok();
    bob.api
        .post(
            "/app/v1/invitations/accept",
            &json!({ "token": invitation["token"] }),
        )
        .await
        .ok();
    let other = ada
        .api
        .post(&at("/invitations"), &json!({ "email": "eve@example.org" }))
        .await
        .ok();
    ada.api
        .delete(&at(&format!("/invitations/{}", text(&other["id"]))))
        .await;
    ada.api
        .patch(&at(&format!("/members/{}", bob.id)), &json!({ "role": "admin" }))
        .await
        .ok();
    let key = ada.api.post("/app/v1/keys", &json!({ "name": "CI" })).await.ok();
    ada.api
        .delete(&format!("/app/v1/keys/{}", text(&key["id"])))
        .await;
    bob.api.post(&at("/leave"), &Value::Null).await;
    (invitation, key)
}

async fn whatever_is_done_to_a_workspace_its_people_and_keys_is_noted(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let bob = t.sign_up("bob@example.org").await;
    let (invitation, key) = change_all_there_is(&ada, &bob).await;
    let trail = entries(&ada).await;
    let actions: Vec<&str> = trail
        .iter()
        .map(|entry| entry["action"].as_str().unwrap())
        .collect();
    let newest_first = [
        "member.left",
        "key.revoked",
        "key.created",
        "member.role_changed",
        "invitation.revoked",
        "invitation.created",
        "member.joined",
        "invitation.created",
        "workspace.lateness_policy_changed",
        "workspace.time_zone_changed",
        "workspace.renamed",
        "workspace.created",
    ];
    assert_eq!(actions, newest_first);
    for entry in &trail {
        let who = if entry["action"] == "member.left" || entry["action"] == "member.joined" {
            &bob
        } else {
            &ada
        };
        let actor = &entry["actor"];
        assert_eq!(
            (&actor["kind"], &actor["id"], &actor["name"]),
            (&json!("user"), &json!(who.id), &json!(who.email)),
            "{entry:#}"
        );
        assert_eq!(entry["address"], "127.0.0.1");
        assert!(actor["sessionId"].is_string());
    }
    assert_eq!(
        (&trail[2]["target"], &trail[2]["detail"]),
        (&key["id"], &json!({ "name": "CI" }))
    );
    assert_eq!(
        trail[3]["detail"],
        json!({ "email": bob.email, "from": "member", "to": "admin" })
    );
    let whole = serde_json::to_string(&trail).unwrap();
    for secret in [&invitation["token"], &key["key"], &json!(ada.token)] {
        assert!(!whole.contains(secret.as_str().unwrap()), "no secret is noted");
    }
}

async fn two_sessions_of_one_person_are_told_apart(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let again = t.person(&t.sign_in("ada@example.org").await.ok());
    for session in [&ada, &again, &ada] {
        session
            .api
            .post("/app/v1/keys", &json!({ "name": "x" }))
            .await
            .ok();
    }
    let trail = entries(&ada).await;
    let sessions: Vec<&Value> = trail.iter().map(|entry| &entry["actor"]["sessionId"]).collect();
    assert!(
        sessions[0] == sessions[2] && sessions[0] != sessions[1],
        "{sessions:?}"
    );
}

async fn what_is_refused_is_not_noted_and_what_is_noted_stays(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let bob = t.colleague(&ada, Role::Member, "bob@example.org").await;
    let before = entries(&ada).await;
    bob.api
        .post("/app/v1/keys", &json!({ "name": "x" }))
        .await
        .refused(403, "forbidden");
    ada.api
        .delete("/app/v1/keys/0196f3a0-0000-7000-8000-000000000000")
        .await
        .refused(404, "not_found");
    ada.api
        .post(
            &format!("/app/v1/organizations/{}/leave", ada.workspace),
            &Value::Null,
        )
        .await
        .refused(409, "last_owner");
    assert_eq!(entries(&ada).await, before);
    for method in ["POST", "PATCH", "DELETE", "PUT"] {
        let request = ada.api.request(method.parse().unwrap(), "/app/v1/audit");
        ada.api.send(request).await.refused(405, "method_not_allowed");
    }
}

async fn the_trail_is_read_page_by_page_and_only_by_its_own(db: Db) {
    let t = TestApp::start(db).await;
    let (ada, eve) = (
        t.sign_up("ada@example.org").await,
        t.sign_up("eve@example.org").await,
    );
    for number in 0..5 {
        ada.api
            .post("/app/v1/keys", &json!({ "name": number.to_string() }))
            .await
            .ok();
    }
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = ada.api.get(&format!("/app/v1/audit?limit=2{cursor}")).await.ok();
        seen.extend(page["entries"].as_array().unwrap().clone());
        ada.api
            .post("/app/v1/keys", &json!({ "name": "meanwhile" }))
            .await
            .ok();
        let Some(next) = page["nextCursor"].as_str() else {
            break;
        };
        cursor = format!("&cursor={next}");
    }
    let names: Vec<&Value> = seen.iter().map(|entry| &entry["detail"]["name"]).collect();
    assert_eq!(names, ["4", "3", "2", "1", "0", "ada's workspace"]);
    ada.api
        .get("/app/v1/audit?limit=0&cursor=x")
        .await
        .invalid_at(&[json!(["limit"]), json!(["cursor"])]);
    assert_eq!(entries(&eve).await.len(), 1);
}

/// Edits and deletes a folder, a photo and a post; the identifiers of the folder and of the post.
async fn edit_and_delete(ada: &Person, program: &Client, platform: &str, photo: &str) -> (String, String) {
    let folder = ada
        .api
        .post("/app/v1/media/folders", &json!({ "name": "Secret kites" }))
        .await
        .ok()["id"]
        .take();
    let folder = folder.as_str().unwrap().to_owned();
    ada.api
        .patch(
            &format!("/app/v1/media/folders/{folder}"),
            &json!({ "name": "Secret boats" }),
        )
        .await
        .ok();
    program
        .patch(
            &format!("/public/v1/media/{photo}"),
            &json!({ "fileName": "secret.jpg", "folderId": folder }),
        )
        .await
        .ok();
    ada.api.delete(&format!("/app/v1/media/folders/{folder}")).await;
    let body = json!({ "platformIds": [platform], "content": "Secret one", "mode": "draft", "mediaIds": [photo],
        "settings": { "privacy_level": "SELF_ONLY" } });
    let post = ada.api.post("/app/v1/posts", &body).await.ok();
    let post = post["results"][0]["post"]["root"]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    program
        .patch(
            &format!("/public/v1/posts/{post}"),
            &json!({ "content": "Secret two", "comments": [] }),
        )
        .await
        .ok();
    ada.api
        .patch(
            &format!("/app/v1/posts/{post}/schedule"),
            &json!({ "scheduledFor": TIME }),
        )
        .await
        .ok();
    program.delete(&format!("/public/v1/posts/{post}")).await;
    ada.api.delete(&format!("/app/v1/media/{photo}")).await;
    (folder, post)
}

async fn edits_and_deletions_of_posts_files_and_folders_name_who_made_them_and_no_content(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let platform = t.connect_in(ada.workspace.parse().unwrap(), "kitestudio").await;
    let key = ada.api.post("/app/v1/keys", &json!({ "name": "CI" })).await.ok();
    let program = ada.api.with_key(Some(secret(key["key"].as_str().unwrap())));
    let photo = program.upload_photo(300, 400).await;
    let known = entries(&ada).await.len();
    let (folder, post) = edit_and_delete(&ada, &program, &platform, &photo).await;
    let mut trail = entries(&ada).await;
    trail.truncate(trail.len() - known);
    trail.reverse();
    let told: Vec<Value> = trail
        .iter()
        .map(|entry| {
            json!([
                entry["action"],
                entry["actor"]["kind"],
                entry["target"],
                entry["detail"]
            ])
        })
        .collect();
    let size = trail[7]["detail"]["sizeBytes"].clone();
    assert_eq!(
        told,
        [
            json!(["folder.created", "user", folder, null]),
            json!(["folder.renamed", "user", folder, null]),
            json!(["media.updated", "key", photo, { "fields": ["fileName", "folderId"] }]),
            json!(["folder.deleted", "user", folder, null]),
            json!(["post.updated", "key", post, { "fields": ["content", "comments"] }]),
            json!(["post.scheduled", "user", post, { "scheduledFor": TIME }]),
            json!(["post.deleted", "key", post, { "state": "QUEUE" }]),
            json!(["media.deleted", "user", photo, { "mediaType": "image", "sizeBytes": size }]),
        ]
    );
    assert!(
        !serde_json::to_string(&trail)
            .unwrap()
            .to_lowercase()
            .contains("secret"),
        "no content is noted"
    );
}

async fn what_was_refused_changes_neither_a_post_nor_the_trail(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let before = entries(&ada).await;
    let nowhere = "0196f3a0-0000-7000-8000-000000000000";
    ada.api
        .delete(&format!("/app/v1/posts/{nowhere}"))
        .await
        .refused(404, "post_not_found");
    ada.api
        .delete(&format!("/app/v1/media/{nowhere}"))
        .await
        .refused(404, "media_not_found");
    ada.api
        .patch(
            &format!("/app/v1/media/folders/{nowhere}"),
            &json!({ "name": "x" }),
        )
        .await
        .refused(404, "folder_not_found");
    ada.api
        .delete(&format!("/app/v1/media/folders/{nowhere}"))
        .await
        .refused(404, "folder_not_found");
    assert_eq!(entries(&ada).await, before);
}

async fn the_trail_is_filtered_by_who_did_it_and_by_what_was_done(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let bob = t.colleague(&ada, Role::Admin, "bob@example.org").await;
    for (person, name) in [(&ada, "a"), (&bob, "b"), (&ada, "c")] {
        let key = person
            .api
            .post("/app/v1/keys", &json!({ "name": name }))
            .await
            .ok();
        if name == "c" {
            person
                .api
                .delete(&format!("/app/v1/keys/{}", key["id"].as_str().unwrap()))
                .await;
        }
    }
    let names = async |query: &str| {
        let list = ada.api.get(&format!("/app/v1/audit?{query}")).await.ok();
        let names = list["entries"]
            .as_array()
            .unwrap()
            .iter()
            .map(|entry| entry["detail"]["name"].as_str().unwrap().to_owned());
        names.collect::<Vec<_>>()
    };
    assert_eq!(names(&format!("actor={}", bob.id)).await, ["b"]);
    assert_eq!(names("action=key.created").await, ["c", "b", "a"]);
    assert_eq!(
        names(&format!("action=key.created&actor={}", ada.id)).await,
        ["c", "a"]
    );
    assert_eq!(names("action=key.created&limit=1").await, ["c"]);
    ada.api
        .get("/app/v1/audit?actor=x&action=y")
        .await
        .invalid_at(&[json!(["actor"]), json!(["action"])]);
}
