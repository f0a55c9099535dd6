//! The world of a test: a service on SQLite and real time, a simulated provider with one connected account, and the
//! program, run as a process with a home of its own.

mod bakery;
mod chromium;
mod events;
mod model;
mod playout;
mod relay;
mod terminal;

use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

use playout_domain::audit::Actor;
use playout_domain::id::{UserId, WorkspaceId};
use playout_domain::platform::{Connection, ProviderConnection};
use playout_server::app::App;
use playout_server::app::expected::Expected;
use playout_server::app::whence::Whence;
use playout_server::clock::SystemClock;
use playout_server::config::Config;
use playout_server::serve::{Role, Service};
use playout_server::settings::Sources;
use playout_server::world;
use playout_tiktok::sim::{SimConfig, Simulator};
use playout_wire::people::SignUp;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

pub(crate) use bakery::{Bakery, FIRST, SECOND};
pub(crate) use chromium::Chromium;
pub(crate) use events::{Events, Film, Inbox, Script, event};
pub(crate) use model::Model;
pub(crate) use playout::{Playout, Ran};
pub(crate) use relay::Relay;
pub(crate) use terminal::Terminal;

/// The demo's clip: a real video of six seconds.
pub(crate) const CLIP: &[u8] = include_bytes!("../../../../../assets/demo/clip.mp4");
/// A real photo.
pub(crate) const PHOTO: &[u8] = include_bytes!("../../../../../assets/demo/photo-1.jpg");

/// A service without users, and the provider that it publishes to.
pub(crate) struct Place {
    pub(crate) url: String,
    pub(crate) sim: Simulator,
    pub(crate) runtime: Runtime,
    app: Arc<App>,
    _service: Service,
    _dir: TempDir,
}

/// A place with a workspace, its owner, a key and the connected account `kitestudio`.
pub(crate) struct World {
    place: Place,
    pub(crate) key: String,
    owner: UserId,
    workspace: WorkspaceId,
}

impl Deref for World {
    type Target = Place;

    fn deref(&self) -> &Place {
        &self.place
    }
}

/// The address and the password of the workspace's owner.
pub(crate) const EMAIL: &str = "ada@example.org";
pub(crate) const PASSWORD: &str = "correct horse battery";

impl Place {
    pub(crate) fn start() -> Self {
        Self::with(&[])
    }

    /// A service with these settings.
    fn with(settings: &[(&str, &str)]) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()
            .unwrap();
        let dir = tempfile::tempdir().unwrap();
        let (app, sim, service) = runtime.block_on(Box::pin(serve(dir.path(), settings)));
        Self {
            url: app.config.base_url.clone(),
            sim,
            runtime,
            app,
            _service: service,
            _dir: dir,
        }
    }
}

impl World {
    pub(crate) fn start() -> Self {
        Self::with(&[])
    }

    /// The same, where this model writes captions, and webhooks may go to this machine.
    pub(crate) fn with_model(model: &Model) -> Self {
        Self::with(&[
            ("llm_url", &model.url),
            ("llm_model", "kite-1"),
            ("egress_allow", "127.0.0.1"),
        ])
    }

    /// The same, where webhooks may go to this machine.
    pub(crate) fn with_local_webhooks() -> Self {
        Self::with(&[("egress_allow", "127.0.0.1")])
    }

    /// The same, with these settings.
    fn with(settings: &[(&str, &str)]) -> Self {
        let place = Place::with(settings);
        let (app, runtime) = (&place.app, &place.runtime);
        let (owner, workspace) = runtime.block_on(sign_up(app));
        let creator = Connection::Creator;
        runtime.block_on(connect(app, &place.sim, workspace, "kitestudio", creator));
        let made = runtime.block_on(app.create_key(workspace, "test", None, None));
        Self {
            key: made.unwrap().key.expose().to_owned(),
            owner,
            workspace,
            place,
        }
    }

    /// Connects another account to the workspace, or one of them again.
    pub(crate) fn connect(&self, username: &str) {
        self.connect_by(username, Connection::Creator);
    }

    /// Disconnects an account and connects it in its other way, which is another platform.
    pub(crate) fn connect_otherwise(&self, platform: &str, username: &str) {
        let by = Actor::operator();
        let platform = platform.parse().unwrap();
        let removed = self
            .app
            .remove_platform(self.workspace, platform, &by, &Expected::Any);
        self.runtime.block_on(removed).unwrap();
        self.connect_by(username, Connection::Business);
    }

    fn connect_by(&self, username: &str, connection: Connection) {
        let connecting = connect(&self.app, &self.sim, self.workspace, username, connection);
        self.runtime.block_on(connecting);
    }

    /// Ends all sessions of the owner; returns how many there were.
    pub(crate) fn sessions(&self) -> u64 {
        let (by, now) = (Actor::operator(), self.app.now());
        let ended = self.app.store.delete_sessions_of(self.owner, &by, now);
        self.runtime.block_on(ended).unwrap()
    }

    /// The program, with this service and its key in the environment.
    pub(crate) fn playout(&self) -> Playout {
        Playout::new()
            .env("PLAYOUT_API_URL", &self.url)
            .env("PLAYOUT_API_KEY", &self.key)
    }

    /// Connections to the service that the test can cut.
    pub(crate) fn relay(&self) -> Relay {
        self.runtime.block_on(Relay::start(&self.url))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        let misunderstood = self.sim.misunderstood();
        assert!(
            misunderstood.is_empty(),
            "the provider did not understand {misunderstood:#?}"
        );
    }
}

async fn serve(dir: &Path, settings: &[(&str, &str)]) -> (Arc<App>, Simulator, Service) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base_url = format!("http://{}", listener.local_addr().unwrap());
    let sim_config = SimConfig {
        redirect_uris: ["callback", "callback/"]
            .map(|end| format!("{base_url}/oauth/tiktok/{end}"))
            .to_vec(),
        webhook_url: Some(format!("{base_url}/webhooks/tiktok")),
        ..SimConfig::default()
    };
    let sim = Simulator::start(sim_config, Arc::new(SystemClock)).await.unwrap();
    let config = configure(dir, settings, &base_url, &sim.url());
    let app = world::open(config, Arc::new(SystemClock), true).await.unwrap();
    let service = Service::start(&app, listener, Role::All);
    (app, sim, service)
}

fn configure(dir: &Path, settings: &[(&str, &str)], base_url: &str, sim: &str) -> Config {
    let app = SimConfig::default();
    let mut sources = Sources::default();
    let own = [
        ("data_dir", dir.to_str().unwrap()),
        ("base_url", base_url),
        ("tiktok_client_key", &app.client_key),
        ("tiktok_client_secret", &app.client_secret),
        ("tiktok_business_client_id", &app.business_client_id),
        ("tiktok_business_client_secret", &app.business_client_secret),
        ("tiktok_api_url", sim),
        ("tiktok_auth_url", sim),
        ("rate_limit", "off"),
        ("dashboard", "off"),
    ];
    for (name, value) in own.iter().chain(settings) {
        sources.flags.insert((*name).to_owned(), (*value).to_owned());
    }
    Config::load(&sources).unwrap()
}

/// A new user with a workspace, who is signed out again.
async fn sign_up(app: &Arc<App>) -> (UserId, WorkspaceId) {
    let request = SignUp::read(&json!({ "email": EMAIL, "password": PASSWORD })).unwrap();
    let begun = app.sign_up(request, Whence::default()).await.unwrap();
    app.sign_out(&begun.token, &Actor::operator()).await.unwrap();
    (begun.user.id, begun.workspaces[0].0.id)
}

/// Connects an account, as a person would.
async fn connect(
    app: &Arc<App>,
    sim: &Simulator,
    workspace: WorkspaceId,
    username: &str,
    connection: Connection,
) {
    let wanted = ProviderConnection {
        provider: "tiktok",
        connection,
    };
    let url = app.start_connecting(workspace, wanted).await.unwrap();
    let back = sim.approve(&url, username, &[]).unwrap();
    let back: url::Url = back.parse().unwrap();
    let given = |name: &str| {
        let mut pairs = back.query_pairs();
        pairs.find(|(key, _)| key == name).unwrap().1.into_owned()
    };
    app.finish_connecting("tiktok", (&given("state"), &given("code")), None)
        .await
        .unwrap();
}

/// A post of these media as the API reads it, to go out now.
pub(crate) fn post_body(platform: &str, media: &[&str]) -> Value {
    json!({
        "platformIds": [platform],
        "content": "First flight #kites",
        "mode": "now",
        "mediaIds": media,
        "settings": { "privacy_level": "PUBLIC_TO_EVERYONE" },
    })
}
