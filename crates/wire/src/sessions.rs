//! Sessions on the wire.

use playout_domain::id::SessionId;
use playout_domain::time::Time;
use serde::Serialize;
use utoipa::ToSchema;

/// A session of the user.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = OwnSession)]
pub struct OwnSessionBody {
    /// Its ID, which gives no access to it.
    #[schema(value_type = Uuid)]
    pub id: SessionId,
    /// Whether it is the session of this request.
    pub current: bool,
    /// The network address it was begun from.
    #[schema(required)]
    pub address: Option<String>,
    /// The program it was begun with (`User-Agent`): at most 200 characters of it.
    #[schema(required)]
    pub program: Option<String>,
    /// When it began.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Time,
    /// When its use was last recorded. That happens at most once in 24 hours: it may have been used up to a day later.
    #[schema(value_type = String, format = DateTime)]
    pub last_noted_at: Time,
    /// When it ends, unless it is used before.
    #[schema(value_type = String, format = DateTime)]
    pub expires_at: Time,
}

/// `{ sessions: [...] }`
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OwnSessionList)]
pub struct OwnSessionList {
    /// Newest first, at most 100.
    pub sessions: Vec<OwnSessionBody>,
}

/// `{ ended }`
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = EndedSessions)]
pub struct EndedSessionsBody {
    /// How many sessions were ended.
    pub ended: u64,
}
