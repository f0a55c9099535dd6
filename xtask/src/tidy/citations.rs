//! Citations in comments and documents: each names something that the checkout holds, or a standard.

use super::links;
use super::tree::Text;

/// The files whose citations are checked.
const CITING: [&str; 9] = ["rs", "ts", "tsx", "sql", "css", "toml", "py", "sh", "md"];

/// What the names of standards contain, as in `RFC 9110`, `ISO/IEC 14496`, `T.81`.
const STANDARDS: [&str; 7] = ["RFC ", "ISO/IEC", "W3C", "EXIF", "TIFF", "CIPA", "T.81"];

/// Words that may stand before a section's number without naming what it is a section of.
const BETWEEN_SECTIONS: [&str; 6] = ["and", "by", "in", "of", "or", "to"];

/// How a document was cited that is not in the checkout.
const ABSENT: [&str; 4] = ["(seed)", "(seed:", "seed, \"", "contract, \""];

/// Checks every text; returns each citation of what is not in the checkout.
pub fn check(texts: &[Text]) -> Vec<String> {
    let mut broken = Vec::new();
    for text in texts.iter().filter(|text| is_checked(text)) {
        let mut names_standard = false;
        for (number, line) in text.content.lines().enumerate() {
            names_standard =
                STANDARDS.iter().any(|name| line.contains(name)) || (names_standard && goes_on(text, line));
            let found = lost_documents(line, texts)
                .chain(absent_source(text, line))
                .chain(unknown_section(line, names_standard));
            broken.extend(found.map(|what| format!("{}:{}: cites {what}", text.path, number + 1)));
        }
    }
    broken
}

/// Whether a text has comments or is a document.
pub(super) fn is_checked(text: &Text) -> bool {
    let extension = text.path.rsplit_once('.').map(|(_, extension)| extension);
    extension.is_some_and(|extension| CITING.contains(&extension))
}

/// Whether a line belongs to the same comment or paragraph as the one before it.
fn goes_on(text: &Text, line: &str) -> bool {
    let line = line.trim_start();
    match text.path.ends_with(".md") {
        true => !line.is_empty(),
        false => ["//", "*", "--", "#"].iter().any(|mark| line.starts_with(mark)),
    }
}

/// The Markdown files that a line names, and the places in them, as far as they do not exist.
fn lost_documents<'a>(line: &'a str, texts: &'a [Text]) -> impl Iterator<Item = String> + 'a {
    let cited = if line.contains(".md") { line } else { "" };
    let words = cited.split(|c: char| !(c.is_alphanumeric() || "./_-#".contains(c)));
    words.filter_map(|word| {
        let (path, anchor) = document(word)?;
        let named: Vec<&Text> = texts.iter().filter(|text| is_named(text, path)).collect();
        let holds = |text: &&Text| links::anchors(&text.content).contains(anchor);
        match (named.is_empty(), anchor) {
            (true, _) => Some(format!("{path}, which is not there")),
            (false, "") => None,
            (false, _) if named.iter().any(holds) => None,
            (false, _) => Some(format!("{path}#{anchor}, a place which is not there")),
        }
    })
}

/// The path and the anchor of a word that names a Markdown file. What begins with a slash is an address of the service.
fn document(word: &str) -> Option<(&str, &str)> {
    if word.starts_with('/') {
        return None;
    }
    let (path, anchor) = word.split_once('#').unwrap_or((word, ""));
    let path = path.trim_end_matches('.').trim_start_matches(['.', '/']);
    let stem = path.strip_suffix(".md")?;
    let anchor = anchor.trim_end_matches(['.', '-']);
    stem.ends_with(char::is_alphanumeric).then_some((path, anchor))
}

/// Whether `path` is that of `text`, or its end.
fn is_named(text: &Text, path: &str) -> bool {
    let before = text.path.strip_suffix(path);
    before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

/// A source that was cited once and is not in the checkout, in a comment or a document.
fn absent_source(text: &Text, line: &str) -> Option<String> {
    let prose = prose(text, line);
    let word = ABSENT.into_iter().find(|words| prose.contains(words));
    let mut after_lesson = prose
        .split("lesson")
        .skip(1)
        .map(|after| after.trim_start_matches('s'));
    let lesson = after_lesson.find(|after| is_number(after));
    word.or(lesson.map(|_| "a numbered lesson")).map(str::to_owned)
}

/// Whether text begins like ` C3.2`.
fn is_number(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next() == Some(' ')
        && letters.next().is_some_and(|c| c.is_ascii_uppercase())
        && letters.next().is_some_and(|c| c.is_ascii_digit())
}

/// The part of a line that is a comment; of a document, the whole line.
pub(super) fn prose<'a>(text: &Text, line: &'a str) -> &'a str {
    let marks = match text.path.rsplit_once('.').map(|(_, extension)| extension) {
        Some("md") => return line,
        Some("rs" | "ts" | "tsx" | "css") if line.trim_start().starts_with("* ") => return line,
        Some("rs" | "ts" | "tsx") => ["//", "/*"].as_slice(),
        Some("css") => ["/*"].as_slice(),
        Some("sql") => ["--"].as_slice(),
        _ => ["#"].as_slice(),
    };
    let starts = marks.iter().filter_map(|mark| {
        let mut found = line.match_indices(mark).map(|(at, _)| at);
        found.find(|at| !is_in_string(&line[..*at]))
    });
    starts.min().map_or("", |start| &line[start..])
}

/// Whether what follows `before` on its line is in a string.
fn is_in_string(before: &str) -> bool {
    before.matches('"').count() % 2 == 1
}

/// A section of something that is no standard: a word precedes it, or nothing around it names what it is a section of.
fn unknown_section(line: &str, names_standard: bool) -> Option<String> {
    line.match_indices('§').find_map(|(at, sign)| {
        let number = line[at + sign.len()..].trim_start();
        let is_numbered = number.starts_with(|c: char| c.is_ascii_alphanumeric());
        let before = line[..at].trim_end_matches([' ', ',']);
        let word = before
            .rsplit(|c: char| !(c.is_alphanumeric() || c == '.'))
            .next()?;
        let is_plain = word.len() > 1 && word.chars().all(|c| c.is_lowercase() || c == '.');
        let is_foreign = is_plain && !BETWEEN_SECTIONS.contains(&word);
        let number = number
            .split(|c: char| !(c.is_alphanumeric() || c == '.'))
            .next()?;
        (is_numbered && (is_foreign || !names_standard)).then(|| format!("§{number} of what is no standard"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(path: &str, content: &str) -> Text {
        Text {
            path: path.to_owned(),
            content: content.to_owned(),
        }
    }

    /// What is broken in Rust of this content, beside a page with one heading.
    fn broken(content: &str) -> Vec<String> {
        check(&[
            text(&page("docs/rules", ""), "# Rules\n\n## Rate limits\n"),
            text("a.rs", content),
        ])
    }

    /// A citation, written so that this file does not contain it.
    fn page(name: &str, anchor: &str) -> String {
        [name, ".", "md", anchor].concat()
    }

    #[test]
    fn a_page_that_exists_may_be_cited_with_its_places() {
        let cited = [
            page("docs/rules", "#rate-limits"),
            page("rules", ""),
            page("../docs/rules", "."),
        ];
        assert_eq!(
            broken(&format!("/// See {}, `{}` and {}", cited[0], cited[1], cited[2])),
            [""; 0]
        );
    }

    #[test]
    fn a_page_that_is_not_there_is_found() {
        let name = page("docs/lost", "");
        assert_eq!(
            broken(&format!("// {name}")),
            [format!("a.rs:1: cites {name}, which is not there")]
        );
        assert_eq!(broken(&format!("// {}", page("ules", ""))).len(), 1);
    }

    #[test]
    fn an_address_of_the_service_is_no_citation() {
        let address = page("/docs/lost", "");
        assert_eq!(broken(&format!("// served at {address}")), [""; 0]);
    }

    #[test]
    fn a_place_that_is_not_there_is_found() {
        let name = page("docs/rules", "#errors");
        assert_eq!(
            broken(&format!("fn a() {{}}\n/// (`{name}`)")),
            [format!("a.rs:2: cites {name}, a place which is not there")]
        );
    }

    #[test]
    fn a_section_is_one_of_a_standard() {
        let sign = '\u{a7}';
        let fine = [
            format!("// (RFC 9110 {sign}14.2 and {sign}13)"),
            format!("//! (RFC 8628)\n//! {sign}3.5, of {sign}4"),
            format!("// ISO/IEC 14496-12 {sign}8.8"),
            format!("// T.81 {sign}F.2"),
        ];
        for content in fine {
            assert_eq!(broken(&content), [""; 0]);
        }
    }

    #[test]
    fn a_section_of_anything_else_is_found() {
        let sign = '\u{a7}';
        let lost = [
            format!("// (contract {sign}4)"),
            format!("// (RFC 8628 {sign}5.1; contract, {sign}6)"),
            format!("// ({sign}6)"),
            format!("// (RFC 8628)\nfn a() {{}}\n// ({sign}3.5)"),
            format!("// see {} {sign}2", page("rules", "")),
        ];
        for content in lost {
            assert_eq!(broken(&content).len(), 1, "{content}");
        }
    }

    #[test]
    fn sources_that_are_not_here_are_found_in_comments() {
        let seed = ["see", "d"].concat();
        assert_eq!(broken(&format!("/// Alike ({seed}).")).len(), 1);
        assert_eq!(broken(&format!("/// A post ({seed}, \"Post\").")).len(), 1);
        assert_eq!(broken(&format!("/// (less{} C3.23)", "ons")).len(), 1);
        assert_eq!(
            broken(&format!("let ids = Ids::new({seed}); // from a {seed}, again")),
            [""; 0]
        );
    }
}
