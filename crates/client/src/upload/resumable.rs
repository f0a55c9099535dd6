//! Resumable uploads (tus 1.0.0), the client's part.

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
use crate::http::failure::Failed;
use crate::http::{Answer, Sent, send_once};

/// How much of a file is sent with the request that begins its upload.
const FIRST_BYTES: u64 = 64 * 1024;
/// A connection without progress for this long is closed and opened again.
const STALLED: Duration = Duration::from_secs(120);
/// How many times in a row to reconnect without progress.
const MOST_TRIES: u32 = 16;
/// No upload takes longer; progress is monitored instead.
const LONGEST: Duration = Duration::from_secs(7 * 86_400);
/// How many times to poll, a second apart, whether a complete upload is READY.
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
    /// Begins a resumable upload with the file's first bytes: enough for the service to reject it, and few enough that the client
    /// still receives the error, which may be lost while a client is sending.
    ///
    /// # Errors
    /// Those of every operation, and if the file cannot be read.
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
        // Not repeatable: a lost response would leave a second upload that is never finished.
        let answer = self.http.send(false, build).await?;
        let media: Reply<Media> = Reply::read(answer.json()?)?;
        Ok(Standing {
            id: media.value.id,
            offset: offset_of(&answer)?,
        })
    }

    /// The state of an upload; `None` if there is none with that ID.
    ///
    /// # Errors
    /// Those of every operation.
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

    /// Sends the missing bytes of an upload, reconnecting after cuts, and returns the media object.
    ///
    /// # Errors
    /// Those of every operation, and if the file cannot be read, or the connection is cut repeatedly without progress.
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
            // The bytes that arrived before a cut are stored, so the offset is requested, never guessed.
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

    /// An unfinished upload has sent much already, so its client waits longer for the connection than others: some minutes, also
    /// for a service that restarts.
    fn wait_for_line(&self, failed: &Failed, tried: u32) -> Option<Duration> {
        match failed.error.code.as_str() {
            "upload_offset_conflict" | "upload_locked" if tried < MOST_TRIES => Some(Duration::from_secs(1)),
            _ if tried < MOST_TRIES => self.http.wait(failed, true, tried / 4),
            _ => None,
        }
    }

    /// The media object of a complete upload, after the service has checked it. If it is missing, the service rejected it after
    /// the connection was cut, and the error was lost.
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
    offset.ok_or_else(|| Error::unexpected("The service sent no Upload-Offset."))
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

/// Completes when no byte was sent for [`STALLED`].
async fn stalled(progress: &Progress) {
    let mut before = None;
    while before != Some(progress.bytes()) {
        before = Some(progress.bytes());
        tokio::time::sleep(STALLED).await;
    }
}
