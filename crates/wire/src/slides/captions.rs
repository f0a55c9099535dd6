//! Captions proposed by a language model (`docs/contract.md#captions`).

use playout_domain::error::{Issue, IssueCode};
use playout_domain::id::MediaId;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::look::{read_word, words};
use crate::canonical::Canonical;
use crate::read::{FieldType, ObjectReader, ids, read_body, text, trimmed_text, whole_number};

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
        read_body(body, Self::fields)
    }

    pub(super) fn fields(reader: &mut ObjectReader<'_>) -> Option<Self> {
        reader.about("A request for captions.");
        let user_request = reader.required(
            "userRequest",
            trimmed_text(MAX_REQUEST_CHARS),
            "The subject of the slideshow.",
        );
        let slide_count = reader.required("slideCount", whole_number(SLIDE_COUNTS), "The number of slides.");
        let language = reader.optional(
            "language",
            language(),
            "The language, as a BCP 47 tag; default: that of the request.",
        );
        let slide_length = read_word(
            reader,
            "slideLength",
            SlideLength::WORDS,
            "The length of the slides' captions.",
        );
        let media_ids = reader.optional(
            "mediaIds",
            images(),
            "READY images of the workspace for the model.",
        );
        Some(Self {
            user_request: user_request?,
            slide_count: slide_count?,
            language: language?,
            slide_length: slide_length?,
            media_ids: media_ids?.unwrap_or_default(),
        })
    }
}

/// A language tag.
fn language() -> impl FieldType<Parsed = String> {
    let tag = text(MAX_LANGUAGE_CHARS)
        .with("minLength", 2)
        .with("pattern", LANGUAGE);
    tag.then(|tag| match is_language(&tag) {
        true => Ok(tag),
        false => Err(IssueCode::Format.with("must be a BCP 47 tag such as en or pt-BR")),
    })
}

/// As many IDs as the model accepts images.
fn images() -> impl FieldType<Parsed = Vec<MediaId>> {
    let ids = ids().with("maxItems", MAX_IMAGES);
    ids.then(|ids| match ids.len() {
        ..=MAX_IMAGES => Ok(ids),
        _ => Err(IssueCode::TooLong.with(format!("must have at most {MAX_IMAGES} items"))),
    })
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

impl Canonical for ProposeCaptions {
    fn canonical(&self) -> Value {
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
