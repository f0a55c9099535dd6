use playout_domain::id::SubmissionId;
use playout_domain::submission::Transfer;

use super::harness::on_both;
use super::world::{MINUTE, NOON, World};
use crate::db::new_id;
use crate::{Looked, NewSubmission, Store};

on_both!(
    a_post_that_was_claimed_before_a_hold_is_not_opened_before_it_was_looked_for,
    a_hold_that_was_begun_anew_does_not_end_before_its_posts_were_looked_for,
);

async fn a_post_that_was_claimed_before_a_hold_is_not_opened_before_it_was_looked_for(store: Store) {
    let world = World::new(store.clone()).await;
    let (post, job) = world.claimed().await;
    let id: SubmissionId = new_id(NOON);
    let new = NewSubmission {
        id,
        transfer: Transfer::Upload,
        token_hash: None,
        reason: None,
    };
    let hold = store
        .begin_hold(NOON.minus(MINUTE), "a test", NOON)
        .await
        .unwrap();
    assert!(!store.open_submission(&job, &new, NOON).await.unwrap());
    assert!(
        store
            .settle_looked(&hold, post.id, &Looked::NotFound, NOON)
            .await
            .unwrap()
    );
    assert!(store.open_submission(&job, &new, NOON).await.unwrap());
}

async fn a_hold_that_was_begun_anew_does_not_end_before_its_posts_were_looked_for(store: Store) {
    let world = World::new(store.clone()).await;
    let post = world.post(true, Some(NOON)).await;
    let hold = store
        .begin_hold(NOON.minus(MINUTE), "a test", NOON)
        .await
        .unwrap();
    assert!(
        store
            .settle_looked(&hold, post.id, &Looked::NotFound, NOON)
            .await
            .unwrap()
    );
    store
        .begin_hold(NOON.minus(MINUTE), "the same", NOON.plus(MINUTE))
        .await
        .unwrap();
    assert!(!store.end_hold(&hold, NOON).await.unwrap());
    assert!(
        store
            .settle_looked(&hold, post.id, &Looked::NotFound, NOON)
            .await
            .unwrap()
    );
    assert!(store.end_hold(&hold, NOON).await.unwrap());
    assert_eq!(store.find_hold().await.unwrap(), None);
}
