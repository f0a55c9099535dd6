use playout_domain::post::{PostState, Waiting};
use playout_domain::verdict::Verdict;
use serde_json::json;

use super::harness::on_both;
use super::settling::settle;
use super::world::{DAY, HOUR, MINUTE, NOON, OPERATOR, World, new_group, new_post, new_submission};
use crate::{
    DeleteGroup, FoundGroup, GroupChanges, Keep, MonthlyLimit, ScheduleGroup, Scheduling, Store,
    UnscheduleGroup, UpdateGroup,
};
use playout_domain::id::PostId;
use playout_domain::job::{JobQueue, Release};
use playout_domain::submission::Transfer;
use playout_domain::time::Time;

on_both!(
    a_draft_that_is_scheduled_counts_and_gets_a_job,
    a_draft_that_does_not_fit_the_plan_stays_a_draft,
    rescheduling_neither_counts_again_nor_leaves_the_old_time,
    a_failed_post_can_be_queued_again_without_counting_again,
    rescheduling_fences_off_a_worker_that_holds_the_job,
    a_post_that_is_being_handed_over_cannot_be_touched,
    a_published_post_is_never_queued_again,
    what_changed_since_it_was_validated_is_not_queued,
    what_was_settled_since_it_was_validated_is_neither_queued_nor_changed,
    an_edit_replaces_what_it_names_and_leaves_the_rest,
    an_edit_takes_the_job_from_a_worker_that_read_the_old_contents,
    a_deleted_group_takes_its_job_along_and_gives_its_count_back,
    a_count_is_given_back_only_in_its_month_and_before_publishing,
    a_group_cannot_be_changed_from_another_workspace,
    of_a_deletion_and_a_submission_at_once_one_wins,
    an_action_required_post_can_be_queued_again,
);

pub(crate) async fn found(world: &World, post: PostId) -> FoundGroup {
    let found = world.store.find_group(world.workspace, post).await;
    found.unwrap().unwrap()
}

pub(crate) async fn schedule(world: &World, post: PostId, at: Option<Time>) -> ScheduleGroup {
    let judged = found(world, post).await;
    let scheduling = Scheduling {
        at,
        ..queueing(&judged)
    };
    world
        .store
        .schedule_group(world.workspace, post, scheduling, NOON)
        .await
        .unwrap()
}

/// To publish at once, without a limit.
fn queueing(judged: &FoundGroup) -> Scheduling<'_> {
    Scheduling {
        at: None,
        judged,
        quota: None,
        by: OPERATOR,
        queued_only: false,
    }
}

pub(crate) fn nothing(judged: &FoundGroup) -> GroupChanges<'_> {
    GroupChanges {
        was_hidden: false,
        judged,
        content: None,
        media_ids: None,
        settings: None,
        comments: None,
        scheduled_for: None,
        by: OPERATOR.clone(),
    }
}

async fn a_draft_that_is_scheduled_counts_and_gets_a_job(store: Store) {
    let world = World::new(store.clone()).await;
    let mut group = new_group(world.platform, false, None);
    group.children = vec![new_post("child")];
    let child = group.children[0].id;
    let post = world.group(group).await;
    let at = NOON.plus(HOUR);
    let ScheduleGroup::Scheduled(found) = schedule(&world, child, Some(at)).await else {
        panic!()
    };
    assert_eq!(found.group.root.id, post.id);
    assert_eq!(
        (found.group.root.state, found.group.root.scheduled_for),
        (PostState::Queue, Some(at))
    );
    assert_eq!(found.group.children[0].state, PostState::Queue);
    assert_eq!(found.group.children[0].scheduled_for, None);
    assert_eq!(world.posts_used().await, 1);
    assert_eq!(store.next_run_at().await.unwrap(), Some(at));
    assert_eq!(world.events().await, ["post.queued"]);
}

async fn a_draft_that_does_not_fit_the_plan_stays_a_draft(store: Store) {
    let world = World::new(store.clone()).await;
    world.post(true, None).await;
    let draft = world.post(false, None).await;
    let quota = Some(MonthlyLimit { limit: 1 });
    let judged = found(&world, draft.id).await;
    let scheduling = Scheduling {
        quota,
        ..queueing(&judged)
    };
    let outcome = store
        .schedule_group(world.workspace, draft.id, scheduling, NOON)
        .await
        .unwrap();
    assert!(matches!(outcome, ScheduleGroup::LimitReached(reached) if reached.used == 1));
    assert_eq!(world.state(draft.id).await, PostState::Draft);
}

async fn rescheduling_neither_counts_again_nor_leaves_the_old_time(store: Store) {
    let world = World::new(store.clone()).await;
    let post = world.post(true, Some(NOON.plus(HOUR))).await;
    assert!(matches!(
        schedule(&world, post.id, Some(NOON.plus(DAY))).await,
        ScheduleGroup::Scheduled(_)
    ));
    assert!(world.claim_at(NOON.plus(HOUR * 2)).await.is_empty());
    assert_eq!(world.posts_used().await, 1);
    let ScheduleGroup::Scheduled(found) = schedule(&world, post.id, None).await else {
        panic!()
    };
    assert_eq!(found.group.root.scheduled_for, None);
    assert_eq!(world.claim_at(NOON).await.len(), 1);
}

async fn a_failed_post_can_be_queued_again_without_counting_again(store: Store) {
    let world = World::new(store.clone()).await;
    let (post, job) = world.claimed().await;
    assert!(
        settle(
            &world,
            &job,
            Verdict::Error {
                text: "Too long.".to_owned()
            },
            None
        )
        .await
    );
    let ScheduleGroup::Scheduled(found) = schedule(&world, post.id, None).await else {
        panic!()
    };
    assert_eq!(
        (found.group.root.state, found.group.root.error_text),
        (PostState::Queue, None)
    );
    assert_eq!(world.posts_used().await, 1);
    let jobs = world.claim_at(NOON).await;
    assert_eq!((jobs.len(), jobs[0].failures, jobs[0].checks), (1, 0, 0));
}

async fn rescheduling_fences_off_a_worker_that_holds_the_job(store: Store) {
    let world = World::new(store.clone()).await;
    let (post, job) = world.claimed().await;
    assert!(matches!(
        schedule(&world, post.id, Some(NOON.plus(DAY))).await,
        ScheduleGroup::Scheduled(_)
    ));
    let new = new_submission(Transfer::Pull);
    assert!(!store.open_submission(&job, &new, NOON).await.unwrap());
    let verdict = Verdict::Error {
        text: "late".to_owned(),
    };
    assert!(!settle(&world, &job, verdict, None).await);
    let release = Release {
        run_at: NOON,
        failures: 9,
        checks: 9,
        queue: JobQueue::Check,
    };
    assert!(!store.release(&job, release, NOON).await.unwrap());
    assert!(!store.finish(&job).await.unwrap());
    assert_eq!(world.state(post.id).await, PostState::Queue);
    assert_eq!(world.claim_at(NOON.plus(DAY)).await.len(), 2);
}

async fn a_post_that_is_being_handed_over_cannot_be_touched(store: Store) {
    let world = World::new(store.clone()).await;
    let (post, job) = world.claimed().await;
    world.open(&job).await;
    assert!(world.reload(post.id).await.publishing);
    assert_eq!(schedule(&world, post.id, None).await, ScheduleGroup::Publishing);
    let deleted = store
        .delete_group(world.workspace, post.id, OPERATOR, NOON)
        .await
        .unwrap();
    assert_eq!(deleted, DeleteGroup::Publishing);
    let changed = store
        .update_group(
            world.workspace,
            post.id,
            nothing(&found(&world, post.id).await),
            NOON,
        )
        .await
        .unwrap();
    assert_eq!(changed, UpdateGroup::Publishing);
}

async fn a_published_post_is_never_queued_again(store: Store) {
    let world = World::new(store.clone()).await;
    let (post, job) = world.claimed().await;
    let verdict = Verdict::Published {
        release_id: None,
        release_url: None,
    };
    assert!(settle(&world, &job, verdict, None).await);
    assert_eq!(
        schedule(&world, post.id, None).await,
        ScheduleGroup::AlreadyPublished
    );
    let changed = store
        .update_group(
            world.workspace,
            post.id,
            nothing(&found(&world, post.id).await),
            NOON,
        )
        .await
        .unwrap();
    assert_eq!(changed, UpdateGroup::NotEditable);
}

async fn what_changed_since_it_was_validated_is_not_queued(store: Store) {
    let world = World::new(store.clone()).await;
    let post = world.post(false, None).await;
    let judged = found(&world, post.id).await;
    let mut changes = nothing(&judged);
    changes.content = Some("Other".to_owned());
    assert!(matches!(
        store.update_group(world.workspace, post.id, changes.clone(), NOON).await.unwrap(),
        UpdateGroup::Updated(found) if found.version == 2 && found.group.root.content == "Other"
    ));
    let outcome = store
        .schedule_group(world.workspace, post.id, queueing(&judged), NOON)
        .await
        .unwrap();
    assert_eq!(outcome, ScheduleGroup::Changed);
    let outcome = store
        .update_group(world.workspace, post.id, changes, NOON)
        .await
        .unwrap();
    assert_eq!(outcome, UpdateGroup::Changed);
    assert_eq!(world.state(post.id).await, PostState::Draft);
}

async fn what_was_settled_since_it_was_validated_is_neither_queued_nor_changed(store: Store) {
    let world = World::new(store.clone()).await;
    let (post, job) = world.claimed().await;
    let judged = found(&world, post.id).await;
    assert_eq!(judged.group.root.state, PostState::Queue);
    let verdict = Verdict::ActionRequired {
        waiting: Waiting::Unconfirmed,
        text: "The response was lost.".to_owned(),
    };
    assert!(settle(&world, &job, verdict, None).await);
    let scheduled = store.schedule_group(world.workspace, post.id, queueing(&judged), NOON);
    assert_eq!(scheduled.await.unwrap(), ScheduleGroup::Changed);
    assert_eq!(world.state(post.id).await, PostState::ActionRequired);

    let (post, job) = world.claimed().await;
    let judged = found(&world, post.id).await;
    let verdict = Verdict::Again {
        at: NOON.plus(MINUTE),
        text: Some("The provider is busy.".to_owned()),
        failed: true,
    };
    assert!(settle(&world, &job, verdict, None).await);
    let changed = store.update_group(world.workspace, post.id, nothing(&judged), NOON);
    assert_eq!(changed.await.unwrap(), UpdateGroup::Changed);
    let unscheduled =
        store.unschedule_group_once(world.workspace, post.id, &judged, OPERATOR, Keep::nowhere(), NOON);
    assert_eq!(unscheduled.await.unwrap(), UnscheduleGroup::Changed);
}

async fn an_edit_replaces_what_it_names_and_leaves_the_rest(store: Store) {
    let world = World::new(store.clone()).await;
    let (one, two) = (world.media(1).await, world.media(1).await);
    let mut group = new_group(world.platform, true, Some(NOON.plus(HOUR)));
    group.root.media_ids = vec![one.id];
    group.children = vec![new_post("old")];
    let post = world.group(group).await;
    let settings = json!({ "title": "x" }).as_object().unwrap().clone();
    let judged = found(&world, post.id).await;
    let mut changes = nothing(&judged);
    changes.settings = Some(settings.clone());
    changes.media_ids = Some(vec![two.id, one.id]);
    let outcome = store
        .update_group(world.workspace, post.id, changes, NOON)
        .await
        .unwrap();
    let UpdateGroup::Updated(changed) = outcome else {
        panic!()
    };
    assert_eq!(changed.group.root.settings, settings);
    assert_eq!(changed.group.root.media_ids, [two.id, one.id]);
    assert_eq!(
        (changed.group.root.content.as_str(), changed.group.children.len()),
        ("Hello", 1)
    );
    let mut changes = nothing(&changed);
    changes.comments = Some(vec![new_post("a"), new_post("b")]);
    let child = changed.group.children[0].id;
    let UpdateGroup::Updated(found) = store
        .update_group(world.workspace, child, changes, NOON)
        .await
        .unwrap()
    else {
        panic!()
    };
    let texts: Vec<_> = found
        .group
        .children
        .iter()
        .map(|child| child.content.as_str())
        .collect();
    assert_eq!(texts, ["a", "b"]);
    assert!(
        found
            .group
            .children
            .iter()
            .all(|child| child.state == PostState::Queue)
    );
}

async fn an_edit_takes_the_job_from_a_worker_that_read_the_old_contents(store: Store) {
    let world = World::new(store.clone()).await;
    let (post, job) = world.claimed().await;
    let judged = found(&world, post.id).await;
    let mut changes = nothing(&judged);
    changes.content = Some("New".to_owned());
    store
        .update_group(world.workspace, post.id, changes, NOON)
        .await
        .unwrap();
    let new = new_submission(Transfer::Pull);
    assert!(!store.open_submission(&job, &new, NOON).await.unwrap());
    let again = world.claim_at(NOON).await;
    assert_eq!((again.len(), again[0].attempt), (1, job.attempt + 2));
    assert!(store.open_submission(&again[0], &new, NOON).await.unwrap());
}

async fn a_deleted_group_takes_its_job_along_and_gives_its_count_back(store: Store) {
    let world = World::new(store.clone()).await;
    let mut group = new_group(world.platform, true, None);
    group.children = vec![new_post("child")];
    let child = group.children[0].id;
    let post = world.group(group).await;
    assert_eq!(
        store
            .delete_group(world.workspace, child, OPERATOR, NOON)
            .await
            .unwrap(),
        DeleteGroup::Deleted
    );
    assert!(
        store
            .find_group(world.workspace, post.id)
            .await
            .unwrap()
            .is_none()
    );
    assert_eq!(world.posts_used().await, 0);
    assert!(world.claim_at(NOON).await.is_empty());
    assert_eq!(world.events().await, ["post.queued", "post.deleted"]);
    assert_eq!(
        store
            .delete_group(world.workspace, child, OPERATOR, NOON)
            .await
            .unwrap(),
        DeleteGroup::NotFound
    );
}

async fn a_count_is_given_back_only_in_its_month_and_before_publishing(store: Store) {
    let world = World::new(store.clone()).await;
    let late = world.post(true, Some(NOON.plus(DAY * 20))).await;
    store
        .delete_group(world.workspace, late.id, OPERATOR, NOON.plus(DAY * 15))
        .await
        .unwrap();
    assert_eq!(world.posts_used().await, 1);
    let (published, job) = world.claimed().await;
    let verdict = Verdict::Published {
        release_id: None,
        release_url: None,
    };
    assert!(settle(&world, &job, verdict, None).await);
    store
        .delete_group(world.workspace, published.id, OPERATOR, NOON)
        .await
        .unwrap();
    assert_eq!(world.posts_used().await, 2);
    let (failed, job) = world.claimed().await;
    assert!(
        settle(
            &world,
            &job,
            Verdict::Error {
                text: "no".to_owned()
            },
            None
        )
        .await
    );
    store
        .delete_group(world.workspace, failed.id, OPERATOR, NOON)
        .await
        .unwrap();
    assert_eq!(world.posts_used().await, 2);
}

async fn a_group_cannot_be_changed_from_another_workspace(store: Store) {
    let world = World::new(store.clone()).await;
    let neighbour = world.neighbour().await;
    let post = world.post(false, None).await;
    let judged = found(&world, post.id).await;
    let scheduled = store
        .schedule_group(neighbour.workspace, post.id, queueing(&judged), NOON)
        .await
        .unwrap();
    assert_eq!(scheduled, ScheduleGroup::NotFound);
    let changed = store
        .update_group(
            neighbour.workspace,
            post.id,
            nothing(&found(&world, post.id).await),
            NOON,
        )
        .await
        .unwrap();
    assert_eq!(changed, UpdateGroup::NotFound);
    let deleted = store
        .delete_group(neighbour.workspace, post.id, OPERATOR, NOON)
        .await
        .unwrap();
    assert_eq!(deleted, DeleteGroup::NotFound);
    assert_eq!(world.state(post.id).await, PostState::Draft);
}

async fn of_a_deletion_and_a_submission_at_once_one_wins(store: Store) {
    let world = World::new(store.clone()).await;
    for _ in 0..20 {
        let (post, job) = world.claimed().await;
        let new = new_submission(Transfer::Text);
        let (opened, deleted) = tokio::join!(
            store.open_submission(&job, &new, NOON),
            store.delete_group(world.workspace, post.id, OPERATOR, NOON.plus(MINUTE)),
        );
        let (opened, deleted) = (opened.unwrap(), deleted.unwrap());
        assert_eq!(opened, deleted == DeleteGroup::Publishing);
        assert_eq!(
            opened,
            store
                .find_group(world.workspace, post.id)
                .await
                .unwrap()
                .is_some()
        );
    }
}

async fn an_action_required_post_can_be_queued_again(store: Store) {
    let world = World::new(store.clone()).await;
    let (post, job) = world.claimed().await;
    let verdict = Verdict::ActionRequired {
        waiting: Waiting::Unconfirmed,
        text: "Searched.".to_owned(),
    };
    assert!(settle(&world, &job, verdict, None).await);
    let ScheduleGroup::Scheduled(found) = schedule(&world, post.id, None).await else {
        panic!()
    };
    assert_eq!(
        (found.group.root.state, found.group.root.waiting),
        (PostState::Queue, None)
    );
}
