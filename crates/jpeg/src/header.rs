//! What stands before the entropy-coded data: the tables, the frame and the scan.

use crate::huffman::Table;
use crate::segments::{Segment, segments};

/// The longest DC difference of eight-bit samples (T.81 table F.1). A table may name longer ones that the picture never
/// uses; decoders refuse it all the same.
const LONGEST_DIFFERENCE: u8 = 11;

/// The longest side that libjpeg-turbo takes, in pixels.
const LONGEST_SIDE: u16 = 65_500;

/// The header of a baseline picture of one scan without restarts: a single component, or three.
#[derive(Debug)]
pub struct Header<'a> {
    /// Width and height in pixels, at least 1.
    pub size: (usize, usize),
    /// One, or three.
    pub components: Vec<Component>,
    /// Quantisers in zigzag order, by their number.
    quantisers: [Option<[u8; 64]>; 4],
    dc: [Option<Table>; 4],
    ac: [Option<Table>; 4],
    /// All that follows the header of the scan.
    pub scan: &'a [u8],
}

/// A component of a picture. Its place among the others says what it is: luma, Cb, Cr.
#[derive(Debug, Clone, Copy, Default)]
pub struct Component {
    id: u8,
    /// Blocks of it across and down an MCU of several components.
    pub sampling: (usize, usize),
    /// The number of its quantisers.
    pub quantiser: u8,
    /// The number of its table for DC differences.
    pub dc: u8,
    /// The number of its table for AC coefficients.
    pub ac: u8,
}

/// The tables of one component.
#[derive(Debug)]
pub struct Tables {
    /// Quantisers in zigzag order, none of them 0.
    pub quantiser: [u8; 64],
    /// The number of the table for DC differences, which there is.
    pub dc: usize,
    /// The number of the table for AC coefficients, which there is.
    pub ac: usize,
}

impl<'a> Header<'a> {
    /// The header of a file; `None` for any that is not baseline of one scan with all its components, or lacks a table. Versions of JFIF
    /// and colour transforms of Adobe are not looked at: a complete decoder has accepted the header before, and knows the colours.
    pub fn read(file: &'a [u8]) -> Option<Self> {
        if !file.starts_with(&[0xFF, 0xD8]) {
            return None;
        }
        let mut header = Self {
            size: (0, 0),
            components: Vec::new(),
            quantisers: [None; 4],
            dc: Default::default(),
            ac: Default::default(),
            scan: &[],
        };
        for segment in segments(file) {
            match segment.marker {
                0xDB => header.take_quantisers(segment.body)?,
                0xC4 => header.take_codes(segment.body)?,
                0xC0 if header.components.is_empty() => header.take_frame(segment.body)?,
                0xDD if segment.body == [0, 0] => {}
                0xDD => return None,
                Segment::START_OF_SCAN => {
                    header.take_scan(segment.body)?;
                    header.scan = file.get(segment.end..)?;
                    let is_complete = (0..header.components.len()).all(|at| header.tables(at).is_some());
                    return is_complete.then_some(header);
                }
                // Applications' segments, and comments.
                0xE0..=0xEF | 0xFE => {}
                _ => return None,
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
        let ([8, high @ .., count], specified) = body.split_first_chunk::<6>()? else {
            return None;
        };
        let [height, width] = [[high[0], high[1]], [high[2], high[3]]].map(u16::from_be_bytes);
        let (specified, []) = specified.as_chunks::<3>() else {
            return None;
        };
        let sides = 1..=LONGEST_SIDE;
        if ![1, 3].contains(count)
            || specified.len() != usize::from(*count)
            || !sides.contains(&width)
            || !sides.contains(&height)
        {
            return None;
        }
        self.size = (usize::from(width), usize::from(height));
        for [id, factors, quantiser] in specified {
            if ![factors >> 4, factors & 15]
                .iter()
                .all(|factor| (1..=4).contains(factor))
            {
                return None;
            }
            self.components.push(Component {
                id: *id,
                sampling: (usize::from(factors >> 4), usize::from(factors & 15)),
                quantiser: *quantiser,
                ..Component::default()
            });
        }
        Some(())
    }

    fn take_scan(&mut self, body: &[u8]) -> Option<()> {
        let [count, specified @ .., 0, 63, 0] = body else {
            return None;
        };
        let (specified, []) = specified.as_chunks::<2>() else {
            return None;
        };
        let is_whole = specified.len() == usize::from(*count) && specified.len() == self.components.len();
        for (component, [id, tables]) in self.components.iter_mut().zip(specified) {
            if component.id != *id {
                return None;
            }
            (component.dc, component.ac) = (tables >> 4, tables & 15);
        }
        (is_whole && !specified.is_empty()).then_some(())
    }

    /// The tables of a component, which there are once the header was read; `None` if there is no such component.
    pub fn tables(&self, component: usize) -> Option<Tables> {
        let Component {
            quantiser, dc, ac, ..
        } = *self.components.get(component)?;
        let (dc, ac) = (usize::from(dc), usize::from(ac));
        self.dc.get(dc)?.as_ref()?;
        self.ac.get(ac)?.as_ref()?;
        let quantiser = (*self.quantisers.get(usize::from(quantiser))?)?;
        Some(Tables { quantiser, dc, ac })
    }

    /// The quantisers of a number, in zigzag order.
    pub fn quantiser(&self, number: usize) -> Option<&[u8; 64]> {
        self.quantisers.get(number)?.as_ref()
    }

    /// The table for DC differences of a number.
    pub fn dc(&self, number: usize) -> Option<&Table> {
        self.dc.get(number)?.as_ref()
    }

    /// The table for AC coefficients of a number.
    pub fn ac(&self, number: usize) -> Option<&Table> {
        self.ac.get(number)?.as_ref()
    }

    /// [`Header::dc`], to be extended.
    pub fn dc_mut(&mut self, number: usize) -> Option<&mut Table> {
        self.dc.get_mut(number)?.as_mut()
    }

    /// [`Header::ac`], to be extended.
    pub fn ac_mut(&mut self, number: usize) -> Option<&mut Table> {
        self.ac.get_mut(number)?.as_mut()
    }
}
