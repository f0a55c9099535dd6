//! Links of the papers to files of the checkout: each must lead somewhere.

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
        let lost = targets(&text.content).filter(|target| !folder.join(target).exists());
        broken.extend(lost.map(|target| format!("{}: links to {target}, which is not there", text.path)));
    }
    broken
}

/// What `[text](target)` links to, without addresses on the web and places within the same text.
fn targets(markdown: &str) -> impl Iterator<Item = &str> {
    let after = markdown.split("](").skip(1);
    let targets = after.filter_map(|rest| rest.split_once(')').map(|(target, _)| target));
    targets
        .filter(|target| !target.contains(':'))
        .map(|target| target.split('#').next().unwrap_or_default())
        .filter(|target| !target.is_empty() && !target.contains(char::is_whitespace))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_links_to_files_are_followed() {
        let markdown =
            "[a](docs/a.md#part), [b](https://example.com), [c](#here), [d](LICENSE); f(x)[0](two words)";
        assert_eq!(targets(markdown).collect::<Vec<_>>(), ["docs/a.md", "LICENSE"]);
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
}
