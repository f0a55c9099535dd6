//! The second factor: set up, required, used once, and no way around it.

use std::collections::BTreeSet;
use std::time::Duration;

use futures_util::future::join_all;
use playout_domain::second_factor::{Presented, TotpSecret};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::harness::{
    Answer, Authenticator, Db, Mailbox, Options, PASSWORD, Person, SECOND_FACTOR, TestApp, everything_stored,
    hexadecimal, holds, on_both, texts, token_in,
};

on_both!(
    a_second_factor_is_asked_for_from_its_first_code_on,
    a_code_is_good_one_step_early_or_late_and_never_twice,
    of_many_who_use_a_code_at_once_one_gets_in,
    a_recovery_code_stands_in_once_however_it_is_typed,
    turning_it_off_takes_the_password_and_a_code,
    a_recovery_code_turns_it_off_too,
    wrong_codes_count_with_wrong_passwords_and_the_right_password_sets_nothing_back,
    another_address_buys_no_guesses_at_the_code,
    before_the_password_was_right_nothing_tells_who_has_one,
    a_new_password_by_mail_leaves_it_on_and_signs_nobody_in,
    neither_the_secret_nor_a_recovery_code_can_be_read_from_the_database,
);

const EMAIL: &str = "ada@example.org";
/// How long an app shows a code.
const STEP: Duration = Duration::from_secs(30);

async fn confirm(person: &Person, code: &str) -> Answer {
    let path = format!("{SECOND_FACTOR}/confirm");
    person.api.post(&path, &json!({ "code": code })).await
}

async fn turn_off(person: &Person, body: Value) -> Answer {
    let request = person.api.request(reqwest::Method::DELETE, SECOND_FACTOR);
    person.api.send(request.json(&body)).await
}

async fn renew_codes(person: &Person, body: Value) -> Answer {
    person
        .api
        .post(&format!("{SECOND_FACTOR}/recovery-codes"), &body)
        .await
}

/// The state of their second factor, as the API returns it.
async fn state(person: &Person) -> (Value, Value) {
    let mut me = person.api.get("/app/v1/me").await.ok();
    (me["secondFactor"].take(), me["recoveryCodesLeft"].take())
}

fn both(password: &str, code: &str) -> Value {
    json!({ "password": password, "code": code })
}

async fn a_second_factor_is_asked_for_from_its_first_code_on(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up(EMAIL).await;
    let there = t.person(&t.sign_in(EMAIL).await.ok());
    let set_up = async |body: Value| ada.api.post(SECOND_FACTOR, &body).await;
    set_up(json!({})).await.invalid_at(&[json!(["password"])]);
    set_up(json!({ "password": "a wrong guess" }))
        .await
        .refused(401, "invalid_credentials");
    confirm(&ada, "123456").await.refused(404, "not_found");
    let first = Authenticator::of(&set_up(json!({ "password": PASSWORD })).await.ok());
    let answer = set_up(json!({ "password": PASSWORD })).await;
    assert_eq!((answer.status, answer.header("cache-control")), (201, "no-store"));
    let given = answer.ok();
    let link = format!(
        "otpauth://totp/Playout:ada%40example.org?secret={}&issuer=Playout&algorithm=SHA1&digits=6&period=30",
        given["secret"].as_str().unwrap()
    );
    assert_eq!(given["otpauthUrl"], json!(link));
    let app = Authenticator::of(&given);
    assert_eq!(state(&ada).await, (json!(false), json!(0)));
    t.sign_in(EMAIL).await.ok();
    confirm(&ada, &first.code(t.now()))
        .await
        .refused(401, "invalid_credentials");
    confirm(&ada, "no code").await.refused(401, "invalid_credentials");
    let answer = confirm(&ada, &app.code(t.now())).await;
    assert_eq!((answer.status, answer.header("cache-control")), (200, "no-store"));
    let confirmed = answer.ok();
    assert_eq!(
        texts(&confirmed["recoveryCodes"])
            .into_iter()
            .collect::<BTreeSet<_>>()
            .len(),
        10
    );
    for ended in [&ada, &there] {
        ended.api.get("/app/v1/me").await.refused(401, "invalid_session");
    }
    let ada = ada.renewed(&confirmed["token"]);
    assert_eq!(state(&ada).await, (json!(true), json!(10)));
    ada.api
        .post(SECOND_FACTOR, &json!({ "password": PASSWORD }))
        .await
        .refused(409, "second_factor_active");
    let alone = t.sign_in(EMAIL).await;
    alone.refused(401, "second_factor_required");
    assert_eq!(
        (alone.header("set-cookie"), alone.header("www-authenticate")),
        ("", "Bearer")
    );
    t.clock.advance(STEP);
    t.sign_in_with(EMAIL, &app.code(t.now())).await.ok();
}

async fn a_code_is_good_one_step_early_or_late_and_never_twice(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up_protected(EMAIL).await;
    let refused = async |code: String| {
        t.sign_in_with(EMAIL, &code)
            .await
            .refused(401, "invalid_credentials")
    };
    refused(ada.app.code(t.now())).await;
    t.clock.advance(STEP * 10);
    refused(ada.app.code(t.now().minus(STEP * 2))).await;
    refused(ada.app.code(t.now().plus(STEP * 2))).await;
    let late = ada.app.code(t.now().minus(STEP));
    t.sign_in_with(EMAIL, &late).await.ok();
    refused(late).await;
    let early = ada.app.code(t.now().plus(STEP));
    t.sign_in_with(EMAIL, &format!("{} {}", &early[..3], &early[3..]))
        .await
        .ok();
    refused(early).await;
    refused(ada.app.code(t.now())).await;
    t.clock.advance(STEP * 2);
    t.sign_in_with(EMAIL, &ada.app.code(t.now())).await.ok();
}

async fn of_many_who_use_a_code_at_once_one_gets_in(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up_protected(EMAIL).await;
    t.clock.advance(STEP);
    for code in [ada.app.code(t.now()), ada.recovery_codes[0].clone()] {
        let answers = join_all((0..8).map(|_| t.sign_in_with(EMAIL, &code))).await;
        assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1);
        t.clock.advance(Duration::from_secs(600));
    }
}

async fn a_recovery_code_stands_in_once_however_it_is_typed(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up_protected(EMAIL).await;
    let first = &ada.recovery_codes[0];
    t.sign_in_with(EMAIL, first).await.ok();
    t.sign_in_with(EMAIL, first)
        .await
        .refused(401, "invalid_credentials");
    t.sign_in_with(EMAIL, &ada.recovery_codes[1].replace('-', " ").to_lowercase())
        .await
        .ok();
    assert_eq!(state(&ada.person).await, (json!(true), json!(8)));
    let neighbour = t.sign_up_protected("bob@example.org").await;
    t.sign_in_with(EMAIL, &neighbour.recovery_codes[0])
        .await
        .refused(401, "invalid_credentials");
    t.clock.advance(STEP);
    let proof = both(PASSWORD, &ada.app.code(t.now()));
    let answer = renew_codes(&ada.person, proof).await;
    assert_eq!((answer.status, answer.header("cache-control")), (200, "no-store"));
    let renewed = texts(&answer.ok()["recoveryCodes"]);
    assert_eq!(state(&ada.person).await, (json!(true), json!(10)));
    t.sign_in_with(EMAIL, &ada.recovery_codes[2])
        .await
        .refused(401, "invalid_credentials");
    t.sign_in_with(EMAIL, &renewed[0]).await.ok();
}

async fn turning_it_off_takes_the_password_and_a_code(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up_protected(EMAIL).await;
    turn_off(&ada.person, json!({}))
        .await
        .invalid_at(&[json!(["password"]), json!(["code"])]);
    t.clock.advance(STEP);
    let code = ada.app.code(t.now());
    turn_off(&ada.person, both("a wrong guess", &code))
        .await
        .refused(401, "invalid_credentials");
    turn_off(&ada.person, both(PASSWORD, "000000000"))
        .await
        .refused(401, "invalid_credentials");
    renew_codes(&ada.person, both("a wrong guess", &code))
        .await
        .refused(401, "invalid_credentials");
    t.sign_in(EMAIL).await.refused(401, "second_factor_required");
    assert_eq!(turn_off(&ada.person, both(PASSWORD, &code)).await.status, 204);
    assert_eq!(state(&ada.person).await, (json!(false), json!(0)));
    t.sign_in(EMAIL).await.ok();
    t.sign_in_with(EMAIL, "123456").await.ok();
    let code = &ada.recovery_codes[0];
    turn_off(&ada.person, both(PASSWORD, code))
        .await
        .refused(404, "not_found");
    renew_codes(&ada.person, both(PASSWORD, code))
        .await
        .refused(404, "not_found");
}

async fn a_recovery_code_turns_it_off_too(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up_protected(EMAIL).await;
    assert_eq!(
        turn_off(&ada.person, both(PASSWORD, &ada.recovery_codes[9]))
            .await
            .status,
        204
    );
    t.sign_in(EMAIL).await.ok();
}

async fn wrong_codes_count_with_wrong_passwords_and_the_right_password_sets_nothing_back(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up_protected(EMAIL).await;
    t.clock.advance(Duration::from_secs(600));
    let wrong = json!({ "email": EMAIL, "password": "a wrong guess" });
    for _ in 0..3 {
        t.nobody()
            .post("/app/v1/auth/sign-in", &wrong)
            .await
            .refused(401, "invalid_credentials");
        t.sign_in_with(EMAIL, "no code")
            .await
            .refused(401, "invalid_credentials");
    }
    t.sign_in(EMAIL).await.refused(401, "second_factor_required");
    let rename = json!({ "email": EMAIL, "currentPassword": PASSWORD });
    ada.person
        .api
        .patch("/app/v1/me", &rename)
        .await
        .refused(401, "second_factor_required");
    turn_off(&ada.person, both(PASSWORD, "no code"))
        .await
        .refused(401, "invalid_credentials");
    confirm(&ada.person, "no code")
        .await
        .refused(401, "invalid_credentials");
    // Those in a session are counted by themselves.
    for _ in 0..3 {
        t.sign_in_with(EMAIL, "no code")
            .await
            .refused(401, "invalid_credentials");
    }
    let right = ada.app.code(t.now());
    let answer = t.sign_in_with(EMAIL, &right).await;
    answer.refused(429, "rate_limited");
    assert_eq!(answer.header("retry-after"), "60");
    t.clock.advance(Duration::from_secs(60));
    t.sign_in_with(EMAIL, &ada.app.code(t.now())).await.ok();
    for _ in 0..10 {
        t.sign_in_with(EMAIL, "no code")
            .await
            .refused(401, "invalid_credentials");
    }
}

async fn another_address_buys_no_guesses_at_the_code(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up_protected(EMAIL).await;
    t.clock.advance(Duration::from_secs(600));
    for turn in 0..10 {
        t.sign_in_with(EMAIL, "no code")
            .await
            .refused(401, "invalid_credentials");
        let change = json!({ "email": format!("ada-{turn}@example.org"), "currentPassword": PASSWORD });
        ada.person
            .api
            .patch("/app/v1/me", &change)
            .await
            .refused(401, "second_factor_required");
    }
    let answer = t.sign_in_with(EMAIL, &ada.recovery_codes[0]).await;
    answer.refused(429, "rate_limited");
    assert_eq!(answer.header("retry-after"), "60");
    t.clock.advance(Duration::from_secs(60));
    t.sign_in_with(EMAIL, &ada.recovery_codes[0]).await.ok();
}

async fn before_the_password_was_right_nothing_tells_who_has_one(db: Db) {
    let t = TestApp::start(db).await;
    t.sign_up_protected(EMAIL).await;
    t.sign_up("bob@example.org").await;
    let mut answers = Vec::new();
    for email in [EMAIL, "bob@example.org", "nobody@example.org"] {
        for code in [json!(null), json!("123456"), json!("AAAA-AAAA-AAAA-AAAA")] {
            let body = json!({ "email": email, "password": "a wrong guess", "code": code });
            let answer = t.nobody().post("/app/v1/auth/sign-in", &body).await;
            answer.refused(401, "invalid_credentials");
            answers.push(answer.body);
        }
    }
    answers.dedup();
    assert_eq!(answers.len(), 1);
}

async fn a_new_password_by_mail_leaves_it_on_and_signs_nobody_in(db: Db) {
    let mut mailbox = Mailbox::open().await;
    let t = TestApp::start_with(db, Options::default().set("smtp_url", &mailbox.url)).await;
    let ada = t.sign_up_verified(&mut mailbox, EMAIL).await;
    let ada = t.protect(ada).await;
    let told = mailbox.next().await;
    assert!(
        told.contains("To: ada@example.org") && told.contains("second factor was turned on"),
        "{told}"
    );
    t.nobody()
        .post("/app/v1/auth/password/forgot", &json!({ "email": EMAIL }))
        .await;
    let body =
        json!({ "token": token_in(&mailbox.next_but_verification().await), "password": "a new password" });
    let answer = t.nobody().post("/app/v1/auth/password/reset", &body).await;
    let cookies: Vec<_> = answer.headers.get_all("set-cookie").iter().collect();
    assert_eq!((answer.status, cookies.len()), (204, 1));
    assert!(
        cookies[0].as_bytes().starts_with(b"playout_device_"),
        "{cookies:?}"
    );
    let mut body = json!({ "email": EMAIL, "password": "a new password" });
    t.nobody()
        .post("/app/v1/auth/sign-in", &body)
        .await
        .refused(401, "second_factor_required");
    body["code"] = json!(ada.recovery_codes[0]);
    t.nobody().post("/app/v1/auth/sign-in", &body).await.ok();
}

async fn neither_the_secret_nor_a_recovery_code_can_be_read_from_the_database(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up(EMAIL).await;
    let given = ada
        .api
        .post(SECOND_FACTOR, &json!({ "password": PASSWORD }))
        .await
        .ok();
    let codes = texts(&confirm(&ada, &Authenticator::of(&given).code(t.now())).await.ok()["recoveryCodes"]);
    let stored = everything_stored(&t, db).await;
    let Some(Presented::Recovery(normal)) = Presented::parse(&codes[0]) else {
        panic!("{codes:?}")
    };
    let hash = Sha256::digest(normal.expose().as_bytes());
    assert!(
        holds(&stored, &hash) || holds(&stored, hexadecimal(&hash).as_bytes()),
        "the hash of a code is found"
    );
    let secret = given["secret"].as_str().unwrap();
    assert!(TotpSecret::parse(secret).is_some());
    for text in [secret, &codes[0], normal.expose()] {
        assert!(
            !holds(&stored, text.as_bytes()) && !holds(&stored, hexadecimal(text.as_bytes()).as_bytes()),
            "{text}"
        );
    }
}
