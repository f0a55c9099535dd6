//! `admin audit`: the trail of a workspace, also of a deleted one, whose trail only the operator can read.

use playout_domain::id::WorkspaceId;
use playout_store::Page;
use playout_wire::audit::AuditBody;
use playout_wire::page::{Cursor, MAX_LIMIT};
use serde_json::{Value, json};

use super::absent::absent;
use super::workspace_id::workspace_id;
use crate::app::App;
use crate::open_error::OpenError;

#[derive(Debug, clap::Subcommand)]
pub(crate) enum AuditTask {
    /// Print the audit trail of a workspace, newest first. The trail of a deleted workspace is kept for 90 days.
    List {
        /// The ID of the workspace.
        #[arg(long, value_name = "ID", value_parser = workspace_id)]
        workspace: WorkspaceId,
        /// The most entries to print.
        #[arg(long, default_value_t = MAX_LIMIT, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_LIMIT)))]
        limit: u32,
        /// `nextCursor` of the page before.
        #[arg(long)]
        cursor: Option<String>,
        /// Print JSON (the default).
        #[arg(long)]
        json: bool,
    },
}

pub(super) async fn run(app: &App, task: AuditTask) -> Result<Value, OpenError> {
    let AuditTask::List {
        workspace,
        limit,
        cursor,
        ..
    } = task;
    let (name, ended_at) = match app.store.find_workspace(workspace).await? {
        Some(found) => (found.name, None),
        None => {
            let ended = app.store.find_ended_workspace(workspace).await?;
            let ended = ended.ok_or_else(|| {
                let problem =
                    format!("no workspace has the ID {workspace}, and none that ended lately had it");
                absent(app, problem)
            })?;
            (ended.name, Some(ended.ended_at))
        }
    };
    let after = match cursor {
        Some(text) => Some(Cursor::decode(&text).ok_or("the cursor is not one of an earlier page")?),
        None => None,
    };
    let page = Page {
        limit: limit + 1,
        after: after.map(|cursor| (cursor.at, cursor.id)),
    };
    let mut entries = app.store.list_audit(workspace, page).await?;
    let more = entries.len() > limit as usize;
    entries.truncate(limit as usize);
    let last = entries.last().filter(|_| more);
    let next_cursor = last.map(|entry| {
        let (at, id) = (entry.created_at, entry.id.0);
        Cursor { at, id }.encode()
    });
    let entries: Vec<AuditBody> = entries.into_iter().map(AuditBody::from).collect();
    Ok(json!({
        "workspace": { "id": workspace, "name": name, "endedAt": ended_at },
        "entries": entries,
        "nextCursor": next_cursor,
    }))
}
