//! Slides: media that are inserted together with what they cost, or not at all.

use std::collections::BTreeSet;

use playout_domain::id::{FolderId, WorkspaceId};
use playout_domain::media::Media;
use playout_domain::time::Time;

use crate::db::{Result, Store, Tx, params};
use crate::idempotency::Keep;
use crate::usage::{CreditCharge, LimitReached};

/// Slides whose files are written, and noted with [`Store::note_files_until`].
#[derive(Debug, Clone, Copy)]
pub struct NewSlides<'a> {
    /// All of them.
    pub media: &'a [Media],
    /// How many bytes the workspace may have.
    pub storage_limit: Option<u64>,
    /// What they cost together, in AI credits.
    pub credits: u64,
    /// How many AI credits the workspace may spend this month.
    pub credit_limit: Option<u64>,
}

/// What became of [`Store::insert_slides`]. Unless they were inserted, nothing was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InsertSlides {
    /// All are READY, and paid for.
    Inserted,
    /// The plan's storage would be exceeded.
    StorageLimitReached {
        /// Bytes allowed.
        limit: u64,
        /// Bytes used already.
        used: u64,
    },
    /// There are not enough AI credits left.
    CreditLimitReached(LimitReached),
    /// It took so long that their files are being removed.
    TooLate,
}

impl Store {
    /// Inserts slides, counts their bytes, spends what they cost and stores the answer that `keep` makes, all or nothing. A
    /// slide whose folder was deleted meanwhile goes where the folder's media went: to the root.
    ///
    /// # Errors
    /// When the database fails, or the claim was taken over.
    pub async fn insert_slides(
        &self,
        workspace: WorkspaceId,
        slides: NewSlides<'_>,
        keep: Keep<'_, ()>,
        now: Time,
    ) -> Result<InsertSlides> {
        let mut tx = self.begin().await?;
        for media in slides.media {
            if !tx.take_back_note(&media.storage_key, now).await? {
                return Ok(InsertSlides::TooLate);
            }
        }
        if let Some(refused) = tx.take_room(workspace, slides, now).await? {
            return Ok(refused);
        }
        let folders = tx.lasting_folders(workspace, slides.media).await?;
        for media in slides.media {
            let folder_id = media.folder_id.filter(|folder| folders.contains(folder));
            let placed = Media {
                folder_id,
                ..media.clone()
            };
            tx.insert_media_row(workspace, &placed).await?;
            tx.append_media_ready(workspace, &placed).await?;
        }
        tx.keep(keep, &()).await?;
        tx.commit().await?;
        Ok(InsertSlides::Inserted)
    }
}

impl Tx {
    async fn take_room(
        &mut self,
        workspace: WorkspaceId,
        slides: NewSlides<'_>,
        now: Time,
    ) -> Result<Option<InsertSlides>> {
        let bytes = slides.media.iter().filter_map(|media| media.size_bytes).sum();
        let storage = self.take_storage(workspace, bytes, slides.storage_limit).await?;
        if let Some((limit, used)) = storage {
            return Ok(Some(InsertSlides::StorageLimitReached { limit, used }));
        }
        let charge = CreditCharge {
            credits: slides.credits,
            limit: slides.credit_limit,
        };
        let credits = self.take_credits(workspace, charge, now).await?;
        Ok(credits.map(InsertSlides::CreditLimitReached))
    }

    /// Those folders of the media that are there still, and will be until the end of the transaction.
    async fn lasting_folders(
        &mut self,
        workspace: WorkspaceId,
        media: &[Media],
    ) -> Result<BTreeSet<FolderId>> {
        let wanted: BTreeSet<FolderId> = media.iter().filter_map(|media| media.folder_id).collect();
        let mut lasting = BTreeSet::new();
        for folder in wanted {
            let sql = "SELECT id FROM folders WHERE workspace_id = $1 AND id = $2";
            if !self.lock(sql, params![workspace, folder]).await?.is_empty() {
                lasting.insert(folder);
            }
        }
        Ok(lasting)
    }
}
