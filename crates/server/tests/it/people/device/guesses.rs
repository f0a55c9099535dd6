//! Guesses of user codes are limited (RFC 8628 §5.1; `docs/contract.md#device-decisions`).

use std::time::Duration;

use playout_domain::device::{LIFETIME, WRONG_CODES, WRONG_CODES_WITHIN};
use serde_json::json;

use super::{Device, decide};
use crate::harness::{Answer, Db, Person, TestApp, everything_stored, holds, on_both, secret};

on_both!(
    after_ten_wrong_codes_the_right_one_is_refused_too_for_ten_minutes,
    another_session_of_the_same_person_is_refused_and_another_person_is_not,
    many_guesses_at_once_are_no_more_than_one_after_another,
    a_code_that_somebody_has_decided_is_no_wrong_guess,
    neither_codes_nor_keys_are_stored,
);

/// The `number`th guess of a long series.
fn guess(number: usize) -> String {
    let alphabet = b"BCDFGHJKLMNPQRSTVWXZ23456789";
    let digit = |power: u32| char::from(alphabet[number / 28usize.pow(power) % 28]);
    format!("SVC-BBBB-{}{}{}{}", digit(3), digit(2), digit(1), digit(0))
}

async fn look(by: &Person, code: &str) -> Answer {
    by.api.get(&format!("/auth/device/{code}")).await
}

/// Makes this many guesses by the API, by turns over these sessions; returns how many of them were judged.
async fn guess_by_api(sessions: &[Person], count: usize) -> usize {
    let mut judged = 0;
    for number in 0..count {
        let person = &sessions[number % sessions.len()];
        let answer = match number % 3 {
            0 => look(person, &guess(number)).await,
            1 => decide(person, "approve", &guess(number)).await,
            _ => decide(person, "deny", &guess(number)).await,
        };
        match answer.status {
            404 => judged += 1,
            _ => drop(answer.refused(429, "rate_limited")),
        }
    }
    judged
}

/// The same by the page, in one browser.
async fn guess_by_page(t: &TestApp, person: &Person, count: usize) -> usize {
    let (mut browser, mut judged) = (t.browser_of(&person.token), 0);
    for number in 0..count {
        let answer = browser
            .submit(
                "/device",
                &[
                    ("user_code", &guess(number)),
                    ("decision", "approve"),
                    ("organization", &person.workspace),
                ],
            )
            .await;
        match answer.status {
            404 => judged += 1,
            _ => assert_eq!(answer.status, 429),
        }
    }
    judged
}

#[tokio::test]
async fn rfc8628_5_1_ten_thousand_guesses_get_nowhere() {
    let t = TestApp::start(Db::Sqlite).await;
    let devices = [Device::start(&t).await, Device::start(&t).await];
    let mut sessions = vec![t.sign_up("eve@example.org").await];
    for _ in 0..9 {
        sessions.push(t.person(&t.sign_in("eve@example.org").await.ok()));
    }
    assert_eq!(
        guess_by_api(&sessions, 5000).await,
        10,
        "over all sessions of one person"
    );
    assert_eq!(
        guess_by_page(&t, &sessions[0], 2500).await,
        0,
        "the page counts with the API"
    );
    let mallory = t.sign_up("mallory@example.org").await;
    assert_eq!(guess_by_page(&t, &mallory, 2500).await, 10);
    for device in &devices {
        look(&sessions[3], device.user_code())
            .await
            .refused(429, "rate_limited");
        device.is_told("authorization_pending").await;
    }
}

#[test]
fn rfc8628_5_1_the_entropy_of_a_code_is_enough_for_the_tries_there_are() {
    let codes = 28f64.powi(8);
    let tries = WRONG_CODES as f64 * (LIFETIME.as_secs_f64() / WRONG_CODES_WITHIN.as_secs_f64()).ceil();
    assert!(
        tries / codes <= 2f64.powi(-32),
        "the probability that RFC 8628 §5.1 reckons with"
    );
}

async fn after_ten_wrong_codes_the_right_one_is_refused_too_for_ten_minutes(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    assert_eq!(guess_by_api(std::slice::from_ref(&ada), 9).await, 9);
    let device = Device::start(&t).await;
    look(&ada, device.user_code()).await.ok();
    t.clock.advance(Duration::from_secs(60));
    look(&ada, "SVC-nonsense")
        .await
        .refused(404, "device_code_not_found");
    for what in ["approve", "deny"] {
        let answer = decide(&ada, what, device.user_code()).await;
        answer.refused(429, "rate_limited");
        assert_eq!(answer.header("retry-after"), "540");
    }
    look(&ada, device.user_code()).await.refused(429, "rate_limited");
    t.clock.advance(Duration::from_secs(539));
    look(&ada, device.user_code()).await.refused(429, "rate_limited");
    t.clock.advance(Duration::from_secs(1));
    let device = Device::start(&t).await;
    decide(&ada, "approve", device.user_code()).await.ok();
    device.fetch().await;
}

async fn another_session_of_the_same_person_is_refused_and_another_person_is_not(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    assert_eq!(guess_by_api(std::slice::from_ref(&ada), 11).await, 10);
    let again = t.person(&t.sign_in("ada@example.org").await.ok());
    let device = Device::start(&t).await;
    look(&again, device.user_code())
        .await
        .refused(429, "rate_limited");
    let bob = t.sign_up("bob@example.org").await;
    look(&bob, device.user_code()).await.ok();
}

async fn many_guesses_at_once_are_no_more_than_one_after_another(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let guesses: Vec<String> = (0..40).map(guess).collect();
    let answers = futures_util::future::join_all(guesses.iter().map(|code| look(&ada, code))).await;
    let count = |status| answers.iter().filter(|answer| answer.status == status).count();
    assert_eq!((count(404), count(429)), (10, 30));
}

#[tokio::test]
async fn the_guesses_at_all_nodes_are_counted_together() {
    let t = TestApp::start(Db::Postgres).await;
    let ada = t.sign_up("ada@example.org").await;
    let (_app, other, _service) = t.second_api().await;
    let there = other.with_key(Some(secret(&ada.token)));
    let paths: Vec<String> = (0..40)
        .map(|number| format!("/auth/device/{}", guess(number)))
        .collect();
    let nodes = [&ada.api, &there].into_iter().cycle();
    let answers =
        futures_util::future::join_all(paths.iter().zip(nodes).map(|(path, node)| node.get(path))).await;
    let count = |status| answers.iter().filter(|answer| answer.status == status).count();
    assert_eq!((count(404), count(429)), (10, 30));
}

async fn a_code_that_somebody_has_decided_is_no_wrong_guess(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let device = Device::start(&t).await;
    decide(&ada, "deny", device.user_code()).await.ok();
    for _ in 0..20 {
        look(&ada, device.user_code())
            .await
            .refused(404, "device_code_not_found");
    }
    look(&ada, Device::start(&t).await.user_code()).await.ok();
}

async fn neither_codes_nor_keys_are_stored(db: Db) {
    let t = TestApp::start(db).await;
    let ada = t.sign_up("ada@example.org").await;
    let device = Device::start(&t).await;
    decide(&ada, "approve", device.user_code()).await.ok();
    let before = everything_stored(&t, db).await;
    let key = device.fetch().await;
    let after = everything_stored(&t, db).await;
    let bare = device.user_code().replace("SVC-", "").replace('-', "");
    assert!(holds(&before, b"laptop"), "what is stored in the clear is found");
    for stored in [&before, &after] {
        for text in [device.code(), device.user_code(), &bare, key.key()] {
            assert!(!holds(stored, text.as_bytes()), "{text} is stored");
        }
    }
    assert_eq!(
        json!(
            ada.api.get("/app/v1/keys").await.ok()["keys"]
                .as_array()
                .unwrap()
                .len()
        ),
        1
    );
}
