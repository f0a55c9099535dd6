//! The text of a post as it is sent, and as its provider lists it.

use std::borrow::Cow;

use icu_normalizer::ComposingNormalizerBorrowed;
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

/// Listed texts may be cut, but never shorter than this, in characters.
const CUT_FROM: usize = 100;

/// A listed text that was cut has at least so many characters: TikTok lists 150 (`video_description` of "Video Object"), and may trim spaces from
/// their end.
const CUT_TO: usize = 140;

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
/// and join them. So may the normal form of Unicode (UAX #15): programs for macOS write texts in another one than most.
pub fn is_listed_as(sent: &str, listed: &str) -> bool {
    let listed = normalized(listed);
    let cut = without_ellipsis(&listed).filter(|cut| may_be_cut(cut));
    forms(sent)
        .any(|form| is_whole_or_cut(&form, &listed) || cut.is_some_and(|cut| is_whole_or_cut(&form, cut)))
}

/// The same without doubt about the text: a beginning counts where it is as long as what is cut. A shorter one is the whole text of another
/// post.
pub fn is_certainly_listed_as(sent: &str, listed: &str) -> bool {
    let listed = normalized(listed);
    let is_cut = |text: &str| text.chars().count() >= CUT_TO;
    let cut = without_ellipsis(&listed).filter(|cut| is_cut(cut));
    forms(sent).any(|form| match is_cut(&listed) {
        true => is_whole_or_cut(&form, &listed) || cut.is_some_and(|cut| is_whole_or_cut(&form, cut)),
        false => without_space(&form).eq(without_space(&listed)),
    })
}

/// The beginnings of a sent text: what is listed for it ([`is_listed_as`]) has one of them ([`listed_beginning`]).
pub fn beginnings(sent: &str) -> impl Iterator<Item = String> {
    forms(sent).map(|form| listed_beginning(&form))
}

/// The beginning of a listed text.
pub fn listed_beginning(listed: &str) -> String {
    without_space(&normalized(listed)).take(BEGINNING).collect()
}

/// The forms in which a sent text may be listed, normalized.
fn forms(sent: &str) -> impl Iterator<Item = String> {
    let sent = normalized(sent);
    let (whole, alone) = match sent.rsplit_once(TITLE_END) {
        Some((title, "")) => (title.to_owned(), None),
        Some((title, text)) => (format!("{title}\n{text}"), Some(text.to_owned())),
        None => (sent.into_owned(), None),
    };
    std::iter::once(whole).chain(alone)
}

fn is_whole_or_cut(text: &str, listed: &str) -> bool {
    let may_be_cut = may_be_cut(listed);
    let (mut whole, mut listed) = (without_space(text), without_space(listed));
    loop {
        match (whole.next(), listed.next()) {
            (None, None) => return true,
            (Some(_), None) => return may_be_cut,
            (Some(of_whole), Some(of_listed)) if of_whole == of_listed => {}
            _ => return false,
        }
    }
}

fn may_be_cut(listed: &str) -> bool {
    listed.chars().count() >= CUT_FROM
}

/// A listed text without the ellipsis that it ends with, if it does.
fn without_ellipsis(listed: &str) -> Option<&str> {
    let trimmed = listed.trim_end();
    trimmed.strip_suffix('…').or_else(|| trimmed.strip_suffix("..."))
}

fn normalized(text: &str) -> Cow<'_, str> {
    ComposingNormalizerBorrowed::new_nfc().normalize(text)
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
