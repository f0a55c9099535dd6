//! The counts of recent tries to get in.

use std::net::IpAddr;

use playout_domain::id::UserId;
use playout_domain::time::Time;
use playout_store::{Store, StoreError};

use crate::app::rates::Rates;

/// The recent tries, by what they are counted under.
pub struct Throttle {
    pub(super) addresses: Rates<IpAddr>,
    pub(super) polls: Rates<IpAddr>,
    pub(super) accounts: Rates<[u8; 32]>,
    pub(super) devices: Rates<(UserId, [u8; 16])>,
    pub(super) sessions: Rates<UserId>,
    pub(super) checks: Rates<UserId>,
    pub(super) codes: Rates<UserId>,
    pub(super) taken_answers: Rates<IpAddr>,
    pub(super) setup_codes: Rates<IpAddr>,
    /// How often a node asks the database; no other node counts that.
    pub(super) noticed: Rates<UserId>,
}

impl Default for Throttle {
    fn default() -> Self {
        Self {
            addresses: Rates::of("calls from addresses"),
            polls: Rates::of("polls from addresses"),
            accounts: Rates::of("passwords of accounts"),
            devices: Rates::of("passwords from devices"),
            sessions: Rates::of("passwords in sessions"),
            checks: Rates::of("password checks"),
            codes: Rates::of("codes"),
            taken_answers: Rates::of("taken answers"),
            setup_codes: Rates::of("setup codes"),
            noticed: Rates::of("notices"),
        }
    }
}

impl Throttle {
    /// Adds what this node has counted to what all nodes have.
    pub(in crate::app) async fn share(&self, store: &Store, now: Time) -> Result<(), StoreError> {
        self.addresses.share(store, now).await?;
        self.polls.share(store, now).await?;
        self.accounts.share(store, now).await?;
        self.devices.share(store, now).await?;
        self.sessions.share(store, now).await?;
        self.checks.share(store, now).await?;
        self.codes.share(store, now).await?;
        self.taken_answers.share(store, now).await?;
        self.setup_codes.share(store, now).await
    }
}
