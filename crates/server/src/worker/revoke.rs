//! Revokes access at the providers that granted it, with retries until it has ended; see `app/grants.rs`.

use std::sync::Arc;

use playout_store::POLL_EVERY;
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::outage::Outage;

/// Runs until `stop`. Another node's rows are found within [`POLL_EVERY`].
pub async fn run(app: Arc<App>, stop: CancellationToken) {
    let mut outage = Outage::of("access cannot be given back to providers");
    while !stop.is_cancelled() {
        app.heart.set_revoking(true);
        let next = app.revoke_due(&stop).await;
        app.heart.set_revoking(false);
        let look = app.now().plus(POLL_EVERY);
        let until = match next {
            Ok(next) => {
                outage.is_over(app.now(), "access is given back to providers again");
                next.map_or(look, |next| next.min(look))
            }
            Err(error) => {
                outage.goes_on(app.now(), &error);
                look
            }
        };
        tokio::select! {
            () = stop.cancelled() => {}
            () = app.revoking.notified() => {}
            () = app.clock.sleep_until(until) => {}
        }
    }
}
