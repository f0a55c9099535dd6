//! API keys on the wire (`docs/contract.md#keys`): all of a key but the key, which is shown once.

use playout_domain::error::Issue;
use playout_domain::id::{KeyId, UserId};
use playout_domain::key::KeyRecord;
use playout_domain::time::Time;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::read::read_body;
use crate::schema;

const MAX_NAME_CHARS: usize = 100;

/// A key, without the key.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Key)]
pub struct KeyBody {
    /// Names it.
    #[schema(value_type = Uuid)]
    id: KeyId,
    /// What it is for.
    name: String,
    /// Its last four characters, to recognise it by.
    last_four: String,
    /// Who made it, if they are still here.
    #[schema(value_type = Option<Uuid>, required)]
    created_by: Option<UserId>,
    /// When it was made.
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    /// When it was last used, to the minute.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    last_used_at: Option<Time>,
    /// When it ends; `null`: it does not.
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
    /// Those that were not revoked, oldest first.
    pub keys: Vec<KeyBody>,
}

/// A key just made.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = NewKey)]
pub struct NewKeyBody {
    /// Names it.
    #[schema(value_type = Uuid)]
    pub id: KeyId,
    /// What it is for.
    pub name: String,
    /// The key itself. Shown this once: only its hash is stored.
    pub key: String,
    /// Its last four characters, to recognise it by.
    pub last_four: String,
    /// When it was made.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Time,
    /// When it ends; `null`: it does not.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    pub expires_at: Option<Time>,
}

/// A request to make a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreateKey {
    /// 1–100 characters, without white space around them.
    pub name: String,
    /// When it ends.
    pub expires_at: Option<Time>,
}

impl CreateKey {
    /// Reads the body. A key that has ended already would be of no use.
    pub fn read(body: &Value, now: Time) -> Result<Self, Vec<Issue>> {
        read_body(body, |reader| {
            let name = reader.visible_name("name", MAX_NAME_CHARS);
            let expires_at = reader.given("expiresAt", |reader| reader.time("expiresAt"));
            if expires_at.flatten().is_some_and(|expires_at| expires_at <= now) {
                reader.problem("expiresAt", "must be in the future");
            }
            Some(Self {
                name: name?,
                expires_at: expires_at?,
            })
        })
    }
}

/// What the reference says of the requests.
pub fn request_schemas() -> Vec<(&'static str, Value)> {
    let properties = json!({
        "name": schema::text("What it is for.", (1, MAX_NAME_CHARS)),
        "expiresAt": schema::nullable(schema::time("When it ends; absent: it does not.")),
    });
    vec![("CreateKey", schema::object("A key to be.", &["name"], properties))]
}

#[cfg(test)]
mod tests {
    use super::*;

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
