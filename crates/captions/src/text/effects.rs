//! How far an outline or a shadow reaches.

/// How far the outline reaches beyond the letters, in ems.
pub(super) const OUTLINE: f32 = 0.085;

/// Each of the three blurs of a shadow, in ems.
pub(super) const BLUR: f32 = 0.045;

/// How far a shadow reaches beyond the letters, in ems.
pub(super) const SHADOW: f32 = 0.17;
