//! Workspaces, their people, and the plans that limit what they may do.

use serde::Deserialize;

use crate::id::{UserId, WorkspaceId};
use crate::lateness::LatenessPolicy;
use crate::rate::Rate;
use crate::time::Time;
use crate::zone::Zone;

/// What a member may do (`docs/contract.md#roles`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// Everything.
    Owner,
    /// Everything but deleting the workspace and deciding about owners.
    Admin,
    /// Posts and media.
    Member,
}

impl Role {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Owner, Self::Admin, Self::Member];

    /// The word on the wire and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Admin => "admin",
            Self::Member => "member",
        }
    }

    /// Whether this role may do everything that `other` may do.
    pub const fn covers(self, other: Self) -> bool {
        self.rank() >= other.rank()
    }

    /// Whether this role may give `other`, take it away, or remove a member who has it.
    pub const fn manages(self, other: Self) -> bool {
        self.covers(Self::Admin) && self.covers(other)
    }

    const fn rank(self) -> u8 {
        match self {
            Self::Owner => 2,
            Self::Admin => 1,
            Self::Member => 0,
        }
    }

    /// The role of that word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.as_str() == word)
    }
}

/// A workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Workspace {
    /// Its identifier.
    pub id: WorkspaceId,
    /// Its name.
    pub name: String,
    /// The name of its plan.
    pub plan: String,
    /// In which its people read and write times.
    pub time_zone: Zone,
    /// What is done with its posts that are found overdue.
    pub lateness_policy: LatenessPolicy,
    /// When it was made.
    pub created_at: Time,
}

/// A person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// Their identifier.
    pub id: UserId,
    /// Their address, lower case.
    pub email: String,
    /// Their name.
    pub name: Option<String>,
    /// Whether a mail to the address has reached them, or the operator vouches for it.
    pub email_verified: bool,
    /// When they signed up.
    pub created_at: Time,
}

/// How much a workspace may do; an absent limit is no limit (`docs/contract.md#plans`).
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Root posts entering QUEUE in a calendar month (UTC).
    pub posts_per_month: Option<u64>,
    /// Connected accounts.
    pub connected_accounts: Option<u64>,
    /// Bytes of media.
    pub storage_bytes: Option<u64>,
    /// AI credits in a calendar month (UTC).
    pub ai_credits_per_month: Option<u64>,
    /// The largest video in bytes.
    pub max_video_bytes: Option<u64>,
    /// How often each of its keys may call; absent: the default rate.
    pub rate_limit: Option<Rate>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_decides_about_those_above_them_and_members_about_nobody() {
        let managed = |role: Role| Role::ALL.map(|other| role.manages(other));
        assert_eq!(managed(Role::Owner), [true, true, true]);
        assert_eq!(managed(Role::Admin), [false, true, true]);
        assert_eq!(managed(Role::Member), [false, false, false]);
    }

    #[test]
    fn each_role_covers_itself_and_those_below() {
        let covered = |role: Role| Role::ALL.map(|other| role.covers(other));
        assert_eq!(covered(Role::Owner), [true, true, true]);
        assert_eq!(covered(Role::Admin), [false, true, true]);
        assert_eq!(covered(Role::Member), [false, false, true]);
    }
}
