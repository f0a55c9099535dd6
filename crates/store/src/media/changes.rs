//! Changes of media, each of which keeps the count of the storage they take.

use playout_domain::audit::{Action, Actor};
use playout_domain::change::Noun;
use playout_domain::event::EventKind;
use playout_domain::id::{FolderId, MediaId, PostId, WorkspaceId};
use playout_domain::media::{Media, MediaStatus};
use playout_domain::time::Time;
use serde_json::{Value, json as value};
use sqlx::AssertSqlSafe;
use uuid::Uuid;

use super::read::{media_columns, read_media};
use crate::audit::{Authorship, Noted};
use crate::db::{OnlyIf, Param, Result, Row, Store, Tx, json, numbered, padded, params, read_one, require};
use crate::events::NewEvent;
use crate::idempotency::Keep;

/// A media object of a workspace.
const FIND_MEDIA: &str = concat!(
    "SELECT ",
    media_columns!(),
    " FROM media WHERE id = $2 AND workspace_id = $1"
);

/// The roots of the posts that need a media object, themselves or for a comment: all that may still be sent.
const USERS: &str = "SELECT DISTINCT COALESCE(p.parent_id, p.id) AS root_id
    FROM post_media m JOIN posts p ON p.id = m.post_id
    WHERE m.media_id = $1 AND p.state IN ('DRAFT', 'QUEUE', 'ACTION_REQUIRED', 'ERROR') ORDER BY root_id LIMIT $2";

/// The published posts that have a media object, and a copy for lists.
const COPIES: &str = "SELECT m.post_id FROM post_media m JOIN posts p ON p.id = m.post_id
    WHERE m.media_id = $1 AND m.workspace_id = $2 AND p.state = 'PUBLISHED' AND p.listed_media IS NOT NULL";

/// So many copies are cleared in one transaction.
const CLEARED: usize = 128;

/// How many of them are named at most.
const MOST_USERS: u32 = 100;

/// What became of [`Store::insert_media`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InsertMedia {
    /// It is stored.
    Inserted,
    /// The plan's storage would be exceeded; nothing was changed.
    StorageLimitReached {
        /// Bytes allowed.
        limit: u64,
        /// Bytes used already.
        used: u64,
    },
}

/// What became of [`Store::delete_media`].
#[derive(Debug, Clone, PartialEq)]
pub enum DeleteMedia {
    /// It is gone. Its files are to be removed, of which a note was made.
    Deleted(Box<Media>),
    /// Posts that may still be sent need it: the first of their roots.
    InUse(Vec<PostId>),
    /// There is no such media in this workspace.
    NotFound,
}

/// What a user may change of a media object; `None` leaves it as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MediaChanges {
    /// Its name.
    pub file_name: Option<String>,
    /// Its folder; `Some(None)` is the root.
    pub folder_id: Option<Option<FolderId>>,
}

impl MediaChanges {
    /// The names of the fields that change, never their values.
    fn fields(&self) -> Vec<&'static str> {
        let name = self.file_name.is_some().then_some("fileName");
        let folder = self.folder_id.is_some().then_some("folderId");
        name.into_iter().chain(folder).collect()
    }
}

impl Store {
    /// Adds a media object and counts its bytes, if `storage_limit` (bytes) leaves room: exact under concurrency.
    ///
    /// # Errors
    /// When the database fails, or its folder does not exist.
    pub async fn insert_media(
        &self,
        workspace: WorkspaceId,
        media: &Media,
        storage_limit: Option<u64>,
    ) -> Result<InsertMedia> {
        self.insert_media_once(workspace, media, storage_limit, Keep::nowhere())
            .await
    }

    /// [`Store::insert_media`], and stores the answer that it makes.
    ///
    /// # Errors
    /// The same; or when the claim was taken over.
    pub async fn insert_media_once(
        &self,
        workspace: WorkspaceId,
        media: &Media,
        storage_limit: Option<u64>,
        keep: Keep<'_, Media>,
    ) -> Result<InsertMedia> {
        let mut tx = self.begin().await?;
        let size = media.size_bytes.unwrap_or(0);
        let reserved = tx.end_reservation(&media.storage_key).await?;
        let settled = tx.settle_reservation(workspace, (reserved, size), storage_limit);
        if let Some((limit, used)) = settled.await? {
            return Ok(InsertMedia::StorageLimitReached { limit, used });
        }
        tx.insert_media_row(workspace, media).await?;
        if media.status == MediaStatus::Ready {
            tx.append_media_ready(workspace, media).await?;
        }
        tx.keep(keep, media).await?;
        tx.commit().await?;
        Ok(InsertMedia::Inserted)
    }

    /// Changes what a user may change; returns the media object as it is then, or `None` if there is none.
    ///
    /// # Errors
    /// When the database fails, or the folder does not exist.
    pub async fn update_media(
        &self,
        workspace: WorkspaceId,
        id: MediaId,
        changes: &MediaChanges,
        change: Authorship<'_>,
    ) -> Result<Option<Media>> {
        self.update_media_if(workspace, id, changes, change, None).await
    }

    /// [`Store::update_media`] of a media object that the caller still wants to change.
    ///
    /// # Errors
    /// The same; [`StoreError::Stale`](crate::StoreError::Stale) where it does not.
    pub async fn update_media_if(
        &self,
        workspace: WorkspaceId,
        id: MediaId,
        changes: &MediaChanges,
        change: Authorship<'_>,
        only_if: OnlyIf<'_, Media>,
    ) -> Result<Option<Media>> {
        let sql = concat!(
            "UPDATE media SET file_name = COALESCE($3, file_name),
                folder_id = CASE WHEN $4 THEN $5 ELSE folder_id END
             WHERE id = $2 AND workspace_id = $1 RETURNING ",
            media_columns!()
        );
        let folder = changes.folder_id.flatten();
        let moves = changes.folder_id.is_some();
        let params = params![workspace, id, changes.file_name.clone(), moves, folder];
        let mut tx = self.begin().await?;
        if only_if.is_some() {
            let found = tx.lock(FIND_MEDIA, params![workspace, id]).await?;
            if let Some(media) = found.first().map(read_media).transpose()? {
                require(only_if, &media)?;
            }
        }
        let updated = read_one(tx.row(sql, params).await?, read_media)?;
        if updated.is_some() {
            let detail = value!({ "fields": changes.fields() });
            tx.note(
                workspace,
                change.by,
                about_media(Action::MediaUpdated, id, detail),
                change.at,
            )
            .await?;
        }
        tx.commit().await?;
        Ok(updated)
    }

    /// Removes a media object, finished or not, and gives its bytes back, unless a post that may still be sent needs it. The trail
    /// has those that were finished.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn delete_media(
        &self,
        workspace: WorkspaceId,
        id: MediaId,
        by: &Actor,
        now: Time,
    ) -> Result<DeleteMedia> {
        self.delete_media_if(workspace, id, by, now, None).await
    }

    /// [`Store::delete_media`] of a media object that the caller still wants to delete.
    ///
    /// # Errors
    /// The same; [`StoreError::Stale`](crate::StoreError::Stale) where it does not.
    pub async fn delete_media_if(
        &self,
        workspace: WorkspaceId,
        id: MediaId,
        by: &Actor,
        now: Time,
        only_if: OnlyIf<'_, Media>,
    ) -> Result<DeleteMedia> {
        self.clear_copies(workspace, id).await?;
        let mut tx = self.begin().await?;
        // On PostgreSQL the delete itself waits for transactions that are adding the media to a post.
        let rows = tx.lock_for_delete(FIND_MEDIA, params![workspace, id]).await?;
        let Some(media) = rows.first().map(read_media).transpose()? else {
            return Ok(DeleteMedia::NotFound);
        };
        require(only_if, &media)?;
        let users = tx.rows(USERS, params![id, MOST_USERS]).await?;
        if !users.is_empty() {
            let ids = users.iter().map(|row| row.of("posts").id("root_id"));
            return Ok(DeleteMedia::InUse(ids.collect::<Result<_>>()?));
        }
        tx.execute("DELETE FROM media WHERE id = $1", params![id]).await?;
        tx.note_removed_files(&media.storage_key, now).await?;
        tx.return_storage(workspace, media.size_bytes.unwrap_or(0))
            .await?;
        tx.changed(workspace, Noun::Media);
        if media.status == MediaStatus::Ready {
            let detail = value!({ "mediaType": media.mime.media_type(), "sizeBytes": media.size_bytes });
            tx.note(workspace, by, about_media(Action::MediaDeleted, id, detail), now)
                .await?;
        }
        tx.commit().await?;
        Ok(DeleteMedia::Deleted(Box::new(media)))
    }

    /// Clears the copies that lists read of the media of published posts that have this one, a few at a time. Within the deletion the trigger
    /// would clear them (`db/triggers.rs`): all at once, and after the rows of `post_media`, where other transactions lock the posts first. A
    /// copy that is missing is read from these rows, so that nothing is lost where the deletion is rejected.
    async fn clear_copies(&self, workspace: WorkspaceId, id: MediaId) -> Result<()> {
        let read = |row: &Row| row.of("post_media").get::<Uuid>("post_id");
        let copies = self.read_within(COPIES.to_owned(), params![id, workspace], usize::MAX, read);
        let (posts, _) = copies.await?;
        for posts in posts.chunks(CLEARED) {
            let ids = padded(posts);
            let sql = format!(
                "UPDATE posts SET listed_media = NULL WHERE id IN
                 (SELECT id FROM posts WHERE id IN ({}) AND listed_media IS NOT NULL ORDER BY id{})",
                numbered(1, ids.len()),
                self.row_lock()
            );
            self.execute(AssertSqlSafe(sql), ids).await?;
        }
        Ok(())
    }
}

impl Tx {
    /// Counts `bytes` if `limit` leaves room for all of them; otherwise returns the limit and what is used.
    pub(crate) async fn take_storage(
        &mut self,
        workspace: WorkspaceId,
        bytes: u64,
        limit: Option<u64>,
    ) -> Result<Option<(u64, u64)>> {
        let limit = limit.unwrap_or(i64::MAX as u64);
        let sql = "INSERT INTO storage (workspace_id, bytes) SELECT $1, $2 WHERE $2 <= $3
            ON CONFLICT (workspace_id) DO UPDATE SET bytes = storage.bytes + excluded.bytes
            WHERE storage.bytes + excluded.bytes <= $3 RETURNING bytes";
        if self.row(sql, params![workspace, bytes, limit]).await?.is_some() {
            return Ok(None);
        }
        let sql = "SELECT bytes FROM storage WHERE workspace_id = $1";
        let row = self.row(sql, params![workspace]).await?;
        let used = row.map_or(Ok(0), |row| row.of("storage").number("bytes"))?;
        Ok(Some((limit, used)))
    }

    pub(crate) async fn return_storage(&mut self, workspace: WorkspaceId, bytes: u64) -> Result<()> {
        let sql = "UPDATE storage SET bytes = CASE WHEN bytes > $2 THEN bytes - $2 ELSE 0 END
            WHERE workspace_id = $1";
        self.execute(sql, params![workspace, bytes]).await?;
        Ok(())
    }

    pub(crate) async fn insert_media_row(&mut self, workspace: WorkspaceId, media: &Media) -> Result<()> {
        self.changed(workspace, Noun::Media);
        let sql =
            "INSERT INTO media (id, workspace_id, folder_id, storage_key, preview_key, mime, media_type,
                size_bytes, file_name, status, probe, sha256, finalized_at, created_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)";
        let params = params![
            media.id,
            workspace,
            media.folder_id,
            &media.storage_key,
            media.preview_key.clone(),
            media.mime.as_str(),
            media.mime.media_type().as_str(),
            media.size_bytes,
            &media.file_name,
            media.status.as_str(),
            probe(media),
            media.sha256.clone(),
            media.finalized_at,
            media.created_at
        ];
        self.execute(sql, params).await?;
        Ok(())
    }

    pub(crate) async fn append_media_ready(&mut self, workspace: WorkspaceId, media: &Media) -> Result<()> {
        let event = NewEvent {
            workspace_id: workspace,
            kind: EventKind::MediaReady,
            payload: value!({ "mediaId": media.id, "mediaType": media.mime.media_type() }),
        };
        self.append_event(event, media.finalized_at.unwrap_or(media.created_at))
            .await
    }

    pub(crate) async fn append_media_failed(
        &mut self,
        workspace: WorkspaceId,
        media: &Media,
        now: Time,
    ) -> Result<()> {
        let event = NewEvent {
            workspace_id: workspace,
            kind: EventKind::MediaFailed,
            payload: value!({ "mediaId": media.id, "mediaType": media.mime.media_type() }),
        };
        self.append_event(event, now).await
    }
}

fn about_media(action: Action, id: MediaId, detail: Value) -> Noted {
    Noted {
        action,
        target: Some(id.to_string()),
        detail: Some(detail),
    }
}

/// What was found in a media object's file, as a parameter.
pub(crate) fn probe(media: &Media) -> Param {
    media.probe.as_ref().map_or(Param::Json(None), json)
}
