use playout_domain::id::SubmissionId;
use playout_domain::job::Job;
use playout_domain::post::Waiting;
use playout_domain::provider::Accepted;
use playout_domain::submission::{Recovery, SubmissionOutcome, Transfer, UploadSession};
use playout_domain::verdict::Verdict;

use super::harness::on_both;
use super::settling::{settle, settlement};
use super::world::{HOUR, MINUTE, NOON, World, hash, must_reconnect, new_group, new_submission};
use crate::db::params;
use crate::{NewSubmission, Store};

on_both!(
    a_submission_grows_step_by_step,
    posts_looked_up_together_are_known_as_when_alone,
    where_an_upload_goes_is_stored_only_encrypted,
    a_second_submission_cannot_be_opened_beside_an_open_one,
    a_worker_that_lost_its_job_writes_nothing_into_the_ledger,
    every_try_of_a_post_is_kept,
    a_fetch_is_noted_once_and_permitted_until_revoked,
    a_revoked_pull_was_never_fetched_if_it_says_so,
    a_closed_submission_serves_no_media,
    looking_at_an_address_does_not_spend_it,
    a_pull_is_revoked_once_and_not_at_all_when_it_was_fetched,
);

pub(super) fn accepted(handle: &str) -> Accepted {
    let upload = UploadSession {
        url: "https://upload.example.org/secret".to_owned(),
        content_type: "video/mp4".to_owned(),
        size_bytes: 100,
        chunk_bytes: 50,
        chunk_count: 2,
    };
    Accepted {
        handle: handle.to_owned(),
        upload: Some(upload),
    }
}

/// A pull with a token of its own, for a post with two media.
pub(crate) async fn pull(world: &World) -> (Job, SubmissionId, [u8; 32]) {
    let mut group = new_group(world.platform, true, None);
    group.root.media_ids = vec![world.media(1).await.id, world.media(1).await.id];
    let post = world.group(group).await;
    let jobs = world.claim_at(NOON).await;
    let job = jobs.into_iter().find(|job| job.post_id == Some(post.id)).unwrap();
    let token_hash = hash();
    let new = NewSubmission {
        token_hash: Some(token_hash),
        ..new_submission(Transfer::Pull)
    };
    assert!(world.store.open_submission(&job, &new, NOON).await.unwrap());
    (job, new.id, token_hash)
}

async fn a_submission_grows_step_by_step(store: Store) {
    let world = World::new(store.clone()).await;
    let (post, job) = world.claimed().await;
    assert!(store.open_submission_of(post.id).await.unwrap().is_none());
    let id = world.open(&job).await;
    let open = store.open_submission_of(post.id).await.unwrap().unwrap();
    assert_eq!(
        (open.id, open.started_at, open.recovery()),
        (id, NOON, Recovery::BeginAgain)
    );
    assert!(store.save_handle(&job, id, &accepted("v_pub_1")).await.unwrap());
    assert!(store.record_sent(&job, id, 50).await.unwrap());
    let open = store.open_submission_of(post.id).await.unwrap().unwrap();
    assert_eq!((open.recovery(), open.sent_bytes), (Recovery::ResumeUpload, 50));
    assert_eq!(open.upload, accepted("").upload);
    let later = NOON.plus(MINUTE);
    assert!(store.mark_last_byte(&job, id, None, later).await.unwrap());
    let again = later.plus(MINUTE);
    assert!(
        !store.mark_last_byte(&job, id, None, again).await.unwrap(),
        "a sending that this run does not know of"
    );
    assert!(store.mark_last_byte(&job, id, Some(later), again).await.unwrap());
    assert!(store.record_sent(&job, id, 100).await.unwrap());
    let open = store
        .find_open_by_handle(world.platform, "v_pub_1")
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        (open.id, open.last_byte_at, open.recovery()),
        (id, Some(again), Recovery::Check)
    );
}

async fn posts_looked_up_together_are_known_as_when_alone(store: Store) {
    let world = World::new(store.clone()).await;
    let neighbour = world.neighbour().await;
    let (job, pull, _) = pull(&world).await;
    let (plain, _) = world.claimed().await;
    let (theirs, their_job) = neighbour.claimed().await;
    neighbour.open(&their_job).await;
    let roots = [job.post_id.unwrap(), plain.id, theirs.id];
    let known = store.find_starts(&roots).await.unwrap();
    assert_eq!(known.len(), 3);
    for (root, workspace) in roots
        .into_iter()
        .zip([world.workspace, world.workspace, neighbour.workspace])
    {
        let start = &known[&root];
        let found = store.find_group(workspace, root).await.unwrap().unwrap();
        assert_eq!(start.group, found.group);
        let platform = store
            .find_platform(workspace, start.group.root.platform_id)
            .await
            .unwrap();
        assert_eq!(start.platform, platform);
        assert_eq!(
            start.unsettled,
            store.unsettled_submission_of(root).await.unwrap()
        );
        let mut media: Vec<_> = start.media.iter().map(|media| media.id).collect();
        let mut wanted = start.group.root.media_ids.clone();
        media.sort();
        wanted.sort();
        assert_eq!(media, wanted);
    }
    assert_eq!(known[&roots[0]].unsettled.as_ref().unwrap().id, pull);
    let alone = store.find_starts(&roots[1..2]).await.unwrap();
    assert_eq!(alone[&plain.id].group, known[&plain.id].group);
    assert!(
        store
            .find_starts(&[world.workspace.0.into()])
            .await
            .unwrap()
            .is_empty()
    );
}

async fn where_an_upload_goes_is_stored_only_encrypted(store: Store) {
    let world = World::new(store.clone()).await;
    let (_, job) = world.claimed().await;
    let id = world.open(&job).await;
    assert!(store.save_handle(&job, id, &accepted("h")).await.unwrap());
    let row = store
        .row("SELECT id, upload FROM submissions", params![])
        .await
        .unwrap()
        .unwrap();
    let sealed: Vec<u8> = row.of("submissions").get("upload").unwrap();
    assert!(!sealed.windows(6).any(|window| window == b"secret"));
}

async fn a_second_submission_cannot_be_opened_beside_an_open_one(store: Store) {
    let world = World::new(store.clone()).await;
    let (_, job) = world.claimed().await;
    world.open(&job).await;
    let new = new_submission(Transfer::Upload);
    assert!(!store.open_submission(&job, &new, NOON).await.unwrap());
}

async fn a_worker_that_lost_its_job_writes_nothing_into_the_ledger(store: Store) {
    let world = World::new(store.clone()).await;
    let (post, job) = world.claimed().await;
    let id = world.open(&job).await;
    let taken = world.claim_at(NOON.plus(MINUTE)).await;
    assert_eq!(taken[0].id, job.id);
    assert!(!store.save_handle(&job, id, &accepted("late")).await.unwrap());
    assert!(!store.record_sent(&job, id, 50).await.unwrap());
    assert!(!store.mark_last_byte(&job, id, None, NOON).await.unwrap());
    let verdict = Verdict::Published {
        release_id: Some("1".to_owned()),
        release_url: None,
    };
    let late = settlement(verdict, Some((id, SubmissionOutcome::Published)));
    assert!(!store.settle(&job, &late, NOON).await.unwrap());
    let open = store.open_submission_of(post.id).await.unwrap().unwrap();
    assert_eq!((open.handle, open.sent_bytes, open.last_byte_at), (None, 0, None));
    assert!(
        store
            .save_handle(&taken[0], id, &accepted("on time"))
            .await
            .unwrap()
    );
}

async fn every_try_of_a_post_is_kept(store: Store) {
    let world = World::new(store.clone()).await;
    let (post, job) = world.claimed().await;
    let id = world.open(&job).await;
    let again = Verdict::Again {
        at: NOON.plus(HOUR),
        text: None,
        failed: true,
    };
    assert!(settle(&world, &job, again, Some((id, SubmissionOutcome::Abandoned))).await);
    let job = world.claim_at(NOON.plus(HOUR)).await.remove(0);
    must_reconnect(&store, world.platform).await;
    let verdict = Verdict::ActionRequired {
        waiting: Waiting::Reconnect,
        text: "Reconnect.".to_owned(),
    };
    assert!(
        store
            .settle(&job, &settlement(verdict, None), NOON.plus(HOUR))
            .await
            .unwrap()
    );
    let tries = store.submissions_of(world.workspace, post.id).await.unwrap();
    let outcomes: Vec<_> = tries.iter().map(|submission| submission.outcome).collect();
    assert_eq!(
        outcomes,
        [
            Some(SubmissionOutcome::Abandoned),
            Some(SubmissionOutcome::Reauthorize)
        ]
    );
    assert_eq!(tries[0].next_retry_at, Some(NOON.plus(HOUR)));
    assert_eq!(
        (tries[1].started_at, tries[1].closed_at),
        (NOON.plus(HOUR), Some(NOON.plus(HOUR)))
    );
    assert_eq!(tries[1].code.as_deref(), Some("a_code"));
    let neighbour = world.neighbour().await;
    assert!(
        store
            .submissions_of(neighbour.workspace, post.id)
            .await
            .unwrap()
            .is_empty()
    );
}

async fn a_fetch_is_noted_once_and_permitted_until_revoked(store: Store) {
    let world = World::new(store.clone()).await;
    let (job, id, token) = pull(&world).await;
    let permit = store.record_fetch(token, NOON).await.unwrap().unwrap();
    assert_eq!((permit.submission_id, Some(permit.post_id)), (id, job.post_id));
    assert_eq!(
        (permit.workspace_id, permit.media_ids.len()),
        (world.workspace, 2)
    );
    let root = world.reload(permit.post_id).await;
    assert_eq!(permit.media_ids, root.media_ids);
    assert_eq!(
        store.record_fetch(token, NOON.plus(MINUTE)).await.unwrap(),
        Some(permit)
    );
    assert_eq!(store.revoke_pull(id, NOON.plus(HOUR)).await.unwrap(), Some(NOON));
    assert_eq!(store.record_fetch(token, NOON).await.unwrap(), None);
    assert_eq!(store.record_fetch(hash(), NOON).await.unwrap(), None);
}

async fn a_revoked_pull_was_never_fetched_if_it_says_so(store: Store) {
    let world = World::new(store.clone()).await;
    for _ in 0..20 {
        let (job, id, token) = pull(&world).await;
        let (revoked, fetched) = tokio::join!(
            store.revoke_pull(id, NOON.plus(MINUTE)),
            store.record_fetch(token, NOON.plus(MINUTE)),
        );
        let (revoked, fetched) = (revoked.unwrap(), fetched.unwrap());
        if revoked.is_none() {
            assert_eq!(fetched, None);
            let open = store
                .open_submission_of(job.post_id.unwrap())
                .await
                .unwrap()
                .unwrap();
            assert_eq!(open.recovery(), Recovery::BeginAgain);
        }
    }
}

async fn a_closed_submission_serves_no_media(store: Store) {
    let world = World::new(store.clone()).await;
    let (job, id, token) = pull(&world).await;
    assert!(store.record_fetch(token, NOON).await.unwrap().is_some());
    let verdict = Verdict::Published {
        release_id: None,
        release_url: None,
    };
    assert!(settle(&world, &job, verdict, Some((id, SubmissionOutcome::Published))).await);
    assert_eq!(store.record_fetch(token, NOON).await.unwrap(), None);
}

async fn looking_at_an_address_does_not_spend_it(store: Store) {
    let world = World::new(store.clone()).await;
    let (_, id, token) = pull(&world).await;
    let permit = store.peek_fetch(token).await.unwrap().unwrap();
    assert_eq!((permit.submission_id, permit.media_ids.len()), (id, 2));
    assert_eq!(store.revoke_pull(id, NOON).await.unwrap(), None);
    assert!(store.peek_fetch(token).await.unwrap().is_none());
}

async fn a_pull_is_revoked_once_and_not_at_all_when_it_was_fetched(store: Store) {
    let world = World::new(store.clone()).await;
    let (_, id, token) = pull(&world).await;
    assert!(store.revoke_unfetched(id, NOON).await.unwrap());
    assert!(
        store.revoke_unfetched(id, NOON.plus(MINUTE)).await.unwrap(),
        "it is revoked"
    );
    assert!(store.record_fetch(token, NOON).await.unwrap().is_none());
    let (_, fetched, token) = pull(&world).await;
    assert!(store.record_fetch(token, NOON).await.unwrap().is_some());
    assert!(!store.revoke_unfetched(fetched, NOON).await.unwrap());
    assert!(
        store.record_fetch(token, NOON).await.unwrap().is_some(),
        "it still works"
    );
}
