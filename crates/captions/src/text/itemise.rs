//! Which font each cluster of a text is set in.

use std::ops::Range;

use icu_properties::props::Script;
use icu_segmenter::GraphemeClusterSegmenter;

use super::characters::{is_emoji, is_ignorable, is_meaningless, parts, script};
use super::fonts::Face;

/// A cluster (what a reader takes for one character) and the font it is set in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Item {
    /// Its bytes in the paragraph.
    pub(super) bytes: Range<usize>,
    /// `None` when nothing of it can be shown.
    pub(super) face: Option<Face>,
    /// The script of its first letter; common and inherited ones go with whatever stands before them.
    pub(super) script: Script,
}

/// The fonts for Chinese characters, best first: Japanese, Korean and Chinese write many of them differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Han([Face; 3]);

impl Han {
    /// By the script around them: kana is Japanese, hangul Korean. A paragraph decides for itself, and the
    /// whole caption for paragraphs without either.
    pub(super) fn of(paragraph: &str, caption: &[String]) -> Self {
        let whole = || caption.iter().find_map(|text| regional(text));
        match regional(paragraph).or_else(whole) {
            Some(Face::Japanese) => Self([Face::Japanese, Face::Chinese, Face::Korean]),
            Some(Face::Korean) => Self([Face::Korean, Face::Japanese, Face::Chinese]),
            _ => Self([Face::Chinese, Face::Japanese, Face::Korean]),
        }
    }

    /// Whether the text around is Korean, which breaks lines at spaces, unlike Chinese and Japanese.
    pub(super) fn is_korean(self) -> bool {
        self.0[0] == Face::Korean
    }
}

fn regional(text: &str) -> Option<Face> {
    let scripts = || text.chars().filter(|c| !c.is_ascii()).map(script);
    if scripts().any(|script| matches!(script, Script::Hiragana | Script::Katakana)) {
        return Some(Face::Japanese);
    }
    scripts()
        .any(|script| script == Script::Hangul)
        .then_some(Face::Korean)
}

/// The clusters of a paragraph with their fonts; characters that no font has are added to `missing`.
pub(super) fn itemise(text: &str, han: Han, missing: &mut Vec<char>) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    let mut from = 0;
    for to in GraphemeClusterSegmenter::new().segment_str(text).skip(1) {
        let before = items
            .iter()
            .rev()
            .find(|item| item.face.is_some_and(|face| face != Face::Emoji));
        let cluster = &text[from..to];
        let face = choose(cluster, han, before.and_then(|item| item.face));
        note_missing(cluster, face, missing);
        let script = cluster
            .chars()
            .map(script)
            .find(|script| !is_postgres(*script))
            .unwrap_or(Script::Common);
        items.push(Item {
            bytes: from..to,
            face,
            script,
        });
        from = to;
    }
    items
}

/// Whether the font shows the character, by itself or as the parts it is made of.
pub(super) fn shows(face: Face, character: char) -> bool {
    face.has(character)
        || parts(character)
            .is_some_and(|(base, mark)| shows(face, base) && mark.is_none_or(|m| shows(face, m)))
}

/// The font that shows the whole cluster, or else its first character.
fn choose(cluster: &str, han: Han, before: Option<Face>) -> Option<Face> {
    let visible = || cluster.chars().filter(|character| !is_ignorable(*character));
    let base = visible().next().filter(|base| !is_meaningless(*base))?;
    if cluster == " " && before.is_some() {
        return before.filter(|face| face.has(' ')).or(Some(Face::TikTok));
    }
    if is_emoji(cluster) && visible().all(|character| Face::Emoji.has(character)) {
        return Some(Face::Emoji);
    }
    let mut order: Vec<Face> = preferred(base, han).to_vec();
    if is_postgres(script(base)) {
        order.insert(1, before.unwrap_or(Face::Latin));
        order.extend(han.0);
    }
    order.extend(Face::ALL);
    // TikTok Sans is merged from parts whose marks do not attach to each other's letters, so it gets precomposed letters only.
    let ready = visible().count() == 1 && Face::TikTok.has(base);
    order.retain(|face| *face != Face::TikTok || ready);
    let whole = order
        .iter()
        .find(|face| visible().all(|character| shows(**face, character)));
    whole
        .or_else(|| order.iter().find(|face| shows(**face, base)))
        .copied()
}

/// The fonts made for the character's script.
fn preferred(base: char, han: Han) -> [Face; 3] {
    match script(base) {
        Script::Arabic => [Face::Arabic; 3],
        Script::Hebrew => [Face::Hebrew; 3],
        Script::Devanagari => [Face::Devanagari; 3],
        Script::Bengali => [Face::Bengali; 3],
        Script::Tamil => [Face::Tamil; 3],
        Script::Thai => [Face::Thai; 3],
        Script::Han | Script::Hiragana | Script::Katakana | Script::Hangul | Script::Bopomofo => han.0,
        _ => [Face::TikTok, Face::Latin, Face::Symbols],
    }
}

fn is_postgres(script: Script) -> bool {
    matches!(script, Script::Common | Script::Inherited)
}

fn note_missing(cluster: &str, face: Option<Face>, missing: &mut Vec<char>) {
    for character in cluster.chars().filter(|character| !is_ignorable(*character)) {
        let shown = face.is_some_and(|face| shows(face, character)) && !is_meaningless(character);
        if !shown && !missing.contains(&character) {
            missing.push(character);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fonts::Face;
    use super::{Han, itemise};

    fn faces(text: &str) -> Vec<Option<Face>> {
        let mut missing = Vec::new();
        let items = itemise(text, Han::of(text, &[text.to_owned()]), &mut missing);
        assert!(missing.is_empty(), "{missing:?}");
        items.into_iter().map(|item| item.face).collect()
    }

    #[test]
    fn chinese_characters_are_japanese_beside_kana_and_korean_beside_hangul() {
        assert_eq!(faces("直")[0], Some(Face::Chinese));
        assert_eq!(faces("直す")[0], Some(Face::Japanese));
        assert_eq!(faces("直 한국")[0], Some(Face::Korean));
        let caption = ["ひらがな".to_owned(), "直".to_owned()];
        assert_eq!(Han::of("直", &caption), Han::of("ひらがな", &caption));
    }

    #[test]
    fn latin_digits_and_punctuation_are_tiktok_sans_in_any_script() {
        assert_eq!(faces("12!a")[..], [Some(Face::TikTok); 4]);
        assert_eq!(faces("שלום 12").last(), Some(&Some(Face::TikTok)));
    }

    #[test]
    fn a_letter_with_a_mark_that_is_no_letter_of_its_own_is_noto_sans() {
        assert_eq!(faces("éẹ\u{301}"), [Some(Face::TikTok), Some(Face::Latin)]);
    }

    #[test]
    fn a_space_stays_in_the_font_before_it() {
        assert_eq!(
            faces("สวัสดี ครับ")
                .iter()
                .filter(|face| **face == Some(Face::Thai))
                .count(),
            faces("สวัสดี ครับ").len()
        );
    }

    #[test]
    fn an_emoji_sequence_is_one_cluster_in_the_emoji_font() {
        for emoji in ["👨‍👩‍👧‍👦", "❤️‍🔥", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🇫🇷", "1️⃣", "👍🏽", "🏳️‍🌈"]
        {
            assert_eq!(faces(emoji), [Some(Face::Emoji)], "{emoji}");
        }
    }

    #[test]
    fn what_no_font_has_is_named_once() {
        let mut missing = Vec::new();
        let text = "a\u{e000}b\u{e000}\u{f8ff}\u{378}";
        let items = itemise(text, Han::of(text, &[]), &mut missing);
        assert_eq!(missing, ['\u{e000}', '\u{f8ff}', '\u{378}']);
        assert_eq!(items.iter().filter(|item| item.face.is_none()).count(), 4);
    }
}
