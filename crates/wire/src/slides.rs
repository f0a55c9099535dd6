//! Slides on the wire (`docs/contract.md#slides`): captions rendered onto images, a preview, and captions proposed by a language
//! model.

mod captions;
mod look;

use std::collections::BTreeSet;

use playout_domain::error::{Issue, IssueCode};
use playout_domain::id::MediaId;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::openapi::schema::{ObjectBuilder, SchemaType};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

pub use captions::{ProposeCaptions, ProposedCaption, ProposedCaptions, SlideLength};
pub use look::{CaptionPosition, CaptionSize, CaptionStyle, Fit, SlideLook};

use crate::read::{ObjectReader, read_body};
use crate::same::Says;
use crate::schema;

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
        read_body(body, |reader| {
            let mut seen = BTreeSet::new();
            let slides = reader.objects("slides", MAX_SLIDES, |slide| read_slide(slide, &mut seen));
            let look = SlideLook::read(reader);
            Some(Self {
                slides: slides?,
                look: look?,
            })
        })
    }
}

fn read_slide(reader: &mut ObjectReader<'_>, seen: &mut BTreeSet<u32>) -> Option<SlideRequest> {
    let index = reader.count("index", (0, MAX_INDEX));
    if index.is_some_and(|index| !seen.insert(index)) {
        reader.problem(
            "index",
            IssueCode::Duplicate.with("is the index of an earlier slide"),
        );
    }
    let media_id = reader.id("mediaId");
    let caption = reader.text_or_empty("caption", MAX_CAPTION_CHARS);
    Some(SlideRequest {
        index: index?,
        media_id: media_id?,
        caption: caption?,
    })
}

impl PreviewSlide {
    /// Parses the body of a preview request.
    pub fn read(body: &Value) -> Result<Self, Vec<Issue>> {
        read_body(body, |reader| {
            let media_id = reader.id("mediaId");
            let caption = reader.text_or_empty("caption", MAX_CAPTION_CHARS);
            let look = SlideLook::read(reader);
            let width = reader.count_or("width", PREVIEW_WIDTHS, PREVIEW_WIDTH);
            Some(Self {
                media_id: media_id?,
                caption: caption?,
                look: look?,
                width: width?,
            })
        })
    }
}

impl Says for CompositeSlides {
    fn says(&self) -> Value {
        let Self { slides, look } = self;
        let slides = slides.iter().map(Says::says);
        let mut says = look.says();
        says["slides"] = slides.collect();
        says
    }
}

impl Says for SlideRequest {
    fn says(&self) -> Value {
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
            .schema_type(SchemaType::AnyValue)
            .description(Some("A JPEG."))
            .content_media_type("image/jpeg");
        bytes.build().into()
    }
}

impl ToSchema for SlidePicture {}

/// The schemas of the requests, by name.
pub fn request_schemas() -> Vec<(&'static str, Value)> {
    vec![
        ("CompositeSlides", composite_schema()),
        ("PreviewSlide", preview_schema()),
        ("ProposeCaptions", captions::request_schema()),
    ]
}

fn media_id() -> Value {
    json!({ "type": "string", "format": "uuid", "description": "A READY image of the workspace." })
}

fn caption() -> Value {
    let description = "The text on it: lines wrap automatically, and break where the text has line breaks. Empty: the image is only \
                       resized.";
    schema::text(description, (0, MAX_CAPTION_CHARS))
}

fn composite_schema() -> Value {
    let slide = schema::object(
        "One slide.",
        &["index", "mediaId", "caption"],
        json!({
            "index": schema::integer("Your number for it, which the response repeats; each number once.", (0, MAX_INDEX)),
            "mediaId": media_id(),
            "caption": caption(),
        }),
    );
    let mut properties = json!({
        "slides": { "type": "array", "description": "In order.", "minItems": 1, "maxItems": MAX_SLIDES, "items": slide },
    });
    look::describe(&mut properties);
    schema::object("Slides to create, with one appearance.", &["slides"], properties)
}

fn preview_schema() -> Value {
    let mut properties = json!({ "mediaId": media_id(), "caption": caption() });
    look::describe(&mut properties);
    let mut width = schema::integer("In pixels; the height is proportional.", PREVIEW_WIDTHS);
    width["default"] = PREVIEW_WIDTH.into();
    properties["width"] = schema::nullable(width);
    schema::object("A slide to preview.", &["mediaId", "caption"], properties)
}

#[cfg(test)]
mod tests;
