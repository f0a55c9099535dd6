//! From MCU to MCU: bits for the untouched ones, and the touched ones made anew.

use playout_jpeg::bits::{Reader, Writer};
use playout_jpeg::huffman::{AcCodes, Lookups, Table, read_coefficient};
use playout_jpeg::{Header, Tables, ZIGZAG};

use super::block::{Layer, Quantiser};
use super::dct;
use super::shrink::{Shrinking, Shrunk};
use crate::overlay::{COLUMNS, Overlay, ROWS, Tile, over};

/// The component of each block of an MCU: four of luma, one of Cb, one of Cr.
const COMPONENTS: [usize; 6] = [0, 0, 0, 0, 1, 2];

/// Makes the entropy-coded data, which is unstuffed, anew; it is still to be stuffed. What it shows goes to `shrunk`.
pub(super) fn walk<'s>(
    header: &mut Header<'_>,
    overlay: &Overlay,
    unstuffed: &[u8],
    writer: &'s mut Writer,
    lookups: &mut [Lookups; 2],
    shrunk: Option<&mut Shrunk>,
) -> Option<&'s [u8]> {
    let tables = [header.tables(0)?, header.tables(1)?, header.tables(2)?];
    if tables[1].ac != tables[2].ac {
        return None;
    }
    for (lookups, component) in lookups.iter_mut().zip([0, 1]) {
        lookups.serve(header.ac(tables[component].ac)?);
    }
    let [luma, cb, cr] = &tables;
    let quantisers = [&luma.quantiser, &cb.quantiser, &cr.quantiser];
    let shrinking = shrunk.map(|shrunk| Shrinking::new(shrunk, quantisers));
    let mut walk = Walk {
        quantisers: quantisers.map(Quantiser::of),
        header,
        tables,
        lookups,
        plain: unstuffed,
        reader: Reader::new(unstuffed),
        writer,
        read: [0; 3],
        written: [0; 3],
        place: 0,
        shrinking,
    };
    let mut next = 0;
    for (place, tile) in overlay.tiles() {
        walk.copy(place - next)?;
        walk.remake(Some(tile))?;
        next = place + 1;
    }
    walk.copy(COLUMNS * ROWS - next)?;
    let unread = walk.reader.length().checked_sub(walk.reader.position())?;
    if unread < 8 { Some(writer.finish()) } else { None }
}

/// The state between two MCUs.
struct Walk<'a, 'f> {
    header: &'a mut Header<'f>,
    tables: [Tables; 3],
    /// For the AC coefficients of luma, and of chroma.
    lookups: &'a [Lookups; 2],
    quantisers: [Quantiser; 3],
    plain: &'a [u8],
    reader: Reader<'a>,
    writer: &'a mut Writer,
    /// The last DC values of each component, as the picture has them.
    read: [i32; 3],
    /// The same, as they were written.
    written: [i32; 3],
    /// The number of the next MCU.
    place: usize,
    shrinking: Option<Shrinking<'a>>,
}

impl Walk<'_, '_> {
    /// Copies that many MCUs.
    fn copy(&mut self, count: usize) -> Option<()> {
        let Some(others) = count.checked_sub(1) else {
            return Some(());
        };
        // Behind a touched MCU, the DC differences are others than they were.
        let mut count = count;
        if self.read != self.written {
            self.remake(None)?;
            count = others;
        }
        let from = self.reader.position();
        self.pass_over(count)?;
        self.writer.copy(self.plain, from, self.reader.position());
        self.written = self.read;
        Some(())
    }

    fn pass_over(&mut self, count: usize) -> Option<()> {
        let [luma, cb, cr] = &self.tables;
        let dc = [luma, cb, cr].map(|tables| self.header.dc(tables.dc));
        let [Some(luma_dc), Some(cb_dc), Some(cr_dc)] = dc else {
            return None;
        };
        let dc = [luma_dc, cb_dc, cr_dc];
        let ac = [
            codes(self.header, luma, &self.lookups[0])?,
            codes(self.header, cb, &self.lookups[1])?,
        ];
        let mut reader = self.reader.clone();
        let mut read = self.read;
        if let Some(shrinking) = &mut self.shrinking {
            for place in self.place..self.place + count {
                for (block, component) in COMPONENTS.into_iter().enumerate() {
                    reader.refill()?;
                    read[component] += dc[component].difference(&mut reader)?;
                    let (row, column) = shrinking.row(place, block);
                    row.read(column, &mut reader, ac[component.min(1)], read[component])?;
                }
                shrinking.end(place);
            }
        } else {
            let [luma, cb, cr] = &mut read;
            for _ in 0..count {
                for _ in 0..4 {
                    *luma += pass_block(&mut reader, dc[0], ac[0])?;
                }
                *cb += pass_block(&mut reader, dc[1], ac[1])?;
                *cr += pass_block(&mut reader, dc[2], ac[1])?;
            }
        }
        self.place += count;
        // Behind the end of the data there is nothing to be copied.
        (reader.position() <= reader.length()).then_some(())?;
        self.reader = reader;
        self.read = read;
        Some(())
    }

    /// Writes the next MCU with `tile` over it, and its DC differences anew.
    fn remake(&mut self, tile: Option<&Tile>) -> Option<()> {
        for (block, component) in COMPONENTS.into_iter().enumerate() {
            self.reader.refill()?;
            let dc = self.header.dc(self.tables[component].dc)?;
            self.read[component] += dc.difference(&mut self.reader)?;
            match tile.and_then(|tile| Layer::of(tile, block)) {
                None => self.keep(block, component)?,
                Some(layer) => {
                    let samples = self.samples(component, &layer)?;
                    let levels = self.quantisers[component].levels(&dct::forward(&samples));
                    self.write(component, &levels)?;
                    if let Some(shrinking) = &mut self.shrinking {
                        let (row, column) = shrinking.row(self.place, block);
                        row.take(column, &levels);
                    }
                }
            }
        }
        if let Some(shrinking) = &mut self.shrinking {
            shrinking.end(self.place);
        }
        self.place += 1;
        (self.reader.position() <= self.reader.length()).then_some(())
    }

    /// Writes a block of the picture as it is.
    fn keep(&mut self, block: usize, component: usize) -> Option<()> {
        self.write_dc(component, self.read[component])?;
        let from = self.reader.position();
        let lookups = &self.lookups[component.min(1)];
        let codes = codes(self.header, &self.tables[component], lookups)?;
        match &mut self.shrinking {
            None => codes.pass(&mut self.reader)?,
            Some(shrinking) => {
                let (row, column) = shrinking.row(self.place, block);
                row.read(column, &mut self.reader, codes, self.read[component])?;
            }
        }
        (self.reader.position() <= self.reader.length()).then_some(())?;
        self.writer.copy(self.plain, from, self.reader.position());
        Some(())
    }

    /// The samples of a block of the picture under `layer`, column by column.
    fn samples(&mut self, component: usize, layer: &Layer) -> Option<[u8; 64]> {
        let lookups = &self.lookups[component.min(1)];
        let codes = codes(self.header, &self.tables[component], lookups)?;
        if layer.is_opaque() {
            codes.pass(&mut self.reader)?;
            return Some(layer.values);
        }
        let steps = &self.quantisers[component].steps;
        let mut coefficients = [0; 64];
        coefficients[0] = self.read[component].wrapping_mul(steps[0]);
        let mut at = 1;
        while at < 64 {
            let Some((run, value)) = read_coefficient(&mut self.reader, codes.table)? else {
                break;
            };
            at += run;
            let place = *ZIGZAG.get(at)?;
            coefficients[place] = value * steps[at];
            at += 1;
        }
        let mut samples = dct::inverse(&coefficients);
        for (sample, (value, alpha)) in samples.iter_mut().zip(layer.values.iter().zip(&layer.alphas)) {
            *sample = over(*sample, *value, *alpha);
        }
        Some(samples)
    }

    fn write_dc(&mut self, component: usize, value: i32) -> Option<()> {
        let difference = value - std::mem::replace(&mut self.written[component], value);
        let (bits, size) = coded(difference);
        let table = self.header.dc_mut(self.tables[component].dc)?;
        let size_symbol = u8::try_from(size).ok().filter(|size| *size <= 11)?;
        table.write(self.writer, size_symbol, (bits, size))
    }

    /// Writes a block's quantised coefficients, which stand in zigzag order.
    fn write(&mut self, component: usize, levels: &[i16; 64]) -> Option<()> {
        self.write_dc(component, i32::from(levels[0]))?;
        let table = self.header.ac_mut(self.tables[component].ac)?;
        let present = levels.iter().zip(0..).skip(1);
        let mut present = present.fold(0_u64, |mask, (level, at)| mask | u64::from(*level != 0) << at);
        let mut last = 0;
        while present != 0 {
            let at = present.trailing_zeros();
            let mut run = at - last - 1;
            while run > 15 {
                table.write(self.writer, 0xF0, (0, 0))?;
                run -= 16;
            }
            let (bits, size) = coded(i32::from(levels[at as usize]));
            if size > 10 {
                return None;
            }
            table.write(self.writer, (run << 4 | size) as u8, (bits, size))?;
            last = at;
            present &= present - 1;
        }
        if last < 63 {
            table.write(self.writer, 0, (0, 0))?;
        }
        Some(())
    }
}

/// The codes of the AC coefficients of a component.
fn codes<'t>(header: &'t Header<'_>, tables: &Tables, lookups: &'t Lookups) -> Option<AcCodes<'t>> {
    let table = header.ac(tables.ac)?;
    Some(AcCodes { table, lookups })
}

/// Passes over a block; its DC difference.
#[inline(always)]
fn pass_block(reader: &mut Reader<'_>, dc: &Table, ac: AcCodes<'_>) -> Option<i32> {
    reader.refill()?;
    let difference = dc.difference(reader)?;
    ac.pass(reader)?;
    Some(difference)
}

/// The bits of a value, and how many they are (T.81 §F.1.2.1).
fn coded(value: i32) -> (u32, u32) {
    let size = 32 - value.unsigned_abs().leading_zeros();
    let bits = if value < 0 { value - 1 } else { value };
    (bits as u32 & ((1_u64 << size) - 1) as u32, size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_coded_as_the_standard_says() {
        assert_eq!(
            [0, 1, -1, 2, -2, -3, 255].map(coded),
            [(0, 0), (1, 1), (0, 1), (2, 2), (1, 2), (0, 2), (255, 8)]
        );
    }
}
