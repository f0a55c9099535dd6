//! Uploads: small files in one form, large ones resumable (tus 1.0), so that neither a cut nor a restart of the client
//! sends a byte twice that the service has already put down.
//!
//! 1. `POST /media/uploads` begins; the caller writes down the address ([`Standing::address`]) before a byte is sent.
//! 2. `PATCH` sends all that is missing. After a cut, `HEAD` asks how far it came, and the rest is sent.
//! 3. With the last byte the service looks at the file; `GET /media/{id}` answers the media object.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use futures_util::StreamExt;
use playout_wire::tus::{OFFSET_OCTET_STREAM, VERSION};
use reqwest::header::{CONTENT_LENGTH, CONTENT_TYPE};
use reqwest::multipart::{Form, Part};
use reqwest::{Body, Method, RequestBuilder};
use tokio::fs::File;
use tokio::io::{AsyncReadExt, AsyncSeekExt};
use tokio_util::io::ReaderStream;

use crate::answers::{Media, Reply};
use crate::api::{Api, IDEMPOTENCY_KEY, PREFIX, segment};
use crate::chance;
use crate::error::Error;
use crate::http::{Failed, Sent, send_once};

/// From this size on, a file is sent so that the upload can be resumed.
pub const LARGE_FILE_BYTES: u64 = 16_000_000;

/// A line on which nothing moves for so long is dead, and dialled again.
const STALLED: Duration = Duration::from_secs(120);
/// No upload takes longer; whether it moves is watched instead.
const LONGEST: Duration = Duration::from_secs(7 * 86_400);
/// How often to look, a second apart, whether a complete upload has become READY.
const LOOKS: u32 = 120;
const READ_BYTES: usize = 128 * 1024;

/// A file to upload.
#[derive(Debug, Clone)]
pub struct UploadFile {
    /// Where it is.
    pub path: PathBuf,
    /// The name to keep it under.
    pub name: String,
    /// Its size in bytes.
    pub size_bytes: u64,
    /// A folder's ID; `None` is the root.
    pub folder_id: Option<String>,
}

/// How many bytes of a file are on their way; shared with whoever draws a bar.
#[derive(Debug, Clone, Default)]
pub struct Progress(Arc<AtomicU64>);

impl Progress {
    /// Bytes so far.
    pub fn bytes(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    fn set(&self, bytes: u64) {
        self.0.store(bytes, Ordering::Relaxed);
    }

    fn add(&self, bytes: usize) {
        self.0.fetch_add(bytes as u64, Ordering::Relaxed);
    }
}

/// A resumable upload that has begun.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// Its ID, which is that of the media object it becomes.
    pub id: String,
    /// How many bytes the service has.
    pub offset: u64,
}

impl Api {
    /// Uploads a file in one form. The service does it once, however often it must be sent.
    ///
    /// # Errors
    /// As every operation, and when the file cannot be read.
    pub async fn upload_form(&self, file: &UploadFile, progress: &Progress) -> Result<Reply<Media>, Error> {
        let key = chance::idempotency_key();
        let build = async || -> Result<RequestBuilder, Error> {
            let form = form(file, progress).await?;
            let request = self.http.request(Method::POST, &format!("{PREFIX}/media"));
            // A slow line is no dead one: this is some 30 KB a second.
            let patience = Duration::from_secs(60 + file.size_bytes / 30_000);
            Ok(request
                .timeout(patience)
                .header(IDEMPOTENCY_KEY, &key)
                .multipart(form))
        };
        Reply::read(self.http.send(true, build).await?.json()?)
    }

    /// Begins a resumable upload.
    ///
    /// # Errors
    /// As every operation.
    pub async fn begin_upload(&self, file: &UploadFile) -> Result<Standing, Error> {
        let metadata = metadata(file);
        let build = async || -> Result<RequestBuilder, Error> {
            let request = self.tus(Method::POST, &format!("{PREFIX}/media/uploads"));
            Ok(request
                .header("Upload-Length", file.size_bytes)
                .header("Upload-Metadata", &metadata))
        };
        // Not repeatable: a lost answer would leave a second upload behind that nobody finishes.
        let answer = self.http.send(false, build).await?;
        let media: Reply<Media> = Reply::read(answer.json()?)?;
        Ok(Standing {
            id: media.value.id,
            offset: 0,
        })
    }

    /// How far an upload has come; `None` when there is none of that ID any more.
    ///
    /// # Errors
    /// As every operation.
    pub async fn upload_standing(&self, id: &str) -> Result<Option<Standing>, Error> {
        let path = upload_path(id);
        let build = async || -> Result<RequestBuilder, Error> { Ok(self.tus(Method::HEAD, &path)) };
        let answer = match self.http.send(true, build).await {
            Ok(answer) => answer,
            Err(error) if error.status == Some(404) => return Ok(None),
            Err(error) => return Err(error),
        };
        let offset = answer.header("upload-offset").and_then(|text| text.parse().ok());
        let offset =
            offset.ok_or_else(|| Error::unexpected("The service does not say how far the upload is."))?;
        Ok(Some(Standing {
            id: id.to_owned(),
            offset,
        }))
    }

    /// Sends what an upload misses, across cuts, and answers the media object.
    ///
    /// # Errors
    /// As every operation; when the file cannot be read; when the line is cut again and again without a byte arriving.
    pub async fn finish_upload(
        &self,
        file: &UploadFile,
        standing: Standing,
        progress: &Progress,
    ) -> Result<Reply<Media>, Error> {
        let (mut standing, mut tried) = (standing, 0);
        while standing.offset < file.size_bytes {
            let failed = match self.append(file, &standing, progress).await? {
                Sent::Done(_) => break,
                Sent::Failed(failed) => failed,
            };
            // The bytes that arrived before a cut are kept, so what was sent is asked for, never guessed.
            let wait = match failed.error.code.as_str() {
                "upload_offset_conflict" | "upload_locked" if tried < 10 => Some(Duration::from_secs(1)),
                _ => self.http.wait(&failed, true, tried),
            };
            let Some(wait) = wait else {
                return Err(failed.error);
            };
            tokio::time::sleep(wait).await;
            let Some(now) = self.upload_standing(&standing.id).await? else {
                return Err(failed.error);
            };
            tried = if now.offset > standing.offset {
                0
            } else {
                tried + 1
            };
            standing = now;
        }
        self.settled_media(&standing.id).await
    }

    /// The media object of an upload whose bytes are all in, once the service has looked at them. That it is gone means
    /// that it was refused after the line was cut, and with the line the reason.
    async fn settled_media(&self, id: &str) -> Result<Reply<Media>, Error> {
        let mut left = LOOKS;
        loop {
            let media = self.media(id).await?;
            if media.value.status == "READY" || left == 0 {
                return Ok(media);
            }
            left -= 1;
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    }

    /// Gives an upload up.
    ///
    /// # Errors
    /// As every operation.
    pub async fn abandon_upload(&self, id: &str) -> Result<(), Error> {
        let path = upload_path(id);
        let build = async || -> Result<RequestBuilder, Error> { Ok(self.tus(Method::DELETE, &path)) };
        self.http.send(false, build).await.map(drop)
    }

    async fn append(
        &self,
        file: &UploadFile,
        standing: &Standing,
        progress: &Progress,
    ) -> Result<Sent, Error> {
        let left = file.size_bytes - standing.offset;
        progress.set(standing.offset);
        let body = body(file, standing.offset, progress).await?;
        let request = self
            .tus(Method::PATCH, &upload_path(&standing.id))
            .timeout(LONGEST)
            .header("Upload-Offset", standing.offset)
            .header(CONTENT_TYPE, OFFSET_OCTET_STREAM)
            .header(CONTENT_LENGTH, left)
            .body(body);
        tokio::select! {
            sent = send_once(request) => Ok(sent),
            () = stalled(progress) => Ok(Sent::Failed(Failed::stalled())),
        }
    }

    fn tus(&self, method: Method, path: &str) -> RequestBuilder {
        self.http.request(method, path).header("Tus-Resumable", VERSION)
    }
}

fn upload_path(id: &str) -> String {
    format!("{PREFIX}/media/uploads/{}", segment(id))
}

async fn form(file: &UploadFile, progress: &Progress) -> Result<Form, Error> {
    progress.set(0);
    let part = Part::stream_with_length(body(file, 0, progress).await?, file.size_bytes);
    let mut form = Form::new();
    if let Some(folder) = &file.folder_id {
        form = form.text("folderId", folder.clone());
    }
    Ok(form.part("file", part.file_name(file.name.clone())))
}

/// The bytes from `offset` to the size that was announced, counted as they leave.
async fn body(file: &UploadFile, offset: u64, progress: &Progress) -> Result<Body, Error> {
    let unreadable = |error| Error::file(&file.path, &error);
    let mut open = File::open(&file.path).await.map_err(unreadable)?;
    open.seek(std::io::SeekFrom::Start(offset))
        .await
        .map_err(unreadable)?;
    let progress = progress.clone();
    let rest = open.take(file.size_bytes - offset);
    let pieces = ReaderStream::with_capacity(rest, READ_BYTES)
        .inspect(move |piece| progress.add(piece.as_ref().map_or(0, |piece| piece.len())));
    Ok(Body::wrap_stream(pieces))
}

fn metadata(file: &UploadFile) -> String {
    let mut metadata = format!("filename {}", STANDARD.encode(&file.name));
    if let Some(folder) = &file.folder_id {
        metadata.push_str(&format!(",folderId {}", STANDARD.encode(folder)));
    }
    metadata
}

/// Completes when no byte has left for [`STALLED`].
async fn stalled(progress: &Progress) {
    let mut before = None;
    while before != Some(progress.bytes()) {
        before = Some(progress.bytes());
        tokio::time::sleep(STALLED).await;
    }
}
