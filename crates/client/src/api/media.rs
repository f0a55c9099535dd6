//! Media and folders.

use serde_json::{Value, json};

use super::{Api, segment, with_query};
use crate::answers::{Folder, FolderList, Media, MediaList, Reply};
use crate::error::Error;

/// The filter of a media list.
#[derive(Debug, Clone, Default)]
pub struct MediaQuery {
    /// A folder's ID, or `null` for the root.
    pub folder_id: Option<String>,
    /// `image` or `video`.
    pub media_type: Option<String>,
    /// The most items of one page.
    pub limit: Option<u32>,
    /// The cursor of the page.
    pub cursor: Option<String>,
}

impl Api {
    /// `GET /media/folders`
    ///
    /// # Errors
    /// Those of every operation.
    pub async fn folders(&self) -> Result<Reply<FolderList>, Error> {
        self.get("/media/folders").await
    }

    /// `POST /media/folders`. With the caller's own idempotency key, it takes effect once even if the program runs again.
    ///
    /// # Errors
    /// Those of every operation.
    pub async fn create_folder(&self, name: &str, key: Option<&str>) -> Result<Reply<Folder>, Error> {
        self.post("/media/folders", &json!({ "name": name }), key).await
    }

    /// `PATCH /media/folders/{id}`, only of this version if one is given.
    ///
    /// # Errors
    /// `precondition_failed` where it has another version, and those of every operation.
    pub async fn rename_folder(
        &self,
        id: &str,
        name: &str,
        version: Option<&str>,
    ) -> Result<Reply<Folder>, Error> {
        let path = format!("/media/folders/{}", segment(id));
        self.patch(&path, &json!({ "name": name }), version).await
    }

    /// `DELETE /media/folders/{id}`: its media move to the root. Only of this version if one is given.
    ///
    /// # Errors
    /// `precondition_failed` where it has another version, and those of every operation.
    pub async fn delete_folder(&self, id: &str, version: Option<&str>) -> Result<(), Error> {
        self.delete(&format!("/media/folders/{}", segment(id)), version)
            .await
    }

    /// `GET /media`, one page.
    ///
    /// # Errors
    /// Those of every operation.
    pub async fn media_page(&self, query: &MediaQuery) -> Result<Reply<MediaList>, Error> {
        let limit = query.limit.map(|limit| limit.to_string());
        let path = with_query(
            "/media",
            &[
                ("folderId", query.folder_id.as_deref()),
                ("mediaType", query.media_type.as_deref()),
                ("limit", limit.as_deref()),
                ("cursor", query.cursor.as_deref()),
            ],
        );
        self.get(&path).await
    }

    /// `POST /media/import`: the service fetches the file; the object is PENDING. With the caller's own idempotency key, it takes effect once
    /// even if the program runs again.
    ///
    /// # Errors
    /// Those of every operation.
    pub async fn import_media(
        &self,
        url: &str,
        file_name: Option<&str>,
        folder_id: Option<&str>,
        key: Option<&str>,
    ) -> Result<Reply<Media>, Error> {
        let body = json!({ "url": url, "fileName": file_name, "folderId": folder_id });
        self.post("/media/import", &body, key).await
    }

    /// `GET /media/{id}`
    ///
    /// # Errors
    /// Those of every operation.
    pub async fn media(&self, id: &str) -> Result<Reply<Media>, Error> {
        self.get(&format!("/media/{}", segment(id))).await
    }

    /// `PATCH /media/{id}`, only of this version if one is given.
    ///
    /// # Errors
    /// `precondition_failed` where it has another version, and those of every operation.
    pub async fn change_media(
        &self,
        id: &str,
        change: &Value,
        version: Option<&str>,
    ) -> Result<Reply<Media>, Error> {
        self.patch(&format!("/media/{}", segment(id)), change, version)
            .await
    }

    /// `DELETE /media/{id}`, only of this version if one is given.
    ///
    /// # Errors
    /// `precondition_failed` where it has another version, and those of every operation.
    pub async fn delete_media(&self, id: &str, version: Option<&str>) -> Result<(), Error> {
        self.delete(&format!("/media/{}", segment(id)), version).await
    }
}
