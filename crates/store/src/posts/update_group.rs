//! New contents for a group. See `group_changes.rs` for how it keeps out of the way of publishing.

use playout_domain::audit::{Action, Actor};
use playout_domain::change::Noun;
use playout_domain::event::EventKind;
use playout_domain::id::{MediaId, PostId, WorkspaceId};
use playout_domain::post::Post;
use playout_domain::time::Time;
use serde_json::{Map, Value, json as value};

use super::create::{NewPost, Place, author, media_rows};
use super::group_changes::LockedGroup;
use super::read::{FoundGroup, listed_media, post_event};
use crate::audit::{Authorship, Noted};
use crate::db::{Param, Result, Store, Tx, json, params, stored_fold};

/// New contents for a group; `None` leaves a part as it is.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupChanges<'a> {
    /// What was validated.
    pub judged: &'a FoundGroup,
    /// The root's caption.
    pub content: Option<String>,
    /// The root's media, in order.
    pub media_ids: Option<Vec<MediaId>>,
    /// The root's settings.
    pub settings: Option<Map<String, Value>>,
    /// All comments anew.
    pub comments: Option<Vec<NewPost>>,
    /// The planned time of a draft; `Some(None)` takes it away.
    pub scheduled_for: Option<Option<Time>>,
    /// Whether the account may not list the root as it was.
    pub was_hidden: bool,
    /// Who changes it.
    pub by: Actor,
}

/// What became of [`Store::update_group`].
#[derive(Debug, Clone, PartialEq)]
pub enum UpdateGroup {
    /// It has the new contents.
    Updated(Box<FoundGroup>),
    /// It is being handed to the provider.
    Publishing,
    /// It is neither DRAFT nor QUEUE.
    NotEditable,
    /// It is no longer what was validated; validate it again.
    Changed,
    /// There is no such post in this workspace.
    NotFound,
}

impl Store {
    /// Gives a DRAFT or QUEUE group new contents; its time stays.
    ///
    /// # Errors
    /// When the database fails; a conflict when media vanished meanwhile.
    pub async fn update_group(
        &self,
        workspace: WorkspaceId,
        post: PostId,
        changes: GroupChanges<'_>,
        now: Time,
    ) -> Result<UpdateGroup> {
        let mut tx = self.begin_compared().await?;
        let Some(group) = tx.lock_group(workspace, post).await? else {
            return Ok(UpdateGroup::NotFound);
        };
        if group.is_publishing() {
            return Ok(UpdateGroup::Publishing);
        }
        if !group.root().state.may_be_edited() {
            return Ok(UpdateGroup::NotEditable);
        }
        if !group.is_still(changes.judged) {
            return Ok(UpdateGroup::Changed);
        }
        let root = group.root().id;
        if let Some(noted) = changes.noted(root) {
            tx.note(workspace, &changes.by, noted, now).await?;
        }
        let is_changed = changes.noted(root).is_some();
        tx.change_group(&group, changes, now).await?;
        tx.restart_job_of(root).await?;
        tx.changed(workspace, Noun::Post);
        if is_changed {
            let FoundGroup { group, .. } = tx.group(workspace, root).await?;
            let event = post_event(workspace, EventKind::PostUpdated, &group.root);
            tx.append_event(event, now).await?;
        }
        tx.commit().await?;
        let found = self.find_group(workspace, root).await?;
        Ok(found.map_or(UpdateGroup::NotFound, |found| {
            UpdateGroup::Updated(Box::new(found))
        }))
    }
}

impl GroupChanges<'_> {
    /// The names of the fields that change, never their values; `None` where nothing does.
    fn noted(&self, root: PostId) -> Option<Noted> {
        let parts = [
            ("content", self.content.is_some()),
            ("mediaIds", self.media_ids.is_some()),
            ("settings", self.settings.is_some()),
            ("comments", self.comments.is_some()),
            ("scheduledFor", self.scheduled_for.is_some()),
        ];
        let fields: Vec<&str> = parts
            .iter()
            .filter(|(_, changes)| *changes)
            .map(|(name, _)| *name)
            .collect();
        (!fields.is_empty()).then(|| Noted {
            action: Action::PostUpdated,
            target: Some(root.to_string()),
            detail: Some(value!({ "fields": fields })),
        })
    }
}

impl Tx {
    async fn change_group(
        &mut self,
        group: &LockedGroup,
        changes: GroupChanges<'_>,
        now: Time,
    ) -> Result<()> {
        let root = group.root();
        // A post that a hold has marked is looked for by the text that it had then. Where it would not have been listed then, that it is not
        // listed shows nothing.
        let sql = "UPDATE posts SET look_content = CASE WHEN look_since IS NOT NULL THEN COALESCE(look_content, $6) END,
            look_hidden = look_hidden OR (look_since IS NOT NULL AND $7), content = COALESCE($2, content), settings = COALESCE($3, settings),
            scheduled_for = CASE WHEN $8 THEN $9 ELSE scheduled_for END,
            effective_at = CASE WHEN $8 THEN COALESCE($9, created_at) ELSE effective_at END,
            folded = CASE WHEN $2 IS NULL THEN folded ELSE $10 END,
            updated_at = $4, updated_by = $5, version = version + 1 WHERE id = $1";
        let settings = changes.settings.as_ref().map_or(Param::Json(None), json);
        let by = match changes.noted(root.id) {
            Some(_) => changes.by.author(),
            None => root.updated_by.clone(),
        };
        let by = author(by.as_ref());
        let folded = changes.content.as_deref().and_then(stored_fold);
        let params = params![root.id, changes.content];
        let sent_text = self.sent_text_of(root.id).await?;
        let params = params
            .into_iter()
            .chain([
                settings,
                now.into(),
                by,
                sent_text.into(),
                changes.was_hidden.into(),
                changes.scheduled_for.is_some().into(),
                changes.scheduled_for.flatten().into(),
                folded.into(),
            ])
            .collect();
        self.execute(sql, params).await?;
        if let Some(media) = &changes.media_ids {
            self.execute("DELETE FROM post_media WHERE post_id = $1", params![root.id])
                .await?;
            self.insert_post_media(media_rows(group.workspace, root.id, media))
                .await?;
            // After them: a row that goes clears the copy (`db/triggers.rs`).
            let sql = "UPDATE posts SET listed_media = $2 WHERE id = $1";
            self.execute(sql, params![root.id, listed_media(media)]).await?;
        }
        match changes.comments {
            Some(comments) => {
                let by = Authorship {
                    by: &changes.by,
                    at: now,
                };
                self.replace_comments(group, comments, by).await
            }
            None => Ok(()),
        }
    }

    async fn replace_comments(
        &mut self,
        group: &LockedGroup,
        comments: Vec<NewPost>,
        change: Authorship<'_>,
    ) -> Result<()> {
        let root = group.root();
        let sql = "DELETE FROM posts WHERE workspace_id = $1 AND group_id = $2 AND parent_id IS NOT NULL";
        self.execute(sql, params![group.workspace, root.group_id]).await?;
        let place = Place {
            group_id: root.group_id,
            platform_id: root.platform_id,
            state: root.state,
            created_by: change.by.author(),
            now: change.at,
        };
        let posts: Vec<Post> = comments
            .into_iter()
            .map(|new| new.at(&place, Some(root.id)))
            .collect();
        let posts: Vec<(u64, &Post)> = (1..).zip(&posts).collect();
        self.insert_posts(group.workspace, &posts).await?;
        // Those before them may have been written without this database's knowledge, if the root was (`delivery/held_comments.rs`).
        let sql = "UPDATE posts SET look_since = (SELECT root.look_since FROM posts root WHERE root.id = $1), looked_at = $2,
            look_stays = (SELECT root.look_stays FROM posts root WHERE root.id = $1)
            WHERE parent_id = $1 AND EXISTS (SELECT 1 FROM posts root WHERE root.id = $1 AND root.look_since IS NOT NULL)";
        self.execute(sql, params![root.id, change.at]).await?;
        Ok(())
    }

    /// Takes a post's job from its holder, to be run at its time with what the post holds now.
    async fn restart_job_of(&mut self, post: PostId) -> Result<()> {
        let sql =
            "UPDATE jobs SET attempt = attempt + 1, leased_until = NULL, lease_owner = NULL, due_at = run_at
            WHERE post_id = $1";
        self.execute(sql, params![post]).await?;
        self.wake_workers();
        Ok(())
    }
}
