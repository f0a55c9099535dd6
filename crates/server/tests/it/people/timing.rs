//! How long a wrong password takes tells nothing.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::harness::{TestApp, on_both};

/// Accounts of each kind, and tries of each: as many as one account has at once.
const ACCOUNTS: usize = 4;
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

/// The fastest tries of either kind, known and unknown addresses by turns. What a busy machine adds, it adds to none of
/// all of them.
async fn fastest(t: &TestApp, round: usize) -> (Duration, Duration) {
    let (mut known, mut unknown) = (Duration::MAX, Duration::MAX);
    for account in 0..ACCOUNTS {
        let (somebody, nobody) = (
            format!("known-{account}@example.org"),
            format!("unknown-{round}-{account}@example.org"),
        );
        for _ in 0..TRIES {
            known = known.min(time_of(t, &somebody).await);
            unknown = unknown.min(time_of(t, &nobody).await);
        }
    }
    (known, unknown)
}

on_both! {
    async fn a_wrong_password_takes_as_long_whether_there_is_such_an_account(db) {
        let t = TestApp::start(db).await;
        for account in 0..ACCOUNTS {
            t.sign_up(&format!("known-{account}@example.org")).await;
        }
        let (mut known, mut unknown) = (Duration::MAX, Duration::MAX);
        for round in 0..ROUNDS {
            let times = fastest(&t, round).await;
            (known, unknown) = (known.min(times.0), unknown.min(times.1));
            let ratio = known.max(unknown).as_secs_f64() / known.min(unknown).as_secs_f64();
            if ratio <= 1.1 {
                return;
            }
            // The accounts have all their tries again.
            t.clock.advance(Duration::from_secs(600));
        }
        panic!("a known address takes {known:?}, an unknown one {unknown:?}");
    }
}
