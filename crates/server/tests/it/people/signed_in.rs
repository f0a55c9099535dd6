//! The sessions of a person: how they are listed, and how a person ends one, or all others.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{Answer, Db, Options, PASSWORD, Person, TestApp, on_both, secret, with_form};

on_both!(
    people_see_where_they_are_signed_in_and_since_when,
    every_way_of_signing_in_keeps_where_it_came_from,
    one_session_is_ended_by_itself,
    ending_this_session_is_signing_out,
    all_others_end_at_once_and_this_one_goes_on,
    half_a_sign_in_ends_with_all_others,
    the_sessions_of_others_are_neither_seen_nor_ended,
    what_is_over_is_neither_shown_nor_ended_again,
);

const SESSIONS: &str = "/app/v1/me/sessions";
const DAY: Duration = Duration::from_secs(86_400);
const EMAIL: &str = "ada@example.org";

/// A service that trusts the proxy in front of it.
async fn behind_proxy(db: Db) -> TestApp {
    TestApp::start_with(db, Options::default().set("trusted_proxies", "127.0.0.0/8")).await
}

/// The response to a request from an address with a program.
async fn from(t: &TestApp, (address, program): (&str, &str), path: &str, body: Value) -> Answer {
    let request = t.nobody().request(Method::POST, path);
    let request = request
        .header("x-forwarded-for", address)
        .header("user-agent", program);
    t.nobody().send(request.json(&body)).await
}

/// The sessions of a person, as the API lists them.
async fn list(of: &Person) -> Vec<Value> {
    let list = of.api.get(SESSIONS).await.ok();
    list["sessions"].as_array().unwrap().clone()
}

/// The path of the person's current session.
async fn path_of(person: &Person) -> String {
    let sessions = list(person).await;
    let current = sessions.iter().find(|session| session["current"] == true);
    format!("{SESSIONS}/{}", current.unwrap()["id"].as_str().unwrap())
}

async fn is_out(person: &Person) {
    person.api.get("/app/v1/me").await.refused(401, "invalid_session");
}

/// A request with the session in the cookie, from our own page.
async fn by_cookie(t: &TestApp, person: &Person, method: Method, path: &str) -> Answer {
    let request = t.nobody().request(method, path);
    let request = request
        .header("cookie", format!("playout_session={}", person.token))
        .header("origin", &t.app.config.base_url);
    t.nobody().send(request).await
}

async fn people_see_where_they_are_signed_in_and_since_when(db: Db) {
    let t = behind_proxy(db).await;
    let body = json!({ "email": EMAIL, "password": PASSWORD });
    let phone = from(
        &t,
        ("203.0.113.1", "Phone/1.0"),
        "/app/v1/auth/sign-up",
        body.clone(),
    )
    .await;
    let phone = t.person(&phone.ok());
    let begun = t.now();
    t.clock.advance(Duration::from_secs(60));
    let laptop = from(&t, ("198.51.100.9", "Laptop/2.0"), "/app/v1/auth/sign-in", body).await;
    let laptop = t.person(&laptop.ok());
    let sessions = list(&laptop).await;
    let of = |name: &str| {
        sessions
            .iter()
            .map(|session| session[name].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(of("current"), [json!(true), json!(false)], "the newest first");
    assert_eq!(of("address"), [json!("198.51.100.9"), json!("203.0.113.1")]);
    assert_eq!(of("program"), [json!("Laptop/2.0"), json!("Phone/1.0")]);
    let days = |days: u32| json!(begun.plus(DAY * days).to_string());
    assert_eq!(
        (
            &sessions[1]["createdAt"],
            &sessions[1]["lastNotedAt"],
            &sessions[1]["expiresAt"]
        ),
        (&days(0), &days(0), &days(30))
    );
    // Another program and another address later change nothing of it.
    t.clock.advance(Duration::from_secs(12 * 3600));
    phone.api.get("/app/v1/me").await.ok();
    assert_eq!(
        list(&laptop).await,
        sessions,
        "what is used twice in a day is noted once"
    );
    t.clock.advance(DAY * 2);
    phone.api.get("/app/v1/me").await.ok();
    let later = list(&phone).await;
    assert_eq!(
        (&later[1]["current"], &later[1]["program"], &later[1]["createdAt"]),
        (&json!(true), &json!("Phone/1.0"), &days(0))
    );
    let now = t.now();
    let noted = (json!(now.to_string()), json!(now.plus(DAY * 30).to_string()));
    assert_eq!(
        (&later[1]["lastNotedAt"], &later[1]["expiresAt"]),
        (&noted.0, &noted.1)
    );
    let whole = json!(later).to_string();
    assert!(!whole.contains(&phone.token) && !whole.contains(&laptop.token));
}

async fn every_way_of_signing_in_keeps_where_it_came_from(db: Db) {
    let t = behind_proxy(db).await;
    let by_form = async |path: &str, fields: &[(&str, &str)], program: &str| {
        let request = t
            .nobody()
            .request(Method::POST, path)
            .header("x-forwarded-for", "203.0.113.7");
        t.nobody()
            .send(with_form(request.header("user-agent", program), fields))
            .await
    };
    let up = by_form(
        "/sign-up",
        &[("email", "bob@example.org"), ("password", PASSWORD)],
        "Up/1",
    )
    .await;
    let into = by_form(
        "/sign-in",
        &[("email", "bob@example.org"), ("password", PASSWORD)],
        "In/1",
    )
    .await;
    let protected = t.sign_up_protected(EMAIL).await;
    t.clock.advance(Duration::from_secs(60));
    let step = by_form("/sign-in", &[("email", EMAIL), ("password", PASSWORD)], "Step/1")
        .await
        .page(200);
    let (_, step) = step.split_once("name=\"step\" value=\"").unwrap();
    let (step, _) = step.split_once('"').unwrap();
    let code = protected.app.code(t.now());
    let coded = by_form("/sign-in/code", &[("step", step), ("code", &code)], "Code/1").await;
    for (answer, program) in [(up, "Up/1"), (into, "In/1"), (coded, "Code/1")] {
        assert_eq!(answer.status, 303, "{answer:?}");
        let (_, token) = answer.header("set-cookie").split_once('=').unwrap();
        let (token, _) = token.split_once(';').unwrap();
        let seen = t.nobody().with_key(Some(secret(token))).get(SESSIONS).await.ok();
        let seen = seen["sessions"]
            .as_array()
            .unwrap()
            .iter()
            .find(|session| session["current"] == true)
            .unwrap()
            .clone();
        assert_eq!(
            (&seen["program"], &seen["address"]),
            (&json!(program), &json!("203.0.113.7"))
        );
    }
    let unnamed = list(&protected.person).await;
    assert_eq!(
        unnamed.last().unwrap()["program"],
        Value::Null,
        "a program need not name itself"
    );
}

async fn one_session_is_ended_by_itself(db: Db) {
    let t = TestApp::start(db).await;
    let here = t.sign_up(EMAIL).await;
    let (there, third) = (
        t.person(&t.sign_in(EMAIL).await.ok()),
        t.person(&t.sign_in(EMAIL).await.ok()),
    );
    let path = path_of(&there).await;
    let answer = here.api.delete(&path).await;
    assert_eq!((answer.status, answer.header("set-cookie")), (204, ""));
    is_out(&there).await;
    for person in [&here, &third] {
        assert_eq!(list(person).await.len(), 2);
    }
    here.api.delete(&path).await.refused(404, "not_found");
    here.api
        .delete(&format!("{SESSIONS}/x"))
        .await
        .invalid_at(&[json!(["id"])]);
}

async fn ending_this_session_is_signing_out(db: Db) {
    let t = TestApp::start(db).await;
    let here = t.sign_up(EMAIL).await;
    let there = t.person(&t.sign_in(EMAIL).await.ok());
    let path = path_of(&here).await;
    let answer = by_cookie(&t, &here, Method::DELETE, &path).await;
    assert_eq!(answer.status, 204);
    assert!(
        answer
            .header("set-cookie")
            .starts_with("playout_session=; Path=/; Max-Age=0;"),
        "{answer:?}"
    );
    is_out(&here).await;
    assert_eq!(list(&there).await.len(), 1);
}

async fn all_others_end_at_once_and_this_one_goes_on(db: Db) {
    let t = TestApp::start(db).await;
    let here = t.sign_up(EMAIL).await;
    let others = [
        t.person(&t.sign_in(EMAIL).await.ok()),
        t.person(&t.sign_in(EMAIL).await.ok()),
    ];
    let bob = t.sign_up("bob@example.org").await;
    let answer = by_cookie(&t, &here, Method::DELETE, SESSIONS).await;
    assert_eq!(
        (answer.ok(), answer.header("set-cookie")),
        (json!({ "ended": 2 }), "")
    );
    for other in &others {
        is_out(other).await;
    }
    assert_eq!(list(&here).await.len(), 1);
    assert_eq!(list(&bob).await.len(), 1, "nobody else is signed out");
    assert_eq!(here.api.delete(SESSIONS).await.ok(), json!({ "ended": 0 }));
}

async fn half_a_sign_in_ends_with_all_others(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up_protected(EMAIL).await;
    t.clock.advance(Duration::from_secs(60));
    let mut browser = t.browser();
    let page = browser
        .submit("/sign-in", &[("email", EMAIL), ("password", PASSWORD)])
        .await
        .page(200);
    let (_, step) = page.split_once("name=\"step\" value=\"").unwrap();
    let (step, _) = step.split_once('"').unwrap();
    assert_eq!(
        ada.person.api.delete(SESSIONS).await.ok(),
        json!({ "ended": 0 }),
        "it was no session yet"
    );
    let code = ada.app.code(t.now());
    let answer = browser
        .submit("/sign-in/code", &[("step", step), ("code", &code)])
        .await;
    assert!(answer.page(401).contains("Begin again"), "{answer:?}");
    assert_eq!(browser.token(), None);
}

async fn the_sessions_of_others_are_neither_seen_nor_ended(db: Db) {
    let t = TestApp::start(db).await;
    let (ada, eve) = (t.sign_up(EMAIL).await, t.sign_up("eve@example.org").await);
    let path = path_of(&ada).await;
    let foreign = eve.api.delete(&path).await;
    let never = eve
        .api
        .delete(&format!("{SESSIONS}/0196f3a0-0000-7000-8000-000000000000"))
        .await;
    foreign.refused(404, "not_found");
    let without_id = |answer: &Answer| {
        let mut body = answer.json();
        body.as_object_mut().unwrap().remove("requestId");
        body
    };
    assert_eq!(
        without_id(&foreign),
        without_id(&never),
        "what is foreign looks as if it never was"
    );
    assert_eq!(list(&ada).await.len(), 1);
    assert!(!list(&eve).await.contains(&list(&ada).await[0]));
}

async fn what_is_over_is_neither_shown_nor_ended_again(db: Db) {
    let t = TestApp::start(db).await;
    let old = t.sign_up(EMAIL).await;
    let path = path_of(&old).await;
    t.clock.advance(DAY * 30);
    let here = t.person(&t.sign_in(EMAIL).await.ok());
    assert_eq!(list(&here).await.len(), 1);
    here.api.delete(&path).await.refused(404, "not_found");
    assert_eq!(here.api.delete(SESSIONS).await.ok(), json!({ "ended": 0 }));
}
