//! Rows that hold what no version of the program writes keep no other row from being used.

use playout_domain::id::PostId;
use playout_domain::job::JobQueue;
use playout_domain::post::PostState;
use playout_domain::verdict::Verdict;
use sqlx::AssertSqlSafe;

use super::harness::{on_both, on_sqlite};
use super::settling::{settle, settlement};
use super::world::{MINUTE, NOON, World, new_group, new_post};
use crate::db::params;
use crate::{AttemptDetail, ClaimLimits, Excluded, Store};

on_both!(
    a_job_that_cannot_be_read_is_claimed_apart_from_the_others,
    a_job_whose_attempt_has_the_largest_number_keeps_no_other_from_being_claimed,
    a_post_that_cannot_be_read_may_be_what_an_account_lists,
    comments_follow_one_that_cannot_be_read,
    no_comment_follows_a_post_that_cannot_be_read,
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
    let has_rival = async |id| {
        let found = store.has_rival(world.platform, id, "another text", NOON);
        found.await.unwrap()
    };
    assert!(has_rival(other.id).await);
    assert!(!has_rival(bad.id).await, "it is no rival of itself");
}

/// A published post with so many comments, a minute after one another; the comments.
async fn published_with_comments(world: &World, count: usize) -> Vec<PostId> {
    let mut group = new_group(world.platform, true, None);
    for _ in 0..count {
        let mut comment = new_post("a comment");
        comment.delay_minutes = Some(1);
        group.children.push(comment);
    }
    let comments = group.children.iter().map(|comment| comment.id).collect();
    world.group(group).await;
    let root = world.claim_at(NOON).await.remove(0);
    let published = Verdict::Published {
        release_id: Some("73".to_owned()),
        release_url: None,
    };
    assert!(settle(world, &root, published, None).await);
    comments
}

fn failed() -> Verdict {
    Verdict::Error {
        text: "It failed inside.".to_owned(),
    }
}

async fn comments_follow_one_that_cannot_be_read(store: Store) {
    let world = World::new(store.clone()).await;
    let comments = published_with_comments(&world, 3).await;
    damage(&store, "posts SET settings = '[]' WHERE id = $1", comments[1]).await;
    let due = NOON.plus(MINUTE);
    let first = world.claim_at(due).await.remove(0);
    assert_eq!(first.post_id, Some(comments[0]));
    assert!(settle(&world, &first, failed(), None).await);
    let second = world.claim_at(due).await.remove(0);
    assert_eq!(second.post_id, Some(comments[1]));
    let ended = settlement(failed(), None);
    assert!(store.settle_unread(&second, &ended, NOON).await.unwrap());
    let third = world.claim_at(due).await;
    assert_eq!((third.len(), third[0].post_id), (1, Some(comments[2])));
}

/// Nothing is written under what is not out.
async fn no_comment_follows_a_post_that_cannot_be_read(store: Store) {
    let world = World::new(store.clone()).await;
    let mut group = new_group(world.platform, true, None);
    group.children.push(new_post("a comment"));
    let root = world.group(group).await;
    let job = world.claim_at(NOON).await.remove(0);
    damage(&store, "posts SET settings = '[]' WHERE id = $1", root.id).await;
    let ended = settlement(failed(), None);
    assert!(store.settle_unread(&job, &ended, NOON).await.unwrap());
    assert!(world.claim_at(NOON.plus(MINUTE)).await.is_empty());
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
