use std::collections::{HashMap, HashSet};
use std::future::poll_fn;
use std::task::Poll;
use std::time::Duration;

use futures_util::FutureExt;
use playout_domain::job::{Job, JobQueue, Release};
use playout_domain::submission::Transfer;
use playout_domain::time::Time;

use super::harness::{on_both, on_postgres};
use super::world::{DAY, HOUR, MINUTE, NOON, OPERATOR, World, connect, new_group, new_submission};
use crate::db::params;
use crate::{ClaimLimits, Excluded, POLL_EVERY, RenewedLeases, SeedPosts, Store};

on_both!(
    a_claimed_job_is_nobody_elses_until_its_lease_ends,
    a_late_holder_changes_nothing,
    a_renewed_job_is_kept,
    a_released_job_runs_again_at_its_time,
    the_day_of_a_post_counts_from_its_first_claim,
    jobs_of_the_schema_before_keep_their_day_if_they_were_claimed,
    eight_claimers_at_once_never_claim_the_same_job,
    an_account_with_many_due_jobs_does_not_keep_others_waiting,
    a_claim_takes_so_many_of_an_account_and_none_of_those_that_are_excluded,
    a_job_is_claimed_from_the_queue_that_it_was_released_to,
    a_job_for_soon_wakes_whoever_waits_and_one_for_later_nobody,
    nothing_is_next_when_nothing_is_left,
);

const NONE: &Excluded = &Excluded {
    accounts: Vec::new(),
    workspaces: Vec::new(),
};

const LIMITS: ClaimLimits<'static> = ClaimLimits {
    queue: JobQueue::Start,
    limit: 10,
    per_account: 10,
    without: NONE,
    lease: MINUTE,
};

/// What this node claims of starts.
async fn claim(store: &Store, node: &str, now: Time) -> Vec<Job> {
    store.claim(node, &LIMITS, now).await.unwrap().jobs
}

fn seed(world: &World, count: u64, first_at: Time) -> SeedPosts {
    SeedPosts {
        count,
        platforms: vec![world.platform],
        media_ids: Vec::new(),
        queued: true,
        first_at,
        step: Duration::from_millis(1),
    }
}

async fn a_claimed_job_is_nobody_elses_until_its_lease_ends(store: Store) {
    let world = World::new(store.clone()).await;
    let (_, job) = world.claimed().await;
    assert!(claim(&store, "worker-2", NOON).await.is_empty());
    let end = NOON.plus(MINUTE);
    assert_eq!(store.next_run_at().await.unwrap(), Some(end));
    let again = claim(&store, "worker-2", end).await;
    assert_eq!(
        (again.len(), again[0].id, again[0].attempt),
        (1, job.id, job.attempt + 1)
    );
    assert_eq!(again[0].run_at, job.run_at);
}

async fn a_late_holder_changes_nothing(store: Store) {
    let world = World::new(store.clone()).await;
    let (_, late) = world.claimed().await;
    let taken = claim(&store, "worker-2", NOON.plus(MINUTE)).await;
    assert!(!store.finish(&late).await.unwrap());
    let release = Release {
        run_at: NOON.plus(DAY),
        failures: 1,
        checks: 0,
        queue: JobQueue::Start,
    };
    assert!(!store.release(&late, release, NOON).await.unwrap());
    let held = [(late.id, late.attempt)];
    let now = NOON.plus(MINUTE);
    assert_eq!(
        store
            .renew(&held, "worker-1", NOON.plus(HOUR), now)
            .await
            .unwrap(),
        RenewedLeases::default()
    );
    assert!(store.finish(&taken[0]).await.unwrap());
    assert!(!store.finish(&taken[0]).await.unwrap());
}

async fn a_renewed_job_is_kept(store: Store) {
    let world = World::new(store.clone()).await;
    let (_, job) = world.claimed().await;
    let held = [(job.id, job.attempt)];
    let until = NOON.plus(MINUTE * 2);
    let kept = RenewedLeases {
        kept: vec![job.id],
        passed_over: Vec::new(),
    };
    assert_eq!(store.renew(&held, "worker-1", until, NOON).await.unwrap(), kept);
    assert_eq!(
        store.renew(&held, "worker-2", until, NOON).await.unwrap(),
        RenewedLeases::default()
    );
    assert!(claim(&store, "worker-2", NOON.plus(MINUTE)).await.is_empty());
    assert_eq!(claim(&store, "worker-2", until).await.len(), 1);
}

async fn a_released_job_runs_again_at_its_time(store: Store) {
    let world = World::new(store.clone()).await;
    let (_, job) = world.claimed().await;
    let at = NOON.plus(HOUR);
    assert!(
        store
            .release(
                &job,
                Release {
                    run_at: at,
                    failures: 2,
                    checks: 3,
                    queue: JobQueue::Start
                },
                NOON
            )
            .await
            .unwrap()
    );
    assert!(world.claim_at(NOON.plus(MINUTE * 2)).await.is_empty());
    let again = world.claim_at(at).await;
    assert_eq!((again[0].failures, again[0].checks, again[0].run_at), (2, 3, at));
    assert_eq!(again[0].deadline_at, job.deadline_at);
}

async fn the_day_of_a_post_counts_from_its_first_claim(store: Store) {
    let world = World::new(store.clone()).await;
    let post = world.group(new_group(world.platform, true, Some(NOON))).await.id;
    let found = NOON.plus(DAY * 10);
    let claim = async |at| {
        world
            .claim_at(at)
            .await
            .into_iter()
            .find(|job| job.post_id == Some(post))
            .unwrap()
    };
    let first = claim(found).await;
    assert_eq!(
        (first.planned_at, first.first_claimed_at, first.deadline_at),
        (NOON, Some(found), found.plus(DAY))
    );
    let retry = found.plus(HOUR);
    assert!(
        store
            .release(
                &first,
                Release {
                    run_at: retry,
                    failures: 1,
                    checks: 0,
                    queue: JobQueue::Start
                },
                found
            )
            .await
            .unwrap()
    );
    let again = claim(retry).await;
    assert_eq!(again.run_at, retry);
    assert_eq!(
        (again.planned_at, again.first_claimed_at, again.deadline_at),
        (NOON, Some(found), found.plus(DAY))
    );
}

async fn jobs_of_the_schema_before_keep_their_day_if_they_were_claimed(store: Store) {
    let world = World::new(store.clone()).await;
    let mut posts = Vec::new();
    for _ in 0..5 {
        posts.push(world.group(new_group(world.platform, true, Some(NOON))).await.id);
    }
    // As the version before left them: untouched, failed, checked, put off, and claimed by a process that died.
    let left = [
        "attempt = 1",
        "failures = 1",
        "checks = 1",
        "run_at = run_at + 1, due_at = due_at + 1",
        "leased_until = run_at, lease_owner = 'worker-0'",
    ];
    for (post, left) in posts.iter().zip(left) {
        let sql =
            format!("UPDATE jobs SET {left}, planned_at = NULL, first_claimed_at = NULL WHERE post_id = $1");
        store
            .execute(sqlx::AssertSqlSafe(sql), params![*post])
            .await
            .unwrap();
    }
    let migration = include_str!("../../migrations/0025_lateness.sql");
    let update = migration
        .split(';')
        .find_map(|text| text.find("UPDATE jobs").map(|at| &text[at..]))
        .unwrap();
    store.execute(update, Vec::new()).await.unwrap();
    let found = NOON.plus(HOUR * 30);
    let jobs = world.claim_at(found).await;
    let of = |post| jobs.iter().find(|job| job.post_id == Some(post)).unwrap();
    let (untouched, begun) = posts.split_first().unwrap();
    let job = of(*untouched);
    assert_eq!(
        (job.planned_at, job.first_claimed_at, job.deadline_at),
        (NOON, Some(found), found.plus(DAY))
    );
    for post in begun {
        assert_eq!(
            (of(*post).first_claimed_at, of(*post).deadline_at),
            (Some(NOON), NOON.plus(DAY))
        );
    }
}

async fn eight_claimers_at_once_never_claim_the_same_job(store: Store) {
    let world = World::new(store.clone()).await;
    store
        .seed_posts(world.workspace, &seed(&world, 400, NOON.minus(HOUR)), NOON)
        .await
        .unwrap();
    let tasks: Vec<_> = (0..8)
        .map(|number| {
            let store = store.clone();
            tokio::spawn(async move {
                let owner = format!("worker-{number}");
                let mut claimed: Vec<Job> = Vec::new();
                let mut empty = 0;
                // Rows that another has locked are skipped, so one empty claim is no proof that none is left.
                while empty < 20 {
                    let jobs = claim(&store, &owner, NOON).await;
                    empty = if jobs.is_empty() { empty + 1 } else { 0 };
                    claimed.extend(jobs);
                }
                claimed
            })
        })
        .collect();
    let mut claimed = Vec::new();
    for task in tasks {
        claimed.extend(task.await.unwrap());
    }
    let distinct: HashSet<_> = claimed.iter().map(|job| job.id).collect();
    assert_eq!((claimed.len(), distinct.len()), (400, 400));
    assert!(claimed.iter().all(|job| job.attempt == 1));
}

async fn an_account_with_many_due_jobs_does_not_keep_others_waiting(store: Store) {
    let world = World::new(store.clone()).await;
    store
        .seed_posts(world.workspace, &seed(&world, 1000, NOON.minus(HOUR)), NOON)
        .await
        .unwrap();
    let mut quiet = Vec::new();
    for number in 0..3 {
        let platform = connect(&store, world.workspace, &format!("quiet-{number}")).await;
        quiet.push(platform);
        let one = World {
            platform,
            ..world.clone()
        };
        one.post(true, None).await;
    }
    let jobs = claim(&store, "worker-1", NOON).await;
    let mut turns: HashMap<_, u32> = HashMap::new();
    for job in &jobs {
        *turns.entry(job.platform_id).or_default() += 1;
    }
    assert_eq!(jobs.len(), 10);
    assert!(quiet.iter().all(|platform| turns.get(platform) == Some(&1)));
    assert_eq!(turns.get(&world.platform), Some(&7));
}

async fn a_claim_takes_so_many_of_an_account_and_none_of_those_that_are_excluded(store: Store) {
    let world = World::new(store.clone()).await;
    store
        .seed_posts(world.workspace, &seed(&world, 5000, NOON.minus(HOUR)), NOON)
        .await
        .unwrap();
    let platform = connect(&store, world.workspace, "quiet").await;
    World {
        platform,
        ..world.clone()
    }
    .post(true, None)
    .await;
    let few = ClaimLimits {
        per_account: 2,
        ..LIMITS
    };
    assert_eq!(
        store.claim("worker-1", &few, NOON).await.unwrap().jobs.len(),
        2,
        "behind 5,000 others nothing is weighed"
    );
    let without = Excluded {
        accounts: vec![world.platform],
        ..Excluded::default()
    };
    assert_eq!(
        store.next_due_without(JobQueue::Start, &without).await.unwrap(),
        Some(NOON)
    );
    let others = ClaimLimits {
        without: &without,
        ..LIMITS
    };
    let claimed = store.claim("worker-1", &others, NOON).await.unwrap().jobs;
    assert_eq!(
        claimed.iter().map(|job| job.platform_id).collect::<Vec<_>>(),
        [platform]
    );
    let without = Excluded {
        workspaces: vec![world.workspace],
        ..Excluded::default()
    };
    assert_eq!(
        store.next_due_without(JobQueue::Start, &without).await.unwrap(),
        None
    );
    let others = ClaimLimits {
        without: &without,
        ..LIMITS
    };
    let claimed = store.claim("worker-1", &others, NOON).await.unwrap();
    assert!(claimed.jobs.is_empty());
}

async fn a_job_is_claimed_from_the_queue_that_it_was_released_to(store: Store) {
    let world = World::new(store.clone()).await;
    let (_, job) = world.claimed().await;
    assert_eq!(job.queue, JobQueue::Start);
    let release = Release {
        run_at: NOON,
        failures: 0,
        checks: 0,
        queue: JobQueue::Upload,
    };
    assert!(store.release(&job, release, NOON).await.unwrap());
    assert!(claim(&store, "worker-1", NOON).await.is_empty());
    let next = store.next_due().await.unwrap();
    assert_eq!(
        (next.of(JobQueue::Start), next.of(JobQueue::Upload)),
        (None, Some(NOON))
    );
    let uploads = ClaimLimits {
        queue: JobQueue::Upload,
        ..LIMITS
    };
    let again = store.claim("worker-1", &uploads, NOON).await.unwrap().jobs;
    assert_eq!((again.len(), again[0].queue), (1, JobQueue::Upload));
}

async fn a_job_for_soon_wakes_whoever_waits_and_one_for_later_nobody(store: Store) {
    let world = World::new(store.clone()).await;
    let _of_before = store.job_signal().notified().now_or_never();
    world.post(true, Some(NOON.plus(HOUR))).await;
    assert_eq!(store.job_signal().notified().now_or_never(), None);
    world.post(true, Some(NOON.plus(POLL_EVERY))).await;
    // Kept although no receiver waited at that moment.
    assert_eq!(store.job_signal().notified().now_or_never(), Some(()));
}

async fn nothing_is_next_when_nothing_is_left(store: Store) {
    let world = World::new(store.clone()).await;
    store
        .remove_platform(world.workspace, world.platform, OPERATOR, NOON)
        .await
        .unwrap();
    assert_eq!(store.next_run_at().await.unwrap(), None);
}

/// A second node is woken for a job at once. PostgreSQL alone has second nodes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_job_added_by_another_node_wakes_this_one() {
    super::harness::on_postgres(|store| async move {
        let url = super::harness::url_of(&store).await;
        let other = Store::connect(&url, super::harness::vault()).await.unwrap();
        let listener = tokio::spawn({
            let other = other.clone();
            async move { other.listen().await }
        });
        let world = World::new(store.clone()).await;
        // Until the listener is there, no notification arrives; from then on every one does.
        let heard = other.job_signal().notified();
        tokio::pin!(heard);
        loop {
            world.post(true, None).await;
            if poll_fn(|context| Poll::Ready(heard.as_mut().poll(context).is_ready())).await {
                break;
            }
        }
        listener.abort();
        other.close().await;
    })
    .await;
}

/// The files of the server were put back to an earlier copy: its place is the same.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_claimed_from_a_database_with_an_earlier_pulse() {
    on_postgres(|store: Store| async move {
        let world = World::new(store.clone()).await;
        world.post(true, None).await;
        let before = NOON.minus(MINUTE);
        assert!(claim(&store, "worker-1", before).await.is_empty());
        let pulse = raise_pulse(&store).await;
        store
            .execute("UPDATE instance SET pulse = pulse - 1", params![])
            .await
            .unwrap();
        // A connection from before claims nothing; a new one is refused.
        let claimed = store.claim("worker-1", &LIMITS, NOON).await.unwrap_or_default();
        assert!(claimed.jobs.is_empty());
        cut_connections(&store).await;
        until_claims_are_refused(&store).await;
        assert_eq!(claimed_once_compared(&store, pulse - 1).await, 1);
    })
    .await;
}

/// Compares the database as a node does; returns its pulse.
async fn raise_pulse(store: &Store) -> i64 {
    let home = store.home().await.unwrap();
    let seen = store.last_seen().await.unwrap();
    let pulse = store.raise_pulse(&seen, 0, &home, NOON).await.unwrap().unwrap();
    store.set_home(&home, pulse);
    pulse
}

/// How much is claimed once the database was compared; each of the engine's connections, when it is new, leads to a comparison.
async fn claimed_once_compared(store: &Store, pulse: i64) -> usize {
    loop {
        let home = store.home().await.unwrap();
        store.set_home(&home, pulse);
        if let Ok(claimed) = store.claim("worker-1", &LIMITS, NOON).await {
            return claimed.jobs.len();
        }
    }
}

async fn cut_connections(store: &Store) {
    let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()";
    store.rows(cut, params![]).await.unwrap();
}

/// The first claims fail because their connections are those that were cut.
async fn until_claims_are_refused(store: &Store) {
    let mut refused = String::new();
    while !refused.contains("older than it was") {
        let claimed = store.claim("worker-1", &LIMITS, NOON).await;
        refused = claimed.expect_err("nothing is claimed").to_string();
    }
}

/// Other nodes may have raised the pulse while this one was cut off, and the server may have lost it since: only the storage knows.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_claimed_or_begun_after_an_outage_before_the_database_was_compared() {
    on_postgres(|store: Store| async move {
        let world = World::new(store.clone()).await;
        let (_, job) = world.claimed().await;
        world.post(true, None).await;
        let pulse = raise_pulse(&store).await;
        cut_connections(&store).await;
        until_claims_are_refused(&store).await;
        let new = new_submission(Transfer::Upload);
        let begun = store.open_submission(&job, &new, NOON).await;
        assert!(begun.unwrap_err().to_string().contains("older than it was"));
        let claiming = tokio::spawn({
            let store = store.clone();
            async move { claim(&store, "worker-1", NOON).await.len() }
        });
        let home = store.home().await.unwrap();
        store.set_home(&home, pulse);
        assert_eq!(claiming.await.unwrap(), 1, "it waits for the comparison");
        assert!(store.open_submission(&job, &new, NOON).await.unwrap());
    })
    .await;
}
