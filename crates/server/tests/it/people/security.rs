//! What attackers try: chosen tokens, borrowed cookies, foreign workspaces, and anything that has expired.

use std::time::Duration;

use playout_server::api::access::{DEVICES, Needs, OPERATIONS, PREFIX};
use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{
    Answer, Authenticator, Client, Db, Mailbox, Options, PASSWORD, Person, SECOND_FACTOR, TestApp, on_both,
    secret, token_in,
};

on_both!(
    a_cookie_that_was_planted_is_never_taken_over,
    the_token_changes_with_the_password_and_with_the_second_factor,
    with_the_cookie_alone_no_operation_changes_anything,
    another_workspaces_name_in_the_header_opens_no_operation,
    whatever_is_over_opens_nothing,
);

const EMAIL: &str = "ada@example.org";
const NOWHERE: &str = "0196f3a0-0000-7000-8000-000000000000";

/// A request to an operation of the table, as its body can be read.
async fn call(api: &Client, (method, path): (&str, &str), headers: &[(&str, &str)]) -> Answer {
    let verb = Method::from_bytes(method.as_bytes()).unwrap();
    let mut request = api.request(verb, path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = match path.starts_with("/app/v1/media/uploads") {
        true => request.header("Tus-Resumable", "1.0.0"),
        false => request.json(&json!({ "name": "Changed" })),
    };
    api.send(request).await
}

/// The operations that require a session, with the parts of their paths filled in.
fn with_session(workspace: &str) -> Vec<(&'static str, String, Needs)> {
    let tables = [(PREFIX, OPERATIONS), ("", DEVICES)];
    let all = tables.iter().flat_map(|(prefix, table)| {
        let table = table.iter();
        table.map(move |(method, path, needs)| (*method, format!("{prefix}{path}"), *needs))
    });
    let filled = |path: String| {
        path.replace("{organizationId}", workspace)
            .replace("{id}", NOWHERE)
            .replace("{userCode}", "SVC-BCDF-GHJK")
    };
    all.filter(|(.., needs)| *needs != Needs::Nothing)
        .map(|(method, path, needs)| (method, filled(path), needs))
        .collect()
}

/// What could have been changed of a person and their workspace.
async fn everything_of(person: &Person) -> Vec<Value> {
    let organization = format!("/app/v1/organizations/{}", person.workspace);
    let mut seen = Vec::new();
    for path in [
        "/app/v1/me",
        "/app/v1/keys",
        "/app/v1/media/folders",
        "/app/v1/audit",
    ] {
        seen.push(person.api.get(path).await.ok());
    }
    for of in ["members", "invitations"] {
        seen.push(person.api.get(&format!("{organization}/{of}")).await.ok());
    }
    seen
}

/// The token in the cookie that a response sets.
fn cookie_of(answer: &Answer) -> String {
    let set = answer.header("set-cookie").strip_prefix("playout_session=");
    let token = set.and_then(|rest| rest.split(';').next());
    token.unwrap_or_else(|| panic!("{answer:?}")).to_owned()
}

async fn a_cookie_that_was_planted_is_never_taken_over(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up(EMAIL).await;
    let eve = t.sign_up("eve@example.org").await;
    for planted in [eve.token.as_str(), &"0".repeat(64), "x"] {
        let cookie = format!("playout_session={planted}");
        let request = t
            .nobody()
            .request(Method::POST, "/app/v1/auth/sign-in")
            .header("cookie", &cookie);
        let answer = t
            .nobody()
            .send(request.json(&json!({ "email": EMAIL, "password": PASSWORD })))
            .await;
        assert_eq!(json!(cookie_of(&answer)), answer.ok()["token"]);
        assert!(![planted, &ada.token].contains(&cookie_of(&answer).as_str()));
        let mut browser = t.browser_of(planted);
        if planted != eve.token {
            browser
                .submit("/sign-in", &[("email", EMAIL), ("password", PASSWORD)])
                .await
                .leads_to();
            assert!(browser.token() != Some(planted) && browser.token().is_some());
        }
    }
    assert_eq!(
        eve.api.get("/app/v1/me").await.ok()["user"]["email"],
        "eve@example.org",
        "hers stays hers"
    );
    t.nobody()
        .with_key(Some(secret(&"0".repeat(64))))
        .get("/app/v1/me")
        .await
        .refused(401, "invalid_session");
}

async fn the_token_changes_with_the_password_and_with_the_second_factor(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up(EMAIL).await;
    let own = t.app.config.base_url.clone();
    let send = async |token: &str, method: Method, path: &str, body: Value| {
        let request = t
            .nobody()
            .request(method, path)
            .header("origin", &own)
            .header("cookie", format!("playout_session={token}"));
        t.nobody().send(request.json(&body)).await
    };
    let me = async |token: &str| t.nobody().with_key(Some(secret(token))).get("/app/v1/me").await;
    let change = json!({ "password": "a new password", "currentPassword": PASSWORD });
    let answer = send(&ada.token, Method::PATCH, "/app/v1/me", change).await;
    let second = cookie_of(&answer);
    assert_eq!(
        (&answer.ok()["token"], answer.header("cache-control")),
        (&json!(second), "no-store")
    );
    me(&ada.token).await.refused(401, "invalid_session");
    me(&second).await.ok();
    let set_up = send(
        &second,
        Method::POST,
        SECOND_FACTOR,
        json!({ "password": "a new password" }),
    )
    .await;
    assert_eq!(set_up.header("set-cookie"), "", "nothing is proven yet");
    let code = Authenticator::of(&set_up.ok()).code(t.now());
    let answer = send(
        &second,
        Method::POST,
        &format!("{SECOND_FACTOR}/confirm"),
        json!({ "code": code }),
    )
    .await;
    let third = cookie_of(&answer);
    assert_eq!(answer.ok()["token"], json!(third));
    me(&second).await.refused(401, "invalid_session");
    me(&third).await.ok();
}

async fn with_the_cookie_alone_no_operation_changes_anything(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up(EMAIL).await;
    let before = everything_of(&ada).await;
    let api = t.nobody().in_workspace(&ada.workspace);
    let cookie = format!("playout_session={}", ada.token);
    let mut refused = 0;
    for (method, path, _) in with_session(&ada.workspace) {
        if ["GET", "HEAD"].contains(&method) {
            continue;
        }
        for origin in [
            None,
            Some("null"),
            Some("https://evil.example"),
            Some("http://127.0.0.1"),
        ] {
            let mut headers = vec![("cookie", cookie.as_str())];
            headers.extend(origin.map(|origin| ("origin", origin)));
            let answer = call(&api, (method, &path), &headers).await;
            answer.refused(403, "forbidden");
            refused += 1;
        }
    }
    assert!(refused > 100, "{refused} requests");
    assert_eq!(everything_of(&ada).await, before);
}

async fn another_workspaces_name_in_the_header_opens_no_operation(db: Db) {
    let t = TestApp::start(db).await;
    let (ada, eve) = (t.sign_up(EMAIL).await, t.sign_up("eve@example.org").await);
    let before = everything_of(&ada).await;
    let mut walked = 0;
    for (method, path, needs) in with_session(&ada.workspace) {
        if !matches!(needs, Needs::Role(_)) {
            continue;
        }
        let is_named_in_path = path.contains(&ada.workspace);
        let foreign = call(&eve.api.in_workspace(&ada.workspace), (method, &path), &[]).await;
        let never = match is_named_in_path {
            true => call(&eve.api, (method, &path.replace(&ada.workspace, NOWHERE)), &[]).await,
            false => call(&eve.api.in_workspace(NOWHERE), (method, &path), &[]).await,
        };
        assert_eq!(
            (foreign.status, &foreign.body),
            (403, &never.body),
            "{method} {path}"
        );
        if is_named_in_path {
            let own_header = call(&eve.api.in_workspace(&eve.workspace), (method, &path), &[]).await;
            own_header.refused(403, "forbidden");
        } else {
            let both = eve.api.in_workspace(&eve.workspace);
            let answer = call(&both, (method, &path), &[("x-organization-id", &ada.workspace)]).await;
            assert_eq!(answer.status, 400, "{method} {path}: two workspaces are none");
        }
        walked += 1;
    }
    assert!(walked > 30, "{walked} operations");
    assert_eq!(everything_of(&ada).await, before);
}

/// An invitation lasts a week, until it is revoked or accepted.
async fn invitations_that_are_over_let_no_one_in(t: &TestApp, ada: &Person, bob: &Person) {
    let invitations = format!("/app/v1/organizations/{}/invitations", ada.workspace);
    let invite = async || {
        ada.api
            .post(&invitations, &json!({ "email": bob.email }))
            .await
            .ok()
    };
    let accept = async |made: &Value| {
        bob.api
            .post("/app/v1/invitations/accept", &json!({ "token": made["token"] }))
            .await
    };
    let expired = invite().await;
    t.clock.advance(Duration::from_secs(7 * 86_400));
    accept(&expired).await.refused(404, "not_found");
    let revoked = invite().await;
    ada.api
        .delete(&format!("{invitations}/{}", revoked["id"].as_str().unwrap()))
        .await;
    accept(&revoked).await.refused(404, "not_found");
}

/// A key lasts until its end, or until it is revoked.
async fn keys_that_are_over_open_nothing(t: &TestApp, ada: &Person) {
    let end = t.now().plus(Duration::from_secs(3600)).to_string();
    for (body, is_revoked) in [
        (json!({ "name": "brief", "expiresAt": end }), false),
        (json!({ "name": "lost" }), true),
    ] {
        let made = ada.api.post("/app/v1/keys", &body).await.ok();
        let program = t.nobody().with_key(Some(secret(made["key"].as_str().unwrap())));
        program.get("/public/v1/usage").await.ok();
        match is_revoked {
            true => assert_eq!(
                ada.api
                    .delete(&format!("/app/v1/keys/{}", made["id"].as_str().unwrap()))
                    .await
                    .status,
                204
            ),
            false => t.clock.advance(Duration::from_secs(3600)),
        }
        program
            .get("/public/v1/usage")
            .await
            .refused(401, "invalid_api_key");
    }
}

async fn whatever_is_over_opens_nothing(db: Db) {
    let mut mailbox = Mailbox::open().await;
    let t = TestApp::start_with(db, Options::default().set("smtp_url", &mailbox.url)).await;
    let (ada, bob) = (t.sign_up(EMAIL).await, t.sign_up("bob@example.org").await);
    let second = Duration::from_secs(1);
    // A second factor that is set up: an hour.
    let app = Authenticator::of(
        &bob.api
            .post(SECOND_FACTOR, &json!({ "password": PASSWORD }))
            .await
            .ok(),
    );
    let confirm = async || {
        bob.api
            .post(
                &format!("{SECOND_FACTOR}/confirm"),
                &json!({ "code": app.code(t.now()) }),
            )
            .await
    };
    t.clock.advance(Duration::from_secs(3600));
    confirm().await.refused(404, "not_found");
    // A link to choose a password: valid for an hour, and once.
    let forgot = json!({ "email": bob.email });
    t.nobody().post("/app/v1/auth/password/forgot", &forgot).await;
    let first = token_in(&mailbox.next_but_verification().await);
    let reset = async |token: &str| {
        t.nobody()
            .post(
                "/app/v1/auth/password/reset",
                &json!({ "token": token, "password": PASSWORD }),
            )
            .await
    };
    t.clock.advance(Duration::from_secs(3600));
    reset(&first).await.refused(404, "not_found");
    t.nobody().post("/app/v1/auth/password/forgot", &forgot).await;
    let used = token_in(&mailbox.next_but_verification().await);
    t.clock.advance(Duration::from_secs(3600) - second);
    assert_eq!(reset(&used).await.status, 204);
    reset(&used).await.refused(404, "not_found");
    bob.api.get("/app/v1/me").await.refused(401, "invalid_session");
    let bob = t.person(&t.sign_in(&bob.email).await.ok());
    invitations_that_are_over_let_no_one_in(&t, &ada, &bob).await;
    keys_that_are_over_open_nothing(&t, &ada).await;
    // A session: until it is signed out, or thirty days after its last use.
    assert_eq!(
        bob.api.post("/app/v1/auth/sign-out", &Value::Null).await.status,
        204
    );
    bob.api.get("/app/v1/me").await.refused(401, "invalid_session");
    t.clock.advance(Duration::from_secs(30 * 86_400));
    ada.api.get("/app/v1/me").await.refused(401, "invalid_session");
    let mut browser = t.browser_of(&ada.token);
    assert_eq!(browser.submit("/sign-out", &[]).await.leads_to(), "/sign-in");
}
