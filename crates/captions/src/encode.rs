//! Encodes the canvas as a JPEG file.

use turbojpeg::{Compressor, OutputBuf, Subsamp, YuvImage, compressed_buf_len};

use crate::planes::Planes;

/// Quality of a slide (`docs/contract.md#slides`).
const QUALITY: i32 = 90;

/// Encodes canvases, and keeps the memory that this takes.
#[derive(Debug)]
pub(crate) struct Encoder {
    compressor: Compressor,
    room: Vec<u8>,
}

impl Encoder {
    /// # Errors
    /// When there is no memory for the encoder.
    pub(crate) fn new() -> turbojpeg::Result<Self> {
        let mut compressor = Compressor::new()?;
        compressor.set_quality(QUALITY)?;
        Ok(Self {
            compressor,
            room: Vec::new(),
        })
    }

    /// A baseline JFIF file of 4:2:0, without any metadata.
    pub(crate) fn encode(&mut self, canvas: &Planes) -> turbojpeg::Result<Vec<u8>> {
        let most = compressed_buf_len(canvas.width, canvas.height, Subsamp::Sub2x2)?;
        self.room.resize(most, 0);
        let image = YuvImage {
            pixels: &canvas.samples[..],
            width: canvas.width,
            align: 1,
            height: canvas.height,
            subsamp: Subsamp::Sub2x2,
        };
        let mut output = OutputBuf::borrowed(&mut self.room);
        self.compressor.compress_yuv(image, &mut output)?;
        Ok(output.to_vec())
    }
}
