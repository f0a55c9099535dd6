//! Runs a program of jq in a process of its own, with limits: where it recurses without end, or takes too much memory, that process breaks off,
//! and not the command. That process ends with the command, and has nothing of its environment.

use std::ffi::{OsStr, OsString};
use std::io::{BufRead, Read, Write};
use std::process::{Command, ExitCode, ExitStatus, Stdio};

use playout_client::{Error, Kind};
use serde_json::Value;

use super::jq::{STACK_BYTES, check, evaluate, failed};

/// The first argument of such a process, of which the second is the program.
const ARGUMENT: &str = "--run-jq";
/// The most memory of such a process, besides its stack.
const MEMORY_BYTES: usize = 1 << 30;

/// A program of the language jq.
pub(super) struct Program(String);

impl Program {
    /// Reads a program.
    ///
    /// # Errors
    /// `invalid_filter` if it is not one; the message has the place.
    pub(super) fn read(text: &str) -> Result<Self, Error> {
        check(text)?;
        Ok(Self(text.to_owned()))
    }

    /// The outputs for a document, each on a line: strings as they are, everything else as JSON. `halt` ends them.
    ///
    /// # Errors
    /// `filter_failed` if the program fails, or breaks off; `interrupted` after Ctrl-C.
    pub(super) fn run(&self, document: &Value) -> Result<String, Error> {
        run(&self.0, &document.to_string())
    }
}

fn run(program: &str, document: &str) -> Result<String, Error> {
    let own = std::env::current_exe().map_err(failed)?;
    let started = Command::new(own)
        .args([ARGUMENT, program])
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let mut process = started.map_err(failed)?;
    // Its standard input stays open until it has ended, and closes with this process, whatever ends that.
    let mut input = process.stdin.take();
    if let Some(input) = &mut input {
        // A process that has ended reads nothing more; its status says why.
        let _ended = input.write_all(format!("{document}\n").as_bytes());
    }
    let ended = process.wait_with_output().map_err(failed)?;
    drop(input);
    let text = String::from_utf8_lossy(&ended.stdout).into_owned();
    match ended.status.code() {
        Some(0) => Ok(text),
        Some(1) => Err(failed(text)),
        _ => Err(broken_off(ended.status)),
    }
}

/// The program of such a process.
pub(super) fn program_of(arguments: &[OsString]) -> Option<&OsStr> {
    match arguments {
        [_, first, program] if first == ARGUMENT => Some(program),
        _ => None,
    }
}

/// Runs a program for the document in the first line of standard input. Standard output has its outputs, or with the exit code 1 why it failed.
/// This process ends at the end of standard input.
pub(super) fn serve(program: &OsStr) -> ExitCode {
    limit();
    let mut document = String::new();
    let read = std::io::stdin().lock().read_line(&mut document);
    std::thread::spawn(end_with_input);
    let outputs = match read {
        Ok(_) => evaluate(&program.to_string_lossy(), &document),
        Err(error) => Err(error.to_string()),
    };
    let (code, text) = match outputs {
        Ok(text) => (ExitCode::SUCCESS, text),
        Err(why) => (ExitCode::FAILURE, why),
    };
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Ok(()) => code,
        Err(_) => ExitCode::from(2),
    }
}

/// Ends this process at the end of standard input: the command that has started it is over.
fn end_with_input() {
    let _over = std::io::stdin().lock().read_to_end(&mut Vec::new());
    std::process::exit(2);
}

/// Limits the memory of this process, and leaves no core of it. Systems without such limits have none here either.
#[cfg(unix)]
fn limit() {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let limit = |bytes: usize| Rlimit {
        current: Some(bytes as u64),
        maximum: Some(bytes as u64),
    };
    let _memory = setrlimit(Resource::As, limit(STACK_BYTES + MEMORY_BYTES));
    let _core = setrlimit(Resource::Core, limit(0));
}

#[cfg(not(unix))]
fn limit() {}

#[cfg(unix)]
fn is_interrupt(status: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt;
    status.signal() == Some(rustix::process::Signal::INT.as_raw())
}

#[cfg(not(unix))]
fn is_interrupt(_: ExitStatus) -> bool {
    false
}

fn broken_off(status: ExitStatus) -> Error {
    match is_interrupt(status) {
        true => Error::new(
            Kind::Interrupted,
            "interrupted",
            "Interrupted. The command was done; its output is not complete.",
        ),
        false => failed("it recurses too deeply, or takes more than a GB of memory"),
    }
}
