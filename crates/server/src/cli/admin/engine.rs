//! `admin engine`: begins and ends the hold of publications manually.

use playout_domain::time::Time;
use playout_store::Hold;
use serde_json::{Value, json};

use crate::app::App;
use crate::identity::copies::why_next_start_holds;
use crate::identity::since_copy;
use crate::open_error::OpenError;
use crate::worker::keeper::{accept_move, since_of};

#[derive(Debug, clap::Subcommand)]
pub(crate) enum EngineTask {
    /// Hold publications until every post that may have been published since the last write to the database has been searched for
    /// at the provider. Use it before the first start on a raw copy, or on a database that was recovered to a point in time.
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
    /// Print whether publications are held, why, how many posts are still to be searched for, which hold was the last, and whether
    /// the next start begins one.
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
                return Err("publications are not held".into());
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
    let mut status = json!({
        "held": on.is_some(),
        "heldAt": on.map(|hold| hold.held_at.to_string()),
        "since": on.map(|hold: &Hold| hold.since.to_string()),
        "because": on.map(|hold| hold.because.as_str()),
        "postsToLookFor": progress.left,
        "postsWithAPerson": app.store.count_action_required().await?,
        "nextStartHolds": next,
        "lastHold": last.map(|last| json!({
            "heldAt": last.held_at.to_string(),
            "because": last.because,
            "endedAt": last.ended_at.to_string(),
            "postsNotLookedFor": last.not_looked_for,
        })),
    });
    if let Some(left) = released {
        status["postsNotLookedFor"] = left.into();
    }
    if is_moved {
        status["moved"] =
            "the present place of the database is recorded, and the next start is not held because of its place"
                .into();
    }
    Ok(status)
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
