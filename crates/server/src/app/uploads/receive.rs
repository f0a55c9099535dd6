//! One request's bytes on their way into an upload.

use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt;
use playout_domain::error::{Code, Refusal};
use playout_domain::id::WorkspaceId;
use playout_domain::media::{MediaStatus, MediaType, MimeType};
use playout_domain::time::Time;
use playout_media::{Extent, IMAGE_MAX_BYTES, SNIFF_BYTES};
use playout_store::Upload;
use playout_wire::tus::{Checksum, Metadata};

use super::begin::form_of;
use super::checksum::Summing;
use super::chunk::{Body, Chunk};
use super::locks::Locked;
use super::refusals::{locked, not_found, too_many};
use crate::app::media::{UploadForm, check_claims, sniff_head, too_large};
use crate::app::{App, AppError};

/// What arrives is noted at the latest after so many bytes, or so long: the most that a killed process forgets.
const NOTE_BYTES: u64 = 16 << 20;
const NOTE_EVERY: Duration = Duration::from_secs(5);
/// A connection that brings nothing for so long is given up.
const SILENCE: Duration = Duration::from_secs(30);

/// What an upload is after a request.
pub(in crate::app) enum Received {
    /// Bytes are missing.
    Part(Upload),
    /// None are missing. Still held, because the file is not inspected yet.
    All(Upload, Locked),
}

struct Receiver<'a> {
    app: &'a App,
    workspace: WorkspaceId,
    upload: Upload,
    held: Locked,
    summing: Option<Summing>,
    head: Head,
    noted_at: Time,
}

/// The first bytes of the file, until they show its type.
struct Head {
    bytes: Vec<u8>,
    claims: UploadForm,
    is_judged: bool,
    /// Known once it is judged.
    mime: Option<MimeType>,
}

/// How the bytes of a request ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// As they should.
    Whole,
    /// The connection was cut, or silent for too long.
    Cut,
    /// The request was asked to end.
    Stopped,
}

impl App {
    /// Takes in what a request brings. What came before an error of the connection is kept, unless it has a checksum
    /// that cannot be verified any more.
    pub(super) async fn take_in(
        &self,
        workspace: WorkspaceId,
        upload: Upload,
        held: Locked,
        chunk: Chunk,
    ) -> Result<Received, AppError> {
        let mut receiver = Receiver::new(self, workspace, upload, held, chunk.checksum).await?;
        match receiver.run(chunk.body).await {
            Ok(()) => {}
            // The bytes show that the upload can never be finished.
            Err(AppError::Refused(refusal)) if is_final(refusal.code) => {
                self.refuse_upload(workspace, &receiver.upload.media, &refusal)
                    .await?;
                return Err(refusal.into());
            }
            Err(AppError::Blob(error)) => {
                let overtaken = self.overtaken(workspace, &receiver.upload).await?;
                return Err(overtaken.map_or_else(|| error.into(), AppError::from));
            }
            Err(error) => return Err(error),
        }
        let Receiver { upload, held, .. } = receiver;
        if Some(upload.received_bytes) == upload.media.size_bytes {
            return Ok(Received::All(upload, held));
        }
        Ok(Received::Part(upload))
    }
}

fn is_final(code: Code) -> bool {
    matches!(code, Code::InvalidMediaFile | Code::MediaTooLarge)
}

impl<'a> Receiver<'a> {
    async fn new(
        app: &'a App,
        workspace: WorkspaceId,
        upload: Upload,
        held: Locked,
        checksum: Option<Checksum>,
    ) -> Result<Self, AppError> {
        let is_judged = upload.received_bytes >= SNIFF_BYTES;
        let bytes = held.partial.head(SNIFF_BYTES).await?;
        let mime = is_judged.then(|| sniff_head(&bytes).ok()).flatten();
        let claims = claims_of(&upload)?;
        Ok(Self {
            app,
            workspace,
            upload,
            held,
            summing: checksum.map(Summing::new),
            head: Head {
                bytes,
                claims,
                is_judged,
                mime,
            },
            noted_at: app.now(),
        })
    }

    async fn run(&mut self, mut body: Body) -> Result<(), AppError> {
        let end = loop {
            let bytes = tokio::select! {
                biased;
                () = self.held.lock.stopped() => break End::Stopped,
                next = body.next() => match next {
                    Some(Ok(bytes)) => bytes,
                    Some(Err(_)) => break End::Cut,
                    None => break End::Whole,
                },
                () = self.app.clock.sleep_until(self.app.now().plus(SILENCE)) => break End::Cut,
            };
            self.held.lock.heard(self.app.now());
            self.take(bytes).await?;
        };
        self.held.lock.is_ending();
        self.settle(end).await
    }

    async fn take(&mut self, bytes: Bytes) -> Result<(), AppError> {
        let missing = self.upload.media.size_bytes.unwrap_or(0) - self.held.partial.position();
        if bytes.len() as u64 > missing {
            return Err(too_many(missing).into());
        }
        if !self.head.is_judged {
            let wanted = (SNIFF_BYTES as usize).saturating_sub(self.head.bytes.len());
            self.head
                .bytes
                .extend_from_slice(&bytes[..bytes.len().min(wanted)]);
        }
        match &mut self.summing {
            Some(summing) => summing.add(&bytes),
            None => self.head.judge(self.upload.media.size_bytes)?,
        }
        // Where the length is not known beforehand.
        if let Some(mime) = self.head.mime {
            check_size(mime, self.held.partial.position() + bytes.len() as u64)?;
        }
        self.held.partial.write(bytes).await?;
        let unnoted = self.held.partial.position() - self.upload.received_bytes;
        let is_time = unnoted >= NOTE_BYTES || self.app.now().since(self.noted_at) >= NOTE_EVERY;
        if self.summing.is_none() && is_time {
            self.note(Extent::FullParts).await?;
            self.noted_at = self.app.now();
        }
        Ok(())
    }

    async fn settle(&mut self, end: End) -> Result<(), AppError> {
        if let Some(summing) = self.summing.take() {
            let kept = match end {
                End::Whole => summing.verify(),
                End::Cut | End::Stopped => Err(interrupted(end)),
            };
            if let Err(refusal) = kept {
                let note = self.upload.note.as_deref();
                self.held
                    .partial
                    .go_on_from(self.upload.received_bytes, note)
                    .await?;
                return Err(refusal.into());
            }
            self.head.judge(self.upload.media.size_bytes)?;
        }
        self.note(Extent::Everything).await?;
        let is_complete = Some(self.upload.received_bytes) == self.upload.media.size_bytes;
        match end {
            End::Stopped if !is_complete => Err(self.overtaken(interrupted(end)).await?.into()),
            End::Cut if !is_complete => Err(interrupted(end).into()),
            _ => Ok(()),
        }
    }

    /// Brings to the storage what came, then writes down that it did.
    async fn note(&mut self, extent: Extent) -> Result<(), AppError> {
        let from = self.upload.received_bytes;
        if from == self.held.partial.position() {
            return Ok(());
        }
        let to = self.held.partial.sync(extent).await?;
        if from == to {
            return Ok(());
        }
        self.app.failpoint("upload.before_note");
        let id = self.upload.media.id;
        let note = self.held.partial.note().map(str::to_owned);
        let noted = self
            .app
            .store
            .advance_upload(self.workspace, id, (from, to), note.as_deref())
            .await?;
        if !noted {
            let others = locked("Another request has written to this upload meanwhile.");
            return Err(self.overtaken(others).await?.into());
        }
        self.app.failpoint("upload.after_note");
        (self.upload.received_bytes, self.upload.note) = (to, note);
        self.held.partial.is_noted();
        Ok(())
    }

    /// `otherwise`, unless the upload was given up meanwhile. What this request has left in the storage goes with an upload that is over.
    async fn overtaken(&mut self, otherwise: Refusal) -> Result<Refusal, AppError> {
        let (workspace, media) = (self.workspace, &self.upload.media);
        let found = self.app.store.find_media(workspace, media.id).await?;
        // Of one that goes on, it may be what the next request reads.
        if found
            .as_ref()
            .is_none_or(|found| found.status == MediaStatus::Ready)
        {
            self.app.blobs.remove_partial(&media.storage_key).await?;
        }
        Ok(found.map_or_else(not_found, |_| otherwise))
    }
}

impl Head {
    /// Refuses a file that its first bytes show to be no acceptable one, as soon as enough of them are in.
    fn judge(&mut self, length: Option<u64>) -> Result<(), AppError> {
        if self.is_judged || (self.bytes.len() as u64) < SNIFF_BYTES {
            return Ok(());
        }
        let mime = sniff_head(&self.bytes)?;
        check_claims(&self.claims, mime)?;
        check_size(mime, length.unwrap_or(0))?;
        self.is_judged = true;
        self.mime = Some(mime);
        Ok(())
    }
}

/// The metadata that were declared when the upload was begun.
pub(super) fn claims_of(upload: &Upload) -> Result<UploadForm, Refusal> {
    let about = Metadata::read(upload.metadata.as_deref().unwrap_or_default());
    form_of(about.map_err(Refusal::invalid)?)
}

/// Refuses an image that is too large. Videos were measured when their upload was begun.
pub(super) fn check_size(mime: MimeType, length: u64) -> Result<(), Refusal> {
    match mime.media_type() {
        MediaType::Image if length > IMAGE_MAX_BYTES => Err(too_large(IMAGE_MAX_BYTES)),
        _ => Ok(()),
    }
}

fn interrupted(end: End) -> Refusal {
    match end {
        End::Stopped => locked(
            "Another request took this upload over, or the service stops. Ask with HEAD where to go on.",
        ),
        End::Whole | End::Cut => Refusal::new(
            Code::InvalidRequest,
            "The body ended before it was complete. Ask with HEAD where to go on.",
        ),
    }
}
