//! A workspace's use of its plan, on the wire (`docs/contract.md#usage`). A `limit` of `null` means unlimited.

use playout_domain::time::Time;
use serde::Serialize;
use utoipa::ToSchema;

use crate::limits::AccountUsageBody;

/// The response of `GET /usage`.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Usage)]
pub struct UsageBody {
    /// The plan's name.
    pub plan: String,
    /// The calendar month (UTC) in which posts and AI credits are counted.
    pub month: MonthBody,
    /// Posts that entered QUEUE this month.
    pub posts: CountBody,
    /// Media, including uploads in progress.
    pub storage: StorageBody,
    /// Connected accounts, disabled ones included.
    pub platforms: CountBody,
    /// AI credits spent this month.
    pub ai_credits: CountBody,
    /// The largest video, in bytes.
    #[schema(required)]
    pub max_video_bytes: Option<u64>,
    /// The provider limits of the connected accounts, by ID; accounts that cannot be posted to included.
    pub accounts: Vec<AccountUsageBody>,
}

/// A calendar month.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Month)]
pub struct MonthBody {
    /// Its first instant.
    #[schema(value_type = String, format = DateTime)]
    pub start: Time,
    /// The first instant of the next, at which the counts start again.
    #[schema(value_type = String, format = DateTime)]
    pub resets_at: Time,
}

/// A count and its limit.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Count)]
pub struct CountBody {
    /// The number used.
    pub used: u64,
    /// The limit.
    #[schema(required)]
    pub limit: Option<u64>,
}

/// An amount of bytes and its limit.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Storage)]
pub struct StorageBody {
    /// The bytes used.
    pub used_bytes: u64,
    /// The limit.
    #[schema(required)]
    pub limit_bytes: Option<u64>,
}
