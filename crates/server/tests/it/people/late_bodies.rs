//! A caller who loses a right while the body of their request is still arriving has lost it for that request too.

use std::time::Duration;

use playout_domain::workspace::Role;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::harness::{Db, PASSWORD, Person, TestApp, on_both};

on_both!(
    who_is_demoted_before_the_body_is_in_does_nothing_with_the_former_role,
    who_is_demoted_or_removed_an_instant_before_the_body_is_in_does_not_come_back,
    who_is_removed_or_demoted_an_instant_before_the_body_is_in_neither_deletes_nor_renames_the_workspace,
    a_session_that_ends_before_the_body_is_in_makes_no_key,
    a_key_that_ends_before_the_body_is_in_uploads_and_creates_nothing,
    the_invitations_of_an_admin_end_with_the_role,
);

/// The head of a request.
struct Head<'a> {
    /// Method and path.
    request: &'a str,
    token: &'a str,
    workspace: Option<&'a str>,
    /// The content type.
    kind: &'a str,
    length: usize,
}

/// A request whose head was let through and whose body is still to come.
struct Begun(TcpStream);

impl Begun {
    async fn new(t: &TestApp, head: Head<'_>) -> Self {
        let Head {
            request,
            token,
            workspace,
            kind,
            length,
        } = head;
        let address = t.app.config.base_url.strip_prefix("http://").unwrap();
        let mut stream = TcpStream::connect(address).await.unwrap();
        let organization = workspace.map_or(String::new(), |id| format!("x-organization-id: {id}\r\n"));
        let head = format!(
            "{request} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n{organization}Content-Type: {kind}\r\n\
             Content-Length: {length}\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        // The handler reads the body, so the caller has been let through.
        let mut go_on = [0; 25];
        stream.read_exact(&mut go_on).await.unwrap();
        assert!(
            go_on.starts_with(b"HTTP/1.1 100 "),
            "{}",
            String::from_utf8_lossy(&go_on)
        );
        Self(stream)
    }

    async fn session(t: &TestApp, person: &Person, request: &str, body: &str) -> Self {
        let (token, workspace) = (person.token.as_str(), Some(person.workspace.as_str()));
        let kind = "application/json";
        Self::new(
            t,
            Head {
                request,
                token,
                workspace,
                kind,
                length: body.len(),
            },
        )
        .await
    }

    async fn finish(mut self, body: &str) -> String {
        self.0.write_all(body.as_bytes()).await.unwrap();
        let mut answer = String::new();
        self.0.read_to_string(&mut answer).await.unwrap();
        answer
    }
}

const LATER: Duration = Duration::from_secs(5);

async fn who_is_demoted_before_the_body_is_in_does_nothing_with_the_former_role(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let bob = t.colleague(&ada, Role::Owner, "bob@example.org").await;
    let member = |id: &str| format!("/app/v1/organizations/{}/members/{id}", ada.workspace);
    let promote = json!({ "role": "owner" }).to_string();
    let invite = json!({ "email": "eve@example.org", "role": "admin" }).to_string();
    let path = format!("PATCH {}", member(&bob.id));
    let first = Begun::session(&t, &bob, &path, &promote).await;
    let path = format!("POST /app/v1/organizations/{}/invitations", ada.workspace);
    let second = Begun::session(&t, &bob, &path, &invite).await;
    ada.api
        .patch(&member(&bob.id), &json!({ "role": "admin" }))
        .await
        .ok();
    t.clock.advance(LATER);
    for (request, body) in [(first, &promote), (second, &invite)] {
        let answer = request.finish(body).await;
        assert!(
            answer.starts_with("HTTP/1.1 403 ") && answer.contains("\"forbidden\""),
            "{answer}"
        );
    }
    let members = ada
        .api
        .get(&format!("/app/v1/organizations/{}/members", ada.workspace))
        .await
        .ok();
    let roles: Vec<_> = members["members"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["role"] == "owner")
        .collect();
    assert_eq!(roles.len(), 1, "{members:#}");
}

async fn who_is_demoted_or_removed_an_instant_before_the_body_is_in_does_not_come_back(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let (bob, eve) = (
        t.colleague(&ada, Role::Owner, "bob@example.org").await,
        t.colleague(&ada, Role::Admin, "eve@example.org").await,
    );
    let member = |id: &str| format!("/app/v1/organizations/{}/members/{id}", ada.workspace);
    let promote = json!({ "role": "owner" }).to_string();
    let invite = json!({ "email": "eve@example.org", "role": "admin" }).to_string();
    let first = Begun::session(&t, &bob, &format!("PATCH {}", member(&bob.id)), &promote).await;
    let invitations = format!("/app/v1/organizations/{}/invitations", ada.workspace);
    let second = Begun::session(&t, &eve, &format!("POST {invitations}"), &invite).await;
    ada.api
        .patch(&member(&bob.id), &json!({ "role": "admin" }))
        .await
        .ok();
    assert_eq!(ada.api.delete(&member(&eve.id)).await.status, 204);
    for (request, body) in [(first, &promote), (second, &invite)] {
        let answer = request.finish(body).await;
        assert!(
            answer.starts_with("HTTP/1.1 403 ") && answer.contains("\"forbidden\""),
            "{answer}"
        );
    }
    let members = ada
        .api
        .get(&format!("/app/v1/organizations/{}/members", ada.workspace))
        .await
        .ok();
    let mut roles: Vec<_> = members["members"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["role"].as_str().unwrap())
        .collect();
    roles.sort_unstable();
    assert_eq!(roles, ["admin", "owner"], "{members:#}");
    assert_eq!(ada.api.get(&invitations).await.ok()["invitations"], json!([]));
}

async fn who_is_removed_or_demoted_an_instant_before_the_body_is_in_neither_deletes_nor_renames_the_workspace(
    db: Db,
) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let (bob, eve, tom) = (
        t.colleague(&ada, Role::Owner, "bob@example.org").await,
        t.colleague(&ada, Role::Owner, "eve@example.org").await,
        t.colleague(&ada, Role::Admin, "tom@example.org").await,
    );
    let workspace = format!("/app/v1/organizations/{}", ada.workspace);
    let member = |id: &str| format!("{workspace}/members/{id}");
    let delete = json!({ "password": PASSWORD }).to_string();
    let rename = json!({ "name": "Theirs" }).to_string();
    let requests = [
        (
            Begun::session(&t, &bob, &format!("DELETE {workspace}"), &delete).await,
            &delete,
        ),
        (
            Begun::session(&t, &eve, &format!("DELETE {workspace}"), &delete).await,
            &delete,
        ),
        (
            Begun::session(&t, &tom, &format!("PATCH {workspace}"), &rename).await,
            &rename,
        ),
    ];
    assert_eq!(ada.api.delete(&member(&bob.id)).await.status, 204);
    ada.api
        .patch(&member(&eve.id), &json!({ "role": "admin" }))
        .await
        .ok();
    assert_eq!(ada.api.delete(&member(&tom.id)).await.status, 204);
    for (request, body) in requests {
        let answer = request.finish(body).await;
        assert!(
            answer.starts_with("HTTP/1.1 403 ") && answer.contains("\"forbidden\""),
            "{answer}"
        );
    }
    assert_eq!(
        ada.api.get("/app/v1/me").await.ok()["organizations"][0]["name"],
        "ada's workspace"
    );
}

async fn a_session_that_ends_before_the_body_is_in_makes_no_key(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let body = json!({ "name": "for ever" }).to_string();
    let request = Begun::session(&t, &ada, "POST /app/v1/keys", &body).await;
    ada.api.post("/app/v1/auth/sign-out", &json!({})).await;
    t.clock.advance(LATER);
    let answer = request.finish(&body).await;
    assert!(
        answer.starts_with("HTTP/1.1 401 ") && answer.contains("\"invalid_session\""),
        "{answer}"
    );
}

async fn a_key_that_ends_before_the_body_is_in_uploads_and_creates_nothing(db: Db) {
    let t = TestApp::start(db).await;
    let key = t
        .app
        .create_key(t.workspace.id, "short-lived", None, None)
        .await
        .unwrap();
    let head = |request, kind, length| Head {
        request,
        token: key.key.expose(),
        workspace: None,
        kind,
        length,
    };
    let webhook = json!({ "url": "https://example.org/hook", "events": ["post.published"] }).to_string();
    let first = Begun::new(
        &t,
        head("POST /public/v1/webhooks", "application/json", webhook.len()),
    )
    .await;
    let form = "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.jpg\"\r\n\r\nnothing\r\n--x--\r\n";
    let kind = "multipart/form-data; boundary=x";
    let second = Begun::new(&t, head("POST /public/v1/media", kind, form.len())).await;
    assert!(t.app.revoke_key(t.workspace.id, key.record.id).await.unwrap());
    t.clock.advance(LATER);
    for (request, body) in [(first, webhook.as_str()), (second, form)] {
        let answer = request.finish(body).await;
        assert!(
            answer.starts_with("HTTP/1.1 401 ") && answer.contains("\"invalid_api_key\""),
            "{answer}"
        );
    }
    let hooks = t.api.get("/public/v1/webhooks").await.ok();
    assert_eq!(hooks["webhooks"], json!([]));
}

async fn the_invitations_of_an_admin_end_with_the_role(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let bob = t.colleague(&ada, Role::Admin, "bob@example.org").await;
    let path = format!("/app/v1/organizations/{}/invitations", ada.workspace);
    bob.api
        .post(&path, &json!({ "email": "bob@example.net", "role": "admin" }))
        .await
        .ok();
    let member = format!("/app/v1/organizations/{}/members/{}", ada.workspace, bob.id);
    ada.api.patch(&member, &json!({ "role": "member" })).await.ok();
    assert_eq!(ada.api.get(&path).await.ok()["invitations"], json!([]));
}
