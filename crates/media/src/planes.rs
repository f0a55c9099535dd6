//! Pictures as JPEG stores them, luma and chroma apart: decoded at a fraction of the size and encoded again, with no way through
//! red, green and blue.

use fast_image_resize::pixels::U8;
use turbojpeg::{Colorspace, Compressor, DecompressHeader, Subsamp, YuvImage};

use crate::jpeg::{Decoding, explain, forgive};
use crate::raster::averaged;

/// A picture in full-range YCbCr (JFIF 1.02), eight bits a sample: luma, then Cb and Cr unless it is grey, without gaps. Luma is
/// padded on the right and below to whole samples of chroma.
#[derive(Debug, Clone)]
pub(crate) struct Planes {
    width: usize,
    height: usize,
    subsamp: Subsamp,
    samples: Vec<u8>,
}

impl Planes {
    /// Decodes a JPEG at exactly `size`. `None`, before anything is decoded, where the decoder has no such scale or the file is
    /// not stored as YCbCr or grey.
    pub(crate) fn decode(file: &[u8], size: (u32, u32)) -> Result<Option<Self>, String> {
        let Decoding {
            mut decoder,
            header,
            scaled,
            eighths,
        } = Decoding::begin(file, size)?;
        let (width, height) = (scaled.width, scaled.height);
        if (width, height) != (size.0 as usize, size.1 as usize) || !is_planar(&header) {
            return Ok(None);
        }
        let mut image = YuvImage {
            pixels: Vec::new(),
            width,
            align: 1,
            height,
            subsamp: header.subsamp,
        };
        let (luma, chroma) = (image.y_size(), chroma_size(&image));
        image.pixels = vec![0; luma.0 * luma.1 + 2 * chroma.0 * chroma.1];
        if playout_jpeg::decode(file, eighths, &mut image.pixels, &mut Vec::new()).is_none() {
            forgive(decoder.decompress_to_yuv(file, image.as_deref_mut()))?;
        }
        Ok(Some(Self {
            width,
            height,
            subsamp: header.subsamp,
            samples: image.pixels,
        }))
    }

    /// Planes of 4:2:0.
    pub(crate) fn of((width, height): (u32, u32), samples: Vec<u8>) -> Result<Self, String> {
        let (width, height) = (width as usize, height as usize);
        let chroma = width.div_ceil(2) * height.div_ceil(2);
        match samples.len() == 6 * chroma && width > 0 && height > 0 {
            true => Ok(Self {
                width,
                height,
                subsamp: Subsamp::Sub2x2,
                samples,
            }),
            false => Err(format!(
                "{} samples are not {width} by {height} pixels",
                samples.len()
            )),
        }
    }

    /// In pixels.
    pub(crate) fn size(&self) -> (u32, u32) {
        (self.width as u32, self.height as u32)
    }

    /// Encodes at `quality` (1–100), the chroma as coarse as it is here.
    pub(crate) fn to_jpeg(&self, quality: i32) -> Result<Vec<u8>, String> {
        let mut encoder = Compressor::new().map_err(explain)?;
        encoder.set_quality(quality).map_err(explain)?;
        encoder.compress_yuv_to_vec(self.image()).map_err(explain)
    }

    /// Red, green, blue and full alpha of the picture at another, much smaller size.
    pub(crate) fn shrunk_rgba(&self, size: (u32, u32)) -> Result<Vec<u8>, String> {
        let image = self.image();
        let (luma, chroma) = (image.y_size(), chroma_size(&image));
        let (y, rest) = self.samples.split_at(luma.0 * luma.1);
        let (cb, cr) = rest.split_at(chroma.0 * chroma.1);
        let y = shrunk(y, luma, size)?;
        if cb.is_empty() {
            return Ok(y.iter().flat_map(|y| [*y, *y, *y, 255]).collect());
        }
        let (cb, cr) = (shrunk(cb, chroma, size)?, shrunk(cr, chroma, size)?);
        let samples = y.iter().zip(cb.iter().zip(&cr));
        Ok(samples.flat_map(|(y, (cb, cr))| rgba([*y, *cb, *cr])).collect())
    }

    fn image(&self) -> YuvImage<&[u8]> {
        YuvImage {
            pixels: &self.samples[..],
            width: self.width,
            align: 1,
            height: self.height,
            subsamp: self.subsamp,
        }
    }
}

fn is_planar(header: &DecompressHeader) -> bool {
    let is_stored_so = matches!(header.colorspace, Colorspace::YCbCr | Colorspace::Gray);
    is_stored_so && !header.is_lossless && header.subsamp != Subsamp::Unknown
}

fn chroma_size<T>(image: &YuvImage<T>) -> (usize, usize) {
    match image.subsamp {
        Subsamp::Gray => (0, 0),
        _ => image.uv_size(),
    }
}

/// A plane at another size.
fn shrunk(samples: &[u8], from: (usize, usize), to: (u32, u32)) -> Result<Vec<u8>, String> {
    averaged::<U8>(samples, (from.0 as u32, from.1 as u32), to)
}

/// As JFIF 1.02 defines it, in sixteen bits behind the point.
fn rgba([y, cb, cr]: [u8; 3]) -> [u8; 4] {
    let (y, cb, cr) = (i32::from(y) << 16, i32::from(cb) - 128, i32::from(cr) - 128);
    let channel = |value: i32| ((value + 32768) >> 16).clamp(0, 255) as u8;
    [
        channel(y + 91881 * cr),
        channel(y - 22554 * cb - 46802 * cr),
        channel(y + 116_130 * cb),
        255,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jpeg::encode;
    use crate::raster::Raster;

    fn plain(width: u32, height: u32) -> Vec<u8> {
        let rgb = [200, 100, 50].repeat((width * height) as usize);
        encode(&Raster { width, height, rgb }, 95).unwrap()
    }

    #[test]
    fn a_picture_is_decoded_where_the_decoder_has_that_scale() {
        let file = plain(81, 50);
        let planes = Planes::decode(&file, (31, 19)).unwrap().unwrap();
        assert_eq!((planes.width, planes.height), (31, 19));
        assert_eq!(planes.samples.len(), 32 * 20 + 2 * 16 * 10);
        assert!(Planes::decode(&file, (30, 19)).unwrap().is_none());
    }

    #[test]
    fn a_picture_keeps_its_colour_when_it_is_encoded_or_shrunk() {
        let planes = Planes::decode(&plain(80, 48), (40, 24)).unwrap().unwrap();
        let close = |pixel: &[u8]| {
            let channels = pixel.iter().zip([200, 100, 50]);
            channels.map(|(seen, wanted)| seen.abs_diff(wanted)).max() <= Some(4)
        };
        let again = crate::jpeg::decode(&planes.to_jpeg(90).unwrap(), (40, 24)).unwrap();
        assert_eq!((again.width, again.height), (40, 24));
        assert!(again.rgb.chunks_exact(3).all(close), "{:?}", &again.rgb[..3]);
        let small = planes.shrunk_rgba((7, 5)).unwrap();
        assert_eq!(small.len(), 7 * 5 * 4);
        assert!(
            small
                .chunks_exact(4)
                .all(|pixel| close(&pixel[..3]) && pixel[3] == 255)
        );
    }

    #[test]
    fn planes_of_another_size_are_refused() {
        assert!(Planes::of((3, 3), vec![128; 24]).is_ok());
        for (size, samples) in [((3, 3), 23), ((3, 5), 24), ((0, 0), 0)] {
            assert!(Planes::of(size, vec![128; samples]).is_err(), "{size:?}");
        }
    }

    #[test]
    fn a_cut_picture_is_refused() {
        let file = plain(800, 480);
        let error = Planes::decode(&file[..file.len() - 200], (100, 60)).unwrap_err();
        assert!(error.contains("cut off"), "{error}");
    }
}
