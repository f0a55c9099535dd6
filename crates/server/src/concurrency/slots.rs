//! How much the engine of a node does at once. Each queue of jobs has a budget of its own, and an account and a workspace have no
//! more than a share of it, so that what is slow, or has no answer, delays nothing else: neither another kind of work nor another
//! account. Beyond the budget, an account of which nothing runs may have its first job.
//!
//! What may not run now is not claimed: a claim names those that have their share. A post that was handed over moves from the
//! budget of starts to that of uploads within its run; where that has no room for long, the run gives its job back.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use playout_domain::id::{JobId, PlatformId, WorkspaceId};
use playout_domain::job::{Job, JobQueue};
use playout_domain::time::Time;
use playout_store::Excluded;
use tokio::sync::Notify;
use tokio::sync::futures::Notified;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

/// How long a run waits for room to upload: with many small files, room comes within that. Giving a job back and claiming it again
/// costs more.
const PATIENCE: Duration = Duration::from_millis(250);

/// How many jobs of a queue run at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Budget {
    /// In all. With the first of each account, twice as many.
    total: usize,
    /// Of one account.
    per_account: usize,
    /// Of one workspace.
    per_workspace: usize,
    /// Of one workspace with the first of each of its accounts: never all.
    per_workspace_with_first: usize,
}

impl Budget {
    const fn of(queue: JobQueue, concurrency: usize) -> Self {
        let total = match queue {
            JobQueue::Start | JobQueue::Upload | JobQueue::Check => concurrency,
            JobQueue::Housekeeping => concurrency.div_ceil(4),
        };
        let per_workspace = if total == 1 { 1 } else { total * 3 / 4 };
        let all_but_one = 2 * total - 1;
        Self {
            total,
            per_account: total.div_ceil(4),
            per_workspace,
            per_workspace_with_first: if 2 * per_workspace < all_but_one {
                2 * per_workspace
            } else {
                all_but_one
            },
        }
    }

    /// How many of one account are claimed in one go. An account that has more room than that cannot get more than its share.
    const fn account_step(self) -> usize {
        self.per_account.div_ceil(2)
    }

    /// A workspace with less room than that is excluded from claims, so that the others can be claimed for in larger steps.
    const fn workspace_step(self) -> usize {
        self.per_workspace.div_ceil(4)
    }
}

/// The most files and sockets that jobs of such an engine hold: each a connection, and uploads a file.
pub(crate) fn most_descriptors(concurrency: usize) -> usize {
    let of = |queue| {
        let each = if queue == JobQueue::Upload { 2 } else { 1 };
        2 * each * Budget::of(queue, concurrency).total
    };
    JobQueue::ALL.into_iter().map(of).sum()
}

/// What may be claimed from a queue now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// At most so many jobs.
    pub limit: usize,
    /// At most so many of one account.
    pub per_account: usize,
    /// None of these.
    pub without: Excluded,
}

/// The jobs that this process runs, and the budgets they take from.
#[derive(Debug)]
pub struct Slots {
    concurrency: usize,
    state: Mutex<State>,
    freed: Notify,
}

#[derive(Debug, Default)]
struct State {
    jobs: HashMap<JobId, Running>,
    /// Runs that wait for room to upload, the oldest first.
    waiting: VecDeque<Waiting>,
    /// Whether jobs that were given back wait in the database for room to upload; they and `waiting` take turns.
    has_backlog: bool,
    is_turn_of_backlog: bool,
}

#[derive(Debug)]
struct Running {
    attempt: i64,
    account: PlatformId,
    workspace: WorkspaceId,
    /// Whose budget it takes from; none while it waits for room to upload.
    queue: Option<JobQueue>,
    /// Until when this process holds the job, by its own clock.
    leased_until: Time,
    /// Cancelled when it holds the job no longer.
    given_up: CancellationToken,
}

#[derive(Debug)]
struct Waiting {
    job: JobId,
    granted: oneshot::Sender<()>,
}

/// How much of a queue's budget is taken.
#[derive(Debug, Default)]
struct Usage {
    total: usize,
    accounts: HashMap<PlatformId, usize>,
    workspaces: HashMap<WorkspaceId, usize>,
}

impl Usage {
    fn add(&mut self, running: &Running) {
        self.total += 1;
        *self.accounts.entry(running.account).or_default() += 1;
        *self.workspaces.entry(running.workspace).or_default() += 1;
    }

    fn has_room(&self, budget: Budget, running: &Running) -> bool {
        let of_account = self.accounts.get(&running.account).copied().unwrap_or(0);
        let of_workspace = self.workspaces.get(&running.workspace).copied().unwrap_or(0);
        let is_within = self.total < budget.total
            && of_account < budget.per_account
            && of_workspace < budget.per_workspace;
        let is_first = of_account == 0
            && self.total < 2 * budget.total
            && of_workspace < budget.per_workspace_with_first;
        is_within || is_first
    }

    fn accounts_above(&self, most: usize) -> Vec<PlatformId> {
        let above = self.accounts.iter().filter(|(_, count)| **count > most);
        above.map(|(account, _)| *account).collect()
    }

    fn workspaces_above(&self, most: usize) -> Vec<WorkspaceId> {
        let above = self.workspaces.iter().filter(|(_, count)| **count > most);
        above.map(|(workspace, _)| *workspace).collect()
    }
}

impl State {
    fn usage(&self, queue: JobQueue) -> Usage {
        let mut usage = Usage::default();
        for running in self.jobs.values().filter(|running| running.queue == Some(queue)) {
            usage.add(running);
        }
        usage
    }

    /// Lets those begin to upload that wait for it and for which there is room.
    fn grant(&mut self, budget: Budget) {
        if self.waiting.is_empty() {
            return;
        }
        let mut usage = self.usage(JobQueue::Upload);
        let (jobs, waiting) = (&mut self.jobs, std::mem::take(&mut self.waiting));
        for one in waiting {
            let Some(running) = jobs.get_mut(&one.job) else {
                continue;
            };
            match usage.has_room(budget, running) {
                true => {
                    running.queue = Some(JobQueue::Upload);
                    usage.add(running);
                    // A waiter whose time has just run out finds that it is granted.
                    let _ = one.granted.send(());
                }
                false => self.waiting.push_back(one),
            }
        }
    }
}

impl Slots {
    /// Budgets for an engine of that `worker_concurrency`.
    pub fn new(concurrency: usize) -> Self {
        Self {
            concurrency,
            state: Mutex::default(),
            freed: Notify::new(),
        }
    }

    /// What may be claimed from a queue now; where nothing is due within the first, the second may have something.
    pub fn offers(&self, queue: JobQueue) -> Vec<Offer> {
        let budget = Budget::of(queue, self.concurrency);
        let (usage, busy) = {
            let state = self.lock();
            (state.usage(queue), self.busy(&state, queue))
        };
        // However few accounts and workspaces are behind it, a claim takes no more than each of them may have.
        let offer = |total: usize, per_account, mut accounts: Vec<PlatformId>, per_workspace: usize| {
            accounts.extend(&busy);
            accounts.sort_unstable();
            accounts.dedup();
            let most = per_workspace - budget.workspace_step();
            let of_others = usage.workspaces.values().filter(|count| **count <= most);
            Offer {
                limit: (total - usage.total).min(per_workspace - of_others.max().copied().unwrap_or(0)),
                per_account,
                without: Excluded {
                    accounts,
                    workspaces: usage.workspaces_above(most),
                },
            }
        };
        let step = budget.account_step();
        let mut offers = Vec::new();
        if usage.total < budget.total {
            let full = usage.accounts_above(budget.per_account - step);
            offers.push(offer(budget.total, step, full, budget.per_workspace));
        }
        let has_all = offers.iter().all(|offer| !offer.without.workspaces.is_empty());
        if has_all && usage.total < 2 * budget.total {
            let not_first = usage.accounts_above(0);
            offers.push(offer(
                2 * budget.total,
                1,
                not_first,
                budget.per_workspace_with_first,
            ));
        }
        offers
    }

    /// Accounts whose uploads are as many as may be: more of their posts would wait for their bytes, with an address that expires.
    fn busy(&self, state: &State, queue: JobQueue) -> Vec<PlatformId> {
        if queue != JobQueue::Start {
            return Vec::new();
        }
        let budget = Budget::of(JobQueue::Upload, self.concurrency);
        let mut usage = state.usage(JobQueue::Upload);
        for running in state.jobs.values().filter(|running| running.queue.is_none()) {
            usage.add(running);
        }
        usage.accounts_above(budget.per_account - 1)
    }

    /// A job that was claimed until then runs now. An earlier run of it that has not ended holds it no longer.
    pub fn add(&self, job: &Job, leased_until: Time) {
        let running = Running {
            attempt: job.attempt,
            account: job.platform_id,
            workspace: job.workspace_id,
            queue: Some(job.queue),
            leased_until,
            given_up: CancellationToken::new(),
        };
        if let Some(before) = self.lock().jobs.insert(job.id, running) {
            before.given_up.cancel();
        }
    }

    /// The leases of these jobs last until then.
    pub fn renew(&self, jobs: &[JobId], until: Time) {
        let mut state = self.lock();
        for job in jobs {
            if let Some(running) = state.jobs.get_mut(job) {
                running.leased_until = until;
            }
        }
    }

    /// The fences of the jobs whose leases are over.
    pub fn expired(&self, now: Time) -> Vec<(JobId, i64)> {
        let state = self.lock();
        let is_over = |(_, running): &(&JobId, &Running)| running.leased_until <= now;
        let over = state.jobs.iter().filter(is_over);
        over.map(|(id, running)| (*id, running.attempt)).collect()
    }

    /// Is cancelled when that run, which has just begun, holds the job no longer; never where it has no slot.
    pub fn given_up(&self, job: &Job) -> CancellationToken {
        let mut state = self.lock();
        let running = state.running(job);
        running
            .map(|running| running.given_up.clone())
            .unwrap_or_default()
    }

    /// That run of the job, if it has not ended, holds it no longer.
    pub fn give_up(&self, id: JobId, attempt: i64) {
        let state = self.lock();
        if let Some(running) = state.jobs.get(&id).filter(|running| running.attempt == attempt) {
            running.given_up.cancel();
        }
    }

    /// That run of the job has ended.
    pub fn remove(&self, id: JobId, attempt: i64) {
        let mut state = self.lock();
        let is_that = |running: &Running| running.attempt == attempt;
        if state.jobs.get(&id).is_some_and(is_that) {
            let ended = state.jobs.remove(&id).and_then(|running| running.queue);
            if ended == Some(JobQueue::Upload) {
                state.is_turn_of_backlog = state.has_backlog && !state.is_turn_of_backlog;
                if !state.is_turn_of_backlog {
                    state.grant(Budget::of(JobQueue::Upload, self.concurrency));
                }
            }
        }
        drop(state);
        self.has_freed();
    }

    /// The job's post was handed over, or need not be: from now on it takes nothing from the budget of starts.
    pub fn end_start(&self, job: &Job) {
        let mut state = self.lock();
        if let Some(running) = state
            .running(job)
            .filter(|running| running.queue != Some(JobQueue::Upload))
        {
            running.queue = None;
            drop(state);
            self.has_freed();
        }
    }

    /// Waits a moment for room to send the bytes of the job's post. `false` if there is none: the job is to be given back.
    pub async fn begin_upload(&self, job: &Job) -> bool {
        let Some(granted) = self.ask_for_upload(job) else {
            return true;
        };
        let _ = tokio::time::timeout(PATIENCE, granted).await;
        let mut state = self.lock();
        state.waiting.retain(|waiting| waiting.job != job.id);
        state
            .running(job)
            .is_some_and(|running| running.queue == Some(JobQueue::Upload))
    }

    /// `None` if the job need not wait.
    fn ask_for_upload(&self, job: &Job) -> Option<oneshot::Receiver<()>> {
        let mut state = self.lock();
        let running = state.running(job)?;
        if running.queue == Some(JobQueue::Upload) {
            return None;
        }
        running.queue = None;
        let (granted, waits) = oneshot::channel();
        state.waiting.push_back(Waiting { job: job.id, granted });
        state.grant(Budget::of(JobQueue::Upload, self.concurrency));
        Some(waits)
    }

    /// The engine has claimed what it can: waiting runs may have what is left. `has_backlog` is whether uploads are due.
    pub fn have_claimed(&self, has_backlog: bool) {
        let mut state = self.lock();
        state.has_backlog = has_backlog;
        state.grant(Budget::of(JobQueue::Upload, self.concurrency));
    }

    fn has_freed(&self) {
        self.freed.notify_waiters();
        self.freed.notify_one();
    }

    /// Completes when something has ended, also where that was before it was waited for.
    pub fn freed(&self) -> Notified<'_> {
        self.freed.notified()
    }

    /// How many jobs run.
    pub fn count(&self) -> usize {
        self.lock().jobs.len()
    }

    /// The fences of the jobs that run.
    pub fn list(&self) -> Vec<(JobId, i64)> {
        let state = self.lock();
        state
            .jobs
            .iter()
            .map(|(id, running)| (*id, running.attempt))
            .collect()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// The run of that attempt.
    fn running(&mut self, job: &Job) -> Option<&mut Running> {
        self.jobs
            .get_mut(&job.id)
            .filter(|running| running.attempt == job.attempt)
    }
}

#[cfg(test)]
mod tests;
