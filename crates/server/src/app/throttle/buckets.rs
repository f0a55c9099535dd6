//! The counts of recent tries to get in.

use std::net::IpAddr;

use playout_domain::id::UserId;

use crate::app::rates::Rates;

/// The recent tries, by what they are counted under.
#[derive(Default)]
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
    pub(super) noticed: Rates<UserId>,
}
