//! What a run has at hand.

use std::sync::{Arc, OnceLock};

use playout_domain::job::Job;
use playout_domain::media::{Media, MediaType};
use playout_domain::platform::Platform;
use playout_domain::post::{Group, Post};
use playout_domain::provider::Provider;
use playout_domain::time::Time;
use playout_media::BlobError;
use playout_store::HoldMark;
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::app::account::Account;
use crate::app::limits::Place;

/// A post on its way: everything a run needs.
pub(super) struct Run<'a> {
    pub(super) app: &'a Arc<App>,
    /// The claimed job: the fence.
    pub(super) job: &'a Job,
    pub(super) group: Group,
    pub(super) platform: Platform,
    pub(super) provider: Arc<dyn Provider>,
    /// The media of the group, in any order.
    pub(super) media: Vec<Media>,
    /// Whether to search for the post before it is handed over.
    pub(super) mark: Option<HoldMark>,
    /// Is cancelled when this run holds the job no longer: it sends nothing any more.
    pub(super) given_up: CancellationToken,
    /// Its place in the account's window, once it is handed over: others count it until this run ends, because they may have read the
    /// ledger before it was in there.
    pub(super) place: OnceLock<Place<'a>>,
    /// Since when what is known of the post's other tries may have changed: when this run began to ask about them.
    pub(super) known_at: OnceLock<Time>,
}

impl Run<'_> {
    /// The root post.
    pub(super) fn post(&self) -> &Post {
        &self.group.root
    }

    /// Notes that the post's other tries are looked at now, unless they were before.
    pub(super) fn looks_at_others(&self) -> Time {
        *self.known_at.get_or_init(|| self.app.now())
    }

    pub(super) fn account(&self) -> Account<'_> {
        Account::new(self.app, &self.provider, &self.platform)
    }

    /// Photos or a video; `None` where the file is missing.
    pub(super) fn media_type(&self) -> Option<MediaType> {
        self.source().map(|media| media.mime.media_type())
    }

    /// What is uploaded.
    pub(super) fn source(&self) -> Option<&Media> {
        let first = self.post().media_ids.first()?;
        self.media.iter().find(|media| media.id == *first)
    }
}

/// Whether a file is in the storage as it was stored, and not in part.
pub(super) async fn check_file(app: &App, media: &Media) -> Result<(), BlobError> {
    let (blobs, key) = (&app.blobs, &media.storage_key);
    match media.size_bytes {
        Some(size_bytes) => blobs.check_size(key, size_bytes).await,
        None => blobs.head(key).await.map(drop),
    }
}
