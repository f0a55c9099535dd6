//! The system's clock: the one place that reads it.

use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use playout_domain::time::{Clock, Time};

/// The operating system's clock, UTC.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place that reads the system's clock"
    )]
    fn now(&self) -> Time {
        let since_epoch = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let micros = since_epoch.map_or(0, |duration| duration.as_micros());
        Time::from_micros(i64::try_from(micros).unwrap_or(i64::MAX))
    }

    fn sleep_until(&self, at: Time) -> BoxFuture<'static, ()> {
        async move {
            // The timer counts a monotonic clock, this one can be set: wake at least every half minute to look, and
            // go on for as long as the time has not come, so that nothing is ever early.
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
