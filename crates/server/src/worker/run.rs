//! The loop: claim due jobs under a lease, run each in a task of its own, renew the leases of what runs, wait for
//! the next due time or a signal. Stopping claims nothing more and lets what runs finish.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use playout_domain::id::{JobId, PostId};
use playout_domain::job::{Job, JobKind};
use playout_domain::time::Time;
use playout_store::{ClaimLimits, LOOK_EVERY, Start, StoreError};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::{comment, internal, link, publish, refresh};
use crate::app::{App, AppError};
use crate::identity::Fit;
use crate::outage::Outage;

/// Leases are renewed at this part of their length.
const RENEW_AT: u32 = 3;

/// What the log says after an outage.
const WORKS_AGAIN: &str = "work is claimed again; posts that were due meanwhile go out now, unless their workspace wants to be asked first";

/// The engine of one node.
pub struct Worker {
    app: Arc<App>,
    running: Arc<Running>,
}

/// What runs right now: the fence of each job.
#[derive(Default)]
struct Running {
    jobs: Mutex<HashMap<JobId, i64>>,
    changed: Notify,
}

/// How long to wait where something is due and cannot be claimed: it has just become due, or another transaction holds it. It is
/// time for the database, not the service's own: the clock may stand still in a test.
#[derive(Default)]
struct Held(Duration);

impl Held {
    /// Not at all at first, in the end a tenth of a second: what else becomes due waits no longer.
    fn next(&mut self) -> Duration {
        let next = self.0;
        self.0 = (2 * next).clamp(Duration::from_millis(5), Duration::from_millis(100));
        next
    }
}

impl Worker {
    /// An engine for `app`.
    pub fn new(app: Arc<App>) -> Self {
        Self {
            app,
            running: Arc::default(),
        }
    }

    /// Runs until `stop`, then until everything that was begun has ended: no submission is cut in the middle.
    pub async fn run(self, stop: CancellationToken) {
        let renewing = tokio::spawn(renew_leases(Arc::clone(&self.app), Arc::clone(&self.running)));
        let mut outage = Outage::of("no work can be claimed, and posts wait");
        let mut held = Held::default();
        while !stop.is_cancelled() {
            self.app.heart.beat(self.app.now());
            if self.app.identity.fit() != Fit::Fits {
                self.app.heart.looked(true);
                self.wait_to_fit(&stop).await;
                continue;
            }
            let claimed = self.claim().await;
            self.app.heart.looked(claimed.is_ok());
            match claimed {
                Ok(claimed) => {
                    outage.is_over(self.app.now(), WORKS_AGAIN);
                    match claimed {
                        0 => self.wait(&stop, &mut held).await,
                        _ => held = Held::default(),
                    }
                }
                Err(error) => {
                    outage.goes_on(self.app.now(), &error);
                    self.pause(Duration::from_secs(1), &stop).await;
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
            () = self.app.clock.sleep_until(self.app.now().plus(LOOK_EVERY)) => {}
        }
    }

    /// Claims as much as there is room for, and starts it.
    async fn claim(&self) -> Result<usize, StoreError> {
        let room = self
            .app
            .config
            .worker_concurrency
            .saturating_sub(self.running.count());
        if room == 0 {
            return Ok(0);
        }
        let limits = ClaimLimits {
            limit: u32::try_from(room).unwrap_or(u32::MAX),
            lease: self.app.config.worker_lease,
        };
        let jobs = self
            .app
            .store
            .claim(&self.app.node.name, &limits, self.app.now())
            .await?;
        let claimed = jobs.len();
        let mut known = self.look_up(&jobs).await;
        for job in jobs {
            let known = job.post_id.and_then(|post| known.remove(&post));
            self.start(job, known);
        }
        Ok(claimed)
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
        let (app, running) = (Arc::clone(&self.app), Arc::clone(&self.running));
        let heart = Arc::clone(&app);
        running.add(&job);
        app.heart.set_running(running.count());
        tokio::spawn(async move {
            let (id, attempt) = (job.id, job.attempt);
            // A panic must free the slot too: its own task, awaited here.
            let outcome = tokio::spawn(run_job(Arc::clone(&app), job.clone(), known)).await;
            let failure = match outcome {
                Ok(Ok(())) => None,
                Ok(Err(error)) => Some(format!("failed inside: {error}")),
                Err(error) => Some(format!("panicked: {error}")),
            };
            if let Some(failure) = failure {
                note_failure(&app, &job, &failure).await;
            }
            running.remove(id, attempt);
            heart.heart.set_running(running.count());
        });
    }

    /// Waits for a signal, room, the next due time, the poll or the stop: whatever comes first.
    async fn wait(&self, stop: &CancellationToken, held: &mut Held) {
        let signal = self.app.store.job_signal();
        let signalled = signal.notified();
        let room = self.running.changed.notified();
        let full = self.running.count() >= self.app.config.worker_concurrency;
        if full {
            // Full for long, the engine still shows that it lives.
            tokio::select! {
                () = stop.cancelled() => {}
                () = room => {}
                () = self.app.clock.sleep_until(self.app.now().plus(LOOK_EVERY)) => {}
            }
            return;
        }
        let until = self.next_look().await;
        if until <= self.app.now() {
            tokio::select! {
                () = stop.cancelled() => {}
                () = signalled => {}
                () = tokio::time::sleep(held.next()) => {}
            }
            return;
        }
        *held = Held::default();
        tokio::select! {
            () = stop.cancelled() => {}
            () = signalled => {}
            () = room => {}
            () = self.app.clock.sleep_until(until) => {}
        }
    }

    /// When to look again. The clock is read once the database has answered: set back meanwhile, it would make the engine
    /// sleep through all the time that it was fast.
    async fn next_look(&self) -> Time {
        let next = match self.app.store.next_run_at().await {
            Ok(next) => next,
            Err(error) => {
                tracing::error!("could not ask when the next job is due: {error}");
                None
            }
        };
        let poll = self.app.now().plus(LOOK_EVERY);
        next.map_or(poll, |next| next.min(poll))
    }

    async fn pause(&self, duration: Duration, stop: &CancellationToken) {
        tokio::select! {
            () = stop.cancelled() => {}
            () = self.app.clock.sleep_until(self.app.now().plus(duration)) => {}
        }
    }

    async fn drain(&self) {
        loop {
            let changed = self.running.changed.notified();
            match self.running.count() {
                0 => return,
                left => tracing::info!(left, "stopping: {left} jobs still run"),
            }
            changed.await;
        }
    }
}

async fn note_failure(app: &Arc<App>, job: &Job, failure: &str) {
    let id = job.id;
    match internal::after_failure(app, job).await {
        Ok(true) => tracing::error!(job = %id, "job {id} {failure}"),
        Ok(false) => tracing::info!(job = %id, "job {id} was taken over or deleted, and {failure}"),
        // The lease stays until it ends; then the job is claimed again and recovers from what is stored.
        Err(error) => {
            tracing::error!(job = %id, "job {id} {failure}");
            tracing::error!(job = %id, "that job {id} failed could not be noted: {error}");
        }
    }
}

async fn run_job(app: Arc<App>, job: Job, known: Option<Start>) -> Result<(), AppError> {
    match job.kind {
        JobKind::PublishPost => Box::pin(publish::run(&app, &job, known)).await,
        JobKind::PublishComment => comment::run(&app, &job).await,
        JobKind::ResolveLink => link::run(&app, &job).await,
        JobKind::RefreshPlatform => refresh::run(&app, &job).await,
    }
}

async fn renew_leases(app: Arc<App>, running: Arc<Running>) {
    let lease = app.config.worker_lease;
    loop {
        let now = app.now();
        app.clock.sleep_until(now.plus(lease / RENEW_AT)).await;
        let jobs = running.list();
        if jobs.is_empty() {
            continue;
        }
        let now = app.now();
        match app.store.renew(&jobs, &app.node.name, now.plus(lease), now).await {
            Ok(kept) if kept.len() < jobs.len() => {
                tracing::warn!(
                    "{} leases were lost; their jobs will change nothing more",
                    jobs.len() - kept.len()
                );
            }
            Ok(_) => {}
            Err(error) => tracing::error!("could not renew leases: {error}"),
        }
    }
}

impl Running {
    fn add(&self, job: &Job) {
        self.lock().insert(job.id, job.attempt);
    }

    fn remove(&self, id: JobId, attempt: i64) {
        let mut jobs = self.lock();
        if jobs.get(&id) == Some(&attempt) {
            jobs.remove(&id);
        }
        drop(jobs);
        self.changed.notify_waiters();
        self.changed.notify_one();
    }

    fn count(&self) -> usize {
        self.lock().len()
    }

    fn list(&self) -> Vec<(JobId, i64)> {
        self.lock().iter().map(|(id, attempt)| (*id, *attempt)).collect()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<JobId, i64>> {
        self.jobs
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
