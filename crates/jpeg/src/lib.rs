//! Baseline JPEG files (ITU-T T.81), read without decoding more than is needed.
//!
//! Most of the time of a decoder goes into the entropy-coded data, coefficient by coefficient. [`decode`] makes a picture of at most half
//! the size, for which it reads the lowest coefficients of each block and passes over the others several at a time; slides are made of the
//! same parts ([`bits`], [`huffman`], [`lowest`]). No file is trusted, and no file that is out of the ordinary is read: where the result is
//! `None`, a complete decoder decides what the file is.
//!
//! Bounds, whatever the file: segments and entropy-coded data are passed over once; memory is that of the file once more, and of a row of
//! MCUs.

pub mod bits;
mod decode;
mod header;
pub mod huffman;
pub mod lowest;
mod segments;
mod zigzag;

pub use decode::{MOST_EIGHTHS, decode};
pub use header::{Component, Header, Tables};
pub use segments::{Segment, exif, icc_profile, is_by_adobe, segments};
pub use zigzag::ZIGZAG;
