//! What a caption paints.

/// The pixels of a caption, and nothing around them: premultiplied RGBA, eight bits each, row by row.
///
/// All four sides lie on multiples of 16 within the canvas (its last row and column of blocks are cut by its edge),
/// because the picture is encoded in blocks of 16 by 16.
#[derive(Debug, Default)]
pub(crate) struct Patch {
    /// Columns of the canvas left of it.
    pub(crate) left: u32,
    /// Rows of the canvas above it.
    pub(crate) top: u32,
    /// Its columns.
    pub(crate) width: u32,
    /// Its rows.
    pub(crate) height: u32,
    /// `width × height × 4` bytes.
    pub(crate) rgba: Vec<u8>,
}
