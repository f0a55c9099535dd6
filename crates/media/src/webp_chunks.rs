//! The chunks of a WebP file (RFC 9649 §2.3, §2.7) that carry what is not picture.
//!
//! Bounds: chunks are walked once, each at least eight bytes further on; nothing is copied.

/// The colour profile, which comes before the picture.
pub(crate) fn profile(file: &[u8]) -> Option<&[u8]> {
    chunks(file)
        .take_while(|chunk| !matches!(chunk.name, b"VP8 " | b"VP8L"))
        .find(|chunk| chunk.name == b"ICCP")
        .map(|chunk| chunk.body)
}

/// The EXIF block, a TIFF file; some writers put the name before it that JPEG files have.
pub(crate) fn exif(file: &[u8]) -> Option<&[u8]> {
    let chunk = chunks(file).find(|chunk| chunk.name == b"EXIF")?;
    Some(chunk.body.strip_prefix(b"Exif\0\0").unwrap_or(chunk.body))
}

struct Chunk<'a> {
    name: &'a [u8; 4],
    body: &'a [u8],
}

/// The chunks in their order, up to one that is cut off.
fn chunks(file: &[u8]) -> impl Iterator<Item = Chunk<'_>> {
    let mut rest = file.get(12..).unwrap_or_default();
    std::iter::from_fn(move || {
        let (name, after) = rest.split_first_chunk()?;
        let (size, after) = after.split_first_chunk()?;
        let size = usize::try_from(u32::from_le_bytes(*size)).ok()?;
        let body = after.get(..size)?;
        rest = after.get(size + size % 2..).unwrap_or_default();
        Some(Chunk { name, body })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_is_found_before_the_picture_only() {
        let file = b"RIFF\x30\0\0\0WEBPVP8X\x03\0\0\0abc\0ICCP\x04\0\0\0sRGBVP8 \0\0\0\0";
        assert_eq!(profile(file), Some(&b"sRGB"[..]));
        assert_eq!(profile(b"RIFF\x30\0\0\0WEBPVP8 \0\0\0\0ICCP\0\0\0\0"), None);
    }

    #[test]
    fn an_exif_block_is_found_behind_the_picture_with_and_without_a_name() {
        for body in [&b"MM\0*"[..], b"Exif\0\0MM\0*"] {
            let length = u32::try_from(body.len()).unwrap().to_le_bytes();
            let file = [b"RIFF\0\0\0\0WEBPVP8 \x01\0\0\0x\0EXIF", &length[..], body].concat();
            assert_eq!(exif(&file), Some(&b"MM\0*"[..]));
            assert_eq!(exif(&file[..file.len() - 1]), None, "cut off");
        }
    }
}
