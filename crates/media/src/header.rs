//! What an image's header says.

use crate::orientation::Orientation;

/// An image's header: everything that must be known before a single pixel is decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ImageHeader {
    /// As stored, before the orientation is applied.
    pub(crate) width: u32,
    /// As stored.
    pub(crate) height: u32,
    pub(crate) orientation: Orientation,
}

impl ImageHeader {
    /// Width and height as displayed.
    pub(crate) fn displayed(self) -> (u32, u32) {
        self.orientation.sides((self.width, self.height))
    }
}
