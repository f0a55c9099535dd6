//! What Ctrl-C reports: what was done, and how to go on.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::FutureExt;
use playout_client::{Error, Kind};

use super::screen::Screen;

/// What a command would report if it was interrupted now.
#[derive(Debug, Clone, Default)]
pub(super) struct Interrupts {
    is_watched: Arc<AtomicBool>,
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    done: Vec<String>,
    next: Option<String>,
}

impl Interrupts {
    /// From now on Ctrl-C ends the program with a report: error code `interrupted`, exit code 130.
    pub(super) fn watch(&self, screen: &Screen) {
        if self.is_watched.swap(true, Ordering::Relaxed) {
            return;
        }
        let (interrupts, screen) = (self.clone(), screen.clone());
        let (is_ready, ready) = std::sync::mpsc::channel();
        // On a thread of its own, because a command may block the other one.
        std::thread::spawn(move || {
            if pressed(&is_ready).is_ok() {
                let error = interrupts.report();
                screen.complain(&error);
                std::process::exit(i32::from(error.kind.exit_code()));
            }
        });
        // If the thread fails, Ctrl-C ends the program without a report.
        let _failed = ready.recv();
    }

    /// Adds what was done.
    pub(super) fn done(&self, what: String) {
        self.change(|state| state.done.push(what));
    }

    /// Sets how to go on.
    pub(super) fn next(&self, what: String) {
        self.change(|state| state.next = Some(what));
    }

    /// The command was done: only its output may be missing.
    pub(super) fn ended(&self) {
        self.change(|state| {
            state.next = Some("The command was done; its output is not complete.".to_owned());
        });
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
    }

    fn report(&self) -> Error {
        let mut parts = vec!["Interrupted.".to_owned()];
        self.change(|state| {
            parts.append(&mut state.done);
            parts.extend(state.next.take());
        });
        Error::new(Kind::Interrupted, "interrupted", parts.join(" "))
    }
}

/// Waits for Ctrl-C. Sends when it is waited for.
fn pressed(is_ready: &Sender<()>) -> std::io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let mut pressed = std::pin::pin!(tokio::signal::ctrl_c());
        let first = pressed.as_mut().now_or_never();
        // No one waits any more if the program has ended.
        let _ended = is_ready.send(());
        match first {
            Some(pressed) => pressed,
            None => pressed.await,
        }
    })
}
