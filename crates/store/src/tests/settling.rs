use playout_domain::id::{PostId, SubmissionId};
use playout_domain::job::{Job, JobKind};
use playout_domain::post::{PostState, Waiting};
use playout_domain::submission::SubmissionOutcome;
use playout_domain::verdict::Verdict;

use super::harness::on_both;
use super::world::{DAY, HOUR, MINUTE, NOON, World, new_group, new_post};
use crate::{AttemptDetail, Released, Settlement, Store};

on_both!(
    a_published_post_has_its_release_and_no_job,
    comments_follow_one_another_once_their_root_is_out,
    comments_of_a_refused_root_stay,
    an_open_submission_keeps_the_post_publishing_while_it_is_asked_after,
    a_failed_try_is_counted_explained_and_repeated,
    a_try_that_failed_before_it_began_is_in_the_ledger_too,
    a_post_finished_in_the_inbox_is_published_and_its_comments_follow,
    an_unconfirmed_post_can_be_confirmed_and_its_submission_is_closed,
    the_public_address_is_looked_for_when_asked_and_stored_when_found,
);

const UNNAMED: Released<'_> = Released {
    release_id: None,
    release_url: None,
};

pub(crate) fn settlement(
    verdict: Verdict,
    submission: Option<(SubmissionId, SubmissionOutcome)>,
) -> Settlement {
    let detail = AttemptDetail {
        code: Some("a_code".to_owned()),
        message: Some("It happened.".to_owned()),
        log_id: Some("log-1".to_owned()),
    };
    Settlement {
        verdict,
        submission,
        detail,
        follow_link: None,
    }
}

pub(crate) async fn settle(
    world: &World,
    job: &Job,
    verdict: Verdict,
    submission: Option<(SubmissionId, SubmissionOutcome)>,
) -> bool {
    world
        .store
        .settle(job, &settlement(verdict, submission), NOON)
        .await
        .unwrap()
}

fn published() -> Verdict {
    Verdict::Published {
        release_id: Some("73".to_owned()),
        release_url: Some("https://t.example/73".to_owned()),
    }
}

/// A queued group with two comments, the second five minutes after the first; its root's job and its comments.
async fn thread(world: &World) -> (Job, [PostId; 2]) {
    let mut group = new_group(world.platform, true, None);
    group.children = vec![new_post("first"), new_post("second")];
    group.children[1].delay_minutes = Some(5);
    let children = [group.children[0].id, group.children[1].id];
    world.group(group).await;
    (world.claim_at(NOON).await.remove(0), children)
}

async fn a_published_post_has_its_release_and_no_job(store: Store) {
    let world = World::new(store.clone()).await;
    let (post, job) = world.claimed().await;
    let id = world.open(&job).await;
    assert!(
        settle(
            &world,
            &job,
            published(),
            Some((id, SubmissionOutcome::Published))
        )
        .await
    );
    let post = world.reload(post.id).await;
    assert_eq!(
        (post.state, post.publishing, post.waiting),
        (PostState::Published, false, None)
    );
    assert_eq!(post.release_id.as_deref(), Some("73"));
    assert_eq!(post.release_url.as_deref(), Some("https://t.example/73"));
    assert!(world.claim_at(NOON.plus(HOUR)).await.is_empty());
    assert!(store.open_submission_of(post.id).await.unwrap().is_none());
    assert_eq!(world.events().await, ["post.queued", "post.published"]);
    assert!(!settle(&world, &job, published(), None).await);
}

async fn comments_follow_one_another_once_their_root_is_out(store: Store) {
    let world = World::new(store.clone()).await;
    let (root, children) = thread(&world).await;
    assert!(settle(&world, &root, published(), None).await);
    let first = world.claim_at(NOON).await;
    assert_eq!(
        (first.len(), first[0].post_id, first[0].kind),
        (1, Some(children[0]), JobKind::PublishComment)
    );
    assert!(settle(&world, &first[0], published(), None).await);
    assert!(world.claim_at(NOON.plus(MINUTE * 4)).await.is_empty());
    let second = world.claim_at(NOON.plus(MINUTE * 5)).await;
    assert_eq!((second.len(), second[0].post_id), (1, Some(children[1])));
    assert!(settle(&world, &second[0], published(), None).await);
    assert!(world.claim_at(NOON.plus(HOUR)).await.is_empty());
    let group = store
        .find_group(world.workspace, children[0])
        .await
        .unwrap()
        .unwrap()
        .group;
    assert!(
        group
            .children
            .iter()
            .all(|child| child.state == PostState::Published)
    );
}

async fn comments_of_a_refused_root_stay(store: Store) {
    let world = World::new(store.clone()).await;
    let (root, children) = thread(&world).await;
    assert!(
        settle(
            &world,
            &root,
            Verdict::Error {
                text: "Refused.".to_owned()
            },
            None
        )
        .await
    );
    assert!(world.claim_at(NOON.plus(HOUR)).await.is_empty());
    let group = store
        .find_group(world.workspace, children[0])
        .await
        .unwrap()
        .unwrap()
        .group;
    assert_eq!(
        (group.root.state, group.root.error_text.as_deref()),
        (PostState::Error, Some("Refused."))
    );
    assert!(group.children.iter().all(|child| child.state == PostState::Queue));
    assert_eq!(world.events().await, ["post.queued", "post.failed"]);
}

async fn an_open_submission_keeps_the_post_publishing_while_it_is_asked_after(store: Store) {
    let world = World::new(store.clone()).await;
    let (post, job) = world.claimed().await;
    world.open(&job).await;
    let at = NOON.plus(MINUTE);
    let wait = Verdict::Again {
        at,
        text: None,
        failed: false,
    };
    assert!(settle(&world, &job, wait, None).await);
    let waiting = world.reload(post.id).await;
    assert_eq!((waiting.state, waiting.publishing), (PostState::Queue, true));
    let job = world.claim_at(at).await.remove(0);
    assert_eq!((job.checks, job.failures), (1, 0));
    assert_eq!(
        store
            .submissions_of(world.workspace, post.id)
            .await
            .unwrap()
            .len(),
        1
    );
}

async fn a_failed_try_is_counted_explained_and_repeated(store: Store) {
    let world = World::new(store.clone()).await;
    let (post, job) = world.claimed().await;
    let id = world.open(&job).await;
    let at = NOON.plus(MINUTE);
    let text = Some("The provider is busy.".to_owned());
    let again = Verdict::Again {
        at,
        text: text.clone(),
        failed: true,
    };
    assert!(settle(&world, &job, again, Some((id, SubmissionOutcome::Abandoned))).await);
    let waiting = world.reload(post.id).await;
    assert_eq!((waiting.state, waiting.publishing), (PostState::Queue, false));
    assert_eq!(waiting.error_text, text);
    let job = world.claim_at(at).await.remove(0);
    assert_eq!((job.failures, job.checks), (1, 0));
    assert_eq!(world.events().await, ["post.queued"]);
}

async fn a_try_that_failed_before_it_began_is_in_the_ledger_too(store: Store) {
    let world = World::new(store.clone()).await;
    let (post, job) = world.claimed().await;
    assert!(
        settle(
            &world,
            &job,
            Verdict::Error {
                text: "No.".to_owned()
            },
            None
        )
        .await
    );
    let tries = store.submissions_of(world.workspace, post.id).await.unwrap();
    assert_eq!(
        (tries.len(), tries[0].outcome),
        (1, Some(SubmissionOutcome::Rejected))
    );
    assert_eq!(tries[0].message.as_deref(), Some("It happened."));
    assert_eq!(tries[0].log_id.as_deref(), Some("log-1"));
}

async fn a_post_finished_in_the_inbox_is_published_and_its_comments_follow(store: Store) {
    let world = World::new(store.clone()).await;
    let (root, children) = thread(&world).await;
    let post = root.post_id.unwrap();
    let verdict = Verdict::ActionRequired {
        waiting: Waiting::Inbox,
        text: "Finish it.".to_owned(),
    };
    assert!(settle(&world, &root, verdict, None).await);
    assert!(!store.confirm_published(post, UNNAMED, NOON).await.unwrap());
    let released = Released {
        release_id: Some("9"),
        release_url: None,
    };
    let draft = store
        .submissions_of(world.workspace, post)
        .await
        .unwrap()
        .remove(0);
    assert!(store.publish_late(&draft, released, NOON).await.unwrap());
    let published = world.reload(post).await;
    assert_eq!(
        (published.state, published.waiting, published.error_text),
        (PostState::Published, None, None)
    );
    assert_eq!(published.release_id.as_deref(), Some("9"));
    assert_eq!(world.claim_at(NOON).await[0].post_id, Some(children[0]));
    assert_eq!(
        world.events().await,
        ["post.queued", "post.action_required", "post.published"]
    );
}

async fn an_unconfirmed_post_can_be_confirmed_and_its_submission_is_closed(store: Store) {
    let world = World::new(store.clone()).await;
    let (post, job) = world.claimed().await;
    world.open(&job).await;
    let verdict = Verdict::ActionRequired {
        waiting: Waiting::Unconfirmed,
        text: "Searched.".to_owned(),
    };
    assert!(settle(&world, &job, verdict, None).await);
    assert!(world.reload(post.id).await.publishing);
    assert!(store.confirm_published(post.id, UNNAMED, NOON).await.unwrap());
    let confirmed = world.reload(post.id).await;
    assert_eq!(
        (confirmed.state, confirmed.publishing),
        (PostState::Published, false)
    );
    assert!(store.open_submission_of(post.id).await.unwrap().is_none());
}

async fn the_public_address_is_looked_for_when_asked_and_stored_when_found(store: Store) {
    let world = World::new(store.clone()).await;
    let (post, job) = world.claimed().await;
    let at = NOON.plus(MINUTE);
    let verdict = Verdict::Published {
        release_id: None,
        release_url: None,
    };
    let follow = Settlement {
        follow_link: Some(at),
        ..settlement(verdict, None)
    };
    assert!(store.settle(&job, &follow, NOON).await.unwrap());
    let jobs = world.claim_at(at).await;
    assert_eq!(
        (jobs.len(), jobs[0].kind, jobs[0].post_id),
        (1, JobKind::ResolveLink, Some(post.id))
    );
    assert_eq!(jobs[0].deadline_at, at.plus(DAY));
    assert!(
        store.follow_link(post.id, at).await.unwrap(),
        "news may ask for it sooner"
    );
    assert_eq!(world.claim_at(at).await.len(), 1);
    let found = Released {
        release_id: Some("73"),
        release_url: Some("https://t.example/73"),
    };
    assert!(store.set_release(post.id, found, at).await.unwrap());
    assert!(
        !store.set_release(post.id, UNNAMED, at).await.unwrap(),
        "there is nothing left to be known"
    );
    assert!(!store.follow_link(post.id, at).await.unwrap(), "it is known");
    let post = world.reload(post.id).await;
    assert_eq!(post.release_url.as_deref(), Some("https://t.example/73"));
    let draft = world.post(false, None).await;
    assert!(!store.set_release(draft.id, found, at).await.unwrap());
}
