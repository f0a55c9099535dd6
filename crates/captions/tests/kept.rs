//! Pictures kept in the repository: drawn anew by a test, compared with those that were looked at, and written where they differ.

use std::path::Path;

/// Whether the WebP file shows just these pixels, RGB or RGBA; otherwise it is written.
pub(crate) fn is_kept(
    path: &Path,
    (width, height): (u32, u32),
    pixels: &[u8],
    encode: impl FnOnce() -> webp::WebPMemory,
) -> bool {
    let known = std::fs::read(path).ok();
    let known = known
        .as_deref()
        .and_then(|bytes| webp::Decoder::new(bytes).decode());
    if known.is_some_and(|known| (known.width(), known.height()) == (width, height) && *known == *pixels) {
        return true;
    }
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, &*encode()).unwrap();
    false
}
