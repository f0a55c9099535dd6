//! Posts: what a post is, and the states it can be in.
//!
//! "Publishing" is no state: it is a flag of a post in QUEUE, set while a submission of it is open. A post that waits for its account to be
//! connected again keeps it, if its submission is still open.
//!
//! What moves a post from one state to another is elsewhere:
//!
//! - the end of a run, `verdict.rs` ([`Post::apply`]), which the store writes in `delivery/settle.rs`;
//! - a request, under the conditions of the store's statements, `posts/group_changes.rs` and `delivery/mark_published.rs`;
//! - an account that is connected again, enabled or removed, in the same way, `delivery/requeue.rs`;
//! - a late notification of the provider, `delivery/late_publications.rs`, and the search of a hold, `delivery/hold/search.rs`;
//! - comments that are left to a person, `delivery/held_comments.rs`.
//!
//! `docs/states.md` draws the diagram; the rules are in `docs/contract.md#posts`.

use serde_json::{Map, Value};

use crate::audit::Author;
use crate::id::{GroupId, MediaId, PlatformId, PostId};
use crate::media::Media;
use crate::object_text::ObjectText;
use crate::time::Time;

/// The state users see (`docs/contract.md#post-states`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PostState {
    /// Saved, not to be published.
    Draft,
    /// Waits for its time, or is on its way.
    Queue,
    /// The provider has it. Final.
    Published,
    /// A person must do something; `errorText` explains what.
    ActionRequired,
    /// Refused; `errorText` explains why.
    Error,
}

impl PostState {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Draft,
        Self::Queue,
        Self::Published,
        Self::ActionRequired,
        Self::Error,
    ];

    /// The word on the wire and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Draft => "DRAFT",
            Self::Queue => "QUEUE",
            Self::Published => "PUBLISHED",
            Self::ActionRequired => "ACTION_REQUIRED",
            Self::Error => "ERROR",
        }
    }

    /// The state of that word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == word)
    }

    /// Whether a post in this state may be given a new time, or published now (`docs/contract.md#changing-posts`).
    pub const fn may_be_scheduled(self) -> bool {
        !matches!(self, Self::Published)
    }

    /// Whether a post in this state may be changed (`docs/contract.md#changing-posts`).
    pub const fn may_be_edited(self) -> bool {
        matches!(self, Self::Draft | Self::Queue)
    }
}

/// What an ACTION_REQUIRED post waits for. Decides what brings it back (`docs/contract.md#action-required`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Waiting {
    /// The account must be reconnected; reconnecting requeues the post by itself.
    Reconnect,
    /// The post is in the creator's inbox; finishing it there publishes it.
    Inbox,
    /// Only a person can find out whether the provider took it.
    Unconfirmed,
    /// The account is disabled or removed.
    AccountUnavailable,
    /// It was found so long after it was due that a person decides whether it still goes out.
    Overdue,
}

impl Waiting {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Reconnect,
        Self::Inbox,
        Self::Unconfirmed,
        Self::AccountUnavailable,
        Self::Overdue,
    ];

    /// The name in `docs/states.md`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Reconnect => "reconnect",
            Self::Inbox => "inbox",
            Self::Unconfirmed => "unconfirmed",
            Self::AccountUnavailable => "account_unavailable",
            Self::Overdue => "overdue",
        }
    }

    /// The reason of that word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|waiting| waiting.as_str() == word)
    }
}

/// The most media of a post.
pub const MAX_MEDIA: usize = 200;

/// A post of a list.
pub type ListedPost = Post<ObjectText>;

/// A root post or one of its comments (`docs/contract.md#groups`).
#[derive(Debug, Clone, PartialEq)]
pub struct Post<S = Map<String, Value>> {
    /// Its identifier.
    pub id: PostId,
    /// Shared by a root and its comments.
    pub group_id: GroupId,
    /// The root, if this is a comment.
    pub parent_id: Option<PostId>,
    /// The account it goes to.
    pub platform_id: PlatformId,
    /// The caption, or the comment's text.
    pub content: String,
    /// Where it is.
    pub state: PostState,
    /// What it waits for; set exactly when ACTION_REQUIRED.
    pub waiting: Option<Waiting>,
    /// Being handed to the provider, or handed over and not settled: it cannot be changed or deleted now.
    pub publishing: bool,
    /// When it is to go out; `None` for "now" and for drafts without a date.
    pub scheduled_for: Option<Time>,
    /// How long a comment waits after the one before it.
    pub delay_minutes: Option<u32>,
    /// The provider's post ID.
    pub release_id: Option<String>,
    /// The public page.
    pub release_url: Option<String>,
    /// The provider's settings.
    pub settings: S,
    /// Its media, in order.
    pub media_ids: Vec<MediaId>,
    /// What went wrong, and what to do.
    pub error_text: Option<String>,
    /// When it was made.
    pub created_at: Time,
    /// When it last changed.
    pub updated_at: Time,
    /// Who created it; `None` for posts of the operator, and from before this was stored.
    pub created_by: Option<Author>,
    /// Who changed it last; `None` before the first change.
    pub updated_by: Option<Author>,
}

impl<S> Post<S> {
    /// The date by which posts are listed: the planned one, else the day it was made (`docs/contract.md#reading-posts`).
    pub fn effective_at(&self) -> Time {
        self.scheduled_for.unwrap_or(self.created_at)
    }

    /// Whether this is a root rather than a comment.
    pub fn is_root(&self) -> bool {
        self.parent_id.is_none()
    }
}

/// A root and its comments, in order (`docs/contract.md#groups`).
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// The root.
    pub root: Post,
    /// Its comments, first to last.
    pub children: Vec<Post>,
}

/// The content for one account: the part of a post that a provider judges.
#[derive(Debug, Clone)]
pub struct Draft {
    /// The caption.
    pub content: String,
    /// The media in order, looked up.
    pub media: Vec<Media>,
    /// The post's own settings over the account's defaults.
    pub settings: Map<String, Value>,
    /// Its comments.
    pub comments: Vec<CommentDraft>,
}

/// A comment that is to follow.
#[derive(Debug, Clone)]
pub struct CommentDraft {
    /// Its text.
    pub content: String,
    /// How long it waits after the one before it.
    pub delay_minutes: Option<u32>,
    /// Provider settings of its own.
    pub settings: Map<String, Value>,
    /// Media of its own.
    pub media: Vec<MediaId>,
}

/// The post's own settings over the account's defaults (`docs/contract.md#settings`). A `null` does not override.
pub fn effective_settings(defaults: &Map<String, Value>, own: &Map<String, Value>) -> Map<String, Value> {
    let mut settings = defaults.clone();
    let given = own.iter().filter(|(_, value)| !value.is_null());
    settings.extend(given.map(|(key, value)| (key.clone(), value.clone())));
    settings
}
