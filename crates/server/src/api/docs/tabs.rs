//! The same code in several languages, of which one is shown: a choice that needs no script.

use askama::Template;
use askama::filters::HtmlSafe;

/// A group of code blocks; a single one has no choice.
#[derive(Template)]
#[template(path = "reference/tabs.html")]
pub(super) struct Tabs {
    /// Unique on the page.
    pub name: String,
    pub tabs: Vec<Tab>,
}

/// Its template escapes what it shows.
impl HtmlSafe for Tabs {}

/// A block of code.
pub(super) struct Tab {
    /// One word: the same in all groups of a page.
    pub language: &'static str,
    pub label: &'static str,
    /// The operation that it calls, in the reference.
    pub operation: &'static str,
    pub code: String,
}

/// The word and the label of each language, by what follows the fence in Markdown.
const LANGUAGES: [(&str, &str, &str); 12] = [
    ("sh", "curl", "curl"),
    ("python", "python", "Python"),
    ("typescript", "typescript", "TypeScript"),
    ("typescript client", "typescript", "TypeScript"),
    ("sh playout", "playout", "playout"),
    ("sh openssl", "curl", "Shell"),
    ("sh stream", "curl", "curl"),
    ("sh simulator", "curl", "Shell"),
    ("rust", "rust", "Rust"),
    ("json", "json", "JSON"),
    ("http", "http", "HTTP"),
    ("text", "text", "Text"),
];

impl Tab {
    /// A block of a guide; a language that is not known has no label.
    pub(super) fn of_guide(info: &str, code: String) -> Self {
        let known = LANGUAGES.iter().find(|(name, ..)| *name == info);
        let (_, language, label) = known.copied().unwrap_or(("", "text", "Text"));
        Self {
            language,
            label,
            operation: "",
            code,
        }
    }
}
