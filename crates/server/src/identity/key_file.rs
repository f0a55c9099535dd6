//! The file of the secret key under a running service. It is read at the start alone: where it is removed later, the service goes on, and
//! does not start again. This process keeps the file open, so that it can be copied back.

use std::fs::File;
use std::io::ErrorKind;
use std::os::fd::AsRawFd;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::time::Duration;

use playout_domain::time::Time;

use crate::config::Config;

/// How often the log repeats that it is missing.
const TELL_EVERY: Duration = Duration::from_secs(3600);
/// No key is longer, in bytes.
const LONGEST: usize = 256;

/// The file of the key, where the service made the key itself.
#[derive(Debug)]
pub(crate) struct KeyFile {
    /// `None` where keys are configured: the file does not count then.
    path: Option<PathBuf>,
    /// As it was at the start.
    open: Option<File>,
    /// When the log last had that it is missing; `None` while it is there.
    told: Option<Time>,
}

impl KeyFile {
    pub(crate) fn of(config: &Config) -> Self {
        let path = config.data_dir.join("secret.key");
        Self {
            open: File::open(&path).ok(),
            path: config.secret_keys.0.is_empty().then_some(path),
            told: None,
        }
    }

    /// Logs that the file is missing, or holds another key, with the command that copies it back; and that it is back.
    pub(crate) fn look(&mut self, now: Time) {
        let (Some(path), Some(open)) = (&self.path, &self.open) else {
            return;
        };
        let is_there = match File::open(path) {
            Ok(there) => is_same(&there, open),
            Err(error) => error.kind() != ErrorKind::NotFound,
        };
        let (exists, path) = (path.exists(), path.display());
        match (is_there, self.told) {
            (true, None) => {}
            (true, Some(_)) => {
                tracing::info!("the secret key {path} is back");
                self.told = None;
            }
            (false, Some(told)) if now.since(told) < TELL_EVERY => {}
            (false, _) => {
                self.told = Some(now);
                // What is there is another key: `install` would write over it.
                let first = match exists {
                    true => "move away what is there, and ",
                    false => "",
                };
                tracing::error!(
                    "the secret key {path} was removed or replaced under the running service, and only this process still has it: without \
                     the key the database cannot be used. Before you stop the service, {first}type as its user \
                     `install -m 600 /proc/{}/fd/{} {path}`, or put the file back from a backup",
                    std::process::id(),
                    open.as_raw_fd()
                );
            }
        }
    }
}

/// Whether two files have the same content. One that cannot be read is taken for the same: it is there.
fn is_same(one: &File, other: &File) -> bool {
    let (mut first, mut second) = ([0; LONGEST], [0; LONGEST]);
    match (one.read_at(&mut first, 0), other.read_at(&mut second, 0)) {
        (Ok(_), Ok(_)) => first == second,
        _ => true,
    }
}
