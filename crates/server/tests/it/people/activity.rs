//! What concerns a person alone: sign-ins, also those that failed, and changes of their credentials. No one else can read
//! it.

use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::{
    Db, Mailbox, Options, PASSWORD, Person, SECOND_FACTOR, TestApp, eventually, everything_stored, holds,
    on_both, token_in,
};

on_both!(
    sign_ins_right_and_wrong_are_noted_for_the_person_alone,
    wrong_passwords_of_one_minute_are_one_entry_with_a_count,
    changes_of_name_address_and_password_and_ended_sessions_are_noted,
    the_second_factor_and_its_codes_are_noted,
    a_password_that_was_reset_by_mail_is_noted,
    activity_is_read_page_by_page,
);

const ACTIVITY: &str = "/app/v1/me/activity";
const EMAIL: &str = "ada@example.org";

/// What concerns a person, newest first.
async fn activity(of: &Person) -> Vec<Value> {
    let list = of.api.get(ACTIVITY).await.ok();
    list["entries"].as_array().unwrap().clone()
}

/// The names of what concerns a person, oldest first.
async fn actions(of: &Person) -> Vec<String> {
    let entries = activity(of).await;
    let words = entries
        .iter()
        .rev()
        .map(|entry| entry["action"].as_str().unwrap().to_owned());
    words.collect()
}

async fn sign_in(t: &TestApp, email: &str, password: &str) -> u16 {
    let body = json!({ "email": email, "password": password });
    t.nobody().post("/app/v1/auth/sign-in", &body).await.status
}

/// Failed sign-ins are recorded after their response.
async fn noted(of: &Person, action: &str, count: u64) {
    let what = format!("{count} times {action}");
    eventually(&what, async || {
        let entries = activity(of).await;
        let found = entries.iter().filter(|entry| entry["action"] == action);
        found.map(|entry| entry["count"].as_u64().unwrap()).sum::<u64>() == count
    })
    .await;
}

async fn sign_ins_right_and_wrong_are_noted_for_the_person_alone(db: Db) {
    let t = TestApp::start(db).await;
    let (ada, eve) = (t.sign_up(EMAIL).await, t.sign_up("eve@example.org").await);
    let guess = "a guess that was typed";
    assert_eq!(sign_in(&t, EMAIL, guess).await, 401);
    noted(&ada, "sign_in.failed", 1).await;
    assert_eq!(sign_in(&t, "no.one@example.org", guess).await, 401);
    let there = t.person(&t.sign_in(EMAIL).await.ok());
    assert_eq!(
        actions(&ada).await,
        ["signed_up", "sign_in.failed", "sign_in.succeeded"]
    );
    let entries = activity(&ada).await;
    let (failed, right) = (&entries[1], &entries[0]);
    assert_eq!(
        failed["actor"],
        json!({ "kind": "user", "id": ada.id, "name": EMAIL, "sessionId": null })
    );
    assert_eq!(
        (&failed["address"], &failed["count"]),
        (&json!("127.0.0.1"), &json!(1))
    );
    assert_eq!(
        (&right["address"], &right["detail"]),
        (&json!("127.0.0.1"), &Value::Null)
    );
    let sessions = there.api.get("/app/v1/me/sessions").await.ok();
    let current = sessions["sessions"]
        .as_array()
        .unwrap()
        .iter()
        .find(|session| session["current"] == true);
    assert_eq!(right["actor"]["sessionId"], current.unwrap()["id"]);
    assert_eq!(actions(&eve).await, ["signed_up"]);
    assert!(
        !ada.trail()
            .await
            .iter()
            .any(|entry| entry["action"].as_str().unwrap().contains("sign"))
    );
    assert!(
        !holds(&everything_stored(&t, db).await, guess.as_bytes()),
        "what was typed is not stored"
    );
    t.nobody().get(ACTIVITY).await.refused(401, "invalid_session");
}

async fn wrong_passwords_of_one_minute_are_one_entry_with_a_count(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up(EMAIL).await;
    for _ in 0..3 {
        assert_eq!(sign_in(&t, EMAIL, "wrong").await, 401);
    }
    noted(&ada, "sign_in.failed", 3).await;
    assert_eq!(actions(&ada).await, ["signed_up", "sign_in.failed"]);
    t.clock.advance(Duration::from_secs(60));
    assert_eq!(sign_in(&t, EMAIL, "wrong").await, 401);
    noted(&ada, "sign_in.failed", 4).await;
    let counts: Vec<Value> = activity(&ada)
        .await
        .iter()
        .map(|entry| entry["count"].clone())
        .collect();
    assert_eq!(counts, [1, 3, 1]);
}

async fn changes_of_name_address_and_password_and_ended_sessions_are_noted(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up(EMAIL).await;
    let there = t.person(&t.sign_in(EMAIL).await.ok());
    let listed = ada.api.get("/app/v1/me/sessions").await.ok();
    let other = listed["sessions"]
        .as_array()
        .unwrap()
        .iter()
        .find(|session| session["current"] == false)
        .unwrap();
    assert_eq!(
        ada.api
            .delete(&format!("/app/v1/me/sessions/{}", other["id"].as_str().unwrap()))
            .await
            .status,
        204
    );
    there.api.get("/app/v1/me").await.refused(401, "invalid_session");
    let there = t.person(&t.sign_in(EMAIL).await.ok());
    there.api.delete("/app/v1/me/sessions").await.ok();
    let ada = there;
    ada.api.patch("/app/v1/me", &json!({ "name": "Ada" })).await.ok();
    let changed = json!({ "email": "ada@example.com", "currentPassword": PASSWORD });
    let answer = ada.api.patch("/app/v1/me", &changed).await.ok();
    let ada = ada.renewed(&answer["token"]);
    let changed = json!({ "password": "another battery staple", "currentPassword": PASSWORD });
    let answer = ada.api.patch("/app/v1/me", &changed).await.ok();
    let ada = ada.renewed(&answer["token"]);
    let expected = [
        "signed_up",
        "sign_in.succeeded",
        "session.ended",
        "sign_in.succeeded",
        "sessions.ended",
        "name.changed",
        "email.changed",
        "password.changed",
    ];
    assert_eq!(actions(&ada).await, expected);
    let entries = activity(&ada).await;
    assert_eq!(
        entries[1]["actor"]["name"], EMAIL,
        "the old address, which the entry is about"
    );
    assert_eq!(entries[5]["detail"], json!({ "sessionId": other["id"] }));
    assert_eq!(entries[3]["detail"], json!({ "sessions": 1 }));
    let whole = serde_json::to_string(&entries).unwrap();
    assert!(
        !whole.contains("another battery staple") && !whole.contains("\"Ada\""),
        "no value is noted"
    );
}

async fn the_second_factor_and_its_codes_are_noted(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up_protected(EMAIL).await;
    t.clock.advance(Duration::from_secs(30));
    t.sign_in_with(EMAIL, "000000")
        .await
        .refused(401, "invalid_credentials");
    noted(&ada.person, "sign_in.code_failed", 1).await;
    t.sign_in_with(EMAIL, &ada.recovery_codes[0]).await.ok();
    let proof = |code: String| json!({ "password": PASSWORD, "code": code });
    let path = format!("{SECOND_FACTOR}/recovery-codes");
    ada.person
        .api
        .post(&path, &proof(ada.app.code(t.now())))
        .await
        .ok();
    t.clock.advance(Duration::from_secs(30));
    let request = ada.person.api.request(reqwest::Method::DELETE, SECOND_FACTOR);
    assert_eq!(
        ada.person
            .api
            .send(request.json(&proof(ada.app.code(t.now()))))
            .await
            .status,
        204
    );
    let expected = [
        "signed_up",
        "second_factor.enabled",
        "sign_in.code_failed",
        "recovery_code.used",
        "sign_in.succeeded",
        "recovery_codes.renewed",
        "second_factor.disabled",
    ];
    assert_eq!(actions(&ada.person).await, expected);
}

async fn a_password_that_was_reset_by_mail_is_noted(db: Db) {
    let mut mailbox = Mailbox::open().await;
    let t = TestApp::start_with(
        db,
        Options::default()
            .set("smtp_url", &mailbox.url)
            .set("mail_from", "playout@example.org"),
    )
    .await;
    t.sign_up(EMAIL).await;
    t.nobody()
        .post("/app/v1/auth/password/forgot", &json!({ "email": EMAIL }))
        .await;
    let mail = mailbox.next_but_verification().await;
    let reset = json!({ "token": token_in(&mail), "password": PASSWORD });
    assert_eq!(
        t.nobody()
            .post("/app/v1/auth/password/reset", &reset)
            .await
            .status,
        204
    );
    let ada = t.person(&t.sign_in(EMAIL).await.ok());
    assert_eq!(
        actions(&ada).await,
        ["signed_up", "password.reset", "sign_in.succeeded"]
    );
    assert_eq!(activity(&ada).await[1]["address"], "127.0.0.1");
}

async fn activity_is_read_page_by_page(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up(EMAIL).await;
    for name in ["a", "b", "c", "d"] {
        ada.api.patch("/app/v1/me", &json!({ "name": name })).await.ok();
    }
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = ada.api.get(&format!("{ACTIVITY}?limit=2{cursor}")).await.ok();
        seen.extend(page["entries"].as_array().unwrap().clone());
        let Some(next) = page["nextCursor"].as_str() else {
            break;
        };
        cursor = format!("&cursor={next}");
    }
    assert_eq!(seen, activity(&ada).await);
    assert_eq!(seen.len(), 5);
    ada.api
        .get(&format!("{ACTIVITY}?limit=0&cursor=x"))
        .await
        .invalid_at(&[json!(["limit"]), json!(["cursor"])]);
}
