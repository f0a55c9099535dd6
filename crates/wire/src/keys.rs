//! API keys on the wire (`docs/contract.md#keys`). The key itself is returned only when it is created.

use playout_domain::access::{Accounts, KeyAccess, Scope, Scopes};
use playout_domain::error::{Issue, IssueCode};
use playout_domain::id::{KeyId, PlatformId, UserId, WorkspaceId};
use playout_domain::key::KeyRecord;
use playout_domain::time::Time;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::read::{FieldType, ObjectReader, nonempty_ids, read_body, schema_of, time, visible_name, words};

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
    /// What it may do, with what that includes.
    #[schema(value_type = Vec<ScopeName>)]
    scopes: Vec<&'static str>,
    /// The accounts that it sees; `null`: all.
    #[schema(value_type = Option<Vec<Uuid>>, required)]
    platform_ids: Option<Vec<PlatformId>>,
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
            scopes: scope_names(key.access.scopes),
            platform_ids: key.access.accounts.only().map(<[_]>::to_vec),
        }
    }
}

/// What a key may do: `publish` includes `drafts`, and these and `media` include `read`.
#[derive(ToSchema)]
#[schema(as = Scope)]
#[serde(rename_all = "lowercase")]
pub enum ScopeName {
    /// Reading everything, validating and previewing.
    Read,
    /// Changing media, making slides.
    Media,
    /// Creating, editing and deleting drafts.
    Drafts,
    /// Everything about posts.
    Publish,
    /// Changing accounts.
    Platforms,
    /// Everything about webhooks.
    Webhooks,
}

/// The scopes as the API lists them.
pub fn scope_names(scopes: Scopes) -> Vec<&'static str> {
    scopes.iter().map(Scope::as_str).collect()
}

/// `{ keys: [...] }`
#[derive(Debug, Serialize, ToSchema)]
pub struct KeyList {
    /// Those that are not revoked, oldest first.
    pub keys: Vec<KeyBody>,
}

/// `{ revoked }`
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RevokedKeys)]
pub struct RevokedKeysBody {
    /// How many keys were revoked.
    pub revoked: u64,
}

/// The key of a request.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = OwnKey)]
pub struct OwnKeyBody {
    /// Its ID.
    #[schema(value_type = Uuid)]
    id: KeyId,
    /// Its name.
    name: String,
    /// The workspace that it opens.
    #[schema(value_type = Uuid)]
    organization_id: WorkspaceId,
    /// What it may do, with what that includes.
    #[schema(value_type = Vec<ScopeName>)]
    scopes: Vec<&'static str>,
    /// The accounts that it sees; `null`: all.
    #[schema(value_type = Option<Vec<Uuid>>, required)]
    platform_ids: Option<Vec<PlatformId>>,
    /// When it expires; `null`: never.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    expires_at: Option<Time>,
}

impl OwnKeyBody {
    /// A key of a workspace, to its holder.
    pub fn new(key: &KeyRecord, workspace: WorkspaceId) -> Self {
        Self {
            id: key.id,
            name: key.name.clone(),
            organization_id: workspace,
            scopes: scope_names(key.access.scopes),
            platform_ids: key.access.accounts.only().map(<[_]>::to_vec),
            expires_at: key.expires_at,
        }
    }
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
    /// What it may do, with what that includes.
    #[schema(value_type = Vec<ScopeName>)]
    pub scopes: Vec<&'static str>,
    /// The accounts that it sees; `null`: all.
    #[schema(value_type = Option<Vec<Uuid>>, required)]
    pub platform_ids: Option<Vec<PlatformId>>,
}

impl NewKeyBody {
    /// The key with what is stored of it.
    pub fn new(record: KeyRecord, key: String) -> Self {
        Self {
            id: record.id,
            name: record.name,
            key,
            last_four: record.last_four,
            created_at: record.created_at,
            expires_at: record.expires_at,
            scopes: scope_names(record.access.scopes),
            platform_ids: record.access.accounts.only().map(<[_]>::to_vec),
        }
    }
}

/// What a request grants to a key.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GrantFields {
    /// The scopes that it names.
    pub scopes: Option<Scopes>,
    /// The accounts that it names.
    pub platform_ids: Option<Vec<PlatformId>>,
    /// When the key expires.
    pub expires_at: Option<Time>,
}

impl GrantFields {
    /// Nothing: everything that is asked for is granted, for ever.
    pub const NONE: Self = Self {
        scopes: None,
        platform_ids: None,
        expires_at: None,
    };

    pub(crate) fn read(reader: &mut ObjectReader<'_>, now: Time, otherwise: &'static str) -> Option<Self> {
        const NAMES: [(&str, Scope); Scope::ALL.len()] = scopes_by_name();
        let about_scopes = format!(
            "What the key may do; absent: {otherwise}. `publish` includes `drafts`, and these and `media` include `read`. `webhooks` does not \
             go together with `platformIds`, because a webhook reports on every account."
        );
        let scopes = reader.optional("scopes", words(&NAMES), &about_scopes);
        let about_accounts = "The accounts of the workspace that the key sees, with their posts; absent: all, also those that are connected later.";
        let platform_ids = reader.optional("platformIds", nonempty_ids(), about_accounts);
        let in_future = time().then(|at| match at <= now {
            true => Err(IssueCode::Range.with("must be in the future")),
            false => Ok(at),
        });
        let expires_at = reader.optional("expiresAt", in_future, "When the key expires; absent: never.");
        let scopes: Option<Scopes> = scopes?.map(|scopes| scopes.into_iter().collect());
        let platform_ids: Option<Vec<PlatformId>> = platform_ids?;
        if platform_ids.is_some() && scopes.is_some_and(|scopes| scopes.allow(Scope::Webhooks)) {
            let message = "must not have webhooks beside platformIds: a webhook reports on every account";
            return reader.refuse("scopes", IssueCode::Conflict.with(message));
        }
        Some(Self {
            scopes,
            platform_ids,
            expires_at: expires_at?,
        })
    }

    /// What the key may do; it was asked for `asked`.
    pub fn access(&self, asked: Scopes) -> KeyAccess {
        let scopes = self.scopes.unwrap_or(asked);
        match &self.platform_ids {
            None => KeyAccess {
                scopes,
                accounts: Accounts::All,
            },
            Some(accounts) => KeyAccess {
                scopes: scopes.without(Scope::Webhooks),
                accounts: Accounts::Only(accounts.clone()),
            },
        }
    }
}

const fn scopes_by_name() -> [(&'static str, Scope); Scope::ALL.len()] {
    let mut names = [("", Scope::Read); Scope::ALL.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = (Scope::ALL[index].as_str(), Scope::ALL[index]);
        index += 1;
    }
    names
}

/// A request to create a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreateKey {
    /// 1–100 characters, without white space around them.
    pub name: String,
    /// What it grants.
    pub grant: GrantFields,
}

impl CreateKey {
    /// Parses the body. The expiry must be in the future.
    pub fn read(body: &Value, now: Time) -> Result<Self, Vec<Issue>> {
        read_body(body, |reader| Self::fields(reader, now))
    }

    fn fields(reader: &mut ObjectReader<'_>, now: Time) -> Option<Self> {
        reader.about("A key to be.");
        let name = reader.required("name", visible_name(MAX_NAME_CHARS), "The key's name.");
        let grant = GrantFields::read(reader, now, "everything");
        // A restriction that is misspelt would make a key that may do more.
        reader.refuse_others(&["name", "scopes", "platformIds", "expiresAt"]);
        Some(Self {
            name: name?,
            grant: grant?,
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
        assert_eq!(read(Value::Null).unwrap().grant.expires_at, None);
        assert!(
            read(json!("2027-01-01T00:00:00Z"))
                .unwrap()
                .grant
                .expires_at
                .is_some()
        );
        for at in ["2026-11-20T12:00:00Z", "tomorrow"] {
            assert_eq!(read(json!(at)).unwrap_err().len(), 1, "{at}");
        }
    }

    #[test]
    fn a_key_is_granted_what_it_is_asked_for_and_webhooks_only_with_every_account() {
        let account = json!("0196f3a0-7c1e-7d3a-9b5e-000000000001");
        let read = |mut body: Value| {
            body["name"] = "CI".into();
            CreateKey::read(&body, Time::from_secs(0)).map(|key| key.grant.access(Scopes::ALL))
        };
        assert_eq!(read(json!({})).unwrap(), KeyAccess::FULL);
        let narrow = read(json!({ "scopes": ["publish", "webhooks"] })).unwrap();
        assert_eq!(narrow.scopes.words(), "read drafts publish webhooks");
        let one = read(json!({ "platformIds": [account] })).unwrap();
        assert_eq!(one.scopes.words(), "read media drafts publish platforms");
        assert_eq!(one.accounts.only().unwrap().len(), 1);
        for refused in [
            json!({ "scopes": ["webhooks"], "platformIds": [account] }),
            json!({ "scopes": [] }),
            json!({ "scopes": ["write"] }),
            json!({ "scopes": ["read", "read"] }),
            json!({ "scopes": "read" }),
            json!({ "platformIds": [] }),
            json!({ "platformIds": ["x"] }),
            json!({ "scope": "read" }),
            json!({ "platforms": [account] }),
        ] {
            assert_eq!(read(refused.clone()).unwrap_err().len(), 1, "{refused}");
        }
    }
}
