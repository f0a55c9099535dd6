//! The machine that a command runs on: its programs, its user, its clock, its free ports. The only place of this crate that
//! reads the environment or a clock.

use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use crate::failure::{Doing, Failure, Outcome};

/// Where a program is: on `PATH`, or in the folders for system programs, which an ordinary user's `PATH` may lack.
pub fn program(name: &str) -> Option<PathBuf> {
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place of this crate that reads the environment"
    )]
    let path = std::env::var_os("PATH").unwrap_or_default();
    let system = ["/usr/sbin", "/sbin"].map(PathBuf::from);
    std::env::split_paths(&path)
        .chain(system)
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
}

/// `PATH` with a folder before all others.
///
/// # Errors
/// When the folder's name cannot be part of it.
pub fn path_with(folder: &Path) -> Outcome<OsString> {
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place of this crate that reads the environment"
    )]
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(folder.to_path_buf()).chain(std::env::split_paths(&path));
    std::env::join_paths(folders).doing(folder.display())
}

/// Whether this process is root.
pub fn is_root() -> bool {
    said(Command::new("id").arg("-u")).is_ok_and(|uid| uid.trim() == "0")
}

/// Whether this is a Linux with apt: Debian, Ubuntu and their kin.
pub fn has_apt() -> bool {
    program("apt-get").is_some() && Path::new("/etc/debian_version").exists()
}

/// Runs a command to its end and returns what it wrote to standard output.
///
/// # Errors
/// When it cannot start or does not exit with 0; the failure holds its standard error.
pub fn said(command: &mut Command) -> Outcome<String> {
    let output = command.stdin(Stdio::null()).output().doing(shown(command))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(Failure::new(format!(
        "{}: {}\n{}",
        shown(command),
        output.status,
        last_words(&output)
    )))
}

/// Runs a command to its end with this process's own output.
///
/// # Errors
/// When it cannot start or does not exit with 0.
pub fn done(command: &mut Command) -> Outcome<()> {
    let status = command.status().doing(shown(command))?;
    if status.success() {
        Ok(())
    } else {
        Err(Failure::new(format!("{}: {status}", shown(command))))
    }
}

/// Runs a command and passes its output on. Where it fails, the error ends with the lines of it that begin with `failed: `: they stand with
/// the other failures then, not somewhere among thousands of lines.
///
/// # Errors
/// As [`done`].
pub fn done_naming_failures(command: &mut Command) -> Outcome<()> {
    let name = shown(command);
    let mut child = command.stdout(Stdio::piped()).spawn().doing(&name)?;
    let mut failure = String::new();
    for line in child
        .stdout
        .take()
        .map(BufReader::new)
        .into_iter()
        .flat_map(BufRead::lines)
    {
        let line = line.doing(&name)?;
        println!("{line}");
        if line.starts_with("failed: ") {
            failure.push('\n');
            failure.push_str(&line);
        }
    }
    let status = child.wait().doing(&name)?;
    if status.success() {
        Ok(())
    } else {
        Err(Failure::new(format!("{name}: {status}{failure}")))
    }
}

/// A command as a person would type it.
pub fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words
        .map(|word| word.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ")
}

/// A TCP port on 127.0.0.1 that was free a moment ago.
///
/// # Errors
/// When the system has no port to give.
pub fn free_port() -> Outcome<u16> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).doing("looking for a free port")?;
    Ok(listener.local_addr().doing("looking for a free port")?.port())
}

/// Now, for measuring how long something takes.
#[expect(
    clippy::disallowed_methods,
    reason = "the one stopwatch of this crate: benches measure real time"
)]
pub fn now() -> Instant {
    Instant::now()
}

/// Microseconds since the epoch, for naming due times to a server that runs on the same machine.
pub fn epoch_micros() -> i64 {
    #[expect(
        clippy::disallowed_methods,
        reason = "the one wall clock of this crate: due times are real times"
    )]
    let now = SystemTime::now();
    now.duration_since(UNIX_EPOCH)
        .map_or(0, |since| i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
}

fn last_words(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(20)..].join("\n")
}
