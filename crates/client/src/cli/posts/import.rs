//! `posts import`: the posts of a table or of JSON lines, created through `POST /posts/batch`.

mod columns;
mod digests;
mod draft;
mod file;
mod heads;
mod journal;
mod notes;
mod repeated;
mod report;
mod send;
mod state;
mod uploads;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use playout_client::{Api, Error, Platform, SystemClock};
use playout_domain::time::Clock;
use serde_json::Value;

use crate::cli::bars::Spinner;
use crate::cli::find::platform_id;
use crate::cli::moment::Here;
use crate::cli::report::Outcome;
use crate::cli::session::Session;
use columns::Column;
use draft::{Reader, Schemas};
use file::{ImportFile, failed_beside};
use heads::Unusable;
use journal::Journal;
use notes::{digest_of_import, place_of};
use repeated::Others;
use report::Results;
use send::{Sender, check_all};
use state::RowState;
use uploads::Uploads;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Import {
    /// The file: .csv, a table with a header, or .jsonl, a JSON object in each line.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Check every row as creating it would; create and upload nothing. Of a local file the first bytes are checked, which show its kind; the
    /// rest is checked when it is uploaded. It is rejected where the import would be, because another one of the last 24 hours may have created posts
    /// of the file. A file with the same content as one that was imported is valid, and importing it again creates nothing twice. Exit code 6: some rows are invalid; 1: all are; nothing is created in any case.
    #[arg(long)]
    dry_run: bool,
    /// Import a file with the same content once more within 24 hours: any text that was not used for it before.
    #[arg(long, value_name = "KEY", conflicts_with = "dry_run")]
    idempotency_key: Option<String>,
}

impl Import {
    /// Whether it only checks.
    pub(in crate::cli) fn is_dry_run(&self) -> bool {
        self.dry_run
    }
}

/// The columns of a file: which name means what, and the settings of its accounts.
struct Layout {
    columns: BTreeMap<String, Column>,
    /// The name of the column of accounts.
    accounts: String,
    schemas: Schemas,
}

pub(super) async fn run(wanted: Import, session: &Session, api: &Api) -> Outcome {
    let file = ImportFile::read(&wanted.file)?;
    let platforms = api.platforms().await?.value.platforms;
    let layout = Layout::find(&file, api, &platforms).await?;
    let own = wanted.idempotency_key.as_deref();
    let mut journal = match wanted.dry_run {
        true => None,
        false => Some(Journal::open(session, &file, own)?),
    };
    let now = journal
        .as_ref()
        .map_or_else(|| SystemClock.now(), Journal::began_at);
    let here = Here::new(now);
    let reader = Reader {
        columns: &layout.columns,
        platforms: &platforms,
        schemas: &layout.schemas,
        folder: file.folder(),
        here: &here,
    };
    let mut rows: Vec<RowState> = file
        .rows
        .iter()
        .map(|row| RowState::new(row.clone(), reader.draft(row), layout.named(&row.cells)))
        .collect();
    let digests = file.rows.iter().map(|row| reader.digests(row)).collect();
    match &mut journal {
        Some(journal) => journal.compare(&file, digests, sizes_of(&file, &rows))?,
        None => {
            let own = place_of(session, &digest_of_import(&file.content, None))?;
            Others::of(session)?.without(&own, now).refuse(&file, &digests)?;
        }
    }
    let continued_in = journal
        .as_ref()
        .and_then(|journal| journal.imported_since(failed_beside(&file.path)));
    let unusable = Unusable::among(&rows);
    let (done, journal) = match journal {
        None => (check_all(api, &mut rows, &unusable).await, None),
        Some(journal) => {
            let mut sender = begin(session, api, journal, unusable, continued_in.is_none())?;
            let done = sender.send_all(&mut rows).await;
            if continued_in.is_some() {
                sender.leave_to_the_rest(&mut rows);
            }
            (done, Some(sender.journal))
        }
    };
    let results = Results {
        file: &file,
        accounts: &layout.accounts,
        rows: &rows,
        journal,
        stopped: done.err(),
        continued_in,
        is_dry_run: wanted.dry_run,
    };
    Ok(results.report(&session.screen, &here))
}

/// An import that is ready to send its rows, and says how to continue it when it is interrupted.
fn begin<'a>(
    session: &'a Session,
    api: &'a Api,
    journal: Journal,
    unusable: Unusable,
    may_retry: bool,
) -> Result<Sender<'a>, Error> {
    session.interrupts.watch(&session.screen);
    Ok(Sender {
        api,
        journal,
        uploads: Uploads::new(session, api, unusable)?,
        spinner: Spinner::new(&session.screen),
        interrupts: &session.interrupts,
        may_retry,
    })
}

/// The sizes of the media files of the rows, by their paths from the file's folder.
fn sizes_of(file: &ImportFile, rows: &[RowState]) -> BTreeMap<PathBuf, u64> {
    let files = rows
        .iter()
        .filter_map(|row| row.draft.as_ref().ok())
        .flat_map(|draft| draft.files());
    let sized = files.filter_map(|path| {
        let name = path.strip_prefix(file.folder()).unwrap_or(path);
        Some((name.to_owned(), std::fs::metadata(path).ok()?.len()))
    });
    sized.collect()
}

impl Layout {
    /// Finds the meaning of every name.
    async fn find(file: &ImportFile, api: &Api, platforms: &[Platform]) -> Result<Self, Error> {
        let names = || file.names.iter().map(|(name, _)| name);
        let known = |name: &String| Column::named(name, &[]).ok();
        let accounts = names().find(|name| known(name) == Some(Column::Accounts));
        let has_settings = names().any(|name| matches!(known(name), None | Some(Column::Settings)));
        let schemas = match accounts {
            Some(accounts) if has_settings => schemas_of(file, accounts, api, platforms).await?,
            _ => Schemas::default(),
        };
        let settings: Vec<String> = schemas.types.keys().cloned().collect();
        let mut columns = BTreeMap::new();
        for (name, place) in &file.names {
            let column = Column::named(name, &settings).map_err(|error| at(file, place, &error))?;
            if let Some((other, _)) = columns.iter().find(|(_, present)| **present == column) {
                let message = format!("{name:?} means the same as {other:?}.");
                return Err(at(file, place, &Error::usage(message)));
            }
            columns.insert(name.clone(), column);
        }
        let missing = || {
            let message = format!(
                "{}: there is no column accounts, with the handles or IDs.",
                file.path.display()
            );
            Error::usage(message)
        };
        Ok(Self {
            accounts: accounts.cloned().ok_or_else(missing)?,
            columns,
            schemas,
        })
    }

    /// The accounts of a row, as it names them.
    fn named(&self, cells: &serde_json::Map<String, Value>) -> String {
        match cells.get(&self.accounts) {
            None => "-".to_owned(),
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
        }
    }
}

fn at(file: &ImportFile, place: &str, error: &Error) -> Error {
    Error::usage(format!("{}: {place}: {}", file.path.display(), error.message))
}

/// The settings of all accounts that a file names.
async fn schemas_of(
    file: &ImportFile,
    accounts: &str,
    api: &Api,
    platforms: &[Platform],
) -> Result<Schemas, Error> {
    let cells = file.rows.iter().filter_map(|row| row.cells.get(accounts));
    let named: BTreeSet<String> = cells
        .flat_map(|cell| draft::listed(Some(cell), "accounts").unwrap_or_default())
        .collect();
    let ids = named.iter().filter_map(|name| platform_id(platforms, name).ok());
    let mut schemas = Schemas::default();
    for id in ids.collect::<BTreeSet<String>>() {
        // An account that does not exist is the problem of its rows.
        let schema = match api.platform_schema(&id).await {
            Ok(schema) => schema.value.schema,
            Err(error) if error.status == Some(404) => continue,
            Err(error) => return Err(error),
        };
        let fields = || schema.settings.fields.iter();
        let types = fields().map(|field| (field.name.clone(), field.r#type.clone()));
        schemas.types.extend(types);
        let defaults = fields().map(|field| (field.name.clone(), field.default.clone()));
        schemas.defaults.insert(id, defaults.collect());
    }
    Ok(schemas)
}
