//! `media`: images and videos.

mod facts;
mod import;
mod upload;

use playout_client::{Api, Error, Media, MediaQuery};
use serde_json::{Map, Value, json};

use self::facts::{describe, reason};
use super::doubt;
use super::find;
use super::moment::Here;
use super::moment::here;
use super::report::{Outcome, Report};
use super::screen::{Screen, brief, clean};
use super::session::Session;
use super::table::Column;
use super::usage::bytes;
use super::version::Version;

const COLUMNS: [Column; 7] = [
    Column::cut("NAME", 12, 5),
    Column::whole("TYPE", 1),
    Column::whole("SIZE", 2),
    Column::whole("STATUS", 6),
    Column::whole("UPLOADED", 3),
    Column::whole("ID", 7),
    Column::wrap("FAILURE", 16, 4),
];

pub(super) use upload::{check_key_with, described, ids_of, upload_each, uploaded};

#[derive(Debug, clap::Subcommand)]
pub(super) enum Task {
    /// Upload images and videos.
    ///
    /// Large uploads can be resumed: automatically after a cut, and after an interruption by running the same command again
    /// within 24 hours. Exit code 6: some files were refused, and the others are uploaded; 1: all were refused.
    #[command(
        after_help = "Examples:\n  playout media upload clip.mp4\n  playout media upload 'slides/*.jpg' --folder Kites --create-folder\n  playout media upload clip.mp4 --name first-flight.mp4"
    )]
    Upload(upload::Wanted),
    /// Import a file from the web: the service fetches it.
    #[command(
        after_help = "Examples:\n  playout media import https://example.org/films/kite.mp4\n  playout media import https://example.org/films/kite.mp4 --folder Kites --no-wait"
    )]
    Import(import::Wanted),
    /// List media, newest first.
    #[command(
        after_help = "Examples:\n  playout media list\n  playout media list --type video --folder Kites --limit 20"
    )]
    List(List),
    /// Show one media object.
    #[command(after_help = "Examples:\n  playout media get 0196f3a0-7c1e-7d3a-9b5e-000000000001")]
    Get {
        /// Its ID.
        id: String,
    },
    /// Move a media object to a folder, or rename it.
    #[command(
        after_help = "Examples:\n  playout media move 0196f3a0-7c1e-7d3a-9b5e-000000000001 Kites\n  playout media move 0196f3a0-7c1e-7d3a-9b5e-000000000001 root --name first-flight.mp4"
    )]
    Move {
        /// Its ID.
        id: String,
        /// The folder: its ID or name; `root` is the top level.
        folder: String,
        /// Its new name.
        #[arg(long)]
        name: Option<String>,
        #[command(flatten)]
        version: Version,
    },
    /// Delete media. Media that a draft or a queued post needs cannot be deleted.
    #[command(after_help = "Examples:\n  playout media delete 0196f3a0-7c1e-7d3a-9b5e-000000000001")]
    Delete {
        /// Their IDs.
        #[arg(required = true)]
        ids: Vec<String>,
        #[command(flatten)]
        version: Version,
    },
}

#[derive(Debug, clap::Args)]
pub(super) struct List {
    /// Only this folder: its ID or name; `root` is the top level.
    #[arg(long)]
    folder: Option<String>,
    /// Only this kind.
    #[arg(long = "type", value_parser = ["image", "video"])]
    kind: Option<String>,
    /// The most items to list; without it, all.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
    /// Continue a list that ended at --limit: its `nextCursor`.
    #[arg(long)]
    cursor: Option<String>,
}

pub(super) async fn run(task: Task, session: &Session) -> Outcome {
    let api = session.api()?;
    match task {
        Task::Upload(wanted) => upload::run(wanted, session, &api).await,
        Task::Import(wanted) => import::run(wanted, session, &api).await,
        Task::List(list) => show_list(list, session, &api).await,
        Task::Get { id } => {
            let reply = api.media(&id).await?;
            let text = describe(&session.screen, &reply);
            Ok(Report::new(reply.json, text))
        }
        Task::Move {
            id,
            folder,
            name,
            version,
        } => {
            let mut change = json!({ "folderId": find::folder_id(&api, &folder).await? });
            if let Some(name) = name {
                change["fileName"] = Value::String(name);
            }
            let tag = version.tag();
            let request = api.change_media(&id, &change, tag.as_deref());
            let moved = "The media object may have been changed.";
            let reply = doubt::change(session, moved, &shown_by(&id), request).await?;
            let text = describe(&session.screen, &reply);
            Ok(Report::new(reply.json, text))
        }
        Task::Delete { ids, version } => delete(session, &api, &ids, &version).await,
    }
}

async fn show_list(list: List, session: &Session, api: &Api) -> Outcome {
    let folder_id = match &list.folder {
        Some(name) => Some(
            find::folder_id(api, name)
                .await?
                .unwrap_or_else(|| "null".to_owned()),
        ),
        None => None,
    };
    let mut query = MediaQuery {
        folder_id,
        media_type: list.kind,
        cursor: list.cursor,
        ..MediaQuery::default()
    };
    let (mut all, mut rows, here) = (Vec::new(), Vec::new(), here());
    loop {
        query.limit = left(list.limit, all.len());
        let mut page = api.media_page(&query).await?;
        rows.extend(
            page.value
                .media
                .iter()
                .map(|media| row(&session.screen, media, &here)),
        );
        all.append(page.json["media"].as_array_mut().unwrap_or(&mut Vec::new()));
        query.cursor = page.value.next_cursor;
        if query.cursor.is_none() || left(list.limit, all.len()) == Some(0) {
            break;
        }
    }
    let text = match rows.is_empty() {
        true => "No media.".to_owned(),
        false => table(&session.screen, &rows),
    };
    Ok(Report::new(
        json!({ "media": all, "nextCursor": query.cursor }),
        text,
    ))
}

/// How many rows of the next page are still needed.
pub(super) fn left(limit: Option<u32>, have: usize) -> Option<u32> {
    let have = u32::try_from(have).unwrap_or(u32::MAX);
    limit.map(|limit| limit.saturating_sub(have).min(playout_wire::page::MAX_LIMIT))
}

/// The reasons are the last column, because they are long, and are omitted if there are none.
fn table(screen: &Screen, rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    screen.table(&COLUMNS[..columns], rows)
}

fn row(screen: &Screen, media: &Media, here: &Here) -> Vec<String> {
    let mut row = vec![
        brief(&media.original_file_name, 40),
        clean(&media.mime_type),
        media.size.map_or_else(|| "-".to_owned(), bytes),
        screen.state(&media.status),
        here.show(media.created_at),
        clean(&media.id),
    ];
    row.extend(reason(media));
    row
}

fn shown_by(id: &str) -> String {
    format!("playout media get {id}")
}

/// Deletes each item, even if others fail.
async fn delete(session: &Session, api: &Api, ids: &[String], version: &Version) -> Outcome {
    if version.is_given() && ids.len() > 1 {
        return Err(Error::usage("--if-match is for one media object."));
    }
    let version = version.tag();
    let (mut deleted, mut failed, mut first) = (Vec::new(), Vec::new(), None::<Error>);
    for id in ids {
        let request = api.delete_media(id, version.as_deref());
        let done = format!("{id} may have been deleted.");
        match doubt::change(session, &done, &shown_by(id), request).await {
            Ok(()) => deleted.push(id.as_str()),
            Err(error) => {
                let mut entry = Map::from_iter([("id".to_owned(), json!(id))]);
                entry.insert("error".to_owned(), error.to_json()["error"].take());
                failed.push(Value::Object(entry));
                first.get_or_insert(error);
            }
        }
    }
    let text = format!("Deleted {} of {}.", deleted.len(), ids.len());
    let error = first.map(|error| error.with_done(!deleted.is_empty()));
    let json = json!({ "deleted": deleted, "failed": failed });
    Ok(Report::new(json, text).but(error))
}
