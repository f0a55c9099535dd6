//! Users in a session, and the keys they create.

use playout_domain::time::Time;
use serde::Deserialize;

/// A new session.
#[derive(Debug, Clone, Deserialize)]
pub struct SessionBegun {
    /// Its token.
    pub token: String,
    /// The user's workspaces.
    pub organizations: Vec<Organization>,
}

/// A workspace, as one of its members sees it.
#[derive(Debug, Clone, Deserialize)]
pub struct Organization {
    /// Its ID.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The user's role in it: `owner`, `admin`, `member`.
    pub role: String,
}

/// `{ keys }`
#[derive(Debug, Clone, Deserialize)]
pub struct KeyList {
    /// Those that are not revoked, oldest first.
    pub keys: Vec<Key>,
}

/// `{ revoked }`
#[derive(Debug, Clone, Deserialize)]
pub struct RevokedKeys {
    /// How many keys were revoked.
    pub revoked: u64,
}

/// An API key, without its secret.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Key {
    /// Its ID.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its last four characters.
    pub last_four: String,
    /// When it was created.
    pub created_at: Time,
    /// When it was last used.
    pub last_used_at: Option<Time>,
    /// When it expires.
    pub expires_at: Option<Time>,
    /// What it may do, with what that includes; `None` from a service without scopes: everything.
    #[serde(default)]
    pub scopes: Option<Vec<String>>,
    /// The accounts that it sees; `None`: all.
    #[serde(default)]
    pub platform_ids: Option<Vec<String>>,
}

/// A new key.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NewKey {
    /// Its ID.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The key itself, returned only here.
    pub key: String,
    /// When it expires.
    pub expires_at: Option<Time>,
    /// As in [`Key`].
    #[serde(default)]
    pub scopes: Option<Vec<String>>,
    /// As in [`Key`].
    #[serde(default)]
    pub platform_ids: Option<Vec<String>>,
}
