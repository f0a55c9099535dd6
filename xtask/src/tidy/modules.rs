//! Which modules of a crate use which, read from the paths in their texts. Test modules do not count.
//!
//! A path is followed through what other modules import and re-export, to the module that has what it names. A parent that only re-exports
//! something from a child does not use it.

use std::collections::{BTreeMap, BTreeSet};

use super::blank::blanked;
use super::functions::{is_word, test_modules};
use super::parameters::{closing, parts};
use super::tree::Text;

/// How many imports of imports are followed.
const MOST_STEPS: usize = 8;

/// The modules that each module uses. Their names are such as `db::tx`; that of the root is empty.
pub type Uses = BTreeMap<String, BTreeSet<String>>;

/// The modules of each crate, by its folder.
pub fn uses(texts: &[Text]) -> BTreeMap<&str, Uses> {
    let mut crates: BTreeMap<&str, Modules> = BTreeMap::new();
    for text in texts.iter().filter(|text| text.is_source() && !text.is_test()) {
        if let Some((folder, file)) = text.path.split_once("/src/") {
            let modules = &mut crates.entry(folder).or_default().0;
            // `main.rs` beside `lib.rs` has the same name, and only uses the library.
            let module = modules.entry(name_of(file));
            module.or_insert_with(|| Module::read(&text.content));
        }
    }
    crates
        .into_iter()
        .map(|(folder, modules)| (folder, modules.uses()))
        .collect()
}

/// The modules of a crate, by name.
#[derive(Default)]
struct Modules(BTreeMap<String, Module>);

/// What a module names.
struct Module {
    imports: Vec<Import>,
    /// The paths outside of its imports.
    paths: Vec<String>,
}

/// A name that a `use` brings into a module.
struct Import {
    name: String,
    path: String,
    /// Whether it is there for other modules alone.
    is_only_exported: bool,
}

impl Modules {
    fn uses(&self) -> Uses {
        let used = |(name, module): (&String, &Module)| {
            let imported = module.imports.iter().filter_map(|import| {
                let used = self.resolved(name, &import.path, MOST_STEPS)?;
                (!import.is_only_exported || !used.starts_with(&below(name, ""))).then_some(used)
            });
            let named = module
                .paths
                .iter()
                .filter_map(|path| self.resolved(name, path, MOST_STEPS));
            (
                name.clone(),
                imported.chain(named).filter(|used| used != name).collect(),
            )
        };
        self.0.iter().map(used).collect()
    }

    /// The module that a path in the module `from` leads to.
    fn resolved(&self, from: &str, path: &str, steps: usize) -> Option<String> {
        let mut at = from.to_owned();
        for (index, part) in path.split("::").map(str::trim).enumerate() {
            let child = below(&at, part);
            match part {
                "crate" => at.clear(),
                "self" => {}
                "super" => at = at.rsplit_once("::").map_or("", |(parent, _)| parent).to_owned(),
                _ if self.0.contains_key(&child) => at = child,
                // What begins otherwise is in another crate.
                _ if index == 0 => return None,
                name => {
                    let import = self.0.get(&at)?.imports.iter().find(|import| import.name == name);
                    let further = import.filter(|_| steps > 0);
                    let further = further.and_then(|import| self.resolved(&at, &import.path, steps - 1));
                    return further.or(Some(at));
                }
            }
        }
        self.0.contains_key(&at).then_some(at)
    }
}

impl Module {
    fn read(source: &str) -> Self {
        let mut code = without_visibility(&blanked(source));
        for tests in test_modules(&code).into_iter().rev() {
            code.replace_range(tests, "");
        }
        let (mut imports, mut others, mut rest) = (Vec::new(), String::new(), code.as_str());
        while let Some((before, tree, after)) = next_use(rest) {
            let start = before.rsplit([';', '{', '}', ']']).next();
            let is_exported = start.is_some_and(|start| start.trim().starts_with("pub"));
            let paths = paths_in("", tree);
            imports.extend(paths.iter().map(|path| Import::of(path, is_exported)));
            others.push_str(before);
            rest = after;
        }
        others.push_str(rest);
        let words: BTreeSet<&str> = others.split(|c| !is_word(c)).collect();
        for import in &mut imports {
            import.is_only_exported &= !words.contains(import.name.as_str());
        }
        let paths = others.split(|c| !is_word(c) && c != ':');
        let paths = paths
            .map(|path| path.trim_matches(':'))
            .filter(|path| path.contains("::"));
        let paths = paths.map(str::to_owned).collect();
        Self { imports, paths }
    }
}

impl Import {
    fn of(path: &str, is_exported: bool) -> Self {
        let (path, alias) = path.split_once(" as ").unwrap_or((path, ""));
        let path = path.trim_end_matches("::self");
        let last = path.rsplit("::").next().unwrap_or_default();
        let name = if alias.is_empty() { last } else { alias }.trim().to_owned();
        Self {
            is_only_exported: is_exported && name != "*",
            name,
            path: path.to_owned(),
        }
    }
}

/// The text without each `pub(in path)`: who may see a name is no use of the module that the path leads to.
fn without_visibility(code: &str) -> String {
    let (mut kept, mut rest) = (String::new(), code);
    while let Some((before, after)) = rest.split_once("pub(in ") {
        kept.push_str(before);
        kept.push_str("pub");
        rest = after.split_once(')').map_or("", |(_, after)| after);
    }
    kept + rest
}

/// The text before the next `use`, its tree of paths, and the text after it.
fn next_use(code: &str) -> Option<(&str, &str, &str)> {
    let is_keyword = |at: &usize| !code[..*at].ends_with(is_word);
    let at = code.match_indices("use ").map(|(at, _)| at).find(is_keyword)?;
    let (tree, after) = code[at + 4..].split_once(';')?;
    Some((&code[..at], tree, after))
}

/// The paths of a tree such as `a::{b, c::{d, e}}`.
fn paths_in(before: &str, tree: &str) -> Vec<String> {
    let Some(open) = tree.find('{') else {
        return vec![format!("{before}{}", tree.trim())];
    };
    let (start, group) = tree.split_at(open);
    let before = format!("{before}{}", start.trim());
    let group = closing(group).map_or("", |end| &group[1..end]);
    parts(group)
        .into_iter()
        .flat_map(|part| paths_in(&before, part))
        .collect()
}

fn name_of(file: &str) -> String {
    let steps = file.trim_end_matches(".rs").split('/');
    let steps = steps.filter(|step| !["lib", "main", "mod"].contains(step));
    steps.collect::<Vec<_>>().join("::")
}

fn below(module: &str, child: &str) -> String {
    match module {
        "" => child.to_owned(),
        _ => format!("{module}::{child}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the modules of a crate with these files use: `a uses b`.
    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let text = |(file, content): &(&str, &str)| Text {
            path: format!("crates/kites/src/{file}"),
            content: (*content).to_owned(),
        };
        let texts: Vec<Text> = files.iter().map(text).collect();
        let crates = uses(&texts);
        let lines = crates["crates/kites"].iter().flat_map(|(module, used)| {
            let line = move |other: &String| format!("{module} uses {other}");
            used.iter().map(line)
        });
        lines.collect()
    }

    #[test]
    fn reads_groups_aliases_and_paths_in_the_code() {
        let a = "use std::fmt;\nuse crate::{b::B as Other, c::{self, d::{D, E}}};\nfn f() { super::e::f(&fmt::Error, b'{'); }\n";
        let files = [
            ("a.rs", a),
            ("b.rs", ""),
            ("c.rs", ""),
            ("c/d.rs", ""),
            ("e.rs", "fn f(a: fmt::Error) {}"),
        ];
        assert_eq!(found(&files), ["a uses b", "a uses c", "a uses c::d", "a uses e"]);
    }

    #[test]
    fn leaves_out_comments_texts_and_tests() {
        let a = "// crate::b::B\nconst A: &str = \"crate::b\";\n#[cfg(test)]\nmod tests {\n    use crate::b::B;\n}\n";
        assert_eq!(
            found(&[("a.rs", a), ("b.rs", ""), ("tests/c.rs", "use crate::a;")]),
            [""; 0]
        );
    }

    #[test]
    fn leaves_out_who_may_see_a_name() {
        let child = "pub(in crate::kite) fn f(a: B) { super::cut(); }\npub(in crate::kite) use crate::b::B;";
        assert_eq!(
            found(&[("kite/rope.rs", child), ("kite.rs", ""), ("b.rs", "")]),
            ["kite::rope uses b", "kite::rope uses kite"]
        );
        let child = child.replace("super::cut();", "");
        assert_eq!(
            found(&[("kite/rope.rs", &child), ("kite.rs", ""), ("b.rs", "")]),
            ["kite::rope uses b"]
        );
    }

    #[test]
    fn follows_what_a_parent_re_exports_to_the_child() {
        let parent = "pub mod rope;\npub(crate) use self::rope::{Knot, Rope};\n";
        let files = [
            ("a.rs", "use crate::kite::Rope;"),
            ("kite.rs", parent),
            ("kite/rope.rs", ""),
        ];
        assert_eq!(found(&files), ["a uses kite::rope"]);
        let used = format!("{parent}fn f(rope: Rope) {{}}");
        assert_eq!(
            found(&[("kite.rs", &used), ("kite/rope.rs", "")]),
            ["kite uses kite::rope"]
        );
        let of_another = [("a.rs", "pub use crate::b::B;"), ("b.rs", "")];
        assert_eq!(found(&of_another), ["a uses b"]);
    }

    #[test]
    fn finds_children_and_parents() {
        let files = [
            ("lib.rs", "mod kite;\nuse kite::Kite;\nstruct Wind;"),
            (
                "kite.rs",
                "use super::Wind;\nfn f() { rope::cut(); other::cut(); }",
            ),
            ("kite/rope.rs", "use super::super::Wind;\nuse super::*;"),
        ];
        let expected = [
            " uses kite",
            "kite uses ",
            "kite uses kite::rope",
            "kite::rope uses ",
            "kite::rope uses kite",
        ];
        assert_eq!(found(&files), expected);
    }
}
