//! Writing HTML: text is escaped, Markdown is rendered. The reference and the pages are made with it.

use pulldown_cmark::{Options, Parser};

/// HTML in the making.
#[derive(Default)]
pub struct Html(String);

impl Html {
    /// Adds markup as it is.
    pub fn raw(&mut self, markup: &str) -> &mut Self {
        self.0.push_str(markup);
        self
    }

    /// Adds text.
    pub fn text(&mut self, text: &str) -> &mut Self {
        self.0.push_str(&escaped(text));
        self
    }

    /// All of it so far.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// All of it.
    pub fn done(self) -> String {
        self.0
    }
}

/// Text as markup, for element content and quoted attributes alike.
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

/// Markdown as markup.
pub fn markdown(text: &str) -> String {
    let mut markup = String::new();
    pulldown_cmark::html::push_html(&mut markup, Parser::new_ext(text, Options::ENABLE_TABLES));
    markup
}
