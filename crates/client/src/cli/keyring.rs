//! The desktop's keyring (freedesktop.org Secret Service), through `secret-tool` of libsecret: keys are sealed with what
//! the person unlocks when they sign in to the machine. Where there is no desktop there is no keyring.
//!
//! The key travels through pipes, never as an argument that others on the machine could see.

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use playout_client::{Error, Kind};
use playout_domain::secret::Secret;

use super::environment::Environment;

const PROGRAM: &str = "secret-tool";
/// How often the program is asked whether it has ended.
const LOOK_EVERY: Duration = Duration::from_millis(10);
/// A minute: the desktop may ask the person to unlock the keyring.
const LOOKS: u32 = 6_000;

/// The keyring of whoever is signed in to this machine's desktop.
#[derive(Debug, Clone, Copy)]
pub(super) struct Keyring(());

/// What a key is kept under.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry<'a> {
    /// The profile's name.
    pub(super) profile: &'a str,
    /// The service that the key is for.
    pub(super) api_url: &'a str,
}

impl Keyring {
    /// The keyring, if there is a desktop session and nobody asked to do without.
    pub(super) fn find(environment: &Environment) -> Option<Self> {
        environment.has_session_bus.then_some(Self(()))
    }

    /// Keeps a key, in place of what was kept under the same entry.
    pub(super) fn keep(self, entry: Entry<'_>, key: &Secret) -> Result<(), Error> {
        let label = format!("--label=Playout ({} at {})", entry.profile, entry.api_url);
        run(&["store", &label], entry, key.expose()).map(drop)
    }

    /// The key that is kept under an entry.
    pub(super) fn look_up(self, entry: Entry<'_>) -> Result<Option<Secret>, Error> {
        let found = run(&["lookup"], entry, "")?;
        Ok(Some(found).filter(|key| !key.is_empty()).map(Secret::new))
    }

    /// Forgets a key. One that is not there is forgotten already.
    pub(super) fn forget(self, entry: Entry<'_>) -> Result<(), Error> {
        run(&["clear"], entry, "").map(drop)
    }
}

/// Runs the program; answers what it wrote. It ends with 1 and says nothing where it found nothing.
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
    // A program that has given up reads nothing; what it says then is why.
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

/// Whether it ended well. What it writes is far less than a pipe holds.
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
