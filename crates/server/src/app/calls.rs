//! Counts the calls of keys and of people in their sessions.

use playout_domain::id::{KeyId, UserId};
use playout_domain::rate::{Rate, Taken};

use super::App;
use super::rates::Counted;

impl App {
    /// Counts a call with this key of a workspace on this plan; `None` where nothing is limited.
    pub fn take_call(&self, key: KeyId, plan: &str) -> Option<(Rate, Taken)> {
        let everybody = self.config.rate_limit?;
        let rate = self.plan_of(plan).rate_limit.unwrap_or(everybody);
        Some((rate, self.rates.take(Counted::Key(key), rate, self.now())))
    }

    /// Counts a call in a session of this user, at the rate of sessions: the user's workspaces may be on any plan.
    pub fn take_call_in_session(&self, user: UserId) -> Option<(Rate, Taken)> {
        let rate = self.config.session_rate_limit?;
        Some((rate, self.rates.take(Counted::User(user), rate, self.now())))
    }
}
