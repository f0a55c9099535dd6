//! From settings to the injected world: opens the database, the storage and the providers.

use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use playout_domain::provider::Provider;
use playout_domain::time::Clock;
use playout_media::confine::Launcher;
use playout_media::{Blobs, Poster};
use playout_store::{Store, Vault};

use crate::app::{App, Parts};
use crate::chance;
use crate::config::{Config, decode_key};
use crate::llm::LanguageModel;
use crate::node::Node;
use crate::private;
use crate::web::Web;

/// Why the world cannot be opened.
pub type OpenError = Box<dyn std::error::Error + Send + Sync>;

/// Why no key is made beside a database that other nodes may share.
const NO_SHARED_KEY: &str = "with PostgreSQL the secret key must be configured, the same on every node: set PLAYOUT_SECRET_KEY to what \
    `openssl rand -base64 32` prints, and keep a copy of it";

/// Opens everything that `config` names. With `migrate`, the schema is brought up to date first.
pub async fn open(config: Config, clock: Arc<dyn Clock>, migrate: bool) -> Result<Arc<App>, OpenError> {
    private::directory(&config.data_dir)
        .map_err(|error| format!("data_dir {}: {error}", config.data_dir.display()))?;
    let url = config.database_url.expose();
    let store = Store::connect_with(url, vault(&config)?, config.database_pool).await?;
    if migrate {
        store.migrate().await?;
    }
    let node = Node::of(&config.data_dir);
    let blobs = Blobs::open(&config.storage_url)?;
    let providers = providers(&config, &clock)?;
    let web = Web::embedded().filter(|_| config.dashboard);
    let model = config.llm.clone().map(LanguageModel::new).transpose()?;
    let launcher = Launcher::this_program()?;
    let poster = Poster::detect().map(|poster| poster.confined_by(launcher));
    Ok(App::new(
        config,
        Parts {
            store,
            blobs,
            clock,
            providers,
            model,
            web,
            poster,
            node,
        },
    ))
}

fn providers(config: &Config, clock: &Arc<dyn Clock>) -> Result<Vec<Arc<dyn Provider>>, OpenError> {
    let Some(tiktok) = &config.tiktok else {
        return Ok(Vec::new());
    };
    Ok(playout_tiktok::connections(tiktok, clock)?)
}

/// The keys that were configured, or the one in the data directory, made on the first start.
fn vault(config: &Config) -> Result<Vault, OpenError> {
    if !config.secret_keys.0.is_empty() {
        return Ok(Vault::new(config.secret_keys.0.clone())?);
    }
    let path = config.data_dir.join("secret.key");
    private::tighten(&path);
    let key = match std::fs::read_to_string(&path) {
        Ok(text) => decode_key(&text).ok_or_else(|| format!("{} holds no key", path.display()))?,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => match is_alone(config) {
            true => make_key(&path)?,
            false => return Err(NO_SHARED_KEY.into()),
        },
        Err(error) => return Err(format!("{}: {error}", path.display()).into()),
    };
    Ok(Vault::new(vec![key])?)
}

/// Whether the database is this machine's: other nodes do not use it with keys of their own.
fn is_alone(config: &Config) -> bool {
    config.database_url.expose().starts_with("sqlite:")
}

/// Only its owner may read it, and it is on the disk before anything is encrypted with it.
fn make_key(path: &Path) -> Result<[u8; 32], OpenError> {
    let key = chance::bytes();
    let mut file = std::fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)?;
    writeln!(file, "{}", STANDARD.encode(key))?;
    file.sync_all()?;
    Ok(key)
}
