//! Text on a terminal: how wide it is, cut, wrapped, and made safe.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The display width, without colour codes.
pub(super) fn width(cell: &str) -> usize {
    let mut columns = 0;
    let mut rest = cell;
    while let Some(at) = rest.find('\u{1b}') {
        columns += rest[..at].width();
        rest = rest[at..].split_once('m').map_or("", |(_, after)| after);
    }
    columns + rest.width()
}

/// Untrusted text made safe for a terminal: one line, without control sequences.
pub(super) fn clean(text: &str) -> String {
    let shown = text.chars().map(|c| match c {
        '\n' | '\r' | '\t' => ' ',
        // Also the marks that change the direction of text.
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        c if c.is_control() => '\u{fffd}',
        c => c,
    });
    shown.collect()
}

/// [`clean`] text that keeps its lines and tabs.
pub(super) fn clean_lines(text: &str) -> String {
    let lines = text.split('\n').map(|line| {
        let cells: Vec<String> = line.split('\t').map(clean).collect();
        cells.join("\t")
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// [`clean`] text, cut to a number of columns.
pub(super) fn brief(text: &str, columns: usize) -> String {
    let text = clean(text);
    if text.width() <= columns {
        return text;
    }
    let mut used = 1;
    let fits = text.chars().take_while(|c| {
        used += c.width().unwrap_or(0);
        used <= columns
    });
    let mut cut: String = fits.collect();
    cut.push('…');
    cut
}

/// Text in lines of so many columns, broken between words; a longer word is broken where the line ends.
pub(super) fn wrap(text: &str, columns: usize) -> Vec<String> {
    let columns = columns.max(1);
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.last().map_or(0, |line| line.width());
        let gap = usize::from(last > 0);
        if last + gap + word.width() <= columns {
            if let Some(line) = lines.last_mut() {
                line.push_str(&" ".repeat(gap));
                line.push_str(word);
            }
            continue;
        }
        let mut rest = word;
        if last == 0 {
            lines.pop();
        }
        while rest.width() > columns {
            let fits = prefix(rest, columns);
            lines.push(rest[..fits].to_owned());
            rest = &rest[fits..];
        }
        lines.push(rest.to_owned());
    }
    lines
}

/// How many bytes of the text fit into so many columns; at least one character.
fn prefix(text: &str, columns: usize) -> usize {
    let ends = text.char_indices().map(|(at, c)| at + c.len_utf8());
    let fits = ends
        .clone()
        .take_while(|end| text[..*end].width() <= columns)
        .last();
    fits.or_else(|| ends.clone().next()).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_others_cannot_command_the_terminal() {
        assert_eq!(
            clean("a\u{1b}[2Jb\nc\u{202e}d\u{7}"),
            "a\u{fffd}[2Jb c\u{fffd}d\u{fffd}"
        );
    }

    #[test]
    fn long_text_is_cut_by_columns() {
        assert_eq!(brief("short", 5), "short");
        assert_eq!(brief("longer", 5), "long…");
        assert_eq!(brief("日本語", 5), "日本…");
    }

    #[test]
    fn lines_are_broken_between_words() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("", 7), [""]);
        assert_eq!(wrap("a extraordinary b", 5), ["a", "extra", "ordin", "ary b"]);
        assert_eq!(wrap("日本語", 4), ["日本", "語"]);
    }
}
