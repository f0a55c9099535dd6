//! Posts, the results of requests, and the attempts of a post.

use playout_domain::time::Time;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::health::Warning;

/// `{ posts, nextCursor }`
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PostList {
    /// By effective date, then ID.
    pub posts: Vec<Post>,
    /// The cursor of the next page, if there is one.
    pub next_cursor: Option<String>,
}

/// A post or a comment.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Post {
    /// Its ID.
    pub id: String,
    /// The platform it is published on.
    pub integration_id: String,
    /// The caption.
    pub content: String,
    /// `DRAFT`, `QUEUE`, `PUBLISHED`, `ACTION_REQUIRED`, `ERROR`, or a value that a later version adds.
    pub state: String,
    /// When it is published.
    pub scheduled_for: Option<Time>,
    /// Its public page, once known.
    pub release_url: Option<String>,
    /// What happened, and what to do.
    pub error_text: Option<String>,
    /// Provider-specific settings.
    pub settings: Map<String, Value>,
    /// Its media, in order.
    pub media_ids: Vec<String>,
    /// When it was created.
    pub created_at: Time,
    /// Its creator; absent from older services.
    pub created_by: Option<Author>,
    /// Who last changed it; absent from older services.
    pub updated_by: Option<Author>,
}

/// A user or an API key.
#[derive(Debug, Clone, Deserialize)]
pub struct Author {
    /// `user` or `key`.
    pub kind: String,
    /// Their ID.
    pub id: String,
    /// The user's address or the key's name, as it was then.
    pub name: Option<String>,
}

/// `{ root, children }`
#[derive(Debug, Clone, Deserialize)]
pub struct Group {
    /// The post.
    pub root: Post,
    /// Its comments, in order.
    pub children: Vec<Post>,
}

/// `{ results }` of a create request.
#[derive(Debug, Clone, Deserialize)]
pub struct CreateResults {
    /// One for each platform, in the order of the request.
    pub results: Vec<CreateResult>,
}

/// `{ results }` of a request with several posts.
#[derive(Debug, Clone, Deserialize)]
pub struct BatchResults {
    /// One for each post, in the order of the request.
    pub results: Vec<BatchEntry>,
    /// Whether this is the stored response of an earlier request with the same idempotency key.
    #[serde(skip)]
    pub is_replayed: bool,
}

/// The result of one post of several.
#[derive(Debug, Clone, Deserialize)]
pub struct BatchEntry {
    /// Its position in the request, from 0.
    pub index: usize,
    /// One for each of its platforms; empty if it failed as a whole.
    #[serde(default)]
    pub results: Vec<CreateResult>,
    /// Why it failed as a whole.
    pub error: Option<ErrorBody>,
}

/// `{ results }` of a validate request.
pub type ValidateResults = CreateResults;

/// The result of a request on one platform, or the expected one.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CreateResult {
    /// The account.
    pub platform_id: String,
    /// `created`, `valid` or `failed`.
    pub status: String,
    /// The new post.
    pub post: Option<Group>,
    /// Why it was not created.
    pub error: Option<ErrorBody>,
    /// Its warnings.
    #[serde(default)]
    pub warnings: Vec<Warning>,
}

/// `{ code, message, details? }`
#[derive(Debug, Clone, Deserialize)]
pub struct ErrorBody {
    /// The code for programs.
    pub code: String,
    /// The message for people.
    pub message: String,
    /// Structured detail.
    pub details: Option<Value>,
}

/// `{ attempts }`
#[derive(Debug, Clone, Deserialize)]
pub struct AttemptList {
    /// Oldest first.
    pub attempts: Vec<Attempt>,
}

/// The explanation of a failure.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    /// Who must act: `user`, `operator` or `nobody`.
    pub who_acts: String,
    /// What they should do, or what happens automatically.
    pub next_step: String,
}

/// One attempt at submitting a post to its provider.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Attempt {
    /// When it began.
    pub started_at: Time,
    /// When its outcome was known.
    pub ended_at: Option<Time>,
    /// Its outcome.
    pub outcome: Option<String>,
    /// How the media were transferred.
    pub transfer: Option<String>,
    /// Why that transfer was chosen.
    pub transfer_reason: Option<String>,
    /// The error code.
    pub code: Option<String>,
    /// The error message.
    pub message: Option<String>,
    /// The explanation of the code.
    pub explanation: Option<Explanation>,
    /// The time of the next attempt.
    pub next_retry_at: Option<Time>,
}
