//! Which pictures can be spliced, and the header of the slide.

use playout_jpeg::{Header, Segment, Tables};

use crate::fit::CANVAS;

/// Sum of the luma quantisers at quality 85 (T.81 table K.1, scaled as libjpeg does). The caption is encoded with the
/// tables of the picture; above this, it would look worse than it should.
const COARSEST_LUMA: u32 = 1109;
/// The same for chroma (T.81 table K.2).
const COARSEST_CHROMA: u32 = 1666;

/// The most entropy-coded data that is taken: twice what a slide at quality 100 has.
const MOST_BYTES: usize = 6 << 20;

/// The header of a picture that can be spliced: baseline, 4:2:0, of the canvas' size.
pub(super) fn read(file: &[u8]) -> Option<Header<'_>> {
    let mut header = Header::read(file)?;
    let sampling = header.components.iter().map(|component| component.sampling);
    let is_canvas_like = header.size == CANVAS && sampling.eq([(2, 2), (1, 1), (1, 1)]);
    header.scan = &header.scan[..header.scan.len().min(MOST_BYTES)];
    (is_canvas_like && is_good_enough(&header)?).then_some(header)
}

fn is_good_enough(header: &Header<'_>) -> Option<bool> {
    let sum = |tables: Tables| {
        tables
            .quantiser
            .iter()
            .map(|value| u32::from(*value))
            .sum::<u32>()
    };
    let [luma, cb, cr] = [header.tables(0)?, header.tables(1)?, header.tables(2)?].map(sum);
    Some(luma <= COARSEST_LUMA && cb.max(cr) <= COARSEST_CHROMA)
}

/// Everything up to the entropy-coded data: JFIF 1.01, the tables that are used, frame and scan.
pub(super) fn write(header: &Header<'_>, file: &mut Vec<u8>) {
    file.extend_from_slice(b"\xFF\xD8\xFF\xE0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0");
    let components = &header.components;
    for number in 0..4_u8 {
        let is_used = components.iter().any(|component| component.quantiser == number);
        if let Some(values) = header.quantiser(usize::from(number)).filter(|_| is_used) {
            segment(file, 0xDB, &[&[number], values]);
        }
    }
    let sampled = [(1, 0x22), (2, 0x11), (3, 0x11)];
    let frame = sampled.iter().zip(components);
    let frame: Vec<u8> = frame
        .flat_map(|((id, sampling), component)| [*id, *sampling, component.quantiser])
        .collect();
    let [wide, high] = [CANVAS.0 as u16, CANVAS.1 as u16].map(u16::to_be_bytes);
    segment(file, 0xC0, &[&[8, high[0], high[1], wide[0], wide[1], 3], &frame]);
    for number in 0..4_u8 {
        let dc = header.dc(usize::from(number));
        let is_used = components.iter().any(|component| component.dc == number);
        if let Some(table) = dc.filter(|_| is_used) {
            segment(file, 0xC4, &[&[number], table.counts(), table.symbols()]);
        }
        let ac = header.ac(usize::from(number));
        let is_used = components.iter().any(|component| component.ac == number);
        if let Some(table) = ac.filter(|_| is_used) {
            segment(file, 0xC4, &[&[0x10 | number], table.counts(), table.symbols()]);
        }
    }
    let scan = (1..).zip(components);
    let scan: Vec<u8> = scan
        .flat_map(|(id, component)| [id, component.dc << 4 | component.ac])
        .collect();
    segment(file, Segment::START_OF_SCAN, &[&[3], &scan, &[0, 63, 0]]);
}

fn segment(file: &mut Vec<u8>, marker: u8, parts: &[&[u8]]) {
    let length = 2 + parts.iter().map(|part| part.len()).sum::<usize>();
    file.extend_from_slice(&[0xFF, marker]);
    file.extend_from_slice(&(length as u16).to_be_bytes());
    for part in parts {
        file.extend_from_slice(part);
    }
}
