//! Resumable uploads (tus 1.0.0), from the client's side.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use playout_wire::tus::{OFFSET_OCTET_STREAM, VERSION};
use reqwest::header::{CONTENT_LENGTH, CONTENT_TYPE};
use reqwest::{Method, RequestBuilder};
use tokio::fs::File;
use tokio::io::AsyncReadExt;

use super::{Progress, UploadFile, body};
use crate::answers::{Media, Reply};
use crate::api::{Api, PREFIX, segment};
use crate::error::{Error, Kind};
use crate::http::{Answer, Failed, Sent, send_once};

/// How much of a file goes with the beginning of its upload.
const FIRST_BYTES: u64 = 64 * 1024;
/// A line on which nothing moves for so long is dead, and dialled again.
const STALLED: Duration = Duration::from_secs(120);
/// How often the line is dialled again without a byte getting through.
const MOST_TRIES: u32 = 16;
/// No upload takes longer; whether it moves is watched instead.
const LONGEST: Duration = Duration::from_secs(7 * 86_400);
/// How often to look, a second apart, whether a complete upload has become READY.
const LOOKS: u32 = 120;

/// A resumable upload that has begun.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// Its ID, which is that of the media object it becomes.
    pub id: String,
    /// How many bytes the service has.
    pub offset: u64,
}

impl Api {
    /// Begins a resumable upload with the file's first bytes: enough for the service to refuse it by, and few enough that
    /// its reason is still heard, which it may not be by a client that is busy sending.
    ///
    /// # Errors
    /// As every operation, and when the file cannot be read.
    pub async fn begin_upload(&self, file: &UploadFile) -> Result<Standing, Error> {
        let metadata = metadata(file);
        let first = first_bytes(file).await?;
        let build = async || -> Result<RequestBuilder, Error> {
            let request = self.tus(Method::POST, &format!("{PREFIX}/media/uploads"));
            Ok(request
                .header("Upload-Length", file.size_bytes)
                .header("Upload-Metadata", &metadata)
                .header(CONTENT_TYPE, OFFSET_OCTET_STREAM)
                .body(first.clone()))
        };
        // Not repeatable: a lost answer would leave a second upload behind that nobody finishes.
        let answer = self.http.send(false, build).await?;
        let media: Reply<Media> = Reply::read(answer.json()?)?;
        Ok(Standing {
            id: media.value.id,
            offset: offset_of(&answer)?,
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
        let offset = offset_of(&answer)?;
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
            let Some(wait) = self.wait_for_line(&failed, tried) else {
                return Err(failed.error);
            };
            tokio::time::sleep(wait).await;
            tried += 1;
            // The bytes that arrived before a cut are kept, so what was sent is asked for, never guessed.
            match self.upload_standing(&standing.id).await {
                Ok(Some(now)) => {
                    tried = if now.offset > standing.offset { 0 } else { tried };
                    standing = now;
                }
                Ok(None) => return Err(failed.error),
                Err(error) if matches!(error.kind, Kind::Network | Kind::Server) => {}
                Err(error) => return Err(error),
            }
        }
        self.settled_media(&standing.id).await
    }

    /// An upload has come far, so its line is waited for longer than another's: some minutes, also for a service that is
    /// being restarted.
    fn wait_for_line(&self, failed: &Failed, tried: u32) -> Option<Duration> {
        match failed.error.code.as_str() {
            "upload_offset_conflict" | "upload_locked" if tried < MOST_TRIES => Some(Duration::from_secs(1)),
            _ if tried < MOST_TRIES => self.http.wait(failed, true, tried / 4),
            _ => None,
        }
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

fn offset_of(answer: &Answer) -> Result<u64, Error> {
    let offset = answer.header("upload-offset").and_then(|text| text.parse().ok());
    offset.ok_or_else(|| Error::unexpected("The service does not say how far the upload is."))
}

async fn first_bytes(file: &UploadFile) -> Result<Vec<u8>, Error> {
    let unreadable = |error| Error::file(&file.path, &error);
    let open = File::open(&file.path).await.map_err(unreadable)?;
    let mut first = Vec::new();
    open.take(FIRST_BYTES.min(file.size_bytes))
        .read_to_end(&mut first)
        .await
        .map_err(unreadable)?;
    Ok(first)
}

fn upload_path(id: &str) -> String {
    format!("{PREFIX}/media/uploads/{}", segment(id))
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
