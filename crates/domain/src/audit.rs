//! The audit trail: who did what to a workspace, from where. Entries are only ever added.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use crate::change::Noun;
use crate::id::{AuditId, SessionId};
use crate::time::Time;

/// What kind of caller acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
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

    /// What a post shows of them; none for the operator.
    pub fn author(&self) -> Option<Author> {
        match self.kind {
            ActorKind::System => None,
            ActorKind::User | ActorKind::Key => Some(Author {
                kind: self.kind,
                id: self.id?,
                name: self.name.clone(),
            }),
        }
    }
}

/// The user or key that created or changed a post. Stored with the post, so that it outlives them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Author {
    /// A user or a key, never the operator.
    pub kind: ActorKind,
    /// The user's or the key's identifier.
    pub id: Uuid,
    /// The user's address or the key's name, as it was then.
    pub name: Option<String>,
}

macro_rules! actions {
    ($(#[$about:meta])* $enum:ident { $($name:ident = $word:literal: $meaning:literal;)* }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $enum {
            $(#[doc = $meaning] $name,)*
        }

        impl $enum {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// The word on the wire and in the database.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $word,)*
                }
            }

            /// The action of that word.
            pub fn parse(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|action| action.as_str() == word)
            }
        }
    };
}

actions! {
    /// What was done to a workspace.
    Action {
        WorkspaceCreated = "workspace.created": "The workspace was made.";
        WorkspaceRenamed = "workspace.renamed": "The workspace got another name.";
        WorkspaceTimeZoneChanged = "workspace.time_zone_changed": "The workspace got another time zone.";
        WorkspaceLatenessPolicyChanged = "workspace.lateness_policy_changed": "The workspace got another rule for overdue posts.";
        WorkspacePlanChanged = "workspace.plan_changed": "The operator put the workspace on another plan.";
        WorkspaceDeleted = "workspace.deleted": "The workspace was deleted. Its trail can be read by the operator for 90 days.";
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
        PostUpdated = "post.updated": "A post got new contents; the detail names the fields.";
        PostScheduled = "post.scheduled": "A post was put in the queue, or got another time; without a time it goes out at once.";
        PostUnscheduled = "post.unscheduled": "A post was taken out of the queue; it is a draft again.";
        PostDeleted = "post.deleted": "A post and its comments were deleted.";
        PostMarkedPublished = "post.marked_published": "Somebody said that a post is out, of which that was not known.";
        PostPublishedAgain = "post.published_again": "Somebody sent a post again of which it was unknown whether it is out.";
        MediaUpdated = "media.updated": "A file was renamed or moved; the detail names the fields.";
        MediaDeleted = "media.deleted": "A file was deleted.";
        FolderCreated = "folder.created": "A folder was made.";
        FolderRenamed = "folder.renamed": "A folder got another name.";
        FolderDeleted = "folder.deleted": "A folder was deleted; its files moved to the root.";
        WebhookCreated = "webhook.created": "A webhook was made.";
        WebhookChanged = "webhook.changed": "A webhook got another address or other events, or was switched on or off.";
        WebhookSecretRotated = "webhook.secret_rotated": "A webhook got another secret.";
        WebhookDisabled = "webhook.disabled": "A webhook was switched off, because its receiver is gone or took nothing for three days.";
        WebhookDeleted = "webhook.deleted": "A webhook was removed.";
        WebhookHandedOver = "webhook.handed_over": "The member who knew a webhook's secret lost access; the workspace keeps the webhook.";
        DeviceApproved = "device.approved": "A program was let in; its key is made when it asks next.";
    }
}

actions! {
    /// What concerns a person and no workspace: how they sign in, and what protects that.
    PersonalAction {
        SignedUp = "signed_up": "The user signed up, and a session began.";
        SignInSucceeded = "sign_in.succeeded": "A session began.";
        SignInFailed = "sign_in.failed": "A wrong password was given for the user's address.";
        SignInCodeFailed = "sign_in.code_failed": "The right password was given, and a wrong code of the second factor.";
        SignedOut = "signed_out": "A session was ended from within.";
        SessionEnded = "session.ended": "A session was ended from the list of sessions.";
        SessionsEnded = "sessions.ended": "All sessions were ended, or all but the one that the user was in.";
        PasswordChanged = "password.changed": "The password was changed; all other sessions ended.";
        PasswordReset = "password.reset": "A password was chosen with a link from a mail; all sessions ended.";
        EmailChanged = "email.changed": "The address was changed; the entry's actor has the old one.";
        NameChanged = "name.changed": "The name was changed.";
        SecondFactorEnabled = "second_factor.enabled": "The second factor was turned on; all other sessions ended.";
        SecondFactorDisabled = "second_factor.disabled": "The second factor was turned off.";
        RecoveryCodesRenewed = "recovery_codes.renewed": "New recovery codes were made.";
        RecoveryCodeUsed = "recovery_code.used": "A recovery code was used in place of a code.";
    }
}

impl Action {
    /// What it changes, as those see it who look at the workspace.
    pub const fn noun(self) -> Noun {
        match self {
            Self::WorkspaceCreated
            | Self::WorkspaceRenamed
            | Self::WorkspaceTimeZoneChanged
            | Self::WorkspaceLatenessPolicyChanged
            | Self::WorkspacePlanChanged
            | Self::WorkspaceDeleted
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
            Self::PostUpdated
            | Self::PostScheduled
            | Self::PostUnscheduled
            | Self::PostDeleted
            | Self::PostMarkedPublished
            | Self::PostPublishedAgain => Noun::Post,
            Self::MediaUpdated
            | Self::MediaDeleted
            | Self::FolderCreated
            | Self::FolderRenamed
            | Self::FolderDeleted => Noun::Media,
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

/// Something that concerns one person, which they alone read.
#[derive(Debug, Clone, PartialEq)]
pub struct ActivityEntry {
    /// Its identifier.
    pub id: AuditId,
    /// The person, or the operator. Of a failed sign-in: the person whose address was entered, even if
    /// another person entered it.
    pub actor: Actor,
    /// What.
    pub action: PersonalAction,
    /// How often within the minute; more than once only for failed sign-ins.
    pub count: u64,
    /// What else there is to know.
    pub detail: Option<Value>,
    /// When, or when the first of several was.
    pub created_at: Time,
}
