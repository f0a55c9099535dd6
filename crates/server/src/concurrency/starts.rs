//! Starts go first. When many posts are due at once, those already handed over would send their bytes while others
//! have not even begun; so bytes wait a moment for the starts that are under way when their turn comes. Later starts
//! are not waited for, so that a steady stream of starts delays no bytes for ever.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use playout_domain::id::JobId;
use tokio::sync::watch;

/// How long bytes wait at most: a start may hang at its provider.
const PATIENCE: Duration = Duration::from_millis(250);

/// The posts of this process that are due and not handed over yet.
#[derive(Debug)]
pub struct Starts {
    under_way: Mutex<UnderWay>,
    /// The first ticket under way, or the next one if none is.
    first: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct UnderWay {
    next: u64,
    jobs: BTreeMap<u64, JobId>,
}

impl UnderWay {
    fn first(&self) -> u64 {
        self.jobs
            .first_key_value()
            .map_or(self.next, |(ticket, _)| *ticket)
    }
}

impl Default for Starts {
    fn default() -> Self {
        Self {
            under_way: Mutex::default(),
            first: watch::Sender::new(0),
        }
    }
}

/// A start that is under way until it is dropped, or [`Starts::is_over`].
#[derive(Debug)]
pub struct Start<'a> {
    starts: &'a Starts,
    job: JobId,
}

impl Starts {
    /// A post is about to be handed over.
    pub fn begin(&self, job: JobId) -> Start<'_> {
        let mut under_way = self.lock();
        let ticket = under_way.next;
        under_way.next += 1;
        under_way.jobs.insert(ticket, job);
        self.first.send_replace(under_way.first());
        Start { starts: self, job }
    }

    /// The provider has answered; what follows is no start.
    pub fn is_over(&self, job: JobId) {
        let mut under_way = self.lock();
        under_way.jobs.retain(|_, other| *other != job);
        self.first.send_replace(under_way.first());
    }

    /// Waits until all starts that are under way now are over, but no longer than `PATIENCE`.
    pub async fn let_pass(&self) {
        let next = self.lock().next;
        let mut first = self.first.subscribe();
        // Neither is an error: the time ran out, or the sender is gone.
        let _ = tokio::time::timeout(PATIENCE, first.wait_for(|first| *first >= next)).await;
    }

    fn lock(&self) -> MutexGuard<'_, UnderWay> {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Start<'_> {
    fn drop(&mut self) {
        self.starts.is_over(self.job);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::Future;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};
    use uuid::Uuid;

    fn job(number: u128) -> JobId {
        JobId(Uuid::from_u128(number))
    }

    fn is_ready(future: impl Future<Output = ()>) -> bool {
        let mut context = Context::from_waker(Waker::noop());
        matches!(pin!(future).poll(&mut context), Poll::Ready(()))
    }

    #[tokio::test(start_paused = true)]
    async fn bytes_wait_for_the_starts_under_way_and_for_no_later_ones() {
        let starts = Starts::default();
        assert!(is_ready(starts.let_pass()), "there are none");
        let first = starts.begin(job(1));
        let second = starts.begin(job(2));
        let mut waiting = Box::pin(starts.let_pass());
        let mut context = Context::from_waker(Waker::noop());
        assert!(waiting.as_mut().poll(&mut context).is_pending());
        let _later = starts.begin(job(3));
        starts.is_over(job(1));
        assert!(waiting.as_mut().poll(&mut context).is_pending());
        drop(second);
        assert!(
            waiting.as_mut().poll(&mut context).is_ready(),
            "the third came later"
        );
        drop(first);
        assert!(!is_ready(starts.let_pass()));
    }

    #[tokio::test(start_paused = true)]
    async fn a_start_that_hangs_is_not_waited_for_for_long() {
        let starts = Starts::default();
        let _hangs = starts.begin(job(1));
        let began = tokio::time::Instant::now();
        starts.let_pass().await;
        assert_eq!(began.elapsed(), PATIENCE);
    }
}
