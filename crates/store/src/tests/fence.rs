use std::collections::BTreeSet;
use std::path::Path;

use playout_domain::id::SubmissionId;
use playout_domain::job::{Job, JobQueue, Release};
use playout_domain::provider::Accepted;
use playout_domain::submission::{SubmissionOutcome, Transfer};
use playout_domain::verdict::Verdict;

use super::harness::{on_both, on_postgres};
use super::settling::settlement;
use super::world::{HOUR, MINUTE, NOON, World, hash, new_submission};
use crate::db::{Result, new_id, params};
use crate::{AllSent, Opening, PullRenewal, Store};

on_both!(
    nothing_is_begun_once_the_lease_is_over,
    a_claim_that_was_lost_writes_nothing_under_the_number_that_another_got,
);

/// Every function of the store that a worker calls for a job that it holds.
const WRITES: [&str; 12] = [
    "open_submission",
    "open_submission_within",
    "save_handle",
    "record_sent",
    "record_all_sent",
    "record_refusal",
    "mark_last_byte",
    "holds_submission",
    "renew_pull",
    "release",
    "settle",
    "settle_unread",
];

/// Ends a job of which nothing is left to do: it writes nothing else.
const OF_THE_JOB_ALONE: &str = "finish";

/// Whether the write named so went through.
async fn goes_through(store: &Store, write: &str, job: &Job, submission: SubmissionId) -> Result<bool> {
    let new = new_submission(Transfer::Upload);
    let handle = Accepted {
        handle: "late".to_owned(),
        upload: None,
    };
    let out = Verdict::Published {
        release_id: None,
        release_url: None,
    };
    let release = Release {
        run_at: NOON.plus(HOUR),
        failures: 0,
        checks: 0,
        queue: JobQueue::Start,
    };
    Ok(match write {
        "open_submission" => store.open_submission(job, &new, NOON).await?,
        "open_submission_within" => {
            let opening = store.open_submission_within(job, &new, None, NOON).await?;
            opening == Opening::Opened
        }
        "save_handle" => store.save_handle(job, submission, &handle).await?,
        "record_sent" => store.record_sent(job, submission, 1).await?,
        "record_all_sent" => {
            let sent = AllSent {
                submission,
                size_bytes: 1,
            };
            store.record_all_sent(job, &sent, release, NOON).await?
        }
        "record_refusal" => store.record_refusal(job, submission, "refused").await?,
        "mark_last_byte" => store.mark_last_byte(job, submission, None, NOON).await?,
        "holds_submission" => store.holds_submission(job, submission).await?,
        "renew_pull" => {
            let renewal = store.renew_pull(job, submission, hash()).await?;
            renewal == PullRenewal::Renewed
        }
        "release" => store.release(job, release, NOON).await?,
        "settle" => {
            let settlement = settlement(out, Some((submission, SubmissionOutcome::Published)));
            store.settle(job, &settlement, NOON).await?
        }
        "settle_unread" => {
            let settlement = settlement(out, Some((submission, SubmissionOutcome::Published)));
            store.settle_unread(job, &settlement, NOON).await?
        }
        _ => panic!("{write} is not in the table"),
    })
}

/// What the write named so is about: a submission to be opened, or one that is open.
async fn submission_for(world: &World, write: &str, job: &Job) -> SubmissionId {
    match write.starts_with("open") {
        true => new_id(NOON),
        false => world.open(job).await,
    }
}

/// How many statements of this database wait for a lock.
pub(crate) async fn waiting(store: &Store) -> i64 {
    let sql = "SELECT COUNT(*) AS waiting FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
        WHERE NOT l.granted AND a.datname = current_database()";
    let row = store.row(sql, params![]).await.unwrap().unwrap();
    row.of("pg_locks").get("waiting").unwrap()
}

async fn begun_before_a_claim_commits(store: Store) {
    let world = World::new(store.clone()).await;
    for write in WRITES {
        let (_, job) = world.claimed().await;
        let submission = submission_for(&world, write, &job).await;
        let mut claim = store.begin().await.unwrap();
        let sql = "UPDATE jobs SET attempt = attempt + 1 WHERE id = $1";
        claim.execute(sql, params![job.id]).await.unwrap();
        let late = tokio::spawn({
            let store = store.clone();
            async move { goes_through(&store, write, &job, submission).await.unwrap() }
        });
        while !late.is_finished() && waiting(&store).await == 0 {
            tokio::task::yield_now().await;
        }
        claim.commit().await.unwrap();
        assert!(
            !late.await.unwrap(),
            "{write} went through under a job that was claimed meanwhile"
        );
    }
}

/// A write that locks nothing is decided by what was there when its statement began.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_write_that_began_before_a_claim_was_committed_goes_through_after_it() {
    on_postgres(begun_before_a_claim_commits).await;
}

async fn claimed_while_a_write_is_under_way(store: Store) {
    let world = World::new(store.clone()).await;
    let (_, job) = world.claimed().await;
    let submission = world.open(&job).await;
    let mut other = store.begin().await.unwrap();
    let sql = "SELECT id FROM submissions WHERE id = $1";
    other.lock(sql, params![submission]).await.unwrap();
    let late = tokio::spawn({
        let (store, job) = (store.clone(), job.clone());
        async move { store.mark_last_byte(&job, submission, None, NOON).await.unwrap() }
    });
    while waiting(&store).await == 0 {
        tokio::task::yield_now().await;
    }
    let taken_over = !world.claim_at(NOON.plus(MINUTE)).await.is_empty();
    other.commit().await.unwrap();
    let marked = late.await.unwrap();
    assert!(
        !(taken_over && marked),
        "the last byte was noted under a job that somebody else holds"
    );
    let after = world.claim_at(NOON.plus(HOUR)).await;
    assert_eq!(
        (after[0].id, after[0].attempt > job.attempt),
        (job.id, true),
        "claimed once it has ended"
    );
}

async fn nothing_is_begun_once_the_lease_is_over(store: Store) {
    let world = World::new(store.clone()).await;
    let (_, job) = world.claimed().await;
    let new = new_submission(Transfer::Upload);
    let end = NOON.plus(MINUTE);
    assert!(!store.open_submission(&job, &new, end).await.unwrap());
    assert!(store.open_submission(&job, &new, NOON).await.unwrap());
}

/// As after a failover: the claim is forgotten, and the next one gets the same number.
async fn a_claim_that_was_lost_writes_nothing_under_the_number_that_another_got(store: Store) {
    let world = World::new(store.clone()).await;
    for write in WRITES.into_iter().chain([OF_THE_JOB_ALONE]) {
        let (_, lost) = world.claimed().await;
        let forget = "UPDATE jobs SET attempt = attempt - 1, due_at = run_at, leased_until = NULL, lease_owner = NULL WHERE id = $1";
        assert_eq!(store.execute(forget, params![lost.id]).await.unwrap(), 1);
        let job = world.claim_as("worker-2", NOON).await.remove(0);
        assert_eq!((job.id, job.attempt), (lost.id, lost.attempt));
        let submission = submission_for(&world, write, &job).await;
        for (holder, may_write) in [(&lost, false), (&job, true)] {
            let goes_through = match write == OF_THE_JOB_ALONE {
                true => store.finish(holder).await.unwrap(),
                false => goes_through(&store, write, holder, submission).await.unwrap(),
            };
            assert_eq!(goes_through, may_write, "{write}");
        }
    }
}

async fn written_behind_the_pulse(store: Store) {
    let world = World::new(store.clone()).await;
    let home = store.home().await.unwrap();
    let seen = store.last_seen().await.unwrap();
    let pulse = store.raise_pulse(&seen, 0, &home, NOON).await.unwrap().unwrap();
    for write in WRITES.into_iter().filter(|write| *write != "release") {
        let (_, job) = world.claimed().await;
        let submission = submission_for(&world, write, &job).await;
        store.set_home(&home, pulse + 1);
        // A connection from before writes nothing; a new one is refused.
        let through = goes_through(&store, write, &job, submission).await;
        assert!(!through.unwrap_or(false), "{write}");
        let through = loop {
            let home = store.home().await.unwrap();
            store.set_home(&home, pulse);
            if let Ok(through) = goes_through(&store, write, &job, submission).await {
                break through;
            }
        };
        assert!(through, "{write}");
    }
}

/// The database was put back to an earlier copy since the job was claimed: what a run has read since is not of it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_written_under_a_job_in_a_database_with_an_earlier_pulse() {
    on_postgres(written_behind_the_pulse).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_job_is_not_claimed_while_a_write_under_it_stalls() {
    on_postgres(claimed_while_a_write_is_under_way).await;
}

/// The source files of the crate, without tests: their paths below `src`, and their texts.
fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut found, mut folders) = (Vec::new(), vec![root.clone()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
            if path.is_dir() {
                folders.extend((name != "tests").then_some(path));
            } else if name.ends_with(".rs") {
                found.push((name, std::fs::read_to_string(path).unwrap()));
            }
        }
    }
    found
}

#[test]
fn every_function_of_the_store_that_takes_a_job_is_tried() {
    let mut found = BTreeSet::new();
    for (_, text) in sources() {
        for function in text.split("pub async fn ").skip(1) {
            let (signature, _) = function.split_once('{').unwrap();
            if signature.contains("job: &Job") {
                found.insert(signature.split('(').next().unwrap().to_owned());
            }
        }
    }
    let tried: BTreeSet<String> = WRITES
        .into_iter()
        .chain([OF_THE_JOB_ALONE])
        .map(str::to_owned)
        .collect();
    assert_eq!(found, tried);
}

#[test]
fn the_fence_is_asked_in_one_file() {
    for (name, text) in sources() {
        let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for reading in [
            "FROM jobs WHERE id = $1 AND attempt",
            "jobs j ON j.id = $1 AND j.attempt",
            "EXISTS (SELECT 1 FROM jobs",
        ] {
            let deletes = flat.matches(&format!("DELETE {reading}")).count();
            let reads = flat.matches(reading).count() - deletes;
            assert!(
                reads == 0 || name == "delivery/fence.rs",
                "{name} asks the fence by itself: {reading}"
            );
        }
    }
}
