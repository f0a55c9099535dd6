//! `admin engine`: begins and ends the hold of publications manually.

use playout_domain::time::Time;
use playout_store::{Hold, WaitingPosts};
use serde_json::{Value, json};

use crate::app::App;
use crate::identity::copies::why_next_start_holds;
use crate::identity::since_copy;
use crate::open_error::OpenError;
use crate::worker::keeper::{accept_move, since_of};

/// How many accounts are named.
const MOST_ACCOUNTS: usize = 20;

#[derive(Debug, clap::Subcommand)]
pub(crate) enum EngineTask {
    /// Hold publications until every post that may have been published since the last write to the database has been searched for
    /// at the provider. Use it before the first start on a raw copy, or on a database that was recovered to a point in time.
    /// Posts that are due soon wait for it, and it cannot be taken back once the search has ended: see `--help`.
    ///
    /// It marks every post that is not PUBLISHED, also in normal operation, and the marks stay when the search has ended, usually within seconds: a post that is due
    /// then, or within the next 47 minutes (`PLAYOUT_RESTORE_PATIENCE_SECONDS`), waits until they are over, or is left to a person.
    /// This cannot be taken back: `release` ends only a search that is still going on. To publish nothing for a while, stop the nodes instead.
    Hold {
        /// When the posts that are in the database were copied, if that was before its last write, as where a dump of some tables
        /// was loaded into it: RFC 3339, such as 2026-12-01T09:00:00Z. The earlier of both counts.
        #[arg(long, value_name = "TIME")]
        since: Option<String>,
        /// Print JSON (the default).
        #[arg(long)]
        json: bool,
    },
    /// Declare, before the first start at the new place, that the installation was moved there as a whole and is not a copy: it
    /// does not start held because of its place. Never start the old place again.
    Moved {
        /// Print JSON (the default).
        #[arg(long)]
        json: bool,
    },
    /// End the hold at once, without searching for further posts. Posts that were published after the copy was made are published
    /// again.
    Release {
        /// Print JSON (the default).
        #[arg(long)]
        json: bool,
    },
    /// Print whether publications are held, why, how many posts are still to be searched for or wait after the search, which hold was
    /// the last, and whether the next start begins one.
    Status {
        /// Print JSON (the default).
        #[arg(long)]
        json: bool,
    },
}

pub(super) async fn run(app: &App, task: EngineTask) -> Result<Value, OpenError> {
    let mut released = None;
    let is_moved = matches!(task, EngineTask::Moved { .. });
    match task {
        EngineTask::Hold { since: copied_at, .. } => {
            let now = app.now();
            let last_write = since_of(app).await?;
            let since = match copied_at {
                Some(text) => last_write.min(since_copy(Some(read_past(&text, now)?), now)),
                None => last_write,
            };
            app.store.begin_hold(since, "it was held by hand", now).await?;
        }
        EngineTask::Release { .. } => {
            released = app.store.release_hold(app.now()).await?;
            if released.is_none() {
                return Err(nothing_to_release(app).await?.into());
            }
        }
        EngineTask::Moved { .. } => accept_move(app).await?,
        EngineTask::Status { .. } => {}
    }
    let hold = app.store.find_hold().await?;
    let last = app.store.find_last_hold().await?;
    let progress = app.store.hold_progress().await?;
    let next = match hold {
        Some(_) => None,
        None => why_next_start_holds(&app.store, Some(&app.blobs), &app.config.data_dir).await?,
    };
    let on = hold.as_ref();
    let waiting = waiting(app).await?;
    let mut status = json!({
        "held": on.is_some(),
        "heldAt": on.map(|hold| hold.held_at.to_string()),
        "since": on.map(|hold: &Hold| hold.since.to_string()),
        "because": on.map(|hold| hold.because.as_str()),
        "postsToLookFor": progress.left,
        "accountsLeft": accounts_left(app).await?,
        "postsThatWait": waiting.count,
        "waitUntil": waiting.looked_at.map(|at| at.plus(app.config.restore_patience).to_string()),
        "postsWithAPerson": app.store.count_action_required().await?,
        "commentsWithAPerson": app.store.count_comments_action_required().await?,
        "nextStartHolds": next,
        "lastHold": last.map(|last| json!({
            "heldAt": last.held_at.to_string(),
            "because": last.because,
            "endedAt": last.ended_at.to_string(),
            "released": last.is_released,
            "postsNotLookedFor": last.not_looked_for,
        })),
    });
    if let Some(released) = released {
        status["postsNotLookedFor"] = released.not_looked_for.into();
        status["postsLookedForBeforeTheyAreSent"] = released.still_marked.into();
    }
    if is_moved {
        status["moved"] =
            "the present place of the database is recorded, and the next start is not held because of its place"
                .into();
    }
    Ok(status)
}

/// The accounts that a hold waits for, of which one that does not respond is the last.
async fn accounts_left(app: &App) -> Result<Vec<Value>, OpenError> {
    let left = app.store.accounts_left().await?;
    let shown = left.into_iter().take(MOST_ACCOUNTS).map(|account| {
        json!({
            "account": account.name,
            "workspaceId": account.workspace,
            "workspace": account.workspace_name,
            "posts": account.posts,
        })
    });
    Ok(shown.collect())
}

async fn waiting(app: &App) -> Result<WaitingPosts, OpenError> {
    let patience = app.config.restore_patience;
    Ok(app.store.posts_that_wait(patience, app.now()).await?)
}

/// Why there is no hold to release. The marks of one that has ended stay.
async fn nothing_to_release(app: &App) -> Result<String, OpenError> {
    let waiting = waiting(app).await?;
    Ok(match waiting.looked_at {
        Some(at) => format!(
            "publications are not held any more: the search has ended, and what it has marked stays so. {} not found and due soon: what is due before {} \
             waits until then. If nothing can have been sent shortly before the search, shorten that: restart the nodes with a smaller \
             PLAYOUT_RESTORE_PATIENCE_SECONDS (docs/backup.md)",
            match waiting.count {
                1 => "1 post was".to_owned(),
                count => format!("{count} posts were"),
            },
            at.plus(app.config.restore_patience)
        ),
        None => "publications are not held".to_owned(),
    })
}

/// Reads a time that is over.
fn read_past(text: &str, now: Time) -> Result<Time, OpenError> {
    match Time::parse(text) {
        Ok(at) if at <= now => Ok(at),
        Ok(_) => Err(format!("--since {text} is in the future").into()),
        Err(_) => {
            Err(format!("--since {text} is not a time of RFC 3339, such as 2026-12-01T09:00:00Z").into())
        }
    }
}
