//! What is used of the plan.

use playout_domain::time::Time;
use serde::Deserialize;

use super::health::AccountUsage;

/// What a workspace has used of its plan.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// The plan's name.
    pub plan: String,
    /// The month in which posts and credits are counted.
    pub month: Month,
    /// Posts of this month.
    pub posts: Count,
    /// Bytes kept.
    pub storage: Storage,
    /// Connected accounts.
    pub platforms: Count,
    /// AI credits of this month.
    pub ai_credits: Count,
    /// What their providers allow the accounts.
    #[serde(default)]
    pub accounts: Vec<AccountUsage>,
}

/// A calendar month.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Month {
    /// When the counts begin anew.
    pub resets_at: Time,
}

/// How many are used, of how many; no limit is `None`.
#[derive(Debug, Clone, Deserialize)]
pub struct Count {
    /// How many are used.
    pub used: u64,
    /// How many there may be.
    pub limit: Option<u64>,
}

/// How many bytes are used, of how many; no limit is `None`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Storage {
    /// How many are used.
    pub used_bytes: u64,
    /// How many there may be.
    pub limit_bytes: Option<u64>,
}
