//! People in a session, and the keys they make.

use playout_domain::time::Time;
use serde::Deserialize;

/// A session that has just begun.
#[derive(Debug, Clone, Deserialize)]
pub struct SessionBegun {
    /// Opens it.
    pub token: String,
    /// The workspaces they belong to.
    pub organizations: Vec<Organization>,
}

/// A workspace, for somebody who belongs to it.
#[derive(Debug, Clone, Deserialize)]
pub struct Organization {
    /// Names it.
    pub id: String,
    /// Its name.
    pub name: String,
    /// What they may do in it: `owner`, `admin`, `member`.
    pub role: String,
}

/// `{ keys }`
#[derive(Debug, Clone, Deserialize)]
pub struct KeyList {
    /// Those that were not revoked, oldest first.
    pub keys: Vec<Key>,
}

/// An API key, without the key.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Key {
    /// Names it.
    pub id: String,
    /// What it is for.
    pub name: String,
    /// Its last four characters.
    pub last_four: String,
    /// When it was made.
    pub created_at: Time,
    /// When it was last used.
    pub last_used_at: Option<Time>,
    /// When it ends.
    pub expires_at: Option<Time>,
}

/// A key just made.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NewKey {
    /// What it is for.
    pub name: String,
    /// The key itself, shown this once.
    pub key: String,
    /// When it ends.
    pub expires_at: Option<Time>,
}
