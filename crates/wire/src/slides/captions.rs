//! Captions proposed by a language model (`docs/contract.md#captions`).

use playout_domain::error::{Issue, IssueCode};
use playout_domain::id::MediaId;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::look::{optional, words};
use crate::read::{ObjectReader, read_body};
use crate::same::Says;
use crate::schema;

/// The longest request, in characters.
const MAX_REQUEST_CHARS: usize = 500;
/// The fewest and the most slides.
const SLIDE_COUNTS: (u32, u32) = (3, 10);
/// The most images for the model: one for each slide.
const MAX_IMAGES: usize = 10;
/// The longest language tag (RFC 5646 §4.4.1).
const MAX_LANGUAGE_CHARS: usize = 35;
/// The syntax of a language tag (BCP 47); subtags are not looked up.
const LANGUAGE: &str = "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$";

words! {
    /// The length of the slides' captions.
    SlideLength {
        /// A few words.
        Short = "short",
        /// A sentence.
        #[default]
        Medium = "medium",
        /// Two or three sentences.
        Long = "long",
    }
}

/// A request for captions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProposeCaptions {
    /// The subject of the slideshow, in the client's words.
    pub user_request: String,
    /// The number of slides.
    pub slide_count: u32,
    /// The language as a BCP 47 tag; `None`: that of the request.
    pub language: Option<String>,
    /// How long the captions are.
    pub slide_length: SlideLength,
    /// Images for the model.
    pub media_ids: Vec<MediaId>,
}

impl ProposeCaptions {
    /// Reads the body of a request for captions.
    pub fn read(body: &Value) -> Result<Self, Vec<Issue>> {
        read_body(body, |reader| {
            let user_request = reader.trimmed_text("userRequest", MAX_REQUEST_CHARS);
            let slide_count = reader.count("slideCount", SLIDE_COUNTS);
            let language = reader.given("language", read_language);
            let slide_length = reader.word_or("slideLength", SlideLength::WORDS, SlideLength::default());
            let media_ids = reader.optional_ids("mediaIds");
            if media_ids
                .as_ref()
                .is_some_and(|ids: &Vec<MediaId>| ids.len() > MAX_IMAGES)
            {
                reader.problem(
                    "mediaIds",
                    IssueCode::TooLong.with(format!("must have at most {MAX_IMAGES} items")),
                );
            }
            Some(Self {
                user_request: user_request?,
                slide_count: slide_count?,
                language: language?,
                slide_length: slide_length?,
                media_ids: media_ids?,
            })
        })
    }
}

fn read_language(reader: &mut ObjectReader<'_>) -> Option<String> {
    let tag = reader.text("language", MAX_LANGUAGE_CHARS)?;
    if !is_language(&tag) {
        reader.problem(
            "language",
            IssueCode::Format.with("must be a BCP 47 tag such as en or pt-BR"),
        );
        return None;
    }
    Some(tag)
}

/// Whether `tag` matches [`LANGUAGE`].
fn is_language(tag: &str) -> bool {
    let is_short = |part: &str, least: usize| (least..=8).contains(&part.len());
    let mut parts = tag.split('-');
    let first = parts.next().unwrap_or_default();
    is_short(first, 2)
        && first.bytes().all(|byte| byte.is_ascii_alphabetic())
        && parts.all(|part| is_short(part, 1) && part.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

impl Says for ProposeCaptions {
    fn says(&self) -> Value {
        let Self {
            user_request,
            slide_count,
            language,
            slide_length,
            media_ids,
        } = self;
        json!({
            "userRequest": user_request,
            "slideCount": slide_count,
            "language": language,
            "slideLength": slide_length.as_str(),
            "mediaIds": media_ids,
        })
    }
}

/// The response of `POST /slides/captions`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ProposedCaptions {
    /// The content of the post.
    pub caption: String,
    /// The captions of the slides, in order, as many as were requested.
    pub slides: Vec<ProposedCaption>,
}

/// The caption of one slide.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ProposedCaption {
    /// Which slide, from 1.
    pub index: u32,
    /// The text on it.
    pub caption: String,
}

pub(super) fn request_schema() -> Value {
    let mut language = schema::text(
        "The language, as a BCP 47 tag; default: that of the request.",
        (2, MAX_LANGUAGE_CHARS),
    );
    language["pattern"] = LANGUAGE.into();
    let mut media_ids = schema::ids("READY images of the workspace for the model.", 0);
    media_ids["maxItems"] = MAX_IMAGES.into();
    let properties = json!({
        "userRequest": schema::text("The subject of the slideshow.", (1, MAX_REQUEST_CHARS)),
        "slideCount": schema::integer("The number of slides.", SLIDE_COUNTS),
        "language": schema::nullable(language),
        "slideLength": optional("The length of the slides' captions.", SlideLength::WORDS, SlideLength::default().as_str()),
        "mediaIds": schema::nullable(media_ids),
    });
    schema::object(
        "A request for captions.",
        &["userRequest", "slideCount"],
        properties,
    )
}
