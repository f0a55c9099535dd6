//! WebP files (RFC 9649): still ones, and the first frame of moving ones.

use std::borrow::Cow;

use webp::{BitstreamFormat, WebPImage};

use super::source::{Format, Source, is_foreign};
use super::{colour, webp_planes};
use crate::orientation::Orientation;
use crate::planes::Planes;
use crate::refusal::Refusal;

/// Reads the header.
pub(super) fn read(file: &[u8]) -> Result<Source<'_>, Refusal> {
    let damaged = || Refusal::Unreadable("its header is damaged or cut off".to_owned());
    let features = webp::BitstreamFeatures::new(file).ok_or_else(damaged)?;
    let body = |name: &[u8; 4]| {
        chunks(file)
            .find(|chunk| chunk.name == name)
            .map(|chunk| chunk.body)
    };
    let exif = body(b"EXIF").map(|exif| exif.strip_prefix(b"Exif\0\0").unwrap_or(exif));
    Ok(Source {
        file,
        format: Format::Webp,
        size: (features.width() as usize, features.height() as usize),
        orientation: exif.map(Orientation::of_exif).unwrap_or_default(),
        profile: body(b"ICCP")
            .filter(|profile| is_foreign(profile))
            .map(Cow::Borrowed),
    })
}

/// Decodes; what is transparent becomes black.
pub(super) fn decode(file: &[u8], planes: &mut Planes) -> Result<(), String> {
    let features = webp::BitstreamFeatures::new(file).ok_or("its header is damaged or cut off")?;
    let is_lossy = matches!(features.format(), Some(BitstreamFormat::Lossy));
    if is_lossy && !features.has_alpha() && !features.has_animation() {
        let size = (features.width() as usize, features.height() as usize);
        return webp_planes::decode(file, size, planes);
    }
    if !features.has_animation() {
        let image = still(file)?;
        colour::from_rgb(&opaque(&image), size(&image), planes);
        return Ok(());
    }
    let canvas = (features.width() as usize, features.height() as usize);
    let (image, at) = first_frame(file, canvas)?;
    let (pixels, size) = (opaque(&image), size(&image));
    let mut rgb = vec![0; canvas.0 * canvas.1 * 3];
    let rows = rgb.chunks_exact_mut(canvas.0 * 3).skip(at.1);
    for (row, frame) in rows.zip(pixels.chunks_exact(size.0 * 3)) {
        row[at.0 * 3..][..frame.len()].copy_from_slice(frame);
    }
    colour::from_rgb(&rgb, canvas, planes);
    Ok(())
}

fn still(file: &[u8]) -> Result<WebPImage, String> {
    let decoded = webp::Decoder::new(file).decode();
    decoded.ok_or_else(|| "its picture data is damaged or cut off".to_owned())
}

fn size(image: &WebPImage) -> (usize, usize) {
    (image.width() as usize, image.height() as usize)
}

/// Red, green and blue.
fn opaque(image: &WebPImage) -> Cow<'_, [u8]> {
    if image.is_alpha() {
        Cow::Owned(on_black(image))
    } else {
        Cow::Borrowed(image)
    }
}

fn on_black(rgba: &[u8]) -> Vec<u8> {
    let dark = |colour: u8, alpha: u8| ((u16::from(colour) * u16::from(alpha) + 127) / 255) as u8;
    let mut rgb = Vec::with_capacity(rgba.len() / 4 * 3);
    for [red, green, blue, alpha] in rgba.as_chunks::<4>().0 {
        rgb.extend([*red, *green, *blue].map(|colour| dark(colour, *alpha)));
    }
    rgb
}

/// The first frame of a moving picture, and its place on a canvas of that size. The decoder of moving pictures would
/// decode them all, so the frame is made a file of its own.
fn first_frame(file: &[u8], canvas: (usize, usize)) -> Result<(WebPImage, (usize, usize)), String> {
    let frame = chunks(file)
        .find(|chunk| chunk.name == b"ANMF")
        .map(|chunk| chunk.body);
    let (header, data) = frame
        .and_then(|body| body.split_at_checked(16))
        .ok_or("it moves, but has no frame")?;
    let number = |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], 0]) as usize;
    let at = (2 * number(0), 2 * number(3));
    let said = (number(6) + 1, number(9) + 1);
    if at.0 + said.0 > canvas.0 || at.1 + said.1 > canvas.1 {
        return Err("its first frame lies outside the picture".to_owned());
    }
    let image = still(&alone(&header[6..12], data))?;
    if size(&image) != said {
        return Err("its first frame is of another size than it says".to_owned());
    }
    Ok((image, at))
}

/// A file of a frame's chunks; `size` is its width and height less one, three bytes each.
fn alone(size: &[u8], data: &[u8]) -> Vec<u8> {
    const ALPHA: u8 = 0x10;
    let chunks = [b"VP8X\x0A\0\0\0", &[ALPHA, 0, 0, 0][..], size, data];
    let length = 4 + chunks.iter().map(|chunk| chunk.len()).sum::<usize>();
    let length = u32::try_from(length).unwrap_or(u32::MAX).to_le_bytes();
    [&[b"RIFF", &length[..], b"WEBP"][..], &chunks].concat().concat()
}

struct Chunk<'a> {
    name: &'a [u8],
    body: &'a [u8],
}

/// The chunks of a file in their order; ends at one that is cut off.
fn chunks(file: &[u8]) -> impl Iterator<Item = Chunk<'_>> {
    let mut rest = file.get(12..).unwrap_or_default();
    std::iter::from_fn(move || {
        let (name, after) = rest.split_at_checked(4)?;
        let (size, after) = after.split_first_chunk()?;
        let size = u32::from_le_bytes(*size) as usize;
        let body = after.get(..size)?;
        rest = after.get(size + size % 2..).unwrap_or_default();
        Some(Chunk { name, body })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_walked_to_the_first_that_is_cut_off() {
        let file = b"RIFF\0\0\0\0WEBPEXIF\x03\0\0\0abc\0ICCP\x02\0\0\0deVP8 \xFF\xFF\xFF\xFFf";
        let found: Vec<_> = chunks(file).map(|chunk| (chunk.name, chunk.body)).collect();
        assert_eq!(found, [(&b"EXIF"[..], &b"abc"[..]), (b"ICCP", b"de")]);
        assert_eq!(chunks(b"RIFF").count(), 0);
    }

    #[test]
    fn what_is_transparent_becomes_black() {
        assert_eq!(
            on_black(&[10, 20, 30, 0, 200, 100, 50, 255, 200, 0, 0, 128]),
            [0, 0, 0, 200, 100, 50, 100, 0, 0]
        );
    }
}
