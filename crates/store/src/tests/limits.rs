use playout_domain::job::Job;
use playout_domain::limits::{Restriction, RestrictionKind, Window};
use playout_domain::platform::Platform;
use playout_domain::submission::{SubmissionOutcome, Transfer};
use playout_domain::time::Time;

use super::harness::on_both;
use super::world::{DAY, HOUR, MINUTE, NOON, World, new_submission};
use crate::{Opening, Store};

on_both!(
    of_many_at_once_only_as_many_are_opened_as_the_window_allows,
    comments_are_no_hand_overs_and_a_lost_job_takes_no_place,
    only_what_a_provider_may_have_taken_counts_for_the_day,
    a_restriction_keeps_its_beginning_and_is_tried_by_one,
    what_was_not_repeated_for_a_day_is_forgotten,
);

const WINDOW: Window = Window {
    count: 6,
    length: MINUTE,
};

async fn open(store: &Store, job: &Job, transfer: Transfer) -> Opening {
    store
        .open_submission_within(job, &new_submission(transfer), Some(WINDOW), NOON)
        .await
        .unwrap()
}

async fn account(world: &World) -> Platform {
    let found = world.store.find_platform(world.workspace, world.platform).await;
    found.unwrap().unwrap()
}

fn said(next_try_at: Time, at: Time) -> Restriction {
    Restriction {
        kind: RestrictionKind::DirectPosts,
        code: "too_many".to_owned(),
        message: "Too many.".to_owned(),
        since: at,
        said_at: at,
        next_try_at,
    }
}

async fn of_many_at_once_only_as_many_are_opened_as_the_window_allows(store: Store) {
    let world = World::new(store.clone()).await;
    let neighbour = world.neighbour().await;
    for _ in 0..20 {
        world.post(true, None).await;
    }
    for _ in 0..10 {
        neighbour.post(true, None).await;
    }
    let jobs = world.claim_at(NOON).await;
    let tasks: Vec<_> = jobs
        .into_iter()
        .map(|job| {
            let store = store.clone();
            tokio::spawn(async move { open(&store, &job, Transfer::Upload).await })
        })
        .collect();
    let (mut opened, mut full) = (0, 0);
    for task in tasks {
        match task.await.unwrap() {
            Opening::Opened => opened += 1,
            Opening::Full(room) => {
                assert_eq!(room, NOON.plus(MINUTE));
                full += 1;
            }
            Opening::Lost | Opening::NoAccount => panic!("the job is held, and its account available"),
        }
    }
    assert_eq!((opened, full), (6, 24), "the account is one, in both workspaces");
    for platform in [world.platform, neighbour.platform] {
        assert_eq!(
            store
                .recent_hand_overs(platform, WINDOW, NOON)
                .await
                .unwrap()
                .len(),
            6
        );
    }
    let counted = async |now| {
        let recent = store.recent_hand_overs(world.platform, WINDOW, now);
        recent.await.unwrap().len()
    };
    assert_eq!(counted(NOON.plus(MINUTE)).await, 0);
    // The clocks of two nodes differ, and one that was fast is set back.
    assert_eq!(counted(NOON.minus(MINUTE / 2)).await, 6);
    assert_eq!(counted(NOON.minus(HOUR)).await, 0);
}

async fn comments_are_no_hand_overs_and_a_lost_job_takes_no_place(store: Store) {
    let world = World::new(store.clone()).await;
    for _ in 0..7 {
        let (_, job) = world.claimed().await;
        assert_eq!(open(&store, &job, Transfer::Text).await, Opening::Opened);
        assert_eq!(
            open(&store, &job, Transfer::Text).await,
            Opening::Lost,
            "it is open"
        );
    }
    let (_, mut job) = world.claimed().await;
    job.attempt -= 1;
    assert_eq!(open(&store, &job, Transfer::Pull).await, Opening::Lost);
    assert!(
        store
            .recent_hand_overs(world.platform, WINDOW, NOON)
            .await
            .unwrap()
            .is_empty()
    );
}

async fn only_what_a_provider_may_have_taken_counts_for_the_day(store: Store) {
    let world = World::new(store.clone()).await;
    let neighbour = world.neighbour().await;
    for outcome in SubmissionOutcome::ALL {
        let (_, job) = world.claimed().await;
        let id = world.open(&job).await;
        let sql = "UPDATE submissions SET closed_at = 1, outcome = $2 WHERE id = $1";
        store
            .execute(sql, crate::db::params![id, outcome.as_str()])
            .await
            .unwrap();
    }
    let (_, open) = world.claimed().await;
    world.open(&open).await;
    let taken = store
        .taken_from(world.workspace, world.platform, NOON.minus(DAY))
        .await
        .unwrap();
    assert_eq!(taken.len(), 4, "published, in the inbox, unknown, and under way");
    assert_eq!(taken.iter().filter(|taken| taken.is_unfinished).count(), 1);
    let mut of_all = store.taken_since(world.workspace, NOON.minus(DAY)).await.unwrap();
    of_all.retain(|taken| taken.platform_id == world.platform);
    assert_eq!(of_all.len(), 4);
    assert!(
        store
            .taken_from(world.workspace, world.platform, NOON)
            .await
            .unwrap()
            .is_empty(),
        "later than then"
    );
    assert!(
        store
            .taken_from(neighbour.workspace, world.platform, NOON.minus(DAY))
            .await
            .unwrap()
            .is_empty()
    );
    assert!(
        store
            .taken_since(neighbour.workspace, NOON.minus(DAY))
            .await
            .unwrap()
            .is_empty()
    );
}

async fn a_restriction_keeps_its_beginning_and_is_tried_by_one(store: Store) {
    let world = World::new(store.clone()).await;
    let platform = account(&world).await;
    store
        .note_restriction(&platform, &said(NOON.plus(HOUR), NOON))
        .await
        .unwrap();
    let later = NOON.plus(MINUTE);
    store
        .note_restriction(&platform, &said(later.plus(HOUR), later))
        .await
        .unwrap();
    let known = store.restrictions_of(&platform).await.unwrap();
    assert_eq!((known[0].since, known[0].said_at), (NOON, later));
    assert_eq!(
        store.list_restrictions(world.workspace).await.unwrap(),
        [(world.platform, known[0].clone())]
    );
    let (kind, due) = (RestrictionKind::DirectPosts, later.plus(HOUR));
    let early = due.minus(MINUTE);
    assert!(
        !store.claim_try(&platform, kind, due, early).await.unwrap(),
        "too early"
    );
    assert!(
        store
            .claim_try(&platform, kind, due.plus(MINUTE), due)
            .await
            .unwrap()
    );
    assert!(
        !store
            .claim_try(&platform, kind, due.plus(MINUTE), due)
            .await
            .unwrap(),
        "somebody is at it"
    );
    store.lift_restrictions(&platform, &[kind]).await.unwrap();
    assert!(store.restrictions_of(&platform).await.unwrap().is_empty());
}

async fn what_was_not_repeated_for_a_day_is_forgotten(store: Store) {
    let world = World::new(store.clone()).await;
    let platform = account(&world).await;
    store
        .note_restriction(&platform, &said(NOON.plus(HOUR), NOON))
        .await
        .unwrap();
    assert_eq!(
        store.delete_expired(NOON.plus(DAY)).await.unwrap().restrictions,
        0
    );
    assert_eq!(
        store
            .delete_expired(NOON.plus(DAY + HOUR))
            .await
            .unwrap()
            .restrictions,
        1
    );
}
