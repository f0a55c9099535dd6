//! Uploads: small files in one form, large ones resumable (tus 1.0), so that neither a cut nor a restart of the client sends
//! bytes again that the service has stored.
//!
//! 1. `POST /media/uploads` sends the first bytes; the caller records the upload's ID before it sends the rest.
//! 2. `PATCH` sends the missing bytes. After a cut, `HEAD` returns the offset, and the rest is sent.
//! 3. After the last byte the service checks the file; `GET /media/{id}` returns the media object.

mod resumable;

use std::cell::Cell;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures_util::StreamExt;
use reqwest::multipart::{Form, Part};
use reqwest::{Body, Method, RequestBuilder};
use tokio::fs::File;
use tokio::io::{AsyncReadExt, AsyncSeekExt};
use tokio_util::io::ReaderStream;

use crate::answers::{Media, Reply};
use crate::api::{Api, IDEMPOTENCY_KEY, PREFIX};
use crate::chance;
use crate::error::Error;

pub use resumable::Standing;

/// Files of this size and more are sent as resumable uploads.
pub const LARGE_FILE_BYTES: u64 = 16_000_000;

const READ_BYTES: usize = 128 * 1024;

/// A file to upload.
#[derive(Debug, Clone)]
pub struct UploadFile {
    /// Its local path.
    pub path: PathBuf,
    /// The name at the service.
    pub name: String,
    /// Its size in bytes.
    pub size_bytes: u64,
    /// A folder's ID; `None` is the root.
    pub folder_id: Option<String>,
}

/// How many bytes of a file were sent; shared with the progress bar.
#[derive(Debug, Clone, Default)]
pub struct Progress {
    bytes: Arc<AtomicU64>,
    total: Arc<AtomicU64>,
}

impl Progress {
    /// Bytes so far.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Sets them.
    pub fn set(&self, bytes: u64) {
        self.bytes.store(bytes, Ordering::Relaxed);
    }

    /// Bytes in all, where they became known; 0 before.
    pub fn total(&self) -> u64 {
        self.total.load(Ordering::Relaxed)
    }

    /// Sets how many bytes it is in all, if that is known.
    pub fn set_total(&self, bytes: Option<u64>) {
        self.total.store(bytes.unwrap_or_default(), Ordering::Relaxed);
    }

    fn add(&self, bytes: usize) {
        self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
    }
}

impl Api {
    /// Uploads a file in one form. It takes effect once, however often it is sent; with the caller's own idempotency key also if the program
    /// runs again.
    ///
    /// # Errors
    /// Those of every operation, and if the file cannot be read. It [may be done](Error::may_be_done) only if all of the file was sent once.
    pub async fn upload_form(
        &self,
        file: &UploadFile,
        key: Option<&str>,
        progress: &Progress,
    ) -> Result<Reply<Media>, Error> {
        let key = key.map_or_else(chance::idempotency_key, str::to_owned);
        let was_all_sent = Cell::new(false);
        let look = || was_all_sent.set(was_all_sent.get() || progress.bytes() >= file.size_bytes);
        progress.set(0);
        let build = async || -> Result<RequestBuilder, Error> {
            look();
            let form = form(file, progress).await?;
            let request = self.http.request(Method::POST, &format!("{PREFIX}/media"));
            // A slow connection may take this long: some 30 KB a second.
            let patience = Duration::from_secs(60 + file.size_bytes / 30_000);
            Ok(request
                .timeout(patience)
                .header(IDEMPOTENCY_KEY, &key)
                .multipart(form))
        };
        let sent = self.http.send(true, build).await;
        look();
        let answer = sent.map_err(|error| Error {
            may_be_done: error.may_be_done && was_all_sent.get(),
            ..error
        })?;
        answer.reply()
    }
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

/// The bytes from `offset` to the announced size, counted as they are sent.
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
