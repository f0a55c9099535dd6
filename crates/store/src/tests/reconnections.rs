//! Reports about an account's tokens, and posts that wait for it, while it is connected again.

use std::sync::Arc;
use std::time::Duration;

use playout_domain::job::{Job, JobKind};
use playout_domain::post::{PostState, Waiting};
use playout_domain::secret::Secret;
use playout_domain::submission::SubmissionOutcome;
use playout_domain::verdict::Verdict;
use serde_json::json;

use super::fence::waiting;
use super::harness::{on_both, on_postgres};
use super::settling::{settle, settlement};
use super::submissions::pull;
use super::world::{
    HOUR, NOON, OPERATOR, World, connection, hash, must_reconnect, new_group, new_post, options,
};
use crate::db::params;
use crate::{ConnectPlatform, NewConnection, PlatformChanges, PullRenewal, Store, TokenVersion};

on_both!(
    a_refusal_of_earlier_tokens_does_not_disconnect_an_account_that_was_reconnected,
    a_refusal_of_renewed_tokens_by_their_old_version_changes_nothing,
    what_an_account_allowed_before_it_was_reconnected_is_not_written_over_what_it_allows_now,
    a_post_that_is_settled_after_its_account_was_reconnected_runs_again,
    a_submission_that_was_refused_before_a_reconnection_ends_and_its_post_runs_again,
    an_open_submission_that_could_not_be_asked_after_before_a_reconnection_is_asked_after,
    a_post_that_would_wait_for_what_its_account_does_not_need_does_so_once_its_day_is_over,
    a_comment_that_is_settled_after_its_account_was_reconnected_or_enabled_runs_again,
    a_post_of_an_account_that_was_removed_meanwhile_runs_again_and_learns_that,
    renewed_addresses_of_a_pull_end_those_before_them_unless_these_were_fetched,
);

async fn version(world: &World) -> TokenVersion {
    let tokens = world.store.tokens(world.platform).await.unwrap();
    tokens.unwrap().version
}

/// The account, connected once more.
fn again() -> NewConnection {
    let mut again = connection("account-1");
    again.tokens.access = Secret::new("act.second");
    again.tokens.refresh = Some(Secret::new("rft.second"));
    again.profile.metadata = json!({ "duetDisabled": false }).as_object().unwrap().clone();
    again
}

async fn reconnect(world: &World) {
    let outcome = world
        .store
        .connect_platform(world.workspace, &again(), OPERATOR, NOON)
        .await
        .unwrap();
    assert!(matches!(
        outcome,
        ConnectPlatform::Connected { is_new: false, .. }
    ));
}

fn waits() -> Verdict {
    Verdict::ActionRequired {
        waiting: Waiting::Reconnect,
        text: "Reconnect the account.".to_owned(),
    }
}

/// The pause after the first failed try.
const PAUSE: Duration = Duration::from_secs(5);

/// The job of the post, which is in QUEUE and due.
async fn runs_again(world: &World, job: &Job) -> Job {
    let post = job.post_id.unwrap();
    let jobs = world.claim_at(NOON.plus(HOUR)).await;
    let again = jobs.into_iter().find(|again| again.post_id == Some(post));
    again.expect("it has a job")
}

async fn a_refusal_of_earlier_tokens_does_not_disconnect_an_account_that_was_reconnected(store: Store) {
    let world = World::new(store.clone()).await;
    let earlier = version(&world).await;
    reconnect(&world).await;
    assert!(
        !store
            .mark_refresh_needed(world.platform, earlier, "access_token_invalid", NOON)
            .await
            .unwrap()
    );
    assert!(
        !store
            .mark_refresh_refused(world.platform, earlier, "invalid_grant", NOON)
            .await
            .unwrap()
    );
    assert!(
        store
            .find_platform(world.workspace, world.platform)
            .await
            .unwrap()
            .unwrap()
            .is_ready()
    );
    assert_eq!(world.events().await, [""; 0]);
    assert!(
        store.next_run_at().await.unwrap().is_some(),
        "its tokens are renewed as before"
    );
    assert!(
        must_reconnect(&store, world.platform).await,
        "a refusal of the present ones counts"
    );
}

async fn a_refusal_of_renewed_tokens_by_their_old_version_changes_nothing(store: Store) {
    let world = World::new(store.clone()).await;
    let made_from = store.tokens(world.platform).await.unwrap().unwrap();
    store
        .save_tokens(world.platform, &made_from, &again().tokens, NOON)
        .await
        .unwrap()
        .unwrap();
    let late = store.mark_refresh_needed(world.platform, made_from.version, "access_token_invalid", NOON);
    assert!(!late.await.unwrap());
    assert!(
        store
            .find_platform(world.workspace, world.platform)
            .await
            .unwrap()
            .unwrap()
            .is_ready()
    );
}

async fn what_an_account_allowed_before_it_was_reconnected_is_not_written_over_what_it_allows_now(
    store: Store,
) {
    let world = World::new(store.clone()).await;
    let earlier = version(&world).await;
    reconnect(&world).await;
    let stale = options(&json!({ "duetDisabled": true }));
    assert!(
        !store
            .update_options(world.platform, earlier, &stale, NOON)
            .await
            .unwrap()
    );
    let found = store
        .find_platform(world.workspace, world.platform)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(found.metadata, again().profile.metadata);
    let present = version(&world).await;
    assert!(
        store
            .update_options(world.platform, present, &stale, NOON)
            .await
            .unwrap()
    );
}

async fn a_post_that_is_settled_after_its_account_was_reconnected_runs_again(store: Store) {
    let world = World::new(store.clone()).await;
    let (post, job) = world.claimed().await;
    assert!(must_reconnect(&store, world.platform).await);
    reconnect(&world).await;
    assert!(settle(&world, &job, waits(), None).await);
    let found = world.reload(post.id).await;
    let at = NOON.plus(PAUSE);
    let text = format!("Reconnect the account. The next try is at {at}.");
    assert_eq!(
        (found.state, found.waiting, found.error_text),
        (PostState::Queue, None, Some(text))
    );
    let again = runs_again(&world, &job).await;
    assert_eq!((again.run_at, again.failures), (at, 1));
    let tries = store.submissions_of(world.workspace, post.id).await.unwrap();
    assert_eq!(
        (tries[0].outcome, tries[0].next_retry_at),
        (Some(SubmissionOutcome::Abandoned), Some(at))
    );
}

async fn a_submission_that_was_refused_before_a_reconnection_ends_and_its_post_runs_again(store: Store) {
    let world = World::new(store.clone()).await;
    let (post, job) = world.claimed().await;
    let id = world.open(&job).await;
    reconnect(&world).await;
    assert!(settle(&world, &job, waits(), Some((id, SubmissionOutcome::Reauthorize))).await);
    let found = world.reload(post.id).await;
    assert_eq!((found.state, found.publishing), (PostState::Queue, false));
    runs_again(&world, &job).await;
    let tries = store.submissions_of(world.workspace, post.id).await.unwrap();
    assert_eq!(
        (tries[0].outcome, tries[0].next_retry_at),
        (Some(SubmissionOutcome::Reauthorize), Some(NOON.plus(PAUSE)))
    );
}

async fn an_open_submission_that_could_not_be_asked_after_before_a_reconnection_is_asked_after(store: Store) {
    let world = World::new(store.clone()).await;
    let (post, job) = world.claimed().await;
    world.open(&job).await;
    reconnect(&world).await;
    assert!(settle(&world, &job, waits(), None).await);
    let found = world.reload(post.id).await;
    assert_eq!((found.state, found.publishing), (PostState::Queue, true));
    let again = runs_again(&world, &job).await;
    assert_eq!(
        (again.run_at, again.checks, again.failures),
        (NOON.plus(PAUSE), job.checks, 1),
        "a failed try, and no answer about the submission"
    );
}

async fn a_post_that_would_wait_for_what_its_account_does_not_need_does_so_once_its_day_is_over(
    store: Store,
) {
    let world = World::new(store.clone()).await;
    let (post, job) = world.claimed().await;
    let late = settlement(waits(), None);
    assert!(store.settle(&job, &late, job.deadline_at).await.unwrap());
    let found = world.reload(post.id).await;
    assert_eq!(
        (found.state, found.waiting),
        (PostState::ActionRequired, Some(Waiting::Reconnect))
    );
    reconnect(&world).await;
    assert_eq!(world.state(post.id).await, PostState::Queue);
    runs_again(&world, &job).await;
}

async fn a_comment_that_is_settled_after_its_account_was_reconnected_or_enabled_runs_again(store: Store) {
    let world = World::new(store.clone()).await;
    let mut group = new_group(world.platform, true, None);
    group.children = vec![new_post("a comment")];
    let comment = group.children[0].id;
    world.group(group).await;
    let root = world.claim_at(NOON).await.remove(0);
    let out = Verdict::Published {
        release_id: Some("73".to_owned()),
        release_url: None,
    };
    assert!(settle(&world, &root, out, None).await);
    let jobs = world.claim_at(NOON).await;
    let job = jobs.into_iter().find(|job| job.post_id == Some(comment)).unwrap();
    assert!(must_reconnect(&store, world.platform).await);
    reconnect(&world).await;
    assert!(settle(&world, &job, waits(), None).await);
    let job = runs_again(&world, &job).await;
    assert_eq!(job.kind, JobKind::PublishComment);
    let gone = |text: &str| Verdict::ActionRequired {
        waiting: Waiting::AccountUnavailable,
        text: text.to_owned(),
    };
    assert!(
        settle(
            &world,
            &job,
            gone("The account is disabled, as the run has read."),
            None
        )
        .await
    );
    let job = runs_again(&world, &job).await;
    let off = PlatformChanges {
        disabled: Some(true),
        settings: None,
    };
    store
        .update_platform(world.workspace, world.platform, &off, OPERATOR, NOON)
        .await
        .unwrap();
    assert!(settle(&world, &job, gone("The account is disabled."), None).await);
    let comments = store
        .find_group(world.workspace, comment)
        .await
        .unwrap()
        .unwrap()
        .group
        .children;
    assert_eq!(
        (comments[0].state, comments[0].waiting),
        (PostState::ActionRequired, Some(Waiting::AccountUnavailable))
    );
}

async fn a_post_of_an_account_that_was_removed_meanwhile_runs_again_and_learns_that(store: Store) {
    let world = World::new(store.clone()).await;
    let (post, job) = world.claimed().await;
    assert!(
        store
            .remove_platform(world.workspace, world.platform, OPERATOR, NOON)
            .await
            .unwrap()
    );
    assert!(settle(&world, &job, waits(), None).await);
    assert_eq!(world.state(post.id).await, PostState::Queue);
    runs_again(&world, &job).await;
}

async fn renewed_addresses_of_a_pull_end_those_before_them_unless_these_were_fetched(store: Store) {
    let world = World::new(store.clone()).await;
    let (job, id, first) = pull(&world).await;
    let second = hash();
    assert_eq!(
        store.renew_pull(&job, id, second).await.unwrap(),
        PullRenewal::Renewed
    );
    assert_eq!(store.record_fetch(first, NOON).await.unwrap(), None);
    assert!(store.record_fetch(second, NOON).await.unwrap().is_some());
    assert_eq!(
        store.renew_pull(&job, id, hash()).await.unwrap(),
        PullRenewal::Fetched
    );
    assert!(
        store.record_fetch(second, NOON).await.unwrap().is_some(),
        "the provider fetches on"
    );
    assert!(settle(&world, &job, waits(), Some((id, SubmissionOutcome::Reauthorize))).await);
    assert_eq!(
        store.renew_pull(&job, id, hash()).await.unwrap(),
        PullRenewal::Lost
    );
}

/// Waits until so many statements wait for a lock, or the task has ended.
async fn until_waiting<T>(store: &Store, count: i64, task: &tokio::task::JoinHandle<T>) {
    while !task.is_finished() && waiting(store).await < count {
        tokio::task::yield_now().await;
    }
}

async fn settled_while_the_account_is_connected(store: Store) {
    let world = Arc::new(World::new(store.clone()).await);
    let (post, job) = world.claimed().await;
    assert!(must_reconnect(&store, world.platform).await);
    let mut stall = store.begin().await.unwrap();
    let sql = "SELECT id FROM posts WHERE id = $1";
    stall.lock(sql, params![post.id]).await.unwrap();
    let settling = tokio::spawn({
        let (world, job) = (Arc::clone(&world), job.clone());
        async move {
            world
                .store
                .settle(&job, &settlement(waits(), None), NOON)
                .await
                .unwrap()
        }
    });
    until_waiting(&store, 1, &settling).await;
    let connecting = tokio::spawn({
        let world = Arc::clone(&world);
        async move { reconnect(&world).await }
    });
    until_waiting(&store, 2, &connecting).await;
    stall.commit().await.unwrap();
    assert!(settling.await.unwrap());
    connecting.await.unwrap();
    assert_eq!(world.state(post.id).await, PostState::Queue);
    runs_again(&world, &job).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_settlement_that_stalls_while_its_account_is_reconnected_leaves_no_post_behind() {
    on_postgres(settled_while_the_account_is_connected).await;
}

async fn told_while_the_account_is_connected(store: Store) {
    let world = Arc::new(World::new(store.clone()).await);
    let earlier = version(&world).await;
    let stale = options(&json!({ "duetDisabled": true }));
    let mut connecting = store.begin().await.unwrap();
    let sql = "UPDATE platforms SET token_version = token_version + 1 WHERE id = $1";
    connecting.execute(sql, params![world.platform]).await.unwrap();
    let marking = tokio::spawn({
        let world = Arc::clone(&world);
        async move {
            let marked = world
                .store
                .mark_refresh_needed(world.platform, earlier, "late", NOON);
            marked.await.unwrap()
        }
    });
    let writing = tokio::spawn({
        let world = Arc::clone(&world);
        async move {
            let written = world.store.update_options(world.platform, earlier, &stale, NOON);
            written.await.unwrap()
        }
    });
    until_waiting(&store, 2, &marking).await;
    connecting.commit().await.unwrap();
    assert_eq!((marking.await.unwrap(), writing.await.unwrap()), (false, false));
}

/// Statements that began before the account had its new tokens.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_that_concerns_earlier_tokens_is_written_once_a_reconnection_has_committed() {
    on_postgres(told_while_the_account_is_connected).await;
}

async fn fetched_while_addresses_are_renewed(store: Store) {
    let world = Arc::new(World::new(store.clone()).await);
    let (job, id, token) = pull(&world).await;
    let mut fetching = store.begin().await.unwrap();
    let sql = "UPDATE submissions SET fetched_at = $2 WHERE token_hash = $1";
    fetching.execute(sql, params![token, NOON]).await.unwrap();
    let renewing = tokio::spawn({
        let store = store.clone();
        async move { store.renew_pull(&job, id, hash()).await.unwrap() }
    });
    until_waiting(&store, 1, &renewing).await;
    fetching.commit().await.unwrap();
    assert_eq!(renewing.await.unwrap(), PullRenewal::Fetched);
    assert!(store.record_fetch(token, NOON).await.unwrap().is_some());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn addresses_that_are_fetched_while_they_are_renewed_stay() {
    on_postgres(fetched_while_addresses_are_renewed).await;
}
