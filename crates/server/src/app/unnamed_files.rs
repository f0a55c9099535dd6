//! Removes files that no row names: what a process leaves that is killed between naming a file and inserting its row, and
//! renditions of sizes that no provider asks for any more.
//!
//! Once a day one node lists the storage and notes files that are older than a day and belong to no media object, no upload
//! and no deletion in progress. A file is removed when every listing of a week has found it without a row. The week is for
//! restored databases: they miss the rows of files that are newer than the backup, and the notes as well, so that it begins
//! anew with each restore. If the database has fewer media objects than the storage has unnamed files, nothing is removed:
//! the storage probably belongs to another database. Operators read of this in `docs/reliability.md#files-without-a-row`.
//!
//! Unfinished files (`KEY#0`, `KEY#1`) are not listed; [`playout_media::Blobs::remove_abandoned`] removes those that were not
//! written to for a day.

use std::sync::LazyLock;
use std::time::Duration;

use futures_util::TryStreamExt;
use playout_domain::rate::Rate;
use playout_domain::time::Time;
use playout_media::{BlobError, ListedBlob};
use playout_store::{Allowance, Allowed, ListedFile, UnnamedFiles};

use super::file_keys::storage_key_of;
use super::{App, AppError};

/// How often one of the nodes lists the storage.
static ONCE_A_DAY: LazyLock<Rate> = LazyLock::new(|| "1/24h;burst=1".parse().expect("a rate"));
/// No upload takes so long between the last byte of its file and its row.
const OLD_AFTER: Duration = Duration::from_secs(24 * 3600);
/// Time to notice that a wrong or an old database is in use.
const REMOVED_AFTER: Duration = Duration::from_secs(7 * 86_400);
/// How many files one statement looks up.
const PAGE: usize = 500;
/// How many files are removed between two statements.
const REMOVED_AT_ONCE: u32 = 500;
/// With more unnamed files than this, there must be as many media objects as well.
const FEW: u64 = 100;

/// What was removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Removed {
    files: u64,
    bytes: u64,
}

impl App {
    /// [`App::sweep_unnamed_files`], unless a node has done so within a day.
    pub async fn sweep_unnamed_files_daily(&self) -> Result<(), AppError> {
        let daily = Allowed {
            kind: "sweeps of the storage",
            subject: b"",
            rate: *ONCE_A_DAY,
        };
        match self.store.take_allowance(daily, self.now()).await? {
            Allowance::Taken => self.sweep_unnamed_files().await,
            Allowance::UsedUp(_) => Ok(()),
        }
    }

    /// Lists the storage, and removes files that no row has named for a week.
    pub async fn sweep_unnamed_files(&self) -> Result<(), AppError> {
        let now = self.now();
        let UnnamedFiles { files, media } = self.find_unnamed_files(now).await?;
        if files > media.max(FEW) {
            tracing::error!(
                files,
                media,
                "the storage holds {files} files without a media object, and the database {media} media objects: nothing is \
                 removed, as this may be the storage of another database"
            );
            return Ok(());
        }
        if files > 0 {
            tracing::warn!(
                files,
                "{files} files in the storage have no media object; each is removed a week after it was found"
            );
        }
        let mut removed = Removed::default();
        let outcome = self.remove_unnamed_files(now, &mut removed).await;
        let Removed { files, bytes } = removed;
        if files > 0 {
            tracing::info!(
                files,
                bytes,
                "removed {files} files ({bytes} bytes) without a media object"
            );
        }
        outcome
    }

    /// Notes which files in the storage are old and have no row.
    async fn find_unnamed_files(&self, now: Time) -> Result<UnnamedFiles, AppError> {
        let old = now.minus(OLD_AFTER);
        let mut blobs = self.blobs.list();
        let mut page = Vec::with_capacity(PAGE);
        while let Some(blob) = blobs.try_next().await? {
            page.extend(old_file(blob, old));
            // The age was looked at before the rows: a row that is inserted in between is found.
            if page.len() == PAGE {
                self.store.note_unnamed_files(&page, now).await?;
                page.clear();
            }
        }
        self.store.note_unnamed_files(&page, now).await?;
        Ok(self.store.end_listing(now).await?)
    }

    async fn remove_unnamed_files(&self, now: Time, removed: &mut Removed) -> Result<(), AppError> {
        let found_by = now.minus(REMOVED_AFTER);
        loop {
            let files = self.store.unnamed_files(found_by, REMOVED_AT_ONCE).await?;
            if files.is_empty() {
                return Ok(());
            }
            for key in &files {
                match self.blobs.head(key).await {
                    Ok(bytes) => {
                        self.blobs.delete(key).await?;
                        removed.files += 1;
                        removed.bytes += bytes;
                    }
                    Err(BlobError::NotFound { .. }) => {}
                    Err(error) => return Err(error.into()),
                }
            }
            self.store.forget_unnamed_files(&files).await?;
        }
    }
}

/// The blob as a file to look up, if it is one of ours and was last written before `old`.
fn old_file(blob: ListedBlob, old: Time) -> Option<ListedFile> {
    let storage_key = storage_key_of(&blob.key)?.to_owned();
    (blob.written_at < old).then_some(ListedFile {
        file_key: blob.key,
        storage_key,
    })
}
