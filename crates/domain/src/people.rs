//! People in workspaces: addresses, members, invitations.

use std::fmt;

use crate::id::{InvitationId, UserId};
use crate::text::is_deceptive;
use crate::time::Time;
use crate::workspace::Role;

/// The longest address that mail can be sent to (RFC 5321 §4.5.3.1.3, without its brackets).
pub const MAX_EMAIL_CHARS: usize = 254;
/// The shortest password.
pub const MIN_PASSWORD_CHARS: usize = 8;
/// The longest password: hashing it must stay cheap next to the hash itself.
pub const MAX_PASSWORD_CHARS: usize = 256;

/// An address of a person, in lower case.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Email(String);

impl Email {
    /// Reads an address; `None` where it cannot be one. White space around it is not part of it.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let (local, domain) = text.rsplit_once('@')?;
        let is_plain = |part: &str| {
            !part.is_empty()
                && !part
                    .chars()
                    .any(|c| c.is_whitespace() || is_deceptive(c) || "<>,;\"@".contains(c))
        };
        let fits = text.chars().count() <= MAX_EMAIL_CHARS;
        (fits && is_plain(local) && is_plain(domain)).then(|| Self(text.to_lowercase()))
    }

    /// The address as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What stands before the `@`.
    pub fn local_part(&self) -> &str {
        self.0.split('@').next().unwrap_or_default()
    }
}

impl fmt::Display for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A person in a workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Who.
    pub user_id: UserId,
    /// Their address.
    pub email: String,
    /// Their name.
    pub name: Option<String>,
    /// What they may do.
    pub role: Role,
    /// When they joined.
    pub joined_at: Time,
}

/// An invitation that was not accepted yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invitation {
    /// Its identifier.
    pub id: InvitationId,
    /// The address that it was sent to.
    pub email: String,
    /// What they will be.
    pub role: Role,
    /// Who sent it, if they are still here.
    pub invited_by: Option<UserId>,
    /// When.
    pub created_at: Time,
    /// Until when it can be accepted.
    pub expires_at: Time,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_kept_in_lower_case_without_the_space_around_it() {
        let email = Email::parse(" Ada.Lovelace+x@Example.ORG ").unwrap();
        assert_eq!(
            (email.as_str(), email.local_part()),
            ("ada.lovelace+x@example.org", "ada.lovelace+x")
        );
    }

    #[test]
    fn what_cannot_be_an_address_is_none() {
        let long = format!("{}@example.org", "a".repeat(250));
        for text in [
            "",
            "ada",
            "@example.org",
            "ada@",
            "a b@example.org",
            "a@b@example.org",
            "a@b\r\nBcc: c@d",
            "<a@b>",
            &long,
        ] {
            assert_eq!(Email::parse(text), None, "{text}");
        }
    }
}
