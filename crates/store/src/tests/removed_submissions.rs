use std::time::Duration;

use playout_domain::post::Post;
use playout_domain::provider::Accepted;
use playout_domain::submission::SubmissionOutcome;
use playout_domain::verdict::Verdict;
use playout_domain::workspace::Role;
use uuid::Uuid;

use super::harness::on_both;
use super::settling::settle;
use super::submissions::pull;
use super::world::{DAY, NOON, OPERATOR, World};
use crate::{By, ReleaseOwner, Store};

on_both!(
    what_a_deleted_workspace_published_is_known_to_the_others_of_the_account,
    the_handle_of_a_deleted_post_is_not_given_to_another_post_of_the_account,
);

const AS_OWNER: By<'_> = By {
    role: Role::Owner,
    actor: OPERATOR,
};

/// A post of that world that went out under the handle `theirs`, with the ID 77 at the provider.
async fn published_by(world: &World) -> Post {
    let (post, job) = world.claimed().await;
    let id = world.open(&job).await;
    let accepted = Accepted {
        handle: "theirs".to_owned(),
        upload: None,
    };
    let saved = world.store.save_handle(&job, id, &accepted).await;
    assert!(saved.unwrap());
    let verdict = Verdict::Published {
        release_id: Some("77".to_owned()),
        release_url: None,
    };
    let outcome = Some((id, SubmissionOutcome::Published));
    assert!(settle(world, &job, verdict, outcome).await);
    post
}

/// What is known of `text` listed as `release_id` on the account of a world.
async fn known(world: &World, release_id: &str, text: &str) -> (bool, bool) {
    let owner = world.store.find_release(world.platform, release_id).await;
    let is_known = owner.unwrap() == ReleaseOwner::Known;
    let none = Uuid::nil().into();
    let has_rival = world.store.has_rival(world.platform, none, text, NOON);
    (is_known, has_rival.await.unwrap())
}

async fn what_a_deleted_workspace_published_is_known_to_the_others_of_the_account(store: Store) {
    let (world, neighbour) = (World::new(store.clone()).await, World::new(store.clone()).await);
    let published = published_by(&neighbour).await;
    let (_, open) = neighbour.claimed().await;
    neighbour.open(&open).await;
    let text = published.content.as_str();
    assert_eq!(known(&world, "77", text).await, (true, true));
    store
        .delete_workspace(neighbour.workspace, AS_OWNER, NOON)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(known(&world, "77", text).await, (true, true));
    assert_eq!(known(&world, "78", "another text").await, (false, false));
    store
        .delete_expired(NOON.plus(90 * DAY - Duration::from_secs(1)))
        .await
        .unwrap();
    assert_eq!(known(&world, "77", text).await, (true, true));
    let swept = store.delete_expired(NOON.plus(90 * DAY)).await.unwrap();
    assert_eq!(
        (swept.removed_submissions, known(&world, "77", text).await),
        (3, (false, false))
    );
}

async fn the_handle_of_a_deleted_post_is_not_given_to_another_post_of_the_account(store: Store) {
    let (world, neighbour) = (World::new(store.clone()).await, World::new(store.clone()).await);
    published_by(&neighbour).await;
    store
        .delete_workspace(neighbour.workspace, AS_OWNER, NOON)
        .await
        .unwrap()
        .unwrap();
    let (_, lost, token) = pull(&world).await;
    store.record_fetch(token, NOON).await.unwrap().unwrap();
    let find = async |handle| store.find_lost_pull(world.platform, handle, NOON).await.unwrap();
    assert_eq!(find("theirs").await, None);
    let found = find("ours").await.unwrap();
    let adopted = store.adopt_handle(&found, "ours", NOON).await.unwrap();
    assert_eq!(adopted.map(|submission| submission.id), Some(lost));
}
