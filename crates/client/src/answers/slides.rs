//! Slides.

use serde::{Deserialize, Serialize};

/// `{ slides }` of `POST /slides/composite`.
#[derive(Debug, Clone, Deserialize)]
pub struct BakedSlides {
    /// In the order of the request.
    pub slides: Vec<BakedSlide>,
}

/// A slide with its caption baked in.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BakedSlide {
    /// As the request numbers it.
    pub index: u64,
    /// The new image.
    pub media_id: String,
    /// What of the caption could not be drawn.
    #[serde(default)]
    pub warnings: Vec<SlideWarning>,
}

/// Something of a caption that could not be drawn.
#[derive(Debug, Clone, Deserialize)]
pub struct SlideWarning {
    /// What a person reads.
    pub message: String,
}

/// The picture that `POST /slides/preview` answers with.
#[derive(Debug, Clone)]
pub struct SlidePreview {
    /// A JPEG file.
    pub jpeg: Vec<u8>,
    /// The code points of the caption that no font has, such as `U+E000`; the slide is drawn without them.
    pub missing_glyphs: Vec<String>,
}

/// What `POST /slides/captions` proposes.
#[derive(Debug, Clone, Deserialize)]
pub struct ProposedCaptions {
    /// The caption of the post.
    pub caption: String,
    /// The captions of the slides, in their order.
    pub slides: Vec<SlideCaption>,
}

/// The caption of one slide.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SlideCaption {
    /// Which slide, from 1.
    pub index: u64,
    /// What is written on it.
    pub caption: String,
}
