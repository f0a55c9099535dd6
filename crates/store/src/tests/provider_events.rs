//! Events of the provider: to which submission one belongs, and what it changes.

use playout_domain::id::{PostId, SubmissionId};
use playout_domain::job::Job;
use playout_domain::post::{PostState, Waiting};
use playout_domain::provider::Accepted;
use playout_domain::submission::{Submission, SubmissionOutcome};
use playout_domain::verdict::Verdict;

use super::harness::on_both;
use super::settling::settle;
use super::submissions::{accepted, pull};
use super::world::{MINUTE, NOON, World};
use crate::{AttemptDetail, Released, Settlement, Store, TakeOver};

on_both!(
    an_ended_submission_is_found_by_its_handle_but_is_not_open,
    a_handle_whose_answer_was_lost_is_adopted_only_if_it_can_belong_to_one_pull,
    news_take_a_job_over_while_their_submission_is_open_and_its_holder_then_changes_nothing,
    news_of_an_earlier_try_take_nothing_over_while_another_is_open,
    a_job_that_was_taken_over_before_its_time_is_claimed_at_its_time,
    that_a_post_is_no_longer_public_is_noted_once_for_each_time,
    late_news_publish_what_waits_or_failed,
    late_news_end_another_try_of_which_nothing_can_have_come,
    late_news_are_kept_until_another_try_ends_of_which_something_may_come,
);

async fn an_ended_submission_is_found_by_its_handle_but_is_not_open(store: Store) {
    let world = World::new(store.clone()).await;
    let (_, job) = world.claimed().await;
    let id = world.open(&job).await;
    assert!(store.save_handle(&job, id, &accepted("inbox_1")).await.unwrap());
    let verdict = Verdict::ActionRequired {
        waiting: Waiting::Inbox,
        text: "Finish it.".to_owned(),
    };
    assert!(settle(&world, &job, verdict, Some((id, SubmissionOutcome::InInbox))).await);
    assert!(
        store
            .find_open_by_handle(world.platform, "inbox_1")
            .await
            .unwrap()
            .is_none()
    );
    let found = store
        .find_by_handle(world.platform, "inbox_1")
        .await
        .unwrap()
        .unwrap();
    assert_eq!((found.id, found.outcome), (id, Some(SubmissionOutcome::InInbox)));
}

async fn a_handle_whose_answer_was_lost_is_adopted_only_if_it_can_belong_to_one_pull(store: Store) {
    let world = World::new(store.clone()).await;
    let adopt = async |handle, at| {
        let lost = store.find_lost_pull(world.platform, handle, at).await.unwrap()?;
        store.adopt_handle(&lost, handle, at).await.unwrap()
    };
    assert!(adopt("lost", NOON).await.is_none());
    let (job, id, token) = pull(&world).await;
    let (last, second, second_token) = pull(&world).await;
    assert!(adopt("lost", NOON).await.is_none(), "not fetched");
    for token in [token, second_token] {
        assert!(store.record_fetch(token, NOON).await.unwrap().is_some());
    }
    assert!(adopt("lost", NOON).await.is_none());
    let accepted = Accepted {
        upload: None,
        ..accepted("known")
    };
    assert!(store.save_handle(&job, id, &accepted).await.unwrap());
    let adopted = adopt("lost", NOON).await.unwrap();
    assert_eq!((adopted.id, adopted.handle.as_deref()), (second, Some("lost")));
    assert_eq!(
        store
            .last_handle_of(job.post_id.unwrap())
            .await
            .unwrap()
            .as_deref(),
        Some("known")
    );
    let (third_job, third, third_token) = pull(&world).await;
    assert!(store.record_fetch(third_token, NOON).await.unwrap().is_some());
    let found = Verdict::Published {
        release_id: None,
        release_url: None,
    };
    assert!(
        settle(
            &world,
            &third_job,
            found,
            Some((third, SubmissionOutcome::Published))
        )
        .await
    );
    let (_, fourth, fourth_token) = pull(&world).await;
    assert!(store.record_fetch(fourth_token, NOON).await.unwrap().is_some());
    let soon = adopt("late", NOON).await;
    assert!(soon.is_none(), "it may be that of the one that ended");
    let after = NOON.plus(std::time::Duration::from_secs(5 * 86_400));
    let known = adopt("known", after).await;
    assert!(known.is_none(), "it belongs to another try");
    assert_eq!(adopt("late", after).await.unwrap().id, fourth);
    assert_ne!(last.post_id, job.post_id);
    let draft = world.post(false, None).await;
    assert!(store.last_handle_of(draft.id).await.unwrap().is_none());
}

async fn news_take_a_job_over_while_their_submission_is_open_and_its_holder_then_changes_nothing(
    store: Store,
) {
    let world = World::new(store.clone()).await;
    let (post, job) = world.claimed().await;
    let id = world.open(&job).await;
    let open = store.open_submission_of(post.id).await.unwrap().unwrap();
    assert_eq!(open.id, id);
    let by = TakeOver {
        owner: "api-1",
        lease: MINUTE,
    };
    let taken = store.take_over(&open, by, NOON).await.unwrap().unwrap();
    assert_eq!((taken.id, taken.attempt), (job.id, job.attempt + 1));
    let out = Verdict::Published {
        release_id: None,
        release_url: None,
    };
    assert!(
        !settle(
            &world,
            &job,
            out.clone(),
            Some((id, SubmissionOutcome::Published))
        )
        .await
    );
    assert!(!store.mark_last_byte(&job, id, None, NOON).await.unwrap());
    assert!(settle(&world, &taken, out, Some((id, SubmissionOutcome::Published))).await);
    assert!(
        store.take_over(&open, by, NOON).await.unwrap().is_none(),
        "a copy takes nothing"
    );
    assert_eq!(world.reload(post.id).await.state, PostState::Published);
}

/// The run that took it over has died: what follows may hand the post over.
async fn a_job_that_was_taken_over_before_its_time_is_claimed_at_its_time(store: Store) {
    let world = World::new(store.clone()).await;
    let (post, job) = world.claimed().await;
    let first = world.open(&job).await;
    let tomorrow = NOON.plus(24 * 60 * MINUTE);
    let again = Verdict::Again {
        at: tomorrow,
        text: None,
        failed: true,
    };
    assert!(settle(&world, &job, again, Some((first, SubmissionOutcome::InInbox))).await);
    let ended = store.submissions_of(world.workspace, post.id).await.unwrap();
    let by = TakeOver {
        owner: "api-1",
        lease: MINUTE,
    };
    assert!(store.take_over(&ended[0], by, NOON).await.unwrap().is_some());
    let is_claimed = async |at| {
        let claimed = world.claim_at(at).await;
        claimed.iter().any(|job| job.post_id == Some(post.id))
    };
    for early in [NOON.plus(2 * MINUTE), tomorrow.minus(MINUTE)] {
        assert!(!is_claimed(early).await, "at {early}");
    }
    assert!(is_claimed(tomorrow).await);
}

async fn news_of_an_earlier_try_take_nothing_over_while_another_is_open(store: Store) {
    let world = World::new(store.clone()).await;
    let (post, job) = world.claimed().await;
    let first = world.open(&job).await;
    let open = store.open_submission_of(post.id).await.unwrap().unwrap();
    let again = Verdict::Again {
        at: NOON,
        text: None,
        failed: true,
    };
    assert!(settle(&world, &job, again, Some((first, SubmissionOutcome::Unknown))).await);
    let by = TakeOver {
        owner: "api-1",
        lease: MINUTE,
    };
    assert!(
        store.take_over(&open, by, NOON).await.unwrap().is_none(),
        "it was open when the news were read"
    );
    let ended = store
        .submissions_of(world.workspace, post.id)
        .await
        .unwrap()
        .remove(0);
    let job = store
        .take_over(&ended, by, NOON)
        .await
        .unwrap()
        .expect("none is open");
    world.open(&job).await;
    assert!(
        store.take_over(&ended, by, NOON).await.unwrap().is_none(),
        "another is open"
    );
}

async fn that_a_post_is_no_longer_public_is_noted_once_for_each_time(store: Store) {
    let world = World::new(store.clone()).await;
    let (post, job) = world.claimed().await;
    assert!(
        !store.note_no_longer_public(post.id, NOON, NOON).await.unwrap(),
        "it is not out"
    );
    let out = Verdict::Published {
        release_id: Some("7".to_owned()),
        release_url: None,
    };
    assert!(settle(&world, &job, out, None).await);
    let later = NOON.plus(MINUTE);
    assert!(store.note_no_longer_public(post.id, later, later).await.unwrap());
    for copy in [later, NOON] {
        assert!(!store.note_no_longer_public(post.id, copy, later).await.unwrap());
    }
    assert!(
        store
            .note_no_longer_public(post.id, later.plus(MINUTE), later)
            .await
            .unwrap()
    );
    let events = world.events().await;
    assert_eq!(
        events
            .iter()
            .filter(|event| *event == "post.no_longer_public")
            .count(),
        2,
        "{events:?}"
    );
    assert_eq!(world.reload(post.id).await.state, PostState::Published);
}

const SEVEN: Released<'_> = Released {
    release_id: Some("7"),
    release_url: None,
};

const UNNAMED: Released<'_> = Released {
    release_id: None,
    release_url: None,
};

async fn late_news_publish_what_waits_or_failed(store: Store) {
    for verdict in [
        Verdict::ActionRequired {
            waiting: Waiting::Unconfirmed,
            text: "Searched.".to_owned(),
        },
        Verdict::Error {
            text: "Refused.".to_owned(),
        },
    ] {
        let world = World::new(store.clone()).await;
        let (post, job) = world.claimed().await;
        assert!(settle(&world, &job, verdict, None).await);
        let tries = store.submissions_of(world.workspace, post.id).await.unwrap();
        assert!(store.publish_late(&tries[0], UNNAMED, NOON).await.unwrap());
        assert_eq!(world.reload(post.id).await.state, PostState::Published);
        assert!(
            !store.publish_late(&tries[0], UNNAMED, NOON).await.unwrap(),
            "a copy changes nothing"
        );
    }
}

/// A post whose first try is in the creator's inbox, and whose second one is open; the first one's submission, and the job.
async fn sent_again(world: &World, store: &Store) -> (Submission, Job) {
    let (post, job) = world.claimed().await;
    let first = world.open(&job).await;
    let again = Verdict::Again {
        at: NOON,
        text: None,
        failed: false,
    };
    assert!(settle(world, &job, again, Some((first, SubmissionOutcome::InInbox))).await);
    let mut tries = store.submissions_of(world.workspace, post.id).await.unwrap();
    let job = world.claim_at(NOON).await.remove(0);
    assert_eq!(job.post_id, Some(post.id));
    world.open(&job).await;
    (tries.remove(0), job)
}

async fn try_of(world: &World, post: PostId, id: SubmissionId) -> Submission {
    let tries = world.store.submissions_of(world.workspace, post).await.unwrap();
    tries.into_iter().find(|tried| tried.id == id).unwrap()
}

async fn late_news_end_another_try_of_which_nothing_can_have_come(store: Store) {
    let world = World::new(store.clone()).await;
    let (first, job) = sent_again(&world, &store).await;
    let second = store.open_submission_of(first.post_id).await.unwrap().unwrap();
    assert!(store.publish_late(&first, SEVEN, NOON).await.unwrap());
    assert!(
        !store.mark_last_byte(&job, second.id, None, NOON).await.unwrap(),
        "the run that holds the job sends no last chunk"
    );
    let post = world.reload(first.post_id).await;
    assert_eq!(
        (post.state, post.publishing, post.release_id.as_deref()),
        (PostState::Published, false, Some("7"))
    );
    for (id, outcome) in [
        (first.id, SubmissionOutcome::Published),
        (second.id, SubmissionOutcome::Abandoned),
    ] {
        assert_eq!(try_of(&world, first.post_id, id).await.outcome, Some(outcome));
    }
}

async fn late_news_are_kept_until_another_try_ends_of_which_something_may_come(store: Store) {
    let world = World::new(store.clone()).await;
    let (first, job) = sent_again(&world, &store).await;
    let second = store.open_submission_of(first.post_id).await.unwrap().unwrap();
    assert!(
        store
            .save_handle(&job, second.id, &accepted("second"))
            .await
            .unwrap()
    );
    assert!(store.mark_last_byte(&job, second.id, None, NOON).await.unwrap());
    assert!(store.publish_late(&first, SEVEN, NOON).await.unwrap());
    assert_eq!(world.reload(first.post_id).await.state, PostState::Queue);
    let verdict = Verdict::ActionRequired {
        waiting: Waiting::Inbox,
        text: "Finish it.".to_owned(),
    };
    let settlement = Settlement {
        verdict,
        submission: Some((second.id, SubmissionOutcome::InInbox)),
        detail: AttemptDetail::default(),
        follow_link: None,
    };
    assert!(store.settle(&job, &settlement, NOON).await.unwrap());
    let post = world.reload(first.post_id).await;
    assert_eq!(
        (post.state, post.waiting, post.release_id.as_deref()),
        (PostState::Published, None, Some("7"))
    );
    let second = try_of(&world, first.post_id, second.id).await;
    assert_eq!(second.outcome, Some(SubmissionOutcome::InInbox));
    assert!(second.message.unwrap().contains("inbox"));
}
