//! How long a wrong password takes tells nothing.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::harness::{TestApp, on_both};

/// Accounts of each kind, and tries of each: as many as one account has at once.
const ACCOUNTS: usize = 3;
const TRIES: usize = 10;
/// How often a machine that is busy with something else gets another chance.
const ROUNDS: usize = 5;

#[expect(
    clippy::disallowed_methods,
    reason = "this is about the time that passes outside"
)]
async fn time_of(t: &TestApp, email: &str) -> Duration {
    let body = json!({ "email": email, "password": "a wrong guess" });
    let begin = Instant::now();
    let answer = t.nobody().post("/app/v1/auth/sign-in", &body).await;
    let took = begin.elapsed();
    answer.refused(401, "invalid_credentials");
    took
}

/// The fastest tries of each kind of address, by turns: a known one, one with a second factor, an unknown one. What a
/// busy machine adds, it adds to none of all of them.
async fn fastest(t: &TestApp, round: usize) -> [Duration; 3] {
    let mut fastest = [Duration::MAX; 3];
    for account in 0..ACCOUNTS {
        let kinds = [
            format!("known-{account}@example.org"),
            format!("protected-{account}@example.org"),
            format!("unknown-{round}-{account}@example.org"),
        ];
        for _ in 0..TRIES {
            for (fastest, email) in fastest.iter_mut().zip(&kinds) {
                *fastest = (*fastest).min(time_of(t, email).await);
            }
        }
    }
    fastest
}

on_both! {
    async fn a_wrong_password_takes_as_long_whether_there_is_such_an_account(db) {
        let t = TestApp::start(db).await;
        for account in 0..ACCOUNTS {
            t.sign_up(&format!("known-{account}@example.org")).await;
            t.sign_up_protected(&format!("protected-{account}@example.org")).await;
        }
        // A code has been counted for those who are protected.
        t.clock.advance(Duration::from_secs(600));
        let mut seen = Vec::new();
        for round in 0..ROUNDS {
            let times = fastest(&t, round).await;
            // Within a round: a single try that the machine favoured would outlast all rounds.
            let (least, most) = (times.iter().min().unwrap(), times.iter().max().unwrap());
            if most.as_secs_f64() / least.as_secs_f64() <= 1.1 {
                return;
            }
            seen.push(times);
            // The accounts have all their tries again.
            t.clock.advance(Duration::from_secs(600));
        }
        panic!("a known address, one with a second factor and an unknown one take {seen:?}");
    }
}
