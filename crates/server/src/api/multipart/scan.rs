//! Finds a boundary in bytes that arrive in pieces.

use axum::body::Bytes;
use memchr::memmem::Finder;

/// Splits pushed pieces into content and boundaries.
#[derive(Debug)]
pub(super) struct Scan {
    /// CR LF, two hyphens, and the boundary itself. It contains no other CR, so a piece can end in at most one prefix of it,
    /// which starts at the piece's last CR.
    delimiter: Bytes,
    finder: Finder<'static>,
    /// How many bytes of the delimiter the piece before ended with.
    held: usize,
    unread: Bytes,
}

/// The next item.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// Bytes before any boundary; never empty.
    Content(Bytes),
    /// A boundary; the rest of its line is not read yet.
    Boundary,
    /// Everything is read: push more.
    Nothing,
}

impl Scan {
    /// A scan that begins at the start of a line.
    pub(super) fn new(boundary: &str) -> Self {
        let delimiter = Bytes::from(format!("\r\n--{boundary}"));
        Self {
            finder: Finder::new(&delimiter).into_owned(),
            delimiter,
            // The line break in front of the first boundary is not part of the body.
            held: 2,
            unread: Bytes::new(),
        }
    }

    /// Adds a piece; only when everything before is read.
    pub(super) fn push(&mut self, piece: Bytes) {
        debug_assert!(self.unread.is_empty(), "a piece would be lost");
        self.unread = piece;
    }

    /// The next content or boundary.
    pub(super) fn next(&mut self) -> Found {
        if self.unread.is_empty() {
            return Found::Nothing;
        }
        if self.held > 0 {
            return self.go_on();
        }
        match self.finder.find(&self.unread) {
            Some(0) => self.boundary(self.delimiter.len()),
            Some(at) => Found::Content(self.unread.split_to(at)),
            None => {
                self.held = self.begun();
                let content = self.unread.split_to(self.unread.len() - self.held);
                self.unread.clear();
                if content.is_empty() {
                    Found::Nothing
                } else {
                    Found::Content(content)
                }
            }
        }
    }

    /// Moves bytes to `taken` up to and with `end`, but at most the first `most`.
    pub(super) fn take_through(&mut self, end: &[u8], most: usize, taken: &mut Vec<u8>) {
        // The end may begin in the bytes that were moved before.
        let from = (taken.len() + 1).saturating_sub(end.len());
        let room = most.saturating_sub(taken.len()).min(self.unread.len());
        let before = taken.len();
        taken.extend_from_slice(&self.unread[..room]);
        if let Some(at) = memchr::memmem::find(&taken[from..], end) {
            taken.truncate(from + at + end.len());
        }
        let _moved = self.unread.split_to(taken.len() - before);
    }

    /// Compares the piece with the rest of a delimiter whose start was seen.
    fn go_on(&mut self) -> Found {
        let awaited = &self.delimiter[self.held..];
        let compared = awaited.len().min(self.unread.len());
        if awaited[..compared] != self.unread[..compared] {
            let content = self.delimiter.slice(..self.held);
            self.held = 0;
            Found::Content(content)
        } else if compared == awaited.len() {
            self.boundary(compared)
        } else {
            self.held += compared;
            self.unread.clear();
            Found::Nothing
        }
    }

    fn boundary(&mut self, read: usize) -> Found {
        self.held = 0;
        let _delimiter = self.unread.split_to(read);
        Found::Boundary
    }

    /// How many bytes of the delimiter the piece ends with.
    fn begun(&self) -> usize {
        let tail_bytes = self.unread.len().min(self.delimiter.len() - 1);
        let tail = &self.unread[self.unread.len() - tail_bytes..];
        let begun = memchr::memrchr(b'\r', tail).map_or(&tail[..0], |at| &tail[at..]);
        if self.delimiter.starts_with(begun) {
            begun.len()
        } else {
            0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The result of scanning `pieces`: content, with `|` for each boundary.
    fn scanned(boundary: &str, pieces: &[&str]) -> String {
        let mut scan = Scan::new(boundary);
        let mut seen = String::new();
        for piece in pieces {
            scan.push(Bytes::from((*piece).to_owned()));
            loop {
                match scan.next() {
                    Found::Content(bytes) => {
                        assert!(!bytes.is_empty());
                        seen.push_str(std::str::from_utf8(&bytes).unwrap());
                    }
                    Found::Boundary => seen.push('|'),
                    Found::Nothing => break,
                }
            }
        }
        seen
    }

    #[test]
    fn a_boundary_is_found_however_it_is_cut() {
        let body = "--b\r\n-\r\r\n--\r\nx\r\n--b--\r\n\r\n--";
        for first in 0..body.len() {
            for second in first..body.len() {
                let pieces = [&body[..first], &body[first..second], &body[second..]];
                assert_eq!(scanned("b", &pieces), "|\r\n-\r\r\n--\r\nx|--\r\n", "{pieces:?}");
            }
        }
    }

    #[test]
    fn the_first_boundary_needs_no_line_break_in_front() {
        assert_eq!(scanned("b", &["--b"]), "|");
        assert_eq!(scanned("b", &["preamble\r\n--b"]), "\r\npreamble|");
        assert_eq!(scanned("b", &["x--b"]), "\r\nx--b");
    }

    #[test]
    fn what_is_taken_ends_with_the_end_or_where_it_must() {
        let mut scan = Scan::new("b");
        let mut taken = Vec::new();
        for piece in ["abc\r", "\n\r", "\nrest"] {
            scan.push(Bytes::from(piece));
            scan.take_through(b"\r\n\r\n", 100, &mut taken);
        }
        assert_eq!(
            (taken.as_slice(), &scan.unread[..]),
            (&b"abc\r\n\r\n"[..], &b"rest"[..])
        );
        scan.take_through(b"\r\n\r\n", 9, &mut taken);
        assert_eq!((&taken[7..], &scan.unread[..]), (&b"re"[..], &b"st"[..]));
    }
}
