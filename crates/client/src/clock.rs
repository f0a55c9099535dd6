//! The only place in the client that reads the system's clock.

use std::time::{Duration, UNIX_EPOCH};

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use playout_domain::time::{Clock, Time};

/// The operating system's clock, UTC.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "the only place in the client that reads the system's clock"
    )]
    fn now(&self) -> Time {
        let since_epoch = std::time::SystemTime::now().duration_since(UNIX_EPOCH);
        let micros = since_epoch.map_or(0, |duration| duration.as_micros());
        Time::from_micros(i64::try_from(micros).unwrap_or(i64::MAX))
    }

    fn sleep_until(&self, at: Time) -> BoxFuture<'static, ()> {
        async move {
            loop {
                let left = at.since(SystemClock.now());
                if left.is_zero() {
                    return;
                }
                tokio::time::sleep(left.min(Duration::from_secs(30))).await;
            }
        }
        .boxed()
    }
}
