//! A page of the provider belongs to one post, whatever was read of the others before.

use playout_domain::post::{PostState, Waiting};
use playout_domain::submission::SubmissionOutcome;
use playout_domain::verdict::Verdict;

use super::harness::on_both;
use super::settling::settle;
use super::world::{MINUTE, NOON, OPERATOR, World, connect};
use crate::{
    AttemptDetail, Keep, Mark, MarkPublished, ReleaseOwner, Released, SearchResult, Searched, Store,
};

on_both!(
    a_post_that_would_get_the_page_of_another_is_a_persons,
    of_two_posts_that_get_one_page_at_once_one_is_a_persons,
    a_post_that_a_hold_finds_under_the_page_of_another_is_a_persons,
    what_comes_late_gives_no_post_the_page_of_another,
    a_post_that_comes_out_late_under_the_page_of_another_is_not_tried_again,
    an_id_that_another_account_claims_belongs_to_the_account_whose_post_gets_it,
);

fn published() -> Verdict {
    Verdict::Published {
        release_id: Some("73".to_owned()),
        release_url: None,
    }
}

const FOUND: Released<'_> = Released {
    release_id: Some("73"),
    release_url: None,
};

/// A post that is out under the page.
async fn first(world: &World) {
    let (post, job) = world.claimed().await;
    let id = world.open(&job).await;
    assert!(settle(world, &job, published(), Some((id, SubmissionOutcome::Published))).await);
    assert_eq!(world.state(post.id).await, PostState::Published);
}

async fn a_post_that_would_get_the_page_of_another_is_a_persons(store: Store) {
    let world = World::new(store.clone()).await;
    first(&world).await;
    let neighbour = world.neighbour().await;
    for world in [&world, &neighbour] {
        let (post, job) = world.claimed().await;
        let id = world.open(&job).await;
        assert!(settle(world, &job, published(), Some((id, SubmissionOutcome::Published))).await);
        let post = world.reload(post.id).await;
        assert_eq!(
            (post.state, post.waiting, &post.release_id, post.publishing),
            (
                PostState::ActionRequired,
                Some(Waiting::Unconfirmed),
                &None,
                false
            )
        );
        assert!(post.error_text.unwrap().contains("another post"));
        let tries = store.submissions_of(world.workspace, post.id).await.unwrap();
        assert_eq!(
            (tries.len(), tries[0].outcome, tries[0].code.as_deref()),
            (1, Some(SubmissionOutcome::Unknown), Some("unconfirmed"))
        );
    }
}

async fn of_two_posts_that_get_one_page_at_once_one_is_a_persons(store: Store) {
    let world = World::new(store.clone()).await;
    let neighbour = world.neighbour().await;
    for _ in 0..5 {
        let ((one, job), (other, other_job)) = (world.claimed().await, neighbour.claimed().await);
        let release = Verdict::Published {
            release_id: Some(one.id.to_string()),
            release_url: None,
        };
        let settled = tokio::join!(
            settle(&world, &job, release.clone(), None),
            settle(&neighbour, &other_job, release, None)
        );
        assert_eq!(settled, (true, true));
        let mut states = [world.state(one.id).await, neighbour.state(other.id).await];
        states.sort_by_key(|state| state.as_str());
        assert_eq!(states, [PostState::ActionRequired, PostState::Published]);
    }
}

async fn a_post_that_a_hold_finds_under_the_page_of_another_is_a_persons(store: Store) {
    let world = World::new(store.clone()).await;
    first(&world).await;
    let post = world.post(true, None).await;
    let hold = store
        .begin_hold(NOON.minus(MINUTE), "a test", NOON)
        .await
        .unwrap();
    let searched = Searched {
        result: SearchResult::Ended(published(), AttemptDetail::default()),
        was_in_vain: false,
        is_hidden: false,
    };
    assert!(
        store
            .settle_searched(&hold, post.id, &searched, NOON)
            .await
            .unwrap()
    );
    let post = world.reload(post.id).await;
    assert_eq!((post.state, post.release_id), (PostState::ActionRequired, None));
}

async fn what_comes_late_gives_no_post_the_page_of_another(store: Store) {
    let world = World::new(store.clone()).await;
    first(&world).await;
    let (unnamed, job) = world.claimed().await;
    let nothing_known = Verdict::Published {
        release_id: None,
        release_url: None,
    };
    assert!(settle(&world, &job, nothing_known, None).await);
    assert!(!store.set_release(unnamed.id, FOUND, NOON).await.unwrap());
    let (waiting, job) = world.claimed().await;
    let verdict = Verdict::ActionRequired {
        waiting: Waiting::Unconfirmed,
        text: "Look at the account.".to_owned(),
    };
    assert!(settle(&world, &job, verdict, None).await);
    let tries = store.submissions_of(world.workspace, waiting.id).await.unwrap();
    assert!(!store.publish_late(&tries[0], FOUND, NOON).await.unwrap());
    assert!(!store.confirm_published(waiting.id, FOUND, NOON).await.unwrap());
    let mark = Mark {
        only_if: None,
        released: FOUND,
        is_seen: true,
        follow_link: None,
        by: OPERATOR,
    };
    let marked = store.mark_published(world.workspace, waiting.id, mark, Keep::nowhere(), NOON);
    assert_eq!(marked.await.unwrap(), MarkPublished::OfAnother);
    assert_eq!(world.state(waiting.id).await, PostState::ActionRequired);
}

async fn a_post_that_comes_out_late_under_the_page_of_another_is_not_tried_again(store: Store) {
    let world = World::new(store.clone()).await;
    first(&world).await;
    let (post, job) = world.claimed().await;
    let id = world.open(&job).await;
    let again = Verdict::Again {
        at: NOON,
        text: None,
        failed: true,
    };
    assert!(settle(&world, &job, again, Some((id, SubmissionOutcome::Rejected))).await);
    assert_eq!(world.state(post.id).await, PostState::Queue);
    let tries = store.submissions_of(world.workspace, post.id).await.unwrap();
    assert!(store.publish_late(&tries[0], FOUND, NOON).await.unwrap());
    let left = world.reload(post.id).await;
    assert_eq!(
        (left.state, left.waiting, &left.release_id),
        (PostState::ActionRequired, Some(Waiting::Unconfirmed), &None)
    );
    let claimed = world.claim_at(NOON).await;
    assert!(claimed.iter().all(|job| job.post_id != Some(post.id)));
}

/// Another account, of another workspace, has marked its post with the ID, which it may have read on the page.
async fn an_id_that_another_account_claims_belongs_to_the_account_whose_post_gets_it(store: Store) {
    let world = World::new(store.clone()).await;
    let mut stranger = world.neighbour().await;
    stranger.platform = connect(&store, stranger.workspace, "account-2").await;
    first(&stranger).await;
    let owner = async || store.find_release(world.platform, "73").await.unwrap();
    assert_eq!(owner().await, ReleaseOwner::Unknown);
    first(&world).await;
    assert_eq!(owner().await, ReleaseOwner::Known);
    let (post, job) = world.claimed().await;
    assert!(settle(&world, &job, published(), None).await);
    assert_eq!(
        world.state(post.id).await,
        PostState::ActionRequired,
        "of one account one is"
    );
}
