//! The service as a process of its own, to be killed.

use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use playout_server::clock::SystemClock;
use playout_tiktok::sim::{SimConfig, Simulator};

/// A simulator that runs on real time, because a process does.
pub(crate) async fn real_simulator(base_url: &str) -> Simulator {
    let config = SimConfig {
        redirect_uris: vec![format!("{base_url}/oauth/tiktok/callback")],
        webhook_url: Some(format!("{base_url}/webhooks/tiktok")),
        ..SimConfig::default()
    };
    Simulator::start(config, Arc::new(SystemClock)).await.unwrap()
}

/// A `playoutd serve` on a data directory. Killed when dropped.
pub(crate) struct Playoutd {
    child: Child,
    /// Where it answers.
    pub(crate) base_url: String,
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
    /// An address that nobody listens on right now.
    pub(crate) fn free_address() -> SocketAddr {
        TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
    }

    /// Starts the process; does not wait for it.
    pub(crate) fn spawn(start: &Start<'_>) -> Self {
        let base_url = format!("http://{}", start.address);
        let child = Self::command(start).arg("serve").spawn().unwrap();
        Self { child, base_url }
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
            .env("PLAYOUT_TIKTOK_API_URL", start.simulator)
            .env("PLAYOUT_TIKTOK_AUTH_URL", start.simulator)
            .env("PLAYOUT_LOG", "warn")
            .stdin(Stdio::null())
            .stdout(Stdio::piped());
        for (name, value) in &start.env {
            command.env(name, value);
        }
        command
    }

    /// Waits until it answers `/readyz`.
    pub(crate) async fn ready(&mut self, http: &reqwest::Client) {
        for _ in 0..3000 {
            if let Ok(answer) = http.get(format!("{}/readyz", self.base_url)).send().await
                && answer.status() == 200
            {
                return;
            }
            assert!(
                self.child.try_wait().unwrap().is_none(),
                "playoutd ended before it was ready"
            );
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("playoutd was not ready in half a minute");
    }

    /// Kills it with SIGKILL.
    pub(crate) fn kill(&mut self) {
        let _already_dead = self.child.kill();
        self.child.wait().unwrap();
    }

    /// Whether it is still alive.
    pub(crate) fn is_alive(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    /// Asks it to stop, with SIGTERM, and waits for its end.
    pub(crate) fn terminate(&mut self) -> ExitStatus {
        let pid = self.child.id().to_string();
        Command::new("kill").args(["-TERM", &pid]).status().unwrap();
        self.child.wait().unwrap()
    }
}

impl Drop for Playoutd {
    fn drop(&mut self) {
        self.kill();
    }
}
