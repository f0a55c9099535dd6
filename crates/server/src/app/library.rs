//! Media that are there, and their folders: read, renamed, moved, removed. How they come in is in `media.rs`.
//!
//! Deleting takes the row first, and with it, in the same transaction, makes a note of the files. They are removed at
//! once, and again by the sweep until nothing can write them any more: neither a crash in between nor a preview that
//! was still being drawn leaves anything behind.

use std::time::Duration;

use playout_domain::access::Accounts;
use playout_domain::audit::Actor;
use playout_domain::error::{Code, Issue, IssueCode, Refusal};
use playout_domain::id::{FolderId, MediaId, PostId, WorkspaceId};
use playout_domain::media::{Folder, MAX_FOLDERS, Media};
use playout_media::BlobError;
use playout_store::{Authorship, CreateFolder, DeleteMedia, MediaChanges, RenameFolder, StoreError};
use playout_wire::media::{FolderBody, MediaBody, NameFolder, UpdateMedia};

use super::expected::Expected;
use super::file_keys::{preview_keys, rendition_key};
use super::once::Kept;
use super::refusals::count_limit_reached;
use super::{App, AppError};

/// Work that began before a deletion no longer writes after this time.
const CERTAIN_AFTER: Duration = Duration::from_secs(24 * 3600);
/// How many notes of deleted files are read at once.
const NOTES: u32 = 500;

impl App {
    /// A media object, finished or not.
    pub async fn get_media(&self, workspace: WorkspaceId, id: MediaId) -> Result<Media, AppError> {
        let found = self.store.find_media(workspace, id).await?;
        Ok(found.ok_or_else(media_not_found)?)
    }

    /// Renames or moves a media object.
    pub async fn update_media(
        &self,
        workspace: WorkspaceId,
        id: MediaId,
        request: UpdateMedia,
        by: &Actor,
        expected: &Expected,
    ) -> Result<Media, AppError> {
        self.get_media(workspace, id).await?;
        self.check_folder(workspace, request.folder_id.flatten()).await?;
        let changes = MediaChanges {
            file_name: request.file_name,
            folder_id: request.folder_id,
        };
        let allows = self.allows_media(expected);
        let updated = self
            .store
            .update_media_if(
                workspace,
                id,
                &changes,
                self.change_by(by),
                expected.only_if(&allows),
            )
            .await;
        Ok(updated.map_err(folder_vanished)?.ok_or_else(media_not_found)?)
    }

    /// Refuses a change of another version of a media object than the expected one.
    ///
    /// # Errors
    /// That refusal, or that there is no such object.
    pub async fn check_media(
        &self,
        workspace: WorkspaceId,
        id: MediaId,
        expected: &Expected,
    ) -> Result<(), AppError> {
        if *expected == Expected::Any {
            return Ok(());
        }
        let media = self
            .store
            .find_media(workspace, id)
            .await?
            .ok_or_else(media_not_found)?;
        Ok(expected.check(&MediaBody::new(media, &self.media_url()))?)
    }

    /// Those of the posts whose accounts are seen.
    async fn posts_seen(
        &self,
        workspace: WorkspaceId,
        mut posts: Vec<PostId>,
        seen: &Accounts,
    ) -> Result<Vec<PostId>, AppError> {
        let Some(accounts) = seen.only() else {
            return Ok(posts);
        };
        for index in (0..posts.len()).rev() {
            let account = self.store.platform_of_post(workspace, posts[index]).await?;
            if account.is_none_or(|account| !accounts.contains(&account)) {
                posts.remove(index);
            }
        }
        Ok(posts)
    }

    /// Deletes a media object and its files; one that is not finished ends its upload.
    pub async fn delete_media(
        &self,
        workspace: WorkspaceId,
        id: MediaId,
        by: &Actor,
        expected: &Expected,
        seen: &Accounts,
    ) -> Result<(), AppError> {
        let allows = self.allows_media(expected);
        let deleted = self
            .store
            .delete_media_if(workspace, id, by, self.now(), expected.only_if(&allows));
        let media = match deleted.await? {
            DeleteMedia::Deleted(media) => media,
            DeleteMedia::NotFound => return Err(media_not_found().into()),
            DeleteMedia::InUse(posts) => {
                let message = "Posts that are not published need this file. Change or delete them first.";
                let posts = self.posts_seen(workspace, posts, seen).await?;
                let details = serde_json::json!({ "postIds": posts });
                return Err(Refusal::new(Code::MediaInUse, message)
                    .with_details(details)
                    .into());
            }
        };
        self.failpoint("media.after_delete");
        self.uploads.stop(id);
        if let Err(error) = self.remove_files(&media.storage_key).await {
            tracing::warn!(media = %id, "the files of the deleted {id} are left to the sweep: {error}");
        }
        Ok(())
    }

    /// Removes what deleted media, and slides that were not inserted, may have left; deletes the notes of files that
    /// are certainly gone.
    pub async fn sweep_removed_files(&self) -> Result<(), AppError> {
        let now = self.now();
        let certain = now.minus(CERTAIN_AFTER);
        let mut after = String::new();
        loop {
            let notes = self.store.removed_files(&after, NOTES, now).await?;
            let Some((last, _)) = notes.last() else {
                return Ok(());
            };
            after.clone_from(last);
            for (storage_key, removed_at) in notes {
                self.remove_files(&storage_key).await?;
                if removed_at < certain {
                    self.store.forget_removed_files(&storage_key).await?;
                }
            }
        }
    }

    /// Removes a media object's file and everything that was made of it. What is missing is fine.
    pub(super) async fn remove_files(&self, storage_key: &str) -> Result<(), BlobError> {
        let mut limits: Vec<_> = self.providers().map(|provider| provider.photo_limits()).collect();
        limits.dedup();
        for limits in limits {
            self.blobs.delete(&rendition_key(storage_key, limits)).await?;
        }
        self.blobs.remove_partial(storage_key).await?;
        for preview_key in preview_keys(storage_key) {
            self.blobs.delete(&preview_key).await?;
        }
        self.blobs.delete(storage_key).await
    }

    /// Makes a folder.
    pub async fn create_folder(
        &self,
        workspace: WorkspaceId,
        request: &NameFolder,
        by: &Actor,
        kept: &Kept<FolderBody>,
    ) -> Result<FolderBody, AppError> {
        let body = |folder: &Folder| FolderBody::new(folder.clone(), workspace);
        match self
            .store
            .create_folder_once(workspace, &request.name, kept.keep(body), self.change_by(by))
            .await?
        {
            CreateFolder::Created(folder) => Ok(body(&folder)),
            CreateFolder::NameTaken => Err(name_taken().into()),
            CreateFolder::TooMany => {
                Err(count_limit_reached(MAX_FOLDERS, "folders", "Delete one first.").into())
            }
        }
    }

    /// A folder.
    pub async fn get_folder(&self, workspace: WorkspaceId, id: FolderId) -> Result<Folder, AppError> {
        let found = self.store.find_folder(workspace, id).await?;
        Ok(found.ok_or_else(folder_not_found)?)
    }

    /// Gives a folder another name.
    pub async fn rename_folder(
        &self,
        workspace: WorkspaceId,
        id: FolderId,
        request: &NameFolder,
        by: &Actor,
        expected: &Expected,
    ) -> Result<Folder, AppError> {
        let allows = |folder: &Folder| expected.allows(&FolderBody::new(folder.clone(), workspace));
        match self
            .store
            .rename_folder_if(
                workspace,
                id,
                &request.name,
                self.change_by(by),
                expected.only_if(&allows),
            )
            .await?
        {
            RenameFolder::Renamed(folder) => Ok(folder),
            RenameFolder::NameTaken => Err(name_taken().into()),
            RenameFolder::NotFound => Err(folder_not_found().into()),
        }
    }

    /// Removes a folder; its media move to the root.
    pub async fn delete_folder(
        &self,
        workspace: WorkspaceId,
        id: FolderId,
        by: &Actor,
        expected: &Expected,
    ) -> Result<(), AppError> {
        let allows = |folder: &Folder| expected.allows(&FolderBody::new(folder.clone(), workspace));
        let deleted = self
            .store
            .delete_folder_if(workspace, id, by, self.now(), expected.only_if(&allows));
        match deleted.await? {
            true => Ok(()),
            false => Err(folder_not_found().into()),
        }
    }

    /// Whether a media object is shown as the caller expects it.
    fn allows_media<'a>(&self, expected: &'a Expected) -> impl Fn(&Media) -> bool + use<'a> {
        let media_url = self.media_url();
        move |media| expected.allows(&MediaBody::new(media.clone(), &media_url))
    }

    /// A change that is made now.
    fn change_by<'a>(&self, by: &'a Actor) -> Authorship<'a> {
        Authorship { by, at: self.now() }
    }

    /// Refuses a folder that is not there.
    pub(crate) async fn check_folder(
        &self,
        workspace: WorkspaceId,
        folder: Option<FolderId>,
    ) -> Result<(), AppError> {
        let Some(folder) = folder else { return Ok(()) };
        match self.store.find_folder(workspace, folder).await? {
            Some(_) => Ok(()),
            None => Err(folder_not_found().into()),
        }
    }
}

/// A conflict of a media object is with the deletion of its folder, after that was looked up.
pub(crate) fn folder_vanished(error: StoreError) -> AppError {
    match error {
        StoreError::Conflict { .. } => folder_not_found().into(),
        other => other.into(),
    }
}

fn folder_not_found() -> Refusal {
    Refusal::new(
        Code::FolderNotFound,
        "No folder with this ID exists in this workspace.",
    )
}

pub(crate) fn media_not_found() -> Refusal {
    Refusal::new(
        Code::MediaNotFound,
        "No media with this ID exist in this workspace.",
    )
}

fn name_taken() -> Refusal {
    let message = "is the name of another folder of this workspace (upper and lower case count as the same)";
    Refusal::invalid(vec![Issue::field("name", IssueCode::Duplicate.with(message))])
}
