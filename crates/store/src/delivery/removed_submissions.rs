//! What is kept of the ledger of deleted posts (`posts` takes its own rows of `submissions` with it): the provider's news of them may
//! come days later, and the account lists them for ever. Neither may be taken for another post of the account.

use std::time::Duration;

use playout_domain::id::{GroupId, PostId, WorkspaceId};
use playout_domain::post::PostState;
use playout_domain::time::Time;

use super::releases::release_is_seen;
use super::sent_text::{read_sent_text, sent_text_columns, text_marks};
use crate::db::{Fields, Param, Result, Row, Store, Tx, new_id, params};

/// For how long.
const LIFETIME: Duration = Duration::from_secs(90 * 86_400);

/// The posts of a group or of a workspace that may have come as far as the provider, a row for each of their submissions.
macro_rules! handed_over {
    ($and_where:literal) => {
        concat!(
            "SELECT p.id AS post_id, ",
            sent_text_columns!(),
            ", p.look_content AS look_content, p.release_id AS release_id, p.look_since AS look_since, p.state AS state,
                (",
            release_is_seen!(),
            ") AS is_seen, a.provider AS provider, a.provider_account_id AS provider_account_id,
                a.connection AS connection,
                s.id AS submission, s.content AS sent, s.transfer AS transfer, s.handle AS handle, s.fetched_at AS fetched_at,
                s.outcome AS outcome
            FROM posts p JOIN platforms a ON a.id = p.platform_id LEFT JOIN submissions s ON s.post_id = p.id
            WHERE p.workspace_id = $1 AND p.parent_id IS NULL
                AND (p.updated_at > $2 OR p.look_since IS NOT NULL) AND (p.release_id IS NOT NULL OR p.look_since IS NOT NULL OR p.state = 'PUBLISHED' OR s.transfer IS NOT NULL)",
            $and_where,
            " ORDER BY p.id"
        )
    };
}

const OF_GROUP: &str = handed_over!(" AND p.group_id = $3");
const OF_WORKSPACE: &str = handed_over!("");

impl Tx {
    /// Keeps what has to be known of the posts of a group that is about to be deleted.
    pub(crate) async fn keep_submissions_of_group(
        &mut self,
        workspace: WorkspaceId,
        group: GroupId,
        now: Time,
    ) -> Result<()> {
        let params = params![workspace, now.minus(LIFETIME), group];
        let rows = self.rows(OF_GROUP, params).await?;
        self.keep_submissions(&rows, now).await
    }

    /// Keeps what has to be known of the posts of a workspace that is about to be deleted.
    pub(crate) async fn keep_submissions_of_workspace(
        &mut self,
        workspace: WorkspaceId,
        now: Time,
    ) -> Result<()> {
        let rows = self
            .rows(OF_WORKSPACE, params![workspace, now.minus(LIFETIME)])
            .await?;
        self.keep_submissions(&rows, now).await
    }

    async fn keep_submissions(&mut self, rows: &[Row], now: Time) -> Result<()> {
        let mut kept = Vec::with_capacity(rows.len());
        let mut last = None;
        for row in rows {
            let post: PostId = row.of("posts").id("post_id")?;
            if last.replace(post) != Some(post) {
                kept.extend(post_rows(row, now)?);
            }
            kept.extend(submission_rows(row, now)?);
        }
        let into = "INSERT INTO removed_submissions (id, provider, provider_account_id, connection, handle, release_id, text_mark, is_lost,
            may_be_out, removed_at)";
        self.insert(into, kept).await
    }
}

impl Store {
    /// Deletes what was kept for longer than `LIFETIME`.
    pub(crate) async fn delete_removed_submissions(&self, now: Time) -> Result<u64> {
        let sql = "DELETE FROM removed_submissions WHERE removed_at <= $1";
        self.execute_long(sql, params![now.minus(LIFETIME)]).await
    }
}

/// What is known of a post apart from its submissions: that it is out, or where, or that a hold has marked it. Where only a person has reported where it
/// is, it may be out under another ID too. A row for each mark of its text.
fn post_rows(row: &Row, now: Time) -> Result<Vec<Vec<Param>>> {
    let fields = row.of("posts");
    let release: Option<String> = fields.get("release_id")?;
    let is_marked = fields.opt_time("look_since")?.is_some();
    let is_published = fields.get::<String>("state")? == PostState::Published.as_str();
    if release.is_none() && !is_marked && !is_published {
        return Ok(Vec::new());
    }
    let may_be_out = release.is_none() || !fields.get::<bool>("is_seen")?;
    let row_of = |mark: [u8; 32]| {
        let mut kept = account(fields, now)?;
        kept.extend(params![
            None::<String>,
            release.clone(),
            mark,
            false,
            may_be_out,
            now
        ]);
        Ok(kept)
    };
    text_marks(&text_of(fields)?).map(row_of).collect()
}

/// What is known of a submission. A row for each mark of its text.
fn submission_rows(row: &Row, now: Time) -> Result<Vec<Vec<Param>>> {
    let fields = row.of("submissions");
    let transfer: Option<String> = fields.get("transfer")?;
    if transfer.is_none() {
        return Ok(Vec::new());
    }
    let handle: Option<String> = fields.get("handle")?;
    let outcome: Option<String> = fields.get("outcome")?;
    let is_lost = handle.is_none() && fields.opt_time("fetched_at")?.is_some();
    let came_to_nothing = matches!(outcome.as_deref(), Some("rejected" | "abandoned" | "reauthorize"));
    let may_be_out = !came_to_nothing && fields.get::<Option<String>>("release_id")?.is_none();
    if handle.is_none() && !is_lost && !may_be_out {
        return Ok(Vec::new());
    }
    let text = match fields.get::<Option<String>>("sent")? {
        Some(sent) => sent,
        None => text_of(fields)?,
    };
    let row_of = |mark: [u8; 32]| {
        let mut kept = account(fields, now)?;
        kept.extend(params![
            handle.clone(),
            None::<String>,
            mark,
            is_lost,
            may_be_out,
            now
        ]);
        Ok(kept)
    };
    text_marks(&text).map(row_of).collect()
}

/// The text under which a post may be out.
fn text_of(fields: Fields<'_>) -> Result<String> {
    match fields.get::<Option<String>>("look_content")? {
        Some(text) => Ok(text),
        None => read_sent_text(fields),
    }
}

/// The first columns of a row that is kept.
fn account(fields: Fields<'_>, now: Time) -> Result<Vec<Param>> {
    let id: PostId = new_id(now);
    let (provider, account): (String, String) = (fields.get("provider")?, fields.get("provider_account_id")?);
    let connection: String = fields.get("connection")?;
    Ok(params![id, provider, account, connection])
}
