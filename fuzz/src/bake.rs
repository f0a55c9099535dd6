//! Any bytes as a picture, any text as its caption: a slide that can be decoded, or a refusal.
//!
//! The first byte chooses the look and what is checked, the second is the length of the caption in bytes; after the
//! caption comes the file. Each input gets one check, because a slide takes long to make. `cargo xtask fuzz bake` begins
//! with real pictures, or the fuzzer would spend its time inventing headers.

use std::sync::LazyLock;

use playout_captions::{Compositor, Look};
use turbojpeg::{Decompressor, Subsamp, YuvImage};

use crate::look::look;

/// The highest bits of the first byte: a slide with a caption; one that is made again with nothing kept. Of all others the
/// caption is left out, so that what is copied can be compared.
const CAPTIONED: u8 = 2;
const AGAIN: u8 = 3;

static COMPOSITOR: LazyLock<Compositor> = LazyLock::new(Compositor::new);

/// Any bytes as a picture under a caption.
pub(crate) fn bake(data: &[u8]) {
    let [choice, length, rest @ ..] = data else {
        return;
    };
    let Some((caption, file)) = rest.split_at_checked(usize::from(*length)) else {
        return;
    };
    let check = choice >> 6;
    let caption = String::from_utf8_lossy(if check < CAPTIONED { b"" } else { caption });
    let chosen = look(*choice);
    let slide = COMPOSITOR.bake(file, &caption, chosen);
    if check == AGAIN {
        assert!(
            slide == Compositor::new().bake(file, &caption, chosen),
            "another slide the second time"
        );
    }
    if let Ok(slide) = &slide {
        let (shown, said) = planes(&slide.jpeg);
        said.expect("a slide can be decoded");
        if check < CAPTIONED && quantisers(&slide.jpeg) != quantisers(&REENCODED) {
            // Its blocks were copied. The decoder may report an error for the picture: about bytes behind it, for
            // example.
            assert!(planes(file).0 == shown, "the copy shows something else");
        }
    }
}

/// A slide that was encoded as a whole.
static REENCODED: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let image = turbojpeg::Image {
        pixels: &[128; 3][..],
        width: 1,
        pitch: 3,
        height: 1,
        format: turbojpeg::PixelFormat::RGB,
    };
    let file = turbojpeg::compress(image, 90, Subsamp::Sub2x2).expect("a grey pixel is a picture");
    COMPOSITOR
        .bake(&file, "", Look::default())
        .expect("a grey pixel is a picture")
        .jpeg
});

/// The quantisation table of luma, which is the first in a slide.
fn quantisers(slide: &[u8]) -> &[u8] {
    let at = slide
        .windows(2)
        .position(|two| two == [0xFF, 0xDB])
        .expect("a slide has its tables");
    &slide[at..at + 69]
}

/// Luma, Cb and Cr of a picture of a slide's size, and the decoder's result.
fn planes(file: &[u8]) -> (Vec<u8>, turbojpeg::Result<()>) {
    let mut decompressor = Decompressor::new().expect("there is memory for a decoder");
    let header = decompressor.read_header(file).expect("a slide has a header");
    assert_eq!(
        (header.width, header.height, header.subsamp),
        (1080, 1920, Subsamp::Sub2x2)
    );
    let mut pixels = vec![0; 3_110_400];
    let image = YuvImage {
        pixels: &mut pixels[..],
        width: 1080,
        align: 1,
        height: 1920,
        subsamp: header.subsamp,
    };
    let said = decompressor.decompress_to_yuv(file, image);
    (pixels, said)
}
