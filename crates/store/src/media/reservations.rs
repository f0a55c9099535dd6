//! Storage that is held for uploads of one request while they come in. It counts as used; the insertion of the media object
//! turns it into the object's own, and an upload that ends otherwise gives it back. A lease ends what a dead process held.

use playout_domain::id::WorkspaceId;
use playout_domain::time::Time;

use super::changes::InsertMedia;
use crate::db::{Result, Row, Store, Tx, params};

impl Store {
    /// Reserves `bytes` more for the file `storage_key`, if `limit` leaves room, and extends its lease: exact under
    /// concurrency.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn reserve_storage(
        &self,
        workspace: WorkspaceId,
        storage_key: &str,
        (bytes, limit): (u64, u64),
        lease_until: Time,
    ) -> Result<InsertMedia> {
        let mut tx = self.begin().await?;
        if let Some((limit, used)) = tx.take_storage(workspace, bytes, Some(limit)).await? {
            return Ok(InsertMedia::StorageLimitReached { limit, used });
        }
        let sql = "INSERT INTO storage_reservations (storage_key, workspace_id, bytes, lease_until)
            VALUES ($1, $2, $3, $4) ON CONFLICT (storage_key) DO UPDATE
            SET bytes = storage_reservations.bytes + excluded.bytes, lease_until = excluded.lease_until";
        tx.execute(sql, params![storage_key, workspace, bytes, lease_until])
            .await?;
        tx.commit().await?;
        Ok(InsertMedia::Inserted)
    }

    /// Gives back what is reserved for a file; returns whether something was.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn release_storage(&self, workspace: WorkspaceId, storage_key: &str) -> Result<bool> {
        let mut tx = self.begin().await?;
        let reserved = tx.end_reservation(storage_key).await?;
        tx.return_storage(workspace, reserved).await?;
        tx.commit().await?;
        Ok(reserved > 0)
    }

    /// Reservations of all workspaces whose lease is over, at most `limit`: [`Store::release_storage`] is to be called.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn abandoned_reservations(&self, now: Time, limit: u32) -> Result<Vec<(WorkspaceId, String)>> {
        let sql = "SELECT workspace_id, storage_key FROM storage_reservations WHERE lease_until <= $1
            ORDER BY lease_until LIMIT $2";
        let rows = self.rows(sql, params![now, limit]).await?;
        let read = |row: &Row| {
            let fields = row.of("storage_reservations");
            Ok((fields.id("workspace_id")?, fields.get("storage_key")?))
        };
        rows.iter().map(read).collect()
    }
}

impl Tx {
    /// Removes the reservation of a file and returns its bytes, which stay counted.
    pub(crate) async fn end_reservation(&mut self, storage_key: &str) -> Result<u64> {
        let sql = "DELETE FROM storage_reservations WHERE storage_key = $1 RETURNING bytes";
        let row = self.row(sql, params![storage_key]).await?;
        row.map_or(Ok(0), |row| row.of("storage_reservations").number("bytes"))
    }

    /// Makes `used` bytes of what `reserved` counts: takes what is missing, gives back what is too much.
    pub(crate) async fn settle_reservation(
        &mut self,
        workspace: WorkspaceId,
        (reserved, used): (u64, u64),
        limit: Option<u64>,
    ) -> Result<Option<(u64, u64)>> {
        if used >= reserved {
            return self.take_storage(workspace, used - reserved, limit).await;
        }
        self.return_storage(workspace, reserved - used).await?;
        Ok(None)
    }
}
