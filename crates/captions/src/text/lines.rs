//! Where lines end.

use std::ops::Range;

use icu_segmenter::options::{LineBreakOptions, LineBreakWordOption, WordBreakInvariantOptions};
use icu_segmenter::{LineSegmenter, LineSegmenterBorrowed, WordSegmenter, WordSegmenterBorrowed};

use super::fonts::Face;
use super::shaping::{Cluster, Shaped};

/// Emoji in a row that stay in one line.
const FEW: usize = 6;

/// Knows where a line may end (UAX 14, with dictionaries for Thai and its neighbours).
pub(super) struct Breaker {
    usual: LineSegmenterBorrowed<'static>,
    /// Korean is broken at its spaces, not within words.
    korean: LineSegmenterBorrowed<'static>,
    words: WordSegmenterBorrowed<'static>,
}

impl Default for Breaker {
    fn default() -> Self {
        let mut korean = LineBreakOptions::default();
        korean.word_option = Some(LineBreakWordOption::KeepAll);
        Self {
            usual: LineSegmenter::new_dictionary(LineBreakOptions::default()),
            korean: LineSegmenter::new_dictionary(korean),
            words: WordSegmenter::new_dictionary(WordBreakInvariantOptions::default()),
        }
    }
}

impl Breaker {
    /// The paragraph as pieces between which a line may end.
    pub(super) fn pieces(&self, shaped: &Shaped) -> Pieces {
        let words = self.words(shaped);
        let letters = words.is_some().then(|| self.split(shaped, None));
        Pieces {
            advances: advances(&shaped.clusters),
            words: self.split(shaped, words.as_ref()),
            letters,
        }
    }

    fn split(&self, shaped: &Shaped, words: Option<&Words>) -> Vec<Piece> {
        let segmenter = if shaped.is_korean { self.korean } else { self.usual };
        let clusters = &shaped.clusters;
        let mut pieces = Vec::new();
        let mut from = 0;
        for end in segmenter.segment_str(&shaped.text).skip(1) {
            let to = clusters.partition_point(|cluster| cluster.byte < end);
            if to <= from {
                continue;
            }
            let tears_word = words.is_some_and(|words| words.parts(clusters, to));
            if !tears_word && !parts_emoji(clusters, to) && !parts_number(clusters, to) {
                pieces.push(Piece::new(clusters, from..to));
                from = to;
            }
        }
        pieces
    }

    fn words(&self, shaped: &Shaped) -> Option<Words> {
        let has_han = shaped.clusters.iter().any(is_han);
        has_han.then(|| Words {
            ends: self.words.segment_str(&shaped.text).collect(),
        })
    }
}

/// Where words end in text without spaces.
struct Words {
    ends: Vec<usize>,
}

impl Words {
    /// Whether a line that ends before this cluster would tear a Chinese or Japanese word.
    fn parts(&self, clusters: &[Cluster], at: usize) -> bool {
        let Some(after) = clusters.get(at).filter(|after| is_han(after)) else {
            return false;
        };
        is_han(&clusters[at - 1]) && self.ends.binary_search(&after.byte).is_err()
    }
}

/// Whether a line that ends before this cluster would part a number from what it counts.
fn parts_number(clusters: &[Cluster], at: usize) -> bool {
    clusters.get(at).is_some_and(is_han) && clusters[at - 1].is_digit
}

fn is_han(cluster: &Cluster) -> bool {
    matches!(cluster.face, Face::Chinese | Face::Japanese)
}

/// A paragraph that is not in lines yet; widths are in ems.
pub(super) struct Pieces {
    /// Where each cluster begins when all stand in one line; one more at the end.
    advances: Vec<f32>,
    words: Vec<Piece>,
    /// Where Chinese and Japanese words may be torn as well, if that saves a line.
    letters: Option<Vec<Piece>>,
}

struct Piece {
    clusters: Range<usize>,
    /// Where its last visible cluster ends: spaces at the end of a line take no room.
    solid: usize,
}

/// The lines of a paragraph as ranges of clusters, without the spaces at their ends.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Lines {
    pub(super) lines: Vec<Range<usize>>,
    /// How often a word had to be cut because it is longer than a line.
    pub(super) cuts: usize,
}

impl Piece {
    fn new(clusters: &[Cluster], range: Range<usize>) -> Self {
        let spaces = clusters[range.clone()]
            .iter()
            .rev()
            .take_while(|cluster| cluster.is_space)
            .count();
        Self {
            solid: range.end - spaces,
            clusters: range,
        }
    }
}

impl Pieces {
    fn width(&self, range: Range<usize>) -> f32 {
        self.advances[range.end] - self.advances[range.start]
    }

    /// Lines of at most `limit` ems, about equally long: the narrowest column that needs no more lines.
    pub(super) fn balanced(&self, limit: f32) -> Lines {
        let words = self.balance(&self.words, limit);
        let letters = self.letters.as_ref().map(|letters| self.balance(letters, limit));
        letters
            .filter(|letters| letters.lines.len() < words.lines.len())
            .unwrap_or(words)
    }

    fn balance(&self, pieces: &[Piece], limit: f32) -> Lines {
        let widest = self.within(pieces, limit);
        if widest.lines.len() < 2 {
            return widest;
        }
        let (mut narrow, mut wide) = (limit / 3.0, limit);
        let mut best = widest;
        for _ in 0..10 {
            let middle = (narrow + wide) / 2.0;
            let lines = self.within(pieces, middle);
            if lines.lines.len() <= best.lines.len() && lines.cuts <= best.cuts {
                (best, wide) = (lines, middle);
            } else {
                narrow = middle;
            }
        }
        best
    }

    /// As few lines of at most `limit` ems as it takes.
    fn within(&self, pieces: &[Piece], limit: f32) -> Lines {
        let mut lines = Lines::default();
        let mut line = 0..0;
        for piece in pieces {
            if self.width(line.start..piece.solid) <= limit {
                line.end = line.end.max(piece.solid);
                continue;
            }
            if !line.is_empty() {
                lines.lines.push(line);
            }
            line = piece.clusters.start..piece.solid;
            while self.width(line.clone()) > limit && line.len() > 1 {
                let cut = self.cut(&line, limit);
                lines.lines.push(line.start..cut);
                lines.cuts += 1;
                line.start = cut;
            }
        }
        if !line.is_empty() {
            lines.lines.push(line);
        }
        lines
    }

    /// How much of a word fits, one cluster at least.
    fn cut(&self, word: &Range<usize>, limit: f32) -> usize {
        let end = self.advances[word.start] + limit;
        let fits = self.advances[word.start + 1..word.end]
            .iter()
            .take_while(|advance| **advance <= end)
            .count();
        word.start + fits.max(1)
    }
}

/// Whether a line that ends before this cluster would tear an emoji from the word or the few emoji it was put to.
fn parts_emoji(clusters: &[Cluster], at: usize) -> bool {
    let is_emoji = |cluster: &&Cluster| cluster.face == Face::Emoji;
    let after = clusters[at..].iter().take_while(is_emoji).count();
    let before = clusters[..at].iter().rev().take_while(is_emoji).count();
    after > 0 && after + before <= FEW && !clusters[at - 1].is_space
}

fn advances(clusters: &[Cluster]) -> Vec<f32> {
    let mut sum = 0.0;
    let begin = |cluster: &Cluster| {
        sum += cluster.advance;
        sum
    };
    std::iter::once(0.0).chain(clusters.iter().map(begin)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::itemise::Han;
    use super::super::shaping::Shaper;
    use super::Breaker;

    fn lines(text: &str, limit: f32) -> Vec<String> {
        let shaped = Shaper::default().shape(text, Han::of(text, &[]), &mut Vec::new());
        let found = Breaker::default().pieces(&shaped).balanced(limit);
        let end = |index: usize| {
            shaped
                .clusters
                .get(index)
                .map_or(text.len(), |cluster| cluster.byte)
        };
        found
            .lines
            .iter()
            .map(|line| text[end(line.start)..end(line.end)].to_owned())
            .collect()
    }

    #[test]
    fn lines_are_about_equally_long() {
        assert_eq!(
            lines("one two three four five six", 9.0),
            ["one two three", "four five six"]
        );
    }

    #[test]
    fn an_emoji_at_the_end_does_not_stand_alone() {
        let found = lines("the best day of my whole life 🎉", 14.2);
        assert!(found.len() == 2 && found[1].chars().count() > 4, "{found:?}");
    }

    #[test]
    fn an_emoji_stays_with_the_word_it_was_put_to() {
        assert_eq!(
            lines("東京の隠れ家5選☕️「絶対」", 8.0),
            ["東京の隠れ家", "5選☕️「絶対」"]
        );
        assert_eq!(lines("come along ☀️🥐☕️ with me", 7.0)[1], "☀️🥐☕️");
    }

    #[test]
    fn a_word_longer_than_a_line_is_cut_between_clusters() {
        let found = lines(&"👩‍👩‍👧é".repeat(8), 4.0);
        assert!(found.len() > 2);
        assert!(
            found
                .iter()
                .all(|line| line.starts_with('👩') || line.starts_with('é')),
            "{found:?}"
        );
        assert_eq!(found.concat(), "👩‍👩‍👧é".repeat(8));
    }

    #[test]
    fn chinese_words_are_not_torn() {
        assert_eq!(lines("我们一起去海边", 4.2), ["我们一起", "去海边"]);
        assert_eq!(lines("我们一起去海边，我们", 3.2)[..2], ["我们", "一起去"]);
    }

    #[test]
    fn thai_breaks_between_words_and_korean_at_spaces() {
        assert_eq!(lines("สวัสดีครับ", 3.0), ["สวัสดี", "ครับ"]);
        assert_eq!(
            lines("오늘의 날씨가", 4.0),
            ["오늘의 ", "날씨가"].map(str::trim_end)
        );
    }
}
