//! Media: what is known of each file, and how much of the plan's storage they take.

use playout_domain::id::{FolderId, MediaId, WorkspaceId};
use playout_domain::media::{Media, MediaFailure, MediaStatus, MediaType, MimeType};
use sqlx::AssertSqlSafe;

use crate::db::{Page, Param, Result, Row, Store, numbered, params, read_all, read_one};

/// The columns that [`read_media`] reads.
macro_rules! media_columns {
    () => {
        "id, storage_key, preview_key, mime, size_bytes, upload_received, file_name, status, probe, sha256, finalized_at,
         folder_id, failure_code, failure_message, created_at"
    };
}
pub(crate) use media_columns;

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
    /// The folder to list.
    pub folder: InFolder,
    /// What it is.
    pub media_type: Option<MediaType>,
}

/// Which of a media object's files a storage key names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MediaFile {
    /// The file itself.
    Original,
    /// Its preview.
    Preview,
}

/// A file that a finished media object names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredFile {
    /// Its name in the storage.
    pub key: String,
    /// How long it is.
    pub size_bytes: Option<u64>,
}

impl Store {
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
        let mut params = params![workspace];
        params.extend(ids.iter().map(|id| Param::from(*id)));
        let sql = media_of_workspace(ids.len());
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

    /// The files of finished media with keys after `after`, in the order of their keys.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn stored_files_after(&self, after: &str, limit: u32) -> Result<Vec<StoredFile>> {
        let sql = "SELECT storage_key, size_bytes FROM media WHERE status = 'READY' AND storage_key > $1
            ORDER BY storage_key LIMIT $2";
        read_all(&self.rows(sql, params![after, limit]).await?, |row| {
            let fields = row.of("media");
            Ok(StoredFile {
                key: fields.get("storage_key")?,
                size_bytes: fields.opt_number("size_bytes")?,
            })
        })
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

/// The query for media of the workspace `$1` by identifiers, so many, from `$2` on. `IS TRUE` keeps the workspace from being what they are
/// looked up by: SQLite would read all that it has.
pub(crate) fn media_of_workspace(count: usize) -> String {
    let list = numbered(2, count);
    let columns = media_columns!();
    format!("SELECT {columns} FROM media WHERE id IN ({list}) AND (workspace_id = $1) IS TRUE")
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
        received_bytes: fields.opt_number("upload_received")?,
        file_name: fields.get("file_name")?,
        status: fields.word("status", read_status)?,
        probe: fields.opt_json("probe")?,
        sha256: fields.get("sha256")?,
        finalized_at: fields.opt_time("finalized_at")?,
        folder_id: fields.opt_id("folder_id")?,
        failure: read_failure(row)?,
        created_at: fields.time("created_at")?,
    })
}

fn read_failure(row: &Row) -> Result<Option<MediaFailure>> {
    let fields = row.of("media");
    let code: Option<String> = fields.get("failure_code")?;
    let message: Option<String> = fields.get("failure_message")?;
    Ok(code
        .zip(message)
        .map(|(code, message)| MediaFailure { code, message }))
}

fn read_status(word: &str) -> Option<MediaStatus> {
    let all = [MediaStatus::Pending, MediaStatus::Ready];
    all.into_iter().find(|status| status.as_str() == word)
}
