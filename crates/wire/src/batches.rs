//! Batches: several changes in one request for the dashboard's selections, and several reads in one response for its pages.

use std::str::FromStr;

use playout_domain::error::{Issue, IssueCode, Refusal};
use playout_domain::id::PostId;
use playout_domain::post::Post;
use playout_domain::time::Time;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::error::ErrorBody;
use crate::media::MediaBody;
use crate::platform_health::HealthBody;
use crate::platforms::{PlatformBody, PlatformWithSchema};
use crate::posts::{GroupBody, PostBody, PostList};
use crate::read::read_body;
use crate::schema;
use crate::usage::UsageBody;

/// The most items of one batch.
pub const MAX_BATCH: usize = 200;

/// A post and its new time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewTime {
    /// The post, or one of its comments.
    pub id: PostId,
    /// Not yet compared with the current time: each item has its own outcome.
    pub scheduled_for: Time,
}

/// Reads `{ ids: [...] }`.
pub fn read_ids<T: FromStr + PartialEq>(body: &Value) -> Result<Vec<T>, Vec<Issue>> {
    read_body(body, |reader| {
        let ids = reader.ids("ids")?;
        if ids.len() > MAX_BATCH {
            reader.problem(
                "ids",
                IssueCode::TooLong.with(format!("must have at most {MAX_BATCH} items")),
            );
            return None;
        }
        Some(ids)
    })
}

/// Reads `{ posts: [{ id, scheduledFor }] }`.
pub fn read_new_times(body: &Value) -> Result<Vec<NewTime>, Vec<Issue>> {
    let mut known: Vec<PostId> = Vec::new();
    read_body(body, |reader| {
        reader.objects("posts", MAX_BATCH, |post| {
            let (id, scheduled_for) = (post.id("id"), post.time("scheduledFor"));
            let id = id?;
            if known.contains(&id) {
                post.problem("id", IssueCode::Duplicate.with("is listed twice"));
                return None;
            }
            known.push(id);
            Some(NewTime {
                id,
                scheduled_for: scheduled_for?.to_millis_precision(),
            })
        })
    })
}

/// `{ results: [...] }`
#[derive(Debug, Serialize, ToSchema)]
pub struct RescheduleResults {
    /// One for each requested post, in that order.
    pub results: Vec<RescheduleResult>,
}

/// The result of rescheduling one post.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "status", rename_all = "lowercase")]
pub enum RescheduleResult {
    /// It has the new time.
    Rescheduled {
        /// The requested post.
        id: Uuid,
        /// The changed root post.
        post: Box<PostBody>,
    },
    /// It is unchanged.
    Failed {
        /// The requested post.
        id: Uuid,
        /// Why.
        error: ErrorBody,
    },
}

impl RescheduleResult {
    /// The entry of a requested post.
    pub fn new(id: PostId, outcome: Result<Post, Refusal>) -> Self {
        match outcome {
            Ok(post) => Self::Rescheduled {
                id: id.0,
                post: Box::new(post.into()),
            },
            Err(refusal) => Self::Failed {
                id: id.0,
                error: refusal.into(),
            },
        }
    }
}

/// `{ results: [...] }`
#[derive(Debug, Serialize, ToSchema)]
pub struct DeleteResults {
    /// One for each ID, in that order.
    pub results: Vec<DeleteResult>,
}

/// The result of deleting one item.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "status", rename_all = "lowercase")]
pub enum DeleteResult {
    /// It is deleted.
    Deleted {
        /// The requested ID.
        id: Uuid,
    },
    /// It is unchanged.
    Failed {
        /// The requested ID.
        id: Uuid,
        /// Why.
        error: ErrorBody,
    },
}

impl DeleteResult {
    /// The entry of a requested item.
    pub fn new(id: Uuid, outcome: Result<(), Refusal>) -> Self {
        match outcome {
            Ok(()) => Self::Deleted { id },
            Err(refusal) => Self::Failed {
                id,
                error: refusal.into(),
            },
        }
    }
}

/// Several resources in one response. Parts that were not requested are null or empty.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Bundle)]
pub struct BundleBody {
    /// `include=platforms`: all accounts, as `GET /platforms?all=true` lists them.
    #[schema(required)]
    pub platforms: Option<Vec<PlatformBody>>,
    /// `include=waiting`: the first 100 posts in ACTION_REQUIRED and ERROR.
    #[schema(required)]
    pub waiting: Option<PostList>,
    /// `include=usage`: as `GET /usage`.
    #[schema(required)]
    pub usage: Option<UsageBody>,
    /// `include=hasPosts`: whether the workspace has any post.
    #[schema(required)]
    pub has_posts: Option<bool>,
    /// The requested posts, with their comments.
    pub posts: Vec<GroupBody>,
    /// The requested media.
    pub media: Vec<MediaBody>,
    /// The health of the accounts whose providers were called.
    pub health: Vec<HealthBody>,
    /// The accounts whose schemas were requested, with their schemas; if the provider was called too, both are as of then.
    pub schemas: Vec<PlatformWithSchema>,
    /// The requested items that cannot be read.
    pub failed: Vec<BundleFailure>,
}

/// A requested item that cannot be read.
#[derive(Debug, Serialize, ToSchema)]
pub struct BundleFailure {
    /// The requested ID.
    pub id: Uuid,
    /// The error that reading it by itself returns.
    pub error: ErrorBody,
}

/// The schemas of the requests, by name.
pub fn request_schemas() -> Vec<(&'static str, Value)> {
    let time = json!({
        "id": json!({ "type": "string", "format": "uuid", "description": "The ID of a post or of one of its comments." }),
        "scheduledFor": schema::time("With an offset; from 5 minutes ago to 2 years ahead."),
    });
    let mut posts =
        json!({ "type": "array", "description": "None twice.", "minItems": 1, "maxItems": MAX_BATCH });
    posts["items"] = schema::object("A post and its new time.", &["id", "scheduledFor"], time);
    let mut ids = schema::ids("What to delete.", 1);
    ids["maxItems"] = MAX_BATCH.into();
    let object = |description: &str, name: &str, items: Value| {
        schema::object(description, &[name], json!({ name: items }))
    };
    vec![
        ("DeleteMany", object("Up to 200 IDs.", "ids", ids)),
        (
            "ReschedulePosts",
            object("New times for up to 200 posts.", "posts", posts),
        ),
    ]
}
