//! How a world is set up: the simulator, the settings, and the service that opens on them.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use playout_domain::audit::Actor;
use playout_domain::time::{Clock, ManualClock};
use playout_domain::workspace::Workspace;
use playout_media::confine::Launcher;
use playout_media::{Blobs, Poster};
use playout_server::app::{App, Parts};
use playout_server::config::Config;
use playout_server::llm::LanguageModel;
use playout_server::node::Node;
use playout_server::settings::Sources;
use playout_store::{NewWorkspace, Store, Vault};
use playout_tiktok::sim::{SimConfig, Simulator};

use super::bucket::{self, ObjectStorage};
use super::dashboard::DASHBOARD;
use super::{Database, KEY, Options, PATIENCE};

pub(super) async fn start_simulator(
    clock: &ManualClock,
    base_url: &str,
    public_url: Option<&str>,
) -> Simulator {
    let config = SimConfig {
        redirect_uris: callbacks(base_url),
        webhook_url: Some(format!("{base_url}/webhooks/tiktok")),
        public_url: public_url.map(str::to_owned),
        ..SimConfig::default()
    };
    Simulator::start(config, Arc::new(clock.clone())).await.unwrap()
}

/// The redirect addresses that each of the provider's apps has registered.
pub(super) fn callbacks(base_url: &str) -> Vec<String> {
    ["callback", "callback/"]
        .map(|end| format!("{base_url}/oauth/tiktok/{end}"))
        .to_vec()
}

/// What a service of a test is connected with.
pub(super) struct Surroundings<'a> {
    pub(super) database: &'a Database,
    pub(super) dir: &'a Path,
    pub(super) base_url: &'a str,
    pub(super) provider_url: &'a str,
    pub(super) bucket: Option<&'a ObjectStorage>,
}

pub(super) fn configure(options: &Options, world: &Surroundings<'_>) -> Config {
    let app = SimConfig::default();
    let mut sources = Sources {
        aws: world.bucket.map(ObjectStorage::variables).unwrap_or_default(),
        ..Sources::default()
    };
    let mut set = |name: &str, value: &str| sources.flags.insert(name.to_owned(), value.to_owned());
    if world.bucket.is_some() {
        set("storage_url", &format!("s3://{}", bucket::NAME));
    }
    set("data_dir", world.dir.to_str().unwrap());
    set("database_url", &world.database.url_at(options.database_at));
    set("base_url", world.base_url);
    set("tiktok_client_key", &app.client_key);
    set("tiktok_client_secret", &app.client_secret);
    set("tiktok_business_client_id", &app.business_client_id);
    set("tiktok_business_client_secret", &app.business_client_secret);
    set("tiktok_api_url", world.provider_url);
    set("tiktok_auth_url", world.provider_url);
    set("rate_limit", "off");
    set("address_rate_limit", "off");
    set("dashboard", "off");
    set("require_verified_email", "off");
    set("signup", "open");
    set("workspaces_per_user", "1000");
    for (name, value) in &options.settings {
        set(name, value);
    }
    let mut config = Config::load(&sources).unwrap();
    // A call that a test holds up, or that a busy machine delays, is not given up before the test is.
    if let Some(tiktok) = &mut config.tiktok {
        tiktok.call_timeout = PATIENCE;
    }
    config
}

pub(super) async fn open(config: Config, clock: &ManualClock) -> Arc<App> {
    open_with(config, Arc::new(clock.clone())).await
}

pub(super) async fn open_with(config: Config, clock: Arc<dyn Clock>) -> Arc<App> {
    let blobs = storage(&config, None);
    open_on(config, clock, blobs, vec![KEY]).await
}

pub(super) fn storage(config: &Config, step_limit: Option<Duration>) -> Blobs {
    let blobs = Blobs::open_with(&config.storage_url, &config.bucket).unwrap();
    blobs.make_directory().unwrap();
    match step_limit {
        Some(limit) => blobs.with_step_limit(limit),
        None => blobs,
    }
}

pub(super) async fn open_on(
    config: Config,
    clock: Arc<dyn Clock>,
    blobs: Blobs,
    keys: Vec<[u8; 32]>,
) -> Arc<App> {
    let vault = Vault::new(keys).unwrap();
    let store = Store::connect(config.database_url.expose(), vault).await.unwrap();
    store.migrate().await.unwrap();
    let tiktok = config.tiktok.as_ref();
    let parts = Parts {
        store,
        blobs,
        providers: tiktok
            .map(|config| playout_tiktok::connections(config, &clock).unwrap())
            .unwrap_or_default(),
        model: config
            .llm
            .clone()
            .map(|config| LanguageModel::new(config).unwrap()),
        web: config.dashboard.then_some(DASHBOARD),
        poster: Poster::detect()
            .map(|poster| poster.confined_by(Launcher::new(env!("CARGO_BIN_EXE_playoutd").into()))),
        clock,
        node: Node::new(),
    };
    App::new(config, parts)
}

pub(super) async fn create_workspace(app: &App, plan: Option<&str>) -> Workspace {
    let new = NewWorkspace {
        id: playout_server::chance::id(app.now()),
        name: "Test".to_owned(),
        plan: plan.unwrap_or("unlimited").to_owned(),
        owner: None,
    };
    let id = new.id;
    app.store
        .create_workspace(new, &Actor::operator(), app.now())
        .await
        .unwrap();
    app.store.find_workspace(id).await.unwrap().unwrap()
}
