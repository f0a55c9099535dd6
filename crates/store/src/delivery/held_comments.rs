//! Comments that are left to a person once their post is out: those that a hold has marked, because they cannot be told apart at the
//! provider, and those of a draft, because they were not to be written yet.

use playout_domain::event::EventKind;
use playout_domain::id::{PostId, WorkspaceId};
use playout_domain::post::Waiting;
use playout_domain::time::Time;
use playout_domain::verdict::Verdict;

use crate::db::{Result, Row, Tx, params};
use crate::posts::read::{post_columns, post_event, read_post};

/// The text for a comment that may have been written without this database's knowledge.
const COMMENT_TEXT: &str = "Publications were held, as after a restore, and this comment may have been written before. \
    Look at the post in two minutes, because it may be on its way: if the comment is there, mark it as published; if it is not, write it in the \
    provider's app and mark it as published.";

/// The text for a comment of a draft of which an earlier try is published.
const DRAFT_TEXT: &str = "This comment was not written, because its post was a draft when an earlier try of it was published. \
    Write it in the provider's app and mark it as published.";

impl Tx {
    /// During a hold a comment whose post is out may have been written too, and comments cannot be told apart: a person
    /// looks.
    pub(crate) async fn give_comments_to_a_person(&mut self, now: Time) -> Result<()> {
        let sql = "DELETE FROM jobs WHERE kind = 'publish_comment'";
        self.execute(sql, params![]).await?;
        let sql = "UPDATE submissions SET closed_at = $1, outcome = 'unknown' WHERE closed_at IS NULL
            AND post_id IN (SELECT id FROM posts WHERE parent_id IS NOT NULL)";
        self.execute(sql, params![now]).await?;
        let sql = concat!(
            "SELECT ",
            post_columns!(),
            ", workspace_id FROM posts WHERE (state IN ('DRAFT', 'QUEUE') OR waiting IN ('reconnect', 'account_unavailable'))
                AND parent_id IS NOT NULL AND EXISTS (SELECT 1 FROM posts root
                WHERE root.workspace_id = posts.workspace_id AND root.group_id = posts.group_id
                AND root.parent_id IS NULL AND root.state = 'PUBLISHED') ORDER BY id"
        );
        for row in self.lock(sql, params![]).await? {
            self.give_comment_to_a_person(&row, COMMENT_TEXT, now).await?;
        }
        Ok(())
    }

    /// Gives the comments of a group from this position on to a person, if they may have been written without this database's
    /// knowledge: a hold has marked them, and their root did not come out by a submission that was begun since; or if they are drafts,
    /// as their root was when the provider reported it as published. Whether any was given.
    pub(crate) async fn give_later_comments_to_a_person(
        &mut self,
        workspace: WorkspaceId,
        after: PostId,
        now: Time,
    ) -> Result<bool> {
        let sql = concat!(
            "SELECT ",
            post_columns!(),
            ", workspace_id, look_since FROM posts WHERE workspace_id = $1 AND parent_id IS NOT NULL
             AND group_id = (SELECT group_id FROM posts WHERE id = $2)
             AND (state IN ('DRAFT', 'QUEUE') OR waiting IN ('reconnect', 'account_unavailable'))
             AND position > (SELECT position FROM posts WHERE id = $2) AND (state = 'DRAFT' OR (look_since IS NOT NULL
             AND NOT EXISTS (SELECT 1 FROM submissions s WHERE s.post_id = posts.parent_id AND s.outcome = 'published'
                AND s.transfer IS NOT NULL AND s.started_at > posts.looked_at))) ORDER BY position"
        );
        let rows = self.lock(sql, params![workspace, after]).await?;
        for row in &rows {
            let text = match row.of("posts").opt_time("look_since") {
                Ok(None) => DRAFT_TEXT,
                Ok(Some(_)) | Err(_) => COMMENT_TEXT,
            };
            self.give_comment_to_a_person(row, text, now).await?;
        }
        Ok(!rows.is_empty())
    }

    async fn give_comment_to_a_person(&mut self, row: &Row, text: &str, now: Time) -> Result<()> {
        let mut comment = match read_post(row) {
            Err(error) if error.is_bad_row() => {
                let id = row.of("posts").id("id")?;
                tracing::error!(post = %id, "a comment cannot be read, and is left to a person: {error}");
                return self.leave_unread(id, text, now).await;
            }
            read => read?,
        };
        let verdict = Verdict::ActionRequired {
            waiting: Waiting::Unconfirmed,
            text: text.to_owned(),
        };
        let workspace = row.of("posts").id("workspace_id")?;
        comment.publishing = false;
        comment.apply(&verdict, now);
        self.save_outcome(&comment).await?;
        let event = post_event(workspace, EventKind::PostActionRequired, &comment);
        self.append_event(event, now).await
    }

    /// Gives a post or comment whose row cannot be read to a person. No event is logged: only its row shows it.
    pub(crate) async fn leave_unread(&mut self, post: PostId, text: &str, now: Time) -> Result<()> {
        let sql = "UPDATE posts SET state = 'ACTION_REQUIRED', waiting = 'unconfirmed', is_overdue = FALSE, publishing = FALSE,
            error_text = $2, updated_at = $3 WHERE id = $1";
        self.execute(sql, params![post, text, now]).await.map(drop)
    }
}
