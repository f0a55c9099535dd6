//! Jobs at work: what is due is claimed under a lease, renewed, given back or ended.

use std::collections::HashSet;
use std::time::Duration;

use playout_domain::id::{JobId, PlatformId, WorkspaceId};
use playout_domain::job::{Job, JobKind, JobQueue, RETRY_WINDOW, Release};
use playout_domain::time::Time;
use sqlx::AssertSqlSafe;

use super::fence::holder;
use crate::db::chance::random_bytes;
use crate::db::{Param, Result, Row, Store, StoreError, Tx, none_of, padded, params, placeholders, read_all};

/// How many due jobs are weighed against one another for fairness. Behind a longer backlog than this, the oldest
/// come first.
const WEIGHED: u32 = 4096;

/// So many times as many rows as jobs are wanted are considered, because other nodes may hold the first of them at that instant.
const SHORTLISTED: u32 = 16;

/// How many leases one statement renews.
const RENEWED_AT_ONCE: usize = 256;

/// The attempt of a claim. A damaged row with the largest number keeps it: to add to that fails, for all that are claimed with it.
const NEXT_ATTEMPT: &str = "CASE WHEN attempt < 9223372036854775807 THEN attempt + 1 ELSE attempt END";

/// How much to claim, of what, and for how long.
#[derive(Debug, Clone, Copy)]
pub struct ClaimLimits<'a> {
    /// Only from this queue.
    pub queue: JobQueue,
    /// At most so many jobs.
    pub limit: u32,
    /// At most so many of one account.
    pub per_account: u32,
    /// None of these.
    pub without: &'a Excluded,
    /// How long they are ours unless renewed.
    pub lease: Duration,
}

/// Accounts and workspaces that have all they may have; their due jobs wait.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Excluded {
    /// Accounts.
    pub accounts: Vec<PlatformId>,
    /// Workspaces.
    pub workspaces: Vec<WorkspaceId>,
}

impl Excluded {
    /// The condition on a job, whose parameters begin with the `first`, and these parameters.
    fn condition(&self, first: usize) -> (String, Vec<Param>) {
        let (accounts, workspaces) = (padded(&self.accounts), padded(&self.workspaces));
        let not_accounts = none_of("platform_id", first, accounts.len());
        let not_workspaces = none_of("workspace_id", first + accounts.len(), workspaces.len());
        let condition = format!("{not_accounts} {not_workspaces}");
        (condition, [accounts, workspaces].concat())
    }
}

/// Posts that were due and that no engine has claimed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OverduePosts {
    /// How many.
    pub count: u64,
    /// When the first of them was due; `None` where there are none.
    pub first: Option<Time>,
}

/// Jobs that were claimed.
#[derive(Debug, Default)]
pub struct ClaimedJobs {
    /// Those that can run.
    pub jobs: Vec<Job>,
    /// Those whose rows cannot be read.
    pub unreadable: Vec<UnreadableJob>,
}

/// A claimed job whose row cannot be read. It must not run; that it could not is settled under it as any failure is.
#[derive(Debug)]
pub struct UnreadableJob {
    /// What can be read of it. Of the rest, numbers are 0, times are now, and its queue is that of a new job.
    pub job: Job,
    /// Why, with the column.
    pub error: StoreError,
}

/// What became of the leases that were to be renewed. Those in neither list are lost: the job was claimed by another run or has ended, or
/// its lease is over.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct RenewedLeases {
    /// Those that last longer now.
    pub kept: Vec<JobId>,
    /// Those that are still ours and were not renewed, because another transaction holds the rows of their jobs. No claim takes these jobs
    /// while it does; afterwards the leases last as long as they did before.
    pub passed_over: Vec<JobId>,
}

/// When there is next something to claim from each queue: the earliest time of a job, or end of a lease. It may be past.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NextDue([Option<Time>; JobQueue::ALL.len()]);

impl NextDue {
    /// Of that queue.
    pub fn of(&self, queue: JobQueue) -> Option<Time> {
        self.0[queue as usize]
    }

    /// Of all queues.
    pub fn first(&self) -> Option<Time> {
        self.0.into_iter().flatten().min()
    }
}

impl Store {
    /// Claims due jobs of a queue that no worker holds, earliest first, in turns between accounts: an account with a thousand
    /// due jobs does not keep another waiting. Each has a higher attempt than ever before. A row that cannot be read keeps none of
    /// the others.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn claim(&self, owner: &str, limits: &ClaimLimits<'_>, now: Time) -> Result<ClaimedJobs> {
        let mut tx = self.begin_claim().await?;
        let (sql, params) = claim_sql(&tx, owner, limits, now);
        let rows = tx.rows(AssertSqlSafe(sql), params).await?;
        tx.commit().await?;
        let mut claimed = ClaimedJobs::default();
        for row in &rows {
            match read_job(row) {
                Ok(job) => claimed.jobs.push(job),
                Err(error) => match read_damaged_job(row, now) {
                    Ok(job) => claimed.unreadable.push(UnreadableJob { job, error }),
                    // Nothing can be written under it.
                    Err(_) => tracing::error!("a job cannot be read, and does not run: {error}"),
                },
            }
        }
        claimed.jobs.sort_by_key(|job| (job.run_at, job.id));
        Ok(claimed)
    }

    /// When the next job of each queue is due, for any account.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn next_due(&self) -> Result<NextDue> {
        let mut next = NextDue::default();
        let Some(row) = self.engine_row(NEXT_DUE, params![]).await? else {
            return Ok(next);
        };
        for queue in JobQueue::ALL {
            next.0[queue as usize] = row.of("jobs").opt_time(queue.as_str())?;
        }
        Ok(next)
    }

    /// When there is next something to claim from a queue, but for those that are excluded.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn next_due_without(&self, queue: JobQueue, without: &Excluded) -> Result<Option<Time>> {
        let (sql, params) = next_sql(queue, without);
        let row = self.engine_row(AssertSqlSafe(sql), params).await?;
        row.map_or(Ok(None), |row| row.of("jobs").opt_time("next_at"))
    }

    /// [`NextDue::first`] of [`Store::next_due`].
    ///
    /// # Errors
    /// When the database fails.
    pub async fn next_run_at(&self) -> Result<Option<Time>> {
        Ok(self.next_due().await?.first())
    }

    /// The posts that were due by then and were never claimed.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn overdue_posts(&self, by: Time) -> Result<OverduePosts> {
        let sql = "SELECT COUNT(*) AS overdue_posts, MIN(due_at) AS first_due FROM jobs
            WHERE queue = $1 AND due_at >= 0 AND due_at <= $2 AND kind = $3 AND first_claimed_at IS NULL";
        let kind = JobKind::PublishPost;
        let params = params![JobQueue::of(kind).as_str(), by, kind.as_str()];
        let Some(row) = self.row(sql, params).await? else {
            return Ok(OverduePosts::default());
        };
        let fields = row.of("jobs");
        Ok(OverduePosts {
            count: fields.number("overdue_posts")?,
            first: fields.opt_time("first_due")?,
        })
    }

    /// Keeps claimed jobs until `until`, jobs and their attempts; waits for none whose row another transaction holds.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn renew(
        &self,
        held: &[(JobId, i64)],
        owner: &str,
        until: Time,
        now: Time,
    ) -> Result<RenewedLeases> {
        let mut tx = self.begin_claim().await?;
        let mut renewed = RenewedLeases::default();
        for held in held.chunks(RENEWED_AT_ONCE) {
            let (sql, params) = renew_sql(&tx, held, owner, until, now);
            let rows = tx.rows(AssertSqlSafe(sql), params).await?;
            let kept: Vec<JobId> = read_all(&rows, |row| row.of("jobs").id("id"))?;
            if kept.len() < held.len() {
                let (sql, params) = still_held_sql(held, owner, now);
                // Waits for no lock, and sees what was committed since.
                let rows = tx.rows(AssertSqlSafe(sql), params).await?;
                let ours: Vec<JobId> = read_all(&rows, |row| row.of("jobs").id("id"))?;
                let was_kept: HashSet<JobId> = kept.iter().copied().collect();
                let passed_over = ours.into_iter().filter(|job| !was_kept.contains(job));
                renewed.passed_over.extend(passed_over);
            }
            renewed.kept.extend(kept);
        }
        tx.commit().await?;
        Ok(renewed)
    }

    /// Numbers the next claims of every job as none was before. A database that went back gives out the numbers of the claims again that it
    /// lost; a run under one of those, of a process that goes on, would pass for the run of the later claim. Whatever still runs has lost
    /// its job.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn renumber_claims(&self) -> Result<()> {
        let [first, second, third, fourth] = random_bytes();
        // Not 0, and little enough for a billion times.
        let beyond = i64::from(u32::from_be_bytes([first, second, third, fourth])) + 1;
        let mut tx = self.begin().await?;
        tx.take_long().await?;
        let sql = "UPDATE jobs SET attempt = attempt + $1 WHERE attempt < 4611686018427387904";
        tx.execute(sql, params![beyond]).await?;
        tx.commit().await
    }

    /// Ends every lease of this owner: on jobs, deliveries to webhooks, renewals of tokens. For an owner whose process has ended,
    /// so that nothing waits for the end of its leases.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn end_leases(&self, owner: &str, now: Time) -> Result<()> {
        let mut tx = self.begin().await?;
        let jobs =
            "UPDATE jobs SET due_at = run_at, leased_until = NULL, lease_owner = NULL WHERE lease_owner = $1";
        tx.execute(jobs, params![owner]).await?;
        let deliveries = "UPDATE webhook_deliveries SET due_at = $2, leased_until = NULL, lease_owner = NULL
            WHERE lease_owner = $1 AND state = 'pending'";
        tx.execute(deliveries, params![owner, now]).await?;
        let renewals =
            "UPDATE platforms SET refresh_owner = NULL, refresh_lease_until = NULL WHERE refresh_owner = $1";
        tx.execute(renewals, params![owner]).await?;
        tx.wake_workers();
        tx.commit().await
    }

    /// Ends a job; `false`, and nothing changed, if another worker has taken it over.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn finish(&self, job: &Job) -> Result<bool> {
        let sql = "DELETE FROM jobs WHERE id = $1 AND attempt = $2 AND lease_owner = $3";
        Ok(self.execute(sql, holder(job)).await? > 0)
    }

    /// Gives a job back, to be run again later; `false`, and nothing changed, if another worker has taken it over.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn release(&self, job: &Job, release: Release, now: Time) -> Result<bool> {
        let mut tx = self.begin().await?;
        let released = tx.release_job(job, release, now).await?;
        tx.commit().await?;
        Ok(released)
    }
}

/// Which jobs of a queue may be claimed: all, or during a hold (`delivery/hold.rs`) those that publish nothing.
const CLAIMABLE: &str =
    "(queue = 'housekeeping' OR NOT EXISTS (SELECT 1 FROM instance WHERE id = 1 AND held_at IS NOT NULL))";

/// Nothing is claimed from a database that is behind the pulse that this node has seen: it was put back to an earlier copy, and begins
/// with a hold as soon as it is compared (`worker/keeper.rs` of the service). Nor is anything from one without a pulse: a dump is being
/// loaded into it.
const NOT_BEHIND: &str = "AND $8 <= (SELECT pulse FROM instance WHERE id = 1)";

/// The first entry of each part of the index. During a hold (`delivery/hold.rs`) only what publishes nothing may be claimed.
pub(crate) const NEXT_DUE: &str = "SELECT
    (SELECT due_at FROM jobs WHERE queue = 'start' AND due_at >= 0
        AND NOT EXISTS (SELECT 1 FROM instance WHERE id = 1 AND held_at IS NOT NULL) ORDER BY due_at LIMIT 1) AS start,
    (SELECT due_at FROM jobs WHERE queue = 'upload' AND due_at >= 0
        AND NOT EXISTS (SELECT 1 FROM instance WHERE id = 1 AND held_at IS NOT NULL) ORDER BY due_at LIMIT 1) AS upload,
    (SELECT due_at FROM jobs WHERE queue = 'check' AND due_at >= 0
        AND NOT EXISTS (SELECT 1 FROM instance WHERE id = 1 AND held_at IS NOT NULL) ORDER BY due_at LIMIT 1) AS \"check\",
    (SELECT due_at FROM jobs WHERE queue = 'housekeeping' AND due_at >= 0 ORDER BY due_at LIMIT 1) AS housekeeping";

impl Tx {
    /// Gives a job back if its fence holds.
    pub(crate) async fn release_job(&mut self, job: &Job, release: Release, now: Time) -> Result<bool> {
        let sql = "UPDATE jobs SET run_at = $4, due_at = $4, failures = $5, checks = $6, queue = $7,
            leased_until = NULL, lease_owner = NULL WHERE id = $1 AND attempt = $2 AND lease_owner = $3";
        let released_as = params![
            release.run_at,
            release.failures,
            release.checks,
            release.queue.as_str()
        ];
        let released = self.execute(sql, [holder(job), released_as].concat()).await? > 0;
        match (released, release.queue) {
            (false, _) => {}
            (true, JobQueue::Check) => self.wake_own_worker_for(release.run_at, now),
            // There may be room for it elsewhere.
            (true, JobQueue::Start | JobQueue::Upload | JobQueue::Housekeeping) => {
                self.wake_workers_for(release.run_at, now);
            }
        }
        Ok(released)
    }
}

/// The text of [`Store::claim`], and its parameters. A claim sets `due_at` to the end of its lease: if the node dies, the job is due again
/// then, and another node claims it as it would any other.
pub(crate) fn claim_sql(tx: &Tx, owner: &str, limits: &ClaimLimits<'_>, now: Time) -> (String, Vec<Param>) {
    let skip_locked = tx.skip_locked("j");
    let (queue, until) = (limits.queue.as_str(), now.plus(limits.lease));
    let deadline = now.plus(RETRY_WINDOW);
    let mut params = params![
        now,
        limits.limit,
        owner,
        until,
        queue,
        limits.per_account,
        deadline,
        tx.store().known_pulse()
    ];
    let (not_excluded, excluded) = limits.without.condition(params.len() + 1);
    params.extend(excluded);
    let sql = format!(
        "WITH candidates AS (
            SELECT id, platform_id, due_at FROM jobs WHERE queue = $5 AND due_at <= $1 AND {CLAIMABLE} {NOT_BEHIND} {not_excluded}
            ORDER BY due_at LIMIT {WEIGHED}
        ), turns AS (
            SELECT id AS turn_id, due_at AS turn_at,
                ROW_NUMBER() OVER (PARTITION BY platform_id ORDER BY due_at, id) AS turn
            FROM candidates
        ), shortlist AS (
            SELECT turn_id, turn, turn_at FROM turns WHERE turn <= $6
            ORDER BY turn, turn_at, turn_id LIMIT $2 * {SHORTLISTED}
        ), picked AS (
            SELECT j.id AS picked_id FROM shortlist JOIN jobs j ON j.id = turn_id
            WHERE j.due_at <= $1 ORDER BY turn, turn_at, j.id LIMIT $2 {skip_locked}
        )
        UPDATE jobs SET attempt = {NEXT_ATTEMPT}, lease_owner = $3, leased_until = $4, due_at = $4,
            deadline_at = CASE WHEN first_claimed_at IS NULL AND post_id IS NOT NULL THEN $7 ELSE deadline_at END,
            first_claimed_at = COALESCE(first_claimed_at, $1)
        WHERE id IN (SELECT picked_id FROM picked)
        RETURNING {JOB_COLUMNS}"
    );
    (sql, params)
}

/// The text of what renews these leases in [`Store::renew`], and its parameters. Like a claim it passes over locked rows, and judges the
/// others as they are once they are locked.
pub(crate) fn renew_sql(
    tx: &Tx,
    held: &[(JobId, i64)],
    owner: &str,
    until: Time,
    now: Time,
) -> (String, Vec<Param>) {
    let (ours, mut params) = ours_sql(held, owner, now);
    params.extend(params![until]);
    let (skip_locked, until) = (tx.skip_locked("j"), params.len());
    let sql = format!(
        "WITH {ours} {skip_locked})
        UPDATE jobs SET leased_until = ${until}, due_at = ${until} WHERE id IN (SELECT our_id FROM ours) RETURNING id"
    );
    (sql, params)
}

/// The text of what finds which of these leases are still ours, and its parameters.
pub(crate) fn still_held_sql(held: &[(JobId, i64)], owner: &str, now: Time) -> (String, Vec<Param>) {
    let (ours, params) = ours_sql(held, owner, now);
    (
        format!("WITH {ours}) SELECT DISTINCT our_id AS id FROM ours"),
        params,
    )
}

/// `ours`, up to its closing bracket: which of these jobs this owner holds, under these attempts and a lease that is not over. There are few
/// lengths of lists, as of [`padded`].
fn ours_sql(held: &[(JobId, i64)], owner: &str, now: Time) -> (String, Vec<Param>) {
    let length = held.len().next_power_of_two();
    let repeated = held.iter().chain(held.last().into_iter().cycle()).take(length);
    let mut params: Vec<Param> = repeated
        .flat_map(|(job, attempt)| params![*job, *attempt])
        .collect();
    params.extend(params![owner, now]);
    let (pairs, owner, now) = (placeholders(length, 2), params.len() - 1, params.len());
    let sql = format!(
        "held (held_id, held_attempt) AS (VALUES {pairs}),
        ours AS (SELECT j.id AS our_id FROM held JOIN jobs j ON j.id = held_id AND j.attempt = held_attempt
            WHERE j.lease_owner = ${owner} AND j.leased_until > ${now}"
    );
    (sql, params)
}

/// The text of [`Store::next_due_without`], and its parameters.
pub(crate) fn next_sql(queue: JobQueue, without: &Excluded) -> (String, Vec<Param>) {
    let (not_excluded, excluded) = without.condition(2);
    let sql = format!(
        "SELECT due_at AS next_at FROM jobs WHERE queue = $1 AND due_at >= 0 {not_excluded} ORDER BY due_at LIMIT 1"
    );
    (sql, [params![queue.as_str()], excluded].concat())
}

/// What [`read_job`] reads.
pub(crate) const JOB_COLUMNS: &str =
    "id, kind, queue, workspace_id, post_id, platform_id, run_at, COALESCE(planned_at, run_at) AS planned_at,
    first_claimed_at, asked_at, lease_owner, attempt, failures, checks, deadline_at";

pub(crate) fn read_job(row: &Row) -> Result<Job> {
    let fields = row.of("jobs");
    Ok(Job {
        id: fields.id("id")?,
        kind: fields.word("kind", JobKind::parse)?,
        queue: fields.word("queue", JobQueue::parse)?,
        workspace_id: fields.id("workspace_id")?,
        post_id: fields.opt_id("post_id")?,
        platform_id: fields.id("platform_id")?,
        run_at: fields.time("run_at")?,
        planned_at: fields.time("planned_at")?,
        first_claimed_at: fields.opt_time("first_claimed_at")?,
        asked_at: fields.opt_time("asked_at")?,
        lease_owner: fields.get("lease_owner")?,
        attempt: fields.get("attempt")?,
        failures: fields.number("failures")?,
        checks: fields.number("checks")?,
        deadline_at: fields.time("deadline_at")?,
    })
}

/// A job of which [`read_job`] cannot read all, if whose it is and who holds it can be read.
fn read_damaged_job(row: &Row, now: Time) -> Result<Job> {
    let fields = row.of("jobs");
    let kind = fields.word("kind", JobKind::parse)?;
    let run_at = fields.time("run_at").unwrap_or(now);
    Ok(Job {
        id: fields.id("id")?,
        kind,
        queue: JobQueue::of(kind),
        workspace_id: fields.id("workspace_id")?,
        post_id: fields.opt_id("post_id")?,
        platform_id: fields.id("platform_id")?,
        run_at,
        planned_at: fields.time("planned_at").unwrap_or(run_at),
        first_claimed_at: fields.opt_time("first_claimed_at").unwrap_or_default(),
        asked_at: fields.opt_time("asked_at").unwrap_or_default(),
        lease_owner: fields.get("lease_owner")?,
        attempt: fields.get("attempt")?,
        failures: fields.number("failures").unwrap_or_default(),
        checks: fields.number("checks").unwrap_or_default(),
        deadline_at: fields.time("deadline_at").unwrap_or(now),
    })
}
