//! Huffman tables of a picture (T.81 annexes C and F.2): reading with them, passing over, and writing.

use crate::bits::{Reader, Writer, extended};

/// Bits that are looked up at once when a single symbol is read.
const LOOK: u32 = 10;
/// Bits that are looked up at once when a coefficient is read.
const VALUE: u32 = 11;
/// Bits that are looked up at once when symbols are passed over.
const SKIP: u32 = 12;
/// The longest code.
const LONGEST: u32 = 16;

/// One table, for reading and for writing.
#[derive(Debug)]
pub struct Table {
    counts: [u8; 16],
    symbols: Vec<u8>,
    /// For each next `LOOK` bits: length and symbol of the code they begin with; 0 if it is longer.
    look: Box<[u16; 1 << LOOK]>,
    /// For each length less one: where its codes end, as sixteen bits, and what to add to a code for its symbol's index.
    ends: [(u32, i32); 16],
    /// For each symbol its code and the length of that; 0 if it has none.
    codes: Box<[(u16, u8); 256]>,
    /// The first code of the longest length that nothing uses.
    free: u32,
}

impl Table {
    /// `None` for what is no prefix code, uses a code of ones alone, or has more symbols than there are.
    pub fn new(counts: &[u8; 16], symbols: &[u8]) -> Option<Self> {
        if symbols.len() > 256 {
            return None;
        }
        let mut table = Self {
            counts: *counts,
            symbols: symbols.to_vec(),
            look: Box::new([0; 1 << LOOK]),
            ends: [(0, 0); 16],
            codes: Box::new([(0, 0); 256]),
            free: 0,
        };
        let (mut code, mut index) = (0_u32, 0_usize);
        for (length, count) in (1..=LONGEST).zip(counts) {
            let offset = index as i32 - code as i32;
            for _ in 0..*count {
                table.assign(*symbols.get(index)?, code, length);
                (code, index) = (code + 1, index + 1);
            }
            if code >= 1 << length {
                return None;
            }
            table.ends[length as usize - 1] = (code << (LONGEST - length), offset);
            code <<= 1;
        }
        table.free = code >> 1;
        Some(table)
    }

    fn assign(&mut self, symbol: u8, code: u32, length: u32) {
        if length <= LOOK && code < 1 << length {
            let first = (code << (LOOK - length)) as usize;
            let entry = (length as u16) << 8 | u16::from(symbol);
            self.look[first..first + (1 << (LOOK - length))].fill(entry);
        }
        self.codes[usize::from(symbol)] = (code as u16, length as u8);
    }

    /// Codes of each length.
    pub fn counts(&self) -> &[u8] {
        &self.counts
    }

    /// Symbols in the order of their codes.
    pub fn symbols(&self) -> &[u8] {
        &self.symbols
    }

    /// Length and symbol of the code that sixteen bits begin with.
    fn find(&self, bits: u32) -> Option<(u32, u8)> {
        match self.look[(bits >> (LONGEST - LOOK)) as usize] {
            0 => self.find_long(bits),
            entry => Some((u32::from(entry >> 8), entry as u8)),
        }
    }

    /// The same of a code of any length.
    fn find_long(&self, bits: u32) -> Option<(u32, u8)> {
        let lengths = (1..=LONGEST).zip(&self.ends);
        let (length, (_, offset)) = lengths.into_iter().find(|(_, (end, _))| bits < *end)?;
        let code = bits >> (LONGEST - length);
        let index = usize::try_from(code as i32 + offset).ok()?;
        Some((length, *self.symbols.get(index)?))
    }

    /// Reads a symbol; the reader holds sixteen bits.
    #[inline(always)]
    pub fn symbol(&self, reader: &mut Reader<'_>) -> Option<u8> {
        let entry = self.look[reader.peek::<LOOK>()];
        let (length, symbol) = match entry {
            0 => self.find_long(reader.peek::<LONGEST>() as u32)?,
            entry => (u32::from(entry >> 8), entry as u8),
        };
        reader.pass(length);
        Some(symbol)
    }

    /// Reads a DC difference; the reader holds 32 bits.
    #[inline(always)]
    pub fn difference(&self, reader: &mut Reader<'_>) -> Option<i32> {
        let size = self.symbol(reader)?;
        (size <= 11).then(|| reader.value(u32::from(size)))
    }

    /// Writes a symbol, and behind it the `size` bits of a value.
    #[inline]
    pub fn write(&mut self, writer: &mut Writer, symbol: u8, (bits, size): (u32, u32)) -> Option<()> {
        let (mut code, mut length) = self.codes[usize::from(symbol)];
        if length == 0 {
            self.extend(symbol)?;
            (code, length) = self.codes[usize::from(symbol)];
        }
        writer.put(u32::from(code) << size | bits, u32::from(length) + size);
        Some(())
    }

    /// Gives a code to a symbol that has none: optimal tables have codes only for what the picture needed. Codes behind all
    /// others leave those as they are. `None` if there is no room.
    fn extend(&mut self, symbol: u8) -> Option<()> {
        let is_full = self.free + 1 >= 1 << LONGEST || self.symbols.len() >= 256;
        let count = self.counts[15].checked_add(1).filter(|_| !is_full)?;
        self.counts[15] = count;
        self.symbols.push(symbol);
        self.assign(symbol, self.free, LONGEST);
        self.free += 1;
        Some(())
    }
}

/// What the next few bits begin with, for the AC coefficients of one table.
#[derive(Debug)]
pub struct Lookups {
    /// For each next `VALUE` bits the one or two coefficients that they begin with, as [`Lookups::pair`] puts them. 0 where the first has
    /// more bits, or a larger value.
    pairs: Box<[u32; 1 << VALUE]>,
    /// For each next `SKIP` bits, as many coefficients at once as they begin with: bits to pass, the values' included, from bit 5 how many
    /// coefficients to advance, and whether the block ends there.
    skips: Box<[u16; 1 << SKIP]>,
    of: (Vec<u8>, Vec<u8>),
}

impl Default for Lookups {
    /// Those of no table.
    fn default() -> Self {
        Self {
            pairs: Box::new([0; 1 << VALUE]),
            skips: Box::new([Self::SLOW; 1 << SKIP]),
            of: Default::default(),
        }
    }
}

impl Lookups {
    /// An advance beyond every block.
    const BEYOND: usize = 64;
    /// An advance beyond every block: the symbol must be read by itself.
    const SLOW: u16 = 127 << 5;
    const END: u16 = 1 << 12;

    /// Makes these the lookups for `table`, unless they are already.
    pub fn serve(&mut self, table: &Table) {
        if self.of.0 == table.counts && self.of.1 == table.symbols {
            return;
        }
        self.of = (table.counts.to_vec(), table.symbols.clone());
        for (bits, entry) in (0..).zip(self.pairs.iter_mut()) {
            *entry = Self::pair(table, bits).unwrap_or(0);
        }
        for (bits, entry) in (0..).zip(self.skips.iter_mut()) {
            *entry = Self::skip(table, bits);
        }
    }

    /// The bits to pass; from bit 4 how far the first coefficient is from the one before, from bit 11 how far the second is from the first,
    /// which is 0 if there is none; from bit 18 the value of the second, from bit 25 that of the first.
    fn pair(table: &Table, bits: u32) -> Option<u32> {
        let first = Short::of(table, bits, VALUE)?;
        let rest = VALUE - first.count;
        let second = Short::of(table, bits & ((1 << rest) - 1), rest).filter(|_| !first.is_end());
        let Short {
            count,
            advance,
            value,
        } = second.unwrap_or_default();
        let seven = |value: i32| value as u32 & 127;
        Some(
            (first.count + count)
                | first.advance << 4
                | advance << 11
                | seven(value) << 18
                | seven(first.value) << 25,
        )
    }

    fn skip(table: &Table, bits: u32) -> u16 {
        let (mut passed, mut advance) = (0, 0);
        while passed < SKIP {
            let next = (bits << (LONGEST - SKIP + passed)) & 0xFFFF;
            let Some((length, symbol)) = table.find(next).filter(|(length, _)| passed + length <= SKIP)
            else {
                break;
            };
            let (run, size) = (symbol >> 4, symbol & 15);
            match (run, size) {
                (0, 0) => return (passed + length) as u16 | advance << 5 | Self::END,
                (1..15, 0) => break,
                _ if advance + u16::from(run) + 1 > 64 => break,
                _ => {}
            }
            passed += length + u32::from(size);
            advance += u16::from(run) + 1;
        }
        if passed == 0 {
            Self::SLOW
        } else {
            passed as u16 | advance << 5
        }
    }
}

/// A table for AC coefficients, and the lookups for it.
#[derive(Debug, Clone, Copy)]
pub struct AcCodes<'t> {
    /// The table.
    pub table: &'t Table,
    /// Lookups that serve it.
    pub lookups: &'t Lookups,
}

impl AcCodes<'_> {
    /// Reads AC coefficients of a block, from the first to number `last`, at most 24, or a few further. Returns the number of the last that
    /// was read, at least 64 where the block has ended. `take` gets the number, at most 127, and the value of each, also of zeros that
    /// stand for many; what it gets last for a number counts.
    #[inline(always)]
    pub fn read_to(
        self,
        last: usize,
        reader: &mut Reader<'_>,
        mut take: impl FnMut(usize, i32),
    ) -> Option<usize> {
        let mut at = 0;
        loop {
            reader.refill()?;
            // Five times `VALUE` bits are there.
            for _ in 0..5 {
                let entry = self.lookups.pairs[reader.peek::<VALUE>()];
                if entry == 0 {
                    let read = read_coefficient(reader, self.table)?;
                    let (run, value) = read.unwrap_or((Lookups::BEYOND - 1, 0));
                    at += run + 1;
                    take(at, value);
                    if at >= last {
                        return Some(at);
                    }
                    break;
                }
                reader.pass(entry & 15);
                let first = at + (entry >> 4 & 127) as usize;
                at = first + (entry >> 11 & 127) as usize;
                // If there is no second, the first stands in its place.
                take(at, (entry << 7) as i32 >> 25);
                take(first, entry as i32 >> 25);
                if at >= last {
                    return Some(at);
                }
            }
        }
    }

    /// Passes over the AC coefficients of a block.
    #[inline(always)]
    pub fn pass(self, reader: &mut Reader<'_>) -> Option<()> {
        self.pass_from(1, reader)
    }

    /// Passes over those from number `at`.
    #[inline(always)]
    pub fn pass_from(self, mut at: usize, reader: &mut Reader<'_>) -> Option<()> {
        loop {
            reader.refill()?;
            for _ in 0..2 {
                let entry = self.lookups.skips[reader.peek::<SKIP>()];
                let next = at + usize::from(entry >> 5 & 127);
                if next > 63 {
                    return pass_slowly(reader, self.table, at);
                }
                reader.pass(u32::from(entry & 31));
                if entry & Lookups::END != 0 {
                    return Some(());
                }
                at = next;
            }
        }
    }
}

/// A coefficient of few bits.
#[derive(Debug, Clone, Copy, Default)]
struct Short {
    /// Bits of its code and its value.
    count: u32,
    /// How far it is from the one before.
    advance: u32,
    value: i32,
}

impl Short {
    /// What the lowest `held` of some bits, of which the others are 0, begin with; `None` if it has more bits, or more than seven with its sign.
    fn of(table: &Table, bits: u32, held: u32) -> Option<Self> {
        let (length, symbol) = table.find(bits << (LONGEST - held))?;
        let (run, size) = (u32::from(symbol >> 4), u32::from(symbol & 15));
        let count = length + size;
        let advance = match (run, size) {
            (0, 0) => Lookups::BEYOND as u32,
            (1..15, 0) => return None,
            _ => run + 1,
        };
        (count <= held && size < 7).then(|| Self {
            count,
            advance,
            value: extended(bits >> (held - count) & ((1 << size) - 1), size),
        })
    }

    fn is_end(&self) -> bool {
        self.advance == Lookups::BEYOND as u32
    }
}

/// Passes over the AC coefficients from number `at`, one by one.
#[cold]
#[inline(never)]
fn pass_slowly(reader: &mut Reader<'_>, table: &Table, mut at: usize) -> Option<()> {
    while at < 64 {
        let Some((run, _)) = read_coefficient(reader, table)? else {
            break;
        };
        at += run + 1;
    }
    (at <= 64).then_some(())
}

/// Reads an AC coefficient: zeros before it, and its value, which is 0 for sixteen zeros. `Some(None)` at the end of the block.
#[inline(always)]
pub fn read_coefficient(reader: &mut Reader<'_>, table: &Table) -> Option<Option<(usize, i32)>> {
    reader.refill()?;
    let symbol = table.symbol(reader)?;
    let (run, size) = (usize::from(symbol >> 4), u32::from(symbol & 15));
    match (run, size) {
        (0, 0) => Some(None),
        (1..15, 0) => None,
        _ => Some(Some((run, reader.value(size)))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(lengths: &[(usize, u8)]) -> Option<Table> {
        let mut counts = [0; 16];
        for (length, count) in lengths {
            counts[length - 1] = *count;
        }
        let symbols: Vec<u8> = (0..counts.iter().sum()).collect();
        Table::new(&counts, &symbols)
    }

    #[test]
    fn codes_of_all_lengths_are_found() {
        let table = table(&[(1, 1), (2, 1), (12, 1), (16, 2)]).unwrap();
        assert_eq!(table.find(0b0111_0000_0000_0000), Some((1, 0)));
        assert_eq!(table.find(0b1011_0000_0000_0000), Some((2, 1)));
        assert_eq!(table.find(0b1100_0000_0000_1111), Some((12, 2)));
        assert_eq!(table.find(0b1100_0000_0001_0001), Some((16, 4)));
        assert_eq!(table.find(0b1100_0000_0001_0010), None);
    }

    #[test]
    fn what_is_no_prefix_code_is_refused() {
        assert!(table(&[(1, 2)]).is_none());
        assert!(table(&[(2, 5)]).is_none());
        assert!(Table::new(&[1; 16], &[1]).is_none());
    }

    #[test]
    fn a_symbol_without_a_code_gets_one_behind_all_others_while_there_is_room() {
        let mut sparse = table(&[(1, 1), (2, 1), (3, 1)]).unwrap();
        let before = sparse.codes[1];
        sparse.extend(200).unwrap();
        assert_eq!((sparse.codes[200], sparse.codes[1]), ((0b1110 << 12, 16), before));
        let again = Table::new(&sparse.counts, &sparse.symbols).unwrap();
        assert_eq!(again.codes, sparse.codes);
        let mut full = table(&[(1, 1), (2, 1), (16, 0x80)]).unwrap();
        full.free = 0xFFFE;
        assert!(full.extend(200).is_some());
        assert!(full.extend(201).is_none());
        let mut counts = [0; 16];
        (counts[8], counts[9]) = (255, 1);
        let mut most = Table::new(&counts, &[7; 256]).unwrap();
        assert!(most.extend(5).is_none(), "a table has 256 symbols at most");
    }
}
