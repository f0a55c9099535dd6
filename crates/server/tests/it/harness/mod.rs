//! How tests start the world: a real service on a real database, in front of a simulated provider, with a clock that
//! only the test moves. Everything runs on the test's own thread, so that what it logs can be judged.

mod browser;
mod bucket;
mod client;
mod cluster;
mod dashboard;
mod database;
mod documented;
mod errors;
mod file_server;
mod mailbox;
mod model;
mod nodes;
mod notices;
mod opening;
mod people;
mod pooler;
mod process;
mod provider;
mod proxy;
mod receiver;
mod storage;
mod stored;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use playout_domain::platform::{Connection, ProviderConnection};
use playout_domain::secret::Secret;
use playout_domain::time::{Clock, ManualClock, Time};
use playout_domain::workspace::Workspace;
use playout_server::app::App;
use playout_server::listen::Limits;
use playout_server::serve::{Role, Service};
use playout_tiktok::sim::Simulator;
use serde_json::Value;
use tokio::net::TcpListener;

pub(crate) use browser::Browser;
pub(crate) use bucket::ObjectStorage;
pub(crate) use client::{Answer, CLIP, Client, jpeg, padded, post_body, with_form};
pub(crate) use cluster::Cluster;
pub(crate) use dashboard::{INDEX, SCRIPT};
pub(crate) use database::{Database, Db};
pub(crate) use errors::LoggedErrors;
pub(crate) use file_server::{FileServer, Sends};
pub(crate) use mailbox::{Mailbox, token_in};
pub(crate) use model::{Model, Reply, captions};
pub(crate) use notices::Notice;
use opening::{Surroundings, configure, create_workspace, open, open_on, start_simulator, storage};
pub(crate) use people::{Authenticator, PASSWORD, Person, SECOND_FACTOR, texts};
pub(crate) use pooler::Pooler;
pub(crate) use process::{Playoutd, SHARED_KEY, Start, real_simulator};
pub(crate) use provider::TIKTOK;
pub(crate) use proxy::Proxy;
pub(crate) use receiver::{Delivered, Receiver, Takes};
pub(crate) use storage::{PART_BYTES, date};
pub(crate) use stored::{everything_stored, execute_in, hexadecimal, holds, stored_files, texts_in};

/// How long a test waits for what must come: real time, of a machine that may be busy with much else. A test that passes never waits so
/// long, so all tests have this one limit.
pub(crate) const PATIENCE: Duration = Duration::from_secs(300);

/// Polls until a condition holds of which there is no notification.
pub(crate) async fn eventually(what: &str, holds: impl AsyncFn() -> bool) {
    let waiting = async {
        while !holds().await {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let waited = tokio::time::timeout(PATIENCE, waiting).await;
    assert!(waited.is_ok(), "not within {PATIENCE:?}: {what}");
}

/// The secret key of every node, unless a test sets another.
pub(crate) const KEY: [u8; 32] = [7; 32];

/// Noon of a day in the middle of a month.
pub(crate) const START: &str = "2026-11-20T12:00:00.000Z";

/// Makes two tests of each function that it names, `name::on_sqlite` and `name::on_postgres`. A function that is left out
/// is dead code, which the compiler reports.
macro_rules! on_both {
    ($($name:ident),* $(,)?) => {$(
        mod $name {
            #[tokio::test]
            async fn on_sqlite() {
                Box::pin(super::$name($crate::harness::Db::Sqlite)).await;
            }

            #[tokio::test]
            async fn on_postgres() {
                Box::pin(super::$name($crate::harness::Db::Postgres)).await;
            }
        }
    )*};
}
pub(crate) use on_both;

/// The world of one test. When it is dropped, the test fails if the provider received an unknown request, or if an error
/// was logged that the test did not expect.
pub(crate) struct TestApp {
    pub(crate) app: Arc<App>,
    pub(crate) clock: ManualClock,
    pub(crate) sim: Simulator,
    pub(crate) workspace: Workspace,
    /// A client with the workspace's key.
    pub(crate) api: Client,
    /// Errors that the service logged.
    pub(crate) errors: LoggedErrors,
    service: Option<Service>,
    database: Database,
    /// Where media are kept, if it is not a folder.
    _bucket: Option<ObjectStorage>,
    pub(crate) dir: tempfile::TempDir,
}

/// What a test may set.
#[derive(Clone, Default)]
pub(crate) struct Options {
    /// Settings by name, as on the command line.
    pub(crate) settings: Vec<(&'static str, String)>,
    /// The workspace's plan.
    pub(crate) plan: Option<&'static str>,
    /// Which halves to run; both by default.
    pub(crate) role: Option<Role>,
    /// The address that the provider's answers name, where it is not the one it listens on.
    pub(crate) provider_url: Option<&'static str>,
    /// Where the service reaches PostgreSQL, where it is not where the tests do.
    pub(crate) database_at: Option<SocketAddr>,
    /// How long the storage may take for one step, if not as long as usual.
    pub(crate) step_limit: Option<Duration>,
    /// How long a client may be waited for that neither sends nor reads, if not as long as usual.
    pub(crate) stall: Option<Duration>,
    /// SQL that makes the database, such as one that an earlier version left; a new database by default.
    pub(crate) dump: Option<String>,
}

impl Options {
    /// With a setting.
    pub(crate) fn set(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.settings.push((name, value.into()));
        self
    }

    /// On a plan.
    pub(crate) fn plan(mut self, plan: &'static str) -> Self {
        self.plan = Some(plan);
        self
    }
}

impl TestApp {
    /// A world with default settings.
    pub(crate) async fn start(db: Db) -> Self {
        Self::start_with(db, Options::default()).await
    }

    /// A world with other settings.
    pub(crate) async fn start_with(db: Db, options: Options) -> Self {
        let errors = LoggedErrors::listen();
        let clock = ManualClock::at(Time::parse(START).unwrap());
        let dir = tempfile::tempdir().unwrap();
        let database = match &options.dump {
            Some(dump) => Database::restore(db, dir.path(), dump).await,
            None => Database::create(db, dir.path()).await,
        };
        let listener = Playoutd::listener();
        listener.set_nonblocking(true).unwrap();
        let listener = TcpListener::from_std(listener).unwrap();
        let base_url = format!("http://{}", listener.local_addr().unwrap());
        let sim = start_simulator(&clock, &base_url, options.provider_url).await;
        let bucket = match bucket::is_wanted() {
            true => Some(ObjectStorage::start(dir.path())),
            false => None,
        };
        let world = Surroundings {
            database: &database,
            dir: dir.path(),
            base_url: &base_url,
            provider_url: &sim.url(),
            bucket: bucket.as_ref(),
        };
        let config = configure(&options, &world);
        let blobs = storage(&config, options.step_limit);
        let app = open_on(config, Arc::new(clock.clone()), blobs, vec![KEY]).await;
        let workspace = create_workspace(&app, options.plan).await;
        let key = app
            .create_key(workspace.id, "test", None, None)
            .await
            .unwrap()
            .key;
        let mut limits = Limits::of(&app.config);
        limits.stall = options.stall.unwrap_or(limits.stall);
        let role = options.role.unwrap_or(Role::All);
        let service = Service::start_within(&app, listener, role, limits);
        app.identity.fits().await;
        let api = Client::new(&base_url, Some(key));
        Self {
            app,
            clock,
            sim,
            workspace,
            api,
            errors,
            service: Some(service),
            database,
            _bucket: bucket,
            dir,
        }
    }

    /// The present.
    pub(crate) fn now(&self) -> Time {
        self.clock.now()
    }

    /// Moves time on, and waits until everything due is done.
    pub(crate) async fn advance(&self, by: Duration) {
        self.clock.advance(by);
        self.idle().await;
    }

    /// Waits until no job runs, none is due, and the provider has done what it had to do.
    pub(crate) async fn idle(&self) {
        let mut pulse = self.app.heart.pulse();
        loop {
            self.sim.idle().await;
            let before = *pulse.borrow_and_update();
            if !self.is_engine_idle().await {
                pulse.changed().await.unwrap();
                continue;
            }
            // What just ended may have made the provider deliver news, which may have made a job due.
            self.sim.idle().await;
            if self.is_engine_idle().await && *pulse.borrow() == before {
                return;
            }
        }
    }

    async fn is_engine_idle(&self) -> bool {
        let job = self.app.store.next_run_at().await.unwrap();
        let revocation = self.app.store.next_revocation_at().await.unwrap();
        let delivery = self.app.store.next_delivery_at().await.unwrap();
        let mut due = job.into_iter().chain(revocation).chain(delivery);
        due.all(|due| due > self.now()) && self.app.heart.is_quiet()
    }

    /// Lets time pass from one due job to the next until `until` holds of the post, for three days at most.
    pub(crate) async fn run_until(&self, post: &str, until: impl Fn(&Value) -> bool) -> Value {
        let end = self.now().plus(Duration::from_secs(3 * 86_400));
        loop {
            self.idle().await;
            let root = self.root(post).await;
            if until(&root) {
                return root;
            }
            let next = self.app.store.next_run_at().await.unwrap();
            let next = next.unwrap_or_else(|| panic!("no job is left, and the post is {root:#}"));
            assert!(next <= end, "three days on, the post is still {root:#}");
            self.clock.set(next);
        }
    }

    /// Lets time pass until a post has left QUEUE.
    pub(crate) async fn settled(&self, post: &str) -> Value {
        self.run_until(post, |root| root["state"] != "QUEUE").await
    }

    /// The root of a post's group, as the API shows it.
    pub(crate) async fn root(&self, post: &str) -> Value {
        self.api.get(&format!("/public/v1/posts/{post}")).await.ok()["root"].take()
    }

    /// Connects an account of the simulator as a person would; returns the platform's ID.
    pub(crate) async fn connect(&self, username: &str) -> String {
        self.connect_granting(username, &[]).await
    }

    /// Connects an account that grants only some scopes; none means all that are requested.
    pub(crate) async fn connect_granting(&self, username: &str, scopes: &[&str]) -> String {
        self.connect_by(Connection::Creator, username, scopes).await
    }

    /// Connects an account of the simulator by its business app, which permits comments; returns the platform's ID.
    pub(crate) async fn connect_business(&self, username: &str) -> String {
        self.connect_business_granting(username, &[]).await
    }

    /// The same, granting only some scopes.
    pub(crate) async fn connect_business_granting(&self, username: &str, scopes: &[&str]) -> String {
        self.connect_by(Connection::Business, username, scopes).await
    }

    async fn connect_by(&self, connection: Connection, username: &str, scopes: &[&str]) -> String {
        let wanted = ProviderConnection { connection, ..TIKTOK };
        let url = self
            .app
            .start_connecting(self.workspace.id, wanted)
            .await
            .unwrap();
        let back = self
            .sim
            .approve(&url, username, scopes)
            .expect("the provider shows an error page");
        let answer = self.api.follow(&back).await;
        let to = answer.header("location").to_owned();
        let (_, id) = to
            .split_once("connected=")
            .unwrap_or_else(|| panic!("connecting led to {to}"));
        id.to_owned()
    }

    /// A second workspace with a key of its own.
    pub(crate) async fn stranger(&self) -> Client {
        let workspace = create_workspace(&self.app, None).await;
        let key = self
            .app
            .create_key(workspace.id, "stranger", None, None)
            .await
            .unwrap()
            .key;
        Client::new(&self.app.config.base_url, Some(key))
    }

    /// Stops the service gracefully and waits for it.
    pub(crate) async fn stop(&mut self) {
        if let Some(service) = self.service.take() {
            service.stop().await;
        }
    }
}

impl TestApp {
    /// Starts the service again where it was, after [`TestApp::stop`].
    pub(crate) async fn restart(&mut self) {
        let address = self.app.config.base_url.trim_start_matches("http://");
        let listener = listen_again(address.parse().unwrap()).await;
        self.service = Some(Service::start(&self.app, listener, Role::All));
    }

    /// Starts another process where this one was, after [`TestApp::stop`]: what was only in its memory is gone.
    pub(crate) async fn replace(&mut self) {
        self.app = open(self.app.config.clone(), &self.clock).await;
        self.restart().await;
    }

    /// A copy of the database, made while the service is stopped for a moment.
    pub(crate) async fn copy_database(&mut self) -> Database {
        self.stop().await;
        self.app.store.close().await;
        let copy = self.database.copy(self.dir.path()).await;
        self.replace().await;
        copy
    }

    /// The service on that database from now on, as after a restore: storage and provider are what they are.
    pub(crate) async fn go_on_with(&mut self, copy: Database) {
        self.stop().await;
        self.app.store.close().await;
        let mut config = self.app.config.clone();
        config.database_url = Secret::new(copy.url.as_str());
        self.app = open(config, &self.clock).await;
        self.database = copy;
        self.restart().await;
    }
}

impl Drop for TestApp {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        let misunderstood = self.sim.misunderstood();
        assert!(
            misunderstood.is_empty(),
            "the provider did not understand {misunderstood:#?}"
        );
        let mut errors = self.errors.unexpected();
        // Of the world that the same test had before, and whose last tasks have not ended.
        let here = self.dir.path().display().to_string();
        errors.retain(|line| !line.contains("the database file") || line.contains(&here));
        // The end of its database on PostgreSQL.
        errors.retain(|line| !line.contains("terminating connection due to administrator command"));
        assert!(errors.is_empty(), "the service logged errors: {errors:#?}");
    }
}

/// Listens where something else did. What was closed there may be open for a moment longer: in a process that another test
/// starts, until it runs its own program.
async fn listen_again(address: SocketAddr) -> TcpListener {
    let trying = async {
        loop {
            match TcpListener::bind(address).await {
                Ok(listener) => return listener,
                Err(_) => tokio::time::sleep(Duration::from_millis(5)).await,
            }
        }
    };
    let listening = tokio::time::timeout(PATIENCE, trying).await;
    listening.unwrap_or_else(|_| panic!("{address} stayed taken for {PATIENCE:?}"))
}

/// A secret that looks like a key.
pub(crate) fn secret(text: &str) -> Secret {
    Secret::new(text)
}
