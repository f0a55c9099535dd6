//! The audit trail on the wire (`docs/contract.md#audit-trail`).

use playout_domain::audit::{Action, ActivityEntry, Actor, ActorKind, AuditEntry, PersonalAction};
use playout_domain::id::{AuditId, SessionId};
use playout_domain::time::Time;
use serde::Serialize;
use serde_json::Value;
use utoipa::openapi::schema::Schema;
use utoipa::openapi::{Object, RefOr};
use utoipa::{PartialSchema, ToSchema};
use uuid::Uuid;

use crate::schema::word_of;

/// `{ entries: [...], nextCursor }`
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditList {
    /// Newest first.
    pub entries: Vec<AuditBody>,
    /// The cursor of the next page; `null` on the last.
    #[schema(required)]
    pub next_cursor: Option<String>,
}

/// An entry of the audit trail.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = AuditEntry)]
pub struct AuditBody {
    /// Its ID.
    #[schema(value_type = Uuid)]
    id: AuditId,
    /// Who did it: the user, the key or the operator.
    actor: ActorBody,
    /// The network address it came from.
    #[schema(required)]
    address: Option<String>,
    /// What was done.
    #[schema(schema_with = actions)]
    action: &'static str,
    /// The ID of the object.
    #[schema(required)]
    target: Option<String>,
    /// Further details.
    #[schema(value_type = Option<Object>, required)]
    detail: Option<Value>,
    /// When.
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
}

/// The actor of an entry.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = AuditActor)]
pub struct ActorBody {
    /// A user in a session, a key, or the operator of the service.
    #[schema(schema_with = kinds)]
    kind: &'static str,
    /// The user's or the key's ID.
    #[schema(value_type = Option<Uuid>, required)]
    id: Option<Uuid>,
    /// The user's address or the key's name, as it was then.
    #[schema(required)]
    name: Option<String>,
    /// The session's ID, which gives no access to it.
    #[schema(value_type = Option<Uuid>, required)]
    session_id: Option<SessionId>,
}

/// `{ entries: [...], nextCursor }`
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ActivityList {
    /// Newest first.
    pub entries: Vec<ActivityBody>,
    /// The cursor of the next page; `null` on the last.
    #[schema(required)]
    pub next_cursor: Option<String>,
}

/// An entry of a user's activity.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ActivityEntry)]
pub struct ActivityBody {
    /// Its ID.
    #[schema(value_type = Uuid)]
    id: AuditId,
    /// The user, or the operator of the service. For a failed sign-in: the user whose address was given.
    actor: ActorBody,
    /// The network address it came from; for several failed sign-ins, that of the first.
    #[schema(required)]
    address: Option<String>,
    /// What happened.
    #[schema(schema_with = personal_actions)]
    action: &'static str,
    /// The number of times within the minute. More than one only for failed sign-ins.
    #[schema(minimum = 1)]
    count: u64,
    /// Further details.
    #[schema(value_type = Option<Object>, required)]
    detail: Option<Value>,
    /// When; for several, the first time.
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
}

fn personal_actions() -> Object {
    let words: Vec<&str> = PersonalAction::ALL.iter().map(|action| action.as_str()).collect();
    word_of(&words)
}

/// For the reference: an action to filter by.
pub struct Actions;

impl PartialSchema for Actions {
    fn schema() -> RefOr<Schema> {
        actions().into()
    }
}

impl ToSchema for Actions {}

impl From<Actor> for ActorBody {
    fn from(actor: Actor) -> Self {
        Self {
            kind: actor.kind.as_str(),
            id: actor.id,
            name: actor.name,
            session_id: actor.session,
        }
    }
}

impl From<ActivityEntry> for ActivityBody {
    fn from(entry: ActivityEntry) -> Self {
        Self {
            id: entry.id,
            address: entry.actor.address.clone(),
            actor: entry.actor.into(),
            action: entry.action.as_str(),
            count: entry.count,
            detail: entry.detail,
            created_at: entry.created_at,
        }
    }
}

fn kinds() -> Object {
    word_of(&ActorKind::ALL.map(ActorKind::as_str))
}

fn actions() -> Object {
    let words: Vec<&str> = Action::ALL.iter().map(|action| action.as_str()).collect();
    word_of(&words)
}

impl From<AuditEntry> for AuditBody {
    fn from(entry: AuditEntry) -> Self {
        Self {
            id: entry.id,
            address: entry.actor.address.clone(),
            actor: entry.actor.into(),
            action: entry.action.as_str(),
            target: entry.target,
            detail: entry.detail,
            created_at: entry.created_at,
        }
    }
}
