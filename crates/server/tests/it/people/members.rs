//! Members and invitations: who can join, in which role, and who may change whom.

use std::time::Duration;

use playout_domain::workspace::Role;
use serde_json::{Value, json};

use crate::harness::{Answer, Db, Options, PASSWORD, Person, TestApp, on_both};

on_both!(
    who_was_invited_joins_once_with_the_token,
    whoever_has_the_token_reads_what_it_is_good_for_and_uses_nothing_up,
    an_invitation_opens_nothing_to_others_after_a_week_or_once_taken_back,
    with_an_invitation_somebody_new_signs_up_into_the_workspace,
    a_service_for_the_invited_takes_them,
    nobody_decides_about_those_above_them,
    a_change_of_role_counts_from_the_next_request_on,
    the_last_owner_stays_and_others_leave_as_they_like,
    what_somebody_invited_ends_when_they_are_removed,
);

async fn invite(by: &Person, email: &str, role: &str) -> Answer {
    let path = format!("/app/v1/organizations/{}/invitations", by.workspace);
    by.api.post(&path, &json!({ "email": email, "role": role })).await
}

async fn accept(person: &Person, token: &Value) -> Answer {
    person
        .api
        .post("/app/v1/invitations/accept", &json!({ "token": token }))
        .await
}

/// The members of a workspace as `address role`, in the order of their addresses.
async fn members(of: &Person) -> Vec<String> {
    let path = format!("/app/v1/organizations/{}/members", of.workspace);
    let list = of.api.get(&path).await.ok();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let mut members: Vec<&Value> = list["members"].as_array().unwrap().iter().collect();
    members.sort_by_key(|member| text(&member["email"]));
    let members = members.into_iter();
    members
        .map(|member| format!("{} {}", text(&member["email"]), text(&member["role"])))
        .collect()
}

fn member_path(of: &Person, who: &Person) -> String {
    format!("/app/v1/organizations/{}/members/{}", of.workspace, who.id)
}

async fn who_was_invited_joins_once_with_the_token(db: Db) {
    let t = TestApp::start(db).await;
    let (ada, bob) = (
        t.sign_up("ada@example.org").await,
        t.sign_up("bob@example.org").await,
    );
    let made = invite(&ada, " Bob@Example.org ", "admin").await;
    assert_eq!(made.status, 201);
    let made = made.ok();
    assert_eq!(
        (&made["email"], &made["role"], &made["invitedBy"]),
        (&json!("bob@example.org"), &json!("admin"), &json!(ada.id))
    );
    assert_eq!(made["expiresAt"], "2026-11-27T12:00:00.000Z");
    let list = ada
        .api
        .get(&format!("/app/v1/organizations/{}/invitations", ada.workspace))
        .await;
    assert!(
        !String::from_utf8(list.body.clone())
            .unwrap()
            .contains(made["token"].as_str().unwrap()),
        "the token is shown once"
    );
    assert_eq!(list.ok()["invitations"][0]["id"], made["id"]);
    let joined = accept(&bob, &made["token"]).await.ok();
    assert_eq!(
        (&joined["id"], &joined["role"]),
        (&json!(ada.workspace), &json!("admin"))
    );
    accept(&bob, &made["token"]).await.refused(404, "not_found");
    assert_eq!(
        members(&ada).await,
        ["ada@example.org owner", "bob@example.org admin"]
    );
    bob.api
        .in_workspace(&ada.workspace)
        .get("/app/v1/posts")
        .await
        .ok();
    invite(&ada, "bob@example.org", "member")
        .await
        .invalid_at(&[json!(["email"])]);
}

async fn whoever_has_the_token_reads_what_it_is_good_for_and_uses_nothing_up(db: Db) {
    let t = TestApp::start(db).await;
    let (ada, bob) = (
        t.sign_up("ada@example.org").await,
        t.sign_up("bob@example.org").await,
    );
    let made = invite(&ada, &bob.email, "admin").await.ok();
    let read = async |token: &Value| {
        t.nobody()
            .post("/app/v1/invitations/read", &json!({ "token": token }))
            .await
    };
    let told = read(&made["token"]).await.ok();
    let wanted = json!({
        "organizationName": "ada's workspace", "email": "bob@example.org", "role": "admin",
        "invitedBy": "ada@example.org", "expiresAt": made["expiresAt"],
    });
    assert_eq!(told, wanted);
    ada.api.patch("/app/v1/me", &json!({ "name": "Ada" })).await.ok();
    assert_eq!(read(&made["token"]).await.ok()["invitedBy"], "Ada");
    read(&json!("0123456789abcdef")).await.refused(404, "not_found");
    read(&Value::Null).await.invalid_at(&[json!(["token"])]);
    accept(&bob, &made["token"]).await.ok();
    read(&made["token"]).await.refused(404, "not_found");
}

async fn an_invitation_opens_nothing_to_others_after_a_week_or_once_taken_back(db: Db) {
    let t = TestApp::start(db).await;
    let (ada, bob, eve) = (
        t.sign_up("ada@example.org").await,
        t.sign_up("bob@example.org").await,
        t.sign_up("eve@example.org").await,
    );
    let first = invite(&ada, "bob@example.org", "member").await.ok();
    accept(&eve, &first["token"]).await.refused(403, "forbidden");
    accept(&bob, &json!("unknown")).await.refused(404, "not_found");
    let second = invite(&ada, "bob@example.org", "member").await.ok();
    accept(&bob, &first["token"]).await.refused(404, "not_found");
    let path = format!("/app/v1/organizations/{}/invitations", ada.workspace);
    assert_eq!(
        ada.api.get(&path).await.ok()["invitations"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    let one = format!("{path}/{}", second["id"].as_str().unwrap());
    let foreign = format!(
        "/app/v1/organizations/{}/invitations/{}",
        eve.workspace,
        second["id"].as_str().unwrap()
    );
    eve.api.delete(&foreign).await.refused(404, "not_found");
    assert_eq!(ada.api.delete(&one).await.status, 204);
    ada.api.delete(&one).await.refused(404, "not_found");
    accept(&bob, &second["token"]).await.refused(404, "not_found");
    let third = invite(&ada, "bob@example.org", "member").await.ok();
    t.clock.advance(Duration::from_secs(7 * 86_400));
    accept(&bob, &third["token"]).await.refused(404, "not_found");
    assert_eq!(ada.api.get(&path).await.ok()["invitations"], json!([]));
}

async fn with_an_invitation_somebody_new_signs_up_into_the_workspace(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let token = invite(&ada, "bob@example.org", "member").await.ok()["token"].take();
    let mut body = json!({ "email": "eve@example.org", "password": PASSWORD, "invitation": token });
    t.nobody()
        .post("/app/v1/auth/sign-up", &body)
        .await
        .refused(404, "not_found");
    t.sign_in("eve@example.org")
        .await
        .refused(401, "invalid_credentials");
    body["email"] = json!("bob@example.org");
    let begun = t.nobody().post("/app/v1/auth/sign-up", &body).await.ok();
    let workspaces = begun["organizations"].as_array().unwrap();
    assert_eq!(workspaces.len(), 1, "none of their own unless they name one");
    assert_eq!(
        (&workspaces[0]["id"], &workspaces[0]["role"]),
        (&json!(ada.workspace), &json!("member"))
    );
}

async fn a_service_for_the_invited_takes_them(db: Db) {
    let t = TestApp::start_with(db, Options::default().set("signup", "invite")).await;
    let hash = t
        .app
        .hash_password(crate::harness::secret(PASSWORD))
        .await
        .unwrap();
    let id: playout_domain::id::UserId = playout_server::chance::id(t.now());
    let user = playout_store::NewUser {
        id,
        email: "ada@example.org".to_owned(),
        name: None,
        password_hash: hash,
    };
    t.app.store.create_user(user, t.now()).await.unwrap();
    t.app
        .store
        .add_member(t.workspace.id, id, Role::Owner, t.now())
        .await
        .unwrap();
    let ada = t.person(&t.sign_in("ada@example.org").await.ok());
    let token = invite(&ada, "bob@example.org", "member").await.ok()["token"].take();
    let body = json!({ "email": "bob@example.org", "password": PASSWORD, "invitation": token, "workspaceName": "Own" });
    let begun = t.nobody().post("/app/v1/auth/sign-up", &body).await.ok();
    let roles: Vec<&Value> = begun["organizations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|listed| &listed["role"])
        .collect();
    assert_eq!(roles.len(), 2);
    assert!(roles.contains(&&json!("member")) && roles.contains(&&json!("owner")));
}

async fn nobody_decides_about_those_above_them(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let bob = t.colleague(&ada, Role::Admin, "bob@example.org").await;
    let cleo = t.colleague(&ada, Role::Member, "cleo@example.org").await;
    let role = |role: &str| json!({ "role": role });
    bob.api
        .patch(&member_path(&ada, &ada), &role("member"))
        .await
        .refused(403, "forbidden");
    bob.api
        .patch(&member_path(&ada, &cleo), &role("owner"))
        .await
        .refused(403, "forbidden");
    bob.api
        .patch(&member_path(&ada, &bob), &role("owner"))
        .await
        .refused(403, "forbidden");
    bob.api
        .delete(&member_path(&ada, &ada))
        .await
        .refused(403, "forbidden");
    invite(&bob, "dan@example.org", "owner")
        .await
        .refused(403, "forbidden");
    invite(&bob, "dan@example.org", "admin").await.ok();
    bob.api
        .patch(&member_path(&ada, &cleo), &role("admin"))
        .await
        .ok();
    ada.api
        .patch(&member_path(&ada, &cleo), &role("queen"))
        .await
        .invalid_at(&[json!(["role"])]);
    ada.api
        .patch(&member_path(&ada, &cleo), &role("owner"))
        .await
        .ok();
    assert_eq!(
        members(&ada).await,
        [
            "ada@example.org owner",
            "bob@example.org admin",
            "cleo@example.org owner"
        ]
    );
    let eve = t.sign_up("eve@example.org").await;
    ada.api
        .patch(&member_path(&ada, &eve), &role("member"))
        .await
        .refused(404, "not_found");
}

async fn a_change_of_role_counts_from_the_next_request_on(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let bob = t.colleague(&ada, Role::Admin, "bob@example.org").await;
    bob.api.get("/app/v1/keys").await.ok();
    ada.api
        .patch(&member_path(&ada, &bob), &json!({ "role": "member" }))
        .await
        .ok();
    bob.api.get("/app/v1/keys").await.refused(403, "forbidden");
    bob.api.get("/app/v1/posts").await.ok();
    assert_eq!(ada.api.delete(&member_path(&ada, &bob)).await.status, 204);
    bob.api.get("/app/v1/posts").await.refused(403, "forbidden");
}

async fn the_last_owner_stays_and_others_leave_as_they_like(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let bob = t.colleague(&ada, Role::Member, "bob@example.org").await;
    let leave = format!("/app/v1/organizations/{}/leave", ada.workspace);
    ada.api
        .post(&leave, &Value::Null)
        .await
        .refused(409, "last_owner");
    ada.api
        .patch(&member_path(&ada, &ada), &json!({ "role": "admin" }))
        .await
        .refused(409, "last_owner");
    ada.api
        .delete(&member_path(&ada, &ada))
        .await
        .refused(409, "last_owner");
    assert_eq!(bob.api.post(&leave, &Value::Null).await.status, 204);
    bob.api.post(&leave, &Value::Null).await.refused(403, "forbidden");
    assert_eq!(members(&ada).await, ["ada@example.org owner"]);
}

async fn what_somebody_invited_ends_when_they_are_removed(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let bob = t.colleague(&ada, Role::Admin, "bob@example.org").await;
    let back = t.sign_up("bobs-other-address@example.org").await;
    let token = invite(&bob, &back.email, "admin").await.ok()["token"].take();
    assert_eq!(ada.api.delete(&member_path(&ada, &bob)).await.status, 204);
    accept(&back, &token).await.refused(404, "not_found");
}
