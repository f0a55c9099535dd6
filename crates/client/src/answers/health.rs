//! What providers allow accounts, and how accounts stand.

use playout_domain::time::Time;
use serde::Deserialize;

/// What an account's provider allows, and how much of it is used.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AccountUsage {
    /// The platform.
    pub platform_id: String,
    /// Posts published directly in the last 24 hours.
    pub direct_posts: WindowUsage,
    /// Posts that may lie unfinished in the creator's inbox.
    pub inbox_shares: WindowUsage,
    /// What the provider has said that keeps it from posting.
    pub restrictions: Vec<Restriction>,
}

/// How many are used of those that a sliding window allows.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WindowUsage {
    /// How many are used.
    pub used: u64,
    /// About how many there may be.
    pub limit: Option<u64>,
}

/// Something that the provider has said keeps an account from posting.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Restriction {
    /// The provider's code.
    pub code: String,
    /// When a post tries whether it still holds.
    pub next_try_at: Option<Time>,
}

/// What may go otherwise than hoped with a post.
#[derive(Debug, Clone, Deserialize)]
pub struct Warning {
    /// What a program branches on.
    pub code: String,
    /// What a person reads.
    pub message: String,
}

/// How an account stands.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PlatformHealth {
    /// `ok`, `degraded`, `blocked`, or what a later version adds.
    pub verdict: String,
    /// The access to it.
    pub token: TokenHealth,
    /// What its owner granted.
    pub scopes: Vec<ScopeHealth>,
    /// What the provider allows.
    pub limits: AccountLimits,
    /// Everything that is not as it should be.
    pub problems: Vec<HealthProblem>,
    /// What came of asking the provider.
    pub refresh: Option<HealthRefresh>,
}

/// The access to an account.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TokenHealth {
    /// `valid`, `failing`, `expired`, `reconnect`.
    pub state: String,
    /// When it ends.
    pub expires_at: Option<Time>,
    /// When it is renewed next.
    pub next_renewal_at: Option<Time>,
}

/// A permission.
#[derive(Debug, Clone, Deserialize)]
pub struct ScopeHealth {
    /// The provider's word for it.
    pub scope: String,
    /// Whether it was granted.
    pub granted: bool,
}

/// What the provider allows an account.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AccountLimits {
    /// Posts handed over in the last minute.
    pub hand_overs: WindowUsage,
    /// Posts published directly in the last 24 hours.
    pub direct_posts: WindowUsage,
    /// Posts that may lie unfinished in the creator's inbox.
    pub inbox_shares: WindowUsage,
}

/// Something that is not as it should be.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HealthProblem {
    /// Its code.
    pub code: String,
    /// `degraded` or `blocked`.
    pub effect: String,
    /// What it is, and what to do.
    pub message: String,
    /// `user`, `operator` or `nobody`.
    pub who_acts: String,
}

/// What came of asking the provider.
#[derive(Debug, Clone, Deserialize)]
pub struct HealthRefresh {
    /// Whether it answered.
    pub answered: bool,
    /// Why not.
    pub message: Option<String>,
}
