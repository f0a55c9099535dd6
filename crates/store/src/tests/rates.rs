//! Calls of callers, counted for all nodes.

use std::time::Duration;

use playout_domain::rate::{Bucket, Rate};
use playout_domain::time::Time;

use super::harness::on_postgres;
use super::world::NOON;
use crate::{Calls, Store};

const KIND: &str = "calls";

fn calls(subject: &str, rate: Rate, count: u32, at: Time) -> Calls {
    let subject = subject.as_bytes().to_vec();
    Calls {
        subject,
        rate,
        count,
        at,
    }
}

async fn add(store: &Store, calls: &[&Calls]) -> Vec<Bucket> {
    store.add_calls(KIND, calls).await.unwrap()
}

fn remaining(mut bucket: Bucket, rate: Rate, now: Time) -> Option<u32> {
    let taken = bucket.take(rate, now);
    taken.allowed.then(|| taken.remaining + 1)
}

#[tokio::test]
async fn calls_of_many_callers_are_added_together_and_each_learns_what_is_left() {
    on_postgres(|store: Store| async move {
        let (few, many): (Rate, Rate) = ("5/60s".parse().unwrap(), "600/60s".parse().unwrap());
        let added: Vec<Calls> = (0..300u32)
            .map(|number| match number % 2 {
                0 => calls(&number.to_string(), few, number % 6, NOON),
                _ => calls(&number.to_string(), many, number, NOON),
            })
            .collect();
        let left = add(&store, &added.iter().collect::<Vec<_>>()).await;
        assert_eq!(left.len(), added.len());
        for (calls, left) in added.iter().zip(left) {
            let (rate, expected) = (calls.rate, calls.rate.burst() - calls.count);
            assert_eq!(
                remaining(left, rate, NOON),
                Some(expected).filter(|left| *left > 0)
            );
        }
        // Again by another node, a second later: ten of `many` have come back.
        let later = NOON.plus(Duration::from_secs(1));
        let again = calls("299", many, 3, later);
        let left = add(&store, &[&again]).await;
        assert_eq!(remaining(left[0], many, later), Some(600 - 299 + 10 - 3));
    })
    .await;
}

#[tokio::test]
async fn callers_who_have_all_of_their_rate_again_are_forgotten() {
    on_postgres(|store: Store| async move {
        let (minute, day): (Rate, Rate) = ("5/60s".parse().unwrap(), "5/24h".parse().unwrap());
        let added = [
            calls("soon", minute, 5, NOON),
            calls("late", day, 5, NOON),
            calls("indebted", minute, 50, NOON),
        ];
        add(&store, &added.iter().collect::<Vec<_>>()).await;
        let refilled = NOON.plus(Duration::from_secs(60));
        assert_eq!(store.delete_expired(refilled).await.unwrap().rates, 0);
        let after = refilled.plus(Duration::from_secs(1));
        assert_eq!(store.delete_expired(after).await.unwrap().rates, 1);
        let indebted = NOON.plus(Duration::from_secs(601));
        assert_eq!(store.delete_expired(indebted).await.unwrap().rates, 1);
        let tomorrow = NOON.plus(Duration::from_secs(86_401));
        assert_eq!(store.delete_expired(tomorrow).await.unwrap().rates, 1);
    })
    .await;
}
