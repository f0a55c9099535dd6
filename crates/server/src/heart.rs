//! The engine's signs of life: when it last looked for work, and how much it does right now.

use std::sync::atomic::{AtomicBool, AtomicI64, AtomicUsize, Ordering};
use std::time::Duration;

use playout_domain::time::Time;
use tokio::sync::watch;

/// An engine that has not looked for so long is stuck: it looks every few seconds.
const MISSED_AFTER: Duration = Duration::from_secs(30);

/// The heartbeat of this process's engine. A process without an engine has none to miss.
pub struct Heart {
    last: AtomicI64,
    looking: AtomicBool,
    failing: AtomicBool,
    running: AtomicUsize,
    revoking: AtomicBool,
    looking_to_send: AtomicBool,
    sending: AtomicUsize,
    pulse: watch::Sender<u64>,
}

impl Default for Heart {
    fn default() -> Self {
        Self {
            last: AtomicI64::new(0),
            looking: AtomicBool::new(false),
            failing: AtomicBool::new(false),
            running: AtomicUsize::new(0),
            revoking: AtomicBool::new(false),
            looking_to_send: AtomicBool::new(false),
            sending: AtomicUsize::new(0),
            pulse: watch::Sender::new(0),
        }
    }
}

impl Heart {
    /// The engine looks for work, until [`Heart::looked`].
    pub fn beat(&self, now: Time) {
        self.last.store(now.as_micros(), Ordering::Relaxed);
        self.looking.store(true, Ordering::Release);
        self.pulse.send_modify(|beats| *beats += 1);
    }

    /// What the engine found is counted as running; or it could not look.
    pub fn looked(&self, well: bool) {
        self.failing.store(!well, Ordering::Relaxed);
        self.looking.store(false, Ordering::Release);
        self.pulse.send_modify(|beats| *beats += 1);
    }

    /// The engine runs so many jobs now.
    pub fn set_running(&self, jobs: usize) {
        self.running.store(jobs, Ordering::Release);
        self.pulse.send_modify(|beats| *beats += 1);
    }

    /// Whether access is being given back.
    pub fn set_revoking(&self, is_at_it: bool) {
        self.revoking.store(is_at_it, Ordering::Release);
        self.pulse.send_modify(|beats| *beats += 1);
    }

    /// Notes whether the webhook sender is looking for due deliveries.
    pub fn set_looking_to_send(&self, is_at_it: bool) {
        self.looking_to_send.store(is_at_it, Ordering::Release);
        self.pulse.send_modify(|beats| *beats += 1);
    }

    /// So many deliveries are being sent now.
    pub fn set_sending(&self, deliveries: usize) {
        self.sending.store(deliveries, Ordering::Release);
        self.pulse.send_modify(|beats| *beats += 1);
    }

    /// How many jobs run.
    pub fn running(&self) -> usize {
        self.running.load(Ordering::Acquire)
    }

    /// Whether the engine neither runs a job nor is about to, and nothing is being sent to webhooks.
    pub fn is_quiet(&self) -> bool {
        let at_it = [&self.revoking, &self.looking_to_send];
        let is_at_it = at_it.iter().any(|is_at_it| is_at_it.load(Ordering::Acquire));
        !is_at_it && self.runs_no_job() && self.sending.load(Ordering::Acquire) == 0
    }

    /// Whether the engine neither runs a job nor is about to: a job that it has just claimed does not count as running yet.
    pub fn runs_no_job(&self) -> bool {
        !self.looking.load(Ordering::Acquire) && self.running() == 0
    }

    /// Changes with every look for work, its end, and every job that starts or ends.
    pub fn pulse(&self) -> watch::Receiver<u64> {
        self.pulse.subscribe()
    }

    /// Whether the engine looked lately and could, if there is one.
    pub fn is_beating(&self, now: Time) -> bool {
        let last = self.last.load(Ordering::Relaxed);
        let can = !self.failing.load(Ordering::Relaxed);
        last == 0 || can && now.since(Time::from_micros(last)) < MISSED_AFTER
    }
}
