//! Builds HTML: escapes text and renders Markdown, for the reference and the pages.

use pulldown_cmark::{Options, Parser};

/// A buffer of HTML.
#[derive(Default)]
pub struct Html(String);

impl Html {
    /// Appends markup unescaped.
    pub fn raw(&mut self, markup: &str) -> &mut Self {
        self.0.push_str(markup);
        self
    }

    /// Appends text, escaped.
    pub fn text(&mut self, text: &str) -> &mut Self {
        self.0.push_str(&escaped(text));
        self
    }

    /// The HTML so far.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The finished HTML.
    pub fn done(self) -> String {
        self.0
    }
}

/// Text escaped for element content and quoted attributes.
pub fn escaped(text: &str) -> String {
    let mut markup = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => markup.push_str("&amp;"),
            '<' => markup.push_str("&lt;"),
            '>' => markup.push_str("&gt;"),
            '"' => markup.push_str("&quot;"),
            other => markup.push(other),
        }
    }
    markup
}

/// Markdown rendered as HTML.
pub fn markdown(text: &str) -> String {
    let mut markup = String::new();
    pulldown_cmark::html::push_html(&mut markup, Parser::new_ext(text, Options::ENABLE_TABLES));
    markup
}
