//! Links of the papers to files of the checkout and to places in them: each must lead somewhere.

use std::collections::BTreeSet;
use std::path::Path;

use super::tree::Text;

/// Checks every Markdown text; returns each link that leads nowhere.
pub fn check(root: &Path, texts: &[Text]) -> Vec<String> {
    let mut broken = Vec::new();
    for text in texts.iter().filter(|text| text.path.ends_with(".md")) {
        let folder = root
            .join(&text.path)
            .parent()
            .map(Path::to_path_buf)
            .unwrap_or_default();
        let lost = targets(&text.content).filter(|target| !leads_somewhere(&folder, text, *target));
        broken.extend(lost.map(|(file, anchor)| {
            let target = if anchor.is_empty() {
                file.to_owned()
            } else {
                format!("{file}#{anchor}")
            };
            format!("{}: links to {target}, which is not there", text.path)
        }));
    }
    broken
}

fn leads_somewhere(folder: &Path, text: &Text, (file, anchor): (&str, &str)) -> bool {
    if file.is_empty() {
        // What a program includes is part of another page, which has the place.
        return text.path.contains("/src/") || anchors(&text.content).contains(anchor);
    }
    let path = folder.join(file);
    if anchor.is_empty() || !file.ends_with(".md") {
        return path.exists();
    }
    std::fs::read_to_string(path).is_ok_and(|content| anchors(&content).contains(anchor))
}

/// What `[text](target)` links to, a file and a place in it, without addresses on the web and those of the service, which begin with a slash
/// and are checked where the service shows the text.
fn targets(markdown: &str) -> impl Iterator<Item = (&str, &str)> {
    let after = markdown.split("](").skip(1);
    let targets = after.filter_map(|rest| rest.split_once(')').map(|(target, _)| target));
    targets
        .filter(|target| !target.contains(':') && !target.contains(char::is_whitespace))
        .filter(|target| !target.starts_with('/'))
        .map(|target| target.split_once('#').unwrap_or((target, "")))
        .filter(|target| *target != ("", ""))
}

/// The places in a Markdown text that a link can lead to: its headings, as GitHub names them, and what has an `id`.
pub fn anchors(markdown: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut is_code = false;
    for line in markdown.lines() {
        is_code ^= line.trim_start().starts_with("```");
        let heading = line.trim_start_matches('#').strip_prefix(' ');
        if let Some(heading) = heading.filter(|_| line.starts_with('#') && !is_code) {
            found.insert(unused(&found, &anchor_of(heading)));
        }
        let ids = line.split("<a id=\"").skip(1);
        found.extend(ids.filter_map(|id| id.split_once('"').map(|(id, _)| id.to_owned())));
    }
    found
}

/// GitHub's name of a heading: in lower case, with `-` for spaces, without punctuation.
fn anchor_of(heading: &str) -> String {
    let kept = heading.trim().chars().filter_map(|c| match c {
        ' ' => Some('-'),
        '-' | '_' => Some(c),
        _ => c.is_alphanumeric().then_some(c),
    });
    kept.flat_map(char::to_lowercase).collect()
}

/// The name of a heading beside others: the second of the same name has `-1` after it.
fn unused(found: &BTreeSet<String>, name: &str) -> String {
    let numbered = (1..).map(|number| format!("{name}-{number}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    names.find(|name| !found.contains(name)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_links_within_the_checkout_are_followed() {
        let markdown = "[a](papers/a.txt#part), [b](https://example.com), [c](#here), [d](LICENSE), [e](/docs#f); f(x)[0](two words)";
        assert_eq!(
            targets(markdown).collect::<Vec<_>>(),
            [("papers/a.txt", "part"), ("", "here"), ("LICENSE", "")]
        );
    }

    #[test]
    fn a_link_to_nothing_is_found_from_its_own_folder() {
        let root = crate::root();
        let text = Text {
            path: "docs/glossary.md".to_owned(),
            content: "[here](../README.md) [lost](README.md)".to_owned(),
        };
        assert_eq!(
            check(&root, &[text]),
            ["docs/glossary.md: links to README.md, which is not there"]
        );
    }

    #[test]
    fn a_link_to_a_place_that_is_not_there_is_found() {
        let root = crate::root();
        let text = Text {
            path: "docs/glossary.md".to_owned(),
            content: format!(
                "# Here\n[a](#here) [b](#there) [c](states.md#post) [d](states.md#{})",
                "lost"
            ),
        };
        assert_eq!(
            check(&root, &[text]),
            [
                "docs/glossary.md: links to #there, which is not there".to_owned(),
                format!(
                    "docs/glossary.md: links to states.md#{}, which is not there",
                    "lost"
                ),
            ]
        );
    }

    #[test]
    fn headings_and_ids_are_places() {
        let markdown = "# 7. `PATCH /posts`, twice\n## Twice\n```\n# code\n```\n## Twice\n<a id=\"own\"></a> text\n#no heading";
        let found = anchors(markdown);
        assert_eq!(
            found.iter().map(String::as_str).collect::<Vec<_>>(),
            ["7-patch-posts-twice", "own", "twice", "twice-1"]
        );
    }
}
