//! A video as large as one likes: a real one with a `free` box behind it, which players skip.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use crate::failure::{Doing, Failure, Outcome};

/// A box begins with its length and its name, four bytes each.
const BOX_HEAD: u64 = 8;
/// The padding repeats after this many bytes: far more than any file system looks back to compress.
const BLOCK: usize = 4 << 20;

/// Writes `clip`, an MP4, to `path`, padded with noise to exactly `size` bytes.
///
/// # Errors
/// When the clip is larger than `size`, the padding would not fit a box, or a file cannot be read or written.
pub fn write_padded(clip: &Path, path: &Path, size: u64) -> Outcome<()> {
    let clip = std::fs::read(clip).doing(clip.display())?;
    let head = free_head(clip.len() as u64, size)?;
    let mut file = File::create(path).doing(path.display())?;
    file.write_all(&clip)
        .and_then(|()| file.write_all(&head))
        .doing(path.display())?;
    let block = noise();
    let mut left = size - clip.len() as u64 - BOX_HEAD;
    while left > 0 {
        let part = usize::try_from(left).map_or(block.len(), |left| left.min(block.len()));
        file.write_all(&block[..part]).doing(path.display())?;
        left -= part as u64;
    }
    Ok(())
}

fn free_head(clip: u64, size: u64) -> Outcome<[u8; 8]> {
    let length = size.checked_sub(clip).filter(|length| *length >= BOX_HEAD);
    let length = length.and_then(|length| u32::try_from(length).ok());
    let length = length.ok_or_else(|| Failure::new(format!("no free box makes {size} bytes of {clip}")))?;
    let mut head = *b"....free";
    head[..4].copy_from_slice(&length.to_be_bytes());
    Ok(head)
}

/// The same bytes in every run, by Marsaglia's xorshift.
fn noise() -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut block = Vec::with_capacity(BLOCK);
    while block.len() < BLOCK {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        block.extend(state.to_le_bytes());
    }
    block
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_padding_is_a_box_that_fills_the_file() {
        let folder = std::env::temp_dir().join(format!("playout-xtask-video-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let (clip, path) = (folder.join("clip.mp4"), folder.join("large.mp4"));
        std::fs::write(&clip, b"a clip").unwrap();
        write_padded(&clip, &path, 1003).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(bytes.len(), 1003);
        assert_eq!(&bytes[..6], b"a clip");
        assert_eq!(u32::from_be_bytes(bytes[6..10].try_into().unwrap()), 997);
        assert_eq!(&bytes[10..14], b"free");
    }

    #[test]
    fn a_clip_that_leaves_no_room_is_refused() {
        assert!(free_head(100, 107).is_err());
        assert!(free_head(100, 108).is_ok());
        assert!(free_head(100, 50).is_err());
    }
}
