//! Whether this node belongs to its database, and whether the database is the one that was last written to.
//!
//! Three things are compared at the start and every ten seconds. The **key**: it must open the database's canary. The
//! **storage**: it must hold the marker that the database names. Both are adopted by the first start; a node for which one does
//! not fit stays alive, serves nothing, and reports that until it fits. The **pulse**: a number that rises in the database and is
//! also kept in the data directory and in the storage's marker. A database whose pulse is behind, or that is at another place
//! than it was, or in other tables, is a copy: what it is to publish is held until its posts were looked for (`worker/hold.rs`).
//!
//! Nothing is compared while a dump is being loaded: a hold would mark the posts that are there so far, of which there may be none.
//!
//! Before anything else the node's **clock** is compared with PostgreSQL's, and follows it from then on: all nodes have the same
//! time, whatever the clocks of their machines show.

use std::sync::Arc;
use std::time::Duration;

use playout_domain::time::Time;
use playout_media::BlobError;
use playout_store::StoreError;
use tokio_util::sync::CancellationToken;

use crate::app::{App, AppError};
use crate::chance;
use crate::identity::copies::{RESTORED, expected_pulse, why_a_copy};
use crate::identity::key_file::KeyFile;
use crate::identity::marker::{MARKER, Marker, marker_of};
use crate::identity::messages::{MISSING_KEY, lost_storage, missing_storage, wrong_key, wrong_storage};
use crate::identity::pulse::PulseFile;
use crate::identity::{Fit, since_copy};
use crate::logs::roughly;
use crate::open_error::OpenError;
use crate::outage::Outage;

/// How often the pulse rises.
const EVERY: Duration = Duration::from_secs(10);
/// How soon is looked again where something does not fit.
const AGAIN_AFTER: Duration = Duration::from_secs(2);
/// How often the database is compared in a row, because its pulse was raised by another node meanwhile.
const MOST_COMPARISONS: u32 = 10;
/// A correction of the clock that is logged as a warning.
const NOTABLE_MICROS: u64 = 500_000;
/// What to do about an empty database under a running node.
const EMPTIED: &str = "the database is empty, in place of the one that this node has worked with: stop every node and restore a backup \
    (`playoutd restore DIRECTORY`), or let PLAYOUT_DATABASE_URL name the database that it was";
/// What to do about a database that lacks keys.
const INCOMPLETE: &str = "the tables of the database are still being filled, as by pg_restore, and until all of its keys are there this node \
    serves nothing. If nothing is loaded any more, start this node again, which upgrades the dump of an earlier version; if keys are still \
    missing, the loading was broken off: stop every node and load the dump into a new database, or restore a backup \
    (`playoutd restore DIRECTORY`)";

/// Compares and raises the pulse until `stop`.
pub async fn run(app: Arc<App>, stop: CancellationToken) {
    let (mut keeper, mut key_file) = (Keeper::of(&app), KeyFile::of(&app.config));
    let mut outage = Outage::of("this node cannot compare its key and storage with the database's");
    while !stop.is_cancelled() {
        key_file.look(app.now());
        let compared = keeper.compare().await;
        let has_failed = compared.is_err();
        let pause = match &compared {
            Ok(Fit::Fits) => EVERY,
            _ => AGAIN_AFTER,
        };
        match compared {
            Ok(Fit::Incomplete) => {
                keeper.note(Fit::Incomplete);
                let what = match keeper.is_emptied().await {
                    true => EMPTIED,
                    false => INCOMPLETE,
                };
                outage.goes_on(app.now(), &what);
            }
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
            // Time for the database, not the service's own, which may stand still in a test: nothing is claimed until it was compared.
            () = tokio::time::sleep(AGAIN_AFTER), if has_failed => {}
        }
    }
}

/// Where the database is that was compared, and its pulse.
struct Raised {
    home: String,
    pulse: i64,
}

struct Keeper<'a> {
    app: &'a App,
    /// The last pulse that this process has made.
    pulse: Option<i64>,
    /// Whether this process has encrypted everything with its first key.
    has_resealed: bool,
    pulse_file: PulseFile,
}

impl<'a> Keeper<'a> {
    fn of(app: &'a App) -> Self {
        Self {
            app,
            pulse: None,
            has_resealed: false,
            pulse_file: PulseFile::of(&app.config.data_dir),
        }
    }
}

impl Keeper<'_> {
    async fn compare(&mut self) -> Result<Fit, AppError> {
        self.correct_clock().await?;
        if self.app.store.find_incomplete_table().await?.is_some() {
            return Ok(Fit::Incomplete);
        }
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
        let (app, store) = (self.app, &self.app.store);
        // Before the database is read: another node may raise both meanwhile.
        let known = marker.pulse.max(self.pulse.unwrap_or(0));
        let outside = expected_pulse(store, &self.pulse_file, known).await?.max(known);
        let raised = self.compare_and_raise(outside).await?;
        store.set_home(&raised.home, raised.pulse);
        self.pulse = Some(raised.pulse);
        // One that stays behind finds fewer copies, and stops no one. Where it is missing none is made: the storage may have been
        // unmounted since it was read, and what is in its place must not pass for it.
        let marker = Marker {
            pulse: raised.pulse,
            ..marker
        };
        if let Err(error) = app.blobs.replace(MARKER, marker.to_bytes()).await {
            tracing::warn!("the pulse in the storage's marker stays behind: {error}");
        }
        self.pulse_file.write(raised.pulse, app.now());
        app.identity.set_held(store.find_hold().await?.is_some());
        app.identity.set_last_hold(store.last_hold_began_at().await?);
        Ok(())
    }

    /// Compares the database with the pulse `outside`, and raises its pulse if it is still the one that was compared.
    async fn compare_and_raise(&self, outside: i64) -> Result<Raised, AppError> {
        let (app, store) = (self.app, &self.app.store);
        for _ in 0..MOST_COMPARISONS {
            let (home, now) = (store.home().await?, app.now());
            let seen = store.last_seen().await?;
            if let Some(because) = why_a_copy(&seen, outside, &home) {
                // Again, now that its pulse was read: it may be that of a dump whose loading has begun since the comparison did.
                if let Some(table) = store.find_incomplete_table().await? {
                    let problem = format!("its table {table} is still being filled");
                    return Err(StoreError::Unavailable(problem.into()).into());
                }
                let since = since_copy(seen.at, now);
                let may_be_a_copy = if because == RESTORED {
                    ""
                } else {
                    "it may be a copy, and "
                };
                tracing::warn!(
                    "{because}: {may_be_a_copy}nothing is published before its posts were looked for"
                );
                store.begin_hold(since, because, now).await?;
                store.renumber_claims().await?;
            }
            if self.pulse.is_none() && app.node.is_successor() {
                store.end_leases(&app.node.name, now).await?;
            }
            if let Some(pulse) = store.raise_pulse(&seen, outside, &home, now).await? {
                return Ok(Raised { home, pulse });
            }
        }
        Err(StoreError::Unavailable("its pulse has changed each time it was compared".into()).into())
    }

    fn note(&self, fit: Fit) {
        let before = self.app.identity.set_fit(fit);
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
                "{}; until then this node serves nothing. {}",
                wrong_storage(&config.storage_url),
                lost_storage(&config.storage_url)
            ),
            Fit::MissingStorage => tracing::error!(
                "{}; nothing is made in its place, and until then this node serves nothing. {}",
                missing_storage(&config.storage_url),
                lost_storage(&config.storage_url)
            ),
            Fit::Fits if !matches!(before, Fit::Unknown | Fit::Incomplete) => {
                tracing::info!("key and storage fit again");
            }
            // That a database is not complete is logged as an outage, for as long as it lasts.
            Fit::Fits | Fit::Unknown | Fit::Incomplete => {}
        }
    }
}

/// Notes that the database is where it belongs, although it was last written to at another place: it was moved, and is no copy.
///
/// # Errors
/// When something shows that it is a copy nevertheless.
pub async fn accept_move(app: &App) -> Result<(), OpenError> {
    let keeper = Keeper::of(app);
    let (store, seen) = (&app.store, app.store.last_seen().await?);
    let known = store.storage_id().await?;
    let marker = keeper.marker().await?.filter(|marker| Some(marker.id) == known);
    let outside = keeper
        .pulse_file
        .read()
        .pulse
        .max(marker.map_or(0, |marker| marker.pulse));
    let problem = match seen.home.as_deref() {
        _ if store.find_hold().await?.is_some() => "publications are held already",
        None => "no service has run on this database yet",
        Some(_) if seen.is_in_a_backup() => "this is the database of a backup",
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
    Ok(since_copy(seen.at, app.now()))
}
