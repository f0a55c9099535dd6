//! Whether this node belongs to its database, and whether the database is the one that was last written to.
//!
//! Three things are compared at the start and every ten seconds. The **key**: it must open the database's canary. The
//! **storage**: it must hold the marker that the database names. Both are adopted by the first start; a node for which one does
//! not fit stays alive, serves nothing, and reports that until it fits. The **pulse**: a number that rises in the database and is
//! also kept in the data directory and in the storage's marker. A database whose pulse is behind, or that is at another place
//! than it was, is a copy: what it is to publish is held until its posts were looked for (`worker/hold.rs`).
//!
//! Before anything else the node's **clock** is compared with PostgreSQL's, and follows it from then on: all nodes have the same
//! time, whatever the clocks of their machines show.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bytes::Bytes;
use playout_domain::time::Time;
use playout_media::{BlobError, Blobs};
use playout_store::{IN_A_BACKUP, Store, StoreError};
use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::app::{App, AppError};
use crate::chance;
use crate::config::Config;
use crate::logs::roughly;
use crate::outage::Outage;
use crate::world::OpenError;

/// How often the pulse rises.
const EVERY: Duration = Duration::from_secs(10);
/// How soon is looked again where something does not fit.
const AGAIN_AFTER: Duration = Duration::from_secs(2);
/// How long a request waits for a node that has just started.
const PATIENCE: Duration = Duration::from_secs(5);
/// A correction of the clock that is logged as a warning.
const NOTABLE_MICROS: u64 = 500_000;
/// The marker in the storage.
const MARKER: &str = "playout-storage.json";
/// The pulse in the data directory.
const PULSE_FILE: &str = "pulse";
/// Why a database that was restored from a backup is held.
const RESTORED: &str = "the database was restored from a backup";
/// What to do about an empty database under a running node.
const EMPTIED: &str = "the database is empty, in place of the one that this node has worked with: stop every node and restore a backup \
    (`playoutd restore`), or let PLAYOUT_DATABASE_URL name the database that it was";
/// What to do about values under a key that is not configured.
pub const MISSING_KEY: &str = "something in this database is encrypted under an earlier secret key, which is not configured any more: set \
    PLAYOUT_SECRET_KEY to the new key and the earlier one, separated by a comma, on every node, and leave the earlier one out once every \
    node has started with both";
/// How far back is looked for posts in a database that does not know when it was last written to: it is of before it noted that.
const LONG_AGO: Duration = Duration::from_secs(30 * 86_400);
/// How much earlier than a time of ours the provider is asked for posts from: its clock may differ from ours.
pub(crate) const SLACK: Duration = Duration::from_secs(300);

/// Whether a node belongs to its database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fit {
    /// It was not compared yet.
    Unknown,
    /// It does.
    Fits,
    /// Its key does not.
    WrongKey,
    /// Its key does, but something is encrypted under another one that it does not have.
    MissingKey,
    /// Its storage does not.
    WrongStorage,
    /// Its storage is missing.
    MissingStorage,
}

/// What is known of this node's place.
#[derive(Debug)]
pub struct Identity {
    fit: watch::Sender<Fit>,
    is_held: AtomicBool,
}

impl Default for Identity {
    fn default() -> Self {
        Self {
            fit: watch::Sender::new(Fit::Unknown),
            is_held: AtomicBool::new(false),
        }
    }
}

impl Identity {
    /// Whether this node belongs to its database.
    pub fn fit(&self) -> Fit {
        *self.fit.borrow()
    }

    /// Waits until this node belongs to its database.
    pub async fn fits(&self) {
        // It fails when the sender is gone, which this holds.
        let mut changed = self.fit.subscribe();
        drop(changed.wait_for(|fit| *fit == Fit::Fits).await);
    }

    /// Whether requests may be served; waits a little for a node that has just started.
    pub async fn may_serve(&self) -> bool {
        if self.fit() == Fit::Unknown {
            let mut changed = self.fit.subscribe();
            let compared = changed.wait_for(|fit| *fit != Fit::Unknown);
            drop(tokio::time::timeout(PATIENCE, compared).await);
        }
        self.fit() == Fit::Fits
    }

    /// Whether publications are held, as far as this node knows.
    pub fn is_held(&self) -> bool {
        self.is_held.load(Ordering::Relaxed)
    }

    /// Notes whether publications are held.
    pub fn set_held(&self, is_held: bool) {
        self.is_held.store(is_held, Ordering::Relaxed);
    }
}

/// The content of the storage's marker.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Marker {
    id: Uuid,
    pulse: i64,
}

impl Marker {
    fn to_bytes(self) -> Bytes {
        Bytes::from(serde_json::to_vec(&self).unwrap_or_default())
    }
}

/// Compares and raises the pulse until `stop`.
pub async fn run(app: Arc<App>, stop: CancellationToken) {
    let mut keeper = Keeper {
        app: &app,
        pulse: None,
        has_resealed: false,
    };
    let mut outage = Outage::of("this node cannot compare its key and storage with the database's");
    while !stop.is_cancelled() {
        let compared = keeper.compare().await;
        let pause = match &compared {
            Ok(Fit::Fits) => EVERY,
            _ => AGAIN_AFTER,
        };
        match compared {
            Ok(fit) => {
                outage.is_over(app.now(), "key and storage were compared again");
                keeper.note(fit);
                keeper.reseal_once(fit).await;
            }
            Err(error) => match keeper.is_emptied().await {
                true => outage.goes_on(app.now(), &EMPTIED),
                false => outage.goes_on(app.now(), &error),
            },
        }
        tokio::select! {
            () = stop.cancelled() => {}
            () = app.store.doubted() => {}
            () = app.clock.sleep_until(app.now().plus(pause)) => {}
        }
    }
}

struct Keeper<'a> {
    app: &'a App,
    /// The last pulse that this process has made.
    pulse: Option<i64>,
    /// Whether this process has encrypted everything with its first key.
    has_resealed: bool,
}

impl Keeper<'_> {
    async fn compare(&mut self) -> Result<Fit, AppError> {
        self.correct_clock().await?;
        match self.app.store.check_canary().await {
            Ok(()) => {}
            Err(StoreError::WrongKey(_)) => return Ok(Fit::WrongKey),
            Err(error) => return Err(error.into()),
        }
        if self.pulse.is_none() {
            match self.app.store.check_keys().await {
                Ok(()) => {}
                Err(StoreError::WrongKey(_)) => return Ok(Fit::MissingKey),
                Err(error) => return Err(error.into()),
            }
        }
        let marker = match self.own_marker().await {
            Ok(Some(marker)) => marker,
            Ok(None) => return Ok(Fit::WrongStorage),
            Err(AppError::Blob(BlobError::Away { .. })) => return Ok(Fit::MissingStorage),
            Err(error) => return Err(error),
        };
        self.beat(marker).await?;
        Ok(Fit::Fits)
    }

    /// Whether the database is empty, and was not.
    async fn is_emptied(&self) -> bool {
        self.pulse.is_some() && self.app.store.is_new().await.unwrap_or(false)
    }

    /// Encrypts with the first key what was encrypted with another one, once for each process, so that the others can be left out.
    async fn reseal_once(&mut self, fit: Fit) {
        if fit != Fit::Fits || self.has_resealed {
            return;
        }
        match self.app.store.reseal().await {
            Ok(0) => self.has_resealed = true,
            Ok(count) => {
                self.has_resealed = true;
                tracing::info!(
                    "{count} values were encrypted anew, with the first key of PLAYOUT_SECRET_KEY"
                );
            }
            Err(error) => tracing::warn!("not everything is encrypted with the first key yet: {error}"),
        }
    }

    /// Goes by the database's clock. Once it was read, one that answers too slowly to be read again stops nothing.
    async fn correct_clock(&mut self) -> Result<(), AppError> {
        let clock = &*self.app.clock;
        let correction = match self.app.store.clock_difference(clock).await {
            Ok(Some(difference)) => difference.correction(),
            Ok(None) => return Ok(()),
            Err(error) if self.pulse.is_none() => return Err(error.into()),
            Err(error) => {
                tracing::debug!("the database's clock could not be read: {error}");
                return Ok(());
            }
        };
        if clock.correct(correction) && correction.unsigned_abs() >= NOTABLE_MICROS {
            tracing::warn!(
                correction_ms = correction / 1000,
                "the clock of this machine and that of PostgreSQL differ: this node goes by PostgreSQL's, {} {} of its own; \
                 synchronise both (NTP)",
                roughly(Duration::from_micros(correction.unsigned_abs())),
                if correction > 0 { "ahead" } else { "behind" }
            );
        }
        Ok(())
    }

    /// The marker of the storage, if it belongs to the database; the first start adopts the storage as it is, and makes its folder.
    async fn own_marker(&self) -> Result<Option<Marker>, AppError> {
        let store = &self.app.store;
        if let Some(known) = store.storage_id().await? {
            return Ok(self.marker().await?.filter(|marker| marker.id == known));
        }
        let adoption = store.adopt_storage().await?;
        if let Some(known) = adoption.known {
            return Ok(self.marker().await?.filter(|marker| marker.id == known));
        }
        self.app.blobs.make_directory()?;
        let marker = match self.marker().await? {
            Some(found) => found,
            None => {
                let id = chance::id(self.app.now());
                let new = Marker { id, pulse: 0 };
                self.app.blobs.put(MARKER, new.to_bytes()).await?;
                new
            }
        };
        adoption.adopt(marker.id).await?;
        Ok(Some(marker))
    }

    async fn marker(&self) -> Result<Option<Marker>, AppError> {
        Ok(marker_of(&self.app.blobs).await?)
    }

    /// Raises the pulse, in the database first: what is outside is never ahead, unless the database went back.
    async fn beat(&mut self, marker: Marker) -> Result<(), AppError> {
        let (app, store, now) = (self.app, &self.app.store, self.app.now());
        // Before the database is read: another node may raise both meanwhile.
        let outside = self.pulse_file().max(marker.pulse).max(self.pulse.unwrap_or(0));
        let home = store.home().await?;
        let seen = store.last_seen().await?;
        let moved = seen.home.as_ref().is_some_and(|was| *was != home);
        let because = match (seen.pulse < outside, moved) {
            (true, _) => Some("the database is older than its data directory and its storage"),
            (false, true) if seen.home.as_deref() == Some(IN_A_BACKUP) => Some(RESTORED),
            (false, true) => Some("the database is not where it was last written to"),
            (false, false) => None,
        };
        if let Some(because) = because {
            let since = seen.at.unwrap_or(now.minus(LONG_AGO)).minus(SLACK);
            let may_be_a_copy = if because == RESTORED {
                ""
            } else {
                "it may be a copy, and "
            };
            tracing::warn!("{because}: {may_be_a_copy}nothing is published before its posts were looked for");
            store.begin_hold(since, because, now).await?;
        }
        if self.pulse.is_none() && app.node.is_successor() {
            store.end_leases(&app.node.name, now).await?;
        }
        let pulse = store.raise_pulse(outside, &home, now).await?;
        store.set_home(&home, pulse);
        self.pulse = Some(pulse);
        // One that stays behind finds fewer copies, and stops no one. Where it is missing none is made: the storage may have been
        // unmounted since it was read, and what is in its place must not pass for it.
        let marker = Marker { pulse, ..marker };
        if let Err(error) = app.blobs.replace(MARKER, marker.to_bytes()).await {
            tracing::warn!("the pulse in the storage's marker stays behind: {error}");
        }
        self.write_pulse_file(pulse);
        app.identity.set_held(store.find_hold().await?.is_some());
        Ok(())
    }

    fn path(&self) -> PathBuf {
        self.app.config.data_dir.join(PULSE_FILE)
    }

    /// The pulse in the data directory; 0 if there is none.
    fn pulse_file(&self) -> i64 {
        let text = std::fs::read_to_string(self.path()).unwrap_or_default();
        text.trim().parse().unwrap_or(0)
    }

    fn write_pulse_file(&self, pulse: i64) {
        let (path, new) = (self.path(), self.path().with_extension("new"));
        let written = std::fs::write(&new, format!("{pulse}\n")).and_then(|()| std::fs::rename(&new, &path));
        if let Err(error) = written {
            tracing::warn!("could not write {}: {error}", path.display());
        }
    }

    fn note(&self, fit: Fit) {
        let before = self.app.identity.fit.send_replace(fit);
        if before == fit {
            return;
        }
        let config = &self.app.config;
        match fit {
            Fit::WrongKey => tracing::error!(
                "{}, and restart; until then this node serves nothing",
                wrong_key(config)
            ),
            Fit::MissingKey => tracing::error!("{MISSING_KEY}; until then this node serves nothing"),
            Fit::WrongStorage => tracing::error!(
                "{}; until then this node serves nothing",
                wrong_storage(&config.storage_url)
            ),
            Fit::MissingStorage => tracing::error!(
                "the storage at {} is missing, and the database has files there: mount it, or put the folder back; nothing is made in \
                 its place, and until then this node serves nothing",
                config.storage_url
            ),
            Fit::Fits if before != Fit::Unknown => tracing::info!("key and storage fit again"),
            Fit::Fits | Fit::Unknown => {}
        }
    }
}

/// What to do about a key that the database was not written with.
pub fn wrong_key(config: &Config) -> String {
    let file = config.data_dir.join("secret.key");
    let path = file.display();
    let right = match (config.secret_keys.0.is_empty(), file.exists()) {
        (true, true) => format!("put that one into {path}, or set PLAYOUT_SECRET_KEY to it"),
        (true, false) => {
            return format!(
                "the secret key of this database is missing, and no other is made in its place: put it back as {path}, which backups \
                 contain, or set PLAYOUT_SECRET_KEY to it"
            );
        }
        (false, true) => format!(
            "set PLAYOUT_SECRET_KEY to that one, or, if it is the one in {path}, unset PLAYOUT_SECRET_KEY, as that file does not count \
             beside it"
        ),
        (false, false) => "set PLAYOUT_SECRET_KEY to that one".to_owned(),
    };
    format!("the secret key is not the one that this database was written with: {right}")
}

/// The error of a command for an error of the store: for a wrong key the same text as in the log.
pub fn explained(config: &Config, error: StoreError) -> OpenError {
    match error {
        StoreError::WrongKey(_) => wrong_key(config).into(),
        other => other.into(),
    }
}

/// The marker of a storage, if it has one.
async fn marker_of(blobs: &Blobs) -> Result<Option<Marker>, BlobError> {
    match blobs.get(MARKER).await {
        Ok(bytes) => Ok(serde_json::from_slice(&bytes).ok()),
        Err(BlobError::NotFound { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Which storage is in a directory, by its marker; `None` where it has none.
///
/// # Errors
/// When there is a marker that cannot be read.
pub fn storage_in(directory: &Path) -> Result<Option<Uuid>, OpenError> {
    let path = directory.join(MARKER);
    match std::fs::read(&path) {
        Ok(bytes) => match serde_json::from_slice::<Marker>(&bytes) {
            Ok(marker) => Ok(Some(marker.id)),
            Err(error) => Err(format!("{}: {error}", path.display()).into()),
        },
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("{}: {error}", path.display()).into()),
    }
}

/// Whether a storage belongs to the database. The first start adopts any.
pub async fn belongs(store: &Store, blobs: &Blobs) -> Result<bool, AppError> {
    let Some(known) = store.storage_id().await? else {
        return Ok(true);
    };
    Ok(marker_of(blobs).await?.is_some_and(|marker| marker.id == known))
}

/// Why a node does not serve with a storage that does not belong to its database.
pub fn wrong_storage(storage_url: &str) -> String {
    format!(
        "the storage at {storage_url} is not the one that belongs to this database ({MARKER} is missing or another's): mount or set the \
         right one"
    )
}

/// Notes that the database is where it belongs, although it was last written to at another place: it was moved, and is no copy.
///
/// # Errors
/// When something shows that it is a copy nevertheless.
pub async fn accept_move(app: &App) -> Result<(), OpenError> {
    let keeper = Keeper {
        app,
        pulse: None,
        has_resealed: false,
    };
    let (store, seen) = (&app.store, app.store.last_seen().await?);
    let known = store.storage_id().await?;
    let marker = keeper.marker().await?.filter(|marker| Some(marker.id) == known);
    let outside = keeper.pulse_file().max(marker.map_or(0, |marker| marker.pulse));
    let problem = match seen.home.as_deref() {
        _ if store.find_hold().await?.is_some() => "publications are held already",
        None => "no service has run on this database yet",
        Some(IN_A_BACKUP) => "this is the database of a backup",
        _ if known.is_some() && marker.is_none() => {
            "the storage is not the one that belongs to this database"
        }
        _ if seen.pulse < outside => {
            "the database is older than its data directory and its storage, so it is a copy"
        }
        Some(_) => return Ok(store.note_home(&store.home().await?).await?),
    };
    Err(format!("{problem}: nothing was changed").into())
}

/// The time from which on a hold that is begun by hand looks for posts.
pub async fn since_of(app: &App) -> Result<Time, AppError> {
    let seen = app.store.last_seen().await?;
    Ok(seen.at.unwrap_or(app.now().minus(LONG_AGO)).minus(SLACK))
}
