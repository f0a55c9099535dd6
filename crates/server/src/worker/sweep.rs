//! Takes away what has expired: idempotency records, sessions, authorizations, device codes, abandoned uploads; and the
//! files of deleted media.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::app::App;

const EVERY: Duration = Duration::from_secs(600);
/// Part-files older than this belong to uploads that ended with their process.
const ABANDONED_AFTER: Duration = Duration::from_secs(24 * 3600);

/// Sweeps until `stop`.
pub async fn run(app: Arc<App>, stop: CancellationToken) {
    loop {
        let now = app.now();
        if let Err(error) = app.store.delete_expired(now).await {
            tracing::error!("could not delete what has expired: {error}");
        }
        if let Err(error) = app.blobs.remove_abandoned(now.minus(ABANDONED_AFTER)).await {
            tracing::error!("could not remove abandoned uploads: {error}");
        }
        if let Err(error) = app.sweep_removed_files().await {
            tracing::error!("could not remove the files of deleted media: {error}");
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = app.clock.sleep_until(now.plus(EVERY)) => {}
        }
    }
}
