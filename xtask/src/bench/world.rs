//! The environment of a bench: the program, a folder of its own, and a database that is filled before the server starts.

use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::app::{CLIENT_KEY, CLIENT_SECRET, SCOPES};
use super::process::Process;
use crate::failure::{Doing, Failure, Outcome};
use crate::machine::free_port;

/// A program to measure and a folder to do it in.
#[derive(Clone, Debug)]
pub struct World {
    playoutd: PathBuf,
    simulator: PathBuf,
    folder: PathBuf,
    database: Option<String>,
    is_short: bool,
    settings: Vec<(&'static str, String)>,
    descriptors: Option<u32>,
}

/// The provider's address in benches that send it nothing.
pub const NOBODY: &str = "http://127.0.0.1:9";

/// What `playoutd bench-seed` put into the database (`SEED.md`).
#[derive(Debug)]
pub struct Seeded {
    /// Its workspace.
    pub workspace: String,
    /// The key of that workspace.
    pub key: String,
    /// Connected accounts, in the order asked for.
    pub platforms: Vec<String>,
    /// Media, in the order of the files.
    pub media: Vec<String>,
}

/// A running server.
#[derive(Debug)]
pub struct Served {
    /// Where it listens.
    pub address: SocketAddr,
    /// The process to measure.
    pub process: Process,
}

impl World {
    /// An empty folder for the bench `name`, below `target/bench/` and this process's number, so that two runs do not meet. What
    /// runs before this one left behind is removed.
    ///
    /// # Errors
    /// When the folder cannot be made or an old one not be removed.
    pub fn new(playoutd: &Path, name: &str) -> Outcome<Self> {
        let playoutd = std::fs::canonicalize(playoutd).doing(playoutd.display())?;
        let base = crate::root().join("target/bench");
        remove_ended(&base)?;
        let folder = base.join(std::process::id().to_string()).join(name);
        if folder.exists() {
            std::fs::remove_dir_all(&folder).doing(folder.display())?;
        }
        std::fs::create_dir_all(&folder).doing(folder.display())?;
        Ok(Self {
            simulator: playoutd.clone(),
            playoutd,
            folder,
            database: None,
            is_short: false,
            settings: Vec::new(),
            descriptors: None,
        })
    }

    /// The same program with an empty folder inside this one.
    ///
    /// # Errors
    /// When the folder cannot be made.
    pub fn part(&self, name: &str) -> Outcome<Self> {
        let folder = self.path(name);
        std::fs::create_dir_all(&folder).doing(folder.display())?;
        Ok(Self {
            folder,
            ..self.clone()
        })
    }

    /// The same with another program as `playoutd`.
    #[must_use]
    pub fn by(&self, playoutd: &Path) -> Self {
        Self {
            playoutd: std::fs::canonicalize(playoutd).unwrap_or_else(|_| playoutd.to_owned()),
            ..self.clone()
        }
    }

    /// The same with this program as the provider's simulator, if one is given. Two programs are compared with the same one.
    ///
    /// # Errors
    /// When there is no such file.
    pub fn simulated_by(self, simulator: Option<&Path>) -> Outcome<Self> {
        let Some(path) = simulator else { return Ok(self) };
        let simulator = std::fs::canonicalize(path).doing(path.display())?;
        Ok(Self { simulator, ..self })
    }

    /// The same, for trying a bench out: less of what takes long. Only some benches know it.
    #[must_use]
    pub fn shortened(self, is_short: bool) -> Self {
        Self { is_short, ..self }
    }

    /// The same with these environment variables, and with so many open files at most.
    #[must_use]
    pub fn confined(self, settings: &[(&'static str, &'static str)], descriptors: u32) -> Self {
        Self {
            settings: settings
                .iter()
                .map(|(name, value)| (*name, (*value).to_owned()))
                .collect(),
            descriptors: Some(descriptors),
            ..self
        }
    }

    /// The same with these environment variables, too.
    #[must_use]
    pub fn with(mut self, settings: Vec<(&'static str, String)>) -> Self {
        self.settings.extend(settings);
        self
    }

    /// Whether the bench is only tried out.
    pub fn is_short(&self) -> bool {
        self.is_short
    }

    /// The same with its data in the database at `url` instead of SQLite.
    #[must_use]
    pub fn on(self, url: String) -> Self {
        Self {
            database: Some(url),
            ..self
        }
    }

    /// Removes the folder with all that the bench left: logs are only of use when it failed.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn remove(self) -> Outcome<()> {
        std::fs::remove_dir_all(&self.folder).doing(self.folder.display())
    }

    /// A path in the bench's folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// A file that comes with the demo.
    pub fn demo_asset(name: &str) -> PathBuf {
        crate::root().join("assets/demo").join(name)
    }

    /// The `playoutd` that is measured.
    pub fn program(&self) -> &Path {
        &self.playoutd
    }

    /// `playoutd` with a subcommand, not yet started, its data in this folder and its limits off. Its settings are those of a small
    /// installation: SQLite, local files.
    pub fn playoutd(&self, subcommand: &str) -> Command {
        self.command(&self.playoutd, subcommand)
    }

    /// The provider's simulator, as [`World::playoutd`].
    pub fn simulator(&self) -> Command {
        self.command(&self.simulator, "simulator")
    }

    fn command(&self, program: &Path, subcommand: &str) -> Command {
        let mut command = match self.descriptors {
            None => Command::new(program),
            Some(limit) => {
                let mut shell = Command::new("sh");
                let line = format!("ulimit -n {limit} && exec \"$0\" \"$@\"");
                shell.args(["-c", &line]).arg(program);
                shell
            }
        };
        command.arg(subcommand).current_dir(&self.folder);
        command.envs(self.settings.iter().map(|(name, value)| (name, value)));
        command
            .env("PLAYOUT_DATA_DIR", self.path("data"))
            .env("PLAYOUT_DRAIN_SECONDS", "0")
            .env("PLAYOUT_RATE_LIMIT", "off");
        command.env("PLAYOUT_LOG", "warn");
        if let Some(url) = &self.database {
            command.env("PLAYOUT_DATABASE_URL", url);
            // All nodes have one; the service makes none of its own with PostgreSQL.
            command.env(
                "PLAYOUT_SECRET_KEY",
                "KioqKioqKioqKioqKioqKioqKioqKioqKioqKioqKio=",
            );
        }
        command
    }

    /// Fills the database. The request is described in `SEED.md`.
    ///
    /// # Errors
    /// When `playoutd bench-seed` fails or answers something else than described.
    pub fn seed(&self, request: &Value) -> Outcome<Seeded> {
        let mut command = self.playoutd("bench-seed");
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().doing("starting playoutd bench-seed")?;
        let mut input = child
            .stdin
            .take()
            .ok_or_else(|| Failure::new("bench-seed has no input"))?;
        input
            .write_all(request.to_string().as_bytes())
            .doing("writing to bench-seed")?;
        drop(input);
        let output = child.wait_with_output().doing("waiting for bench-seed")?;
        if !output.status.success() {
            let errors = String::from_utf8_lossy(&output.stderr);
            return Err(Failure::new(format!("bench-seed: {}\n{errors}", output.status)));
        }
        let answer: Value = serde_json::from_slice(&output.stdout).doing("reading what bench-seed says")?;
        Ok(Seeded {
            workspace: text(&answer["workspaceId"])?,
            key: text(&answer["apiKey"])?,
            platforms: texts(&answer["platformIds"])?,
            media: texts(&answer["mediaIds"])?,
        })
    }

    /// Starts the server and waits until it is ready. `provider` is the address of a simulator, or [`NOBODY`].
    ///
    /// # Errors
    /// When it does not become ready; see its log in the bench's folder.
    pub fn serve(&self, provider: &str) -> Outcome<Served> {
        self.serve_as("all", provider)
    }

    /// The same as `all`, `api` or `worker`.
    ///
    /// # Errors
    /// As [`Self::serve`].
    pub fn serve_as(&self, role: &str, provider: &str) -> Outcome<Served> {
        let address = SocketAddr::from(([127, 0, 0, 1], free_port()?));
        let mut command = self.playoutd("serve");
        command.args(["--role", role]);
        command
            .env("PLAYOUT_LISTEN", address.to_string())
            .env("PLAYOUT_BASE_URL", format!("http://{address}"));
        command
            .env("PLAYOUT_TIKTOK_API_URL", provider)
            .env("PLAYOUT_TIKTOK_AUTH_URL", provider);
        command.env("PLAYOUT_TIKTOK_CLIENT_KEY", CLIENT_KEY);
        command.env("PLAYOUT_TIKTOK_CLIENT_SECRET", CLIENT_SECRET);
        command.env("PLAYOUT_TIKTOK_RATE_LIMITS", "off");
        let mut process = Process::start(&mut command, &self.path("serve.log"))?;
        process.wait_for(address, "/readyz")?;
        Ok(Served { address, process })
    }
}

/// Removes the folders of processes that have ended.
fn remove_ended(base: &Path) -> Outcome<()> {
    let Ok(folders) = std::fs::read_dir(base) else {
        return Ok(());
    };
    let ended = |folder: &PathBuf| {
        folder
            .file_name()
            .is_some_and(|number| !Path::new("/proc").join(number).exists())
    };
    let mut folders = folders.flatten().map(|entry| entry.path()).filter(ended);
    // Another run that starts at the same time may remove it first.
    folders.try_for_each(|folder| match std::fs::remove_dir_all(&folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error).doing(folder.display()),
        _ => Ok(()),
    })
}

/// Accounts that no bench publishes to, as `bench-seed` takes them.
pub fn silent_accounts(count: usize) -> Vec<Value> {
    (0..count)
        .map(|number| {
            json!({
                "openId": format!("bench-{number:03}"),
                "username": format!("bench{number:03}"),
                "displayName": format!("Bench {number:03}"),
                "accessToken": format!("act.bench-{number:03}"),
                "refreshToken": format!("rft.bench-{number:03}"),
                "scopes": SCOPES,
            })
        })
        .collect()
}

/// A JSON string.
///
/// # Errors
/// When it is something else.
pub fn text(value: &Value) -> Outcome<String> {
    value
        .as_str()
        .map(str::to_owned)
        .ok_or_else(|| Failure::new(format!("{value} is no text")))
}

fn texts(value: &Value) -> Outcome<Vec<String>> {
    let values = value
        .as_array()
        .ok_or_else(|| Failure::new(format!("{value} is no list")))?;
    values.iter().map(text).collect()
}
