//! The readers of uploaded files as functions of bytes, for `fuzz/`.

use bytes::Bytes;
use playout_domain::media::MimeType;

use crate::preview::{self, PREVIEW_MAX_HEIGHT, PREVIEW_MAX_WIDTH, Preview};
use crate::probe;
use crate::raster::Raster;
use crate::reader::BlobReader;
use crate::refusal::ProbeError;
use crate::{colour, isobmff, jpeg as segments};

/// Pixels of the largest picture that is decoded here; larger ones take the fuzzer's time and nothing else.
const MAX_PIXELS: u64 = 65_536;

/// Reads an MP4 or QuickTime file, and looks for the end of its index as in a beginning of one.
pub fn mp4(file: &[u8]) -> Result<(), ProbeError> {
    let mut reader = BlobReader::memory(Bytes::copy_from_slice(file));
    let size_bytes = reader.size_bytes();
    let end = isobmff::index_end(&mut reader, size_bytes);
    assert!(
        end.is_none_or(|end| end <= size_bytes),
        "the index ends at {end:?}"
    );
    probe::video(MimeType::Mp4, &mut reader).map(drop)
}

/// Reads a WebM file.
pub fn webm(file: &[u8]) -> Result<(), ProbeError> {
    let mut reader = BlobReader::memory(Bytes::copy_from_slice(file));
    probe::video(MimeType::Webm, &mut reader).map(drop)
}

/// Reads a JPEG file.
pub fn jpeg(file: &[u8]) -> Result<(), ProbeError> {
    let stripped = segments::stripped(file);
    assert!(
        stripped.is_none_or(|stripped| stripped.len() <= file.len() + 2),
        "stripping adds bytes"
    );
    image(MimeType::Jpeg, file)
}

/// Reads a WebP file.
pub fn webp(file: &[u8]) -> Result<(), ProbeError> {
    image(MimeType::Webp, file)
}

fn image(mime: MimeType, file: &[u8]) -> Result<(), ProbeError> {
    if let Some(profile) = colour::foreign_profile(mime, file) {
        let grey = Raster {
            width: 2,
            height: 1,
            rgb: vec![128; 6],
        };
        let converted = colour::to_srgb(grey, &profile);
        assert_eq!(converted.rgb.len(), 6, "another size in sRGB");
    }
    let header = probe::image_header(mime, file)?;
    let (width, height) = header.displayed();
    if u64::from(width) * u64::from(height) > MAX_PIXELS {
        return Ok(());
    }
    let drawn = preview::of_image(mime, file, header)?;
    let preview = Preview::of(mime, &drawn)?;
    let (width, height) = preview.size;
    assert!(
        (1..=PREVIEW_MAX_WIDTH).contains(&width) && (1..=PREVIEW_MAX_HEIGHT).contains(&height),
        "a preview of {width} by {height} pixels"
    );
    Ok(())
}
