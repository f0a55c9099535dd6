//! A byte of the fuzzer as a look; the highest bits are left for the targets.

use playout_captions::{Fit, Look, Position, Size, Style};

/// How many looks there are: the byte counts them round.
const LOOKS: u8 = 54;

/// The look that the lower six bits choose.
pub(crate) fn look(choice: u8) -> Look {
    let choice = usize::from(choice % 64 % LOOKS);
    Look {
        size: [Size::Small, Size::Medium, Size::Large][choice % 3],
        position: [Position::Top, Position::Middle, Position::Bottom][choice / 3 % 3],
        style: [Style::Outline, Style::Box, Style::Plain][choice / 9 % 3],
        fit: [Fit::Cover, Fit::Contain][choice / 27],
    }
}
