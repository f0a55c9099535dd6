//! The place and the pulse, which distinguish a database from its copies.

use super::harness::on_both;
use super::world::{MINUTE, NOON};
use crate::Store;
use crate::db::params;

on_both!(
    the_pulse_is_raised_above_what_was_seen_and_what_is_outside,
    the_pulse_is_raised_only_in_the_database_that_was_seen,
);

async fn the_pulse_is_raised_above_what_was_seen_and_what_is_outside(store: Store) {
    let seen = store.last_seen().await.unwrap();
    let raised = store.raise_pulse(&seen, seen.pulse + 7, "here", NOON).await;
    assert_eq!(raised.unwrap(), Some(seen.pulse + 8));
    let seen = store.last_seen().await.unwrap();
    assert_eq!((seen.home.as_deref(), seen.at), (Some("here"), Some(NOON)));
    let raised = store.raise_pulse(&seen, 0, "here", NOON.plus(MINUTE)).await;
    assert_eq!(raised.unwrap(), Some(seen.pulse + 1));
}

async fn the_pulse_is_raised_only_in_the_database_that_was_seen(store: Store) {
    let first = store.last_seen().await.unwrap();
    let pulse = store.raise_pulse(&first, 0, "here", NOON).await.unwrap();
    let seen = store.last_seen().await.unwrap();
    assert_eq!(Some(seen.pulse), pulse);
    for put_back in [
        "UPDATE instance SET pulse = pulse - 1",
        "UPDATE instance SET pulse = pulse + 1, home = 'there'",
    ] {
        store.execute(put_back, params![]).await.unwrap();
        let before = store.last_seen().await.unwrap();
        let raised = store.raise_pulse(&seen, seen.pulse, "here", NOON).await;
        assert_eq!(raised.unwrap(), None, "{put_back}");
        assert_eq!(store.last_seen().await.unwrap(), before, "nothing is changed");
    }
}
