//! Log lines about holds.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use playout_domain::time::Time;
use playout_store::{Hold, LastHold};

use crate::app::{App, AppError};
use crate::logs::counted;

/// How often the number of posts left is logged.
const TELL_EVERY: Duration = Duration::from_secs(60);
/// How many accounts the log names.
const MOST_NAMES: usize = 20;

/// Logs the beginning and the end of holds, by this node, another one, or a person.
#[derive(Default)]
pub(super) struct HoldLog {
    /// The hold that was last logged as on.
    pub(super) on: Option<Hold>,
    /// When a line about it was last logged.
    told: Mutex<Option<Time>>,
    /// When the hold began that was last seen, on or over; `None` before the first look.
    known: Option<Option<Time>>,
}

/// How many posts the last hold did not look for.
async fn not_looked_for(app: &App) -> Result<u64, AppError> {
    let last = app.store.find_last_hold().await?;
    Ok(last.map_or(0, |last| last.not_looked_for))
}

impl HoldLog {
    /// Logs what has changed since the last call.
    pub(super) async fn compare(&mut self, app: &App, hold: Option<&Hold>) -> Result<(), AppError> {
        let was = self.on.as_ref().map(|was| was.held_at);
        let last = match hold {
            Some(_) => None,
            None => app.store.find_last_hold().await?,
        };
        match (was, hold) {
            (was, Some(hold)) if was != Some(hold.held_at) => {
                let left = app.store.hold_progress().await?.left;
                tracing::warn!(
                    left,
                    "publications are held, because {}: first {} must be looked for at the provider",
                    hold.because,
                    counted(left, "post")
                );
                self.may_tell(app.now());
            }
            // By another node, or by hand.
            (Some(_), None) => Self::tell_end(last.as_ref()),
            // It began and ended since the last look.
            (None, None)
                if self
                    .known
                    .is_some_and(|known| last.as_ref().map(|last| last.held_at) != known) =>
            {
                if let Some(last) = &last {
                    tracing::warn!(
                        "publications were held from {} to {}, because {}",
                        last.held_at,
                        last.ended_at,
                        last.because
                    );
                }
                Self::tell_end(last.as_ref());
            }
            _ => {}
        }
        self.known = Some(match hold {
            Some(hold) => Some(hold.held_at),
            None => last.map(|last| last.held_at),
        });
        self.on = hold.cloned();
        Ok(())
    }

    /// Logs the end of a hold that this node has not ended.
    fn tell_end(last: Option<&LastHold>) {
        let by = match last {
            Some(last) if last.is_released => "a person has released the hold",
            _ => "the hold has ended",
        };
        match last.map_or(0, |last| last.not_looked_for) {
            0 => tracing::info!("{by}, and publications go on"),
            left => tracing::warn!(
                left,
                "{by}, and publications go on; not looked for: {}",
                counted(left, "post")
            ),
        }
    }

    /// Logs that the search of a hold has ended it, and which accounts could not be searched.
    pub(super) async fn end(&mut self, app: &App, hold: &Hold, left_to_people: u64) -> Result<(), AppError> {
        self.on = None;
        let left_to_people = counted(left_to_people, "post");
        let until = app.now().plus(app.config.restore_patience);
        let waits = format!("what was not found and is due before {until} waits until then");
        let unsearched = app.store.unsearched_accounts(hold).await?;
        if unsearched.is_empty() {
            match not_looked_for(app).await? {
                0 => tracing::info!(
                    "every post was looked for, and publications go on; left to a person: {left_to_people}; {waits}"
                ),
                left => tracing::warn!(
                    left,
                    "the search has ended, and publications go on; left to a person: {left_to_people}; not looked for: {}; {waits}",
                    counted(left, "post")
                ),
            }
            return Ok(());
        }
        let posts = unsearched.iter().map(|account| account.posts).sum();
        let mut names: Vec<String> = unsearched
            .iter()
            .take(MOST_NAMES)
            .map(|account| {
                let (workspace, id) = (&account.workspace_name, account.workspace);
                format!("{} (workspace {workspace}, {id})", account.name)
            })
            .collect();
        if unsearched.len() > MOST_NAMES {
            names.push("…".to_owned());
        }
        tracing::warn!(
            posts,
            "the search has ended, and publications go on; left to a person: {left_to_people}. {} of {} could not be looked for, and wait \
             for a person or their account: connect again {}; {waits}",
            counted(posts, "post"),
            counted(unsearched.len() as u64, "account"),
            names.join(", ")
        );
        Ok(())
    }

    /// Logs how many posts are left, at most once in `TELL_EVERY`.
    pub(super) async fn progress(&self, app: &App) {
        if !self.may_tell(app.now()) {
            return;
        }
        if let Ok(progress) = app.store.hold_progress().await {
            let left = progress.left;
            tracing::info!(
                left,
                "publications are held: {} still to be looked for",
                counted(left, "post")
            );
        }
    }

    fn may_tell(&self, now: Time) -> bool {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let may = told.is_none_or(|told| now.since(told) >= TELL_EVERY);
        if may {
            *told = Some(now);
        }
        may
    }
}
