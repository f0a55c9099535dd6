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

/// Whether an account can be posted to, what keeps it from that, and who can do what about it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PlatformHealth)]
pub struct HealthBody {
    /// The platform.
    #[schema(value_type = Uuid)]
    pub platform_id: PlatformId,
    /// `ok`; `degraded`: something needs care, or some posts wait; `blocked`: nothing can be posted to it at the moment.
    #[schema(schema_with = verdicts)]
    pub verdict: &'static str,
    /// When this was put together.
    #[schema(value_type = String, format = DateTime)]
    pub checked_at: Time,
    /// The access to the account.
    pub token: TokenBody,
    /// What the user granted, of what was asked for.
    pub scopes: Vec<ScopeBody>,
    /// What the provider last said of the account, and when (`refreshedAt`): the keys of the platform's `metadata`.
    #[schema(value_type = Object)]
    pub metadata: Map<String, Value>,
    /// What the provider allows.
    pub limits: LimitsBody,
    /// What the provider has said that keeps the account from posting.
    pub restrictions: Vec<RestrictionBody>,
    /// Everything that is not as it should be, the worst first.
    pub problems: Vec<ProblemBody>,
    /// What came of asking the provider, where `refresh=true` asked for that.
    #[schema(required)]
    pub refresh: Option<RefreshBody>,
}

fn verdicts() -> Object {
    word_of(&["ok", "degraded", "blocked"])
}

/// The access to an account.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TokenHealth)]
pub struct TokenBody {
    /// `valid`; `failing`: it works, and could not be renewed the last time; `expired`: it is over and is being renewed;
    /// `reconnect`: only a person can renew it.
    #[schema(schema_with = token_states)]
    pub state: &'static str,
    /// When it ends.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    pub expires_at: Option<Time>,
    /// When what renews it ends.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    pub refresh_expires_at: Option<Time>,
    /// When it was last renewed, or granted.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    pub renewed_at: Option<Time>,
    /// When it is renewed next, or tried to be.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    pub next_renewal_at: Option<Time>,
    /// How many tries to renew it have failed in a row.
    pub failed_renewals: u32,
}

/// The states of an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenWord {
    /// It works.
    Valid,
    /// It works, and could not be renewed the last time.
    Failing,
    /// It is over.
    Expired,
    /// Only a person can renew it.
    Reconnect,
}

impl TokenWord {
    const ALL: [Self; 4] = [Self::Valid, Self::Failing, Self::Expired, Self::Reconnect];

    /// The word in answers.
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
    /// The provider's word for it.
    pub scope: String,
    /// Whether the user granted it.
    pub granted: bool,
    /// What it lets this service do.
    pub meaning: &'static str,
    /// What does not work without it.
    pub without: &'static str,
}

/// What the provider allows an account, and how much of it is used.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = AccountLimits)]
pub struct LimitsBody {
    /// Posts handed over in the last minute.
    pub hand_overs: WindowBody,
    /// Posts published without the creator's help in the last 24 hours.
    pub direct_posts: WindowBody,
    /// Posts of the last 24 hours that may still lie unfinished in the creator's inbox.
    pub inbox_shares: WindowBody,
}

/// Something that is not as it should be.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = HealthProblem)]
pub struct ProblemBody {
    /// The provider's code, or ours; stable.
    pub code: String,
    /// `blocked`: it keeps posts from going out; `degraded`: it needs care, or is about to.
    #[schema(schema_with = effects)]
    pub effect: &'static str,
    /// What it is, who must act, and what to do.
    pub message: String,
    /// Who can do something about it.
    #[schema(schema_with = who_acts)]
    pub who_acts: &'static str,
}

fn effects() -> Object {
    word_of(&["degraded", "blocked"])
}

impl ProblemBody {
    /// A problem that keeps posts from going out, or not.
    pub fn new(code: &str, blocks: bool, who_acts: WhoActs, message: String) -> Self {
        Self {
            code: code.to_owned(),
            effect: if blocks { "blocked" } else { "degraded" },
            message,
            who_acts: who_acts.as_str(),
        }
    }

    /// Whether it keeps posts from going out.
    pub fn blocks(&self) -> bool {
        self.effect == "blocked"
    }
}

/// What came of asking the provider.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = HealthRefresh)]
pub struct RefreshBody {
    /// Whether it answered.
    pub answered: bool,
    /// The code of why it did not, or was not asked.
    #[schema(required)]
    pub code: Option<String>,
    /// The same for a person.
    #[schema(required)]
    pub message: Option<String>,
}
