//! The log line about posts that became due while nothing was published, when the engine starts.

use std::time::Duration;

use crate::app::App;
use crate::logs::counted;

/// What is less overdue than this is not logged: a restart takes as long.
const NOTABLE: Duration = Duration::from_secs(60);

/// Logs how many posts are overdue, and what becomes of them.
pub(super) async fn log_overdue(app: &App) {
    let overdue = match app.store.overdue_posts(app.now().minus(NOTABLE)).await {
        Ok(overdue) => overdue,
        // The engine logs an outage as soon as it claims.
        Err(error) => return tracing::debug!("overdue posts could not be counted: {error}"),
    };
    let Some(first) = overdue.first else { return };
    let after = match app.identity.is_held() {
        true => ", once the hold has ended, if its search leaves them in the queue",
        false => "",
    };
    tracing::warn!(
        posts = overdue.count,
        "{} overdue as the engine starts, the first since {first}: those that are later than their workspace allows (`latenessPolicy`, 24 \
         hours unless it was changed) become ACTION_REQUIRED, the others are published now{after}",
        match overdue.count {
            1 => "1 post is".to_owned(),
            count => format!("{} are", counted(count, "post")),
        }
    );
}
