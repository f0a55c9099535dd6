//! From files without names to media, all or nothing.
//!
//! Before the files get their names, a note schedules them for removal in an hour; the transaction that inserts the media
//! deletes the note. If the work stops in between, even because the process dies, the sweep removes all that is left.

use std::time::Duration;

use playout_domain::error::{Code, Refusal};
use playout_domain::media::Media;
use playout_domain::workspace::Workspace;
use playout_media::keep_all;
use playout_store::{InsertSlides, NewSlides, StoreError};
use playout_wire::slides::CompositeResult;

use super::composite::Baked;
use super::insufficient_credits;
use crate::app::once::Kept;
use crate::app::refusals::storage_limit_reached;
use crate::app::{App, AppError};

/// After so long slides were inserted, or never will be: far longer than a request takes and clocks differ.
const GIVEN_UP_AFTER: Duration = Duration::from_secs(3600);

/// Slides under their names, in order.
struct Named {
    media: Vec<Media>,
    result: CompositeResult,
}

impl App {
    /// Gives all files their names and makes media of them, or removes them.
    pub(super) async fn keep_slides(
        &self,
        workspace: &Workspace,
        baked: Vec<Baked>,
        kept: &Kept<CompositeResult>,
    ) -> Result<CompositeResult, AppError> {
        let keys: Vec<String> = baked
            .iter()
            .map(|slide| slide.media.storage_key.clone())
            .collect();
        let end = self.now().plus(GIVEN_UP_AFTER);
        self.store.note_files_until(&keys, end).await?;
        self.failpoint("slides.after_note");
        let inserted = async {
            let named = name_all(baked).await?;
            self.failpoint("slides.before_rows");
            self.insert_slides(workspace, named, kept).await
        };
        let inserted = inserted.await;
        if inserted.as_ref().is_err_and(is_certain) {
            self.remove_slides(&keys).await;
        }
        inserted
    }

    async fn insert_slides(
        &self,
        workspace: &Workspace,
        Named { media, result }: Named,
        kept: &Kept<CompositeResult>,
    ) -> Result<CompositeResult, AppError> {
        let plan = self.plan_of(&workspace.plan);
        let slides = NewSlides {
            media: &media,
            storage_limit: plan.storage_bytes,
            credits: self.price(media.len()),
            credit_limit: plan.ai_credits_per_month,
        };
        let keep = kept.keep(|()| result.clone());
        let inserted = self.store.insert_slides(workspace.id, slides, keep, self.now());
        match inserted.await? {
            InsertSlides::Inserted => Ok(result),
            InsertSlides::StorageLimitReached { limit, used } => {
                Err(storage_limit_reached(limit, used).into())
            }
            InsertSlides::CreditLimitReached(reached) => Err(insufficient_credits(reached).into()),
            InsertSlides::TooLate => {
                let message = "The slides took so long that they were given up. None was kept.";
                Err(Refusal::new(Code::RequestTimeout, message).into())
            }
        }
    }

    /// Removes the files of slides that were not inserted. Their notes stay: a file that was still being written may get
    /// its name after this, and the sweep finds it.
    async fn remove_slides(&self, keys: &[String]) {
        for key in keys {
            if let Err(error) = self.remove_files(key).await {
                tracing::warn!("the files of a slide that was not kept are left to the sweep: {error}");
            }
        }
    }
}

/// Gives all files their names.
async fn name_all(baked: Vec<Baked>) -> Result<Named, AppError> {
    let (mut files, mut media, mut slides) = (Vec::new(), Vec::new(), Vec::new());
    for baked in baked {
        files.extend(baked.files);
        media.push(baked.media);
        slides.push(baked.answer);
    }
    keep_all(files).await?;
    let result = CompositeResult { slides };
    Ok(Named { media, result })
}

/// Whether certainly nothing was inserted. A database that failed may have inserted the slides before; then their notes are
/// gone, and with them the reason for the sweep to remove their files.
fn is_certain(error: &AppError) -> bool {
    !matches!(error, AppError::Store(error) if !matches!(error, StoreError::ClaimLost))
}
