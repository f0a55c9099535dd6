//! What a caption paints.

/// The pixels of a caption, and nothing around them: premultiplied RGBA, eight bits each, row by row.
///
/// All four sides lie on multiples of 16 within the canvas (its last row and column of blocks are cut by its edge),
/// because the picture is encoded in blocks of 16 by 16.
#[derive(Debug, Default)]
pub struct Patch {
    /// Columns of the canvas left of it.
    pub left: u32,
    /// Rows of the canvas above it.
    pub top: u32,
    /// Its columns.
    pub width: u32,
    /// Its rows.
    pub height: u32,
    /// `width × height × 4` bytes.
    pub rgba: Vec<u8>,
}
