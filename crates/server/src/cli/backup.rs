//! `backup` and `restore`: a whole installation in a directory, and back (docs/backup.md).
//!
//! A backup holds the database as of one moment, the files of the storage, and the secret key where the service made it itself. Files
//! are gathered before and after the database is copied, so that every file which its rows name is there. A restored database
//! starts held (`worker/keeper.rs`), also where the copy was put in place without `restore`: it is marked.

mod missing;
mod owner;
mod refusals;

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, ExitCode, Stdio};
use std::sync::Arc;

use playout_domain::time::Time;
use playout_store::{IN_A_BACKUP, Store, StoreError};
use serde::{Deserialize, Serialize};

use self::missing::MissingFiles;
use self::owner::Owner;
use self::refusals::{
    refuse_existing, refuse_missing_key, refuse_missing_storage, refuse_storage_of_another,
};
use super::print::{say, warn};
use crate::app::App;
use crate::clock::{NodeClock, SystemClock};
use crate::config::Config;
use crate::identity::messages::{RESTORED_FROM, explained};
use crate::identity::since_copy;
use crate::open_error::OpenError;
use crate::world;

/// The version of the backup format.
const FORMAT: u32 = 1;
const MANIFEST: &str = "backup.json";
const KEY: &str = "secret.key";
const MEDIA: &str = "media";
const SQLITE: &str = "playout.db";
const POSTGRES: &str = "database.dump";
/// The exit status of a backup that is complete but for files that the storage does not have.
const INCOMPLETE: u8 = 3;

/// The manifest of a backup.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Manifest {
    format: u32,
    created_at: String,
    database: Kind,
    files: u64,
    /// Files that the database names and the storage does not have.
    #[serde(default)]
    missing_files: u64,
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
    let storage = storage_directory(&config)?;
    world::refuse_no_database(&config, Arc::new(SystemClock)).await?;
    let app = world::inspect(config, Arc::new(SystemClock)).await?;
    check_keys(&app).await?;
    refuse_missing_storage(&storage)?;
    make_empty(to)?;
    let media = to.join(MEDIA);
    let created_at = app.now();
    gather(&storage, &media)?;
    let database = match kind_of(&app.config) {
        Kind::Sqlite => {
            app.store.copy_to(&to.join(SQLITE)).await?;
            Kind::Sqlite
        }
        Kind::Postgres => {
            dump(app.config.database_url.expose(), &to.join(POSTGRES))?;
            Kind::Postgres
        }
    };
    let files = gather(&storage, &media)?;
    let missing = MissingFiles::of(&app.store, &media, &storage).await?;
    let has_secret_key = app.config.secret_keys.0.is_empty();
    if has_secret_key {
        copy_private(&app.config.data_dir.join(KEY), &to.join(KEY))?;
    }
    let manifest = Manifest {
        format: FORMAT,
        created_at: created_at.to_string(),
        database,
        files,
        missing_files: missing.count,
        has_secret_key,
    };
    // Written last: a directory without it is not a backup.
    let mut file = private_file(&to.join(MANIFEST))?;
    writeln!(file, "{}", serde_json::to_string_pretty(&manifest)?)?;
    file.sync_all()?;
    app.store.close().await;
    say(serde_json::to_string(&manifest)?);
    if !has_secret_key {
        say(
            "The secret key is configured and not part of the backup: keep it elsewhere, because the backup cannot be decrypted without it.",
        );
    }
    Ok(match missing.report(&storage) {
        Some(report) => {
            warn(report);
            ExitCode::from(INCOMPLETE)
        }
        None => ExitCode::SUCCESS,
    })
}

/// Restores a backup to the configured, empty place, and holds its publications.
pub(super) async fn restore(config: Config, from: &Path) -> Result<ExitCode, OpenError> {
    let manifest = read_manifest(from)?;
    let kind = kind_of(&config);
    if manifest.database != kind {
        let problem = format!(
            "the backup is of a {:?} database, and database_url names another kind",
            manifest.database
        );
        return Err(problem.into());
    }
    let storage = storage_directory(&config)?;
    if config.secret_keys.0.is_empty() {
        refuse_missing_key(&from.join(KEY), manifest.has_secret_key)?;
    }
    refuse_storage_of_another(&storage, &from.join(MEDIA))?;
    let (owner, files) = (Owner::of(&config.data_dir), files_of(&config));
    crate::private::directory(&config.data_dir)?;
    let key = config.data_dir.join(KEY);
    if manifest.has_secret_key && config.secret_keys.0.is_empty() {
        put_key(&from.join(KEY), &key)?;
    }
    let url = config.database_url.expose();
    match kind {
        Kind::Sqlite => {
            let path = PathBuf::from(url.trim_start_matches("sqlite://"));
            refuse_existing(&path)?;
            copy_private(&from.join(SQLITE), &path)?;
        }
        Kind::Postgres => {
            if !Store::is_empty(url).await? {
                return Err(
                    "the database is not empty: restore into a new one, and set database_url to it".into(),
                );
            }
            load(url, &from.join(POSTGRES))?;
        }
    }
    let held = hold_restored(config, (from, &storage), &manifest).await;
    let taken = owner.map_or(Ok(()), |owner| owner.take(&files, &storage));
    let left = held.map_err(|error| unfinished(error.as_ref()))?;
    say(format!(
        "restored the backup of {}. Where tokens of its accounts were renewed since, which is after a day at the latest, start \
         `playoutd serve --role api` and connect these accounts again first (docs/backup.md). Then start the service: it searches for {left} \
         posts at the provider before it publishes anything",
        manifest.created_at
    ));
    if let Err(advice) = taken {
        warn(advice);
    }
    Ok(ExitCode::SUCCESS)
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

/// Moves the files of a restored database into place and holds its posts; returns how many are to be searched for. If this is
/// interrupted, the database still starts held, because of its place ([`IN_A_BACKUP`]).
async fn hold_restored(
    config: Config,
    (from, storage): (&Path, &Path),
    manifest: &Manifest,
) -> Result<u64, OpenError> {
    gather(&from.join(MEDIA), storage)?;
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
    app.store.close().await;
    Ok(progress.left)
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

fn storage_directory(config: &Config) -> Result<PathBuf, OpenError> {
    let url = url::Url::parse(&config.storage_url)?;
    let path = url.to_file_path();
    path.map_err(|()| format!("the storage {} is no directory", config.storage_url).into())
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
        FORMAT => Ok(manifest),
        other => Err(format!("the backup has the form {other}, which this version does not know").into()),
    }
}

fn make_empty(to: &Path) -> Result<(), OpenError> {
    let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(to);
    made.map_err(|error| format!("{}: {error}", to.display()))?;
    match fs::read_dir(to)?.next() {
        None => Ok(()),
        Some(_) => Err(format!(
            "{} is not empty: a backup needs a directory of its own",
            to.display()
        )
        .into()),
    }
}

/// Links or copies every finished file that is missing; returns how many files there are. Files that are being received, whose
/// names end in `#` and a digit, are left out.
fn gather(from: &Path, to: &Path) -> Result<u64, OpenError> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(to)?;
    let mut files = 0;
    for entry in fs::read_dir(from).map_err(|error| format!("{}: {error}", from.display()))? {
        let entry = entry?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type()?.is_dir() {
            files += gather(&source, &target)?;
            continue;
        }
        if entry.file_name().to_string_lossy().contains('#') {
            continue;
        }
        files += u64::from(link_or_copy(&source, &target)?);
    }
    fs::File::open(to)?.sync_all()?;
    Ok(files)
}

/// Returns whether the file exists now: it may have been removed since it was listed.
fn link_or_copy(source: &Path, target: &Path) -> Result<bool, OpenError> {
    match fs::hard_link(source, target) {
        Ok(()) => return Ok(true),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => return Ok(true),
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        // Another file system, or one without hard links.
        Err(_) => {}
    }
    let unfinished = target.with_extension("unfinished");
    let copied = fs::copy(source, &unfinished)
        .and_then(|_| fs::File::open(&unfinished)?.sync_all())
        .and_then(|()| fs::rename(&unfinished, target));
    match copied {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(format!("{}: {error}", source.display()).into()),
    }
}

fn private_file(path: &Path) -> std::io::Result<fs::File> {
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)
}

fn copy_private(from: &Path, to: &Path) -> Result<(), OpenError> {
    let copied = || -> std::io::Result<()> {
        let mut source = fs::File::open(from)?;
        let mut file = private_file(to)?;
        std::io::copy(&mut source, &mut file)?;
        file.sync_all()
    };
    copied().map_err(|error| format!("{} to {}: {error}", from.display(), to.display()).into())
}

fn put_key(from: &Path, to: &Path) -> Result<(), OpenError> {
    match fs::read(to) {
        Ok(there) if there == fs::read(from)? => Ok(()),
        Ok(_) => Err(format!(
            "{} is another key than the backup's: move it away first",
            to.display()
        )
        .into()),
        Err(_) => copy_private(from, to),
    }
}

/// The table that a dump leaves empty: that marks it as a backup's (`store/src/instance/identity.rs`).
const MARKED_BY: &str = "--exclude-table-data=instance_place";

/// Dumps a database in one snapshot, with the mark of a backup.
fn dump(url: &str, to: &Path) -> Result<(), OpenError> {
    let file = private_file(to)?;
    let mut command = client("pg_dump", url)?;
    command
        .args(["--format=custom", "--no-owner", "--no-privileges", MARKED_BY])
        .stdout(file);
    finish(command, "pg_dump")
}

/// Loads a dump in one transaction, with the note that it comes from a backup: the dumps of earlier versions have no mark.
fn load(url: &str, from: &Path) -> Result<(), OpenError> {
    let mut dump = Command::new("pg_restore");
    dump.args(["--no-owner", "--no-privileges", "--file=-"]).arg(from);
    dump.stdin(Stdio::null()).stdout(Stdio::piped());
    let mut database = client("psql", url)?;
    database.args([
        "--no-psqlrc",
        "--quiet",
        "--output=/dev/null",
        "--set=ON_ERROR_STOP=1",
    ]);
    database
        .args(["--single-transaction", "--file=-"])
        .stdin(Stdio::piped());
    let mut database = database.spawn().map_err(|error| not_run("psql", &error))?;
    let mut input = database.stdin.take().ok_or("psql takes no input")?;
    let written = write_dump(dump, &mut input);
    if written.is_err() {
        // Killed before its input ends, because that would commit the part that was loaded.
        database.kill()?;
    }
    drop(input);
    let status = database.wait()?;
    written?;
    match status.success() {
        true => Ok(()),
        false => Err(format!("psql failed: {status}").into()),
    }
}

/// Writes the statements of a dump, then the note.
fn write_dump(mut dump: Command, into: &mut ChildStdin) -> Result<(), OpenError> {
    let mut dump = dump.spawn().map_err(|error| not_run("pg_restore", &error))?;
    let copied = match &mut dump.stdout {
        Some(statements) => std::io::copy(statements, into),
        None => Ok(0),
    };
    // If the pipe broke, the reader has reported why.
    copied.map_err(|error| format!("psql: {error}"))?;
    let status = dump.wait()?;
    if !status.success() {
        return Err(format!("pg_restore failed: {status}").into());
    }
    let note = "RESET search_path; UPDATE instance SET home";
    writeln!(into, "{note} = '{IN_A_BACKUP}' WHERE home IS NOT NULL;")?;
    Ok(())
}

/// A command of a PostgreSQL program. The connection is passed in its environment, because arguments show in the list of
/// processes.
fn client(program: &str, url: &str) -> Result<Command, OpenError> {
    let url = url::Url::parse(url)?;
    let mut command = Command::new(program);
    command.stdin(Stdio::null());
    let decoded = |text: &str| {
        percent_encoding::percent_decode_str(text)
            .decode_utf8_lossy()
            .into_owned()
    };
    let mut set = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            command.env(name, value);
        }
    };
    set("PGHOST", url.host_str().map(decoded));
    set("PGPORT", url.port().map(|port| port.to_string()));
    set(
        "PGUSER",
        Some(decoded(url.username())).filter(|user| !user.is_empty()),
    );
    set("PGPASSWORD", url.password().map(decoded));
    set("PGDATABASE", Some(database_of(&url)));
    for (name, value) in url.query_pairs() {
        match &*name {
            "sslmode" | "ssl-mode" => set("PGSSLMODE", Some(value.into_owned())),
            "sslrootcert" | "ssl-root-cert" => set("PGSSLROOTCERT", Some(value.into_owned())),
            "host" => set("PGHOST", Some(value.into_owned())),
            "options" => set("PGOPTIONS", Some(value.into_owned())),
            _ => {}
        }
    }
    Ok(command)
}

fn database_of(url: &url::Url) -> String {
    let name = url.path().trim_start_matches('/');
    percent_encoding::percent_decode_str(name)
        .decode_utf8_lossy()
        .into_owned()
}

fn finish(mut command: Command, program: &str) -> Result<(), OpenError> {
    let status = command.status().map_err(|error| not_run(program, &error))?;
    match status.success() {
        true => Ok(()),
        false => Err(format!("{program} failed: {status}").into()),
    }
}

fn not_run(program: &str, error: &std::io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => {
            format!("{program} is not installed: it comes with the client programs of PostgreSQL")
        }
        _ => format!("{program}: {error}"),
    }
}
