//! A service that is a process, to be killed and started again, in front of a simulator that runs on real time.

use std::net::SocketAddr;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use playout_domain::secret::Secret;
use playout_tiktok::sim::Simulator;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::harness::{CLIP, Client, Database, Db, Playoutd, SHARED_KEY, Start, real_simulator};

/// How long a post may take to leave QUEUE: the looks for a lost handle take two minutes, and a busy machine adds to that. Shorter than
/// [`A_LONG_LEASE`].
pub(super) const PATIENCE: Duration = Duration::from_secs(900);

/// A lease, in seconds, that ends after every test has lost its patience.
pub(super) const A_LONG_LEASE: &str = "3600";

/// The setting for how long a dead process keeps its jobs.
pub(super) const LEASE: &str = "PLAYOUT_WORKER_LEASE_SECONDS";

/// A data directory, a database and a provider: everything but the process.
pub(super) struct Scene {
    pub(super) sim: Simulator,
    /// A client with the workspace's key.
    pub(super) api: Client,
    pub(super) address: SocketAddr,
    workspace: String,
    env: Vec<(&'static str, String)>,
    dir: tempfile::TempDir,
    database: Database,
}

impl Scene {
    /// A workspace with a key, and these settings for every process.
    pub(super) async fn set(db: Db, env: &[(&'static str, &str)]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let database = Database::create(db, dir.path()).await;
        Self::build(db, dir, database, env).await
    }

    /// The same on a PostgreSQL database that is there already.
    pub(super) async fn on(database: Database, env: &[(&'static str, &str)]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        Self::build(Db::Postgres, dir, database, env).await
    }

    async fn build(db: Db, dir: tempfile::TempDir, database: Database, env: &[(&'static str, &str)]) -> Self {
        let address = Playoutd::free_address();
        let base_url = format!("http://{address}");
        let mut env: Vec<_> = env
            .iter()
            .map(|(name, value)| (*name, (*value).to_owned()))
            .collect();
        env.push(("PLAYOUT_DATABASE_URL", database.url.clone()));
        if !env.iter().any(|(name, _)| *name == LEASE) {
            env.push((LEASE, "2".to_owned()));
        }
        if db == Db::Postgres {
            env.push(("PLAYOUT_SECRET_KEY", SHARED_KEY.to_owned()));
        }
        let sim = real_simulator(&base_url).await;
        let api = Client::new(&base_url, None);
        let mut scene = Self {
            sim,
            api,
            address,
            workspace: String::new(),
            env,
            dir,
            database,
        };
        let workspace = scene.admin(&["workspace", "create", "--name", "Crash"]).await;
        scene.workspace = workspace["id"].as_str().unwrap().to_owned();
        let key = scene
            .admin(&[
                "key",
                "create",
                "--name",
                "crash",
                "--workspace",
                &scene.workspace,
            ])
            .await;
        scene.api = scene
            .api
            .with_key(Some(Secret::new(key["key"].as_str().unwrap())));
        scene
    }

    /// The data directory.
    pub(super) fn dir(&self) -> &Path {
        self.dir.path()
    }

    /// The settings of every process.
    pub(super) fn settings(&self) -> &[(&'static str, String)] {
        &self.env
    }

    /// The address of its database.
    pub(super) fn database_url(&self) -> &str {
        &self.database.url
    }

    /// Hands what a process is started with to `start`; `more` are settings for it alone.
    pub(super) fn starting<T>(
        &self,
        more: &[(&'static str, &str)],
        start: impl FnOnce(&Start<'_>) -> T,
    ) -> T {
        let mut env = self.env.clone();
        env.extend(more.iter().map(|(name, value)| (*name, (*value).to_owned())));
        start(&Start {
            dir: self.dir.path(),
            address: self.address,
            simulator: &self.sim.url(),
            env,
        })
    }

    /// Starts the service, without waiting for it.
    pub(super) fn spawn(&self, more: &[(&'static str, &str)]) -> Playoutd {
        self.starting(more, Playoutd::spawn)
    }

    /// The whole service, ready.
    pub(super) async fn serve(&self) -> Playoutd {
        let mut process = self.spawn(&[]);
        process.ready(self.api.http()).await;
        process
    }

    /// The HTTP half alone, ready: nothing is published while it runs. `more` are settings for it alone.
    pub(super) async fn serve_api(&self, more: &[(&'static str, &str)]) -> Playoutd {
        let mut process = self.starting(more, |start| {
            let mut command = Playoutd::command(start);
            command.args(["serve", "--role", "api"]).stdout(Stdio::null());
            Playoutd::run(command, start.address)
        });
        process.ready(self.api.http()).await;
        process
    }

    /// Lets a process run into `point`, and asserts that it died there.
    pub(super) async fn die_at(&self, point: &str) {
        let process = self.spawn(&[("PLAYOUT_FAILPOINT", point)]);
        self.dies(process, point).await;
    }

    /// Asserts that a process ends by SIGKILL of its own.
    pub(super) async fn dies(&self, mut process: Playoutd, point: &str) {
        use std::os::unix::process::ExitStatusExt;
        let status = process.ended_or(|| format!("{point}: {}", self.log())).await;
        assert_eq!(
            status.signal(),
            Some(9),
            "at {point} the process ended with {status}: {}",
            self.log()
        );
    }

    /// Runs `playoutd admin …`; returns its output.
    pub(super) async fn admin(&self, args: &[&str]) -> Value {
        let mut command = self.starting(&[], Playoutd::command);
        command
            .arg("admin")
            .args(args)
            .arg("--json")
            .stderr(Stdio::piped());
        let output = tokio::task::spawn_blocking(move || command.output())
            .await
            .unwrap()
            .unwrap();
        assert!(
            output.status.success(),
            "{args:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// Connects an account as a person would, while a process serves; no scopes: all that are requested.
    pub(super) async fn connect(&self, username: &str, scopes: &[&str]) -> String {
        let url = self.authorization_url("creator").await;
        self.finish_connecting(&url, username, scopes).await
    }

    /// The same, by the business app, which permits comments.
    pub(super) async fn connect_business(&self, username: &str) -> String {
        let url = self.authorization_url("business").await;
        self.finish_connecting(&url, username, &[]).await
    }

    async fn authorization_url(&self, connection: &str) -> String {
        let args = ["platform", "connect", "--workspace", &self.workspace];
        let link = self
            .admin(&[&args[..], &["--connection", connection]].concat())
            .await;
        link["authorizationUrl"].as_str().unwrap().to_owned()
    }

    async fn finish_connecting(&self, url: &str, username: &str, scopes: &[&str]) -> String {
        let back = self
            .sim
            .approve(url, username, scopes)
            .expect("the provider shows an error page");
        let answer = self.api.follow(&back).await;
        let to = answer.header("location").to_owned();
        let (_, id) = to
            .split_once("connected=")
            .unwrap_or_else(|| panic!("connecting led to {to}"));
        id.to_owned()
    }

    /// Sends an upload but for its last `missing` bytes, and does not read the answer.
    pub(super) async fn send_upload(&self, name: &str, file: &[u8], missing: usize) -> TcpStream {
        let request = self.api.request(Method::POST, "/public/v1/media");
        let request = request.build().unwrap();
        let key = request.headers()["authorization"].to_str().unwrap();
        let part =
            format!("--end\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\r\n");
        let form = [part.as_bytes(), file, b"\r\n--end--\r\n"].concat();
        let head = format!(
            "POST /public/v1/media HTTP/1.1\r\nHost: {}\r\nAuthorization: {key}\r\nContent-Length: {}\r\n\
             Content-Type: multipart/form-data; boundary=end\r\n\r\n",
            self.address,
            form.len()
        );
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.write_all(head.as_bytes()).await.unwrap();
        stream.write_all(&form[..form.len() - missing]).await.unwrap();
        stream
    }

    /// The group of a post.
    pub(super) async fn group(&self, post: &str) -> Value {
        self.api.get(&format!("/public/v1/posts/{post}")).await.ok()
    }

    /// Waits until `until` holds of a post's group.
    pub(super) async fn wait_for(&self, post: &str, until: impl Fn(&Value) -> bool) -> Value {
        let begun = now();
        loop {
            let group = self.group(post).await;
            if until(&group) {
                return group;
            }
            assert!(begun.elapsed() < PATIENCE, "still {group:#}\n{}", self.log());
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Waits until a post has left QUEUE and the provider is idle; returns its root.
    pub(super) async fn settled(&self, post: &str) -> Value {
        let root = self
            .wait_for(post, |group| group["root"]["state"] != "QUEUE")
            .await["root"]
            .take();
        self.sim.idle().await;
        root
    }

    /// The end of the processes' log.
    pub(super) fn log(&self) -> String {
        let log = std::fs::read_to_string(self.dir().join("playoutd.log")).unwrap_or_default();
        log.lines().rev().take(30).collect::<Vec<_>>().join("\n")
    }
}

/// The body that creates a public post on one platform.
pub(super) fn post_body(platform: &str, content: &str, media: &[String]) -> Value {
    json!({
        "platformIds": [platform],
        "content": content,
        "mode": "now",
        "mediaIds": media,
        "settings": { "privacy_level": "PUBLIC_TO_EVERYONE" },
    })
}

/// A valid video of so many bytes: the clip, padded with a `free` box.
pub(super) fn padded_clip(size_bytes: usize) -> Vec<u8> {
    let padding = size_bytes - CLIP.len();
    let mut video = Vec::with_capacity(size_bytes);
    video.extend_from_slice(CLIP);
    video.extend_from_slice(&u32::try_from(padding).unwrap().to_be_bytes());
    video.extend_from_slice(b"free");
    video.resize(size_bytes, 0);
    video
}

/// The present of real processes, for patience that ends.
#[expect(clippy::disallowed_methods, reason = "processes run on real time")]
pub(super) fn now() -> Instant {
    Instant::now()
}
