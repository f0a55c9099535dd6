//! The health of an account, on the wire.

use playout_domain::explanation::WhoActs;
use playout_domain::id::PlatformId;
use playout_domain::time::Time;
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;
use utoipa::openapi::Object;

use crate::limits::{RestrictionBody, WindowBody, who_acts};
use crate::schema::word_of;

/// Whether an account can be posted to, what prevents it, and who can act on that.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PlatformHealth)]
pub struct HealthBody {
    /// The platform.
    #[schema(value_type = Uuid)]
    pub platform_id: PlatformId,
    /// `ok`; `degraded`: a problem needs care, or some posts wait; `blocked`: no post can be published to it at the moment.
    #[schema(schema_with = verdicts)]
    pub verdict: &'static str,
    /// When this was determined.
    #[schema(value_type = String, format = DateTime)]
    pub checked_at: Time,
    /// The state of the access token.
    pub token: TokenBody,
    /// The requested permissions, and whether the user granted each.
    pub scopes: Vec<ScopeBody>,
    /// The provider's latest data about the account, and when it was read (`refreshedAt`): the keys of the platform's `metadata`.
    #[schema(value_type = Object)]
    pub metadata: Map<String, Value>,
    /// The provider's limits.
    pub limits: LimitsBody,
    /// The provider's restrictions that block posts.
    pub restrictions: Vec<RestrictionBody>,
    /// Every problem, the worst first.
    pub problems: Vec<ProblemBody>,
    /// The result of calling the provider, with `refresh=true`.
    #[schema(required)]
    pub refresh: Option<RefreshBody>,
}

fn verdicts() -> Object {
    word_of(&["ok", "degraded", "blocked"])
}

/// The state of an account's access token.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TokenHealth)]
pub struct TokenBody {
    /// `valid`; `failing`: it works, but the last renewal failed; `expired`: it has expired and is being renewed; `reconnect`:
    /// only a person can renew it.
    #[schema(schema_with = token_states)]
    pub state: &'static str,
    /// When it expires.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    pub expires_at: Option<Time>,
    /// When the refresh token expires.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    pub refresh_expires_at: Option<Time>,
    /// When it was last renewed, or granted.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    pub renewed_at: Option<Time>,
    /// When the next renewal is attempted.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    pub next_renewal_at: Option<Time>,
    /// How many renewals in a row have failed.
    pub failed_renewals: u32,
}

/// The states of an access token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenWord {
    /// It works.
    Valid,
    /// It works, but the last renewal failed.
    Failing,
    /// It has expired.
    Expired,
    /// Only a person can renew it.
    Reconnect,
}

impl TokenWord {
    const ALL: [Self; 4] = [Self::Valid, Self::Failing, Self::Expired, Self::Reconnect];

    /// The word in responses.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Failing => "failing",
            Self::Expired => "expired",
            Self::Reconnect => "reconnect",
        }
    }
}

fn token_states() -> Object {
    word_of(&TokenWord::ALL.map(TokenWord::as_str))
}

/// A permission of the account.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ScopeHealth)]
pub struct ScopeBody {
    /// The provider's name of it.
    pub scope: String,
    /// Whether the user granted it.
    pub granted: bool,
    /// What it allows this service to do.
    pub meaning: &'static str,
    /// What does not work without it.
    pub without: &'static str,
}

/// The provider's limits for an account, and how much of them is used.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = AccountLimits)]
pub struct LimitsBody {
    /// Posts submitted in the last minute.
    pub hand_overs: WindowBody,
    /// Posts published without the creator's help in the last 24 hours.
    pub direct_posts: WindowBody,
    /// Posts of the last 24 hours that may still be unfinished in the creator's inbox.
    pub inbox_shares: WindowBody,
}

/// A problem of an account.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = HealthProblem)]
pub struct ProblemBody {
    /// The code, of the provider or of this service; stable.
    pub code: String,
    /// `blocked`: it prevents publishing; `degraded`: it needs care, or soon will.
    #[schema(schema_with = effects)]
    pub effect: &'static str,
    /// The problem, who must act, and what to do.
    pub message: String,
    /// Who can act on it.
    #[schema(schema_with = who_acts)]
    pub who_acts: &'static str,
}

fn effects() -> Object {
    word_of(&["degraded", "blocked"])
}

impl ProblemBody {
    /// A problem that prevents publishing, or does not.
    pub fn new(code: &str, blocks: bool, who_acts: WhoActs, message: String) -> Self {
        Self {
            code: code.to_owned(),
            effect: if blocks { "blocked" } else { "degraded" },
            message,
            who_acts: who_acts.as_str(),
        }
    }

    /// Whether it prevents publishing.
    pub fn blocks(&self) -> bool {
        self.effect == "blocked"
    }
}

/// The result of calling the provider.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = HealthRefresh)]
pub struct RefreshBody {
    /// Whether it responded.
    pub answered: bool,
    /// The code of why it did not respond, or was not called.
    #[schema(required)]
    pub code: Option<String>,
    /// The same as a message for people.
    #[schema(required)]
    pub message: Option<String>,
}
