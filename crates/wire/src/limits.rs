//! A provider's limits for an account, on the wire: in `GET /usage`, in the health of an account, and as warnings.

use playout_domain::error::PathStep;
use playout_domain::explanation::WhoActs;
use playout_domain::id::PlatformId;
use playout_domain::limits::{Restriction, RestrictionKind, Warning};
use playout_domain::time::Time;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::Object;

use crate::schema::word_of;

/// The limits of an account's provider, and how much of them is used.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = AccountUsage)]
pub struct AccountUsageBody {
    /// The platform.
    #[schema(value_type = Uuid)]
    pub platform_id: PlatformId,
    /// Posts published without the creator's help in the last 24 hours, by this workspace. TikTok varies the limit, and
    /// counts what other apps post.
    pub direct_posts: WindowBody,
    /// Posts of the last 24 hours that may still be unfinished in the creator's inbox.
    pub inbox_shares: WindowBody,
    /// The provider's restrictions that block posts. Posts wait until they end.
    pub restrictions: Vec<RestrictionBody>,
}

/// How much of a sliding window's limit is used.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = WindowUsage)]
pub struct WindowBody {
    /// How many are used.
    pub used: u64,
    /// The approximate limit.
    #[schema(required)]
    pub limit: Option<u32>,
    /// When the oldest of them no longer counts; null if none is used.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    pub resets_at: Option<Time>,
}

/// A restriction by the provider that blocks posts to an account.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Restriction)]
pub struct RestrictionBody {
    /// Its kind.
    #[schema(schema_with = kinds)]
    pub kind: &'static str,
    /// The provider's code.
    pub code: String,
    /// What happened, who must act, and what next.
    pub message: String,
    /// Who can act on it.
    #[schema(schema_with = who_acts)]
    pub who_acts: &'static str,
    /// When the provider first reported it.
    #[schema(value_type = String, format = DateTime)]
    pub since: Time,
    /// When a post next tries whether it still applies; null if no post waits for that.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    pub next_try_at: Option<Time>,
}

fn kinds() -> Object {
    word_of(&RestrictionKind::ALL.map(RestrictionKind::as_str))
}

pub(crate) fn who_acts() -> Object {
    word_of(&WhoActs::ALL.map(WhoActs::as_str))
}

impl RestrictionBody {
    /// The restriction as returned.
    pub fn new(restriction: Restriction, who_acts: WhoActs) -> Self {
        let waits = restriction.kind.is_waited_for();
        Self {
            kind: restriction.kind.as_str(),
            code: restriction.code,
            message: restriction.message,
            who_acts: who_acts.as_str(),
            since: restriction.since,
            next_try_at: waits.then_some(restriction.next_try_at),
        }
    }
}

/// A warning about a possible problem. The post is accepted nevertheless.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Warning)]
pub struct WarningBody {
    /// The code for programs; stable.
    #[schema(value_type = String)]
    pub code: &'static str,
    /// The message for people.
    pub message: String,
    /// Where in the request, for a warning about one place.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Vec<Value>)]
    pub path: Option<Vec<PathStep>>,
    /// What was probably meant there.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String)]
    pub suggestion: Option<&'static str>,
}

impl From<Warning> for WarningBody {
    fn from(warning: Warning) -> Self {
        Self {
            code: warning.code,
            message: warning.message,
            path: warning.path,
            suggestion: warning.suggestion,
        }
    }
}
