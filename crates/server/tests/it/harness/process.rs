//! The service as a process of its own, to be killed.

use std::fs::File;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::Duration;

use playout_server::clock::SystemClock;
use playout_tiktok::sim::{SimConfig, Simulator};

use super::PATIENCE;
use super::opening::callbacks;

/// A simulator that runs on real time, because a process does.
pub(crate) async fn real_simulator(base_url: &str) -> Simulator {
    let config = SimConfig {
        redirect_uris: callbacks(base_url),
        webhook_url: Some(format!("{base_url}/webhooks/tiktok")),
        ..SimConfig::default()
    };
    Simulator::start(config, Arc::new(SystemClock)).await.unwrap()
}

/// The secret key of all nodes: with PostgreSQL the service makes none.
pub(crate) const SHARED_KEY: &str = "KioqKioqKioqKioqKioqKioqKioqKioqKioqKioqKio=";

/// A `playoutd serve` on a data directory. Killed when dropped.
pub(crate) struct Playoutd {
    child: Child,
    /// Where it answers.
    pub(crate) base_url: String,
    /// Where it logs, if to a file.
    log: Option<PathBuf>,
}

/// What a process is started with.
#[derive(Clone)]
pub(crate) struct Start<'a> {
    /// The data directory.
    pub(crate) dir: &'a Path,
    /// Where it listens, the same after every restart.
    pub(crate) address: SocketAddr,
    /// The provider.
    pub(crate) simulator: &'a str,
    /// Further settings by environment variable.
    pub(crate) env: Vec<(&'static str, String)>,
}

impl Playoutd {
    /// An address that nothing listens on, and that no outgoing connection takes while the process is dead.
    pub(crate) fn free_address() -> SocketAddr {
        Self::listener().local_addr().unwrap()
    }

    /// Listens where no outgoing connection does, also once it is closed: the system gives those ports above 32767.
    pub(crate) fn listener() -> TcpListener {
        static TRIED: AtomicU16 = AtomicU16::new(0);
        // Far from those of a process that was started just before.
        let first = std::process::id().wrapping_mul(7_919) % 17_000;
        loop {
            let step = u32::from(TRIED.fetch_add(1, Ordering::Relaxed));
            let port = u16::try_from(15_000 + (first + step) % 17_000).unwrap();
            if let Ok(listener) = TcpListener::bind(("127.0.0.1", port)) {
                return listener;
            }
        }
    }

    /// Starts the process; does not wait for it. What it logs is added to `playoutd.log` in its directory.
    pub(crate) fn spawn(start: &Start<'_>) -> Self {
        let mut command = Self::command(start);
        command.arg("serve");
        Self::run_with_log(command, start)
    }

    /// The same under another limit of open files, which `options` of `ulimit` set.
    pub(crate) fn spawn_under_limit(start: &Start<'_>, options: &str) -> Self {
        let plain = Self::command(start);
        let mut command = Command::new("sh");
        command
            .args(["-c", &format!("ulimit {options}; exec \"$0\" serve")])
            .arg(plain.get_program())
            .envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))))
            .current_dir(start.dir);
        Self::run_with_log(command, start)
    }

    /// Starts a command made by [`Playoutd::command`], which serves at `address`.
    pub(crate) fn run(mut command: Command, address: SocketAddr) -> Self {
        Self {
            child: command.spawn().unwrap(),
            base_url: format!("http://{address}"),
            log: None,
        }
    }

    fn run_with_log(mut command: Command, start: &Start<'_>) -> Self {
        let path = start.dir.join("playoutd.log");
        let log = File::options().create(true).append(true).open(&path);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log.unwrap());
        let mut process = Self::run(command, start.address);
        process.log = Some(path);
        process
    }

    /// `playoutd` with the settings of `start` and no task yet.
    pub(crate) fn command(start: &Start<'_>) -> Command {
        let app = SimConfig::default();
        let mut command = Command::new(env!("CARGO_BIN_EXE_playoutd"));
        command
            .current_dir(start.dir)
            .env("PLAYOUT_DATA_DIR", start.dir)
            .env("PLAYOUT_LISTEN", start.address.to_string())
            .env("PLAYOUT_BASE_URL", format!("http://{}", start.address))
            .env("PLAYOUT_TIKTOK_CLIENT_KEY", app.client_key)
            .env("PLAYOUT_TIKTOK_CLIENT_SECRET", app.client_secret)
            .env("PLAYOUT_TIKTOK_BUSINESS_CLIENT_ID", app.business_client_id)
            .env(
                "PLAYOUT_TIKTOK_BUSINESS_CLIENT_SECRET",
                app.business_client_secret,
            )
            .env("PLAYOUT_TIKTOK_API_URL", start.simulator)
            .env("PLAYOUT_TIKTOK_AUTH_URL", start.simulator)
            .env("PLAYOUT_LOG", "warn")
            .env("PLAYOUT_DRAIN_SECONDS", "0")
            .env("PLAYOUT_RATE_LIMIT", "off")
            .stdin(Stdio::null())
            .stdout(Stdio::piped());
        for (name, value) in &start.env {
            command.env(name, value);
        }
        command
    }

    /// Waits until it answers `/readyz`.
    pub(crate) async fn ready(&mut self, http: &reqwest::Client) {
        let url = format!("{}/readyz", self.base_url);
        let waiting = async {
            loop {
                // A program that took the port in the meantime may never respond.
                let request = http.get(&url).timeout(Duration::from_secs(5));
                if let Ok(answer) = request.send().await
                    && answer.status() == 200
                {
                    return;
                }
                if let Some(status) = self.child.try_wait().unwrap() {
                    let log = self.log.as_ref().map(std::fs::read_to_string);
                    panic!("playoutd ended before it was ready, with {status}: {log:?}");
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        let waited = tokio::time::timeout(PATIENCE, waiting).await;
        if waited.is_err() {
            let log = self.log.as_ref().map(std::fs::read_to_string);
            panic!("playoutd was not ready within {PATIENCE:?}: {log:?}");
        }
    }

    /// Kills it with SIGKILL.
    pub(crate) fn kill(&mut self) {
        let _already_dead = self.child.kill();
        self.child.wait().unwrap();
    }

    /// Waits until it ends by itself, for [`PATIENCE`] at most.
    pub(crate) async fn ended(&mut self) -> ExitStatus {
        self.ended_or(String::new).await
    }

    /// The same; `why` is what to show where it does not.
    pub(crate) async fn ended_or(&mut self, why: impl FnOnce() -> String) -> ExitStatus {
        let waiting = async {
            loop {
                if let Some(status) = self.child.try_wait().unwrap() {
                    return status;
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        let waited = tokio::time::timeout(PATIENCE, waiting).await;
        waited.unwrap_or_else(|_| panic!("playoutd did not end within {PATIENCE:?} {}", why()))
    }

    /// Sends it a signal by name, such as `TERM`.
    pub(crate) fn signal(&self, name: &str) {
        let pid = self.child.id().to_string();
        assert!(
            Command::new("kill")
                .args([&format!("-{name}"), &pid])
                .status()
                .unwrap()
                .success()
        );
    }

    /// A figure of its memory in `/proc/…/status`, such as `VmHWM`, in bytes.
    pub(crate) fn memory(&self, name: &str) -> u64 {
        let status = self.proc("status");
        let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        let kib: u64 = line
            .trim_start_matches(':')
            .trim()
            .trim_end_matches(" kB")
            .parse()
            .unwrap();
        kib * 1024
    }

    /// A file in its `/proc/…`, such as `limits`.
    pub(crate) fn proc(&self, name: &str) -> String {
        std::fs::read_to_string(format!("/proc/{}/{name}", self.child.id())).unwrap()
    }

    /// How many files and connections it has open.
    pub(crate) fn open_files(&self) -> usize {
        let folder = format!("/proc/{}/fd", self.child.id());
        std::fs::read_dir(folder).unwrap().count()
    }

    /// Whether it is still alive.
    pub(crate) fn is_alive(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }
}

impl Drop for Playoutd {
    fn drop(&mut self) {
        self.kill();
    }
}
