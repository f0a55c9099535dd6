//! The desktop's keyring (freedesktop.org Secret Service), through `secret-tool` of libsecret: keys are encrypted and are
//! unlocked when the user signs in to the machine. Without a desktop there is no keyring.
//!
//! The key is passed through pipes, never as an argument, which other users of the machine could see.

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use playout_client::{Error, Kind};
use playout_domain::secret::Secret;

use super::environment::Environment;

const PROGRAM: &str = "secret-tool";
/// The interval at which the program's exit is polled.
const LOOK_EVERY: Duration = Duration::from_millis(10);
/// A minute: the desktop may prompt the user to unlock the keyring.
const LOOKS: u32 = 6_000;

/// The keyring of the desktop's user.
#[derive(Debug, Clone, Copy)]
pub(super) struct Keyring(());

/// The attributes of a stored key.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry<'a> {
    /// The profile's name.
    pub(super) profile: &'a str,
    /// The service that the key is for.
    pub(super) api_url: &'a str,
}

impl Keyring {
    /// The keyring, if there is a desktop session and it is not disabled.
    pub(super) fn find(environment: &Environment) -> Option<Self> {
        environment.has_session_bus.then_some(Self(()))
    }

    /// Stores a key, replacing the entry's previous one.
    pub(super) fn keep(self, entry: Entry<'_>, key: &Secret) -> Result<(), Error> {
        let label = format!("--label=Playout ({} at {})", entry.profile, entry.api_url);
        run(&["store", &label], entry, key.expose()).map(drop)
    }

    /// The stored key of an entry.
    pub(super) fn look_up(self, entry: Entry<'_>) -> Result<Option<Secret>, Error> {
        let found = run(&["lookup"], entry, "")?;
        Ok(Some(found).filter(|key| !key.is_empty()).map(Secret::new))
    }

    /// Deletes a key; succeeds if there is none.
    pub(super) fn forget(self, entry: Entry<'_>) -> Result<(), Error> {
        run(&["clear"], entry, "").map(drop)
    }
}

/// Runs the program and returns its output. It exits with 1 and writes nothing if it finds nothing.
fn run(task: &[&str], entry: Entry<'_>, input: &str) -> Result<String, Error> {
    let mut command = Command::new(PROGRAM);
    command.args(task);
    command.args([
        "service",
        "playout",
        "profile",
        entry.profile,
        "url",
        entry.api_url,
    ]);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => failed("secret-tool is not installed"),
        _ => failed(&error.to_string()),
    })?;
    // A program that has failed does not read its input; its output has the reason.
    let _closed = child
        .stdin
        .take()
        .map(|mut pipe| pipe.write_all(input.as_bytes()));
    let has_worked = wait(&mut child)?;
    let (mut answer, mut complaint) = (String::new(), String::new());
    let _read = child
        .stdout
        .take()
        .map(|mut pipe| pipe.read_to_string(&mut answer));
    let _read = child
        .stderr
        .take()
        .map(|mut pipe| pipe.read_to_string(&mut complaint));
    match has_worked || complaint.trim().is_empty() {
        true => Ok(answer),
        false => Err(failed(complaint.trim())),
    }
}

/// Whether it succeeded. Its output is far less than a pipe holds.
fn wait(child: &mut Child) -> Result<bool, Error> {
    for _ in 0..LOOKS {
        if let Some(status) = child.try_wait().map_err(|error| failed(&error.to_string()))? {
            return Ok(status.success());
        }
        std::thread::sleep(LOOK_EVERY);
    }
    let _ended = child.kill().and_then(|()| child.wait());
    Err(failed("it did not answer within a minute"))
}

fn failed(why: &str) -> Error {
    let message = format!("The system's keyring cannot be used: {why}.");
    Error::new(Kind::Usage, "keyring_error", message)
}
