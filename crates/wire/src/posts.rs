//! Posts on the wire (`docs/contract.md#posts`).

mod batch;
mod fields;
mod requests;

use playout_domain::audit::{ActorKind, Author};
use playout_domain::error::Refusal;
use playout_domain::id::{GroupId, MediaId, PlatformId, PostId};
use playout_domain::limits::Warning;
use playout_domain::post::{Group, Post, PostState};
use playout_domain::time::Time;
use serde::Serialize;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ArrayBuilder, Schema};
use utoipa::{PartialSchema, ToSchema};
use uuid::Uuid;

use crate::error::ErrorBody;
use crate::limits::WarningBody;
use crate::object::JsonObject;
use crate::schema;

pub use batch::{BatchEntry, BatchPostResult, BatchResults, CreateBatch, MAX_BATCH, batch_schema};
pub use fields::fields_of;
pub use requests::{
    Comment, CreatePost, MAX_COMMENTS, MarkPublished, Mode, SchedulePost, UpdatePost, request_schemas,
    schedule_problem,
};

/// A root post or a comment.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Post)]
pub struct PostBody {
    /// Its ID.
    #[schema(value_type = Uuid)]
    id: PostId,
    /// Shared by a root and its comments.
    #[schema(value_type = Uuid)]
    group_id: GroupId,
    /// The root post of a comment; null for a root.
    #[schema(value_type = Option<Uuid>, required)]
    parent_post_id: Option<PostId>,
    /// The platform it is published on.
    #[schema(value_type = Uuid)]
    integration_id: PlatformId,
    /// The caption or body.
    content: String,
    /// Its state.
    #[schema(schema_with = post_states)]
    state: &'static str,
    /// When it is published; the planned date of a draft; null for one published at once.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    scheduled_for: Option<Time>,
    /// The delay of a comment after the one before it, in minutes.
    #[schema(required)]
    delay_in_minutes: Option<u32>,
    /// The provider's ID of the post, once known.
    #[schema(required)]
    release_id: Option<String>,
    /// Its public page, once known; a private post has none.
    #[schema(format = Uri, required)]
    release_url: Option<String>,
    /// Provider-specific settings, as they were given.
    #[schema(value_type = Object)]
    settings: JsonObject,
    /// Its media, in order.
    #[schema(value_type = Vec<Uuid>)]
    media_ids: Vec<MediaId>,
    /// In ACTION_REQUIRED and ERROR: what happened, and what to do. In QUEUE: why it is not published yet.
    #[schema(required)]
    error_text: Option<String>,
    /// When it was created.
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    /// When it last changed.
    #[schema(value_type = String, format = DateTime)]
    updated_at: Time,
    /// The user or key that created it; null if the operator did, and for posts from before this was recorded.
    #[schema(required)]
    created_by: Option<AuthorBody>,
    /// The user or key that last edited, scheduled, published or marked it; null until someone does.
    #[schema(required)]
    updated_by: Option<AuthorBody>,
}

/// A user or an API key, with its name at the time. It may have been deleted since.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Author)]
pub struct AuthorBody {
    /// A user in a session, or a key.
    #[schema(schema_with = author_kinds)]
    kind: &'static str,
    /// The user's or the key's ID.
    id: Uuid,
    /// The user's address or the key's name, as it was then.
    #[schema(required)]
    name: Option<String>,
}

fn author_kinds() -> utoipa::openapi::Object {
    schema::word_of(&[ActorKind::User.as_str(), ActorKind::Key.as_str()])
}

impl From<Author> for AuthorBody {
    fn from(author: Author) -> Self {
        Self {
            kind: author.kind.as_str(),
            id: author.id,
            name: author.name,
        }
    }
}

fn post_states() -> utoipa::openapi::Object {
    schema::word_of(&PostState::ALL.map(PostState::as_str))
}

/// For the reference: states to filter by, at least one.
pub struct States;

impl PartialSchema for States {
    fn schema() -> RefOr<Schema> {
        let states = ArrayBuilder::new().items(post_states()).min_items(Some(1));
        states.into()
    }
}

impl ToSchema for States {}

/// For the reference: the order of a list.
pub struct Order;

impl PartialSchema for Order {
    fn schema() -> RefOr<Schema> {
        schema::word_of(&["asc", "desc"]).into()
    }
}

impl ToSchema for Order {}

impl<S: Into<JsonObject>> From<Post<S>> for PostBody {
    fn from(post: Post<S>) -> Self {
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
            settings: post.settings.into(),
            media_ids: post.media_ids,
            error_text: post.error_text,
            created_at: post.created_at,
            updated_at: post.updated_at,
            created_by: post.created_by.map(AuthorBody::from),
            updated_by: post.updated_by.map(AuthorBody::from),
        }
    }
}

/// `{ root, children }`
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PostGroup)]
pub struct GroupBody {
    /// The post.
    root: PostBody,
    /// Its comments, in order.
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

/// `{ root, children, warnings }`: a post that was changed, or moved to the queue.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ChangedPostGroup)]
pub struct ChangedBody {
    /// The post.
    root: PostBody,
    /// Its comments, in order.
    children: Vec<PostBody>,
    /// Warnings: `held` while publications are held, `unknown_setting` and `ignored_field` for what has no effect.
    warnings: Vec<WarningBody>,
}

impl ChangedBody {
    /// A group, with its warnings.
    pub fn new(group: Group, warnings: Vec<Warning>) -> Self {
        let GroupBody { root, children } = group.into();
        Self {
            root,
            children,
            warnings: warnings.into_iter().map(WarningBody::from).collect(),
        }
    }
}

/// `{ posts: [...], nextCursor }`
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PostList {
    /// Root posts by effective date, then ID.
    pub posts: Vec<PostBody>,
    /// The cursor of the next page, if there is one.
    #[schema(required)]
    pub next_cursor: Option<String>,
}

/// `{ results: [...] }`
#[derive(Debug, Serialize, ToSchema)]
pub struct CreateResults {
    /// One for each requested platform, in that order.
    pub results: Vec<CreateResult>,
}

/// When a post is published, and possible problems.
#[derive(Debug, Clone, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Outlook)]
pub struct OutlookBody {
    /// When the service begins to publish it; null for a draft.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    pub will_publish_at: Option<Time>,
    /// Warnings. They do not affect the status.
    pub warnings: Vec<WarningBody>,
}

/// The result of a create request on one platform.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "status", rename_all = "lowercase", rename_all_fields = "camelCase")]
pub enum CreateResult {
    /// It was created.
    Created {
        /// The account.
        #[schema(value_type = Uuid, rename = "platformId")]
        platform_id: PlatformId,
        /// The new post and its comments.
        post: Box<GroupBody>,
        /// When it is published, and its warnings.
        #[serde(flatten)]
        outlook: OutlookBody,
    },
    /// It was not created.
    Failed {
        /// The account.
        #[schema(value_type = Uuid, rename = "platformId")]
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
#[derive(Debug, Serialize, ToSchema)]
pub struct ValidateResults {
    /// One for each requested platform, in that order.
    pub results: Vec<ValidateResult>,
}

/// The expected result of a create request on one platform.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "status", rename_all = "lowercase", rename_all_fields = "camelCase")]
pub enum ValidateResult {
    /// It would be created.
    Valid {
        /// The account.
        #[schema(value_type = Uuid, rename = "platformId")]
        platform_id: PlatformId,
        /// When it would be published, and its warnings.
        #[serde(flatten)]
        outlook: OutlookBody,
    },
    /// It would not be created.
    Failed {
        /// The account.
        #[schema(value_type = Uuid, rename = "platformId")]
        platform_id: PlatformId,
        /// Why.
        error: ErrorBody,
    },
}

impl ValidateResult {
    /// The entry of an account that accepts the post, or rejects it.
    pub fn new(platform_id: PlatformId, verdict: Result<OutlookBody, Refusal>) -> Self {
        match verdict {
            Ok(outlook) => Self::Valid { platform_id, outlook },
            Err(refusal) => Self::Failed {
                platform_id,
                error: refusal.into(),
            },
        }
    }
}
