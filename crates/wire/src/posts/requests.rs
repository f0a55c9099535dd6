//! Requests about posts: create, validate, change, reschedule.

use std::time::Duration;

use playout_domain::error::{Issue, IssueCode, Violation};
use playout_domain::id::{MediaId, PlatformId};
use playout_domain::time::Time;
use serde_json::{Map, Value};

use crate::read::{ObjectReader, read_body};

/// The most comments of one post.
pub const MAX_COMMENTS: usize = 10;
/// The longest text that is accepted at all; each provider has its own, lower limit.
pub(super) const MAX_CONTENT: usize = 10_000;
/// The longest post ID of a provider that is accepted.
pub(super) const MAX_RELEASE_ID: usize = 64;
/// The longest address of a post that is accepted.
pub(super) const MAX_RELEASE_URL: usize = 2048;
/// The longest delay of a comment: a year.
pub(super) const MAX_DELAY_MINUTES: u32 = 525_600;
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

fn read_mode(reader: &mut ObjectReader<'_>, now: Time) -> Option<Mode> {
    let words = [
        ("draft", ModeWord::Draft),
        ("now", ModeWord::Now),
        ("schedule", ModeWord::Schedule),
    ];
    match reader.word("mode", &words)? {
        // The time is ignored, but must be valid.
        ModeWord::Now if reader.has("scheduledFor") => {
            reader.optional_time("scheduledFor").map(|_| Mode::Now)
        }
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
    if let Some(problem) = schedule_problem(at, now) {
        reader.problem("scheduledFor", problem);
        return None;
    }
    Some(at)
}

/// Why no post may be scheduled for `at`; `None` if one may.
pub fn schedule_problem(at: Time, now: Time) -> Option<Violation> {
    if at < now.minus(SCHEDULE_GRACE) {
        return Some(IssueCode::Range.with("must not be more than 5 minutes in the past"));
    }
    (at > now.plus(SCHEDULE_AHEAD)).then(|| IssueCode::Range.with("must not be more than 2 years ahead"))
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

/// A request to set a post's time.
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
    pub fn says(&self) -> Value {
        serde_json::json!({ "releaseId": self.release_id, "releaseUrl": self.release_url })
    }

    /// Reads the body of a mark.
    pub fn read(body: &Value) -> Result<Self, Vec<Issue>> {
        read_body(body, |reader| {
            let release_id = reader.given("releaseId", |reader| reader.text("releaseId", MAX_RELEASE_ID));
            let release_url = reader.given("releaseUrl", |reader| reader.text("releaseUrl", MAX_RELEASE_URL));
            Some(Self {
                release_id: release_id?,
                release_url: release_url?,
            })
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
    /// Whether the document names the comments before the media.
    pub comments_first: bool,
}

impl UpdatePost {
    /// Reads the body of a change.
    pub fn read(body: &Value) -> Result<Self, Vec<Issue>> {
        read_body(body, |reader| {
            let content = reader.given("content", |reader| reader.text("content", MAX_CONTENT));
            let media_ids = reader.given("mediaIds", |reader| reader.optional_ids("mediaIds"));
            let settings = reader.given("settings", |reader| reader.optional_object("settings"));
            let comments = reader.given("comments", |reader| {
                reader.optional_objects("comments", MAX_COMMENTS, read_comment)
            });
            Some(Self {
                content: content?,
                media_ids: media_ids?,
                settings: settings?,
                comments: comments?,
                comments_first: reader.is_before("comments", "mediaIds"),
            })
        })
    }
}
