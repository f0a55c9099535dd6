//! Words that have no place in the checkout: paths of a developer's machine, and promises to do something later.

use super::tree::Text;

/// Names that do not describe what a module is for.
const EMPTY_NAMES: [&str; 3] = ["utils", "helpers", "common"];

/// Checks every text; returns what is wrong, and where.
pub fn check(texts: &[Text]) -> Vec<String> {
    let mut broken = Vec::new();
    for text in texts {
        for (number, line) in text.content.lines().enumerate() {
            let found = machine_path(line).or_else(|| if text.is_rust() { promise(line) } else { None });
            broken.extend(found.map(|word| format!("{}:{}: says {word:?}", text.path, number + 1)));
        }
        broken.extend(empty_name(text));
    }
    broken
}

/// An absolute path that exists on one machine only. Put together here, so that this file does not contain what it looks for.
fn machine_path(line: &str) -> Option<String> {
    let paths = ["work", "root", "Users"].map(|folder| format!("/{folder}/"));
    paths.into_iter().find(|path| {
        line.match_indices(path.as_str()).any(|(at, _)| {
            let before = line[..at].chars().next_back();
            !before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '}' | '>' | '*'))
        })
    })
}

fn promise(line: &str) -> Option<String> {
    let words = [["TO", "DO"], ["FIX", "ME"], ["XX", "X"]].map(|parts| parts.concat());
    words.into_iter().find(|word| {
        line.split(|c: char| !c.is_ascii_alphanumeric())
            .any(|part| part == word)
    })
}

fn empty_name(text: &Text) -> Option<String> {
    let stem = text.path.strip_suffix(".rs")?;
    let stem = stem.strip_suffix("/mod").unwrap_or(stem);
    let name = stem.rsplit('/').next()?;
    EMPTY_NAMES
        .contains(&name)
        .then(|| format!("{}: a module named {name} says nothing", text.path))
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
    fn a_path_of_one_machine_is_found() {
        let line = format!("see {}main/README", ["/wo", "rk/"].concat());
        assert_eq!(
            broken("README.md", &line),
            [format!("README.md:1: says {:?}", ["/wo", "rk/"].concat())]
        );
    }

    #[test]
    fn a_folder_of_the_same_name_inside_the_checkout_is_fine() {
        assert_eq!(
            broken("README.md", &["crates/wo", "rk/lib.rs ./ro", "ot/x"].concat()),
            [""; 0]
        );
    }

    #[test]
    fn promises_are_found_in_rust_only() {
        let line = ["// TO", "DO: later"].concat();
        assert_eq!(broken("a/src/lib.rs", &line).len(), 1);
        assert_eq!(broken("CONTRIBUTING.md", &line).len(), 0);
        assert_eq!(broken("a/src/lib.rs", &["let TO", "DOS = 1;"].concat()).len(), 0);
    }

    #[test]
    fn a_module_named_for_nothing_is_found() {
        assert_eq!(broken("crates/a/src/utils.rs", "").len(), 1);
        assert_eq!(broken("crates/a/tests/common/mod.rs", "").len(), 1);
        assert_eq!(broken("crates/a/src/posts.rs", "").len(), 0);
    }
}
