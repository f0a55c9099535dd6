//! Slides: captions baked onto images, seen beforehand, and written by a language model (`docs/contract.md#slides`).

mod captions;
mod composite;
mod keep;
mod look;
mod path;
pub mod press;
mod preview;
mod proposal;

use std::collections::HashMap;

use bytes::Bytes;
use playout_domain::error::{Code, Issue, IssueCode, Refusal, Violation};
use playout_domain::id::{MediaId, WorkspaceId};
use playout_domain::media::{Media, MediaStatus, MediaType};
use playout_domain::workspace::Workspace;
use playout_media::slide_cost;
use playout_store::LimitReached;

pub use preview::Seen;

use self::path::Path;
use super::decoding::DecodePermit;
use super::refusals::quota_details;
use super::{App, AppError};

impl App {
    /// The images of those identifiers in a workspace, in their order. Each that is not a usable image is reported at
    /// its path.
    async fn images(
        &self,
        workspace: WorkspaceId,
        wanted: &[(MediaId, Path)],
    ) -> Result<Vec<Media>, AppError> {
        let mut ids: Vec<MediaId> = wanted.iter().map(|(id, _)| *id).collect();
        ids.sort();
        ids.dedup();
        let found = self.store.find_media_many(workspace, &ids).await?;
        let found: HashMap<MediaId, Media> = found.into_iter().map(|media| (media.id, media)).collect();
        let (mut images, mut issues) = (Vec::new(), Vec::new());
        for (id, path) in wanted {
            match found
                .get(id)
                .map(usable)
                .unwrap_or_else(|| Err(IssueCode::NotFound.with("is not in this workspace")))
            {
                Ok(image) => images.push(image.clone()),
                Err(violation) => issues.push(Issue::at(path.clone(), violation)),
            }
        }
        match issues.is_empty() {
            true => Ok(images),
            false => Err(Refusal::invalid(issues).into()),
        }
    }

    /// An image's file, read when there is memory to decode it, and the right to do so.
    async fn picture(
        &self,
        workspace: WorkspaceId,
        storage_key: &str,
    ) -> Result<(Bytes, DecodePermit), AppError> {
        let mut reader = self.blobs.reader(storage_key).await?;
        let cost = tokio::task::spawn_blocking(move || slide_cost(&mut reader)).await?;
        let memory = self.decoding.memory(workspace, cost).await?;
        Ok((self.blobs.get(storage_key).await?, memory))
    }

    /// Refuses what costs more AI credits than are left this month; they are spent only when the work is done.
    async fn check_credits(&self, workspace: &Workspace, credits: u64) -> Result<(), AppError> {
        let Some(limit) = self.plan_of(&workspace.plan).ai_credits_per_month else {
            return Ok(());
        };
        let now = self.now();
        let used = self.store.usage(workspace.id, &now.month()).await?.ai_credits;
        if credits == 0 || used.saturating_add(credits) <= limit {
            return Ok(());
        }
        Err(insufficient_credits(LimitReached {
            limit,
            used,
            resets_at: now.next_month_start(),
        })
        .into())
    }
}

fn usable(media: &Media) -> Result<&Media, Violation> {
    match (media.mime.media_type(), media.status) {
        (MediaType::Image, MediaStatus::Ready) => Ok(media),
        (MediaType::Image, MediaStatus::Pending) => Err(IssueCode::NotFound.with("is still being uploaded")),
        _ => Err(IssueCode::NotSupported.with("is no image")),
    }
}

fn insufficient_credits(reached: LimitReached) -> Refusal {
    let (limit, used) = (reached.limit, reached.used);
    let message = format!("The plan's {limit} AI credits of this month do not suffice; {used} are used.");
    let details = quota_details(limit, used, Some(reached.resets_at));
    Refusal::new(Code::InsufficientCredits, message).with_details(details)
}
