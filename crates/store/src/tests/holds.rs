use playout_domain::submission::Transfer;

use super::harness::on_both;
use super::world::{MINUTE, NOON, World, new_submission};
use crate::{SearchResult, Searched, Store};

on_both!(
    a_post_that_was_claimed_before_a_hold_is_not_opened_before_it_was_looked_for,
    a_hold_that_was_begun_anew_does_not_end_before_its_posts_were_looked_for,
    a_hold_counts_the_posts_that_it_looked_for_in_vain,
    a_search_that_did_not_go_far_enough_back_settles_nothing,
    a_hold_that_is_released_leaves_the_marks_of_an_earlier_one,
    a_claim_that_the_database_lost_holds_no_later_one,
);

const NOT_FOUND: Searched = Searched {
    result: SearchResult::NotFound,
    was_in_vain: false,
    is_hidden: false,
};

async fn a_post_that_was_claimed_before_a_hold_is_not_opened_before_it_was_looked_for(store: Store) {
    let world = World::new(store.clone()).await;
    let (post, job) = world.claimed().await;
    let new = new_submission(Transfer::Upload);
    let hold = store
        .begin_hold(NOON.minus(MINUTE), "a test", NOON)
        .await
        .unwrap();
    assert!(!store.open_submission(&job, &new, NOON).await.unwrap());
    assert!(
        store
            .settle_searched(&hold, post.id, &NOT_FOUND, NOON)
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
            .settle_searched(&hold, post.id, &NOT_FOUND, NOON)
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
            .settle_searched(&hold, post.id, &NOT_FOUND, NOON)
            .await
            .unwrap()
    );
    assert!(store.end_hold(&hold, NOON).await.unwrap());
    assert_eq!(store.find_hold().await.unwrap(), None);
}

async fn a_hold_counts_the_posts_that_it_looked_for_in_vain(store: Store) {
    let world = World::new(store.clone()).await;
    let posts = [world.post(false, None).await, world.post(false, None).await];
    let in_vain = Searched {
        was_in_vain: true,
        ..NOT_FOUND
    };
    let look = async |look: &Searched, now| {
        let hold = store.begin_hold(NOON, "a test", now).await.unwrap();
        for (post, look) in posts.iter().zip([look, &NOT_FOUND]) {
            assert!(store.settle_searched(&hold, post.id, look, now).await.unwrap());
        }
        hold
    };
    look(&in_vain, NOON).await;
    let hold = look(&in_vain, NOON.plus(MINUTE)).await;
    assert!(store.end_hold(&hold, NOON.plus(MINUTE)).await.unwrap());
    assert_eq!(store.find_last_hold().await.unwrap().unwrap().not_looked_for, 1);
    let hold = look(&NOT_FOUND, NOON.plus(2 * MINUTE)).await;
    assert!(store.end_hold(&hold, NOON.plus(2 * MINUTE)).await.unwrap());
    assert_eq!(store.find_last_hold().await.unwrap().unwrap().not_looked_for, 0);
}

async fn a_search_that_did_not_go_far_enough_back_settles_nothing(store: Store) {
    let world = World::new(store.clone()).await;
    let post = world.post(true, Some(NOON)).await;
    let begin = async |since| store.begin_hold(since, "a test", NOON).await.unwrap();
    let near = begin(NOON.minus(MINUTE)).await;
    let far = begin(NOON.minus(2 * MINUTE)).await;
    let settle = async |hold| {
        let settled = store.settle_searched(hold, post.id, &NOT_FOUND, NOON);
        settled.await.unwrap()
    };
    assert!(!settle(&near).await);
    assert_eq!(store.hold_progress().await.unwrap().left, 1);
    assert!(settle(&far).await);
}

/// A database that went back gives out the number of a claim again that it lost, to the same node.
async fn a_claim_that_the_database_lost_holds_no_later_one(store: Store) {
    let world = World::new(store.clone()).await;
    let (_, lost) = world.claimed().await;
    let went_back =
        "UPDATE jobs SET attempt = attempt - 1, leased_until = NULL, lease_owner = NULL, due_at = run_at";
    store.execute(went_back, Vec::new()).await.unwrap();
    store.renumber_claims().await.unwrap();
    let claimed = world.claim_at(NOON).await;
    assert_eq!(claimed.len(), 1);
    assert!(claimed[0].attempt > lost.attempt);
    assert!(!store.finish(&lost).await.unwrap(), "it holds nothing");
    assert!(store.finish(&claimed[0]).await.unwrap());
}

/// Also where it goes further back, or was begun again.
async fn a_hold_that_is_released_leaves_the_marks_of_an_earlier_one(store: Store) {
    let world = World::new(store.clone()).await;
    let earlier = world.post(true, Some(NOON)).await;
    let begin = async |since| store.begin_hold(since, "a copy", NOON).await.unwrap();
    let settle = async |hold, post| {
        let settled = store.settle_searched(hold, post, &NOT_FOUND, NOON);
        settled.await.unwrap()
    };
    let hold = begin(NOON.minus(2 * MINUTE)).await;
    assert!(settle(&hold, earlier.id).await);
    assert!(
        !settle(&hold, earlier.id).await,
        "a slower node has nothing to add"
    );
    assert!(store.end_hold(&hold, NOON).await.unwrap());
    for (since, left) in [(NOON, (1, 1)), (NOON.minus(3 * MINUTE), (2, 1))] {
        let later = world.post(true, Some(NOON)).await;
        begin(since).await;
        begin(since.minus(MINUTE)).await;
        let released = store.release_hold(NOON).await.unwrap().unwrap();
        assert_eq!((released.not_looked_for, released.still_marked), left);
        let last = store.find_last_hold().await.unwrap().unwrap();
        assert_eq!((last.because.as_str(), last.is_released), ("a copy", true));
        assert!(store.is_marked(earlier.id).await.unwrap());
        assert!(!store.is_marked(later.id).await.unwrap());
        assert_eq!(store.hold_progress().await.unwrap().left, 0);
    }
}
