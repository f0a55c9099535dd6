//! Where on a slide a caption may be.

/// The part of a slide that the provider's buttons and texts leave free; as far from the left as from the right, so
/// that what stands in its middle stands in the middle of the slide.
pub(super) const SAFE: Area = Area {
    left: 120.0,
    right: 960.0,
    top: 80.0,
    bottom: 1470.0,
};

/// Pixels kept free at each edge of the safe area, because glyphs stand on whole and quarter pixels.
pub(super) const SLACK: f32 = 2.0;

/// A rectangle in pixels of the slide, `y` downwards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Area {
    pub(super) left: f32,
    pub(super) right: f32,
    pub(super) top: f32,
    pub(super) bottom: f32,
}

impl Area {
    /// Pixels from side to side that may be painted.
    pub(super) fn width(self) -> f32 {
        self.right - self.left - 2.0 * SLACK
    }

    pub(super) fn height(self) -> f32 {
        self.bottom - self.top - 2.0 * SLACK
    }
}
