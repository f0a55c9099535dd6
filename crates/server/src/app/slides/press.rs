//! Where slides are drawn: threads of their own, one for each core, with less priority than everything else. So however many
//! slides are asked for, they hardly delay other answers.
//!
//! A thread that draws holds a share of the memory for decoding ([`crate::app::decoding`]), all of it for the largest pictures,
//! and uploads wait until it is given back. So the priority is low, but not the lowest: with nice 19 a thread gets a seventieth
//! of a busy core, and load that keeps the cores busy, such as hashing passwords, makes each slide, and each upload that waits
//! for its memory, take seventy times as long. Linux does not let an unprivileged process raise a priority again, so that it
//! cannot be raised only while others wait. A budget of memory for slides alone would have to be large enough for the largest
//! picture, which is as much again as uploads may take.
//!
//! A slide takes its turn before its picture is read, so that no more pictures are in memory than are being drawn or are
//! about to be; one that is kept first takes room until it is stored, so that a slow disk fills no memory. Each request has
//! a few slides waiting at most, so that a small one does not wait for all of a large one.

use std::any::Any;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use playout_captions::Compositor;
use playout_domain::error::Refusal;
use playout_domain::id::WorkspaceId;
use tokio::sync::oneshot;

use crate::app::error::AppError;
use crate::app::refusals::too_many;
use crate::app::turns::{Turns, Units};

/// How many requests may be worked on at the same time; the next is rejected and may be repeated later.
const MOST_REQUESTS: usize = 64;
/// How many with the first of each workspace, which is let in beyond [`MOST_REQUESTS`]: the requests of others keep no
/// workspace from its slides.
const MOST_WITH_FIRST: usize = 128;
/// How many of them may be of one workspace.
const MOST_OF_ONE: usize = 16;
/// Pictures that are read or stored while others are drawn.
const BESIDES: usize = 1;
/// Slides that are stored at the same time, while others are drawn.
pub(super) const STORED_AT_ONCE: usize = 4;
/// How much nicer the threads are than the process: beside a thread of ordinary priority that never rests, one of them still
/// gets a quarter of the core (weights 335 and 1024 of the kernel's `sched_prio_to_weight`).
#[cfg(target_os = "linux")]
const NICER: i32 = 5;

/// The threads, and the limits on their use.
pub struct Press {
    /// How many requests of each workspace are worked on.
    requests: Mutex<HashMap<WorkspaceId, usize>>,
    rooms: Arc<Turns>,
    turns: Arc<Turns>,
    threads: usize,
    /// What there is to do; begun with the first slide, because most processes never draw one.
    work: OnceLock<Sender<Work>>,
}

type Work = Box<dyn FnOnce(&Compositor) + Send>;

/// Memory for one slide that is kept, from before its picture is read until it is stored.
pub(super) struct Room(#[expect(dead_code, reason = "what counts is that it is held")] Units);

/// The right to draw one slide.
pub(super) struct Turn(Units);

/// A request that is worked on.
pub(super) struct Entered<'p> {
    press: &'p Press,
    workspace: WorkspaceId,
}

impl Press {
    /// A press of so many threads, none of which runs yet.
    pub fn new(threads: usize) -> Self {
        Self {
            requests: Mutex::default(),
            rooms: Turns::new(units(threads + BESIDES + STORED_AT_ONCE)),
            turns: Turns::new(units(threads + BESIDES)),
            threads,
            work: OnceLock::new(),
        }
    }

    /// How many slides of one request may wait for their turn or have it.
    pub(super) fn abreast(&self) -> usize {
        self.threads + BESIDES
    }

    /// Lets a request in, unless too many are being worked on, in all or of its workspace. One of a workspace of which none
    /// is worked on counts against a higher limit.
    pub(super) fn enter(&self, workspace: WorkspaceId) -> Result<Entered<'_>, Refusal> {
        let mut requests = self.requests();
        let all: usize = requests.values().sum();
        let of_one = requests.entry(workspace).or_default();
        let most = match *of_one {
            0 => MOST_WITH_FIRST,
            _ => MOST_REQUESTS,
        };
        if all >= most || *of_one >= MOST_OF_ONE {
            let message = "Too many slides are being made right now.";
            return Err(too_many(message, Duration::from_secs(1)));
        }
        *of_one += 1;
        Ok(Entered {
            press: self,
            workspace,
        })
    }

    /// Waits until there is memory for a slide that is kept. Workspaces take turns.
    pub(super) async fn room(&self, workspace: WorkspaceId) -> Result<Room, AppError> {
        self.rooms.take(workspace, 1).await.map(Room)
    }

    /// Waits until a slide may be drawn. Workspaces take turns.
    pub(super) async fn turn(&self, workspace: WorkspaceId) -> Result<Turn, AppError> {
        self.turns.take(workspace, 1).await.map(Turn)
    }

    fn requests(&self) -> MutexGuard<'_, HashMap<WorkspaceId, usize>> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does `work` on one of the threads. It goes on when the caller stops waiting, so it holds the turn itself.
    pub(super) async fn draw<T: Send + 'static>(
        &self,
        turn: Turn,
        work: impl FnOnce(&Compositor) -> T + Send + 'static,
    ) -> Result<T, AppError> {
        let (tell, told) = oneshot::channel();
        let work: Work = Box::new(move |compositor| {
            let done = work(compositor);
            drop(turn.0);
            // The caller may have stopped waiting.
            let _nobody_waits = tell.send(done);
        });
        let sender = self.work.get_or_init(|| begin(self.threads));
        sender.send(work).map_err(|_| AppError::Press)?;
        told.await.map_err(|_| AppError::Press)
    }
}

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        let mut requests = self.press.requests();
        if let Some(of_one) = requests.get_mut(&self.workspace) {
            *of_one = of_one.saturating_sub(1);
        }
        requests.retain(|_, count| *count > 0);
    }
}

fn units(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Starts the threads. They end when the sender is dropped.
fn begin(threads: usize) -> Sender<Work> {
    let (sender, receiver) = channel();
    let receiver = Arc::new(Mutex::new(receiver));
    let compositor = Arc::new(OnceLock::new());
    for number in 0..threads {
        let (receiver, compositor) = (Arc::clone(&receiver), Arc::clone(&compositor));
        let thread = std::thread::Builder::new().name(format!("slides-{number}"));
        if let Err(error) = thread.spawn(move || run(&receiver, &compositor)) {
            tracing::error!("no thread for slides could be started: {error}");
        }
    }
    sender
}

fn run(receiver: &Mutex<Receiver<Work>>, compositor: &OnceLock<Compositor>) {
    stand_back();
    loop {
        let next = receiver.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(work) = next else { return };
        let worked = catch_unwind(AssertUnwindSafe(|| work(compositor.get_or_init(Compositor::new))));
        if let Err(panic) = worked {
            tracing::error!("a slide was lost while it was drawn: {}", said(&*panic));
        }
    }
}

/// Gives this thread less priority than those of ordinary work: setpriority(2) of PRIO_PROCESS, which on Linux is of a thread.
fn stand_back() {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{getpriority_process, setpriority_process};
        let lower = getpriority_process(None).and_then(|own| setpriority_process(None, own + NICER));
        if let Err(error) = lower {
            tracing::debug!("slides are drawn with the priority of everything else: {error}");
        }
    }
}

fn said(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("it did not say why")
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;
    use crate::chance;
    use playout_domain::time::Time;

    fn workspace() -> WorkspaceId {
        chance::id(Time::from_secs(0))
    }

    #[tokio::test]
    async fn work_that_panics_is_an_error_and_its_turn_and_thread_go_on() {
        let press = Press::new(1);
        for _ in 0..3 {
            let turn = press.turn(workspace()).await.unwrap();
            let lost = press.draw(turn, |_| -> u8 { panic!("on purpose") }).await;
            assert!(matches!(lost, Err(AppError::Press)));
        }
        let turn = press.turn(workspace()).await.unwrap();
        assert_eq!(press.draw(turn, |_| 7).await.unwrap(), 7);
        assert_eq!(press.turns.free(), units(press.abreast()));
    }

    #[tokio::test]
    async fn a_slide_that_is_kept_waits_until_another_is_stored() {
        let press = Press::new(1);
        let mut rooms = Vec::new();
        while let Some(room) = press.room(workspace()).now_or_never() {
            rooms.push(room.unwrap());
        }
        assert_eq!(rooms.len(), press.abreast() + STORED_AT_ONCE);
        drop(rooms.pop());
        assert!(press.room(workspace()).now_or_never().is_some());
    }

    #[tokio::test]
    async fn a_slide_that_nobody_waits_for_keeps_its_turn_until_it_is_drawn() {
        let press = Press::new(1);
        let (go, wait) = std::sync::mpsc::channel::<()>();
        let turn = press.turn(workspace()).await.unwrap();
        let given_up = tokio::select! {
            biased;
            _ = press.draw(turn, move |_| wait.recv()) => false,
            () = std::future::ready(()) => true,
        };
        assert!(given_up);
        assert_eq!(press.turns.free(), units(press.abreast() - 1));
        go.send(()).unwrap();
        drop(
            press
                .turns
                .take(workspace(), units(press.abreast()))
                .await
                .unwrap(),
        );
    }

    /// The share of a core that a thread gets beside a busy one is its weight by that of both; the kernel documents that a step
    /// of niceness is a factor of 1.25.
    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn slides_yield_to_other_work_and_still_get_a_fifth_of_a_busy_core() {
        let own = rustix::process::getpriority_process(None).unwrap();
        let press = Press::new(1);
        let turn = press.turn(workspace()).await.unwrap();
        let theirs = press.draw(turn, |_| rustix::process::getpriority_process(None).unwrap());
        let steps = theirs.await.unwrap() - own;
        let weight = 1.25_f64.powi(-steps);
        assert!(steps > 0, "slides are drawn {steps} steps nicer");
        assert!(
            weight / (weight + 1.0) > 0.2,
            "slides are drawn {steps} steps nicer"
        );
        assert_eq!(rustix::process::getpriority_process(None).unwrap(), own);
    }

    #[test]
    fn a_request_beyond_the_most_is_told_to_come_back() {
        let press = Press::new(1);
        let mut entered = Vec::new();
        for _ in 0..MOST_REQUESTS / MOST_OF_ONE {
            let one = workspace();
            entered.extend((0..MOST_OF_ONE).map(|_| press.enter(one).unwrap()));
            if entered.len() < MOST_REQUESTS {
                assert!(press.enter(one).is_err(), "others are let in");
            }
        }
        for _ in MOST_REQUESTS..MOST_WITH_FIRST {
            let another = workspace();
            entered.push(press.enter(another).unwrap());
            assert!(press.enter(another).is_err(), "one of each is let in");
        }
        let refused = press.enter(workspace()).err().unwrap();
        assert_eq!(refused.code, playout_domain::error::Code::RateLimited);
        assert_eq!(refused.details.unwrap()["retryAfter"], 1);
        drop(entered);
        assert!(press.enter(workspace()).is_ok());
        assert!(press.requests().is_empty());
    }
}
