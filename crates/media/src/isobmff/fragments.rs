//! Fragmented files: the pieces that recorders and streaming servers write (ISO/IEC 14496-12 §8.8).

use std::io::{Read, Seek};

use super::boxes::{Boxes, Stretch};
use crate::video::Unreadable;

/// `tfhd`: the fragment's track, and how long its samples last unless they have a duration of their own.
pub(super) fn fragment_header<R: Read + Seek>(
    boxes: &mut Boxes<'_, R>,
    part: &Stretch,
) -> Result<(u32, Option<u32>), Unreadable> {
    let flags = boxes.u32(part.body)? & 0x00FF_FFFF;
    let id = boxes.u32(part.body + 4)?;
    let offset = 8 + if flags & 0x01 != 0 { 8 } else { 0 } + if flags & 0x02 != 0 { 4 } else { 0 };
    let duration = if flags & 0x08 != 0 {
        Some(boxes.u32(part.body + offset)?)
    } else {
        None
    };
    Ok((id, duration))
}

/// `trun`: how many samples, and how long they last together.
pub(super) fn fragment_run<R: Read + Seek>(
    boxes: &mut Boxes<'_, R>,
    part: &Stretch,
    each: u32,
) -> Result<(u64, u64), Unreadable> {
    let flags = boxes.u32(part.body)? & 0x00FF_FFFF;
    let samples = u64::from(boxes.u32(part.body + 4)?);
    if flags & 0x100 == 0 {
        return Ok((samples, samples.saturating_mul(u64::from(each))));
    }
    let fields = u64::from((flags & 0xF00).count_ones()) * 4;
    let first = part.body + 8 + if flags & 0x01 != 0 { 4 } else { 0 } + if flags & 0x04 != 0 { 4 } else { 0 };
    let listed = samples.min(part.end.saturating_sub(first) / fields);
    boxes.spend(listed)?;
    let mut duration = 0_u64;
    for sample in 0..listed {
        duration += u64::from(boxes.u32(first + sample * fields)?);
    }
    Ok((listed, duration))
}
