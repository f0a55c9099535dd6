//! Counts the calls of keys and of people in their sessions, for all nodes.

use playout_domain::id::{KeyId, UserId};
use playout_domain::rate::{Rate, Taken};
use playout_store::StoreError;

use super::App;
use super::rates::Counted;

impl App {
    /// Counts a call with this key of a workspace on this plan; `None` where nothing is limited.
    pub async fn take_call(&self, key: KeyId, plan: &str) -> Option<(Rate, Taken)> {
        let everybody = self.config.rate_limit?;
        let rate = self.plan_of(plan).rate_limit.unwrap_or(everybody);
        let taken = self
            .rates
            .take(&self.store, Counted::Key(key), rate, self.now())
            .await;
        Some((rate, taken))
    }

    /// Counts a call in a session of this user, at the rate of sessions: the user's workspaces may be on any plan.
    pub async fn take_call_in_session(&self, user: UserId) -> Option<(Rate, Taken)> {
        let rate = self.config.session_rate_limit?;
        let taken = self
            .rates
            .take(&self.store, Counted::User(user), rate, self.now())
            .await;
        Some((rate, taken))
    }

    /// Adds what this node has counted to what all nodes have, and notes which streams are open here.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn share_counts(&self) -> Result<(), StoreError> {
        if !self.store.is_shared() {
            return Ok(());
        }
        self.rates.share(&self.store, self.now()).await?;
        self.throttle.share(&self.store, self.now()).await?;
        self.share_streams().await
    }
}
