//! What a client that moves between nodes uploads, and how it sends each part, by the seed.

use std::time::Duration;

use crate::bench::world::World;
use crate::failure::{Doing, Outcome};
use crate::lab::chance::Chance;

/// A video of 7 kB, and one of 222 kB, both padded.
const SMALL_CLIP: &str = "crates/media/tests/assets/hevc.mp4";
const CLIP: &str = "clip.mp4";
const SMALLEST: u64 = 7_000;
const LARGEST: u64 = 25_000_000;
/// From this size on the larger clip is in it.
const HAS_LARGE_CLIP: u64 = 230_000;
/// What is uploaded stays until the end of the run: after so many bytes in total videos are small.
const MANY_BYTES: u64 = 800_000_000;
/// A box of MP4 begins with its length and its name.
const BOX_HEAD: u64 = 8;
/// How long the bytes of a request take, at most.
const SLOWEST_MS: u64 = 1500;
/// How long an answer is waited for, most of the time: longer than the service tries to reach its storage.
const PATIENCE: Duration = Duration::from_secs(75);
/// The same for a client that does not wait long, in milliseconds: not at all, until the answer is nearly there, or longer than most take.
const IMPATIENCE_MS: [u64; 3] = [1, 40, 3000];

/// A video.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Video {
    /// How many bytes it has.
    pub length: u64,
    /// What its padding is made from.
    pub seed: u64,
}

/// One request that sends a part of a video.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// How many bytes it announces.
    pub bytes: u64,
    /// How many of them it sends.
    pub sent: u64,
    /// How long it takes to send them.
    pub takes: Duration,
    /// What the client does then.
    pub ending: Ending,
}

/// What a client does when it has sent what it sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Waits for the answer, so long. Then it goes to another node, and leaves the connection open.
    Wait(Duration),
    /// Closes the connection in the middle of the body and goes to another node.
    Close {
        /// With a reset (RST) instead of an orderly end (FIN).
        is_reset: bool,
    },
    /// Goes to another node, and leaves the connection open in the middle of the body.
    Leave,
}

impl Video {
    /// The video with this number in a run that has uploaded so many bytes.
    pub fn any(chance: &mut Chance, so_far: u64) -> Self {
        let largest = if so_far > MANY_BYTES {
            HAS_LARGE_CLIP
        } else {
            LARGEST
        };
        Self {
            length: any_size(chance, SMALLEST, largest),
            seed: chance.below(u64::MAX),
        }
    }

    /// Its bytes.
    ///
    /// # Errors
    /// When the clip in it cannot be read.
    pub fn bytes(&self) -> Outcome<Vec<u8>> {
        let clip = match self.length < HAS_LARGE_CLIP {
            true => crate::root().join(SMALL_CLIP),
            false => World::demo_asset(CLIP),
        };
        Ok(self.padded(std::fs::read(&clip).doing(clip.display())?))
    }

    /// The clip, and a box behind it that players skip.
    fn padded(&self, mut bytes: Vec<u8>) -> Vec<u8> {
        let padding = self.length.saturating_sub(bytes.len() as u64).max(BOX_HEAD);
        bytes.extend(u32::try_from(padding).unwrap_or(u32::MAX).to_be_bytes());
        bytes.extend(b"free");
        let mut chance = Chance::seeded(self.seed);
        let mut left = usize::try_from(padding - BOX_HEAD).unwrap_or(0);
        bytes.reserve(left);
        while left > 0 {
            let noise = chance.below(u64::MAX).to_le_bytes();
            let count = left.min(noise.len());
            bytes.extend(&noise[..count]);
            left -= count;
        }
        bytes
    }
}

impl Part {
    /// A part of the `missing` bytes of a video.
    pub fn any(chance: &mut Chance, missing: u64) -> Self {
        let bytes = match chance.happens(40) {
            true => missing,
            false => any_size(chance, 1, missing),
        };
        let ending = match chance.below(100) {
            0..25 => Ending::Wait(PATIENCE),
            25..50 => {
                let most = chance.one_of(&IMPATIENCE_MS);
                Ending::Wait(Duration::from_millis(chance.below(most)))
            }
            50..75 => Ending::Close {
                is_reset: chance.happens(50),
            },
            _ => Ending::Leave,
        };
        let sent = match ending {
            Ending::Wait(_) => bytes,
            Ending::Close { .. } | Ending::Leave => chance.below(bytes),
        };
        let slowest = chance.one_of(&[1, SLOWEST_MS]);
        Self {
            bytes,
            sent,
            takes: Duration::from_millis(chance.below(slowest)),
            ending,
        }
    }
}

/// A size between these, both included; each power of two is as likely as the next.
fn any_size(chance: &mut Chance, least: u64, most: u64) -> u64 {
    let most = most.max(least);
    let doublings = u64::from((most / least).ilog2()) + 1;
    let from = least << chance.below(doublings);
    chance
        .between(from, (from * 2).min(most + 1).max(from + 1))
        .min(most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn videos_are_of_all_sizes_and_small_once_there_are_many() {
        let mut chance = Chance::seeded(1);
        let sizes: Vec<u64> = (0..300).map(|_| Video::any(&mut chance, 0).length).collect();
        assert!(sizes.iter().all(|size| (SMALLEST..=LARGEST).contains(size)));
        let count = |is: fn(u64) -> bool| sizes.iter().filter(|size| is(**size)).count();
        assert!(count(|size| size < 100_000) > 60 && count(|size| size > 10_000_000) > 10);
        let later = (0..100).map(|_| Video::any(&mut chance, MANY_BYTES + 1).length);
        assert!(later.max().unwrap() <= HAS_LARGE_CLIP);
    }

    #[test]
    fn a_video_has_its_length_and_a_box_that_fills_it_and_another_seed_has_other_bytes() {
        let video = |seed| Video { length: 1003, seed }.padded(b"a clip".to_vec());
        let bytes = video(1);
        assert_eq!(bytes.len(), 1003);
        assert_eq!(u32::from_be_bytes(bytes[6..10].try_into().unwrap()), 997);
        assert_eq!(&bytes[10..14], b"free");
        assert_eq!(bytes, video(1));
        assert_ne!(bytes, video(2));
    }

    #[test]
    fn every_size_of_video_holds_its_clip() {
        for length in [SMALLEST, HAS_LARGE_CLIP - 1, HAS_LARGE_CLIP, 2_000_000] {
            let bytes = Video { length, seed: 1 }.bytes().unwrap();
            assert_eq!(bytes.len() as u64, length);
        }
    }

    #[test]
    fn parts_end_in_every_way_and_send_all_that_they_wait_for() {
        let mut chance = Chance::seeded(2);
        let parts: Vec<Part> = (0..400).map(|_| Part::any(&mut chance, 5000)).collect();
        assert!(parts.iter().all(|part| (1..=5000).contains(&part.bytes)));
        let ends = |is: fn(&Part) -> bool| parts.iter().filter(|part| is(part)).count();
        assert!(ends(|part| part.ending == Ending::Wait(PATIENCE) && part.sent == part.bytes) > 60);
        assert!(ends(|part| part.ending == Ending::Wait(Duration::ZERO) && part.sent == part.bytes) > 20);
        assert!(ends(|part| part.ending == Ending::Close { is_reset: true } && part.sent < part.bytes) > 20);
        assert!(ends(|part| part.ending == Ending::Close { is_reset: false } && part.sent < part.bytes) > 20);
        assert!(ends(|part| part.ending == Ending::Leave && part.sent < part.bytes) > 60);
        assert!(ends(|part| part.bytes == 5000) > 120);
        assert_eq!(Part::any(&mut chance, 1).bytes, 1);
    }
}
