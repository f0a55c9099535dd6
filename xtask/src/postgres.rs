//! A PostgreSQL server of our own, for one run of the tests: a fresh cluster in a temporary folder, on a free port.
//!
//! It never outlives the run. A small shell process, the guardian, holds the other end of a pipe from us; when the pipe
//! closes, because we are done, failed, were interrupted or were killed, it stops the server and removes the folder.

pub mod copies;

use std::fs::OpenOptions;
use std::io::Write;
use std::net::SocketAddr;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::failure::{Doing, Failure, Outcome};
use crate::machine::{free_port, is_root, said};

/// Waits for the pipe to close, then stops the server and removes the folder.
/// `$1` is the folder; what follows is the command that stops the server.
const GUARDIAN: &str = r#"cat >/dev/null; dir="$1"; shift; "$@" >/dev/null 2>&1; rm -rf "$dir""#;

/// What the server logs when a transaction begins on a connection on which another one is open.
const NESTED: &str = "there is already a transaction in progress";

/// How often to look for another port when another process takes the one that was free.
const PORT_TRIES: usize = 5;

/// A running server. Dropping it stops it and removes its data.
#[derive(Debug)]
pub struct Postgres {
    guardian: Child,
    bin: PathBuf,
    folder: PathBuf,
    port: u16,
}

impl Postgres {
    /// Makes a cluster with the programs in `bin` (`initdb`, `pg_ctl`) and starts it: trust authentication, on 127.0.0.1
    /// only, and without fsync, because its data never has to survive anything. As root it runs as the user `postgres`,
    /// because PostgreSQL refuses root.
    ///
    /// # Errors
    /// When the cluster cannot be made or the server does not start; the failure holds its log.
    pub fn start(bin: &Path) -> Outcome<Self> {
        Self::start_with(bin, "synchronous_commit = off\n")
    }

    /// The same, but what is committed survives [`Self::restart`].
    ///
    /// # Errors
    /// As [`Self::start`].
    pub fn durable(bin: &Path) -> Outcome<Self> {
        Self::start_with(bin, "synchronous_commit = on\n")
    }

    /// The same, but it collects statistics only when it is asked to.
    ///
    /// # Errors
    /// As [`Self::start`].
    pub fn without_autovacuum(bin: &Path) -> Outcome<Self> {
        Self::start_with(bin, "synchronous_commit = off\nautovacuum = off\n")
    }

    fn start_with(bin: &Path, settings: &str) -> Outcome<Self> {
        let folder = new_folder()?;
        let guardian = guard(bin, &folder)?;
        let mut server = Self {
            guardian,
            bin: bin.to_path_buf(),
            folder,
            port: 0,
        };
        said(
            unprivileged(&bin.join("initdb"))
                .args(["--no-sync", "-A", "trust", "-U", "postgres", "-E", "UTF8"])
                .args(["--locale=C", "-D", &server.data()]),
        )
        .doing("making a PostgreSQL cluster")?;
        server.listen(settings)?;
        Ok(server)
    }

    /// The address of its database `postgres`, as its superuser.
    pub fn url(&self) -> String {
        self.url_by(self.address())
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        SocketAddr::from(([127, 0, 0, 1], self.port))
    }

    /// The address of the same database for clients that connect through `address`.
    pub fn url_by(&self, address: SocketAddr) -> String {
        format!("postgres://postgres@{address}/postgres")
    }

    /// The temporary folder that holds all its files.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn data(&self) -> String {
        self.folder.join("data").display().to_string()
    }

    /// The process that all others of the server are children of.
    ///
    /// # Errors
    /// When it does not run.
    pub fn process_id(&self) -> Outcome<u32> {
        let file = self.folder.join("data/postmaster.pid");
        let text = std::fs::read_to_string(&file).doing(file.display())?;
        let first = text.lines().next().unwrap_or_default();
        first.trim().parse().doing(file.display())
    }

    /// How many transactions began on a connection on which another one was open.
    ///
    /// # Errors
    /// When the server's log cannot be read.
    pub fn nested_transactions(&self) -> Outcome<usize> {
        let log = std::fs::read(self.log()).doing("reading the log of PostgreSQL")?;
        Ok(String::from_utf8_lossy(&log).matches(NESTED).count())
    }

    /// Stops it without giving it time to write anything down, as a crash would, and starts it again on the same port.
    ///
    /// # Errors
    /// When it does not start again; the failure holds its log.
    pub fn restart(&self) -> Outcome<()> {
        self.crash()?;
        self.start_again()
    }

    /// Stops it without giving it time to write anything down.
    fn crash(&self) -> Outcome<()> {
        let mut stop = unprivileged(&self.bin.join("pg_ctl"));
        stop.args(["stop", "--silent", "-m", "immediate", "-D", &self.data()]);
        said(&mut stop).doing("stopping PostgreSQL").map(drop)
    }

    fn start_again(&self) -> Outcome<()> {
        if self.launch()? {
            return Ok(());
        }
        Err(self.does_not_start())
    }

    fn listen(&mut self, settings: &str) -> Outcome<()> {
        self.write_settings(settings)?;
        for _ in 0..PORT_TRIES {
            self.port = free_port()?;
            if self.launch()? {
                return Ok(());
            }
        }
        Err(self.does_not_start())
    }

    /// Starts the server on its port; whether it did.
    fn launch(&self) -> Outcome<bool> {
        let mut start = unprivileged(&self.bin.join("pg_ctl"));
        let port = format!("-p {}", self.port);
        start.args(["start", "--wait", "--silent", "-D", &self.data(), "-o", &port]);
        start
            .arg("-l")
            .arg(self.log())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        Ok(start.status().doing("starting PostgreSQL")?.success())
    }

    fn log(&self) -> PathBuf {
        self.folder.join("log")
    }

    fn does_not_start(&self) -> Failure {
        let log = std::fs::read_to_string(self.log()).unwrap_or_default();
        Failure::new(format!("PostgreSQL does not start:\n{log}"))
    }

    fn write_settings(&self, more: &str) -> Outcome<()> {
        let settings = format!(
            "listen_addresses = '127.0.0.1'\nunix_socket_directories = '{}'\nmax_connections = 400\n\
             fsync = off\nfull_page_writes = off\nshared_buffers = 256MB\n{more}",
            self.folder.display()
        );
        let path = self.folder.join("data/postgresql.conf");
        let mut file = OpenOptions::new()
            .append(true)
            .open(&path)
            .doing(path.display())?;
        file.write_all(settings.as_bytes()).doing(path.display())
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        drop(self.guardian.stdin.take());
        if let Err(error) = self.guardian.wait() {
            eprintln!("PostgreSQL in {} may still run: {error}", self.folder.display());
        }
    }
}

/// A file system in memory.
const IN_MEMORY: &str = "/dev/shm";

/// What the databases of the tests take there at most, in bytes, and as much again.
const ROOM: u64 = 4 << 30;

/// A new empty folder, owned by the user who will run the server.
fn new_folder() -> Outcome<PathBuf> {
    // Each test makes a database of hundreds of files and drops it; on a disk that is a third of all the work of the tests.
    let base = if free_bytes(Path::new(IN_MEMORY)).is_some_and(|free| free >= ROOM) {
        PathBuf::from(IN_MEMORY)
    } else if is_root() {
        // Not the root user's own temporary folder, which others may not enter.
        PathBuf::from("/tmp")
    } else {
        std::env::temp_dir()
    };
    let template = base.join("playout-postgres.XXXXXX");
    let made =
        said(unprivileged(Path::new("mktemp")).arg("-d").arg(template)).doing("making a temporary folder")?;
    Ok(PathBuf::from(made.trim()))
}

/// How much may be written to the file system of a folder; `None` if there is none.
fn free_bytes(folder: &Path) -> Option<u64> {
    let free = said(
        Command::new("df")
            .args(["--output=avail", "--block-size=1"])
            .arg(folder),
    )
    .ok()?;
    free.lines().last()?.trim().parse().ok()
}

/// Starts the guardian, in a process group of its own, so that Ctrl-C does not end it before its work is done.
fn guard(bin: &Path, folder: &Path) -> Outcome<Child> {
    let mut guardian = Command::new("sh");
    guardian.args(["-c", GUARDIAN, "guardian"]).arg(folder);
    let stop = unprivileged(&bin.join("pg_ctl"));
    guardian.arg(stop.get_program()).args(stop.get_args());
    guardian
        .args(["stop", "-m", "immediate", "-D"])
        .arg(folder.join("data"));
    guardian.stdin(Stdio::piped()).process_group(0).current_dir("/");
    guardian.spawn().doing("starting the guardian of PostgreSQL")
}

/// The program, run as the user `postgres` if we are root, from a folder that this user may enter.
fn unprivileged(program: &Path) -> Command {
    let mut command = if is_root() {
        Command::new("runuser")
    } else {
        Command::new(program)
    };
    if is_root() {
        command.args(["-u", "postgres", "--"]).arg(program);
    }
    command.current_dir("/");
    command
}
