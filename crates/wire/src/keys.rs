//! API keys on the wire (`docs/contract.md#keys`). The key itself is returned only when it is created.

use playout_domain::error::{Issue, IssueCode};
use playout_domain::id::{KeyId, UserId};
use playout_domain::key::KeyRecord;
use playout_domain::time::Time;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::read::{FieldType, ObjectReader, read_body, schema_of, time, visible_name};

const MAX_NAME_CHARS: usize = 100;

/// A key, without its secret.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Key)]
pub struct KeyBody {
    /// Its ID.
    #[schema(value_type = Uuid)]
    id: KeyId,
    /// Its name.
    name: String,
    /// Its last four characters, to recognize it.
    last_four: String,
    /// The user who created it, if they are still a member.
    #[schema(value_type = Option<Uuid>, required)]
    created_by: Option<UserId>,
    /// When it was created.
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    /// When it was last used, to the minute.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    last_used_at: Option<Time>,
    /// When it expires; `null`: never.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    expires_at: Option<Time>,
}

impl From<KeyRecord> for KeyBody {
    fn from(key: KeyRecord) -> Self {
        Self {
            id: key.id,
            name: key.name,
            last_four: key.last_four,
            created_by: key.created_by,
            created_at: key.created_at,
            last_used_at: key.last_used_at,
            expires_at: key.expires_at,
        }
    }
}

/// `{ keys: [...] }`
#[derive(Debug, Serialize, ToSchema)]
pub struct KeyList {
    /// Those that are not revoked, oldest first.
    pub keys: Vec<KeyBody>,
}

/// A new key.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = NewKey)]
pub struct NewKeyBody {
    /// Its ID.
    #[schema(value_type = Uuid)]
    pub id: KeyId,
    /// Its name.
    pub name: String,
    /// The key itself. Returned only here: only its hash is stored.
    pub key: String,
    /// Its last four characters, to recognize it.
    pub last_four: String,
    /// When it was created.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Time,
    /// When it expires; `null`: never.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    pub expires_at: Option<Time>,
}

/// A request to create a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreateKey {
    /// 1–100 characters, without white space around them.
    pub name: String,
    /// When it expires.
    pub expires_at: Option<Time>,
}

impl CreateKey {
    /// Parses the body. The expiry must be in the future.
    pub fn read(body: &Value, now: Time) -> Result<Self, Vec<Issue>> {
        read_body(body, |reader| Self::fields(reader, now))
    }

    fn fields(reader: &mut ObjectReader<'_>, now: Time) -> Option<Self> {
        reader.about("A key to be.");
        let name = reader.required("name", visible_name(MAX_NAME_CHARS), "The key's name.");
        let in_future = time().then(|at| match at <= now {
            true => Err(IssueCode::Range.with("must be in the future")),
            false => Ok(at),
        });
        let expires_at = reader.optional("expiresAt", in_future, "When it expires; absent: never.");
        Some(Self {
            name: name?,
            expires_at: expires_at?,
        })
    }
}

/// The schemas of the requests.
pub fn request_schemas() -> Vec<(&'static str, Value)> {
    let now = Time::from_secs(0);
    vec![("CreateKey", schema_of(|reader| CreateKey::fields(reader, now)))]
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_key_ends_in_the_future_or_not_at_all() {
        let now = Time::from_secs(1_795_176_000);
        let read = |at: Value| CreateKey::read(&json!({ "name": "CI", "expiresAt": at }), now);
        assert_eq!(read(Value::Null).unwrap().expires_at, None);
        assert!(read(json!("2027-01-01T00:00:00Z")).unwrap().expires_at.is_some());
        for at in ["2026-11-20T12:00:00Z", "tomorrow"] {
            assert_eq!(read(json!(at)).unwrap_err().len(), 1, "{at}");
        }
    }
}
