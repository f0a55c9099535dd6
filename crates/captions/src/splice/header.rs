//! What stands before and around the entropy-coded data, read and written again without metadata.

use super::huffman::Table;
use crate::fit::CANVAS;
use crate::picture::{Segment, segments};

/// Sum of the luma quantisers at quality 85 (T.81 table K.1, scaled as libjpeg does). The caption is encoded with the
/// tables of the picture; above this, it would look worse than it should.
const COARSEST_LUMA: u32 = 1109;
/// The same for chroma (T.81 table K.2).
const COARSEST_CHROMA: u32 = 1666;

/// The longest DC difference of eight-bit samples (T.81 table F.1). A table may name longer ones that the picture never
/// uses; decoders refuse it all the same.
const LONGEST_DIFFERENCE: u8 = 11;

/// The header of a picture that can be spliced: baseline, 4:2:0, of the canvas' size.
#[derive(Debug)]
pub(super) struct Header<'a> {
    components: [Component; 3],
    /// Quantisers in zigzag order, by their number.
    quantisers: [Option<[u8; 64]>; 4],
    dc: [Option<Table>; 4],
    ac: [Option<Table>; 4],
    /// All that follows the header of the scan.
    pub(super) scan: &'a [u8],
}

/// Which tables a component uses; its index is the order of Y, Cb, Cr.
#[derive(Debug, Clone, Copy, Default)]
struct Component {
    id: u8,
    quantiser: u8,
    dc: u8,
    ac: u8,
}

/// The tables of one component.
#[derive(Debug)]
pub(super) struct Tables {
    pub(super) quantiser: [u8; 64],
    pub(super) dc: usize,
    pub(super) ac: usize,
}

impl<'a> Header<'a> {
    pub(super) fn read(file: &'a [u8]) -> Option<Self> {
        let mut header = Self {
            components: [Component::default(); 3],
            quantisers: [None; 4],
            dc: Default::default(),
            ac: Default::default(),
            scan: &[],
        };
        let mut has_frame = false;
        for segment in segments(file) {
            match segment.marker {
                0xDB => header.take_quantisers(segment.body)?,
                0xC4 => header.take_codes(segment.body)?,
                0xC0 if !has_frame => {
                    header.take_frame(segment.body)?;
                    has_frame = true;
                }
                0xDD if segment.body == [0, 0] => {}
                0xDD => return None,
                Segment::START_OF_SCAN if has_frame => {
                    header.take_scan(segment.body)?;
                    header.scan = file.get(segment.end..)?;
                    return header.is_good_enough()?.then_some(header);
                }
                _ if segment.is_frame() => return None,
                _ => {}
            }
        }
        None
    }

    fn take_quantisers(&mut self, mut body: &[u8]) -> Option<()> {
        while let Some((number, rest)) = body.split_first() {
            let (values, rest) = rest.split_first_chunk::<64>()?;
            if values.contains(&0) {
                return None;
            }
            *self.quantisers.get_mut(usize::from(*number))? = Some(*values);
            body = rest;
        }
        Some(())
    }

    fn take_codes(&mut self, mut body: &[u8]) -> Option<()> {
        while let Some((number, rest)) = body.split_first() {
            let (counts, rest) = rest.split_first_chunk::<16>()?;
            let length = counts.iter().map(|count| usize::from(*count)).sum();
            let (symbols, rest) = rest.split_at_checked(length)?;
            let tables = match number >> 4 {
                0 if symbols.iter().any(|size| *size > LONGEST_DIFFERENCE) => return None,
                0 => &mut self.dc,
                1 => &mut self.ac,
                _ => return None,
            };
            *tables.get_mut(usize::from(number & 15))? = Some(Table::new(counts, symbols)?);
            body = rest;
        }
        Some(())
    }

    fn take_frame(&mut self, body: &[u8]) -> Option<()> {
        let (width, height) = (CANVAS.0 as u16, CANVAS.1 as u16);
        let [wide, high] = [width, height].map(u16::to_be_bytes);
        let rest = body.strip_prefix(&[8, high[0], high[1], wide[0], wide[1], 3])?;
        let specified = rest.as_chunks::<3>().0;
        if rest.len() != 9 {
            return None;
        }
        for ((component, specified), sampling) in
            self.components.iter_mut().zip(specified).zip([0x22, 0x11, 0x11])
        {
            let [id, factors, quantiser] = *specified;
            if factors != sampling {
                return None;
            }
            (component.id, component.quantiser) = (id, quantiser);
        }
        Some(())
    }

    fn take_scan(&mut self, body: &[u8]) -> Option<()> {
        let [3, specified @ .., 0, 63, 0] = body else {
            return None;
        };
        if specified.len() != 6 {
            return None;
        }
        for (component, [id, tables]) in self.components.iter_mut().zip(specified.as_chunks::<2>().0) {
            if component.id != *id {
                return None;
            }
            (component.dc, component.ac) = (tables >> 4, tables & 15);
        }
        Some(())
    }

    fn is_good_enough(&self) -> Option<bool> {
        let sum = |tables: Tables| {
            tables
                .quantiser
                .iter()
                .map(|value| u32::from(*value))
                .sum::<u32>()
        };
        let [luma, cb, cr] = [self.tables(0)?, self.tables(1)?, self.tables(2)?].map(sum);
        Some(luma <= COARSEST_LUMA && cb.max(cr) <= COARSEST_CHROMA)
    }

    /// The tables of a component; `None` if one is missing.
    pub(super) fn tables(&self, component: usize) -> Option<Tables> {
        let Component {
            quantiser, dc, ac, ..
        } = self.components[component];
        let (dc, ac) = (usize::from(dc), usize::from(ac));
        self.dc.get(dc)?.as_ref()?;
        self.ac.get(ac)?.as_ref()?;
        let quantiser = (*self.quantisers.get(usize::from(quantiser))?)?;
        Some(Tables { quantiser, dc, ac })
    }

    /// A table for DC differences that some component uses.
    pub(super) fn dc(&self, number: usize) -> &Table {
        self.dc[number].as_ref().expect("tables() has found it")
    }

    /// A table for AC coefficients that some component uses.
    pub(super) fn ac(&self, number: usize) -> &Table {
        self.ac[number].as_ref().expect("tables() has found it")
    }

    /// The same, to be extended.
    pub(super) fn dc_mut(&mut self, number: usize) -> &mut Table {
        self.dc[number].as_mut().expect("tables() has found it")
    }

    /// The same, to be extended.
    pub(super) fn ac_mut(&mut self, number: usize) -> &mut Table {
        self.ac[number].as_mut().expect("tables() has found it")
    }

    /// Everything up to the entropy-coded data: JFIF 1.01, the tables that are used, frame and scan.
    pub(super) fn write(&self, file: &mut Vec<u8>) {
        file.extend_from_slice(b"\xFF\xD8\xFF\xE0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0");
        let used = |number: usize, of: fn(&Component) -> u8| {
            self.components
                .iter()
                .any(|component| usize::from(of(component)) == number)
        };
        for (number, values) in self.quantisers.iter().enumerate() {
            if let Some(values) = values.filter(|_| used(number, |component| component.quantiser)) {
                segment(file, 0xDB, &[&[number as u8], &values[..]]);
            }
        }
        let sampled = [(1, 0x22), (2, 0x11), (3, 0x11)];
        let frame = sampled.iter().zip(self.components);
        let frame: Vec<u8> = frame
            .flat_map(|((id, sampling), component)| [*id, *sampling, component.quantiser])
            .collect();
        let [wide, high] = [CANVAS.0 as u16, CANVAS.1 as u16].map(u16::to_be_bytes);
        segment(file, 0xC0, &[&[8, high[0], high[1], wide[0], wide[1], 3], &frame]);
        for number in 0..4 {
            if let Some(table) = self.dc[number]
                .as_ref()
                .filter(|_| used(number, |component| component.dc))
            {
                segment(file, 0xC4, &[&[number as u8], table.counts(), table.symbols()]);
            }
            if let Some(table) = self.ac[number]
                .as_ref()
                .filter(|_| used(number, |component| component.ac))
            {
                segment(
                    file,
                    0xC4,
                    &[&[0x10 | number as u8], table.counts(), table.symbols()],
                );
            }
        }
        let scan = (1..).zip(self.components);
        let scan: Vec<u8> = scan
            .flat_map(|(id, component)| [id, component.dc << 4 | component.ac])
            .collect();
        segment(file, Segment::START_OF_SCAN, &[&[3], &scan, &[0, 63, 0]]);
    }
}

fn segment(file: &mut Vec<u8>, marker: u8, parts: &[&[u8]]) {
    let length = 2 + parts.iter().map(|part| part.len()).sum::<usize>();
    file.extend_from_slice(&[0xFF, marker]);
    file.extend_from_slice(&(length as u16).to_be_bytes());
    for part in parts {
        file.extend_from_slice(part);
    }
}
