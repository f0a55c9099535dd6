//! Slides on the wire (`docs/contract.md#slides`): captions rendered onto images, a preview, and captions proposed by a language
//! model.

mod captions;
mod look;

use std::collections::BTreeSet;

use playout_domain::error::{Issue, IssueCode};
use playout_domain::id::MediaId;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, SchemaFormat, SchemaType, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

pub use captions::{ProposeCaptions, ProposedCaption, ProposedCaptions, SlideLength};
pub use look::{CaptionPosition, CaptionSize, CaptionStyle, Fit, SlideLook};

use crate::canonical::Canonical;
use crate::read::{FieldType, ObjectReader, id, objects, read_body, schema_of, text_or_empty, whole_number};

/// The most slides of one request, which is the most media of a post.
pub const MAX_SLIDES: usize = 35;
/// The longest caption, in characters.
pub const MAX_CAPTION_CHARS: usize = 500;
/// The highest number of a slide.
const MAX_INDEX: u32 = i32::MAX as u32;
/// The narrowest and the widest preview, in pixels.
pub const PREVIEW_WIDTHS: (u32, u32) = (90, 1080);
/// The default width of a preview: enough for the side of an editor, a quarter of the pixels.
const PREVIEW_WIDTH: u32 = 540;

/// A request for slides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompositeSlides {
    /// The slides, in order; each index occurs once.
    pub slides: Vec<SlideRequest>,
    /// The appearance of all of them.
    pub look: SlideLook,
}

/// One slide of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlideRequest {
    /// The client's number for it.
    pub index: u32,
    /// The background image.
    pub media_id: MediaId,
    /// The text on it; may be empty.
    pub caption: String,
}

/// A request to preview a slide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreviewSlide {
    /// The background image.
    pub media_id: MediaId,
    /// The text on it; may be empty.
    pub caption: String,
    /// Its appearance.
    pub look: SlideLook,
    /// The width of the response, in pixels.
    pub width: u32,
}

impl CompositeSlides {
    /// Reads the body of a request for slides.
    pub fn read(body: &Value) -> Result<Self, Vec<Issue>> {
        read_body(body, Self::fields)
    }

    fn fields(reader: &mut ObjectReader<'_>) -> Option<Self> {
        reader.about("Slides to create, with one appearance.");
        let mut seen = BTreeSet::new();
        let slides = objects(MAX_SLIDES, |slide| SlideRequest::fields(slide, &mut seen));
        let slides = reader.required("slides", slides, "In order.");
        let look = SlideLook::fields(reader);
        Some(Self {
            slides: slides?,
            look: look?,
        })
    }
}

impl SlideRequest {
    /// `seen` holds the indices of earlier slides.
    fn fields(reader: &mut ObjectReader<'_>, seen: &mut BTreeSet<u32>) -> Option<Self> {
        reader.about("One slide.");
        let new_index = whole_number((0, MAX_INDEX)).then(|index| match seen.insert(index) {
            true => Ok(index),
            false => Err(IssueCode::Duplicate.with("is the index of an earlier slide")),
        });
        let index = reader.required(
            "index",
            new_index,
            "Your number for it, which the response repeats; each number once.",
        );
        let media_id = read_media_id(reader);
        let caption = read_caption(reader);
        Some(Self {
            index: index?,
            media_id: media_id?,
            caption: caption?,
        })
    }
}

fn read_media_id(reader: &mut ObjectReader<'_>) -> Option<MediaId> {
    reader.required("mediaId", id(), "A READY image of the workspace.")
}

fn read_caption(reader: &mut ObjectReader<'_>) -> Option<String> {
    reader.required(
        "caption",
        text_or_empty(MAX_CAPTION_CHARS),
        "The text on it: lines wrap automatically, and break where the text has line breaks. Empty: the image is only resized.",
    )
}

impl PreviewSlide {
    /// Parses the body of a preview request.
    pub fn read(body: &Value) -> Result<Self, Vec<Issue>> {
        read_body(body, Self::fields)
    }

    fn fields(reader: &mut ObjectReader<'_>) -> Option<Self> {
        reader.about("A slide to preview.");
        let media_id = read_media_id(reader);
        let caption = read_caption(reader);
        let look = SlideLook::fields(reader);
        let width = reader.optional(
            "width",
            whole_number(PREVIEW_WIDTHS).with("default", PREVIEW_WIDTH),
            "In pixels; the height is proportional.",
        );
        Some(Self {
            media_id: media_id?,
            caption: caption?,
            look: look?,
            width: width?.unwrap_or(PREVIEW_WIDTH),
        })
    }
}

impl Canonical for CompositeSlides {
    fn canonical(&self) -> Value {
        let Self { slides, look } = self;
        let slides = slides.iter().map(Canonical::canonical);
        let mut canonical = look.canonical();
        canonical["slides"] = slides.collect();
        canonical
    }
}

impl Canonical for SlideRequest {
    fn canonical(&self) -> Value {
        let Self {
            index,
            media_id,
            caption,
        } = self;
        json!({ "index": index, "mediaId": media_id, "caption": caption })
    }
}

/// The response of `POST /slides/composite`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct CompositeResult {
    /// In the order of the request.
    pub slides: Vec<BakedSlide>,
}

/// A slide with its rendered caption.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BakedSlide {
    /// Its number in the request.
    pub index: u32,
    /// The new image, READY.
    #[schema(value_type = Uuid)]
    pub media_id: MediaId,
    /// The parts of the caption that could not be drawn.
    pub warnings: Vec<SlideWarning>,
}

/// A part of a caption that could not be drawn. The slide is created nevertheless, without it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct SlideWarning {
    /// The code for programs; stable: `missing_glyphs`.
    #[schema(value_type = String)]
    pub code: &'static str,
    /// The message for people.
    pub message: String,
    /// The characters that no font has, each as its code point: `U+E000`.
    pub characters: Vec<String>,
}

/// The response of `POST /slides/preview`: bytes. Only the reference needs this type.
pub struct SlidePicture;

impl PartialSchema for SlidePicture {
    fn schema() -> RefOr<Schema> {
        let bytes = ObjectBuilder::new()
            .schema_type(SchemaType::Type(Type::String))
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Binary)))
            .description(Some("A JPEG."));
        bytes.build().into()
    }
}

impl ToSchema for SlidePicture {}

/// The schemas of the requests, by name.
pub fn request_schemas() -> Vec<(&'static str, Value)> {
    vec![
        ("CompositeSlides", schema_of(CompositeSlides::fields)),
        ("PreviewSlide", schema_of(PreviewSlide::fields)),
        ("ProposeCaptions", schema_of(ProposeCaptions::fields)),
    ]
}

#[cfg(test)]
mod tests;
