//! A workspace's use of its plan.

use playout_domain::time::Time;
use serde::Deserialize;

use super::health::AccountUsage;

/// A workspace's use of its plan.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// The plan's name.
    pub plan: String,
    /// The month in which posts and credits are counted.
    pub month: Month,
    /// Posts of this month.
    pub posts: Count,
    /// Bytes stored.
    pub storage: Storage,
    /// Connected accounts.
    pub platforms: Count,
    /// AI credits of this month.
    pub ai_credits: Count,
    /// The providers' limits for the accounts.
    #[serde(default)]
    pub accounts: Vec<AccountUsage>,
}

/// A calendar month.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Month {
    /// When the counts start again.
    pub resets_at: Time,
}

/// A count and its limit; `None` is unlimited.
#[derive(Debug, Clone, Deserialize)]
pub struct Count {
    /// The number used.
    pub used: u64,
    /// The limit.
    pub limit: Option<u64>,
}

/// An amount of bytes and its limit; `None` is unlimited.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Storage {
    /// The bytes used.
    pub used_bytes: u64,
    /// The limit.
    pub limit_bytes: Option<u64>,
}
