//! Creating up to a hundred posts in one request, each by itself (`docs/contract.md#batches`).

use playout_domain::error::{Issue, Refusal};
use playout_domain::id::PlatformId;
use playout_domain::time::Time;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::requests::too_many_made;
use super::{CreatePost, CreateResult, GroupBody, OutlookBody, ValidateResult};
use crate::error::ErrorBody;
use crate::read::{ObjectReader, any_items, flag, read_body, schema_of};
use crate::schema::word_of;

/// The most posts of one request.
pub const MAX_BATCH: usize = 100;

/// A request to create several posts.
#[derive(Debug, Clone, PartialEq)]
pub struct CreateBatch {
    /// Each post as it was read, or what is wrong with it.
    pub posts: Vec<Result<CreatePost, Vec<Issue>>>,
    /// Whether nothing is to be created.
    pub dry_run: bool,
}

impl CreateBatch {
    /// Reads the body of a batch. What is wrong with one post is found by its own path, and rejects that post alone.
    pub fn read(body: &Value, now: Time) -> Result<Self, Vec<Issue>> {
        read_body(body, |reader| Self::fields(reader, now))
    }

    fn fields(reader: &mut ObjectReader<'_>, now: Time) -> Option<Self> {
        reader.about("Posts to be created, each by itself.");
        let posts = reader.required(
            "posts",
            any_items("CreatePost", MAX_BATCH),
            "The posts, as `POST /posts` takes them.",
        );
        let dry_run = reader.optional(
            "dryRun",
            flag(),
            "Whether to create nothing, and return what would be.",
        );
        // A misspelt `dryRun` would create.
        reader.refuse_others(&["posts", "dryRun"]);
        let posts: Vec<_> = posts?.iter().map(|post| CreatePost::read(post, now)).collect();
        let made = posts.iter().flatten().map(CreatePost::count_made).sum();
        if let Some(violation) = too_many_made(made) {
            return reader.refuse("posts", violation);
        }
        Some(Self {
            posts,
            dry_run: dry_run?.unwrap_or_default(),
        })
    }

    /// The content that identifies a repeated request: the posts as they were written, because whether one is valid may change with time.
    pub fn canonical(body: &Value) -> Value {
        json!({ "posts": body["posts"], "dryRun": body["dryRun"].as_bool().unwrap_or_default() })
    }
}

/// `{ results: [...] }`
#[derive(Debug, Serialize, ToSchema)]
pub struct BatchResults {
    /// One for each post, in the order of the request.
    pub results: Vec<BatchEntry>,
}

/// What became of one post of a batch.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = BatchEntry)]
pub struct BatchEntry {
    /// Its position in `posts`, from 0.
    pub index: usize,
    /// `created` on all of its platforms, `partial` on some, `failed` on none; with `dryRun`, `valid` instead of `created`.
    #[schema(schema_with = statuses)]
    pub status: &'static str,
    /// One for each of its platforms, in their order; absent for a post that failed as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Vec<BatchPostResult>)]
    pub results: Option<Vec<BatchPostResult>>,
    /// Why it failed as a whole; paths are those in this post.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = ErrorBody)]
    pub error: Option<ErrorBody>,
}

fn statuses() -> utoipa::openapi::Object {
    word_of(&["created", "partial", "failed", "valid"])
}

/// The result of one post of a batch on one platform.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "status", rename_all = "lowercase", rename_all_fields = "camelCase")]
pub enum BatchPostResult {
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
    /// It would be created.
    Valid {
        /// The account.
        #[schema(value_type = Uuid, rename = "platformId")]
        platform_id: PlatformId,
        /// When it would be published, and its warnings.
        #[serde(flatten)]
        outlook: OutlookBody,
    },
    /// It was not, or would not be created.
    Failed {
        /// The account.
        #[schema(value_type = Uuid, rename = "platformId")]
        platform_id: PlatformId,
        /// Why.
        error: ErrorBody,
    },
}

impl From<CreateResult> for BatchPostResult {
    fn from(result: CreateResult) -> Self {
        match result {
            CreateResult::Created {
                platform_id,
                post,
                outlook,
            } => Self::Created {
                platform_id,
                post,
                outlook,
            },
            CreateResult::Failed { platform_id, error } => Self::Failed { platform_id, error },
        }
    }
}

impl From<ValidateResult> for BatchPostResult {
    fn from(result: ValidateResult) -> Self {
        match result {
            ValidateResult::Valid { platform_id, outlook } => Self::Valid { platform_id, outlook },
            ValidateResult::Failed { platform_id, error } => Self::Failed { platform_id, error },
        }
    }
}

impl BatchEntry {
    /// The entry of a post that was judged for each of its platforms.
    pub fn of(index: usize, dry_run: bool, results: Vec<BatchPostResult>) -> Self {
        let is_failed = |result: &&BatchPostResult| matches!(result, BatchPostResult::Failed { .. });
        let failed = results.iter().filter(is_failed).count();
        let status = match (failed, dry_run) {
            (0, true) => "valid",
            (0, false) => "created",
            (failed, _) if failed == results.len() => "failed",
            _ => "partial",
        };
        Self {
            index,
            status,
            results: Some(results),
            error: None,
        }
    }

    /// The entry of a post that was rejected as a whole.
    pub fn failed(index: usize, refusal: Refusal) -> Self {
        Self {
            index,
            status: "failed",
            results: None,
            error: Some(refusal.into()),
        }
    }
}

/// The schema of the request, by its name.
pub fn batch_schema() -> (&'static str, Value) {
    let now = Time::from_secs(0);
    let mut schema = schema_of(|reader| CreateBatch::fields(reader, now));
    schema["additionalProperties"] = false.into();
    ("CreateBatch", schema)
}

#[cfg(test)]
mod tests {
    use playout_domain::error::IssueCode;

    use super::*;

    #[test]
    fn a_batch_has_one_to_a_hundred_posts_and_each_is_read_by_itself() {
        let now = Time::parse("2026-11-20T12:00:00Z").unwrap();
        let read = |body: Value| CreateBatch::read(&body, now);
        let good =
            json!({ "platformIds": ["0196f3a0-7c1e-7d3a-9b5e-000000000001"], "content": "a", "mode": "now" });
        let batch = read(json!({ "posts": [good, 5, { "content": "b" }] })).unwrap();
        let problems: Vec<usize> = batch
            .posts
            .iter()
            .map(|post| post.as_ref().err().map_or(0, Vec::len))
            .collect();
        assert_eq!((problems, batch.dry_run), (vec![0, 1, 2], false));
        let posts = |count: usize| json!({ "posts": vec![&good; count], "dryRun": true });
        assert!(read(posts(MAX_BATCH)).unwrap().dry_run);
        for (body, code) in [
            (posts(0), IssueCode::TooShort),
            (posts(MAX_BATCH + 1), IssueCode::TooLong),
            (json!({ "posts": 5 }), IssueCode::Type),
            (json!({}), IssueCode::Required),
        ] {
            let issues = read(body).unwrap_err();
            assert_eq!((json!(issues[0].path), issues[0].code), (json!(["posts"]), code));
        }
        for name in ["dryrun", "dry_run", "x"] {
            let issues = read(json!({ "posts": [good], name: true })).unwrap_err();
            assert_eq!(
                (json!(issues[0].path), issues[0].code),
                (json!([name]), IssueCode::NotSupported)
            );
        }
    }
}
