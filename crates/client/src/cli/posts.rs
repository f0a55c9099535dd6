//! `posts`: create, schedule, publish and follow.

mod body;
mod import;
mod reschedule;
mod results;
mod show;
mod watch;
mod write;

use playout_client::{Api, Error, Group, PostQuery, Reply};
use serde_json::json;

use super::doubt;
use super::find::{self, Handles};
use super::media::left;
use super::moment::here;
use super::report::{Outcome, Report};
use super::session::Session;
use super::table::Column;
use super::version::{Version, of_post};
use body::Contents;

const LIST: [Column; 5] = [
    Column::whole("TIME", 3),
    Column::whole("STATE", 4),
    Column::cut("ACCOUNT", 8, 1),
    Column::cut("CAPTION", 8, 2),
    Column::whole("ID", 5),
];

#[derive(Debug, clap::Subcommand)]
pub(super) enum Task {
    /// Create a post on one or more platforms.
    ///
    /// Choose a time: --now, --at TIME or --draft. Files given with --media are uploaded first. Exit code 6: some of the accounts refused the
    /// post, and on the others it is created; 1: all refused it.
    #[command(
        after_help = "Examples:\n  playout posts create --platform kitestudio --caption \"First flight #kites\" --media clip.mp4 --setting privacy_level=SELF_ONLY --now --wait\n  playout posts create --platform kitestudio --caption \"Tomorrow\" --media clip.mp4 --setting privacy_level=SELF_ONLY --at \"tomorrow 09:00\"\n  playout posts create --file post.json\n  playout posts:create --file post.json --draft --idempotency-key spring-1 --json"
    )]
    Create(Box<write::Create>),
    /// Check a post as creating it would; creates nothing.
    #[command(
        after_help = "Examples:\n  playout posts validate --file post.json\n  playout posts validate --platform kitestudio --caption \"First flight\" --media 0196f3a0-7c1e-7d3a-9b5e-000000000001 --setting privacy_level=SELF_ONLY"
    )]
    Validate(Box<write::Validate>),
    /// Create many posts from a table (CSV) or JSON lines.
    ///
    /// The columns of a table, or the names in each JSON line:
    ///
    /// accounts: handles or IDs, with commas between them
    ///
    /// content: the caption
    ///
    /// when: now, draft, or a time as with `posts create --at`, such as 2026-12-01 09:00, or +3d, which counts from the first run
    ///
    /// mode: draft, now or schedule; only needed for a draft with a planned time
    ///
    /// media: files or media IDs, in order, with commas between them; relative paths begin at the file's folder
    ///
    /// comments: a comment in each line of the cell
    ///
    /// settings.NAME: a provider setting, such as settings.privacy_level
    ///
    /// Empty cells count as absent. A JSON line may have lists for accounts, media and comments, an object for settings, and the API's own
    /// names. A file is uploaded once, however many rows name it.
    ///
    /// Rows that fail are written to a file beside it, week.failed.csv for week.csv and week.failed.jsonl for week.jsonl, with the columns
    /// `row`, the number of the row in the first file, and `error`. Correct the rows there and import that file. Keep the numbers: another run of
    /// the first file knows by them what was corrected, and a row without one counts as new. A file with rows of which another import of the last
    /// 24 hours may have created posts, the same file before it was changed or one of another name, is rejected, as they would be created a second
    /// time. Rows are compared by account and by what would be sent for them, so that +72h is +3d, and a setting with its default is none. Exit
    /// code 0: all posts were created; 6: some were; 1: none.
    ///
    /// Run the same command again after an interruption: within 24 hours it creates nothing twice. The idempotency key of each request is
    /// derived from the content of the file and the position of the rows, the requests are recorded in `$XDG_STATE_HOME/playout/imports` before
    /// they are sent, and rows that had failed are tried once more, unless the file of what failed was imported since, and created posts. Of posts that an
    /// earlier run created the table says "by an earlier run", and in the document they have `repeated: true` and are counted in `repeated`.
    #[command(
        after_help = "Examples:\n  playout posts import posts.csv --dry-run\n  playout posts import posts.csv\n  playout posts import posts.jsonl --json"
    )]
    Import(import::Import),
    /// List posts by their time.
    #[command(
        after_help = "Examples:\n  playout posts list\n  playout posts list --from today --state QUEUE --platform kitestudio\n  playout posts list --search kites --limit 10\n  playout posts list --latest --limit 5"
    )]
    List(List),
    /// Show a post with its comments.
    #[command(after_help = "Examples:\n  playout posts get 0196f3a0-7c1e-7d3a-9b5e-000000000003")]
    Get {
        /// Its ID.
        id: String,
    },
    /// Change a draft or a queued post; parts that are not given stay unchanged.
    #[command(
        after_help = "Examples:\n  playout posts edit 0196f3a0-7c1e-7d3a-9b5e-000000000003 --caption \"Second thoughts\"\n  playout posts edit 0196f3a0-7c1e-7d3a-9b5e-000000000003 --setting allow_comment=true"
    )]
    Edit {
        /// Its ID.
        id: String,
        #[command(flatten)]
        contents: Box<Contents>,
        #[command(flatten)]
        version: Version,
    },
    /// Publish now a draft, a queued post, or one that failed or requires action.
    ///
    /// Where a try of the post may be out already, look at the account first: a minute after it was left to you, publishing it again submits
    /// it again.
    #[command(
        after_help = "Examples:\n  playout posts publish 0196f3a0-7c1e-7d3a-9b5e-000000000003\n  playout posts publish 0196f3a0-7c1e-7d3a-9b5e-000000000003 --wait"
    )]
    Publish {
        /// Its ID.
        id: String,
        /// Requests with the same key within 24 hours publish the post once, also across runs; a random key by default.
        #[arg(long, value_name = "KEY")]
        idempotency_key: Option<String>,
        #[command(flatten)]
        version: Version,
        #[command(flatten)]
        wait: watch::Wait,
    },
    /// Make a queued post a draft again; its time stays as the planned one.
    #[command(after_help = "Examples:\n  playout posts unschedule 0196f3a0-7c1e-7d3a-9b5e-000000000005")]
    Unschedule {
        /// Its ID.
        id: String,
        #[command(flatten)]
        version: Version,
    },
    /// Mark a post that requires action as published: you see it on the account, or finished it in the provider's app. A private post has no address.
    #[command(after_help = "Examples:\n  playout posts mark-published 0196f3a0-7c1e-7d3a-9b5e-000000000004")]
    MarkPublished {
        /// Its ID, or that of one of its comments.
        id: String,
        /// The address of its page, as copied from a browser or the app: https://www.tiktok.com/@name/video/7681234567890123456.
        #[arg(long, value_name = "URL")]
        url: Option<String>,
        /// The provider's ID of it: the number at the end of that address.
        #[arg(long, value_name = "ID")]
        release_id: Option<String>,
        #[command(flatten)]
        version: Version,
    },
    /// Set a new time for a post, and queue it.
    #[command(
        after_help = "Examples:\n  playout posts reschedule 0196f3a0-7c1e-7d3a-9b5e-000000000003 --at \"tomorrow 18:30\"\n  playout posts reschedule 0196f3a0-7c1e-7d3a-9b5e-000000000005 --by +1d"
    )]
    Reschedule {
        /// Its ID.
        id: String,
        #[command(flatten)]
        time: reschedule::NewTime,
        #[command(flatten)]
        version: Version,
    },
    /// Delete a post with its comments. What is published stays public at the provider.
    #[command(after_help = "Examples:\n  playout posts delete 0196f3a0-7c1e-7d3a-9b5e-000000000003")]
    Delete {
        /// Its ID.
        id: String,
        #[command(flatten)]
        version: Version,
    },
    /// Wait until a post has left the queue. Exit code 0: it is published.
    #[command(
        after_help = "Examples:\n  playout posts watch 0196f3a0-7c1e-7d3a-9b5e-000000000002\n  playout posts watch 0196f3a0-7c1e-7d3a-9b5e-000000000002 --timeout 10m --json"
    )]
    Watch {
        /// Its ID.
        id: String,
        /// Stop waiting after this time, such as 90s, 10m or 2h.
        #[arg(long, value_name = "LENGTH", default_value = "30m")]
        timeout: String,
    },
    /// Show every attempt at submitting a post to its provider.
    #[command(after_help = "Examples:\n  playout posts attempts 0196f3a0-7c1e-7d3a-9b5e-000000000002")]
    Attempts {
        /// Its ID.
        id: String,
    },
}

impl Task {
    /// Whether it changes nothing.
    pub(super) fn only_reads(&self) -> bool {
        match self {
            Self::Import(wanted) => wanted.is_dry_run(),
            Self::Validate(_)
            | Self::List(_)
            | Self::Get { .. }
            | Self::Watch { .. }
            | Self::Attempts { .. } => true,
            _ => false,
        }
    }
}

#[derive(Debug, clap::Args)]
pub(super) struct List {
    /// From this time or day on.
    #[arg(long, value_name = "TIME")]
    from: Option<String>,
    /// Before this time or day.
    #[arg(long, value_name = "TIME")]
    to: Option<String>,
    /// Only in this state; repeatable.
    #[arg(long, value_parser = ["DRAFT", "QUEUE", "PUBLISHED", "ACTION_REQUIRED", "ERROR"], ignore_case = true)]
    state: Vec<String>,
    /// Only posts of this account: its ID, handle or name.
    #[arg(long, alias = "account")]
    platform: Option<String>,
    /// Only posts with this text in the caption.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    search: Option<String>,
    /// Begin with the latest: with --limit 5 the five latest, which are the five earliest without it.
    #[arg(long)]
    latest: bool,
    /// The most posts to list; without it, all.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
    /// Continue a list that ended at --limit: its `nextCursor`.
    #[arg(long)]
    cursor: Option<String>,
}

pub(super) async fn run(task: Task, session: &Session) -> Outcome {
    let api = session.api()?;
    match task {
        Task::Create(create) => write::create(*create, session, &api).await,
        Task::Validate(validate) => write::validate(*validate, session, &api).await,
        Task::Import(wanted) => import::run(wanted, session, &api).await,
        Task::List(wanted) => list(wanted, session, &api).await,
        Task::Get { id } => Ok(show::group(&session.screen, api.post_group(&id).await?)),
        Task::Edit {
            id,
            contents,
            version,
        } => write::edit(session, &api, &id, &contents, version.tag()).await,
        Task::Publish {
            id,
            idempotency_key,
            version,
            wait,
        } => {
            let reply = write::publish(session, &api, &id, idempotency_key, version.tag()).await?;
            watch::maybe(session, &api, &wait, reply).await
        }
        Task::Unschedule { id, version } => {
            let tag = version.tag();
            let request = api.unschedule_post(&id, tag.as_deref());
            changed(session, &id, "The post may be a draft again.", request).await
        }
        Task::MarkPublished {
            id,
            url,
            release_id,
            version,
        } => {
            let place = (release_id.as_deref(), url.as_deref());
            let tag = version.tag();
            let request = api.mark_published(&id, place, tag.as_deref());
            changed(session, &id, "The post may have been marked.", request).await
        }
        Task::Reschedule { id, time, version } => {
            let reply = reschedule::run(session, &api, &id, &time, version.tag()).await?;
            Ok(show::group(&session.screen, reply))
        }
        Task::Delete { id, version } => {
            let tag = version.tag();
            let request = api.delete_post(&id, tag.as_deref());
            let deleted = "The post may have been deleted.";
            doubt::change(session, deleted, &of_post(&id), request).await?;
            Ok(Report::new(json!({ "id": id, "deleted": true }), "Deleted."))
        }
        Task::Watch { id, timeout } => watch::run(session, &api, (&id, &timeout)).await,
        Task::Attempts { id } => Ok(show::attempts(&session.screen, api.attempts(&id).await?)),
    }
}

/// Changes a post, and shows it. `done` says what may have been done if there is no response.
async fn changed(
    session: &Session,
    id: &str,
    done: &str,
    request: impl Future<Output = Result<Reply<Group>, Error>>,
) -> Outcome {
    let reply = doubt::change(session, done, &of_post(id), request).await?;
    Ok(show::group(&session.screen, reply))
}

async fn list(wanted: List, session: &Session, api: &Api) -> Outcome {
    let mut query = query(&wanted, api).await?;
    let (mut all, mut rows, here) = (Vec::new(), Vec::new(), here());
    let handles = Handles::find(session, api).await;
    loop {
        query.limit = left(wanted.limit, all.len());
        let mut page = api.posts_page(&query).await?;
        rows.extend(
            page.value
                .posts
                .iter()
                .map(|post| show::row(&session.screen, post, &handles, &here)),
        );
        all.append(page.json["posts"].as_array_mut().unwrap_or(&mut Vec::new()));
        query.cursor = page.value.next_cursor;
        if query.cursor.is_none() || left(wanted.limit, all.len()) == Some(0) {
            break;
        }
    }
    let text = match rows.is_empty() {
        true => "No posts.".to_owned(),
        false => session.screen.table(&LIST, &rows),
    };
    Ok(Report::new(
        json!({ "posts": all, "nextCursor": query.cursor }),
        text,
    ))
}

async fn query(wanted: &List, api: &Api) -> Result<PostQuery, Error> {
    let here = here();
    let read = |text: &Option<String>| text.as_ref().map(|text| here.read_start(text)).transpose();
    let platform_id = match &wanted.platform {
        Some(name) => Some(find::any_platform_id(api, name).await?),
        None => None,
    };
    Ok(PostQuery {
        start: read(&wanted.from)?,
        end: read(&wanted.to)?,
        states: wanted.state.iter().map(|state| state.to_uppercase()).collect(),
        platform_id,
        text: wanted.search.clone(),
        is_latest_first: wanted.latest,
        cursor: wanted.cursor.clone(),
        ..PostQuery::default()
    })
}
