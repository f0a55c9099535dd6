//! The loop: claim due jobs under a lease as far as the budgets of their queues go, run each in a task of its own, renew the leases of
//! what runs, wait for the next due time or a signal. Stopping claims nothing more and lets what runs finish.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use playout_domain::explanation::INTERNAL_FAILURE;
use playout_domain::id::{JobId, PostId};
use playout_domain::job::{Job, JobKind, JobQueue};
use playout_domain::provider::ProviderError;
use playout_domain::time::Time;
use playout_store::{ClaimLimits, Excluded, NextDue, POLL_EVERY, Start, StoreError, UnreadableJob};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::overdue::log_overdue;
use super::{comment, internal, link, publish, refresh};
use crate::app::{App, AppError};
use crate::identity::Fit;
use crate::logs::{in_full, log_failure};
use crate::outage::Outage;

/// Leases are renewed at this part of their length, and so often at least: until then nothing shows that one is lost.
const RENEW_AT: u32 = 3;
const RENEW_EVERY: Duration = Duration::from_secs(20);

/// Where another transaction held rows of their jobs, they are renewed again after this part of their length.
const RENEW_AGAIN_AT: u32 = 12;

/// After which time the database is asked again where it has failed.
const AGAIN_AFTER: Duration = Duration::from_secs(1);

/// The log line after an outage.
const WORKS_AGAIN: &str = "work is claimed again; posts that were due meanwhile are published now, unless publications are held or their workspace wants to be asked first";

/// The engine of one node.
pub struct Worker {
    app: Arc<App>,
}

/// What a look for work has led to.
enum Polled {
    /// There was some, and it runs.
    Claimed,
    /// There was none that may run now; then to look again, unless something happens before.
    Nothing(Time),
}

/// How long to wait where something is due and cannot be claimed: it has just become due, or another transaction holds it. It is
/// time for the database, not the service's own: the clock may stand still in a test.
#[derive(Default)]
struct Backoff(Duration);

impl Backoff {
    /// Not at all at first, in the end a tenth of a second: what else becomes due waits no longer.
    fn next(&mut self) -> Duration {
        let next = self.0;
        self.0 = (2 * next).clamp(Duration::from_millis(5), Duration::from_millis(100));
        next
    }
}

impl Worker {
    /// An engine for `app`.
    pub const fn new(app: Arc<App>) -> Self {
        Self { app }
    }

    /// Runs until `stop`, then until everything that was begun has ended: no submission is cut in the middle.
    pub async fn run(self, stop: CancellationToken) {
        let renewing = tokio::spawn(renew_leases(Arc::clone(&self.app)));
        let mut outage = Outage::of("no work can be claimed, and posts wait");
        let mut held = Backoff::default();
        let (mut claimed_at, mut has_begun) = (None, false);
        while !stop.is_cancelled() {
            self.app.heart.beat(self.app.now());
            if self.app.identity.fit() != Fit::Fits {
                self.app.heart.looked(true);
                self.wait_to_fit(&stop).await;
                continue;
            }
            if !std::mem::replace(&mut has_begun, true) {
                log_overdue(&self.app).await;
            }
            let looked = self.look(&mut claimed_at).await;
            self.app.heart.looked(looked.is_ok());
            match looked {
                Ok(looked) => {
                    outage.is_over(self.app.now(), WORKS_AGAIN);
                    match looked {
                        Polled::Claimed => held = Backoff::default(),
                        Polled::Nothing(until) => self.wait(until, &stop, &mut held).await,
                    }
                }
                Err(error) => {
                    outage.goes_on(self.app.now(), &error);
                    pause(&stop).await;
                }
            }
        }
        self.drain().await;
        renewing.abort();
    }

    /// Nothing is claimed by a node that does not belong to its database.
    async fn wait_to_fit(&self, stop: &CancellationToken) {
        tokio::select! {
            () = stop.cancelled() => {}
            () = self.app.identity.fits() => {}
            () = self.app.clock.sleep_until(self.app.now().plus(POLL_EVERY)) => {}
        }
    }

    /// Claims from each queue of which something is due as much as there is room for, and starts it. A claim waits for others who write,
    /// so none is made in vain, but for one in [`POLL_EVERY`] at most: that this can be done is what readiness means.
    async fn look(&self, claimed_at: &mut Option<Instant>) -> Result<Polled, StoreError> {
        let is_due = |next: &NextDue, queue| next.of(queue).is_some_and(|next| next <= self.app.now());
        let mut next = self.app.store.next_due().await?;
        let is_tried = claimed_at.is_some_and(|claimed_at| claimed_at.elapsed() < POLL_EVERY);
        let (mut claimed, mut has_asked) = (0, false);
        for queue in JobQueue::ALL {
            if is_due(&next, queue) || (queue == JobQueue::Start && !is_tried) {
                claimed += self.claim(queue).await?;
                has_asked = true;
            }
        }
        if has_asked {
            *claimed_at = Some(Instant::now());
            // Runs that ended meanwhile have given their jobs back.
            next = self.app.store.next_due().await?;
        }
        self.app.slots.have_claimed(is_due(&next, JobQueue::Upload));
        if claimed > 0 {
            return Ok(Polled::Claimed);
        }
        let mut first: Option<Time> = None;
        for queue in JobQueue::ALL {
            let claimable = match is_due(&next, queue) {
                true => self.next_claimable(queue, next.of(queue)).await?,
                false => next.of(queue),
            };
            first = first.into_iter().chain(claimable).min();
        }
        // The clock is read once the database has answered: set back meanwhile, it would make the engine sleep through all the
        // time that it was fast.
        let poll = self.app.now().plus(POLL_EVERY);
        Ok(Polled::Nothing(first.map_or(poll, |first| first.min(poll))))
    }

    /// Claims from a queue as much as there is room for, and starts it.
    async fn claim(&self, queue: JobQueue) -> Result<usize, StoreError> {
        for offer in self.app.slots.offers(queue) {
            let limits = ClaimLimits {
                queue,
                limit: u32::try_from(offer.limit).unwrap_or(u32::MAX),
                per_account: u32::try_from(offer.per_account).unwrap_or(u32::MAX),
                without: &offer.without,
                lease: self.app.config.worker_lease,
            };
            let (store, now) = (&self.app.store, self.app.now());
            let leased_until = now.plus(limits.lease);
            let claimed = store.claim(&self.app.node.name, &limits, now).await?;
            let count = claimed.jobs.len() + claimed.unreadable.len();
            if count == 0 {
                continue;
            }
            for job in &claimed.jobs {
                self.app.slots.add(job, leased_until);
            }
            for unreadable in claimed.unreadable {
                self.app.slots.add(&unreadable.job, leased_until);
                self.fail(unreadable);
            }
            let mut known = self.look_up(&claimed.jobs).await;
            for job in claimed.jobs {
                let known = job.post_id.and_then(|post| known.remove(&post));
                self.start(job, known);
            }
            return Ok(count);
        }
        Ok(0)
    }

    /// When there is next something to claim from a queue of which something is due: what is due may be of those that have all
    /// they may have, and wait for that to end.
    async fn next_claimable(&self, queue: JobQueue, next: Option<Time>) -> Result<Option<Time>, StoreError> {
        let mut first: Option<Time> = None;
        for offer in self.app.slots.offers(queue) {
            let claimable = match offer.without == Excluded::default() {
                true => next,
                false => self.app.store.next_due_without(queue, &offer.without).await?,
            };
            first = first.into_iter().chain(claimable).min();
        }
        Ok(first)
    }

    /// What is known of posts that are to be handed over, where several are. What is missing here, one post alone or all of
    /// them after a failure, is looked up by its own run.
    async fn look_up(&self, jobs: &[Job]) -> HashMap<PostId, Start> {
        let begins = |job: &&Job| job.kind == JobKind::PublishPost && job.checks == 0;
        let posts: Vec<PostId> = jobs.iter().filter(begins).filter_map(|job| job.post_id).collect();
        match posts.len() {
            0 | 1 => HashMap::new(),
            _ => self.app.store.find_starts(&posts).await.unwrap_or_default(),
        }
    }

    fn start(&self, job: Job, known: Option<Start>) {
        let app = Arc::clone(&self.app);
        app.heart.set_running(app.slots.count());
        tokio::spawn(async move {
            let _slot = SlotGuard::new(&app, &job);
            // A task of its own, so that a panic in the run is a failure like any other.
            let outcome = tokio::spawn(run_job(Arc::clone(&app), job.clone(), known)).await;
            let failure = match outcome {
                Ok(Ok(())) => return,
                Ok(Err(error)) if error.is_passing() => Failure {
                    is_passing: true,
                    ..Failure::lasting(format!("is repeated: {}", in_full(&error)))
                },
                Ok(Err(error)) => Failure {
                    explained: internal::explained(&error),
                    ..Failure::lasting(format!("failed inside: {}", in_full(&error)))
                },
                Err(error) => Failure::lasting(format!("panicked: {error}")),
            };
            note_failure(&app, &job, failure).await;
        });
    }

    /// A job whose row cannot be read does not run, and has failed inside like one whose post cannot be read.
    fn fail(&self, unreadable: UnreadableJob) {
        let app = Arc::clone(&self.app);
        app.heart.set_running(app.slots.count());
        tokio::spawn(async move {
            let UnreadableJob { job, error } = unreadable;
            let _slot = SlotGuard::new(&app, &job);
            let failure = Failure::lasting(format!("failed inside: {}", in_full(&error)));
            note_failure(&app, &job, failure).await;
        });
    }

    /// Waits for a signal, room, that time or the stop: whatever comes first.
    async fn wait(&self, until: Time, stop: &CancellationToken, held: &mut Backoff) {
        let signal = self.app.store.job_signal();
        if until <= self.app.now() {
            tokio::select! {
                () = stop.cancelled() => {}
                () = signal.notified() => {}
                () = tokio::time::sleep(held.next()) => {}
            }
            return;
        }
        *held = Backoff::default();
        tokio::select! {
            () = stop.cancelled() => {}
            () = signal.notified() => {}
            () = self.app.slots.freed() => {}
            () = self.app.clock.sleep_until(until) => {}
        }
    }

    async fn drain(&self) {
        loop {
            let changed = self.app.slots.freed();
            match self.app.slots.count() {
                0 => return,
                left => tracing::info!(left, "stopping: {left} jobs still run"),
            }
            changed.await;
        }
    }
}

/// Waits before the database is asked again after it has failed. As with [`Backoff`] it is time for the database.
async fn pause(stop: &CancellationToken) {
    tokio::select! {
        () = stop.cancelled() => {}
        () = tokio::time::sleep(AGAIN_AFTER) => {}
    }
}

/// Frees the slot of a run when it is dropped, however the run and the handling of its failure ended: a job that keeps its slot has
/// its lease renewed and is never claimed again.
struct SlotGuard {
    app: Arc<App>,
    job: JobId,
    attempt: i64,
}

impl SlotGuard {
    fn new(app: &Arc<App>, job: &Job) -> Self {
        Self {
            app: Arc::clone(app),
            job: job.id,
            attempt: job.attempt,
        }
    }
}

impl Drop for SlotGuard {
    fn drop(&mut self) {
        self.app.slots.remove(self.job, self.attempt);
        self.app.heart.set_running(self.app.slots.count());
    }
}

/// A run that failed.
struct Failure {
    /// How, for the log.
    what: String,
    /// What its post says of it.
    explained: ProviderError,
    /// Whether the next run may succeed without anything being mended.
    is_passing: bool,
}

impl Failure {
    fn lasting(what: String) -> Self {
        Self {
            what,
            explained: INTERNAL_FAILURE.error(),
            is_passing: false,
        }
    }
}

/// Logs a failure, and settles the job with it.
async fn note_failure(app: &Arc<App>, job: &Job, failure: Failure) {
    let (step, id) = (step(job), job.id);
    let (account, workspace) = (job.platform_id, job.workspace_id);
    let post = job.post_id.map(tracing::field::display);
    let Failure {
        what,
        explained,
        is_passing,
    } = failure;
    let noting = {
        let (app, job) = (Arc::clone(app), job.clone());
        // A task of its own: a panic here is logged, and the lease ends as after any other failure to note one.
        tokio::spawn(async move { internal::after_failure(&app, &job, &explained).await })
    };
    let noted = noting.await.map_err(AppError::from).flatten();
    match &noted {
        Ok(false) => tracing::info!(
            post, %account, %workspace, job = %id,
            "{step} {what}; the job was taken over or deleted meanwhile"
        ),
        _ if is_passing => tracing::warn!(post, %account, %workspace, job = %id, "{step} {what}"),
        _ => tracing::error!(post, %account, %workspace, job = %id, "{step} {what}"),
    }
    // The lease stays until it ends; then the job is claimed again and recovers from what is stored.
    match noted {
        Ok(_) => {}
        Err(error) => {
            log_failure!(error, job = %id, "that job {id} failed could not be noted: {}", in_full(&error));
        }
    }
}

/// What a run does, for the log.
fn step(job: &Job) -> String {
    let post = job
        .post_id
        .map_or_else(|| "no post".to_owned(), |post| format!("post {post}"));
    let account = job.platform_id;
    match (job.kind, job.queue) {
        (JobKind::PublishPost, JobQueue::Upload) => format!("sending the media of {post}"),
        (JobKind::PublishPost, JobQueue::Check) => format!("asking what became of {post}"),
        (JobKind::PublishPost, _) => format!("handing over {post}"),
        (JobKind::PublishComment, _) => format!("writing the comment {post}"),
        (JobKind::ResolveLink, _) => format!("looking for the public address of {post}"),
        (JobKind::RefreshPlatform, _) => format!("renewing the access of account {account}"),
    }
}

async fn run_job(app: Arc<App>, job: Job, known: Option<Start>) -> Result<(), AppError> {
    let end = match job.kind {
        JobKind::PublishPost => Box::pin(publish::run(&app, &job, known)).await?,
        JobKind::PublishComment => comment::run(&app, &job).await?,
        JobKind::ResolveLink => link::run(&app, &job).await?,
        JobKind::RefreshPlatform => refresh::run(&app, &job).await?,
    };
    end.write(&app, &job).await
}

async fn renew_leases(app: Arc<App>) {
    let lease = app.config.worker_lease;
    let mut next = app.now().plus(pause_of(lease));
    loop {
        app.clock.sleep_until(next).await;
        let begun = app.now();
        let pause = renew_once(&app, begun).await;
        // The clock may have been set back meanwhile: a sleep until a time that it gave before would be too long.
        next = app.now().min(begun).plus(pause);
    }
}

/// For how long a run may send without the database, however long its lease is: a search after the database went back waits two minutes for
/// what is being sent (`docs/backup.md`).
const LONGEST_UNRENEWED: Duration = Duration::from_secs(60);

/// Renews the leases of what runs; returns after which time that is to be done again. What holds its job no longer can write nothing any more, and
/// must send nothing: another run of the job, or a search after the database went back, takes for granted that it does not. Where the
/// database cannot be reached a lease ends by this node's clock.
async fn renew_once(app: &App, now: Time) -> Duration {
    let lease = app.config.worker_lease;
    let jobs = app.slots.list();
    if jobs.is_empty() {
        return pause_of(lease);
    }
    let until = now.plus(lease);
    let renewed = app.store.renew(&jobs, &app.node.name, until, now).await;
    let lost: Vec<(JobId, i64)> = match &renewed {
        Ok(renewed) => {
            app.slots.renew(&renewed.kept, until);
            let is_lost = |id: &JobId| !renewed.kept.contains(id) && !renewed.passed_over.contains(id);
            jobs.into_iter().filter(|(id, _)| is_lost(id)).collect()
        }
        Err(error) => {
            log_failure!(error, "could not renew leases: {error}");
            let ends_early = lease.saturating_sub(LONGEST_UNRENEWED);
            app.slots.expired(app.now().plus(ends_early))
        }
    };
    if !lost.is_empty() {
        tracing::warn!(
            "{} leases were lost; what still runs under them sends no media any more",
            lost.len()
        );
        lost.iter()
            .for_each(|(id, attempt)| app.slots.give_up(*id, *attempt));
    }
    match renewed.is_ok_and(|renewed| renewed.passed_over.is_empty()) {
        true => pause_of(lease),
        false => (lease / RENEW_AGAIN_AT).min(RENEW_EVERY),
    }
}

fn pause_of(lease: Duration) -> Duration {
    (lease / RENEW_AT).min(RENEW_EVERY)
}
