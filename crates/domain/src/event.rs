//! Events: an append-only row per change, written in the transaction of the change. Webhooks read them; no
//! reader writes to them. Open pages of the workspace are notified of a change ([`crate::change`]).

use serde_json::Value;

use crate::change::Noun;
use crate::id::{EventId, WorkspaceId};
use crate::time::Time;

/// What happened. Past tense.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EventKind {
    /// A post was created.
    PostCreated,
    /// A post got new contents, or a draft another planned time.
    PostUpdated,
    /// A post entered QUEUE.
    PostQueued,
    /// A post went from QUEUE back to DRAFT.
    PostUnscheduled,
    /// A post went out.
    PostPublished,
    /// A post ended in ERROR.
    PostFailed,
    /// A post needs a person.
    PostActionRequired,
    /// A post that was out is no longer public.
    PostNoLongerPublic,
    /// A post was deleted.
    PostDeleted,
    /// An account was connected or reconnected.
    PlatformConnected,
    /// An account must be reconnected.
    PlatformRefreshNeeded,
    /// An account was removed.
    PlatformDisconnected,
    /// A media object became READY.
    MediaReady,
    /// A media object will never become READY.
    MediaFailed,
}

impl EventKind {
    /// All of them.
    pub const ALL: &[Self] = &[
        Self::PostCreated,
        Self::PostUpdated,
        Self::PostQueued,
        Self::PostUnscheduled,
        Self::PostPublished,
        Self::PostFailed,
        Self::PostActionRequired,
        Self::PostNoLongerPublic,
        Self::PostDeleted,
        Self::PlatformConnected,
        Self::PlatformRefreshNeeded,
        Self::PlatformDisconnected,
        Self::MediaReady,
        Self::MediaFailed,
    ];

    /// The name on the wire and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::PostCreated => "post.created",
            Self::PostUpdated => "post.updated",
            Self::PostQueued => "post.queued",
            Self::PostUnscheduled => "post.unscheduled",
            Self::PostPublished => "post.published",
            Self::PostFailed => "post.failed",
            Self::PostActionRequired => "post.action_required",
            Self::PostNoLongerPublic => "post.no_longer_public",
            Self::PostDeleted => "post.deleted",
            Self::PlatformConnected => "platform.connected",
            Self::PlatformRefreshNeeded => "platform.refresh_needed",
            Self::PlatformDisconnected => "platform.disconnected",
            Self::MediaReady => "media.ready",
            Self::MediaFailed => "media.failed",
        }
    }

    /// What it is about.
    pub const fn noun(self) -> Noun {
        match self {
            Self::PostCreated
            | Self::PostUpdated
            | Self::PostQueued
            | Self::PostUnscheduled
            | Self::PostPublished
            | Self::PostFailed
            | Self::PostActionRequired
            | Self::PostNoLongerPublic
            | Self::PostDeleted => Noun::Post,
            Self::PlatformConnected | Self::PlatformRefreshNeeded | Self::PlatformDisconnected => {
                Noun::Platform
            }
            Self::MediaReady | Self::MediaFailed => Noun::Media,
        }
    }
}

/// A change that happened.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// Its identifier; later events have later ones.
    pub id: EventId,
    /// Where it happened.
    pub workspace_id: WorkspaceId,
    /// What happened.
    pub kind: String,
    /// What it is about.
    pub payload: Value,
    /// When.
    pub created_at: Time,
}
