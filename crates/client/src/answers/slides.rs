//! Slides.

use serde::{Deserialize, Serialize};

/// `{ slides }` of `POST /slides/composite`.
#[derive(Debug, Clone, Deserialize)]
pub struct BakedSlides {
    /// In the order of the request.
    pub slides: Vec<BakedSlide>,
}

/// A slide with its rendered caption.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BakedSlide {
    /// Its number in the request.
    pub index: u64,
    /// The new image.
    pub media_id: String,
    /// The parts of the caption that could not be drawn.
    #[serde(default)]
    pub warnings: Vec<SlideWarning>,
}

/// A part of a caption that could not be drawn.
#[derive(Debug, Clone, Deserialize)]
pub struct SlideWarning {
    /// The message for people.
    pub message: String,
}

/// The picture in the response of `POST /slides/preview`.
#[derive(Debug, Clone)]
pub struct SlidePreview {
    /// A JPEG file.
    pub jpeg: Vec<u8>,
    /// The code points of the caption that no font has, such as `U+E000`; the slide is drawn without them.
    pub missing_glyphs: Vec<String>,
}

/// The response of `POST /slides/captions`.
#[derive(Debug, Clone, Deserialize)]
pub struct ProposedCaptions {
    /// The caption of the post.
    pub caption: String,
    /// The captions of the slides, in order.
    pub slides: Vec<SlideCaption>,
}

/// The caption of one slide.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SlideCaption {
    /// Which slide, from 1.
    pub index: u64,
    /// The text on it.
    pub caption: String,
}
