//! Posts with a past, as the demo makes them.

use playout_domain::job::JobKind;
use playout_domain::post::{PostState, Waiting};
use playout_domain::submission::{SubmissionOutcome, Transfer};
use playout_domain::time::Time;
use playout_domain::verdict::Verdict;

use super::harness::on_both;
use super::world::{DAY, HOUR, MINUTE, NOON, World, new_group};
use crate::{AttemptDetail, SeedEnd, SeedGroup, Store};

on_both!(
    a_seeded_post_that_ended_looks_like_one_that_did_but_for_its_note,
    what_is_seeded_for_later_is_due_at_its_time_and_what_lies_in_an_inbox_is_looked_after,
    only_an_empty_workspace_is_seeded,
);

const NOTE: &str = "Made up.";

/// A group that was made a day before its time.
fn seed(world: &World, at: Time, end: Option<SeedEnd>) -> SeedGroup {
    SeedGroup {
        group: new_group(world.platform, true, Some(at)),
        created_at: at.minus(DAY),
        end,
    }
}

fn ended(at: Time, outcome: SubmissionOutcome, verdict: Verdict) -> SeedEnd {
    SeedEnd {
        started_at: at,
        ended_at: at.plus(MINUTE),
        transfer: Some(Transfer::Pull),
        handle: Some(format!("p_pub_url~v2.{}", at.as_secs())),
        note: NOTE,
        outcome,
        verdict,
        detail: AttemptDetail::default(),
    }
}

fn published(at: Time) -> SeedEnd {
    let verdict = Verdict::Published {
        release_id: Some("7".to_owned()),
        release_url: Some("http://example.org/@kite/photo/7".to_owned()),
    };
    ended(at, SubmissionOutcome::Published, verdict)
}

fn in_inbox(at: Time) -> SeedEnd {
    let verdict = Verdict::ActionRequired {
        waiting: Waiting::Inbox,
        text: "Finish it in the app.".to_owned(),
    };
    ended(at, SubmissionOutcome::InInbox, verdict)
}

async fn a_seeded_post_that_ended_looks_like_one_that_did_but_for_its_note(store: Store) {
    let world = World::new(store.clone()).await;
    let at = NOON.minus(DAY);
    let seed = seed(&world, at, Some(published(at)));
    let id = seed.group.root.id;
    assert!(
        store
            .seed_groups(world.workspace, vec![seed], NOON)
            .await
            .unwrap()
    );
    let post = world.reload(id).await;
    assert_eq!(
        (post.state, post.release_id.as_deref()),
        (PostState::Published, Some("7"))
    );
    assert_eq!(
        post.release_url.as_deref(),
        Some("http://example.org/@kite/photo/7")
    );
    assert_eq!(
        (post.created_at, post.updated_at),
        (at.minus(DAY), at.plus(MINUTE))
    );
    let attempts = store.attempts_of(world.workspace, id).await.unwrap().unwrap();
    assert_eq!(attempts.len(), 1);
    assert_eq!(attempts[0].transfer_reason.as_deref(), Some(NOTE));
    assert_eq!(attempts[0].outcome, Some(SubmissionOutcome::Published));
    assert!(world.events().await.is_empty(), "nothing has happened");
    assert!(world.claim_at(NOON).await.iter().all(|job| job.post_id.is_none()));
    assert_eq!(world.posts_used().await, 1);
}

async fn what_is_seeded_for_later_is_due_at_its_time_and_what_lies_in_an_inbox_is_looked_after(store: Store) {
    let world = World::new(store.clone()).await;
    let (ahead, past) = (NOON.plus(HOUR), NOON.minus(DAY));
    let seeds = vec![
        seed(&world, ahead, None),
        seed(&world, past, Some(in_inbox(past))),
    ];
    let (later, inbox) = (seeds[0].group.root.id, seeds[1].group.root.id);
    assert!(store.seed_groups(world.workspace, seeds, NOON).await.unwrap());
    assert_eq!(world.state(later).await, PostState::Queue);
    let found = world.reload(inbox).await;
    assert_eq!(
        (found.state, found.waiting),
        (PostState::ActionRequired, Some(Waiting::Inbox))
    );
    let due = world.claim_at(NOON).await;
    assert_eq!(
        due.iter().map(|job| (job.post_id, job.kind)).collect::<Vec<_>>(),
        [(Some(inbox), JobKind::ResolveLink)]
    );
    let due = world.claim_at(ahead).await;
    assert!(
        due.iter()
            .any(|job| (job.post_id, job.kind) == (Some(later), JobKind::PublishPost)),
        "{due:?}"
    );
}

async fn only_an_empty_workspace_is_seeded(store: Store) {
    let world = World::new(store.clone()).await;
    let at = NOON.minus(DAY);
    let one = || vec![seed(&world, at, Some(published(at)))];
    assert!(store.seed_groups(world.workspace, one(), NOON).await.unwrap());
    let second = one();
    let id = second[0].group.root.id;
    assert!(!store.seed_groups(world.workspace, second, NOON).await.unwrap());
    assert_eq!(store.find_group(world.workspace, id).await.unwrap(), None);
    assert_eq!(world.posts_used().await, 1);
    assert!(
        store
            .seed_groups(world.neighbour().await.workspace, Vec::new(), NOON)
            .await
            .unwrap()
    );
}
