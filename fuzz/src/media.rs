//! Uploaded files, one target for each type.

use playout_media::readers;

/// The index of an MP4 or QuickTime file.
pub(crate) fn mp4(data: &[u8]) {
    check(readers::mp4(data));
}

/// The elements of a WebM file.
pub(crate) fn webm(data: &[u8]) {
    check(readers::webm(data));
}

/// A JPEG file: its segments, EXIF, colour profile and, where it is small, its pixels.
pub(crate) fn jpeg(data: &[u8]) {
    check(readers::jpeg(data));
}

/// A WebP file, as [`jpeg`].
pub(crate) fn webp(data: &[u8]) {
    check(readers::webp(data));
}

/// A file in memory can always be read: what is wrong is wrong with the file.
fn check(read: Result<(), playout_media::ProbeError>) {
    if let Err(error) = read {
        assert!(!error.is_internal(), "{error:?}");
        assert!(error.to_string().len() < 1000, "{error}");
    }
}
