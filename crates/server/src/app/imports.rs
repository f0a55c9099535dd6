//! Imports: files that the service fetches from an address (`docs/contract.md#imports`). An import is an upload (`uploads.rs`) whose
//! bytes come from an answer in place of a request: it is PENDING, grows in the same file under the same lock, and is finished in the
//! same way.
//!
//! 1. The request makes the object and a row of `imports`. `worker/imports.rs` leases rows that are due.
//! 2. [`App::run_import`] asks the address. What breaks off is continued with `Range` where the address named the version of the
//!    file, else begun again; until then the import is not leased, and waits for its turn as others do.
//! 3. It becomes READY, or has a `failure`; either ends the row.
//!
//! A process that dies leaves its lease, and another goes on after it from the bytes that were noted.

mod answer;
mod fetch;
mod source;
mod waits;

use std::sync::Arc;
use std::time::Duration;

use playout_domain::media::{Media, MediaFailure, clean_file_name};
use playout_domain::workspace::Workspace;
use playout_store::{BeginUpload, Import, Upload};
use playout_wire::media::ImportMedia;
use url::Url;

use self::fetch::{Ended, Fetching};
pub use self::waits::Waits;
use super::library::folder_vanished;
use super::media::UploadForm;
use super::once::Kept;
use super::refusals::{storage_limit_reached, too_many_unfinished};
use super::uploads::LIFETIME;
use super::{App, AppError};
use crate::concurrency::alongside::alongside;

/// How long an import is leased; a node that works on it renews the lease in time.
pub const LEASE: Duration = Duration::from_secs(60);
/// How often an import is begun: a process that died on the way has counted.
const MOST_TRIES: u32 = 3;
/// When an import is looked at again for which this node could do nothing.
const AGAIN: Duration = Duration::from_secs(10);
/// When an import is fetched again after the database or the storage has failed, which may mean from the beginning.
const AFTER_OUTAGE: Duration = Duration::from_secs(60);
/// The code of an import whose file could not be fetched.
const IMPORT_FAILED: &str = "import_failed";

impl App {
    /// Makes the object of an import, which is fetched from now on.
    pub async fn begin_import(
        &self,
        workspace: &Workspace,
        request: ImportMedia,
        kept: &Kept<Media>,
    ) -> Result<Media, AppError> {
        self.check_folder(workspace.id, request.folder_id).await?;
        let media = self.importing(&request);
        let upload = Upload {
            received_bytes: 0,
            note: None,
            metadata: None,
            expires_at: media.created_at.plus(LIFETIME),
            media,
        };
        let (limit, keep) = (
            self.plan_of(&workspace.plan).storage_bytes,
            kept.keep(Media::clone),
        );
        let created = self
            .store
            .create_import(workspace.id, &upload, &request.url, limit, keep)
            .await;
        match created.map_err(folder_vanished)? {
            BeginUpload::Begun => {
                self.importing.notify_one();
                Ok(upload.media)
            }
            BeginUpload::StorageLimitReached { limit, used } => {
                Err(storage_limit_reached(limit, used).into())
            }
            BeginUpload::TooMany => Err(too_many_unfinished().into()),
        }
    }

    fn importing(&self, request: &ImportMedia) -> Media {
        let form = UploadForm {
            file_name: request.file_name.clone().or_else(|| name_in(&request.url)),
            folder_id: request.folder_id,
            ..UploadForm::default()
        };
        self.pending(form, None)
    }

    /// Fetches a file that this process has leased. The lease is renewed meanwhile, and released if the import has not ended.
    ///
    /// # Errors
    /// When the database or the storage fails. The import is tried again.
    pub async fn run_import(self: &Arc<Self>, import: Import) -> Result<(), AppError> {
        let (id, mut leased) = (import.upload.media.id, import.due_at);
        if import.tries > MOST_TRIES {
            let problem =
                format!("The import was begun {MOST_TRIES} times, and broke off with the service each time.");
            return self.fail_import(&import, problem).await;
        }
        let ended = {
            let mut running = std::pin::pin!(self.import(&import));
            loop {
                tokio::select! {
                    biased;
                    ended = &mut running => break ended,
                    () = self.clock.sleep_until(leased.minus(LEASE / 2)) => {}
                }
                let until = self.now().plus(LEASE);
                let renewal = self.store.renew_import(id, leased, until);
                let (renewed, ended) = alongside(renewal, running.as_mut()).await;
                if !renewed.unwrap_or(false) {
                    // Deleted, or taken over by another node while this one was away. Its bytes are noted by who has the file.
                    self.uploads.stop(id);
                }
                leased = until;
                if let Some(ended) = ended {
                    break ended;
                }
            }
        };
        match ended {
            Ok(Ended::Over) => Ok(()),
            Ok(Ended::Failed(problem)) => self.fail_import(&import, problem).await,
            Ok(Ended::Stopped) => Ok(self.store.release_import(id, leased, self.now(), true).await?),
            Ok(Ended::Held) => {
                let due = self.now().plus(AGAIN);
                Ok(self.store.release_import(id, leased, due, true).await?)
            }
            Ok(Ended::Waits(due)) => Ok(self.store.release_import(id, leased, due, true).await?),
            Err(error) => {
                // The database and the storage may be unavailable for long; such an error is not the file's.
                let is_uncounted = matches!(error, AppError::Store(_) | AppError::Blob(_));
                let due = self.now().plus(AFTER_OUTAGE);
                self.store.release_import(id, leased, due, is_uncounted).await?;
                Err(error)
            }
        }
    }

    async fn import(self: &Arc<Self>, import: &Import) -> Result<Ended, AppError> {
        let Some(workspace) = self.store.find_workspace(import.workspace_id).await? else {
            return Ok(Ended::Over);
        };
        let plan = self.plan_of(&workspace.plan);
        Box::pin(Fetching::new(self, import, plan).run()).await
    }

    async fn fail_import(&self, import: &Import, problem: String) -> Result<(), AppError> {
        let failure = MediaFailure {
            code: IMPORT_FAILED.to_owned(),
            message: problem,
        };
        let current = self.store.find_import(import.upload.media.id).await?;
        match current {
            Some(current) => {
                self.fail_upload(import.workspace_id, &current.upload.media, &failure)
                    .await
            }
            None => Ok(()),
        }
    }
}

/// The name of the file in an address: the last part of its path, if it has an ending.
fn name_in(url: &str) -> Option<String> {
    let url: Url = url.parse().ok()?;
    let last = url.path_segments()?.next_back()?;
    let name = percent_encoding::percent_decode_str(last).decode_utf8().ok()?;
    Some(clean_file_name(&name)).filter(|name| {
        name.rsplit_once('.')
            .is_some_and(|(stem, ending)| !stem.is_empty() && !ending.is_empty())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_named_as_its_address_names_it() {
        for (url, name) in [
            ("https://example.org/films/kite.mp4?token=x", Some("kite.mp4")),
            ("https://example.org/a%20kite.jpg", Some("a kite.jpg")),
            ("https://example.org/up%2F..%2Fkite.jpg", Some("kite.jpg")),
            ("https://example.org/download", None),
            ("https://example.org/.mp4", None),
            ("https://example.org/", None),
            ("https://example.org", None),
            ("https://example.org/%ff.mp4", None),
        ] {
            assert_eq!(name_in(url).as_deref(), name, "{url}");
        }
    }
}
