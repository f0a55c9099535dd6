//! Media: what is known of each file, and how much of the plan's storage they take.

use playout_domain::event::EventKind;
use playout_domain::id::{FolderId, MediaId, WorkspaceId};
use playout_domain::media::{Media, MediaStatus, MediaType, MimeType};
use serde_json::json as value;
use sqlx::AssertSqlSafe;

use crate::db::{Store, Tx};
use crate::error::Result;
use crate::events::NewEvent;
use crate::insert::numbered;
use crate::param::{Param, json, params};
use crate::posts::Page;
use crate::row::{Row, read_all, read_one};

/// The columns that [`read_media`] reads.
macro_rules! media_columns {
    () => {
        "id, storage_key, preview_key, mime, size_bytes, file_name, status, probe, sha256, finalized_at,
         folder_id, created_at"
    };
}

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
    /// It is gone; its bytes can be removed.
    Deleted(Media),
    /// A DRAFT or QUEUE post needs it.
    InUse,
    /// There is no such media in this workspace.
    NotFound,
}

/// Which folder to list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum InFolder {
    /// Every one, and none.
    #[default]
    All,
    /// None: the root.
    Root,
    /// This one.
    In(FolderId),
}

/// Which media to list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MediaFilter {
    /// Where it lies.
    pub folder: InFolder,
    /// What it is.
    pub media_type: Option<MediaType>,
}

/// Which of a media object's files a storage key names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MediaFile {
    /// The file itself.
    Original,
    /// Its preview, a WebP.
    Preview,
}

/// What a user may change of a media object; `None` leaves it as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MediaChanges {
    /// Its name.
    pub file_name: Option<String>,
    /// Its folder; `Some(None)` is the root.
    pub folder_id: Option<Option<FolderId>>,
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
        let mut tx = self.begin().await?;
        let size = media.size_bytes.unwrap_or(0);
        if let Some((limit, used)) = tx.take_storage(workspace, size, storage_limit).await? {
            return Ok(InsertMedia::StorageLimitReached { limit, used });
        }
        tx.insert_media_row(workspace, media).await?;
        if media.status == MediaStatus::Ready {
            tx.append_media_ready(workspace, media).await?;
        }
        tx.commit().await?;
        Ok(InsertMedia::Inserted)
    }

    /// The media object with this identifier.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn find_media(&self, workspace: WorkspaceId, id: MediaId) -> Result<Option<Media>> {
        let sql = concat!(
            "SELECT ",
            media_columns!(),
            " FROM media WHERE id = $2 AND workspace_id = $1"
        );
        read_one(self.row(sql, params![workspace, id]).await?, read_media)
    }

    /// Those of the media objects with these identifiers that exist, in any order.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn find_media_many(&self, workspace: WorkspaceId, ids: &[MediaId]) -> Result<Vec<Media>> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let columns = media_columns!();
        let list = numbered(2, ids.len());
        let sql = format!("SELECT {columns} FROM media WHERE workspace_id = $1 AND id IN ({list})");
        let mut params = params![workspace];
        params.extend(ids.iter().map(|id| Param::from(*id)));
        read_all(&self.rows(AssertSqlSafe(sql), params).await?, read_media)
    }

    /// The media object that a storage key belongs to, and which of its files it names. For public serving: the key
    /// is the secret.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn media_by_storage_key(&self, key: &str) -> Result<Option<(Media, MediaFile)>> {
        let sql = concat!(
            "SELECT ",
            media_columns!(),
            " FROM media WHERE storage_key = $1 OR preview_key = $1"
        );
        let Some(media) = read_one(self.row(sql, params![key]).await?, read_media)? else {
            return Ok(None);
        };
        let file = if media.storage_key == key {
            MediaFile::Original
        } else {
            MediaFile::Preview
        };
        Ok(Some((media, file)))
    }

    /// Media of a workspace, newest first.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn list_media(
        &self,
        workspace: WorkspaceId,
        filter: MediaFilter,
        page: Page,
    ) -> Result<Vec<Media>> {
        let (sql, params) = media_list(workspace, filter, page);
        read_all(&self.rows(AssertSqlSafe(sql), params).await?, read_media)
    }

    /// Changes what a user may change; answers the media object as it is then, or `None` if there is none.
    ///
    /// # Errors
    /// When the database fails, or the folder does not exist.
    pub async fn update_media(
        &self,
        workspace: WorkspaceId,
        id: MediaId,
        changes: &MediaChanges,
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
        read_one(self.write_row(sql, params).await?, read_media)
    }

    /// Removes a media object and gives its bytes back, unless a DRAFT or QUEUE post needs it.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn delete_media(&self, workspace: WorkspaceId, id: MediaId) -> Result<DeleteMedia> {
        let mut tx = self.begin().await?;
        // On PostgreSQL the delete itself waits for transactions that are adding the media to a post.
        let sql = concat!(
            "SELECT ",
            media_columns!(),
            " FROM media WHERE id = $2 AND workspace_id = $1"
        );
        let rows = tx.lock_for_delete(sql, params![workspace, id]).await?;
        let Some(media) = rows.first().map(read_media).transpose()? else {
            return Ok(DeleteMedia::NotFound);
        };
        let sql = "SELECT p.id FROM post_media m JOIN posts p ON p.id = m.post_id
            WHERE m.media_id = $1 AND p.state IN ('DRAFT', 'QUEUE') LIMIT 1";
        if tx.row(sql, params![id]).await?.is_some() {
            return Ok(DeleteMedia::InUse);
        }
        tx.execute("DELETE FROM media WHERE id = $1", params![id]).await?;
        tx.return_storage(workspace, media.size_bytes.unwrap_or(0))
            .await?;
        tx.commit().await?;
        Ok(DeleteMedia::Deleted(media))
    }

    /// How many bytes the media of a workspace take.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn storage_used(&self, workspace: WorkspaceId) -> Result<u64> {
        let sql = "SELECT bytes FROM storage WHERE workspace_id = $1";
        let row = self.row(sql, params![workspace]).await?;
        row.map_or(Ok(0), |row| row.of("storage").number("bytes"))
    }
}

impl Tx {
    /// Counts `bytes` if `limit` leaves room for all of them; otherwise answers the limit and what is used.
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
}

/// What was found in a media object's file, as a parameter.
pub(crate) fn probe(media: &Media) -> Param {
    media.probe.as_ref().map_or(Param::Json(None), json)
}

/// The text and parameters of [`Store::list_media`].
pub(crate) fn media_list(workspace: WorkspaceId, filter: MediaFilter, page: Page) -> (String, Vec<Param>) {
    let mut sql = format!("SELECT {} FROM media WHERE workspace_id = $1", media_columns!());
    let mut params = params![workspace];
    match filter.folder {
        InFolder::All => {}
        InFolder::Root => sql.push_str(" AND folder_id IS NULL"),
        InFolder::In(folder) => {
            params.push(folder.into());
            sql.push_str(" AND folder_id = $2");
        }
    }
    if let Some(media_type) = filter.media_type {
        params.push(media_type.as_str().into());
        sql.push_str(&format!(" AND media_type = ${}", params.len()));
    }
    if let Some((created_at, id)) = page.after {
        params.extend(params![created_at, id]);
        sql.push_str(&format!(
            " AND (created_at, id) < (${}, ${})",
            params.len() - 1,
            params.len()
        ));
    }
    params.push(page.limit.into());
    sql.push_str(&format!(
        " ORDER BY created_at DESC, id DESC LIMIT ${}",
        params.len()
    ));
    (sql, params)
}

pub(crate) fn read_media(row: &Row) -> Result<Media> {
    let fields = row.of("media");
    Ok(Media {
        id: fields.id("id")?,
        storage_key: fields.get("storage_key")?,
        preview_key: fields.get("preview_key")?,
        mime: fields.word("mime", MimeType::parse)?,
        size_bytes: fields.opt_number("size_bytes")?,
        file_name: fields.get("file_name")?,
        status: fields.word("status", read_status)?,
        probe: fields.opt_json("probe")?,
        sha256: fields.get("sha256")?,
        finalized_at: fields.opt_time("finalized_at")?,
        folder_id: fields.opt_id("folder_id")?,
        created_at: fields.time("created_at")?,
    })
}

fn read_status(word: &str) -> Option<MediaStatus> {
    let all = [MediaStatus::Pending, MediaStatus::Ready];
    all.into_iter().find(|status| status.as_str() == word)
}
