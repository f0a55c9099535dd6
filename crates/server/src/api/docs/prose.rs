//! The Markdown of a guide, as HTML: headings have anchors, blocks of code that follow one another are the same in several languages.

use std::collections::BTreeSet;
use std::fmt::{Display, Formatter, Result};
use std::iter::Peekable;

use askama::Template;
use askama::filters::HtmlSafe;
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd, html};

use super::tabs::{Tab, Tabs};

/// A table may be wider than the page: it can be scrolled, with the keyboard too.
const BEFORE_TABLE: &str = "<div class=\"scroll\" role=\"group\" aria-label=\"Table\" tabindex=\"0\">\n";
const AFTER_TABLE: &str = "</div>\n";

/// HTML that a template shows as it is.
pub(super) struct Prose(pub String);

impl Display for Prose {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(&self.0)
    }
}

/// It is made by [`html_of`] of a text of our own.
impl HtmlSafe for Prose {}

/// The HTML of a guide's text.
pub(super) fn html_of(markdown: &str) -> String {
    let mut parser = Parser::new_ext(markdown, Options::ENABLE_TABLES).peekable();
    let mut page = Page::default();
    while let Some(event) = parser.next() {
        match event {
            Event::Start(Tag::CodeBlock(kind)) => {
                let mut tabs = vec![tab(kind, &mut parser)];
                while let Some(kind) = next_block(&mut parser) {
                    tabs.push(tab(kind, &mut parser));
                }
                page.code(tabs);
            }
            Event::Start(Tag::Heading { level, .. }) => {
                let inner: Vec<Event<'_>> = parser
                    .by_ref()
                    .take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_))))
                    .collect();
                let id = page.anchor(&inner);
                page.waiting.push(Event::Start(Tag::Heading {
                    level,
                    id: Some(id.into()),
                    classes: Vec::new(),
                    attrs: Vec::new(),
                }));
                page.waiting.extend(inner);
                page.waiting.push(Event::End(TagEnd::Heading(level)));
            }
            Event::Start(Tag::Table(columns)) => {
                page.waiting.push(Event::Html(BEFORE_TABLE.into()));
                page.waiting.push(Event::Start(Tag::Table(columns)));
            }
            Event::End(TagEnd::Table) => {
                page.waiting.push(Event::End(TagEnd::Table));
                page.waiting.push(Event::Html(AFTER_TABLE.into()));
            }
            other => page.waiting.push(other),
        }
    }
    page.flush();
    page.html
}

/// What is written of a page.
#[derive(Default)]
struct Page<'a> {
    html: String,
    waiting: Vec<Event<'a>>,
    anchors: BTreeSet<String>,
    groups: usize,
}

impl Page<'_> {
    fn flush(&mut self) {
        html::push_html(&mut self.html, self.waiting.drain(..));
    }

    fn code(&mut self, tabs: Vec<Tab>) {
        self.flush();
        self.groups += 1;
        let tabs = Tabs {
            name: format!("code-{}", self.groups),
            tabs,
        };
        self.html
            .push_str(&tabs.render().expect("no template has a part that fails"));
    }

    /// The anchor of a heading, as GitHub names it: the second of the same name has `-1` after it.
    fn anchor(&mut self, heading: &[Event<'_>]) -> String {
        let texts = heading.iter().filter_map(|event| match event {
            Event::Text(text) | Event::Code(text) => Some(&**text),
            _ => None,
        });
        let kept = texts.flat_map(str::chars).filter_map(|c| match c {
            ' ' => Some('-'),
            '-' | '_' => Some(c),
            _ => c.is_alphanumeric().then_some(c),
        });
        let name: String = kept.flat_map(char::to_lowercase).collect();
        let numbered = (1..).map(|number| format!("{name}-{number}"));
        let mut names = std::iter::once(name.clone()).chain(numbered);
        let unused = names
            .find(|name| !self.anchors.contains(name))
            .unwrap_or_default();
        self.anchors.insert(unused.clone());
        unused
    }
}

/// The kind of a block of code that follows immediately.
fn next_block<'a>(parser: &mut Peekable<Parser<'a>>) -> Option<CodeBlockKind<'a>> {
    match parser.next_if(|event| matches!(event, Event::Start(Tag::CodeBlock(_)))) {
        Some(Event::Start(Tag::CodeBlock(kind))) => Some(kind),
        _ => None,
    }
}

/// A block of code, of which the parser has read the beginning.
fn tab(kind: CodeBlockKind<'_>, parser: &mut Peekable<Parser<'_>>) -> Tab {
    let language = match &kind {
        CodeBlockKind::Fenced(language) => language,
        CodeBlockKind::Indented => "",
    };
    let texts = parser
        .by_ref()
        .take_while(|event| !matches!(event, Event::End(TagEnd::CodeBlock)));
    let code: String = texts
        .filter_map(|event| match event {
            Event::Text(text) => Some(text.into_string()),
            _ => None,
        })
        .collect();
    Tab::of_guide(language, code.trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    use super::html_of;

    #[test]
    fn headings_have_the_anchors_of_the_repository() {
        let html = html_of("# A `PATCH /x`, twice\n\n## Twice\n\n## Twice\n");
        for heading in [
            "<h1 id=\"a-patch-x-twice\">A <code>PATCH /x</code>, twice</h1>",
            "<h2 id=\"twice\">",
            "<h2 id=\"twice-1\">",
        ] {
            assert!(html.contains(heading), "{heading} in {html}");
        }
    }

    #[test]
    fn blocks_of_code_in_a_row_are_one_group_with_a_choice() {
        let html = html_of("```sh\na <b\n```\n\n```python\nc\n```\n\ntext\n\n```json\n{}\n```\n");
        assert_eq!(html.matches("class=\"tabs\"").count(), 1);
        assert_eq!(html.matches("type=\"radio\"").count(), 2);
        assert_eq!(html.matches(" checked").count(), 1);
        assert!(html.contains("<code>a &#60;b</code>"), "{html}");
        assert!(html.contains("<code>{}</code>"), "{html}");
    }
}
