//! Entropy-coded data as bits, the most significant first (T.81 §F.2.2.5), without its stuffed bytes.

/// Bytes behind the data that may be read as if they belonged to it; they are zero.
const PADDING: usize = 16;

/// Copies the entropy-coded data at the start of `scan` into `plain`, without the zero behind each 0xFF. `None` unless it
/// ends with the end of the picture: also at a restart marker.
pub fn unstuff(scan: &[u8], plain: &mut Vec<u8>) -> Option<()> {
    plain.clear();
    plain.reserve(scan.len() + PADDING);
    let mut from = 0;
    for at in memchr::memchr_iter(0xFF, scan) {
        match scan.get(at + 1)? {
            0 => {
                plain.extend_from_slice(scan.get(from..=at)?);
                from = at + 2;
            }
            0xD9 => {
                plain.extend_from_slice(scan.get(from..at)?);
                plain.extend_from_slice(&[0; PADDING]);
                return Some(());
            }
            _ => return None,
        }
    }
    None
}

/// Appends `plain` to `scan`, with a zero behind each 0xFF.
pub fn stuff(plain: &[u8], scan: &mut Vec<u8>) {
    let mut from = 0;
    for at in memchr::memchr_iter(0xFF, plain) {
        scan.extend_from_slice(&plain[from..=at]);
        scan.push(0);
        from = at + 1;
    }
    scan.extend_from_slice(&plain[from..]);
}

/// Reads bits of unstuffed data.
#[derive(Debug, Clone)]
pub struct Reader<'a> {
    plain: &'a [u8],
    at: usize,
    /// The next bits, from the top; below `held` of them may stand bits that are read again.
    buffer: u64,
    held: u32,
}

impl<'a> Reader<'a> {
    /// Reads from the first bit of data that [`unstuff`] has made.
    pub fn new(plain: &'a [u8]) -> Self {
        Self {
            plain,
            at: 0,
            buffer: 0,
            held: 0,
        }
    }

    /// The number of the next bit.
    pub fn position(&self) -> usize {
        self.at * 8 - self.held as usize
    }

    /// Bits of the data, without the padding.
    pub fn length(&self) -> usize {
        (self.plain.len() - PADDING) * 8
    }

    /// Makes sure that the next 56 bits are there; `None` far behind the end of the data.
    #[inline(always)]
    pub fn refill(&mut self) -> Option<()> {
        let eight = self.plain.get(self.at..self.at + 8)?;
        let next = u64::from_be_bytes(eight.try_into().ok()?);
        self.buffer |= next >> self.held;
        self.at += ((63 - self.held) >> 3) as usize;
        self.held |= 56;
        Some(())
    }

    /// The next `COUNT` bits, which are not passed.
    #[inline(always)]
    pub fn peek<const COUNT: u32>(&self) -> usize {
        (self.buffer >> (64 - COUNT)) as usize
    }

    /// Passes at most as many bits as are there.
    #[inline(always)]
    pub fn pass(&mut self, count: u32) {
        self.buffer <<= count;
        self.held -= count;
    }

    /// Passes `size` bits, at most 16; the value that they stand for.
    #[inline(always)]
    pub fn value(&mut self, size: u32) -> i32 {
        // Shifted twice, because a shift by 64 is none.
        let bits = (self.buffer >> 1 >> (63 - size)) as u32;
        self.pass(size);
        extended(bits, size)
    }
}

/// The value that `size` bits, at most 16, stand for (T.81 §F.2.2.1).
#[inline(always)]
pub(crate) fn extended(bits: u32, size: u32) -> i32 {
    let bits = bits as i32;
    let is_negative = bits < (1 << size) >> 1;
    if is_negative { bits - (1 << size) + 1 } else { bits }
}

/// Writes bits, to be stuffed when all are there.
#[derive(Debug, Default)]
pub struct Writer {
    plain: Vec<u8>,
    /// The last `held` bits, at the bottom; fewer than 32 between two calls.
    buffer: u64,
    held: u32,
}

impl Writer {
    /// Forgets all that was written. The memory is kept.
    pub fn clear(&mut self) {
        self.plain.clear();
        (self.buffer, self.held) = (0, 0);
    }

    /// Writes the lowest `count` bits, at most 32; the others must be 0.
    #[inline]
    pub fn put(&mut self, bits: u32, count: u32) {
        self.buffer = self.buffer << count | u64::from(bits);
        self.held += count;
        if self.held >= 32 {
            self.held -= 32;
            let four = (self.buffer >> self.held) as u32;
            self.plain.extend_from_slice(&four.to_be_bytes());
        }
    }

    /// Writes the bits of `plain` from number `from` up to `to`; eight bytes of anything follow them there.
    pub fn copy(&mut self, plain: &[u8], mut from: usize, to: usize) {
        while to - from >= 64 && !self.held.is_multiple_of(8) {
            let count = 8 - self.held % 8;
            self.put(bits_at(plain, from, count), count);
            from += count as usize;
        }
        if to - from >= 64 {
            from = self.copy_bytes(plain, from, to);
        }
        while from < to {
            let count = (to - from).min(32) as u32;
            self.put(bits_at(plain, from, count), count);
            from += count as usize;
        }
    }

    /// Copies as many whole words as there are, from wherever in a byte they begin; returns where they end.
    fn copy_bytes(&mut self, plain: &[u8], from: usize, to: usize) -> usize {
        while self.held > 0 {
            self.held -= 8;
            self.plain.push((self.buffer >> self.held) as u8);
        }
        let (first, shift, count) = (from / 8, from % 8, (to - from) / 64 * 8);
        let source = &plain[first..];
        if shift == 0 {
            self.plain.extend_from_slice(&source[..count]);
        } else {
            let start = self.plain.len();
            self.plain.resize(start + count, 0);
            let words = self.plain[start..].as_chunks_mut::<8>().0;
            let sources = source[..count]
                .as_chunks::<8>()
                .0
                .iter()
                .zip(source[8..].iter().step_by(8));
            for (word, (eight, next)) in words.iter_mut().zip(sources) {
                let shifted = u64::from_be_bytes(*eight) << shift | u64::from(*next) >> (8 - shift);
                *word = shifted.to_be_bytes();
            }
        }
        from + count * 8
    }

    /// Fills the last byte with ones; all that was written.
    pub fn finish(&mut self) -> &[u8] {
        let missing = (8 - self.held % 8) % 8;
        self.put((1 << missing) - 1, missing);
        while self.held > 0 {
            self.held -= 8;
            self.plain.push((self.buffer >> self.held) as u8);
        }
        &self.plain
    }
}

/// `count` bits, at most 32, from number `from`.
fn bits_at(plain: &[u8], from: usize, count: u32) -> u32 {
    let eight = plain[from / 8..][..8]
        .try_into()
        .expect("the slice has eight bytes");
    let bits = u64::from_be_bytes(eight) << (from % 8);
    (bits >> 1 >> (63 - count)) as u32
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn values_are_extended_as_the_standard_says() {
        let mut plain = vec![0b0101_1000];
        plain.extend_from_slice(&[0; PADDING]);
        let mut reader = Reader::new(&plain);
        reader.refill().unwrap();
        assert_eq!([1, 1, 0, 2, 4].map(|size| reader.value(size)), [-1, 1, 0, -2, 8]);
        assert_eq!((reader.position(), reader.length()), (8, 8));
    }

    #[test]
    fn data_that_restarts_or_never_ends_is_not_taken() {
        let mut plain = Vec::new();
        assert!(unstuff(b"ab\xFF\x00c\xFF\xD9rest", &mut plain).is_some());
        assert_eq!(plain[..5], *b"ab\xFFc\0");
        for scan in [
            &b"ab\xFF\xD0c\xFF\xD9"[..],
            b"ab",
            b"ab\xFF",
            b"a\xFF\xFF\xD9",
            b"",
        ] {
            assert!(unstuff(scan, &mut plain).is_none(), "{scan:?}");
        }
    }

    proptest! {
        #[test]
        fn stuffing_and_unstuffing_are_inverse(data in proptest::collection::vec(prop_oneof![Just(0xFF), any::<u8>()], 0..200)) {
            let (mut scan, mut plain) = (Vec::new(), Vec::new());
            stuff(&data, &mut scan);
            scan.extend_from_slice(&[0xFF, 0xD9]);
            unstuff(&scan, &mut plain).unwrap();
            prop_assert_eq!(&plain[..data.len()], &data[..]);
            prop_assert_eq!(plain.len(), data.len() + PADDING);
        }

        #[test]
        fn runs_of_bits_are_copied_from_anywhere_to_anywhere(
            data in proptest::collection::vec(any::<u8>(), 60),
            mut cuts in proptest::collection::vec(0_usize..480, 1..6),
            lead in 0_u32..32,
        ) {
            let mut plain = data.clone();
            plain.extend_from_slice(&[0; PADDING]);
            cuts.extend([0, 480]);
            cuts.sort_unstable();
            let mut writer = Writer::default();
            writer.put(0, lead);
            for pair in cuts.windows(2) {
                writer.copy(&plain, pair[0], pair[1]);
            }
            let written = writer.finish().to_vec();
            let bit = |bytes: &[u8], at: usize| bytes[at / 8] >> (7 - at % 8) & 1;
            for at in 0..480 {
                prop_assert_eq!(bit(&written, lead as usize + at), bit(&data, at), "bit {}", at);
            }
        }
    }
}
