//! Rows that hold what no version of the program writes keep no other row from being used.

use playout_domain::id::PostId;
use playout_domain::job::JobQueue;
use playout_domain::post::PostState;
use sqlx::AssertSqlSafe;

use super::harness::{on_both, on_sqlite};
use super::world::{MINUTE, NOON, World};
use crate::db::params;
use crate::{AttemptDetail, ClaimLimits, Excluded, Store};

on_both!(
    a_job_that_cannot_be_read_is_claimed_apart_from_the_others,
    a_job_whose_attempt_has_the_largest_number_keeps_no_other_from_being_claimed,
    a_post_that_cannot_be_read_may_be_what_an_account_lists,
);

/// Writes a value past the program.
async fn damage(store: &Store, what: &str, post: PostId) {
    let sql = format!("UPDATE {what}");
    assert_eq!(store.execute(AssertSqlSafe(sql), params![post]).await.unwrap(), 1);
}

async fn a_job_that_cannot_be_read_is_claimed_apart_from_the_others(store: Store) {
    let world = World::new(store.clone()).await;
    let bad = world.post(true, None).await;
    let good = world.post(true, None).await;
    damage(
        &store,
        "jobs SET checks = -1, failures = 2 WHERE post_id = $1",
        bad.id,
    )
    .await;
    let limits = ClaimLimits {
        queue: JobQueue::Start,
        limit: 10,
        per_account: 10,
        without: &Excluded::default(),
        lease: MINUTE,
    };
    let claimed = store.claim("worker-1", &limits, NOON).await.unwrap();
    let posts: Vec<_> = claimed.jobs.iter().map(|job| job.post_id).collect();
    assert_eq!(posts, [Some(good.id)]);
    let [unreadable] = claimed.unreadable.as_slice() else {
        panic!("{claimed:?}");
    };
    assert!(
        unreadable.error.to_string().contains("jobs.checks"),
        "{}",
        unreadable.error
    );
    let job = &unreadable.job;
    assert_eq!(
        (job.post_id, job.attempt, job.failures, job.checks),
        (Some(bad.id), 1, 2, 0)
    );
    assert!(store.finish(job).await.unwrap(), "it is held");
}

async fn a_job_whose_attempt_has_the_largest_number_keeps_no_other_from_being_claimed(store: Store) {
    let world = World::new(store.clone()).await;
    let last = world.post(true, None).await;
    let other = world.post(true, None).await;
    damage(
        &store,
        "jobs SET attempt = 9223372036854775807 WHERE post_id = $1",
        last.id,
    )
    .await;
    let jobs = world.claim_at(NOON).await;
    assert_eq!(jobs.len(), 2);
    for job in &jobs {
        assert!([Some(last.id), Some(other.id)].contains(&job.post_id));
        assert!(store.finish(job).await.unwrap(), "it is held");
    }
}

async fn a_post_that_cannot_be_read_may_be_what_an_account_lists(store: Store) {
    let world = World::new(store.clone()).await;
    let bad = world.post(false, None).await;
    let other = world.post(false, None).await;
    let has_twin = async |text| store.has_twin(world.platform, other.id, text).await.unwrap();
    assert!(!has_twin("another text").await);
    store
        .begin_hold(NOON.minus(MINUTE), "a test", NOON)
        .await
        .unwrap();
    damage(&store, "posts SET settings = '[]' WHERE id = $1", bad.id).await;
    assert!(has_twin("another text").await);
    let may_be_out = store.posts_that_may_be_out(world.platform, NOON).await.unwrap();
    let rivals = may_be_out.iter().filter(|post| post.is_listed_as("another text"));
    assert_eq!(rivals.map(|post| post.post).collect::<Vec<_>>(), [Some(bad.id)]);
}

/// SQLite keeps a text where a number belongs.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_marked_post_that_cannot_be_read_is_left_apart_from_the_others() {
    on_sqlite(|store: Store| async move {
        let world = World::new(store.clone()).await;
        let bad = world.post(true, Some(NOON)).await;
        let good = world.post(true, Some(NOON)).await;
        let hold = store
            .begin_hold(NOON.minus(MINUTE), "a test", NOON)
            .await
            .unwrap();
        damage(&store, "posts SET look_since = 'never' WHERE id = $1", bad.id).await;
        let marked = store.posts_to_search_for(world.platform, 10).await.unwrap();
        let posts: Vec<_> = marked.posts.iter().map(|post| post.id).collect();
        let unreadable: Vec<_> = marked.unreadable.iter().map(|post| post.id).collect();
        assert_eq!((posts, unreadable), (vec![good.id], vec![bad.id]));
        let detail = AttemptDetail::default();
        let left = store.settle_unreadable(&hold, bad.id, "Look.", &detail, NOON);
        assert!(left.await.unwrap());
        assert_eq!(world.reload(bad.id).await.state, PostState::ActionRequired);
    })
    .await;
}
