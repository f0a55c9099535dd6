//! Posts on the wire (seed, "Post", "Post group"; contract §4).

mod requests;

use playout_domain::error::Refusal;
use playout_domain::id::{GroupId, MediaId, PlatformId, PostId};
use playout_domain::post::{Group, Post};
use playout_domain::time::Time;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::error::ErrorBody;

pub use requests::{Comment, CreatePost, MAX_COMMENTS, Mode, SchedulePost, UpdatePost};

/// A root post or a comment.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PostBody {
    id: PostId,
    group_id: GroupId,
    parent_post_id: Option<PostId>,
    integration_id: PlatformId,
    content: String,
    state: &'static str,
    scheduled_for: Option<Time>,
    delay_in_minutes: Option<u32>,
    release_id: Option<String>,
    release_url: Option<String>,
    settings: Map<String, Value>,
    media_ids: Vec<MediaId>,
    error_text: Option<String>,
    created_at: Time,
    updated_at: Time,
}

impl From<Post> for PostBody {
    fn from(post: Post) -> Self {
        Self {
            id: post.id,
            group_id: post.group_id,
            parent_post_id: post.parent_id,
            integration_id: post.platform_id,
            content: post.content,
            state: post.state.as_str(),
            scheduled_for: post.scheduled_for,
            delay_in_minutes: post.delay_minutes,
            release_id: post.release_id,
            release_url: post.release_url,
            settings: post.settings,
            media_ids: post.media_ids,
            error_text: post.error_text,
            created_at: post.created_at,
            updated_at: post.updated_at,
        }
    }
}

/// `{ root, children }`
#[derive(Debug, Serialize)]
pub struct GroupBody {
    root: PostBody,
    children: Vec<PostBody>,
}

impl From<Group> for GroupBody {
    fn from(group: Group) -> Self {
        Self {
            root: group.root.into(),
            children: group.children.into_iter().map(PostBody::from).collect(),
        }
    }
}

/// `{ posts: [...], nextCursor }`
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PostList {
    /// Root posts by effective date, then ID.
    pub posts: Vec<PostBody>,
    /// What to ask for next, if there is more.
    pub next_cursor: Option<String>,
}

/// `{ results: [...] }`
#[derive(Debug, Serialize)]
pub struct CreateResults {
    /// One for each platform asked for, in that order.
    pub results: Vec<CreateResult>,
}

/// What came of a create request on one platform.
#[derive(Debug, Serialize)]
#[serde(tag = "status", rename_all = "lowercase", rename_all_fields = "camelCase")]
pub enum CreateResult {
    /// It was created.
    Created {
        /// The account.
        platform_id: PlatformId,
        /// The new post and its comments.
        post: Box<GroupBody>,
    },
    /// It was not.
    Failed {
        /// The account.
        platform_id: PlatformId,
        /// Why.
        error: ErrorBody,
    },
}

impl CreateResult {
    /// A failed entry.
    pub fn failed(platform_id: PlatformId, refusal: Refusal) -> Self {
        Self::Failed {
            platform_id,
            error: refusal.into(),
        }
    }

    /// Whether the post was created.
    pub fn is_created(&self) -> bool {
        matches!(self, Self::Created { .. })
    }
}

/// `{ results: [...] }`
#[derive(Debug, Serialize)]
pub struct ValidateResults {
    /// One for each platform asked for, in that order.
    pub results: Vec<ValidateResult>,
}

/// What would come of a create request on one platform.
#[derive(Debug, Serialize)]
#[serde(tag = "status", rename_all = "lowercase", rename_all_fields = "camelCase")]
pub enum ValidateResult {
    /// It would be created.
    Valid {
        /// The account.
        platform_id: PlatformId,
    },
    /// It would not.
    Failed {
        /// The account.
        platform_id: PlatformId,
        /// Why.
        error: ErrorBody,
    },
}

impl ValidateResult {
    /// The entry of an account that takes the post, or does not.
    pub fn new(platform_id: PlatformId, verdict: Result<(), Refusal>) -> Self {
        match verdict {
            Ok(()) => Self::Valid { platform_id },
            Err(refusal) => Self::Failed {
                platform_id,
                error: refusal.into(),
            },
        }
    }
}
