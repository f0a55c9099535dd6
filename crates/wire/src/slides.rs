//! Slides on the wire (`docs/contract.md#slides`): captions baked onto images, one slide
//! looked at beforehand, and captions proposed by a language model.

mod captions;
mod look;

use std::collections::BTreeSet;

use playout_domain::error::Issue;
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

/// The most slides of one request, which is the most that a post takes.
pub const MAX_SLIDES: usize = 35;
/// The longest caption, in characters.
pub const MAX_CAPTION_CHARS: usize = 500;
/// The highest number of a slide.
const MAX_INDEX: u32 = i32::MAX as u32;
/// The narrowest and the widest preview, in pixels.
pub const PREVIEW_WIDTHS: (u32, u32) = (90, 1080);
/// The width of a preview unless another is asked for: enough for the side of an editor, a quarter of the pixels.
const PREVIEW_WIDTH: u32 = 540;

/// A request for slides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompositeSlides {
    /// The slides, in order; no two have the same index.
    pub slides: Vec<SlideRequest>,
    /// How all of them look.
    pub look: SlideLook,
}

/// One slide of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlideRequest {
    /// As the client numbers it.
    pub index: u32,
    /// The image beneath.
    pub media_id: MediaId,
    /// The text upon it; may be empty.
    pub caption: String,
}

/// A request to see a slide before it is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreviewSlide {
    /// The image beneath.
    pub media_id: MediaId,
    /// The text upon it; may be empty.
    pub caption: String,
    /// How it looks.
    pub look: SlideLook,
    /// How wide the answer is, in pixels.
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
        reader.problem("index", "is the index of an earlier slide");
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
    /// Reads the body of a request to see a slide.
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

/// The answer of `POST /slides/composite`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct CompositeResult {
    /// In the order of the request.
    pub slides: Vec<BakedSlide>,
}

/// A slide with its caption baked in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BakedSlide {
    /// As the request numbers it.
    pub index: u32,
    /// The new image, READY.
    #[schema(value_type = Uuid)]
    pub media_id: MediaId,
    /// What of the caption could not be drawn.
    pub warnings: Vec<SlideWarning>,
}

/// Something of a caption that could not be drawn. The slide is made nevertheless, without it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct SlideWarning {
    /// What a program branches on; stable: `missing_glyphs`.
    #[schema(value_type = String)]
    pub code: &'static str,
    /// What a person reads.
    pub message: String,
    /// The characters that no font has, each as its code point: `U+E000`.
    pub characters: Vec<String>,
}

/// The answer of `POST /slides/preview`: bytes, which only the reference needs a type for.
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
    let description = "The text upon it: lines break by themselves, and where the text has line breaks. Empty: the image is only brought \
                       into form.";
    schema::text(description, (0, MAX_CAPTION_CHARS))
}

fn composite_schema() -> Value {
    let slide = schema::object(
        "One slide.",
        &["index", "mediaId", "caption"],
        json!({
            "index": schema::integer("Your number of it, which the answer repeats; no two have the same.", (0, MAX_INDEX)),
            "mediaId": media_id(),
            "caption": caption(),
        }),
    );
    let mut properties = json!({
        "slides": { "type": "array", "description": "In order.", "minItems": 1, "maxItems": MAX_SLIDES, "items": slide },
    });
    look::describe(&mut properties);
    schema::object("Slides to be made, all alike.", &["slides"], properties)
}

fn preview_schema() -> Value {
    let mut properties = json!({ "mediaId": media_id(), "caption": caption() });
    look::describe(&mut properties);
    let mut width = schema::integer("Pixels; the height follows.", PREVIEW_WIDTHS);
    width["default"] = PREVIEW_WIDTH.into();
    properties["width"] = schema::nullable(width);
    schema::object("A slide to be seen.", &["mediaId", "caption"], properties)
}

#[cfg(test)]
mod tests;
