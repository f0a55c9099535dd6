//! Markdown of the document, as HTML.

use std::fmt::{Display, Formatter, Result};

use askama::filters::HtmlSafe;
use pulldown_cmark::{Options, Parser, html};

/// Markdown, which a template shows as HTML.
#[derive(Debug, Clone, Copy)]
pub(super) struct Markdown(pub &'static str);

impl Display for Markdown {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        html::write_html_fmt(f, Parser::new_ext(self.0, Options::ENABLE_TABLES))
    }
}

/// The texts are our own, and may contain markup.
impl HtmlSafe for Markdown {}
