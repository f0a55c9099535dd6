//! Requests about posts: create, validate, change, reschedule.

use std::time::Duration;

use playout_domain::error::{Issue, IssueCode, Violation};
use playout_domain::id::{MediaId, PlatformId};
use playout_domain::time::Time;
use serde_json::{Map, Value, json};

use crate::read::{
    FieldType, ObjectReader, Patch, any_object, ids, named_objects, nonempty_ids, read_body, schema_of, text,
    time, whole_number, word,
};

/// The most posts and comments that one request makes, over all its accounts: they are stored in one transaction, for which others wait.
const MOST_MADE: usize = 2_500;
/// The most comments of one post.
pub const MAX_COMMENTS: usize = 10;
/// The longest text that is accepted at all; each provider has its own, lower limit.
const MAX_CONTENT: usize = 10_000;
/// The longest post ID of a provider that is accepted.
const MAX_RELEASE_ID: usize = 64;
/// The longest address of a post that is accepted.
const MAX_RELEASE_URL: usize = 2048;
/// The longest delay of a comment: a year.
const MAX_DELAY_MINUTES: u32 = 525_600;
/// How far in the past a scheduled time may be: clocks differ, requests take time.
const SCHEDULE_GRACE: Duration = Duration::from_secs(5 * 60);
/// How far in the future it may be: two years.
const SCHEDULE_AHEAD: Duration = Duration::from_secs(2 * 366 * 86_400);

/// A request to create a post on one or more platforms.
#[derive(Debug, Clone, PartialEq)]
pub struct CreatePost {
    /// The accounts, in order, without duplicates.
    pub platform_ids: Vec<PlatformId>,
    /// The caption.
    pub content: String,
    /// When it is published, if at all.
    pub mode: Mode,
    /// Its media, in order.
    pub media_ids: Vec<MediaId>,
    /// Provider settings.
    pub settings: Map<String, Value>,
    /// Its comments.
    pub comments: Vec<Comment>,
    /// Whether the document names the comments before the media: problems come in document order.
    pub comments_first: bool,
    /// Fields of the document that are ignored.
    pub ignored: Vec<String>,
    /// Whether it has a time, and is published at once.
    pub has_unused_time: bool,
}

/// When a new post is published, if at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Never; a draft, with its planned date if it has one.
    Draft(Option<Time>),
    /// At once.
    Now,
    /// At this time.
    Schedule(Time),
}

impl Mode {
    /// The post's `scheduledFor`.
    pub fn scheduled_for(self) -> Option<Time> {
        match self {
            Self::Draft(planned) => planned,
            Self::Now => None,
            Self::Schedule(at) => Some(at),
        }
    }
}

/// A comment of a new post.
#[derive(Debug, Clone, PartialEq)]
pub struct Comment {
    /// Its text.
    pub content: String,
    /// Its delay after the one before it.
    pub delay_minutes: Option<u32>,
    /// Provider settings.
    pub settings: Map<String, Value>,
    /// Its media.
    pub media_ids: Vec<MediaId>,
    /// Fields of the document that are ignored.
    pub ignored: Vec<String>,
}

#[derive(Clone, Copy)]
enum ModeWord {
    Draft,
    Now,
    Schedule,
}

impl CreatePost {
    /// The fields that it reads.
    pub const FIELDS: &'static [&'static str] = &[
        "platformIds",
        "content",
        "mode",
        "scheduledFor",
        "mediaIds",
        "settings",
        "comments",
    ];

    /// How many posts and comments it makes, if all its accounts accept it.
    pub(super) fn count_made(&self) -> usize {
        self.platform_ids.len() * (1 + self.comments.len())
    }

    /// Reads the body of a create request.
    pub fn read(body: &Value, now: Time) -> Result<Self, Vec<Issue>> {
        read_body(body, |reader| Self::fields(reader, now))
    }

    fn fields(reader: &mut ObjectReader<'_>, now: Time) -> Option<Self> {
        reader.about("A post on one or more platforms.");
        let platform_ids = reader.required(
            "platformIds",
            nonempty_ids(),
            "The accounts, from the platform list.",
        );
        let content = reader.required(
            "content",
            text(MAX_CONTENT),
            "The caption. Each platform has its own, shorter limit: `content.maxLength` of its schema.",
        );
        let mode = read_mode(reader, now);
        let media_ids = reader.optional("mediaIds", ids(), "READY media of the workspace, in order.");
        let settings = reader.optional(
            "settings",
            any_object(),
            "Provider-specific: `settings.fields` of the platform's schema. Absent settings have the account's defaults.",
        );
        let comments = read_comments(reader);
        Some(Self {
            platform_ids: platform_ids?,
            content: content?,
            mode: mode?,
            media_ids: media_ids?.unwrap_or_default(),
            settings: settings?.unwrap_or_default(),
            comments: comments?.unwrap_or_default(),
            comments_first: reader.is_before("comments", "mediaIds"),
            ignored: reader.other_fields(Self::FIELDS),
            has_unused_time: matches!(mode, Some(Mode::Now)) && reader.has("scheduledFor"),
        })
    }
}

/// Why so many posts and comments are not made by one request; `None` if they may be.
pub(super) fn too_many_made(count: usize) -> Option<Violation> {
    (count > MOST_MADE).then(|| {
        IssueCode::TooLong.with(format!(
            "would be {count} posts and comments over all platforms together; one request creates at most {MOST_MADE}"
        ))
    })
}

fn read_mode(reader: &mut ObjectReader<'_>, now: Time) -> Option<Mode> {
    let words = [
        ("draft", ModeWord::Draft),
        ("now", ModeWord::Now),
        ("schedule", ModeWord::Schedule),
    ];
    let mode = reader.required(
        "mode",
        word(&words),
        "`draft` saves without publishing, `now` publishes at once, `schedule` at `scheduledFor`.",
    );
    // Whether a time is needed, the mode says; without a valid one, no problem with the time is reported.
    let at = reader.optional_if(
        mode.is_some(),
        "scheduledFor",
        time(),
        "With an offset; from 5 minutes ago to 2 years ahead. Needed when `mode` is `schedule`; the planned date of a draft; \
         ignored by `now`.",
    );
    let at = at?.map(Time::to_millis_precision);
    match (mode?, at) {
        (ModeWord::Draft, planned) => Some(Mode::Draft(planned)),
        // The time is ignored, but must be valid.
        (ModeWord::Now, _) => Some(Mode::Now),
        (ModeWord::Schedule, None) => reader.refuse_missing("scheduledFor"),
        (ModeWord::Schedule, Some(at)) => match schedule_problem(at, now) {
            Some(problem) => reader.refuse("scheduledFor", problem),
            None => Some(Mode::Schedule(at)),
        },
    }
}

/// A time for which a post may be scheduled.
fn schedule_time(now: Time) -> impl FieldType<Parsed = Time> {
    time().then(move |at| {
        let at = at.to_millis_precision();
        schedule_problem(at, now).map_or(Ok(at), Err)
    })
}

/// Why no post may be scheduled for `at`; `None` if one may.
pub fn schedule_problem(at: Time, now: Time) -> Option<Violation> {
    if at < now.minus(SCHEDULE_GRACE) {
        return Some(IssueCode::Range.with("must not be more than 5 minutes in the past"));
    }
    (at > now.plus(SCHEDULE_AHEAD)).then(|| IssueCode::Range.with("must not be more than 2 years ahead"))
}

fn read_comments(reader: &mut ObjectReader<'_>) -> Option<Option<Vec<Comment>>> {
    reader.optional(
        "comments",
        named_objects("NewComment", MAX_COMMENTS, Comment::fields),
        "The comments that are posted after it is published, in order.",
    )
}

impl Comment {
    /// The fields that it reads.
    pub const FIELDS: &'static [&'static str] = &["content", "delayInMinutes", "settings", "mediaIds"];

    fn fields(reader: &mut ObjectReader<'_>) -> Option<Self> {
        reader.about("A comment or thread item.");
        let content = reader.required("content", text(MAX_CONTENT), "Its text.");
        let delay = reader.optional(
            "delayInMinutes",
            whole_number((0, MAX_DELAY_MINUTES)),
            "Its delay after the one before it, in minutes.",
        );
        let settings = reader.optional("settings", any_object(), "Provider-specific.");
        let media_ids = reader.optional("mediaIds", ids(), "READY media of the workspace.");
        Some(Self {
            content: content?,
            delay_minutes: delay?,
            settings: settings?.unwrap_or_default(),
            media_ids: media_ids?.unwrap_or_default(),
            ignored: reader.other_fields(Self::FIELDS),
        })
    }
}

/// A request to set a post's time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SchedulePost {
    /// The new time.
    pub scheduled_for: Time,
}

impl SchedulePost {
    /// Reads the body of a reschedule request.
    pub fn read(body: &Value, now: Time) -> Result<Self, Vec<Issue>> {
        read_body(body, |reader| Self::fields(reader, now))
    }

    fn fields(reader: &mut ObjectReader<'_>, now: Time) -> Option<Self> {
        reader.about("A new time.");
        let scheduled_for = reader.required(
            "scheduledFor",
            schedule_time(now),
            "With an offset; from 5 minutes ago to 2 years ahead.",
        );
        Some(Self {
            scheduled_for: scheduled_for?,
        })
    }
}

/// A person's statement that a post is published, and where.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MarkPublished {
    /// The provider's ID of it.
    pub release_id: Option<String>,
    /// Its public page.
    pub release_url: Option<String>,
}

impl MarkPublished {
    /// The content that identifies a repeated request.
    pub fn canonical(&self) -> Value {
        json!({ "releaseId": self.release_id, "releaseUrl": self.release_url })
    }

    /// Reads the body of a mark.
    pub fn read(body: &Value) -> Result<Self, Vec<Issue>> {
        read_body(body, Self::fields)
    }

    fn fields(reader: &mut ObjectReader<'_>) -> Option<Self> {
        reader.about("Where the post is. Empty for a post without a public page.");
        let release_id = reader.optional(
            "releaseId",
            text(MAX_RELEASE_ID),
            "The provider's ID of the post: the number at the end of its address.",
        );
        let release_url = reader.optional(
            "releaseUrl",
            text(MAX_RELEASE_URL),
            "The address of its public page, as copied from a browser or the app.",
        );
        Some(Self {
            release_id: release_id?,
            release_url: release_url?,
        })
    }
}

/// A request to change a post; `None` leaves a part unchanged.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct UpdatePost {
    /// The caption.
    pub content: Option<String>,
    /// Its media, in order.
    pub media_ids: Option<Vec<MediaId>>,
    /// Provider settings, replaced as a whole.
    pub settings: Option<Map<String, Value>>,
    /// Its comments, replaced as a whole.
    pub comments: Option<Vec<Comment>>,
    /// Its time: `Some(None)` takes it away.
    pub scheduled_for: Option<Option<Time>>,
    /// Whether the document names the comments before the media.
    pub comments_first: bool,
    /// Fields of the document that it does not change.
    pub others: Vec<String>,
}

impl UpdatePost {
    /// Reads the body of a change.
    pub fn read(body: &Value) -> Result<Self, Vec<Issue>> {
        read_body(body, Self::fields)
    }

    fn fields(reader: &mut ObjectReader<'_>) -> Option<Self> {
        reader.about("New contents of a post, or another planned time of a draft.");
        let content = reader.optional("content", text(MAX_CONTENT), "The caption.");
        let media_ids = reader.optional(
            "mediaIds",
            ids(),
            "READY media of the workspace, in order; replaces the present ones.",
        );
        let settings = reader.optional(
            "settings",
            any_object(),
            "Provider-specific; replaces the present ones.",
        );
        let comments = read_comments(reader);
        let scheduled_for = reader.optional_or_null(
            "scheduledFor",
            time(),
            "The planned time of a draft, with an offset; null removes it. A queued post gets another time by \
             `PATCH /posts/{id}/schedule`.",
        );
        Some(Self {
            content: content?,
            media_ids: media_ids?,
            settings: settings?,
            comments: comments?,
            scheduled_for: scheduled_for?.map(|at| at.map(Time::to_millis_precision)),
            comments_first: reader.is_before("comments", "mediaIds"),
            others: reader.other_fields(Self::FIELDS),
        })
    }
}

/// The schemas of the requests, by name.
pub fn request_schemas() -> Vec<(&'static str, Value)> {
    // Bounds of times are not part of a schema.
    let now = Time::from_secs(0);
    let mut create = schema_of(|reader| CreatePost::fields(reader, now));
    create["if"] = json!({ "properties": { "mode": { "const": "schedule" } } });
    create["then"] =
        json!({ "required": ["scheduledFor"], "properties": { "scheduledFor": { "type": "string" } } });
    vec![
        ("CreatePost", create),
        ("MarkPublished", schema_of(MarkPublished::fields)),
        ("NewComment", schema_of(Comment::fields)),
        (
            "SchedulePost",
            schema_of(|reader| SchedulePost::fields(reader, now)),
        ),
        ("UpdatePost", schema_of(UpdatePost::fields)),
    ]
}
