//! From settings to the injected world: opens the database, the storage and the providers.

use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use futures_util::TryStreamExt;
use playout_domain::provider::Provider;
use playout_domain::time::Clock;
use playout_media::confine::Launcher;
use playout_media::{BlobError, Blobs, Poster};
use playout_store::{Store, StoreError, Vault};

use crate::app::file_keys::storage_key_of;
use crate::app::{App, Parts};
use crate::chance;
use crate::config::{Config, decode_key, mask_password};
use crate::llm::LanguageModel;
use crate::node::Node;
use crate::open_error::OpenError;
use crate::private;
use crate::web::Web;

/// The key that the service makes itself, in its data directory.
const KEY_FILE: &str = "secret.key";

/// Why no key is made beside a database that other nodes may share.
const NO_SHARED_KEY: &str = "with PostgreSQL the secret key must be configured, the same on every node: set PLAYOUT_SECRET_KEY to the key \
    of this database, as a new one cannot open it; for a new database, to what `openssl rand -base64 32` prints, and keep a copy of it";

/// Opens everything that `config` names. With `migrate`, the schema is brought up to date first, unless the database is empty
/// although there was an earlier start. Without it, the schema stays as it is; `playoutd migrate` brings it up to date itself.
pub async fn open(config: Config, clock: Arc<dyn Clock>, migrate: bool) -> Result<Arc<App>, OpenError> {
    if migrate {
        refuse_missing_database(&config).await?;
    }
    let (parts, key) = connect(&config, clock).await?;
    if migrate {
        refuse_lost_database(&config, &parts, &key).await?;
        parts.store.migrate().await?;
        make_first_storage(&parts.store, &parts.blobs).await?;
    }
    // Before anything is encrypted with it; after the first migration, which may fail and be tried again.
    if may_open(&parts.store, &key).await {
        key.keep()?;
    }
    Ok(App::new(config, parts))
}

/// Whether the key may be the database's. In place of one that is missing no other is kept: a person must put it back.
async fn may_open(store: &Store, key: &SecretKey) -> bool {
    if !matches!(key, SecretKey::New(..)) {
        return true;
    }
    let is_wrong = |looked| matches!(looked, Err(StoreError::WrongKey(_)));
    !is_wrong(store.look_at_canary().await) && !is_wrong(store.check_keys().await)
}

/// The log line of a start that creates an SQLite database; `None` where there is one, or it is PostgreSQL's. Called before
/// [`open`].
pub fn made_anew(config: &Config) -> Result<Option<String>, OpenError> {
    let url = config.database_url.expose();
    if !is_alone(config) || Store::exists(url) {
        return Ok(None);
    }
    let key = match SecretKey::find(config)? {
        SecretKey::New(..) => ", and a new secret key",
        SecretKey::Configured(_) | SecretKey::Kept(..) => "",
    };
    Ok(Some(format!(
        "no database at {}: an empty one was made{key}. If you expected yours, stop now: is its file system mounted, is PLAYOUT_DATA_DIR \
         right?",
        url.trim_start_matches("sqlite://")
    )))
}

/// Makes the folder of a local storage for a database that has none yet: one that has is not given an empty folder in its place.
pub async fn make_first_storage(store: &Store, blobs: &Blobs) -> Result<(), OpenError> {
    if store.storage_id().await?.is_none() {
        blobs.make_directory()?;
    }
    Ok(())
}

/// [`open`] for a copy of what is there: does not migrate, and keeps no key that is not there yet.
pub async fn inspect(config: Config, clock: Arc<dyn Clock>) -> Result<Arc<App>, OpenError> {
    let (parts, _) = connect(&config, clock).await?;
    Ok(App::new(config, parts))
}

/// What there is of what `config` names.
pub struct Found {
    /// The database; `None` where there is no such file.
    pub store: Option<Store>,
    /// The storage; `None` where there is no such directory.
    pub blobs: Option<Blobs>,
    /// Whether a secret key is configured or kept in the data directory; an error where there is none that can be used.
    pub has_key: Result<bool, OpenError>,
    /// Why a start would refuse an empty database, if there is anything of an earlier one.
    pub earlier: Option<String>,
}

/// Looks, and makes nothing.
pub async fn look(config: &Config, clock: Arc<dyn Clock>) -> Result<Found, OpenError> {
    providers(config, &clock)?;
    config.llm.clone().map(LanguageModel::new).transpose()?;
    let found = SecretKey::find(config);
    let has_key: Result<bool, OpenError> = match &found {
        Ok(key) => Ok(!matches!(key, SecretKey::New(..))),
        Err(problem) => Err(problem.to_string().into()),
    };
    // Without a key everything else is looked at all the same.
    let key = found.unwrap_or_else(|_| SecretKey::New(config.data_dir.join(KEY_FILE), chance::bytes()));
    let blobs = Blobs::look(&config.storage_url, &config.bucket)?;
    let url = config.database_url.expose();
    let store = Store::look(url, key.vault()?, config.database_pool).await?;
    let earlier = lost_database(config, blobs.as_ref(), &key).await?;
    Ok(Found {
        store,
        blobs,
        has_key,
        earlier,
    })
}

async fn connect(config: &Config, clock: Arc<dyn Clock>) -> Result<(Parts, SecretKey), OpenError> {
    private::directory(&config.data_dir)
        .map_err(|error| format!("data_dir {}: {error}", config.data_dir.display()))?;
    let key = SecretKey::of(config)?;
    let url = config.database_url.expose();
    let store = Store::connect_with(url, key.vault()?, config.database_pool).await?;
    let node = Node::of(&config.data_dir);
    let launcher = Launcher::this_program()?;
    let parts = Parts {
        store,
        blobs: Blobs::open_with(&config.storage_url, &config.bucket)?,
        providers: providers(config, &clock)?,
        clock,
        model: config.llm.clone().map(LanguageModel::new).transpose()?,
        web: Web::embedded().filter(|_| config.dashboard),
        poster: Poster::detect().map(|poster| poster.confined_by(launcher)),
        node,
    };
    Ok((parts, key))
}

/// Refuses where there is no database: for commands about one that is in use, which make none.
///
/// # Errors
/// When there is none, or what is there cannot be looked at.
pub async fn refuse_no_database(config: &Config, clock: Arc<dyn Clock>) -> Result<(), OpenError> {
    let is_there = match look(config, clock).await?.store {
        Some(store) => {
            let is_new = store.is_new().await?;
            store.close().await;
            !is_new
        }
        None => false,
    };
    if is_there {
        return Ok(());
    }
    let database = mask_password(config.database_url.expose().to_owned());
    Err(format!(
        "there is no database at {database}, and this command makes none. It reads the same settings as `playoutd serve`: run it in the \
         same directory, with the same environment and as the same user. The data of `playoutd demo` are in another, which its output names. \
         `playoutd serve` makes a database at its first start"
    )
    .into())
}

/// [`refuse_lost_database`] where there is no file yet, so that none is made.
async fn refuse_missing_database(config: &Config) -> Result<(), OpenError> {
    if Store::exists(config.database_url.expose()) {
        return Ok(());
    }
    let (blobs, key) = (
        Blobs::look(&config.storage_url, &config.bucket)?,
        SecretKey::find(config)?,
    );
    match lost_database(config, blobs.as_ref(), &key).await? {
        Some(problem) => Err(problem.into()),
        None => Ok(()),
    }
}

/// Refuses an empty database beside the key or the media of an earlier start: it was lost, or the address leads elsewhere.
async fn refuse_lost_database(config: &Config, parts: &Parts, key: &SecretKey) -> Result<(), OpenError> {
    if !parts.store.is_new().await? {
        return Ok(());
    }
    match lost_database(config, Some(&parts.blobs), key).await? {
        Some(problem) => Err(problem.into()),
        None => Ok(()),
    }
}

/// What to do about an empty database beside anything of an earlier one.
async fn lost_database(
    config: &Config,
    blobs: Option<&Blobs>,
    key: &SecretKey,
) -> Result<Option<String>, OpenError> {
    let has_media = match blobs {
        Some(blobs) => holds_media(blobs).await?,
        None => false,
    };
    let found = match key {
        SecretKey::Kept(path, _) => format!("{} was made for another", path.display()),
        _ if has_media => "the storage holds the media of another".to_owned(),
        _ => return Ok(None),
    };
    Ok(Some(format!(
        "the database is empty, but {found}. If it was lost, restore a backup: `playoutd restore DIRECTORY`. If it is elsewhere, put it \
         back, or correct PLAYOUT_DATABASE_URL. To begin with an empty database, move {} and the storage out of the way, or keep them and run `playoutd migrate` once",
        config.data_dir.display()
    )))
}

async fn holds_media(blobs: &Blobs) -> Result<bool, OpenError> {
    if matches!(blobs.check().await, Err(BlobError::Away { .. })) {
        return Ok(false);
    }
    let mut files = blobs.list();
    while let Some(file) = files.try_next().await? {
        if storage_key_of(&file.key).is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

fn providers(config: &Config, clock: &Arc<dyn Clock>) -> Result<Vec<Arc<dyn Provider>>, OpenError> {
    let Some(tiktok) = &config.tiktok else {
        return Ok(Vec::new());
    };
    Ok(playout_tiktok::connections(tiktok, clock)?)
}

/// What secrets in the database are encrypted with.
enum SecretKey {
    /// The keys that are configured.
    Configured(Vec<[u8; 32]>),
    /// The key in the data directory.
    Kept(PathBuf, [u8; 32]),
    /// A key that is to be kept there.
    New(PathBuf, [u8; 32]),
}

impl SecretKey {
    fn of(config: &Config) -> Result<Self, OpenError> {
        if config.secret_keys.0.is_empty() {
            private::tighten(&config.data_dir.join(KEY_FILE));
        }
        Self::find(config)
    }

    fn find(config: &Config) -> Result<Self, OpenError> {
        if !config.secret_keys.0.is_empty() {
            return Ok(Self::Configured(config.secret_keys.0.clone()));
        }
        let path = config.data_dir.join(KEY_FILE);
        match std::fs::read(&path) {
            Ok(bytes) => match decode_key(&String::from_utf8_lossy(&bytes)) {
                Some(key) => Ok(Self::Kept(path, key)),
                None => Err(format!(
                    "{} is empty or damaged, and holds no secret key (32 bytes in base64): put back the file from a backup, or set \
                     PLAYOUT_SECRET_KEY to the key. If there is no database yet, remove the file, and the first start makes one",
                    path.display()
                )
                .into()),
            },
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => match is_alone(config) {
                true => Ok(Self::New(path, chance::bytes())),
                false => Err(NO_SHARED_KEY.into()),
            },
            Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => Err(format!(
                "{}: {error}. Run the command as the user that the service runs as, or give the file to that user (`chown`)",
                path.display()
            )
            .into()),
            Err(error) => Err(format!("{}: {error}", path.display()).into()),
        }
    }

    fn vault(&self) -> Result<Vault, OpenError> {
        let keys = match self {
            Self::Configured(keys) => keys.clone(),
            Self::Kept(_, key) | Self::New(_, key) => vec![*key],
        };
        Ok(Vault::new(keys)?)
    }

    fn keep(&self) -> Result<(), OpenError> {
        match self {
            Self::New(path, key) => write_key(path, key),
            Self::Configured(_) | Self::Kept(..) => Ok(()),
        }
    }
}

/// Whether the database is this machine's: other nodes do not use it with keys of their own.
fn is_alone(config: &Config) -> bool {
    config.database_url.expose().starts_with("sqlite:")
}

/// Only its owner may read it, and it is on the disk before anything is encrypted with it.
fn write_key(path: &Path, key: &[u8; 32]) -> Result<(), OpenError> {
    let mut file = std::fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)?;
    writeln!(file, "{}", STANDARD.encode(key))?;
    file.sync_all()?;
    Ok(())
}
