//! Posts, what became of requests, and the tries of a post.

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
    /// What to ask for next, if there is more.
    pub next_cursor: Option<String>,
}

/// A post or a comment.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Post {
    /// Names it.
    pub id: String,
    /// The platform it goes to.
    pub integration_id: String,
    /// The caption.
    pub content: String,
    /// `DRAFT`, `QUEUE`, `PUBLISHED`, `ACTION_REQUIRED`, `ERROR`, or what a later version adds.
    pub state: String,
    /// When it goes out.
    pub scheduled_for: Option<Time>,
    /// Its public page, once known.
    pub release_url: Option<String>,
    /// What happened, and what to do.
    pub error_text: Option<String>,
    /// Provider-specific.
    pub settings: Map<String, Value>,
    /// Its media, in order.
    pub media_ids: Vec<String>,
    /// When it was created.
    pub created_at: Time,
    /// Who created it; absent from older services.
    pub created_by: Option<Author>,
    /// Who changed it last; absent from older services.
    pub updated_by: Option<Author>,
}

/// A user or an API key.
#[derive(Debug, Clone, Deserialize)]
pub struct Author {
    /// `user` or `key`.
    pub kind: String,
    /// Names it.
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
    /// One for each platform, in the order asked for.
    pub results: Vec<CreateResult>,
}

/// `{ results }` of a validate request.
pub type ValidateResults = CreateResults;

/// What came, or would come, of a request on one platform.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CreateResult {
    /// The account.
    pub platform_id: String,
    /// `created`, `valid` or `failed`.
    pub status: String,
    /// What was created.
    pub post: Option<Group>,
    /// Why nothing was.
    pub error: Option<ErrorBody>,
    /// What to know beforehand.
    #[serde(default)]
    pub warnings: Vec<Warning>,
}

/// `{ code, message, details? }`
#[derive(Debug, Clone, Deserialize)]
pub struct ErrorBody {
    /// What a program branches on.
    pub code: String,
    /// What a person reads.
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

/// A failure in plain words.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    /// Who must act: `user`, `operator` or `nobody`.
    pub who_acts: String,
    /// What they should do, or what happens by itself.
    pub next_step: String,
}

/// One try at handing a post to its provider.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Attempt {
    /// When it began.
    pub started_at: Time,
    /// When its outcome was known.
    pub ended_at: Option<Time>,
    /// How it ended.
    pub outcome: Option<String>,
    /// How the media travelled.
    pub transfer: Option<String>,
    /// Why that way.
    pub transfer_reason: Option<String>,
    /// The code of what went wrong.
    pub code: Option<String>,
    /// What went wrong.
    pub message: Option<String>,
    /// The code in plain words.
    pub explanation: Option<Explanation>,
    /// When the next try is.
    pub next_retry_at: Option<Time>,
}
