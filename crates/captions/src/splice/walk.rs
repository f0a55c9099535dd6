//! From MCU to MCU: bits for the untouched ones, and the touched ones made anew.

use super::bits::{Reader, Writer};
use super::block::{Layer, Quantiser, ZIGZAG};
use super::dct;
use super::header::{Header, Tables};
use super::huffman::{SkipTable, Table, read_coefficient};
use super::shrink::{self, Shrunk};
use crate::overlay::{COLUMNS, Overlay, ROWS, Tile, over};

/// The component of each block of an MCU: four of luma, one of Cb, one of Cr.
const COMPONENTS: [usize; 6] = [0, 0, 0, 0, 1, 2];

/// Makes the entropy-coded data, which is unstuffed, anew; it is still to be stuffed. What it shows goes to `shrunk`.
pub(super) fn walk<'s>(
    header: &mut Header<'_>,
    overlay: &Overlay,
    unstuffed: &[u8],
    writer: &'s mut Writer,
    skip_tables: &mut [SkipTable; 2],
    shrunk: Option<&mut Shrunk>,
) -> Option<&'s [u8]> {
    let tables = [header.tables(0)?, header.tables(1)?, header.tables(2)?];
    if tables[1].ac != tables[2].ac {
        return None;
    }
    for (skip, component) in skip_tables.iter_mut().zip([0, 1]) {
        skip.serve(header.ac(tables[component].ac));
    }
    let mut walk = Walk {
        quantisers: [0, 1, 2].map(|component: usize| Quantiser::of(&tables[component].quantiser)),
        header,
        tables,
        skip: skip_tables,
        plain: unstuffed,
        reader: Reader::new(unstuffed),
        writer,
        read: [0; 3],
        written: [0; 3],
        place: 0,
        shrunk,
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
    skip: &'a [SkipTable; 2],
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
    shrunk: Option<&'a mut Shrunk>,
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
        let dc = [0, 1, 2].map(|component: usize| self.header.dc(self.tables[component].dc));
        let ac = [0, 1].map(|component: usize| self.header.ac(self.tables[component].ac));
        let [skip_luma, skip_chroma] = self.skip;
        let mut reader = self.reader.clone();
        let mut read = self.read;
        if let Some(shrunk) = self.shrunk.as_deref_mut() {
            for place in self.place..self.place + count {
                for (block, component) in COMPONENTS.into_iter().enumerate() {
                    let (table, skip) = (ac[component.min(1)], &self.skip[component.min(1)]);
                    reader.refill()?;
                    read[component] += dc[component].difference(&mut reader)?;
                    let steps = &self.quantisers[component].steps;
                    let lowest = shrink::pass(&mut reader, table, skip, steps, read[component])?;
                    shrunk.take(place, block, &lowest);
                }
            }
        } else {
            let [luma, cb, cr] = &mut read;
            for _ in 0..count {
                for _ in 0..4 {
                    *luma += pass_block(&mut reader, dc[0], skip_luma, ac[0])?;
                }
                *cb += pass_block(&mut reader, dc[1], skip_chroma, ac[1])?;
                *cr += pass_block(&mut reader, dc[2], skip_chroma, ac[1])?;
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
            self.read[component] += self
                .header
                .dc(self.tables[component].dc)
                .difference(&mut self.reader)?;
            match tile.and_then(|tile| Layer::of(tile, block)) {
                None => self.keep(block, component)?,
                Some(layer) => {
                    let samples = self.samples(component, &layer)?;
                    let levels = self.quantisers[component].levels(&dct::forward(&samples));
                    self.write(component, &levels)?;
                    if let Some(shrunk) = self.shrunk.as_deref_mut() {
                        let lowest = shrink::lowest_of(&levels, &self.quantisers[component].steps);
                        shrunk.take(self.place, block, &lowest);
                    }
                }
            }
        }
        self.place += 1;
        (self.reader.position() <= self.reader.length()).then_some(())
    }

    /// Writes a block of the picture as it is.
    fn keep(&mut self, block: usize, component: usize) -> Option<()> {
        self.write_dc(component, self.read[component])?;
        let from = self.reader.position();
        let (table, skip) = (
            self.header.ac(self.tables[component].ac),
            &self.skip[component.min(1)],
        );
        match self.shrunk.as_deref_mut() {
            None => skip.pass(&mut self.reader, table)?,
            Some(shrunk) => {
                let steps = &self.quantisers[component].steps;
                let lowest = shrink::pass(&mut self.reader, table, skip, steps, self.read[component])?;
                shrunk.take(self.place, block, &lowest);
            }
        }
        (self.reader.position() <= self.reader.length()).then_some(())?;
        self.writer.copy(self.plain, from, self.reader.position());
        Some(())
    }

    /// The samples of a block of the picture under `layer`, column by column.
    fn samples(&mut self, component: usize, layer: &Layer) -> Option<[u8; 64]> {
        let table = self.header.ac(self.tables[component].ac);
        if layer.is_opaque() {
            self.skip[component.min(1)].pass(&mut self.reader, table)?;
            return Some(layer.values);
        }
        let steps = &self.quantisers[component].steps;
        let mut coefficients = [0; 64];
        coefficients[0] = self.read[component].wrapping_mul(steps[0]);
        let mut at = 1;
        while at < 64 {
            let Some((run, value)) = read_coefficient(&mut self.reader, table)? else {
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
        let table = self.header.dc_mut(self.tables[component].dc);
        let size_symbol = u8::try_from(size).ok().filter(|size| *size <= 11)?;
        table.write(self.writer, size_symbol, (bits, size))
    }

    /// Writes a block's quantised coefficients, which stand in zigzag order.
    fn write(&mut self, component: usize, levels: &[i16; 64]) -> Option<()> {
        self.write_dc(component, i32::from(levels[0]))?;
        let table = self.header.ac_mut(self.tables[component].ac);
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

/// Passes over a block; its DC difference.
#[inline(always)]
fn pass_block(reader: &mut Reader<'_>, dc: &Table, skip: &SkipTable, ac: &Table) -> Option<i32> {
    reader.refill()?;
    let difference = dc.difference(reader)?;
    skip.pass(reader, ac)?;
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
