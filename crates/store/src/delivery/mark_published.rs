//! Marks a post as published by hand, where the service cannot know that it is out.

use playout_domain::audit::{Action, Actor};
use playout_domain::id::{PostId, WorkspaceId};
use playout_domain::job::JobKind;
use playout_domain::post::{Group, Post, PostState};
use playout_domain::time::Time;
use playout_domain::verdict::Verdict;
use serde_json::json as value;

use super::settle::Released;
use crate::audit::Noted;
use crate::db::{OnlyIf, Result, Store, Tx, params, require};
use crate::idempotency::Keep;
use crate::jobs::NewJob;
use crate::posts::create::author;
use crate::posts::read::{post_columns, read_post};

/// A person's word that a post is out.
#[derive(Clone, Copy)]
pub struct Mark<'a> {
    /// Where.
    pub released: Released<'a>,
    /// Whether the provider confirmed it.
    pub is_seen: bool,
    /// When to look for its public page, if it will have one that is not known yet.
    pub follow_link: Option<Time>,
    /// Who marks it.
    pub by: &'a Actor,
    /// Which group is marked.
    pub only_if: OnlyIf<'a, Group>,
}

/// What became of [`Store::mark_published`].
#[derive(Debug, Clone, PartialEq)]
pub enum MarkPublished {
    /// It is PUBLISHED; its group as it is now.
    Marked(Box<Group>),
    /// It does not wait for a person any more.
    NotWaiting,
    /// Another post of the workspace is out under this ID.
    OfAnother,
}

impl Store {
    /// Marks a post in ACTION_REQUIRED as published: what was open of it is closed, its comments follow, its page is looked for if a
    /// try of it has a handle, and the audit trail records who did it.
    ///
    /// # Errors
    /// When the database fails, or the claim was taken over; [`StoreError::Stale`](crate::StoreError::Stale) where its group is not what
    /// the caller marks.
    pub async fn mark_published(
        &self,
        workspace: WorkspaceId,
        id: PostId,
        mark: Mark<'_>,
        keep: Keep<'_, Group>,
        now: Time,
    ) -> Result<MarkPublished> {
        let mut tx = self.begin().await?;
        if mark.only_if.is_some() && tx.lock_group(workspace, id).await?.is_some() {
            require(mark.only_if, &tx.group(workspace, id).await?.group)?;
        }
        let sql = concat!(
            "SELECT ",
            post_columns!(),
            " FROM posts WHERE workspace_id = $1 AND id = $2 AND state = $3"
        );
        let state = PostState::ActionRequired.as_str();
        let rows = tx.lock(sql, params![workspace, id, state]).await?;
        let Some(row) = rows.first() else {
            return Ok(MarkPublished::NotWaiting);
        };
        let mut post = read_post(row)?;
        if let Some(release_id) = mark.released.release_id
            && tx
                .is_release_of_another_here(workspace, &post, release_id)
                .await?
        {
            return Ok(MarkPublished::OfAnother);
        }
        // Before the event of the publication, which shows it.
        let sql = "UPDATE posts SET updated_by = $2 WHERE id = $1";
        let by = author(mark.by.author().as_ref());
        tx.execute(sql, vec![id.into(), by]).await?;
        if mark.released.release_id.is_some() && !mark.is_seen {
            // The ledger does not take a person's word for the provider's (`releases.rs`).
            let sql = "UPDATE submissions SET closed_at = $2, outcome = 'unknown'
                WHERE post_id = $1 AND closed_at IS NULL";
            tx.execute(sql, params![id, now]).await?;
        }
        let verdict = Verdict::Published {
            release_id: mark.released.release_id.map(str::to_owned),
            release_url: mark.released.release_url.map(str::to_owned),
        };
        tx.publish_by_word(workspace, &mut post, &verdict, now).await?;
        if let Some(run_at) = mark.follow_link {
            tx.look_for_page(workspace, &post, run_at, now).await?;
        }
        let noted = Noted {
            action: Action::PostMarkedPublished,
            target: Some(id.to_string()),
            detail: Some(value!({
                "releaseId": mark.released.release_id,
                "releaseUrl": mark.released.release_url,
                "seenAtProvider": mark.is_seen,
            })),
        };
        tx.note(workspace, mark.by, noted, now).await?;
        let found = tx.group(workspace, id).await?;
        tx.keep(keep, &found.group).await?;
        tx.commit().await?;
        Ok(MarkPublished::Marked(Box::new(found.group)))
    }
}

impl Tx {
    /// Plans the search for the public page of a post, unless no try of it can be asked about.
    async fn look_for_page(
        &mut self,
        workspace: WorkspaceId,
        post: &Post,
        run_at: Time,
        now: Time,
    ) -> Result<()> {
        let sql = "SELECT id FROM submissions WHERE post_id = $1 AND handle IS NOT NULL LIMIT 1";
        if self.row(sql, params![post.id]).await?.is_none() {
            return Ok(());
        }
        let following = NewJob::of(workspace, post, JobKind::ResolveLink, run_at);
        self.queue_job(following, now).await
    }
}
