//! Folders of media: one level, with names unique in their workspace ignoring case.

use playout_domain::audit::{Action, Actor};
use playout_domain::id::{FolderId, WorkspaceId};
use playout_domain::media::{Folder, MAX_FOLDERS};
use playout_domain::time::Time;

use crate::audit::{Authorship, Noted};
use crate::db::{OnlyIf, Result, Row, Store, StoreError, Tx, new_id, params, read_all, read_one, require};
use crate::idempotency::Keep;

/// What became of [`Store::create_folder`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CreateFolder {
    /// It exists now.
    Created(Folder),
    /// Another has this name.
    NameTaken,
    /// The workspace has [`MAX_FOLDERS`] already.
    TooMany,
}

/// Has a row where a workspace has so many folders, or more.
pub(crate) const HAS_FOLDERS: &str = "SELECT id FROM folders WHERE workspace_id = $1 LIMIT 1 OFFSET $2 - 1";

/// What became of [`Store::rename_folder`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RenameFolder {
    /// It has the new name.
    Renamed(Folder),
    /// Another has this name.
    NameTaken,
    /// There is no such folder in this workspace.
    NotFound,
}

impl Store {
    /// The folders of a workspace, by name ignoring case.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn list_folders(&self, workspace: WorkspaceId) -> Result<Vec<Folder>> {
        let sql = "SELECT id, name, created_at, updated_at FROM folders WHERE workspace_id = $1";
        let mut folders = read_all(&self.rows(sql, params![workspace]).await?, read_folder)?;
        folders.sort_by_cached_key(|folder| folder.name.to_lowercase());
        Ok(folders)
    }

    /// The folder with this identifier.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn find_folder(&self, workspace: WorkspaceId, id: FolderId) -> Result<Option<Folder>> {
        let sql = "SELECT id, name, created_at, updated_at FROM folders WHERE id = $2 AND workspace_id = $1";
        read_one(self.row(sql, params![workspace, id]).await?, read_folder)
    }

    /// Adds a folder, as the operator.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn create_folder(&self, workspace: WorkspaceId, name: &str, now: Time) -> Result<CreateFolder> {
        let by = &Actor::operator();
        self.create_folder_once(workspace, name, Keep::nowhere(), Authorship { by, at: now })
            .await
    }

    /// [`Store::create_folder`], and stores the answer that it makes.
    ///
    /// # Errors
    /// The same; or when the claim was taken over.
    pub async fn create_folder_once(
        &self,
        workspace: WorkspaceId,
        name: &str,
        keep: Keep<'_, Folder>,
        change: Authorship<'_>,
    ) -> Result<CreateFolder> {
        let now = change.at;
        let mut tx = self.begin().await?;
        // Held, so that the limit is exact.
        tx.lock_workspace(workspace).await?;
        if tx
            .row(HAS_FOLDERS, params![workspace, MAX_FOLDERS])
            .await?
            .is_some()
        {
            let sql = "SELECT id FROM folders WHERE workspace_id = $1 AND name_key = $2";
            let same = tx.row(sql, params![workspace, name.to_lowercase()]).await?;
            return Ok(match same {
                Some(_) => CreateFolder::NameTaken,
                None => CreateFolder::TooMany,
            });
        }
        let id: FolderId = new_id(now);
        let sql = "INSERT INTO folders (id, workspace_id, name, name_key, created_at, updated_at)
            VALUES ($1, $2, $3, $4, $5, $5) ON CONFLICT (workspace_id, name_key) DO NOTHING
            RETURNING id, name, created_at, updated_at";
        let row = tx
            .row(sql, params![id, workspace, name, name.to_lowercase(), now])
            .await?;
        let Some(folder) = read_one(row, read_folder)? else {
            return Ok(CreateFolder::NameTaken);
        };
        tx.note(workspace, change.by, about(Action::FolderCreated, id), now)
            .await?;
        tx.keep(keep, &folder).await?;
        tx.commit().await?;
        Ok(CreateFolder::Created(folder))
    }

    /// Gives a folder another name.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn rename_folder(
        &self,
        workspace: WorkspaceId,
        id: FolderId,
        name: &str,
        change: Authorship<'_>,
    ) -> Result<RenameFolder> {
        self.rename_folder_if(workspace, id, name, change, None).await
    }

    /// [`Store::rename_folder`] of a folder that the caller still wants to rename.
    ///
    /// # Errors
    /// The same; [`StoreError::Stale`] where it does not.
    pub async fn rename_folder_if(
        &self,
        workspace: WorkspaceId,
        id: FolderId,
        name: &str,
        change: Authorship<'_>,
        only_if: OnlyIf<'_, Folder>,
    ) -> Result<RenameFolder> {
        let now = change.at;
        let mut tx = self.begin().await?;
        tx.require_folder(workspace, id, only_if).await?;
        let sql = "UPDATE folders SET name = $3, name_key = $4, updated_at = $5
            WHERE id = $2 AND workspace_id = $1 RETURNING id, name, created_at, updated_at";
        let params = params![workspace, id, name, name.to_lowercase(), now];
        let row = match tx.row(sql, params).await {
            Err(StoreError::Conflict { .. }) => return Ok(RenameFolder::NameTaken),
            other => other?,
        };
        let folder = read_one(row, read_folder)?;
        if folder.is_some() {
            tx.note(workspace, change.by, about(Action::FolderRenamed, id), now)
                .await?;
        }
        tx.commit().await?;
        Ok(folder.map_or(RenameFolder::NotFound, RenameFolder::Renamed))
    }

    /// Removes a folder; its media move to the root. `false` if there is none.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn delete_folder(
        &self,
        workspace: WorkspaceId,
        id: FolderId,
        by: &Actor,
        now: Time,
    ) -> Result<bool> {
        self.delete_folder_if(workspace, id, by, now, None).await
    }

    /// [`Store::delete_folder`] of a folder that the caller still wants to delete.
    ///
    /// # Errors
    /// The same; [`StoreError::Stale`] where it does not.
    pub async fn delete_folder_if(
        &self,
        workspace: WorkspaceId,
        id: FolderId,
        by: &Actor,
        now: Time,
        only_if: OnlyIf<'_, Folder>,
    ) -> Result<bool> {
        let mut tx = self.begin().await?;
        tx.require_folder(workspace, id, only_if).await?;
        let sql = "DELETE FROM folders WHERE id = $2 AND workspace_id = $1";
        let is_gone = tx.execute(sql, params![workspace, id]).await? > 0;
        if is_gone {
            tx.note(workspace, by, about(Action::FolderDeleted, id), now)
                .await?;
        }
        tx.commit().await?;
        Ok(is_gone)
    }
}

impl Tx {
    /// Refuses a folder that the caller does not want to change. One that is not there is no such.
    async fn require_folder(
        &mut self,
        workspace: WorkspaceId,
        id: FolderId,
        only_if: OnlyIf<'_, Folder>,
    ) -> Result<()> {
        if only_if.is_none() {
            return Ok(());
        }
        let sql = "SELECT id, name, created_at, updated_at FROM folders WHERE id = $2 AND workspace_id = $1";
        let rows = self.lock_for_delete(sql, params![workspace, id]).await?;
        match rows.first().map(read_folder).transpose()? {
            Some(folder) => require(only_if, &folder),
            None => Ok(()),
        }
    }
}

fn about(action: Action, id: FolderId) -> Noted {
    Noted {
        action,
        target: Some(id.to_string()),
        detail: None,
    }
}

fn read_folder(row: &Row) -> Result<Folder> {
    let fields = row.of("folders");
    Ok(Folder {
        id: fields.id("id")?,
        name: fields.get("name")?,
        created_at: fields.time("created_at")?,
        updated_at: fields.time("updated_at")?,
    })
}
