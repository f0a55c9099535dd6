//! The audit trail: who did what to a workspace, from where. Entries are only ever added.

use serde_json::Value;
use uuid::Uuid;

use crate::change::Noun;
use crate::id::{AuditId, SessionId};
use crate::time::Time;

/// What kind of caller acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActorKind {
    /// A person, in a session.
    User,
    /// A program, with a key.
    Key,
    /// The operator of the service.
    System,
}

impl ActorKind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::User, Self::Key, Self::System];

    /// The word on the wire and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Key => "key",
            Self::System => "system",
        }
    }

    /// The kind of that word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

/// Who acts, and from where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Actor {
    /// What kind.
    pub kind: ActorKind,
    /// The user's or the key's identifier; none for the operator.
    pub id: Option<Uuid>,
    /// The user's address or the key's name, as it was then.
    pub name: Option<String>,
    /// The session they acted in.
    pub session: Option<SessionId>,
    /// The network address they came from.
    pub address: Option<String>,
}

impl Actor {
    /// The operator, at the machine itself.
    pub const fn operator() -> Self {
        Self {
            kind: ActorKind::System,
            id: None,
            name: None,
            session: None,
            address: None,
        }
    }
}

macro_rules! actions {
    ($($name:ident = $word:literal: $meaning:literal;)*) => {
        /// What was done.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Action {
            $(#[doc = $meaning] $name,)*
        }

        impl Action {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// The word on the wire and in the database.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $word,)*
                }
            }
        }
    };
}

actions! {
    WorkspaceCreated = "workspace.created": "The workspace was made.";
    WorkspaceRenamed = "workspace.renamed": "The workspace got another name.";
    WorkspaceTimeZoneChanged = "workspace.time_zone_changed": "The workspace got another time zone.";
    MemberJoined = "member.joined": "Somebody accepted an invitation.";
    MemberRoleChanged = "member.role_changed": "A member got another role.";
    MemberRemoved = "member.removed": "A member was removed.";
    MemberLeft = "member.left": "A member left.";
    InvitationCreated = "invitation.created": "Somebody was invited.";
    InvitationRevoked = "invitation.revoked": "An invitation was taken back.";
    KeyCreated = "key.created": "An API key was made.";
    KeyRevoked = "key.revoked": "An API key was ended.";
    PlatformConnected = "platform.connected": "An account was connected.";
    PlatformReconnected = "platform.reconnected": "An account that had been connected before was connected again.";
    PlatformDisabled = "platform.disabled": "An account was switched off.";
    PlatformEnabled = "platform.enabled": "An account was switched on again.";
    PlatformSettingsChanged = "platform.settings_changed": "An account got other defaults.";
    PlatformDisconnected = "platform.disconnected": "An account was removed, and its access is given back.";
    PostMarkedPublished = "post.marked_published": "Somebody said that a post is out, of which that was not known.";
    PostPublishedAgain = "post.published_again": "Somebody sent a post again of which it was unknown whether it is out.";
    WebhookCreated = "webhook.created": "A webhook was made.";
    WebhookChanged = "webhook.changed": "A webhook got another address or other events, or was switched on or off.";
    WebhookSecretRotated = "webhook.secret_rotated": "A webhook got another secret.";
    WebhookDisabled = "webhook.disabled": "A webhook was switched off, because its receiver is gone or took nothing for three days.";
    WebhookDeleted = "webhook.deleted": "A webhook was removed.";
    WebhookHandedOver = "webhook.handed_over": "The member who knew a webhook's secret lost access; the workspace keeps the webhook.";
    DeviceApproved = "device.approved": "A program was let in; its key is made when it asks next.";
}

impl Action {
    /// The action of that word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|action| action.as_str() == word)
    }

    /// What it changes, as those see it who look at the workspace.
    pub const fn noun(self) -> Noun {
        match self {
            Self::WorkspaceCreated
            | Self::WorkspaceRenamed
            | Self::WorkspaceTimeZoneChanged
            | Self::MemberJoined
            | Self::MemberRoleChanged
            | Self::MemberRemoved
            | Self::MemberLeft
            | Self::InvitationCreated
            | Self::InvitationRevoked => Noun::Member,
            Self::KeyCreated | Self::KeyRevoked | Self::DeviceApproved => Noun::Key,
            Self::PlatformConnected
            | Self::PlatformReconnected
            | Self::PlatformDisabled
            | Self::PlatformEnabled
            | Self::PlatformSettingsChanged
            | Self::PlatformDisconnected => Noun::Platform,
            Self::PostMarkedPublished | Self::PostPublishedAgain => Noun::Post,
            Self::WebhookCreated
            | Self::WebhookChanged
            | Self::WebhookSecretRotated
            | Self::WebhookDisabled
            | Self::WebhookDeleted
            | Self::WebhookHandedOver => Noun::Webhook,
        }
    }
}

/// Something done.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditEntry {
    /// Its identifier.
    pub id: AuditId,
    /// Who did it.
    pub actor: Actor,
    /// What.
    pub action: Action,
    /// The identifier of what it was done to.
    pub target: Option<String>,
    /// What else there is to know.
    pub detail: Option<Value>,
    /// When.
    pub created_at: Time,
}
