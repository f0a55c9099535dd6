//! Posts that were changed after they may have gone out: the account may list the text of before.

use playout_domain::post::{Post, Waiting};
use playout_domain::submission::SubmissionOutcome;
use playout_domain::verdict::Verdict;

use super::group_changes::{nothing, schedule, version};
use super::harness::on_both;
use super::settling::settle;
use super::world::{HOUR, MINUTE, NOON, World};
use crate::{GroupChanges, ScheduleGroup, Store, UpdateGroup};

on_both!(
    a_post_that_was_changed_after_a_hold_may_be_out_with_either_text,
    a_post_in_doubt_that_was_scheduled_and_changed_may_be_out_with_either_text,
);

async fn change(world: &World, post: &Post) {
    let changes = GroupChanges {
        content: Some("another text".to_owned()),
        ..nothing(version(world, post.id).await)
    };
    let changed = world.store.update_group(world.workspace, post.id, changes, NOON);
    assert!(matches!(changed.await.unwrap(), UpdateGroup::Updated(_)));
}

/// Whether a post of the account may be out with each of these texts.
async fn may_be_out(world: &World, texts: [&str; 3]) -> [bool; 3] {
    let posts = world
        .store
        .posts_that_may_be_out(world.platform, NOON)
        .await
        .unwrap();
    texts.map(|text| posts.iter().any(|post| post.is_listed_as(text)))
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
