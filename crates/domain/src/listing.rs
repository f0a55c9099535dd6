//! The text of a post as it is sent, and as its provider lists it.

use std::borrow::Cow;

use icu_normalizer::{ComposingNormalizerBorrowed, DecomposingNormalizerBorrowed};
use serde_json::{Map, Value};

use crate::limits::Delivery;
use crate::media::MediaType;
use crate::platform::Platform;
use crate::post::{Post, effective_settings};
use crate::provider::Provider;

/// The setting with the title that a post has beside its text, where its provider has one (`docs/contract.md#settings`).
const TITLE: &str = "title";

/// Ends the title in a sent text. No content of a post holds it ([`crate::text::is_control`]), so it is the last one that ends the title, which
/// may hold others.
const TITLE_END: char = '\u{1e}';

/// The title of a text that may be sent with any title ([`under_any_title`]).
const ANY_TITLE: &str = "\u{1d}";

/// Listed texts may be cut, but never shorter than this, in bytes of UTF-8: whether a provider counts characters, UTF-16 code units or bytes is
/// not known.
const CUT_FROM: usize = 100;

/// A listed text that was certainly cut has at least so many characters: TikTok lists 150 (`video_description` of "Video Object"), and may trim
/// spaces from their end.
const CUT_TO: usize = 140;

/// The least that is listed of a text after a title, in bytes: TikTok's titles have 90 characters at most.
const CUT_AFTER_TITLE: usize = 50;

/// How many characters of a text, without its spaces, are in each beginning of it that is listed.
const BEGINNING: usize = 50;

/// A text as it is sent with these settings: the title, where there is one, and the text. It is one string, so that it can be stored as
/// one.
pub fn sent_text(settings: &Map<String, Value>, content: &str) -> String {
    let title = settings.get(TITLE).and_then(Value::as_str).map(str::trim);
    match title.filter(|title| !title.is_empty()) {
        Some(title) => format!("{title}{TITLE_END}{content}"),
        None => content.to_owned(),
    }
}

/// A text that may have been sent under any title, or none: the default title of its account was changed since.
pub fn under_any_title(content: &str) -> String {
    format!("{ANY_TITLE}{TITLE_END}{content}")
}

/// Whether a post with these settings of its own, and media of this type, gets its title from the defaults of its account.
pub fn has_title_of_account(settings: &Map<String, Value>, media_type: Option<MediaType>) -> bool {
    media_type != Some(MediaType::Video) && !settings.contains_key(TITLE)
}

impl Post {
    /// Its text as it is sent to an account with these default settings.
    pub fn sent_text(&self, defaults: &Map<String, Value>) -> String {
        sent_text(&effective_settings(defaults, &self.settings), &self.content)
    }
}

/// Whether the account would list a post with media of this type and these settings if it were out: it is public, and does not wait in
/// the creator's inbox.
pub fn is_listed(
    provider: &dyn Provider,
    platform: &Platform,
    media_type: Option<MediaType>,
    settings: &Map<String, Value>,
) -> bool {
    provider.expects_link(media_type, settings) && provider.delivery(platform, settings) == Delivery::Direct
}

/// Whether a provider may list a post that was sent with the text `sent` as `listed`: the whole, or a beginning long enough to have been
/// cut, which may end with an ellipsis. A title may stand before the text or be left away. Spaces and ends of lines may differ: providers trim
/// and join them. So may the normal form of Unicode (UAX #15): programs for macOS write texts in another one than most. Texts are compared in
/// the one that takes letters apart, because a cut may fall between a letter and its accent.
pub fn is_listed_as(sent: &str, listed: &str) -> bool {
    let listed = decomposed(listed);
    forms(sent).any(|form| match form {
        Form::Text(text) => {
            is_whole(&text, &listed) || cuts(&listed).any(|cut| may_be_cut(cut) && begins_with(&text, cut))
        }
        Form::UnderATitle(text) => is_listed_under_a_title(&text, &listed),
    })
}

/// The same without doubt about the text: a beginning counts where it is as long as what is cut. A shorter one is the whole text of another
/// post. A text that nothing is seen of is certain of no post.
pub fn is_certainly_listed_as(sent: &str, listed: &str) -> bool {
    let listed = decomposed(listed);
    let is_visible = without_space(&listed).next().is_some();
    let is_cut = |text: &str| composed(text).chars().count() >= CUT_TO;
    forms(sent).any(|form| match form {
        Form::Text(text) => {
            is_visible && is_whole(&text, &listed)
                || cuts(&listed).any(|cut| is_cut(cut) && begins_with(&text, cut))
        }
        Form::UnderATitle(_) => false,
    })
}

/// The beginnings of a sent text: what is listed for it ([`is_listed_as`]) has one of them ([`listed_beginning`]).
pub fn beginnings(sent: &str) -> impl Iterator<Item = String> {
    forms(sent).filter_map(|form| match form {
        Form::Text(text) => Some(listed_beginning(&text)),
        Form::UnderATitle(_) => None,
    })
}

/// The beginning of a listed text.
pub fn listed_beginning(listed: &str) -> String {
    without_space(&composed(listed)).take(BEGINNING).collect()
}

/// A form in which a sent text may be listed, decomposed.
enum Form {
    Text(String),
    /// This text, after a title that is not known.
    UnderATitle(String),
}

/// The forms in which a sent text may be listed.
fn forms(sent: &str) -> impl Iterator<Item = Form> {
    let sent = decomposed(sent);
    let (whole, alone) = match sent.rsplit_once(TITLE_END) {
        Some((ANY_TITLE, text)) => (Form::UnderATitle(text.to_owned()), Some(text.to_owned())),
        Some((title, "")) => (Form::Text(title.to_owned()), None),
        Some((title, text)) => (Form::Text(format!("{title}\n{text}")), Some(text.to_owned())),
        None => (Form::Text(sent.into_owned()), None),
    };
    std::iter::once(whole).chain(alone.map(Form::Text))
}

fn is_whole(text: &str, listed: &str) -> bool {
    without_space(text).eq(without_space(listed))
}

fn begins_with(text: &str, listed: &str) -> bool {
    let mut text = without_space(text);
    without_space(listed).all(|character| text.next() == Some(character))
}

fn may_be_cut(listed: &str) -> bool {
    listed.len() >= CUT_FROM
}

/// Whether a listed text is a title and this text, or as much of it as is left of a cut.
fn is_listed_under_a_title(text: &str, listed: &str) -> bool {
    let ends_of_titles = listed.char_indices().filter(|(_, end)| end.is_whitespace());
    let mut rests = ends_of_titles.map(|(end, _)| &listed[end..]);
    rests.any(|rest| {
        let is_cut = |cut: &str| may_be_cut(listed) && cut.len() >= CUT_AFTER_TITLE;
        is_whole(text, rest) || cuts(rest).any(|cut| is_cut(cut) && begins_with(text, cut))
    })
}

/// A listed text that may have been cut: without half a character at its end, and also without the ellipsis that it ends with, if it does.
fn cuts(listed: &str) -> impl Iterator<Item = &str> {
    let whole_characters = |cut: &'_ str| cut.len() - cut.trim_end_matches(char::REPLACEMENT_CHARACTER).len();
    let trimmed = listed.trim_end();
    let ellipsis = trimmed.strip_suffix('…').or_else(|| trimmed.strip_suffix("..."));
    [Some(listed), ellipsis]
        .into_iter()
        .flatten()
        .map(move |cut| &cut[..cut.len() - whole_characters(cut)])
}

fn composed(text: &str) -> Cow<'_, str> {
    ComposingNormalizerBorrowed::new_nfc().normalize(text)
}

fn decomposed(text: &str) -> Cow<'_, str> {
    DecomposingNormalizerBorrowed::new_nfd().normalize(text)
}

fn without_space(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|character| !character.is_whitespace())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn titled(title: &str, content: &str) -> String {
        let settings = json!({ "title": title });
        sent_text(settings.as_object().unwrap(), content)
    }

    #[test]
    fn a_beginning_that_is_too_short_to_have_been_cut_may_be_another_text() {
        let sent = "kite ".repeat(50);
        for (listed, is_certain) in [(sent.trim(), true), (&sent[..150], true), (&sent[..120], false)] {
            assert!(is_listed_as(&sent, listed));
            assert_eq!(is_certainly_listed_as(&sent, listed), is_certain, "{listed}");
        }
        assert!(is_certainly_listed_as(&titled("Wind", "a kite"), "a kite"));
        assert!(!is_certainly_listed_as(&sent, &"wind ".repeat(50)));
    }

    #[test]
    fn a_text_is_listed_whole_or_cut_and_its_spaces_may_differ() {
        let long = "kite ".repeat(50);
        let recipe = "kite\n\n\n".repeat(30);
        for (content, listed) in [
            ("a kite", "a kite"),
            (" a\r\nkite ", "a kite"),
            ("", ""),
            (long.as_str(), &long[..130]),
            (recipe.as_str(), &recipe[..140]),
        ] {
            assert!(is_listed_as(content, listed), "{content:?} as {listed:?}");
            assert!(
                beginnings(content).any(|mark| mark == listed_beginning(listed)),
                "{content:?} as {listed:?}"
            );
        }
        for (content, listed) in [
            ("a kite", "a kit"),
            ("a kite", ""),
            ("a kite", "a kite and more"),
            (&long[..130], long.as_str()),
            ("a kite", "A kite"),
        ] {
            assert!(!is_listed_as(content, listed), "{content:?} as {listed:?}");
        }
    }

    #[test]
    fn a_text_is_listed_in_another_normal_form_and_cut_with_an_ellipsis() {
        let decomposed = "Cafe\u{301} ".repeat(40);
        let composed = "Caf\u{e9} ".repeat(40);
        for (sent, listed) in [(&decomposed, &composed), (&composed, &decomposed)] {
            assert!(is_certainly_listed_as(sent, listed));
            assert!(is_certainly_listed_as(
                &titled("Th\u{e9}", sent),
                &format!("The\u{301} {listed}")
            ));
            assert!(beginnings(sent).any(|mark| mark == listed_beginning(listed)));
        }
        let cut = |characters| -> String { composed.chars().take(characters).collect() };
        for ellipsis in ["…", "...", "… "] {
            assert!(is_certainly_listed_as(
                &decomposed,
                &format!("{}{ellipsis}", cut(150))
            ));
            assert!(is_listed_as(&decomposed, &format!("{}{ellipsis}", cut(110))));
            assert!(!is_certainly_listed_as(
                &decomposed,
                &format!("{}{ellipsis}", cut(110))
            ));
            assert!(!is_listed_as(&decomposed, &format!("{}{ellipsis}", cut(20))));
        }
        let own = format!("{}…", "kite ".repeat(30).trim());
        assert!(is_certainly_listed_as(&own, &own), "an ellipsis of its own");
    }

    #[test]
    fn a_decomposed_text_that_was_cut_may_be_listed_with_fewer_characters() {
        let hangul = "연을 날리자 ".repeat(40);
        let accents = "\u{e9}".repeat(200);
        for sent in [&hangul, &accents] {
            let apart = decomposed(sent);
            // Between a letter and its mark too.
            for characters in 145..=150 {
                let cut: String = apart.chars().take(characters).collect();
                for listed in [cut.clone(), composed(&cut).into_owned()] {
                    for sent in [sent.as_str(), &apart] {
                        assert!(is_listed_as(sent, &listed), "{listed}");
                    }
                }
            }
            let cut: String = sent.chars().take(145).collect();
            assert!(is_certainly_listed_as(&apart, &cut));
        }
    }

    #[test]
    fn a_text_that_was_cut_by_its_utf_16_code_units_or_bytes_is_recognized() {
        let bold = "𝐓𝐡𝐞 𝐤𝐢𝐭𝐞 𝐟𝐥𝐢𝐞𝐬 ".repeat(10);
        let units: Vec<u16> = bold.encode_utf16().take(150).collect();
        let bytes = &bold.as_bytes()[..150];
        for listed in [
            String::from_utf16_lossy(&units),
            String::from_utf8_lossy(bytes).into_owned(),
        ] {
            assert!(is_listed_as(&bold, &listed), "{listed}");
            assert!(!is_certainly_listed_as(&bold, &listed), "{listed}");
        }
    }

    #[test]
    fn a_text_that_nothing_is_seen_of_is_certain_of_no_post() {
        assert!(is_listed_as(" \n ", ""));
        assert!(!is_certainly_listed_as(" \n ", ""));
    }

    #[test]
    fn a_text_under_any_title_may_be_listed_with_one() {
        let short = under_any_title("a kite");
        for listed in ["a kite", "Weekend offer\na kite", "Weekend offer a  kite"] {
            assert!(is_listed_as(&short, listed), "{listed}");
            assert_eq!(is_certainly_listed_as(&short, listed), listed == "a kite");
        }
        for listed in ["Weekend offer", "a kite\nWeekend offer", "Nota kite"] {
            assert!(!is_listed_as(&short, listed), "{listed}");
        }
        let long = under_any_title(&"kite ".repeat(50));
        let cut = |title: &str| -> String {
            format!("{title}\n{}", "kite ".repeat(50))
                .chars()
                .take(150)
                .collect()
        };
        assert!(is_listed_as(&long, &cut("Weekend offer")));
        assert!(is_listed_as(&long, &cut(&"t".repeat(90))));
        assert!(!is_listed_as(&long, &"wind ".repeat(30)));
    }

    #[test]
    fn a_titled_text_is_listed_with_its_title_or_without() {
        let sent = titled("Wind", "a kite\nflies");
        for listed in ["Wind\na kite\nflies", "Wind a kite flies", "a kite flies"] {
            assert!(is_listed_as(&sent, listed), "{listed:?}");
        }
        for listed in ["Wind", "flies", "Storm\na kite\nflies", ""] {
            assert!(!is_listed_as(&sent, listed), "{listed:?}");
        }
        assert!(is_listed_as(&titled("Wind", ""), "Wind"));
        assert!(!is_listed_as(&titled("Wind", ""), ""));
        assert_eq!(titled(" ", "a kite"), "a kite");
    }

    #[test]
    fn a_title_that_holds_what_ends_titles_is_listed_like_any_other() {
        let sent = titled("Kite\u{1e}Studio", "a kite\nflies");
        for listed in ["Kite\u{1e}Studio\na kite\nflies", "a kite flies"] {
            assert!(is_listed_as(&sent, listed), "{listed:?}");
            assert!(
                beginnings(&sent).any(|mark| mark == listed_beginning(listed)),
                "{listed:?}"
            );
        }
    }
}
