//! Modules that use one another in a circle, also known as an import cycle: none of them can be understood, tested or moved without the
//! others.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::modules::{Uses, uses};
use super::tree::Text;

/// Checks the modules of every crate; returns each circle. There may be none of modules, and none of top-level modules, each with all
/// below it.
pub fn check(texts: &[Text]) -> Vec<String> {
    let crates = uses(texts);
    let broken = |(folder, uses): (&&str, &Uses)| broken(folder, uses);
    crates.iter().flat_map(broken).collect()
}

fn broken(folder: &str, uses: &Uses) -> Vec<String> {
    let found = circles(uses).into_iter().chain(circles(&top_level(uses)));
    found
        .map(|circle| format!("{folder}: a circle of {}", circle.join(", ")))
        .collect()
}

/// The sets of modules that all lead to one another, the largest first.
fn circles(uses: &Uses) -> Vec<Vec<String>> {
    let led = |module: &String| -> BTreeSet<&String> {
        let (mut found, mut next) = (BTreeSet::new(), vec![module.clone()]);
        while let Some(module) = next.pop() {
            let used = uses.get(&module).into_iter().flatten();
            next.extend(used.filter(|used| found.insert(*used)).cloned());
        }
        found
    };
    let leads: BTreeMap<&String, BTreeSet<&String>> =
        uses.keys().map(|module| (module, led(module))).collect();
    let mut found: Vec<Vec<String>> = Vec::new();
    for (module, led) in leads.iter().filter(|(module, led)| led.contains(*module)) {
        if !found.iter().any(|circle| circle.contains(module)) {
            let circle = led.iter().filter(|other| leads[**other].contains(*module));
            found.push(circle.map(|other| (**other).clone()).collect());
        }
    }
    found.sort_by_key(|circle| Reverse(circle.len()));
    found
}

/// Which top-level modules use which, each with all below it.
fn top_level(uses: &Uses) -> Uses {
    let top = |module: &String| module.split("::").next().unwrap_or_default().to_owned();
    let mut found = Uses::new();
    for (module, used) in uses {
        let others = used.iter().map(top).filter(|other| *other != top(module));
        found.entry(top(module)).or_default().extend(others);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(lines: &[&str]) -> Uses {
        let mut uses = Uses::new();
        for line in lines {
            let (from, to) = line.split_once(" uses ").unwrap();
            uses.entry(to.to_owned()).or_default();
            uses.entry(from.to_owned()).or_default().insert(to.to_owned());
        }
        uses
    }

    #[test]
    fn finds_each_circle_once_and_the_largest_first() {
        let lines = [
            "a uses b", "b uses a", "b uses c", "c uses d", "d uses e", "e uses c", "e uses f",
        ];
        assert_eq!(circles(&graph(&lines)), [vec!["c", "d", "e"], vec!["a", "b"]]);
    }

    #[test]
    fn accepts_modules_that_use_others_in_one_direction() {
        let lines = [
            "a uses b",
            "a uses c",
            "b uses d",
            "c uses d",
            " uses a",
            "a::x uses a",
            "a uses a::y",
        ];
        assert_eq!(broken("crates/kites", &graph(&lines)), [""; 0]);
    }

    #[test]
    fn rejects_a_circle_of_top_level_modules() {
        let uses = graph(&["a::one uses b::one", "b::two uses a::two"]);
        assert_eq!(broken("crates/kites", &uses), ["crates/kites: a circle of a, b"]);
    }

    #[test]
    fn rejects_a_circle_of_modules_within_a_top_level_module() {
        let uses = graph(&["a::one uses a::two", "a::two uses a::one"]);
        assert_eq!(
            broken("crates/kites", &uses),
            ["crates/kites: a circle of a::one, a::two"]
        );
    }
}
