//! Beginning an upload: what is known of a file before its first byte.

use std::time::Duration;

use playout_domain::error::Refusal;
use playout_domain::media::{Media, MediaStatus, MediaType, MimeType};
use playout_domain::workspace::Workspace;
use playout_media::IMAGE_MAX_BYTES;
use playout_store::{BeginUpload, Upload};
use playout_wire::tus::{CreateUpload, Metadata};

use crate::app::library::folder_vanished;
use crate::app::media::{UploadForm, invalid_file, too_large, unsupported};
use crate::app::refusals::{storage_limit_reached, too_many_unfinished};
use crate::app::{App, AppError};
use crate::chance;

/// How long an upload may take (`docs/contract.md#resumable-uploads`).
pub(in crate::app) const LIFETIME: Duration = Duration::from_secs(24 * 3600);

impl App {
    /// Makes the media object of an upload, PENDING, and counts its storage.
    pub(super) async fn create_upload(
        &self,
        workspace: &Workspace,
        request: CreateUpload,
    ) -> Result<Upload, AppError> {
        let form = form_of(request.about)?;
        if request.length == 0 {
            return Err(invalid_file("the file is empty").into());
        }
        self.check_folder(workspace.id, form.folder_id).await?;
        let plan = self.plan_of(&workspace.plan);
        if let Some(limit) = largest(&form, plan.max_video_bytes).filter(|limit| request.length > *limit) {
            return Err(too_large(limit).into());
        }
        let upload = Upload {
            media: self.pending(form, Some(request.length)),
            received_bytes: 0,
            note: None,
            metadata: request.metadata,
            expires_at: self.now().plus(LIFETIME),
        };
        let limit = plan.storage_bytes;
        let created = self.store.create_upload(workspace.id, &upload, limit).await;
        match created.map_err(folder_vanished)? {
            BeginUpload::Begun => Ok(upload),
            BeginUpload::StorageLimitReached { limit, used } => {
                Err(storage_limit_reached(limit, used).into())
            }
            BeginUpload::TooMany => Err(too_many_unfinished().into()),
        }
    }

    /// The media object of a file of which nothing has come yet.
    pub(in crate::app) fn pending(&self, form: UploadForm, length: Option<u64>) -> Media {
        let now = self.now();
        let mime = likely_type(&form);
        Media {
            id: chance::id(now),
            storage_key: chance::token(),
            preview_key: None,
            mime,
            size_bytes: length,
            received_bytes: Some(0),
            file_name: form.file_name.unwrap_or_else(|| default_name(mime)),
            status: MediaStatus::Pending,
            probe: None,
            sha256: None,
            finalized_at: None,
            failure: None,
            folder_id: form.folder_id,
            created_at: now,
        }
    }
}

/// The metadata as the fields of an upload form.
pub(super) fn form_of(about: Metadata) -> Result<UploadForm, Refusal> {
    let mime = about
        .mime_type
        .map(|text| MimeType::parse(&text).ok_or_else(|| unsupported(&text)));
    Ok(UploadForm {
        file_name: about.file_name,
        mime: mime.transpose()?,
        media_type: about.media_type,
        folder_id: about.folder_id,
    })
}

/// The most bytes that a file may have, as far as is known before the first has come.
fn largest(form: &UploadForm, max_video_bytes: Option<u64>) -> Option<u64> {
    let claimed = form.mime.map(MimeType::media_type).or(form.media_type);
    match claimed {
        Some(MediaType::Image) => Some(IMAGE_MAX_BYTES),
        _ => max_video_bytes,
    }
}

/// What to call the type of a file that is not there yet: as declared, else by its name.
fn likely_type(form: &UploadForm) -> MimeType {
    let ending = form.file_name.as_deref().and_then(|name| name.rsplit_once('.'));
    let by_name = ending.and_then(|(_, ending)| match ending.to_ascii_lowercase().as_str() {
        "jpeg" => Some(MimeType::Jpeg),
        ending => MimeType::ALL.into_iter().find(|mime| mime.extension() == ending),
    });
    let by_name = by_name.filter(|mime| form.media_type.is_none_or(|kind| kind == mime.media_type()));
    form.mime.or(by_name).unwrap_or(match form.media_type {
        Some(MediaType::Image) => MimeType::Jpeg,
        _ => MimeType::Mp4,
    })
}

/// What a file is called that came without a name.
pub(super) fn default_name(mime: MimeType) -> String {
    format!("upload.{}", mime.extension())
}
