//! `cargo xtask tidy`: the rules about the code's own shape, which the compiler does not know. The same check is an ordinary test
//! (`xtask/tests/tidy.rs`), so that `cargo test` fails when a rule is broken.

pub mod arrows;
pub mod blank;
pub mod circles;
pub mod citations;
pub mod functions;
pub mod links;
pub mod modules;
pub mod parameters;
pub mod report;
pub mod sizes;
pub mod tree;
pub mod wording;
pub mod words;

use std::path::Path;

use self::report::Report;
use crate::failure::{Doing, Failure, Outcome};

/// `Cargo.lock` stays under this many packages: each one is compiled, audited and waited for.
pub const MOST_PACKAGES: usize = 470;

/// Prints the figures and every broken rule.
///
/// # Errors
/// When a rule is broken or the tree cannot be read.
pub fn run() -> Outcome<()> {
    let report = check(&crate::root())?;
    for line in &report.figures {
        println!("{line}");
    }
    for line in &report.broken {
        println!("broken: {line}");
    }
    match report.broken.len() {
        0 => Ok(()),
        count => Err(Failure::new(format!("{count} broken, see above"))),
    }
}

/// Checks the whole checkout at `root`.
///
/// # Errors
/// When the tree cannot be read or `cargo metadata` fails. Broken rules are in the report, not an error.
pub fn check(root: &Path) -> Outcome<Report> {
    let texts = tree::texts(root)?;
    let mut report = Report::default();
    report.broken.extend(arrows::check(root)?);
    report.broken.extend(lints(&texts));
    report.broken.extend(words::check(&texts));
    report.broken.extend(wording::check(&texts));
    report.broken.extend(links::check(root, &texts));
    report.broken.extend(citations::check(&texts));
    sizes::check(&texts, &mut report);
    report.broken.extend(parameters::check(&texts));
    report.broken.extend(circles::check(&texts));
    packages(root, &mut report)?;
    Ok(report)
}

/// Every crate takes the workspace's lints.
fn lints(texts: &[tree::Text]) -> Vec<String> {
    let manifests = texts
        .iter()
        .filter(|text| text.path.ends_with("Cargo.toml") && text.path != "Cargo.toml");
    manifests
        .filter(|text| !text.content.contains("[lints]\nworkspace = true"))
        .map(|text| format!("{}: lacks `[lints]` with `workspace = true`", text.path))
        .collect()
}

fn packages(root: &Path, report: &mut Report) -> Outcome<()> {
    let lock = std::fs::read_to_string(root.join("Cargo.lock")).doing("reading Cargo.lock")?;
    let count = lock.lines().filter(|line| *line == "[[package]]").count();
    report.figures.push(format!("locked packages: {count}"));
    if count >= MOST_PACKAGES {
        report.broken.push(format!(
            "Cargo.lock: {count} packages, must stay under {MOST_PACKAGES}"
        ));
    }
    Ok(())
}
