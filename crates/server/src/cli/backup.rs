//! `backup` and `restore`: a whole installation in a directory, and back (docs/backup.md).
//!
//! A backup holds the database as of one moment, the files of the storage, or a list of those of a bucket, and the secret key where the
//! service made it itself. Files are gathered before and after the database is copied, so that every file which its rows name is there. A restored database
//! starts held (`worker/keeper.rs`), also where the copy was put in place without `restore`: it is marked.

mod files;
mod missing;
mod owner;
mod postgres;
mod refusals;
mod storage;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use playout_domain::time::Time;
use playout_store::StoreError;
use serde::{Deserialize, Serialize};

pub(super) use self::files::Means;
use self::files::{MANIFEST, copy_private, empty, make_empty, private_file, put_key};
use self::missing::MissingFiles;
use self::owner::Owner;
use self::postgres::{dump, load};
use self::refusals::{
    refuse_existing, refuse_filled, refuse_listed, refuse_missing_key, refuse_missing_parts,
    refuse_storage_of_another,
};
use self::storage::{Sizes, Storage};
use super::print::{say, warn};
use crate::app::App;
use crate::clock::{NodeClock, SystemClock};
use crate::config::Config;
use crate::identity::messages::{RESTORED_FROM, explained};
use crate::identity::since_copy;
use crate::logs::in_full;
use crate::open_error::OpenError;
use crate::world;

/// The version of the backup format; of one whose files are in a bucket, which earlier versions do not know, the second.
const FORMAT: u32 = 1;
const LISTED_FORMAT: u32 = 2;
const KEY: &str = "secret.key";
const MEDIA: &str = "media";
const SQLITE: &str = "playout.db";
const POSTGRES: &str = "database.dump";
/// The exit status of a backup or a restore that is complete but for files that are missing or of another size.
const INCOMPLETE: u8 = 3;

/// The manifest of a backup.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Manifest {
    format: u32,
    created_at: String,
    database: Kind,
    /// In the backup, or in the bucket.
    files: u64,
    /// The bucket that has the files, of which the backup has a list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bucket: Option<String>,
    /// Files that the database names and the storage does not have.
    #[serde(default)]
    missing_files: u64,
    /// Files that have another size than the database names.
    #[serde(default)]
    damaged_files: u64,
    has_secret_key: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Sqlite,
    Postgres,
}

/// Writes a backup into a directory that does not exist or is empty.
pub(super) async fn back_up(config: Config, to: &Path) -> Result<ExitCode, OpenError> {
    let storage = Storage::of(&config)?;
    world::refuse_no_database(&config, Arc::new(SystemClock)).await?;
    let app = world::inspect(config, Arc::new(SystemClock)).await?;
    check_keys(&app).await?;
    storage.refuse_missing().await?;
    let is_new = make_empty(to)?;
    let written = write_backup(&app, &storage, to).await;
    app.store.close().await;
    let (manifest, missing) = written.map_err(|error| {
        let left = match empty(to, is_new) {
            Ok(()) => "what was written of it was removed".to_owned(),
            Err(error) => format!("remove what was written of it ({error})"),
        };
        let error = in_full(error.as_ref());
        format!("no backup was made at {}: {error}; {left}", to.display())
    })?;
    say(serde_json::to_string(&manifest)?);
    if !manifest.has_secret_key {
        say(
            "The secret key is configured and not part of the backup: keep it elsewhere, because the backup cannot be decrypted without it.",
        );
    }
    if let Some(bucket) = &manifest.bucket {
        say(format!(
            "The files are in {bucket} and no part of the backup, which lists them: let the bucket keep deleted objects for as long as you keep \
             the backup (docs/nodes.md, \"Backups\")."
        ));
    }
    Ok(match missing.report(&storage) {
        Some(report) => {
            warn(format!("the backup is complete but for {report}"));
            ExitCode::from(INCOMPLETE)
        }
        None => ExitCode::SUCCESS,
    })
}

async fn write_backup(
    app: &App,
    storage: &Storage,
    to: &Path,
) -> Result<(Manifest, MissingFiles), OpenError> {
    let media = to.join(MEDIA);
    let created_at = app.now();
    storage.gather(&media).await?;
    let database = kind_of(&app.config);
    match database {
        Kind::Sqlite => {
            let copy = to.join(SQLITE);
            let copied = app.store.copy_to(&copy).await;
            copied.map_err(|error| match error {
                // It is the copy that cannot be written, not the database.
                StoreError::Unavailable(cause) => format!("{}: {cause}", copy.display()).into(),
                other => OpenError::from(other),
            })?;
        }
        Kind::Postgres => dump(app.config.database_url.expose(), &to.join(POSTGRES))?,
    }
    let gathered = storage.gather(&media).await?;
    let (sizes, files) = match storage.list(to, &media).await? {
        Some(listed) => listed,
        // Of files that came after the copy of the database, the storage alone may have some.
        None => {
            let folders = storage.folder().map(Path::to_owned);
            let folders = [media.clone()].into_iter().chain(folders);
            (Sizes::Folders(folders.collect()), gathered)
        }
    };
    let missing = MissingFiles::of(&app.store, &sizes).await?;
    let has_secret_key = app.config.secret_keys.0.is_empty();
    if has_secret_key {
        copy_private(&app.config.data_dir.join(KEY), &to.join(KEY))?;
    }
    let manifest = Manifest {
        format: match storage.named() {
            Some(_) => LISTED_FORMAT,
            None => FORMAT,
        },
        created_at: created_at.to_string(),
        database,
        files,
        bucket: storage.named(),
        missing_files: missing.missing(),
        damaged_files: missing.damaged(),
        has_secret_key,
    };
    // Written last: a directory without it is not a backup.
    let mut file = private_file(&to.join(MANIFEST))?;
    writeln!(file, "{}", serde_json::to_string_pretty(&manifest)?)?;
    file.sync_all()?;
    Ok((manifest, missing))
}

/// Restores a backup to the configured, empty place, and holds its publications. The files come first: without a database the same command
/// can be repeated.
pub(super) async fn restore(config: Config, from: &Path, means: Means) -> Result<ExitCode, OpenError> {
    let manifest = read_manifest(from)?;
    let kind = kind_of(&config);
    if manifest.database != kind {
        let problem = format!(
            "the backup is of a {:?} database, and database_url names another kind",
            manifest.database
        );
        return Err(problem.into());
    }
    let (storage, media) = (Storage::of(&config)?, from.join(MEDIA));
    let database = from.join(match kind {
        Kind::Sqlite => SQLITE,
        Kind::Postgres => POSTGRES,
    });
    if config.secret_keys.0.is_empty() {
        refuse_missing_key(&from.join(KEY), manifest.has_secret_key)?;
    }
    refuse_missing_parts(&database, &media)?;
    refuse_storage_of_another(&storage, &media).await?;
    refuse_listed(&storage, manifest.bucket.as_deref()).await?;
    match kind {
        Kind::Sqlite => refuse_existing(&sqlite_path(&config))?,
        Kind::Postgres => refuse_filled(config.database_url.expose()).await?,
    }
    let (owner, files) = (Owner::of(&config.data_dir), files_of(&config));
    crate::private::directory(&config.data_dir)?;
    let gathered = storage.fill(&media, means).await.map_err(|error| {
        format!("{error}. No database was restored: when this is mended, type the same command again").into()
    });
    let filled = gathered.and_then(|files| fill(&config, &manifest, (from, &database)).map(|()| files));
    if let (Err(_), Some(owner)) = (&filled, &owner) {
        // Else the data directory would be root's when the command is repeated.
        let _advice = owner.take(&files, storage.folder());
    }
    let gathered = filled?;
    let held = hold_restored(config, &storage, &manifest).await;
    let taken = owner.map_or(Ok(()), |owner| owner.take(&files, storage.folder()));
    let (left, missing) = held.map_err(|error| unfinished(error.as_ref()))?;
    say(format!(
        "restored the backup of {}. Where tokens of its accounts were renewed since, which is after a day at the latest, start \
         `playoutd serve --role api` and connect these accounts again first (docs/backup.md). Then start the service: it searches for {left} \
         posts at the provider before it publishes anything",
        manifest.created_at
    ));
    if let Err(advice) = taken {
        warn(advice);
    }
    let lost = match manifest.bucket {
        Some(_) => None,
        None => missing::lost(manifest.files, gathered),
    };
    let report: Vec<String> = missing.report(&storage).into_iter().chain(lost).collect();
    if report.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    warn(format!("everything was restored but for {}", report.join("; ")));
    Ok(ExitCode::from(INCOMPLETE))
}

/// Puts the key and the database in place. A key does not stay alone.
fn fill(config: &Config, manifest: &Manifest, (from, database): (&Path, &Path)) -> Result<(), OpenError> {
    let key = config.data_dir.join(KEY);
    let is_key_put =
        manifest.has_secret_key && config.secret_keys.0.is_empty() && put_key(&from.join(KEY), &key)?;
    let filled = match manifest.database {
        Kind::Sqlite => copy_private(database, &sqlite_path(config)),
        Kind::Postgres => load(config.database_url.expose(), database),
    };
    if filled.is_err() && is_key_put {
        fs::remove_file(&key)?;
    }
    filled
}

fn sqlite_path(config: &Config) -> PathBuf {
    PathBuf::from(config.database_url.expose().trim_start_matches("sqlite://"))
}

/// What to do after a restore that has filled the database and then failed.
fn unfinished(error: &(dyn std::error::Error + Send + Sync + 'static)) -> String {
    match error.downcast_ref::<StoreError>() {
        Some(StoreError::Damaged(damage)) => format!(
            "the database of this backup is damaged ({damage}): move the database that was restored away, and restore another backup"
        ),
        _ => format!(
            "{error}. The database is filled, so do not restore again; fix this, then start the service: it searches for every \
             post at the provider before it publishes anything"
        ),
    }
}

/// The data directory, and the files that a restore makes in it or for the database.
fn files_of(config: &Config) -> Vec<PathBuf> {
    let mut files = vec![config.data_dir.clone()];
    files.extend([KEY, "node"].map(|name| config.data_dir.join(name)));
    if let Some(path) = config.database_url.expose().strip_prefix("sqlite://") {
        files.extend(["", "-wal", "-shm"].map(|end| PathBuf::from(format!("{path}{end}"))));
    }
    files
}

/// Holds the posts of a restored database; returns how many are to be searched for, and which files are missing. If this is interrupted, the
/// database still starts held, because of its place (`IN_A_BACKUP` of the store).
async fn hold_restored(
    config: Config,
    storage: &Storage,
    manifest: &Manifest,
) -> Result<(u64, MissingFiles), OpenError> {
    let app = world::open(config, Arc::new(NodeClock::default()), true).await?;
    // The data directories of nodes have times of PostgreSQL's clock, with which the beginning of the hold is compared.
    if let Ok(Some(difference)) = app.store.clock_difference(&*app.clock).await {
        app.clock.correct(difference.correction());
    }
    app.store.check_file().await?;
    check_keys(&app).await?;
    let created_at = Time::parse(&manifest.created_at).map_err(|_| "backup.json has no time")?;
    let because = format!("{RESTORED_FROM} the backup of {}", manifest.created_at);
    let now = app.now();
    app.store
        .begin_hold(since_copy(Some(created_at), now), &because, now)
        .await?;
    let progress = app.store.hold_progress().await?;
    let missing = MissingFiles::of(&app.store, &storage.sizes().await?).await?;
    app.store.close().await;
    Ok((progress.left, missing))
}

async fn check_keys(app: &App) -> Result<(), OpenError> {
    let checked = app.store.check_keys().await;
    checked.map_err(|error| explained(&app.config, error))
}

fn kind_of(config: &Config) -> Kind {
    match config.database_url.expose().starts_with("sqlite:") {
        true => Kind::Sqlite,
        false => Kind::Postgres,
    }
}

fn read_manifest(from: &Path) -> Result<Manifest, OpenError> {
    let path = from.join(MANIFEST);
    let text = fs::read_to_string(&path).map_err(|error| {
        format!(
            "{} is no complete backup: {}: {error}",
            from.display(),
            path.display()
        )
    })?;
    let manifest: Manifest = serde_json::from_str(&text)
        .map_err(|error| format!("{} is not a backup's: {error}", path.display()))?;
    match manifest.format {
        FORMAT | LISTED_FORMAT => Ok(manifest),
        other => Err(format!("the backup has the form {other}, which this version does not know").into()),
    }
}
