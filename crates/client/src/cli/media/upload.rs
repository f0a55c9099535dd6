//! `media upload`: many files, a few at a time, each with its progress bar.

use std::path::{Path, PathBuf};

use futures_util::StreamExt;
use playout_client::{Api, Error, Kind, LARGE_FILE_BYTES, Media, Progress, Reply, UploadFile};
use serde_json::{Value, json};

use crate::cli::bars::Bars;
use crate::cli::doubt;
use crate::cli::find;
use crate::cli::report::{Outcome, Report};
use crate::cli::resume::{Notes, key_of};
use crate::cli::screen::{Screen, clean};
use crate::cli::session::Session;
use crate::cli::table::Column;

const COLUMNS: [Column; 3] = [
    Column::cut("FILE", 12, 1),
    Column::whole("STATUS", 2),
    // As wide as an ID; of a file that failed, why.
    Column::wrap("ID", 36, 3),
];

/// The most parallel uploads.
const AT_ONCE: usize = 3;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Wanted {
    /// Files; patterns such as '*.jpg' as well.
    #[arg(required = true)]
    files: Vec<String>,
    /// The folder to put them into: its ID or name.
    #[arg(long)]
    folder: Option<String>,
    /// Create the folder if there is none of that name.
    #[arg(long, requires = "folder")]
    create_folder: bool,
    /// Another name than the file's own; for one file.
    #[arg(long)]
    name: Option<String>,
    /// Requests with the same key within 24 hours upload the file once, also across runs; a random key by default. For one file of less than
    /// 16 MB: a larger one goes on where it stopped when the command is run again.
    #[arg(long, value_name = "KEY")]
    idempotency_key: Option<String>,
}

/// What is done with the ID of a file as soon as it is uploaded.
type Noting<'a> = &'a dyn Fn(&Path, &str) -> Result<(), Error>;

/// How files are uploaded.
#[derive(Clone, Copy, Default)]
struct How<'a> {
    /// The idempotency key, of one file.
    key: Option<&'a str>,
    note: Option<Noting<'a>>,
}

/// The results of several uploads.
struct UploadAll {
    /// By file, in the order of the arguments.
    files: Vec<(PathBuf, Result<Reply<Media>, Error>)>,
}

pub(super) async fn run(wanted: Wanted, session: &Session, api: &Api) -> Outcome {
    let paths = expand(&wanted.files)?;
    if wanted.name.is_some() && paths.len() != 1 {
        return Err(Error::usage("--name is for one file."));
    }
    let files = paths.into_iter().map(|path| describe(path, wanted.name.clone()));
    let mut files: Vec<UploadFile> = files.collect::<Result<_, Error>>()?;
    if wanted.idempotency_key.is_some() && !matches!(files.as_slice(), [file] if !is_large(file)) {
        let message = "--idempotency-key is for one file of less than 16 MB.";
        return Err(Error::usage(message));
    }
    check_notes(session, &files)?;
    if let Some(name) = &wanted.folder {
        let folder_id = folder_id(api, name, wanted.create_folder).await?;
        files
            .iter_mut()
            .for_each(|file| file.folder_id.clone_from(&folder_id));
    }
    let how = How {
        key: wanted.idempotency_key.as_deref(),
        ..How::default()
    };
    let all = upload_all(session, api, files, how).await;
    Ok(all.report(&session.screen))
}

/// The ID of the folder with a name, which is created if `may_create`.
async fn folder_id(api: &Api, name: &str, may_create: bool) -> Result<Option<String>, Error> {
    match find::folder_id(api, name).await {
        Err(error) if error.code == "folder_not_found" => match may_create {
            true => Ok(Some(api.create_folder(name, None).await?.value.id)),
            false => Err(Error {
                message: format!("{} With --create-folder this command creates it.", error.message),
                ..error
            }),
        },
        found => found,
    }
}

fn is_large(file: &UploadFile) -> bool {
    file.size_bytes >= LARGE_FILE_BYTES
}

/// Checks that the uploads of large files can be noted, before anything is created.
///
/// # Errors
/// Those of [`Notes::open`].
fn check_notes(session: &Session, files: &[UploadFile]) -> Result<(), Error> {
    match files.iter().any(is_large) {
        true => Notes::open(&session.environment).map(drop),
        false => Ok(()),
    }
}

/// Checks that a command with an idempotency key of the caller uploads no files.
///
/// # Errors
/// `usage` if it would.
pub(in crate::cli) fn check_key_with(key: Option<&str>, media: &[String]) -> Result<(), Error> {
    if key.is_some() && media.iter().any(|media| !find::is_id(media)) {
        let message = "With --idempotency-key, upload files first and name their IDs: a second run would upload them again.";
        return Err(Error::usage(message));
    }
    Ok(())
}

/// The media IDs of arguments: IDs, or files, which `upload` uploads; in order.
pub(in crate::cli) async fn ids_of(
    media: &[String],
    upload: impl AsyncFnOnce(Vec<PathBuf>) -> Result<Vec<String>, Error>,
) -> Result<Vec<String>, Error> {
    let files = media.iter().filter(|media| !find::is_id(media));
    let files: Vec<PathBuf> = files.map(PathBuf::from).collect();
    let mut uploaded = match files.is_empty() {
        true => Vec::new(),
        false => upload(files).await?,
    }
    .into_iter();
    let ids = media.iter().map(|media| match find::is_id(media) {
        true => Some(media.clone()),
        false => uploaded.next(),
    });
    Ok(ids.flatten().collect())
}

/// Uploads files and returns their IDs, in order; fails if any of them fails.
pub(in crate::cli) async fn uploaded(
    session: &Session,
    api: &Api,
    files: Vec<PathBuf>,
) -> Result<Vec<String>, Error> {
    let files = files.into_iter().map(described);
    let files: Vec<UploadFile> = files.collect::<Result<_, Error>>()?;
    check_notes(session, &files)?;
    let all = upload_all(session, api, files, How::default()).await;
    let ids = all.files.into_iter().map(|(path, done)| {
        let id = done.map_err(|error| about(&path, error))?.value.id;
        let remark = format!("Uploaded {} as {id}", path.display());
        session.screen.remark(&clean(&remark));
        Ok(id)
    });
    ids.collect()
}

/// Uploads files; returns the ID of each, or why it has none. `note` gets each ID as soon as it is known; its error is that of the file.
pub(in crate::cli) async fn upload_each(
    session: &Session,
    api: &Api,
    files: Vec<UploadFile>,
    note: Noting<'_>,
) -> Vec<(PathBuf, Result<String, Error>)> {
    let how = How {
        note: Some(note),
        ..How::default()
    };
    let all = upload_all(session, api, files, how).await.files.into_iter();
    let id = |(path, done): (PathBuf, Result<Reply<Media>, Error>)| match done {
        Ok(reply) => (path, Ok(reply.value.id)),
        Err(error) => {
            let error = about(&path, error);
            (path, Err(error))
        }
    };
    all.map(id).collect()
}

/// A file as it is uploaded: into the root, with its own name.
pub(in crate::cli) fn described(path: PathBuf) -> Result<UploadFile, Error> {
    describe(path, None)
}

/// Uploads files, a few at a time; a failure does not stop the others.
async fn upload_all(session: &Session, api: &Api, files: Vec<UploadFile>, how: How<'_>) -> UploadAll {
    if files.is_empty() {
        return UploadAll { files: Vec::new() };
    }
    let interrupts = &session.interrupts;
    interrupts.watch(&session.screen);
    interrupts.next(match files.iter().any(is_large) {
        true => {
            "Run the same command again within 24 hours: large files go on where they stopped.".to_owned()
        }
        false => "Run the same command again for the others.".to_owned(),
    });
    let bars = Bars::new(&session.screen);
    let bars = &bars;
    let uploads = files.into_iter().map(|file| async move {
        let progress = Progress::default();
        let name = file.name.clone();
        let work = Box::pin(upload(session, api, &file, how.key, &progress));
        let done = bars.follow(&name, file.size_bytes, &progress, work).await;
        if let Ok(media) = &done {
            interrupts.done(format!("{name} is uploaded as {}.", media.value.id));
        }
        let done = done.and_then(|media| match how.note {
            Some(note) => note(&file.path, &media.value.id).map(|()| media),
            None => Ok(media),
        });
        (file.path, done)
    });
    let files = futures_util::stream::iter(uploads)
        .buffered(AT_ONCE)
        .collect()
        .await;
    UploadAll { files }
}

async fn upload(
    session: &Session,
    api: &Api,
    file: &UploadFile,
    key: Option<&str>,
    progress: &Progress,
) -> Result<Reply<Media>, Error> {
    if !is_large(file) {
        let own = key.map_or_else(playout_client::idempotency_key, str::to_owned);
        match api.upload_form(file, Some(&own), progress).await {
            // A service that rejects a request early may close the connection while the client is still sending, which loses the
            // error; a resumable upload reports it when it begins. It also copes better with a bad connection. One after a form
            // of which all was sent could be the second upload of the file.
            Err(error) if error.kind == Kind::Network && !error.may_be_done && key.is_none() => {}
            done => return done.map_err(|error| doubt::explained(error, &in_doubt(file, &own))),
        }
    }
    upload_resumable(session, api, file, progress).await
}

/// What is to be done when it is unknown whether a file was uploaded in a form.
fn in_doubt(file: &UploadFile, key: &str) -> String {
    format!(
        "The file may have been uploaded. `playout media upload {} --idempotency-key {key}`, with the same --folder and --name if any, \
         uploads it once.",
        file.path.display()
    )
}

async fn upload_resumable(
    session: &Session,
    api: &Api,
    file: &UploadFile,
    progress: &Progress,
) -> Result<Reply<Media>, Error> {
    let notes = Notes::open(&session.environment)?;
    let key = key_of(session.access.url.as_str(), file)?;
    let begun = match notes.find(&key) {
        Some(id) => api.upload_standing(&id).await?,
        None => None,
    };
    let standing = match begun {
        Some(standing) => standing,
        None => {
            let standing = api.begin_upload(file).await?;
            notes.begun(&key, &standing.id)?;
            standing
        }
    };
    let finished = api.finish_upload(file, standing, progress).await;
    // A cut upload waits at the service; a rejected one is deleted there, which the next run detects.
    if finished.as_ref().is_ok_and(|media| media.value.status == "READY") {
        notes.ended(&key)?;
    }
    finished
}

/// The files that match the patterns, in order, without duplicates.
fn expand(patterns: &[String]) -> Result<Vec<PathBuf>, Error> {
    let mut files: Vec<PathBuf> = Vec::new();
    for pattern in patterns {
        let named = Path::new(pattern);
        // An existing file whose name looks like a pattern is used as it is.
        if named.exists() || !pattern.contains(['*', '?', '[']) {
            files.push(named.to_owned());
            continue;
        }
        let found = glob::glob(pattern).map_err(|error| Error::usage(format!("{pattern:?}: {error}.")))?;
        let before = files.len();
        files.extend(found.flatten().filter(|path| path.is_file()));
        if files.len() == before {
            return Err(Error::usage(format!("No file matches {pattern:?}.")));
        }
    }
    let mut known = std::collections::BTreeSet::new();
    files.retain(|file| known.insert(file.clone()));
    Ok(files)
}

/// A file with its size and its name at the service, in the root.
fn describe(path: PathBuf, name: Option<String>) -> Result<UploadFile, Error> {
    let found = std::fs::metadata(&path).map_err(|error| Error::file(&path, &error))?;
    if !found.is_file() {
        return Err(Error::usage(format!("{} is no file.", path.display())));
    }
    let own = path.file_name().map(|name| name.to_string_lossy().into_owned());
    Ok(UploadFile {
        name: name.or(own).unwrap_or_default(),
        size_bytes: found.len(),
        folder_id: None,
        path,
    })
}

/// The same error with its file. An error about reading the file names it already.
fn about(path: &Path, error: Error) -> Error {
    match error.code.as_str() {
        "file_error" => error,
        _ => Error {
            message: format!("{}: {}", path.display(), error.message),
            ..error
        },
    }
}

impl UploadAll {
    fn report(self, screen: &Screen) -> Report {
        let (mut media, mut failed, mut lines, mut first) = (Vec::new(), Vec::new(), Vec::new(), None);
        for (path, done) in self.files {
            let file = path.display().to_string();
            match done {
                Ok(reply) => {
                    lines.push(vec![
                        clean(&file),
                        screen.state(&reply.value.status),
                        clean(&reply.value.id),
                    ]);
                    media.push(reply.json);
                }
                Err(error) => {
                    lines.push(vec![clean(&file), screen.state("failed"), clean(&error.message)]);
                    failed.push(json!({ "file": file, "error": error.to_json()["error"] }));
                    first.get_or_insert_with(|| about(&path, error));
                }
            }
        }
        let error = first.map(|error| error.with_done(!media.is_empty()));
        let json: Value = json!({ "media": media, "failed": failed });
        Report::new(json, screen.table(&COLUMNS, &lines)).but(error)
    }
}
