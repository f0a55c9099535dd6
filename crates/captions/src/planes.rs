//! Pictures as JPEG stores them: a plane of luma and two of chroma, of which the chroma may be coarser.

use turbojpeg::Subsamp;

/// A picture of `width × height` pixels in full-range YCbCr (JFIF 1.02), eight bits a sample.
///
/// The planes stand one behind the other without gaps. As the decoder wants it, the luma plane is padded on the right
/// and below to whole samples of chroma.
#[derive(Debug)]
pub(crate) struct Planes {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) subsamp: Subsamp,
    pub(crate) samples: Vec<u8>,
}

/// One plane: `width × height` samples, row by row.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plane<'a> {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) samples: &'a [u8],
}

/// One plane to be written to.
#[derive(Debug)]
pub(crate) struct PlaneMut<'a> {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) samples: &'a mut [u8],
}

impl Default for Planes {
    /// No pixels at all, to be shaped before use.
    fn default() -> Self {
        Self {
            width: 0,
            height: 0,
            subsamp: Subsamp::Sub2x2,
            samples: Vec::new(),
        }
    }
}

impl Planes {
    /// Gives these planes another shape; what they show is undefined until written. The memory is kept.
    pub(crate) fn shape(&mut self, (width, height): (usize, usize), subsamp: Subsamp) {
        (self.width, self.height, self.subsamp) = (width, height, subsamp);
        let (luma, chroma) = (self.luma_size(), self.chroma_size());
        self.samples.resize(luma.0 * luma.1 + 2 * chroma.0 * chroma.1, 0);
    }

    /// Gives memory back that a larger picture than most has taken.
    pub(crate) fn forget_above(&mut self, most_bytes: usize) {
        if self.samples.capacity() > most_bytes {
            *self = Self::default();
        }
    }

    /// Pixels across and down that share a sample of chroma.
    pub(crate) fn grain(&self) -> (usize, usize) {
        self.subsamp.size()
    }

    fn is_grey(&self) -> bool {
        self.subsamp == Subsamp::Gray
    }

    fn luma_size(&self) -> (usize, usize) {
        let (across, down) = self.grain();
        (
            self.width.next_multiple_of(across),
            self.height.next_multiple_of(down),
        )
    }

    fn chroma_size(&self) -> (usize, usize) {
        if self.is_grey() {
            return (0, 0);
        }
        let (across, down) = self.grain();
        (self.width.div_ceil(across), self.height.div_ceil(down))
    }

    /// Luma.
    pub(crate) fn luma(&self) -> Plane<'_> {
        let (width, height) = self.luma_size();
        Plane {
            width,
            height,
            samples: &self.samples[..width * height],
        }
    }

    /// Cb and Cr; both without samples when the picture is grey.
    pub(crate) fn chroma(&self) -> [Plane<'_>; 2] {
        let (width, height) = self.chroma_size();
        let (_, chroma) = self.samples.split_at(self.luma().samples.len());
        let (cb, cr) = chroma.split_at(width * height);
        [cb, cr].map(|samples| Plane {
            width,
            height,
            samples,
        })
    }

    /// Luma, Cb and Cr, to be written to.
    pub(crate) fn parts_mut(&mut self) -> [PlaneMut<'_>; 3] {
        let (luma, chroma) = (self.luma_size(), self.chroma_size());
        let (y, rest) = self.samples.split_at_mut(luma.0 * luma.1);
        let (cb, cr) = rest.split_at_mut(chroma.0 * chroma.1);
        [(luma, y), (chroma, cb), (chroma, cr)].map(|((width, height), samples)| PlaneMut {
            width,
            height,
            samples,
        })
    }
}
