//! What the client reads of the service's answers. Fields that it does not know are no error: they are in [`Reply::json`].

use playout_domain::time::Time;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::error::Error;

/// An answer: what this client reads of it, and all of it as it came.
#[derive(Debug, Clone)]
pub struct Reply<T> {
    /// What this client knows of.
    pub value: T,
    /// The whole document.
    pub json: Value,
}

impl<T: DeserializeOwned> Reply<T> {
    /// Reads a document.
    ///
    /// # Errors
    /// `unexpected_answer` when it is not of that form.
    pub fn read(json: Value) -> Result<Self, Error> {
        match T::deserialize(&json) {
            Ok(value) => Ok(Self { value, json }),
            Err(error) => Err(Error::unexpected(format!(
                "The service's answer is not what this version of the client expects: {error}."
            ))),
        }
    }
}

/// `{ platforms }`
#[derive(Debug, Clone, Deserialize)]
pub struct PlatformList {
    /// By name.
    pub platforms: Vec<Platform>,
}

/// A connected account.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Platform {
    /// Names it in posts.
    pub id: String,
    /// The provider's name for people.
    pub provider_name: String,
    /// The account's name for people.
    pub display_name: Option<String>,
    /// The account's handle, without `@`.
    pub display_handle: Option<String>,
    /// What can be done with it.
    pub capabilities: Vec<String>,
}

/// `{ platform, schema }`
#[derive(Debug, Clone, Deserialize)]
pub struct PlatformWithSchema {
    /// The account.
    pub platform: Platform,
    /// What it accepts.
    pub schema: Schema,
}

/// What an account accepts, as far as the client shows it.
#[derive(Debug, Clone, Deserialize)]
pub struct Schema {
    /// The caption.
    pub content: ContentRules,
    /// What must be attached.
    pub media: MediaRules,
    /// The settings of a post.
    pub settings: SettingsRules,
}

/// The caption's limits.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ContentRules {
    /// Its longest, in UTF-16 code units.
    pub max_length: Option<u32>,
}

/// The limits of what is attached.
#[derive(Debug, Clone, Deserialize)]
pub struct MediaRules {
    /// Each a short sentence.
    pub rules: Vec<String>,
}

/// The settings of a post.
#[derive(Debug, Clone, Deserialize)]
pub struct SettingsRules {
    /// A descriptor for each.
    pub fields: Vec<SettingField>,
}

/// The descriptor of a setting.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SettingField {
    /// The key in `settings`.
    pub name: String,
    /// What its value is.
    pub r#type: String,
    /// Whether it must be given.
    #[serde(default)]
    pub required: bool,
    /// What holds when it is not given.
    #[serde(default)]
    pub default: Value,
    /// The choices of an `enum`.
    #[serde(default)]
    pub r#enum: Vec<String>,
    /// What it does, for people.
    #[serde(default)]
    pub description: String,
}

/// `{ media, nextCursor }`
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MediaList {
    /// Newest first.
    pub media: Vec<Media>,
    /// What to ask for next, if there is more.
    pub next_cursor: Option<String>,
}

/// A media object.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Media {
    /// Names it in posts.
    pub id: String,
    /// Where its bytes are.
    pub public_url: String,
    /// By its bytes.
    pub mime_type: String,
    /// Bytes.
    pub size: Option<u64>,
    /// Its name.
    pub original_file_name: String,
    /// `PENDING` or `READY`.
    pub status: String,
    /// Its folder; `None` is the root.
    pub folder_id: Option<String>,
    /// When it was uploaded.
    pub created_at: Time,
}

/// `{ folders }`
#[derive(Debug, Clone, Deserialize)]
pub struct FolderList {
    /// By name.
    pub folders: Vec<Folder>,
}

/// A folder.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Folder {
    /// Names it.
    pub id: String,
    /// Unique in the workspace, ignoring case.
    pub name: String,
    /// When it was made.
    pub created_at: Time,
}

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
    /// The code of what went wrong.
    pub code: Option<String>,
    /// What went wrong.
    pub message: Option<String>,
    /// When the next try is.
    pub next_retry_at: Option<Time>,
}

/// What a workspace has used of its plan.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// The plan's name.
    pub plan: String,
    /// The month in which posts and credits are counted.
    pub month: Month,
    /// Posts of this month.
    pub posts: Count,
    /// Bytes kept.
    pub storage: Storage,
    /// Connected accounts.
    pub platforms: Count,
    /// AI credits of this month.
    pub ai_credits: Count,
}

/// A calendar month.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Month {
    /// When the counts begin anew.
    pub resets_at: Time,
}

/// How many are used, of how many; no limit is `None`.
#[derive(Debug, Clone, Deserialize)]
pub struct Count {
    /// How many are used.
    pub used: u64,
    /// How many there may be.
    pub limit: Option<u64>,
}

/// How many bytes are used, of how many; no limit is `None`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Storage {
    /// How many are used.
    pub used_bytes: u64,
    /// How many there may be.
    pub limit_bytes: Option<u64>,
}
