//! Words that have no place in comments and documents: they tell a story where plain technical English names what happens, and to
//! whom. Strings are not checked, and neither is what a comment or a document quotes.

use super::citations::{is_checked, prose};
use super::tree::Text;

/// Each word in lower case, and what to write instead.
const AVOIDED: [(&str, &str); 8] = [
    ("anybody", "anyone, or the user, the client, the caller"),
    ("everybody", "everyone, or all users, all clients"),
    ("nobody", "no one, or what happens instead"),
    ("said", "returned, reported, declared"),
    ("somebody", "someone, or the user, the client, the caller"),
    ("tells", "returns, sends, reports"),
    ("told", "returned, sent, reported"),
    ("whoever", "the user, the client, the caller"),
];

/// Phrases with such a word that are plain English.
const PHRASES: [&str; 1] = ["told apart"];

/// Where the words are allowed (a file or a folder), and why.
const EXCEPTIONS: [(&str, &str); 8] = [
    ("crates/server/src/app/slides/prompt.md", PROMPT),
    ("crates/store/migrations/", RELEASED),
    ("docs/api-coverage.md", GENERATED),
    ("docs/client.md", GENERATED),
    ("docs/configuration.md", GENERATED),
    ("docs/errors.md", GENERATED),
    ("web/src/api/schema.ts", GENERATED),
    ("xtask/src/tidy/wording.rs", EXAMPLES),
];

const PROMPT: &str = "it instructs a language model, and is no document";
const EXAMPLES: &str = "its tests have the words";
const RELEASED: &str = "a migration is never edited after its release";
const GENERATED: &str = "it is generated from strings in the code";

/// Checks every comment and every document; returns each word to avoid, and where it is.
pub fn check(texts: &[Text]) -> Vec<String> {
    let checked = texts
        .iter()
        .filter(|text| is_checked(text) && !is_excepted(&text.path));
    checked.flat_map(found_in).collect()
}

fn is_excepted(path: &str) -> bool {
    EXCEPTIONS.iter().any(|(place, _)| path.starts_with(place))
}

fn found_in(text: &Text) -> Vec<String> {
    let mut found = Vec::new();
    let mut is_example = false;
    for (number, line) in text.content.lines().enumerate() {
        let is_fence = text.path.ends_with(".md") && line.trim_start().starts_with("```");
        is_example ^= is_fence;
        if is_example || is_fence {
            continue;
        }
        let avoided = avoided_in(prose(text, line));
        found.extend(avoided.map(|(word, instead)| {
            format!("{}:{}: the word {word:?}, write {instead}", text.path, number + 1)
        }));
    }
    found
}

/// The first word to avoid in a line of prose, and what to write instead.
fn avoided_in(prose: &str) -> Option<(&'static str, &'static str)> {
    let mut own = unquoted(prose).to_lowercase();
    for phrase in PHRASES {
        own = own.replace(phrase, "");
    }
    let mut words = own.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    words.find_map(|word| AVOIDED.into_iter().find(|(avoided, _)| *avoided == word))
}

/// The line without code in backticks and without what stands in quotation marks.
fn unquoted(line: &str) -> String {
    let mut open = None;
    let mut own = String::with_capacity(line.len());
    for c in line.chars() {
        match open {
            Some(mark) if mark == c => open = None,
            Some(_) => {}
            None if matches!(c, '`' | '"') => open = Some(c),
            None => own.push(c),
        }
    }
    own
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broken(path: &str, content: &str) -> Vec<String> {
        check(&[Text {
            path: path.to_owned(),
            content: content.to_owned(),
        }])
    }

    #[test]
    fn finds_a_word_in_a_comment_and_names_its_place() {
        assert_eq!(
            broken("a.rs", "fn a() {}\n/// Nobody calls it.\nfn b() {}"),
            ["a.rs:2: the word \"nobody\", write no one, or what happens instead"]
        );
        assert_eq!(broken("a.sql", "SELECT 1; -- as somebody else").len(), 1);
        assert_eq!(broken("a.tsx", "{/* Nobody's. */}").len(), 1);
    }

    #[test]
    fn finds_a_word_in_a_document() {
        assert_eq!(broken("README.md", "# A\n\nAs the client said.").len(), 1);
    }

    #[test]
    fn ignores_code_strings_and_longer_words() {
        let fine = [
            "let said = \"nobody\";",
            "*said = now;",
            "let comment = \"// nobody\";",
            "let url = \"http://nobody.example\";",
            "// unsaid, said_so, nobody_calls",
        ];
        for content in fine {
            assert_eq!(broken("a.rs", content), [""; 0], "{content}");
        }
    }

    #[test]
    fn ignores_quotations_examples_and_plain_phrases() {
        let fine = [
            "The value `nobody`, or \"said\" in quotation marks.",
            "```sh\n# as nobody\n```\nThe end.",
            "Two comments cannot be told apart.",
        ];
        for content in fine {
            assert_eq!(broken("README.md", content), [""; 0], "{content}");
        }
        assert_eq!(broken("README.md", "```sh\n```\nas nobody").len(), 1);
    }

    #[test]
    fn ignores_the_exceptions() {
        assert_eq!(broken("docs/errors.md", "nobody"), [""; 0]);
        assert_eq!(broken("crates/store/migrations/0001.sql", "-- nobody"), [""; 0]);
        assert_eq!(broken("crates/store/src/posts.rs", "// nobody").len(), 1);
    }
}
