//! The tests that there are, found in the sources: `#[test]`, `#[tokio::test]` and the names in `on_both!`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Every test that runs: its path and its file, relative to the root.
pub(super) fn tests(root: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for path in [sources(&root.join("crates")), sources(&root.join("fuzz/tests"))].concat() {
        let file = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
        let Some(module) = module_of(&file) else { continue };
        for name in names(&std::fs::read_to_string(&path).unwrap()) {
            let path: Vec<&str> = module.iter().copied().chain([name.as_str()]).collect();
            found.insert(path.join("::"), file.clone());
        }
    }
    found
}

/// Every test of the dashboard in a browser: `file: title`.
pub(super) fn browser_tests(root: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir(root.join("web/e2e")).unwrap() {
        let path = entry.unwrap().path();
        let file = path.file_name().unwrap().to_str().unwrap();
        if file.ends_with(".spec.ts") {
            let source = std::fs::read_to_string(&path).unwrap();
            found.extend(
                source
                    .lines()
                    .filter_map(title)
                    .map(|title| format!("{file}: {title}")),
            );
        }
    }
    found
}

/// The title of the browser test that begins on a line, as the source has it.
fn title(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let call = line
        .strip_prefix("test(")
        .or_else(|| line.strip_prefix("limited("))?;
    let quote = call.chars().next().filter(|quote| ['"', '`'].contains(quote))?;
    let (title, _) = call[1..].split_once(quote)?;
    Some(title)
}

/// Every Rust file below, in order.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    let mut files = Vec::new();
    for path in entries {
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// The module of a file. Tests of the whole service go by the names they have in its test program; others begin with
/// their crate.
fn module_of(file: &str) -> Option<Vec<&str>> {
    let whole_service = file.strip_prefix("crates/server/tests/it/");
    let (first, rest) = match whole_service {
        Some(rest) => (None, rest),
        None => {
            let (of_crate, rest) = file.strip_prefix("crates/").unwrap_or(file).split_once('/')?;
            let (kind, rest) = rest.split_once('/')?;
            let is_looked_at = kind == "src" || kind == "tests";
            (Some(of_crate), is_looked_at.then_some(rest)?)
        }
    };
    let steps = rest.strip_suffix(".rs")?.split('/');
    let steps = steps.filter(|step| !["main", "lib", "mod"].contains(step));
    Some(first.into_iter().chain(steps).collect())
}

/// The names of the tests of one file, behind that of the inline module they are in.
fn names(source: &str) -> Vec<String> {
    let mut names = Vec::new();
    let (mut module, mut is_list) = (None, false);
    let (mut is_test, mut is_ignored) = (false, false);
    for line in source.lines() {
        let text = line.trim_start();
        if line == "}" {
            module = None;
        }
        let begun = line.strip_prefix("on_both!(");
        if is_list || begun.is_some() {
            names.extend(listed(begun.unwrap_or(line)));
            is_list = !line.ends_with(");");
        }
        if !line.starts_with(' ') && line.ends_with(" {") {
            module = line
                .strip_suffix(" {")
                .and_then(|line| line.rsplit_once("mod "))
                .map(|(_, name)| name);
        }
        is_test |= text.starts_with("#[test]") || text.starts_with("#[tokio::test");
        is_ignored |= text.starts_with("#[ignore");
        let Some(name) = function(text) else { continue };
        if is_test && !is_ignored {
            names.push(module.map_or_else(|| name.to_owned(), |module| format!("{module}::{name}")));
        }
        (is_test, is_ignored) = (false, false);
    }
    names
}

/// The names in a line of a list, which may be all of the list.
fn listed(line: &str) -> impl Iterator<Item = String> {
    let names = line.trim_end_matches(");").split(',').map(str::trim);
    names.filter(|name| !name.is_empty()).map(str::to_owned)
}

/// The name of the function that a line declares.
fn function(text: &str) -> Option<&str> {
    let text = text.strip_prefix("async ").unwrap_or(text);
    let (name, _) = text.strip_prefix("fn ")?.split_once('(')?;
    Some(name)
}

#[test]
fn tests_are_found_by_their_attributes_and_in_both_databases() {
    let source = "fn helper() {}\n\n#[test]\nfn plain() {\n}\n\n#[tokio::test(flavor = \"x\")]\n#[expect(\n    a,\n)]\nasync fn waits() {\n}\n\n\
        #[test]\n#[ignore = \"slow\"]\nfn left_out() {\n}\n\non_both!(\n    twice,\n    again,\n);\n\nasync fn twice(db: Db) {\n    async fn inner() {}\n}\n\non_both!(alone,);\n\n\
        async fn after(t: &T) {\n}\n\n#[cfg(test)]\nmod tests {\n    fn helper() {\n    }\n\n    #[test]\n    fn inside() {\n    }\n}\n";
    assert_eq!(
        names(source),
        ["plain", "waits", "twice", "again", "alone", "tests::inside"]
    );
    assert_eq!(
        module_of("crates/server/tests/it/api/tus/cuts.rs"),
        Some(vec!["api", "tus", "cuts"])
    );
    assert_eq!(
        module_of("crates/store/src/tests/mod.rs"),
        Some(vec!["store", "tests"])
    );
    assert_eq!(module_of("crates/server/src/lib.rs"), Some(vec!["server"]));
    assert_eq!(module_of("crates/server/build.rs"), None);
    assert_eq!(module_of("fuzz/tests/seeds.rs"), Some(vec!["fuzz", "seeds"]));
}

#[test]
fn browser_tests_are_found_by_their_titles() {
    assert_eq!(
        title("test(\"a post, and \\'more\", async ({ page }) => {"),
        Some("a post, and \\'more")
    );
    assert_eq!(title("limited(\"many\", async ({"), Some("many"));
    assert_eq!(
        title("  test(`answered ${how}`, async ({"),
        Some("answered ${how}")
    );
    assert_eq!(title("test.skip(\"left out\", async ({"), None);
    assert_eq!(title("test.setTimeout(1)"), None);
    assert_eq!(title("test(name, async ({"), None);
}
