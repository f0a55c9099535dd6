//! Whether the database is a copy, or older than what was kept of it outside: then publications are held.

use std::path::Path;

use playout_domain::time::Time;
use playout_media::Blobs;
use playout_store::{LastSeen, Store, StoreError, Tables};

use super::marker::marker_of;
use super::messages::RESTORED_FROM;
use super::pulse::PulseFile;

/// Why a database that was restored from a backup is held; it begins with [`RESTORED_FROM`].
pub(crate) const RESTORED: &str = "the database was restored from a backup";

/// Why a database at `home` may be a copy: what it knows of itself was compared with the pulse `outside`.
pub(crate) fn why_a_copy(seen: &LastSeen, outside: i64, home: &str) -> Option<&'static str> {
    let was_here = seen.home.as_deref() == Some(home);
    match (seen.pulse < outside, seen.is_elsewhere(home)) {
        (_, true) if seen.is_in_a_backup() => Some(RESTORED),
        (true, _) => Some("the database is older than its data directory and its storage"),
        (false, true) if was_here && seen.tables == Tables::Others => Some(
            "the tables of the database are not those that were last written to, as after a dump was loaded",
        ),
        (false, true) => Some("the database is not where it was last written to"),
        (false, false) => None,
    }
}

/// The pulse that the data directory expects of the database; 0 if that is of before the database was restored. What was published
/// until then was searched for by the hold of the restore, or is by the one that is on. `known`: the pulse that is expected anyway.
///
/// The storage's pulse, and that of a running process, count always: what they remember may be of after the restore. So does everything on
/// SQLite, where no other node has a data directory, and the times are those of a clock that may have been set.
pub(crate) async fn expected_pulse(store: &Store, file: &PulseFile, known: i64) -> Result<i64, StoreError> {
    let remembered = file.read();
    if remembered.pulse <= known || !store.is_postgres() {
        return Ok(remembered.pulse);
    }
    let restored_at = restored_at(store).await?;
    Ok(match restored_at.is_some_and(|at| remembered.is_of_before(at)) {
        true => 0,
        false => remembered.pulse,
    })
}

/// When the hold began that is on, or was the last, if it began because the database was restored from a backup. Such a hold
/// begins before the first start on the database, so it has looked for everything since the backup was made.
async fn restored_at(store: &Store) -> Result<Option<Time>, StoreError> {
    let (held_at, because) = match store.find_hold().await? {
        Some(hold) => (hold.held_at, hold.because),
        None => match store.find_last_hold().await? {
            Some(last) => (last.held_at, last.because),
            None => return Ok(None),
        },
    };
    Ok(because.starts_with(RESTORED_FROM).then_some(held_at))
}

/// Why the next start on this database begins a hold, if it does. Changes nothing; a storage that cannot be read is left out.
///
/// # Errors
/// When the database fails.
pub async fn why_next_start_holds(
    store: &Store,
    blobs: Option<&Blobs>,
    data_dir: &Path,
) -> Result<Option<&'static str>, StoreError> {
    // What is outside before the database: a running service raises that of the database first.
    let marker = match blobs {
        Some(blobs) => marker_of(blobs).await.unwrap_or_default(),
        None => None,
    };
    let known = match store.storage_id().await? {
        Some(id) => marker.filter(|marker| marker.id == id),
        None => None,
    };
    let known = known.map_or(0, |marker| marker.pulse);
    let outside = expected_pulse(store, &PulseFile::of(data_dir), known).await?;
    let home = store.home().await?;
    Ok(why_a_copy(&store.last_seen().await?, outside.max(known), &home))
}
