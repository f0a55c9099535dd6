//! Captions baked onto pictures: a photo and a text in, one slide out, a JPEG of 1080 by 1920 pixels.
//!
//! A slide is made in one direction: the bytes become a [`picture`] that fills the canvas, the text becomes lines and
//! the lines a [`Patch`] of colour that covers as little of the canvas as it can, and the patch is laid over the
//! picture while it is encoded. Nothing here reads the clock, the network or the disk, and the same input gives the
//! same bytes on every machine.

mod compositor;
mod crop;
mod encode;
mod fit;
mod look;
mod orientation;
mod overlay;
mod patch;
mod picture;
mod planes;
mod refusal;
mod splice;
mod text;
mod thumbnail;

pub use compositor::{Compositor, Slide};
pub use look::{Fit, Look, Position, Size, Style};
pub use patch::Patch;
pub use refusal::Refusal;
pub use text::{Typeset, Typesetter, Warning};
pub use thumbnail::Thumbnail;

/// Width of a slide in pixels (`docs/contract.md#slides`).
pub const WIDTH: u32 = 1080;

/// Height of a slide in pixels (`docs/contract.md#slides`).
pub const HEIGHT: u32 = 1920;
