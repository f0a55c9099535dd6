//! Removes what has expired: idempotency records, sessions, authorizations, device codes, old deliveries to webhooks,
//! abandoned uploads; the files of deleted media; and once a day files that no row names. Finishes uploads whose process died
//! after their last byte.

use std::sync::Arc;
use std::time::Duration;

use playout_domain::time::Clock;
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::app::file_keys::storage_key_of;
use crate::clock::SystemClock;
use crate::logs::log_failure;

const EVERY: Duration = Duration::from_secs(600);
/// Part-files older than this belong to uploads that ended with their process.
const ABANDONED_AFTER: Duration = Duration::from_secs(24 * 3600);
/// The storage is listed when a process has run for this long: not by one that keeps failing at its start.
const LISTED_AFTER: Duration = Duration::from_secs(3600);

/// Sweeps until `stop`.
pub async fn run(app: Arc<App>, stop: CancellationToken) {
    loop {
        // A storage that is not there would look as if all files were lost.
        tokio::select! {
            () = stop.cancelled() => return,
            () = app.identity.fits() => {}
        }
        let now = app.now();
        if let Err(error) = app.store.delete_expired(now).await {
            log_failure!(error, "could not delete what has expired: {error}");
        }
        // Before the files that were not written to for long are removed: some of them are all that is left of an upload.
        if let Err(error) = app.sweep_uploads().await {
            log_failure!(error, "could not look for uploads to end: {error}");
        }
        if let Err(error) = app.sweep_reservations().await {
            log_failure!(
                error,
                "could not give back the storage of abandoned uploads: {error}"
            );
        }
        // Files are dated by the clock of their machine.
        let written_before = now.min(SystemClock.now()).minus(ABANDONED_AFTER);
        let is_ours = |key: &str| storage_key_of(key).is_some();
        if let Err(error) = app.blobs.remove_abandoned(written_before, is_ours).await {
            log_failure!(error, "could not remove abandoned uploads: {error}");
        }
        if let Err(error) = app.sweep_removed_files().await {
            log_failure!(error, "could not remove the files of deleted media: {error}");
        }
        if now.since(app.started_at) >= LISTED_AFTER {
            let swept = tokio::select! {
                // Listing a large storage takes longer than stopping should.
                () = stop.cancelled() => return,
                swept = app.sweep_unnamed_files_daily() => swept,
            };
            if let Err(error) = swept {
                log_failure!(error, "could not remove files that no row names: {error}");
            }
        }
        // The clock may have been set forward or back meanwhile: whichever comes first.
        let next = now.min(app.now()).plus(EVERY);
        tokio::select! {
            () = stop.cancelled() => return,
            () = app.clock.sleep_until(next) => {}
        }
    }
}
