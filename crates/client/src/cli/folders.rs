//! `folders`: the folders of media.

use playout_client::{Api, Error, Folder, Reply};
use serde_json::json;

use super::doubt;
use super::find;
use super::moment::Here;
use super::moment::here;
use super::report::{Outcome, Report};
use super::screen::clean;
use super::session::Session;
use super::table::Column;
use super::version::Version;

const COLUMNS: [Column; 3] = [
    Column::cut("NAME", 12, 3),
    Column::whole("MADE", 1),
    Column::whole("ID", 2),
];

/// The command that shows folders.
const SHOWN_BY: &str = "playout folders list";

#[derive(Debug, clap::Subcommand)]
pub(super) enum Task {
    /// List the folders.
    #[command(after_help = "Examples:\n  playout folders list")]
    List,
    /// Create a folder.
    #[command(after_help = "Examples:\n  playout folders create Spring")]
    Create {
        /// Its name, unique in the workspace.
        name: String,
        /// Requests with the same key within 24 hours create the folder once, also across runs; a random key by default.
        #[arg(long, value_name = "KEY")]
        idempotency_key: Option<String>,
    },
    /// Rename a folder.
    #[command(after_help = "Examples:\n  playout folders rename Kites \"Kites of 2026\"")]
    Rename {
        /// The folder: its ID or name.
        folder: String,
        /// Its new name.
        name: String,
        #[command(flatten)]
        version: Version,
    },
    /// Delete a folder; its media move to the root.
    #[command(after_help = "Examples:\n  playout folders delete Kites")]
    Delete {
        /// The folder: its ID or name.
        folder: String,
        #[command(flatten)]
        version: Version,
    },
}

pub(super) async fn run(task: Task, session: &Session) -> Outcome {
    let api = session.api()?;
    match task {
        Task::List => list(session, &api).await,
        Task::Create {
            name,
            idempotency_key,
        } => create(session, &api, &name, idempotency_key).await,
        Task::Rename {
            folder,
            name,
            version,
        } => {
            let id = folder_id(&api, &folder).await?;
            let tag = version.tag();
            let request = api.rename_folder(&id, &name, tag.as_deref());
            let renamed = "The folder may have been renamed.";
            let reply = doubt::change(session, renamed, SHOWN_BY, request).await?;
            Ok(told("Renamed to", reply))
        }
        Task::Delete { folder, version } => {
            let id = folder_id(&api, &folder).await?;
            let tag = version.tag();
            let request = api.delete_folder(&id, tag.as_deref());
            doubt::change(session, "The folder may have been deleted.", SHOWN_BY, request).await?;
            let json = json!({ "id": id, "deleted": true });
            Ok(Report::new(json, "Deleted; its media are in the root."))
        }
    }
}

async fn create(session: &Session, api: &Api, name: &str, key: Option<String>) -> Outcome {
    let key = key.unwrap_or_else(playout_client::idempotency_key);
    let request = api.create_folder(name, Some(&key));
    let reply = doubt::send(session, &doubt::with_key("The folder", &key), request).await?;
    Ok(told("Created", reply))
}

async fn list(session: &Session, api: &Api) -> Outcome {
    let reply = api.folders().await?;
    let here = here();
    let rows: Vec<Vec<String>> = reply
        .value
        .folders
        .iter()
        .map(|folder| row(folder, &here))
        .collect();
    let text = match rows.is_empty() {
        true => "No folders yet.".to_owned(),
        false => session.screen.table(&COLUMNS, &rows),
    };
    Ok(Report::new(reply.json, text))
}

fn row(folder: &Folder, here: &Here) -> Vec<String> {
    vec![
        clean(&folder.name),
        here.show(folder.created_at),
        clean(&folder.id),
    ]
}

fn told(what: &str, reply: Reply<Folder>) -> Report {
    let text = format!("{what} {} ({})", clean(&reply.value.name), clean(&reply.value.id));
    Report::new(reply.json, text)
}

async fn folder_id(api: &Api, name: &str) -> Result<String, Error> {
    let found = find::folder_id(api, name).await?;
    found.ok_or_else(|| Error::usage("The root is no folder: it can be neither renamed nor deleted."))
}
