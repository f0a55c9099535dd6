//! Posts that were changed after they may have gone out: the account may list the text of before.

use playout_domain::id::{PostId, SubmissionId};
use playout_domain::post::{Post, Waiting};
use playout_domain::submission::SubmissionOutcome;
use playout_domain::verdict::Verdict;
use uuid::Uuid;

use super::group_changes::{found, nothing, schedule};
use super::harness::on_both;
use super::settling::settle;
use super::world::{HOUR, MINUTE, NOON, World};
use crate::db::{new_id, params};
use crate::{GroupChanges, ScheduleGroup, Store, UpdateGroup};

on_both!(
    a_post_that_was_changed_after_a_hold_may_be_out_with_either_text,
    a_post_in_doubt_that_was_scheduled_and_changed_may_be_out_with_either_text,
    a_post_is_compared_with_every_other_one_of_its_account,
    posts_that_may_be_out_are_read_in_pages_and_each_is_compared,
);

async fn change(world: &World, post: &Post) {
    let judged = found(world, post.id).await;
    let changes = GroupChanges {
        was_hidden: false,
        content: Some("another text".to_owned()),
        ..nothing(&judged)
    };
    let changed = world.store.update_group(world.workspace, post.id, changes, NOON);
    assert!(matches!(changed.await.unwrap(), UpdateGroup::Updated(_)));
}

/// Whether a post of the account may be out with each of these texts.
async fn may_be_out(world: &World, texts: [&str; 3]) -> [bool; 3] {
    let mut found = [false; 3];
    for (found, text) in found.iter_mut().zip(texts) {
        let none = Uuid::nil().into();
        let has_rival = world.store.has_rival(world.platform, none, text, NOON);
        *found = has_rival.await.unwrap();
    }
    found
}

async fn a_post_that_was_changed_after_a_hold_may_be_out_with_either_text(store: Store) {
    let world = World::new(store.clone()).await;
    let post = world.post(false, None).await;
    store
        .begin_hold(NOON.minus(MINUTE), "a test", NOON)
        .await
        .unwrap();
    change(&world, &post).await;
    let texts = [post.content.as_str(), "another text", "a third text"];
    assert_eq!(may_be_out(&world, texts).await, [true, true, false]);
}

async fn a_post_in_doubt_that_was_scheduled_and_changed_may_be_out_with_either_text(store: Store) {
    let world = World::new(store.clone()).await;
    let (post, job) = world.claimed().await;
    let id = world.open(&job).await;
    let verdict = Verdict::ActionRequired {
        waiting: Waiting::Unconfirmed,
        text: "Searched there.".to_owned(),
    };
    assert!(settle(&world, &job, verdict, Some((id, SubmissionOutcome::Unknown))).await);
    let scheduled = schedule(&world, post.id, Some(NOON.plus(HOUR))).await;
    assert!(matches!(scheduled, ScheduleGroup::Scheduled(_)));
    change(&world, &post).await;
    let texts = [post.content.as_str(), "another text", "a third text"];
    assert_eq!(may_be_out(&world, texts).await, [true, true, false]);
}

/// The posts were made at one moment, and pages end anywhere between them.
async fn a_post_is_compared_with_every_other_one_of_its_account(store: Store) {
    let world = World::new(store.clone()).await;
    let post = world.post(false, None).await;
    let mut others = Vec::new();
    for _ in 0..4 {
        others.push(world.post(false, None).await);
    }
    let rename = async |other: &Post, text: &str| {
        let sql = "UPDATE posts SET content = $2 WHERE id = $1";
        store.execute(sql, params![other.id, text]).await.unwrap();
    };
    for other in &others {
        rename(other, "a twin").await;
        for page in 1..=6 {
            let has_twin = async |id| {
                let found = store.has_twin_in_pages(world.platform, id, "a twin", page);
                found.await.unwrap()
            };
            assert!(has_twin(post.id).await, "in pages of {page}");
            assert!(!has_twin(other.id).await, "it is no twin of itself");
        }
        rename(other, "no twin").await;
    }
    assert!(!store.has_twin(world.platform, post.id, "a twin").await.unwrap());
}

/// The pages of posts that may be out on the account of a world.
async fn pages_that_may_be_out(world: &World, page: u32) -> Vec<Vec<PostId>> {
    let (mut pages, mut after) = (Vec::new(), PostId(Uuid::nil()));
    loop {
        let found = world.store.may_be_out_after(world.platform, after, NOON, page);
        let found = found.await.unwrap();
        let Some(last) = found.last() else {
            return pages;
        };
        after = *last;
        pages.push(found);
    }
}

/// A hold has marked four of them, one of which is in doubt too, and a fifth is on its way since. However many there are, no more than a
/// page is read at once.
async fn posts_that_may_be_out_are_read_in_pages_and_each_is_compared(store: Store) {
    let world = World::new(store.clone()).await;
    let (in_doubt, job) = world.claimed().await;
    world.open(&job).await;
    let mut others = vec![in_doubt.id];
    for _ in 0..3 {
        others.push(world.post(false, None).await.id);
    }
    store
        .begin_hold(NOON.minus(MINUTE), "a test", NOON)
        .await
        .unwrap();
    let unmarked = world.post(false, None).await;
    let sql =
        "INSERT INTO submissions (id, workspace_id, platform_id, post_id, transfer, sent_bytes, started_at)
        VALUES ($1, $2, $3, $4, 'upload', 0, $5)";
    let id: SubmissionId = new_id(NOON);
    let open = params![id, world.workspace, world.platform, unmarked.id, NOON];
    store.execute(sql, open).await.unwrap();
    others.push(unmarked.id);
    others.sort();
    let post = world.post(false, None).await;
    for page in 1..=6 {
        let pages = pages_that_may_be_out(&world, page).await;
        assert!(pages.iter().all(|found| found.len() <= page as usize), "{page}");
        assert_eq!(pages.concat(), others, "in pages of {page}");
    }
    let rename = async |id: PostId, text: &str| {
        let sql = "UPDATE posts SET content = $2 WHERE id = $1";
        store.execute(sql, params![id, text]).await.unwrap();
    };
    for other in others {
        rename(other, "a twin").await;
        for page in 1..=6 {
            let has_rival = async |id| {
                let found = store.has_rival_in_pages(world.platform, id, "a twin", NOON, page);
                found.await.unwrap()
            };
            assert!(has_rival(post.id).await, "in pages of {page}");
            assert!(!has_rival(other).await, "it is no rival of itself");
        }
        rename(other, "no twin").await;
    }
    let has_rival = store.has_rival(world.platform, post.id, "a twin", NOON);
    assert!(!has_rival.await.unwrap());
}
