//! Identifiers: UUIDv7 (RFC 9562 §5.7), one type per noun, so that one cannot stand for another.

use std::fmt;
use std::str::FromStr;

use uuid::Uuid;

use crate::time::Time;

/// Makes a UUIDv7 from its two ingredients, the time and 80 bits of chance.
pub fn uuid_v7(now: Time, random: [u8; 10]) -> Uuid {
    let millis = u64::try_from(now.as_millis()).unwrap_or(0);
    uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid()
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        impl From<Uuid> for $name {
            fn from(uuid: Uuid) -> Self {
                Self(uuid)
            }
        }

        impl From<$name> for Uuid {
            fn from(id: $name) -> Self {
                id.0
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Uuid::from_str(text).map(Self)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }
    )*};
}

ids! {
    /// A workspace: the one scope of everything ("organization" on the wire).
    WorkspaceId,
    /// A person who signs in.
    UserId,
    /// A workspace's API key.
    KeyId,
    /// A connected account ("integration" in a post on the wire).
    PlatformId,
    /// An uploaded or composed file.
    MediaId,
    /// A folder of media.
    FolderId,
    /// A root post together with its comments.
    GroupId,
    /// A root post or one of its comments.
    PostId,
    /// A unit of work for later.
    JobId,
    /// One try at handing a post to its provider.
    SubmissionId,
    /// A row of the append-only event log.
    EventId,
    /// A device authorization (RFC 8628).
    DeviceId,
    /// A person's session of the dashboard.
    SessionId,
    /// An invitation to a workspace.
    InvitationId,
    /// An entry of the audit trail.
    AuditId,
    /// An address that events are sent to.
    WebhookId,
    /// One event for one webhook.
    DeliveryId,
}
