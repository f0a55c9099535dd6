//! Many changes in one request, and many reads in one answer: what the dashboard does with a selection, and what a page shows.

use std::str::FromStr;

use playout_domain::error::{Issue, Refusal};
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

/// A post and the time it is to have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewTime {
    /// The post, or one of its comments.
    pub id: PostId,
    /// Not yet compared with the clock: each item has its own outcome.
    pub scheduled_for: Time,
}

/// Reads `{ ids: [...] }`.
pub fn read_ids<T: FromStr + PartialEq>(body: &Value) -> Result<Vec<T>, Vec<Issue>> {
    read_body(body, |reader| {
        let ids = reader.ids("ids")?;
        if ids.len() > MAX_BATCH {
            reader.problem("ids", format!("must have at most {MAX_BATCH} items"));
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
                post.problem("id", "is listed twice");
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
    /// One for each post asked for, in that order.
    pub results: Vec<RescheduleResult>,
}

/// What came of a new time for one post.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "status", rename_all = "lowercase")]
pub enum RescheduleResult {
    /// It has the new time.
    Rescheduled {
        /// The post that was named.
        id: Uuid,
        /// The root post as it is now.
        post: Box<PostBody>,
    },
    /// It is as it was.
    Failed {
        /// The post that was named.
        id: Uuid,
        /// Why.
        error: ErrorBody,
    },
}

impl RescheduleResult {
    /// The entry of the post that was named so.
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

/// What came of deleting one thing.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "status", rename_all = "lowercase")]
pub enum DeleteResult {
    /// It is gone.
    Deleted {
        /// What was named.
        id: Uuid,
    },
    /// It is as it was.
    Failed {
        /// What was named.
        id: Uuid,
        /// Why.
        error: ErrorBody,
    },
}

impl DeleteResult {
    /// The entry of what was named so.
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

/// Several answers in one. What was not asked for is null or empty.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Bundle)]
pub struct BundleBody {
    /// `include=platforms`: all accounts, as `GET /platforms?all=true` lists them.
    #[schema(required)]
    pub platforms: Option<Vec<PlatformBody>>,
    /// `include=waiting`: the first 100 posts that wait for a person (ACTION_REQUIRED and ERROR).
    #[schema(required)]
    pub waiting: Option<PostList>,
    /// `include=usage`: as `GET /usage`.
    #[schema(required)]
    pub usage: Option<UsageBody>,
    /// `include=hasPosts`: whether the workspace has any post.
    #[schema(required)]
    pub has_posts: Option<bool>,
    /// The posts that were named, with their comments.
    pub posts: Vec<GroupBody>,
    /// The media that were named.
    pub media: Vec<MediaBody>,
    /// The health of the accounts whose providers were asked.
    pub health: Vec<HealthBody>,
    /// The accounts whose schemas were asked for, with them; those whose providers were asked too, as they are after it.
    pub schemas: Vec<PlatformWithSchema>,
    /// What was named and cannot be shown.
    pub failed: Vec<BundleFailure>,
}

/// Something that was named and cannot be shown.
#[derive(Debug, Serialize, ToSchema)]
pub struct BundleFailure {
    /// What was named.
    pub id: Uuid,
    /// What reading it by itself would have answered.
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
