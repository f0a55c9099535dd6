//! Decoding at one to four eighths of the size.

use crate::bits::{self, Reader};
use crate::header::Header;
use crate::huffman::{AcCodes, Lookups, Table};
use crate::lowest::{BlockRow, Quantisers};

/// The largest scale, in eighths. Nearer to the whole size, the samples are most of the work.
pub const MOST_EIGHTHS: usize = 4;

/// Decodes a file at so many eighths of its size, rounded up, to planes one behind the other without gaps: all there is for a single
/// component, otherwise luma, padded on the right and below to whole samples of chroma, Cb and Cr, which have half as many samples where
/// an MCU has two blocks of luma for one of them. `unstuffed` is memory to be used.
///
/// The caller has read the header with a complete decoder, and knows that the components are luma, Cb and Cr, or grey.
///
/// `None`, and anything in `samples`, for a file that is not a sound baseline JPEG of one scan without restarts, for other samplings of
/// chroma, and where `samples` are not as many as the planes have.
pub fn decode(file: &[u8], eighths: usize, samples: &mut [u8], unstuffed: &mut Vec<u8>) -> Option<()> {
    // Nothing is read for scales that others decode.
    (1..=MOST_EIGHTHS).contains(&eighths).then_some(())?;
    let header = Header::read(file)?;
    bits::unstuff(header.scan, unstuffed)?;
    match eighths {
        1 => decode_to::<1>(&header, samples, unstuffed),
        2 => decode_to::<2>(&header, samples, unstuffed),
        3 => decode_to::<3>(&header, samples, unstuffed),
        4 => decode_to::<4>(&header, samples, unstuffed),
        _ => None,
    }
}

fn decode_to<const SIDE: usize>(header: &Header<'_>, samples: &mut [u8], unstuffed: &[u8]) -> Option<()> {
    let grid = Grid::of(header)?;
    let lookups = all_lookups(header);
    let mut planes = grid.planes::<SIDE>(header.size, samples)?.into_iter();
    let mut channels = Vec::with_capacity(3);
    for (number, (component, blocks)) in header.components.iter().zip(grid.blocks()).enumerate() {
        let pitch = grid.mcus.0 * blocks.0 * SIDE;
        channels.push(Channel::<SIDE> {
            blocks,
            dc: header.dc(usize::from(component.dc))?,
            ac: AcCodes {
                table: header.ac(usize::from(component.ac))?,
                lookups: lookups.get(usize::from(component.ac))?.as_ref()?,
            },
            quantisers: Quantisers::of(&header.tables(number)?.quantiser),
            last: 0,
            rows: vec![BlockRow::new(grid.mcus.0 * blocks.0); blocks.1],
            strip: vec![0; pitch * blocks.1 * SIDE],
            pitch,
            plane: planes.next()?,
        });
    }
    let mut reader = Reader::new(unstuffed);
    for _ in 0..grid.mcus.1 {
        for column in 0..grid.mcus.0 {
            for channel in &mut channels {
                channel.read_mcu(&mut reader, column)?;
            }
        }
        if reader.position() > reader.length() {
            return None;
        }
        channels.iter_mut().for_each(Channel::write);
    }
    (reader.length() - reader.position() < 8).then_some(())
}

/// How the MCUs of a picture lie (T.81 §A.2).
struct Grid {
    /// MCUs across and down.
    mcus: (usize, usize),
    /// Blocks of luma across and down an MCU; of every other component there is one.
    luma: (usize, usize),
    components: usize,
}

impl Grid {
    fn of(header: &Header<'_>) -> Option<Self> {
        let components = header.components.len();
        // The sampling of a single component is without meaning (T.81 §A.2.2).
        let luma = match header.components.first()?.sampling {
            _ if components == 1 => (1, 1),
            (across @ 1..=2, down @ 1..=2) => (across, down),
            _ => return None,
        };
        let others = header.components.iter().skip(1);
        let is_usual = others.into_iter().all(|component| component.sampling == (1, 1));
        is_usual.then_some(Self {
            mcus: (
                header.size.0.div_ceil(8 * luma.0),
                header.size.1.div_ceil(8 * luma.1),
            ),
            luma,
            components,
        })
    }

    /// Blocks across and down an MCU, of each component.
    fn blocks(&self) -> impl Iterator<Item = (usize, usize)> {
        (0..self.components).map(|component| if component == 0 { self.luma } else { (1, 1) })
    }

    /// The planes of a picture of that size at `SIDE` eighths; `None` if they are not as large as all samples.
    fn planes<'s, const SIDE: usize>(
        &self,
        (width, height): (usize, usize),
        mut samples: &'s mut [u8],
    ) -> Option<Vec<Plane<'s>>> {
        let scaled = |side: usize| (side * SIDE).div_ceil(8);
        let chroma = (
            scaled(width).div_ceil(self.luma.0),
            scaled(height).div_ceil(self.luma.1),
        );
        let mut planes = Vec::with_capacity(3);
        for (across, down) in self.blocks() {
            let (width, height) = (chroma.0 * across, chroma.1 * down);
            let rest = std::mem::take(&mut samples);
            let (plane, rest) = rest.split_at_mut_checked(width * height)?;
            planes.push(Plane { rest: plane, width });
            samples = rest;
        }
        samples.is_empty().then_some(planes)
    }
}

/// A plane that is written from the top: what is not written yet.
struct Plane<'s> {
    rest: &'s mut [u8],
    width: usize,
}

/// Lookups for the AC tables that there are, by their number.
fn all_lookups(header: &Header<'_>) -> [Option<Lookups>; 4] {
    [0, 1, 2, 3].map(|number| {
        let table = header.ac(number)?;
        let mut lookups = Lookups::default();
        lookups.serve(table);
        Some(lookups)
    })
}

/// A component while it is decoded.
struct Channel<'t, 's, const SIDE: usize> {
    /// Blocks across and down an MCU.
    blocks: (usize, usize),
    dc: &'t Table,
    ac: AcCodes<'t>,
    quantisers: Quantisers,
    /// The last DC value.
    last: i32,
    /// The rows of blocks in a row of MCUs.
    rows: Vec<BlockRow<SIDE>>,
    /// The samples of a row of MCUs.
    strip: Vec<u8>,
    /// Samples in a row of the strip.
    pitch: usize,
    plane: Plane<'s>,
}

impl<const SIDE: usize> Channel<'_, '_, SIDE> {
    #[inline(always)]
    fn read_mcu(&mut self, reader: &mut Reader<'_>, column: usize) -> Option<()> {
        for row in &mut self.rows {
            for across in 0..self.blocks.0 {
                reader.refill()?;
                self.last = self.last.wrapping_add(self.dc.difference(reader)?);
                let column = column * self.blocks.0 + across;
                row.read(column, reader, self.ac, self.last)?;
            }
        }
        Some(())
    }

    /// Writes a row of MCUs to the plane, as much of it as the picture has.
    fn write(&mut self) {
        for (row, strip) in self.rows.iter_mut().zip(self.strip.chunks_mut(SIDE * self.pitch)) {
            row.write(&self.quantisers, strip, self.pitch);
        }
        for row in self.strip.chunks_exact(self.pitch) {
            let rest = std::mem::take(&mut self.plane.rest);
            let Some((to, rest)) = rest.split_at_mut_checked(self.plane.width) else {
                return;
            };
            to.copy_from_slice(&row[..self.plane.width]);
            self.plane.rest = rest;
        }
    }
}

#[cfg(test)]
mod tests;
