//! The providers' limits for accounts, and the health of accounts.

use playout_domain::time::Time;
use serde::Deserialize;

/// The limits of an account's provider, and how much of them is used.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AccountUsage {
    /// The platform.
    pub platform_id: String,
    /// Posts published directly in the last 24 hours.
    pub direct_posts: WindowUsage,
    /// Posts that may be unfinished in the creator's inbox.
    pub inbox_shares: WindowUsage,
    /// The provider's restrictions that block posts.
    pub restrictions: Vec<Restriction>,
}

/// How much of a sliding window's limit is used.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WindowUsage {
    /// How many are used.
    pub used: u64,
    /// The approximate limit.
    pub limit: Option<u64>,
}

/// A restriction by the provider that blocks posts to an account.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Restriction {
    /// The provider's code.
    pub code: String,
    /// When a post next tries whether it still applies.
    pub next_try_at: Option<Time>,
}

/// A warning about a possible problem of a post.
#[derive(Debug, Clone, Deserialize)]
pub struct Warning {
    /// The code for programs.
    pub code: String,
    /// The message for people.
    pub message: String,
}

/// The health of an account.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PlatformHealth {
    /// `ok`, `degraded`, `blocked`, or a value that a later version adds.
    pub verdict: String,
    /// The state of its access token.
    pub token: TokenHealth,
    /// The permissions that its owner granted.
    pub scopes: Vec<ScopeHealth>,
    /// The provider's limits.
    pub limits: AccountLimits,
    /// Its problems.
    pub problems: Vec<HealthProblem>,
    /// The result of calling the provider.
    pub refresh: Option<HealthRefresh>,
}

/// The state of an account's access token.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TokenHealth {
    /// `valid`, `failing`, `expired`, `reconnect`.
    pub state: String,
    /// When it expires.
    pub expires_at: Option<Time>,
    /// When the next renewal is attempted.
    pub next_renewal_at: Option<Time>,
}

/// A permission.
#[derive(Debug, Clone, Deserialize)]
pub struct ScopeHealth {
    /// The provider's name of it.
    pub scope: String,
    /// Whether it was granted.
    pub granted: bool,
}

/// The provider's limits for an account.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AccountLimits {
    /// Posts submitted in the last minute.
    pub hand_overs: WindowUsage,
    /// Posts published directly in the last 24 hours.
    pub direct_posts: WindowUsage,
    /// Posts that may be unfinished in the creator's inbox.
    pub inbox_shares: WindowUsage,
}

/// A problem of an account.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HealthProblem {
    /// Its code.
    pub code: String,
    /// `degraded` or `blocked`.
    pub effect: String,
    /// The problem, and what to do.
    pub message: String,
    /// `user`, `operator` or `nobody`.
    pub who_acts: String,
}

/// The result of calling the provider.
#[derive(Debug, Clone, Deserialize)]
pub struct HealthRefresh {
    /// Whether it responded.
    pub answered: bool,
    /// Why it did not.
    pub message: Option<String>,
}
