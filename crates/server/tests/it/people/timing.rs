//! How long a wrong password takes does not reveal whether the account exists.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::harness::{Db, TestApp, on_both};

on_both!(a_wrong_password_takes_as_long_whether_there_is_such_an_account,);

/// Accounts of each kind, and tries of each: as many as one account has at once.
const ACCOUNTS: usize = 3;
const TRIES: usize = 10;
/// How often a machine that is busy with something else gets another chance. Where chance alone decides which kind is the slower one, all
/// rounds agree once in a hundred thousand runs; a test that passes ends with the first round that disagrees.
const ROUNDS: usize = 20;

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

/// Whether one kind took a tenth longer than another in every round: what the machine adds is another's the next time. Times of different
/// rounds are not compared, as a single try that the machine favoured would outlast all of them.
fn is_one_always_slower(rounds: &[[Duration; 3]]) -> bool {
    let is_slower = |one: usize, other: usize| {
        let mut ratios = rounds
            .iter()
            .map(|times| times[one].as_secs_f64() / times[other].as_secs_f64());
        ratios.all(|ratio| ratio > 1.1)
    };
    (0..3).any(|one| (0..3).any(|other| is_slower(one, other)))
}

#[test]
fn one_that_is_always_slower_is_noticed_and_a_busy_machine_is_not() {
    let rounds = |rounds: [[u64; 3]; 2]| rounds.map(|times| times.map(Duration::from_millis));
    assert!(is_one_always_slower(&rounds([[30, 30, 5], [60, 40, 4]])));
    assert!(!is_one_always_slower(&rounds([[50, 37, 36], [29, 33, 38]])));
    assert!(!is_one_always_slower(&rounds([[30, 31, 30], [30, 50, 30]])));
}

async fn a_wrong_password_takes_as_long_whether_there_is_such_an_account(db: Db) {
    let t = TestApp::start(db).await;
    for account in 0..ACCOUNTS {
        t.sign_up(&format!("known-{account}@example.org")).await;
        t.sign_up_protected(&format!("protected-{account}@example.org"))
            .await;
    }
    // A code has been counted for those who are protected.
    t.clock.advance(Duration::from_secs(600));
    let mut seen = Vec::new();
    for round in 0..ROUNDS {
        seen.push(fastest(&t, round).await);
        if !is_one_always_slower(&seen) {
            return;
        }
        // The accounts have all their tries again.
        t.clock.advance(Duration::from_secs(600));
    }
    panic!("a known address, one with a second factor and an unknown one take {seen:?}");
}
