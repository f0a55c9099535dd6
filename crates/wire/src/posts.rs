//! Posts on the wire (seed, "Post", "Post group"; contract §4).

use std::time::Duration;

use playout_domain::error::{Issue, Refusal};
use playout_domain::id::{GroupId, MediaId, PlatformId, PostId};
use playout_domain::post::{Group, Post, PostState};
use playout_domain::time::Time;
use serde::Serialize;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use crate::error::ErrorBody;
use crate::read::{ObjectReader, read_body};
use crate::schema::{self, reference};

/// The most comments of one post.
pub const MAX_COMMENTS: usize = 10;
/// The longest text read at all; each provider has its own, shorter limit.
const MAX_CONTENT: usize = 100_000;
/// A comment waits a year at most.
const MAX_DELAY_MINUTES: u32 = 525_600;
/// How far in the past a scheduled time may lie: clocks differ, requests take time.
const SCHEDULE_GRACE: Duration = Duration::from_secs(5 * 60);
/// How far ahead: two years.
const SCHEDULE_AHEAD: Duration = Duration::from_secs(2 * 366 * 86_400);

/// A request to create a post on one or more platforms.
#[derive(Debug, Clone, PartialEq)]
pub struct CreatePost {
    /// The accounts, in order, none twice.
    pub platform_ids: Vec<PlatformId>,
    /// The caption.
    pub content: String,
    /// What is to happen with it.
    pub mode: Mode,
    /// Its media, in order.
    pub media_ids: Vec<MediaId>,
    /// Provider settings.
    pub settings: Map<String, Value>,
    /// What follows under it.
    pub comments: Vec<Comment>,
    /// Whether the document names the comments before the media: problems come in document order.
    pub comments_first: bool,
}

/// What is to happen with a new post.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Saved, with its planned date if it has one.
    Draft(Option<Time>),
    /// Published at once.
    Now,
    /// Published then.
    Schedule(Time),
}

impl Mode {
    /// The time the post shows.
    pub fn scheduled_for(self) -> Option<Time> {
        match self {
            Self::Draft(planned) => planned,
            Self::Now => None,
            Self::Schedule(at) => Some(at),
        }
    }
}

/// A comment that is to follow.
#[derive(Debug, Clone, PartialEq)]
pub struct Comment {
    /// Its text.
    pub content: String,
    /// How long it waits after the one before it.
    pub delay_minutes: Option<u32>,
    /// Provider settings.
    pub settings: Map<String, Value>,
    /// Its media.
    pub media_ids: Vec<MediaId>,
}

#[derive(Clone, Copy)]
enum ModeWord {
    Draft,
    Now,
    Schedule,
}

impl CreatePost {
    /// Reads the body of a create request.
    pub fn read(body: &Value, now: Time) -> Result<Self, Vec<Issue>> {
        read_body(body, |reader| {
            let platform_ids = reader.ids("platformIds");
            let content = reader.text("content", MAX_CONTENT);
            let mode = read_mode(reader, now);
            let media_ids = reader.optional_ids("mediaIds");
            let settings = reader.optional_object("settings");
            let comments = reader.optional_objects("comments", MAX_COMMENTS, read_comment);
            Some(Self {
                platform_ids: platform_ids?,
                content: content?,
                mode: mode?,
                media_ids: media_ids?,
                settings: settings?,
                comments: comments?,
                comments_first: reader.is_before("comments", "mediaIds"),
            })
        })
    }
}

/// The schemas of the requests, by name.
pub fn request_schemas() -> Vec<(&'static str, Value)> {
    vec![
        ("CreatePost", create_schema()),
        ("NewComment", comment_schema()),
        ("SchedulePost", schedule_schema()),
    ]
}

fn create_schema() -> Value {
    let modes = ["draft", "now", "schedule"];
    let comments = json!({
        "type": "array", "items": reference("NewComment"), "maxItems": MAX_COMMENTS,
        "description": "What follows under the post once it is published, in order."
    });
    let properties = json!({
        "platformIds": schema::ids("The accounts, from the platform list.", 1),
        "content": schema::text("The caption. Each platform has its own, shorter limit: `content.maxLength` of its schema.", (1, MAX_CONTENT)),
        "mode": schema::word("`draft` saves without publishing, `now` publishes at once, `schedule` at `scheduledFor`.", &modes),
        "scheduledFor": schema::nullable(schema::time("With an offset; from 5 minutes ago to 2 years ahead. Needed when `mode` is `schedule`; the planned date of a draft; ignored by `now`.")),
        "mediaIds": schema::nullable(schema::ids("READY media of the workspace, in order.", 0)),
        "settings": schema::nullable(schema::free("Provider-specific: `settings.fields` of the platform's schema. What is not given is as the account has it by default.")),
        "comments": schema::nullable(comments),
    });
    let mut create = schema::object(
        "A post on one or more platforms.",
        &["platformIds", "content", "mode"],
        properties,
    );
    create["if"] = json!({ "properties": { "mode": { "const": "schedule" } } });
    create["then"] =
        json!({ "required": ["scheduledFor"], "properties": { "scheduledFor": { "type": "string" } } });
    create
}

fn comment_schema() -> Value {
    let delay = schema::integer(
        "How long it waits after the one before it, in minutes.",
        (0, MAX_DELAY_MINUTES),
    );
    let properties = json!({
        "content": schema::text("Its text.", (1, MAX_CONTENT)),
        "delayInMinutes": schema::nullable(delay),
        "settings": schema::nullable(schema::free("Provider-specific.")),
        "mediaIds": schema::nullable(schema::ids("READY media of the workspace.", 0)),
    });
    schema::object("A comment or thread item.", &["content"], properties)
}

fn schedule_schema() -> Value {
    let time = schema::time("With an offset; from 5 minutes ago to 2 years ahead.");
    schema::object("A new time.", &["scheduledFor"], json!({ "scheduledFor": time }))
}

fn read_mode(reader: &mut ObjectReader<'_>, now: Time) -> Option<Mode> {
    let words = [
        ("draft", ModeWord::Draft),
        ("now", ModeWord::Now),
        ("schedule", ModeWord::Schedule),
    ];
    match reader.word("mode", &words)? {
        ModeWord::Now => Some(Mode::Now),
        ModeWord::Schedule => read_schedule(reader, now).map(Mode::Schedule),
        ModeWord::Draft if reader.has("scheduledFor") => reader
            .optional_time("scheduledFor")
            .map(|at| Mode::Draft(Some(at.to_millis_precision()))),
        ModeWord::Draft => Some(Mode::Draft(None)),
    }
}

fn read_schedule(reader: &mut ObjectReader<'_>, now: Time) -> Option<Time> {
    let at = reader.time("scheduledFor")?.to_millis_precision();
    if at < now.minus(SCHEDULE_GRACE) {
        reader.problem("scheduledFor", "must not be more than 5 minutes in the past");
        return None;
    }
    if at > now.plus(SCHEDULE_AHEAD) {
        reader.problem("scheduledFor", "must not be more than 2 years ahead");
        return None;
    }
    Some(at)
}

fn read_comment(reader: &mut ObjectReader<'_>) -> Option<Comment> {
    let content = reader.text("content", MAX_CONTENT);
    let delay = match reader.has("delayInMinutes") {
        true => reader
            .optional_count("delayInMinutes", MAX_DELAY_MINUTES)
            .map(Some),
        false => Some(None),
    };
    let settings = reader.optional_object("settings");
    let media_ids = reader.optional_ids("mediaIds");
    Some(Comment {
        content: content?,
        delay_minutes: delay?,
        settings: settings?,
        media_ids: media_ids?,
    })
}

/// A request to give a post a (new) time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SchedulePost {
    /// The new time.
    pub scheduled_for: Time,
}

impl SchedulePost {
    /// Reads the body of a reschedule request.
    pub fn read(body: &Value, now: Time) -> Result<Self, Vec<Issue>> {
        read_body(body, |reader| {
            read_schedule(reader, now).map(|scheduled_for| Self { scheduled_for })
        })
    }
}

/// A root post or a comment.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Post)]
pub struct PostBody {
    /// Names it.
    #[schema(value_type = Uuid)]
    id: PostId,
    /// Shared by a root and its comments.
    #[schema(value_type = Uuid)]
    group_id: GroupId,
    /// The root, of a comment; null for a root.
    #[schema(value_type = Option<Uuid>, required)]
    parent_post_id: Option<PostId>,
    /// The platform it goes to.
    #[schema(value_type = Uuid)]
    integration_id: PlatformId,
    /// The caption or body.
    content: String,
    /// Where it stands.
    #[schema(schema_with = post_states)]
    state: &'static str,
    /// When it goes out; the planned date of a draft; null for one published at once.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    scheduled_for: Option<Time>,
    /// How long a comment waits after the one before it.
    #[schema(required)]
    delay_in_minutes: Option<u32>,
    /// The provider's ID of the post, once known.
    #[schema(required)]
    release_id: Option<String>,
    /// Its public page, once known; a private post has none.
    #[schema(format = Uri, required)]
    release_url: Option<String>,
    /// Provider-specific, as they were given.
    #[schema(value_type = Object)]
    settings: Map<String, Value>,
    /// Its media, in order.
    #[schema(value_type = Vec<Uuid>)]
    media_ids: Vec<MediaId>,
    /// In ACTION_REQUIRED and ERROR: what happened, and what to do.
    #[schema(required)]
    error_text: Option<String>,
    /// When it was created.
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    /// When it last changed.
    #[schema(value_type = String, format = DateTime)]
    updated_at: Time,
}

fn post_states() -> utoipa::openapi::Object {
    schema::word_of(&PostState::ALL.map(PostState::as_str))
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

/// `{ posts: [...], nextCursor }`
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PostList {
    /// Root posts by effective date, then ID.
    pub posts: Vec<PostBody>,
    /// What to ask for next, if there is more.
    #[schema(required)]
    pub next_cursor: Option<String>,
}

/// `{ results: [...] }`
#[derive(Debug, Serialize, ToSchema)]
pub struct CreateResults {
    /// One for each platform asked for, in that order.
    pub results: Vec<CreateResult>,
}

/// What came of a create request on one platform.
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
    },
    /// It was not.
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
