//! The program on a pseudo-terminal, as a person sees it.

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, Stdio};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;

use nix::pty::{Winsize, openpty};
use nix::sys::signal::{Signal, kill};
use nix::sys::termios::{LocalFlags, tcgetattr};

use nix::unistd::Pid;

use super::Playout;

/// A run that a person looks at, and may type into.
pub(crate) struct Terminal {
    child: Child,
    keyboard: File,
    screen: Arc<Screen>,
    reader: JoinHandle<()>,
}

#[derive(Default)]
struct Screen {
    shown: Mutex<Shown>,
    changed: Condvar,
}

#[derive(Default)]
struct Shown {
    bytes: Vec<u8>,
    is_over: bool,
}

impl Terminal {
    /// Starts the program on a terminal of 120 columns.
    pub(crate) fn start(playout: &Playout, arguments: &[&str]) -> Self {
        Self::start_in(120, playout, arguments)
    }

    /// Starts the program on a terminal of so many columns.
    pub(crate) fn start_in(columns: u16, playout: &Playout, arguments: &[&str]) -> Self {
        let size = Winsize {
            ws_row: 40,
            ws_col: columns,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        let terminal = openpty(Some(&size), None).unwrap();
        let side = || Stdio::from(terminal.slave.try_clone().unwrap());
        let mut command = playout.command(env!("CARGO_BIN_EXE_playout"));
        command.args(arguments);
        if !playout.has("TERM") {
            command.env("TERM", "xterm-256color");
        }
        let child = command
            .stdout(side())
            .stderr(side())
            .stdin(side())
            .spawn()
            .unwrap();
        // As long as the other side is open anywhere, reading does not end.
        drop((command, terminal.slave));
        let keyboard = File::from(terminal.master);
        let screen = Arc::new(Screen::default());
        let (seen, from) = (Arc::clone(&screen), keyboard.try_clone().unwrap());
        Self {
            child,
            keyboard,
            screen,
            reader: std::thread::spawn(move || seen.read(from)),
        }
    }

    /// Waits until this is shown; returns all that was.
    pub(crate) fn wait_for(&self, text: &str) -> String {
        let shown = self.screen.shown.lock().unwrap();
        let is_missing = |shown: &mut Shown| !shown.is_over && !shown.text().contains(text);
        let shown = self.screen.changed.wait_while(shown, is_missing).unwrap().text();
        assert!(shown.contains(text), "{text:?} was never shown:\n{shown}");
        shown
    }

    /// Types after the terminal's echo is off.
    pub(crate) fn type_unseen(&mut self, text: &str) {
        while tcgetattr(&self.keyboard)
            .unwrap()
            .local_flags
            .contains(LocalFlags::ECHO)
        {
            std::thread::yield_now();
        }
        self.keyboard.write_all(text.as_bytes()).unwrap();
    }

    /// Presses Ctrl-C.
    pub(crate) fn press_ctrl_c(&mut self) {
        let pid = i32::try_from(self.child.id()).unwrap();
        kill(Pid::from_raw(pid), Signal::SIGINT).unwrap();
    }

    /// Waits for the end; returns the exit code and everything that was shown.
    pub(crate) fn end(mut self) -> (i32, String) {
        let code = self.child.wait().unwrap().code().unwrap();
        self.reader.join().unwrap();
        let shown = self.screen.shown.lock().unwrap().text();
        (code, shown)
    }
}

impl Screen {
    fn read(&self, mut from: File) {
        let mut piece = [0; 4096];
        // A terminal whose other side is closed ends with an error.
        while let Ok(count @ 1..) = from.read(&mut piece) {
            self.shown
                .lock()
                .unwrap()
                .bytes
                .extend_from_slice(&piece[..count]);
            self.changed.notify_all();
        }
        self.shown.lock().unwrap().is_over = true;
        self.changed.notify_all();
    }
}

impl Shown {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }
}
