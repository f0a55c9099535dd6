//! What libjpeg-turbo itself does with the same pictures: whether F is fair, and what copying blocks saves.

use turbojpeg::{Compressor, Decompressor, Image, OutputBuf, PixelFormat, Subsamp, Transform};

use crate::files::{CANVAS, PLAIN};
use crate::meter::{Series, beside};

/// Prints a line for F with its memory kept from picture to picture, as our own work keeps its, and one for reading all
/// coefficients and writing them again, which is the least that libjpeg-turbo can do for a lossless copy.
pub(crate) fn print(slides: &[Vec<u8>]) {
    let (mut kept, mut copied) = (Series::default(), Series::default());
    let mut again = Again::new();
    again.decode_and_encode(&slides[0]);
    for slide in slides {
        kept.add(beside(slide, || again.decode_and_encode(slide)));
        copied.add(beside(slide, || copy_coefficients(slide)));
    }
    println!("decoded and encoded with memory kept\t{}", kept.medians());
    println!("coefficients copied by libjpeg-turbo\t{}", copied.medians());
}

fn copy_coefficients(file: &[u8]) {
    drop(turbojpeg::transform(&Transform::default(), file).unwrap());
}

/// All that F takes, made once.
struct Again {
    decompressor: Decompressor,
    compressor: Compressor,
    pixels: Vec<u8>,
    room: Vec<u8>,
}

impl Again {
    fn new() -> Self {
        let mut compressor = Compressor::new().unwrap();
        compressor.set_quality(PLAIN.quality).unwrap();
        compressor.set_subsamp(PLAIN.subsamp).unwrap();
        Self {
            decompressor: Decompressor::new().unwrap(),
            compressor,
            pixels: vec![0; CANVAS.0 * CANVAS.1 * 3],
            room: vec![0; turbojpeg::compressed_buf_len(CANVAS.0, CANVAS.1, Subsamp::Sub2x2).unwrap()],
        }
    }

    fn decode_and_encode(&mut self, file: &[u8]) {
        let (width, height) = CANVAS;
        let mut image = Image {
            pixels: &mut self.pixels[..],
            width,
            pitch: width * 3,
            height,
            format: PixelFormat::RGB,
        };
        self.decompressor.decompress(file, image.as_deref_mut()).unwrap();
        let mut output = OutputBuf::borrowed(&mut self.room);
        self.compressor.compress(image.as_deref(), &mut output).unwrap();
    }
}
