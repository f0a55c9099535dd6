//! A program that is measured while it runs: its CPU time and its memory, as Linux counts them.

use std::fs::File;
use std::net::SocketAddr;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use super::http::{Connection, Request};
use crate::failure::{Doing, Failure, Outcome};
use crate::machine::{now, said};

/// How long a program may take to answer for the first time, and to end when asked to.
const PATIENCE: Duration = Duration::from_secs(30);
/// How often to look whether it does.
const PAUSE: Duration = Duration::from_millis(1);

/// A running program. Dropping it asks it to end, then ends it.
#[derive(Debug)]
pub struct Process {
    child: Child,
    log: PathBuf,
}

/// Memory figures of a process, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Memory {
    /// Resident now.
    pub resident: u64,
    /// The most that was ever resident since the start or the last [`Process::forget_peak`].
    pub peak: u64,
}

impl Process {
    /// Starts a program; what it writes goes to `log`.
    ///
    /// # Errors
    /// When it cannot start.
    pub fn start(command: &mut Command, log: &Path) -> Outcome<Self> {
        let output = File::options()
            .create(true)
            .append(true)
            .open(log)
            .doing(log.display())?;
        let errors = output.try_clone().doing(log.display())?;
        command.stdin(Stdio::null()).stdout(output).stderr(errors);
        let child = command
            .spawn()
            .doing(format!("starting {}", command.get_program().display()))?;
        Ok(Self {
            child,
            log: log.to_path_buf(),
        })
    }

    /// Waits until `GET path` answers 200.
    ///
    /// # Errors
    /// When the program ends or does not answer in time; the failure names its log.
    pub fn wait_for(&mut self, address: SocketAddr, path: &str) -> Outcome<()> {
        let began = now();
        while began.elapsed() < PATIENCE {
            if answers(address, path) {
                return Ok(());
            }
            if let Some(status) = self.child.try_wait().doing("waiting for a program to answer")? {
                return Err(Failure::new(format!(
                    "it ended: {status}, see {}",
                    self.log.display()
                )));
            }
            thread::sleep(PAUSE);
        }
        Err(Failure::new(format!(
            "it does not answer at {address}{path}, see {}",
            self.log.display()
        )))
    }

    /// CPU time so far, user and system, of all its threads, ended ones too.
    ///
    /// # Errors
    /// When the process is gone.
    pub fn cpu(&self) -> Outcome<Duration> {
        let stat = self.proc("stat")?;
        ticks(&stat)
            .ok_or_else(|| Failure::new(format!("no CPU time in {stat:?}")))
            .and_then(cpu_time)
    }

    /// Its memory.
    ///
    /// # Errors
    /// When the process is gone.
    pub fn memory(&self) -> Outcome<Memory> {
        let status = self.proc("status")?;
        let figure =
            |name| kilobytes(&status, name).ok_or_else(|| Failure::new(format!("no {name} in its status")));
        Ok(Memory {
            resident: figure("VmRSS")? * 1024,
            peak: figure("VmHWM")? * 1024,
        })
    }

    /// Lets the peak of its memory start anew from what is resident now.
    ///
    /// # Errors
    /// When the process is gone or belongs to another user.
    pub fn forget_peak(&self) -> Outcome<()> {
        std::fs::write(format!("/proc/{}/clear_refs", self.child.id()), "5")
            .doing("forgetting the peak of memory")
    }

    /// Ends it at once, as `kill -9` does, and waits until it is gone.
    pub fn kill(mut self) {
        self.end();
    }

    /// Sends a signal by its name, such as `STOP`. Does nothing when the process is gone.
    pub fn signal(&self, name: &str) {
        // It fails only when the process has ended.
        let _ = said(Command::new("kill").args([format!("-{name}"), self.child.id().to_string()]));
    }

    /// Whether it has ended by itself.
    pub fn has_ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// Whether it has ended by SIGKILL.
    pub fn was_killed(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(Some(status)) if status.signal() == Some(9))
    }

    /// Asks it to end and waits until it has.
    ///
    /// # Errors
    /// When it does not end in time; it is then killed.
    pub fn stop(mut self) -> Outcome<()> {
        self.signal("TERM");
        let began = now();
        while began.elapsed() < PATIENCE {
            if self
                .child
                .try_wait()
                .doing("waiting for a program to end")?
                .is_some()
            {
                return Ok(());
            }
            thread::sleep(PAUSE);
        }
        Err(Failure::new(format!(
            "it does not end, see {}",
            self.log.display()
        )))
    }

    fn end(&mut self) {
        if !self.has_ended() {
            // Both fail only when it has ended meanwhile.
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }

    fn proc(&self, file: &str) -> Outcome<String> {
        std::fs::read_to_string(format!("/proc/{}/{file}", self.child.id())).doing("reading /proc")
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

/// Whether a GET of `path` there answers 200.
fn answers(address: SocketAddr, path: &str) -> bool {
    Connection::open(address, "")
        .and_then(|mut connection| {
            connection.send(Request {
                method: "GET",
                path,
                json: "",
            })
        })
        .is_ok_and(|answer| answer.status == 200)
}

/// CPU time so far, user and system, of a process and of those that it has started, ended ones too, but for what those have started.
///
/// # Errors
/// When the process is gone.
pub fn cpu_with_children(parent: u32) -> Outcome<Duration> {
    let (mut all, name) = (0, parent.to_string());
    for process in std::fs::read_dir("/proc").doing("reading /proc")?.flatten() {
        // One that ends meanwhile counts among the ended children of its parent.
        let stat = std::fs::read_to_string(process.path().join("stat")).unwrap_or_default();
        if process.file_name().to_str() == Some(name.as_str()) {
            let own = ticks(&stat).zip(field(&stat, 16).zip(field(&stat, 17)));
            let (own, (user, system)) =
                own.ok_or_else(|| Failure::new(format!("no CPU time in {stat:?}")))?;
            all += own + user + system;
        } else if field(&stat, 4) == Some(parent.into()) {
            all += ticks(&stat).unwrap_or(0);
        }
    }
    cpu_time(all)
}

fn cpu_time(ticks: u64) -> Outcome<Duration> {
    let a_second: u64 = said(Command::new("getconf").arg("CLK_TCK"))?
        .trim()
        .parse()
        .doing("CLK_TCK")?;
    Ok(Duration::from_millis(ticks * 1000 / a_second))
}

/// utime + stime.
fn ticks(stat: &str) -> Option<u64> {
    Some(field(stat, 14)? + field(stat, 15)?)
}

/// A number by its place in `/proc/PID/stat`, from 1; the second field is the program's name and may hold anything, so count from behind
/// it.
fn field(stat: &str, place: usize) -> Option<u64> {
    let (_, after_name) = stat.rsplit_once(')')?;
    after_name.split_whitespace().nth(place - 3)?.parse().ok()
}

fn kilobytes(status: &str, name: &str) -> Option<u64> {
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cpu_time_is_read_although_the_name_is_odd() {
        let stat = "123 (a) b (c) S 1 2 3 4 5 6 7 8 9 10 250 50 0 0 20 0 4 0";
        assert_eq!(ticks(stat), Some(300));
        assert_eq!((field(stat, 4), field(stat, 17)), (Some(1), Some(0)));
    }

    #[test]
    fn memory_is_read_from_the_status() {
        let status = "Name:\tplayoutd\nVmHWM:\t   20480 kB\nVmRSS:\t   10240 kB\n";
        assert_eq!(kilobytes(status, "VmRSS"), Some(10_240));
        assert_eq!(kilobytes(status, "VmHWM"), Some(20_480));
        assert_eq!(kilobytes(status, "VmSwap"), None);
    }
}
