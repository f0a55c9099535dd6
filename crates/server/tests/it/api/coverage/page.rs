//! The tables as Markdown.

use std::collections::{BTreeMap, BTreeSet};

use super::{Proof, Section, decisions, resources, rows};

const HEAD: &str = "# API coverage

Which test proves which promise of the API. The first tables go by resource and operation; those under “Rules” are about
the rules of [contract.md](contract.md), and about what people do in a session.

This file is written by a test (`api::coverage`): a test named here that is renamed or removed fails it, and so do an
operation or an error code of [the reference](../openapi.json) that no row is about. `api::…`, `engine::…` and `crash::…`
drive the whole service from outside, through HTTP and against the simulated provider, nearly all of them on SQLite and
on PostgreSQL; other names begin with their crate. `cargo xtask test` runs them all. Why it was decided so is in
[decisions.md](decisions.md).
";

/// The whole file.
pub(super) fn text(tests: &BTreeMap<String, String>) -> String {
    let mut page = HEAD.to_owned();
    page.push_str(&format!("\n{}\n", counted()));
    page.push_str("\n## Resources and operations\n");
    page.push_str(&proven(resources::SECTIONS, tests));
    page.push_str("\n## Rules\n");
    page.push_str(&proven(decisions::SECTIONS, tests));
    page.push_str("\n## Not served yet\n\nPromised, and not there: these requests answer 404 today.\n");
    page.push_str(&missing());
    page
}

fn counted() -> String {
    let (mut proven, mut missing, mut named) = (0, 0, BTreeSet::<&str>::new());
    for row in rows() {
        match row.proof {
            Proof::Tests(names) => {
                proven += 1;
                named.extend(names);
            }
            Proof::NotServed { .. } => missing += 1,
        }
    }
    let tests = named.len();
    format!(
        "{proven} promises are proven by {tests} tests; {missing} are about parts that are not served yet."
    )
}

fn proven(sections: &[Section], tests: &BTreeMap<String, String>) -> String {
    let mut text = String::new();
    for section in sections {
        let rows: Vec<String> = section
            .rows
            .iter()
            .filter_map(|row| match row.proof {
                Proof::Tests(names) => Some((row.promise, names)),
                Proof::NotServed { .. } => None,
            })
            .map(|(promise, names)| {
                let links: Vec<String> = names.iter().map(|name| link(name, tests)).collect();
                format!("| {} | {} |\n", cell(promise), links.join("<br>"))
            })
            .collect();
        if !rows.is_empty() {
            text.push_str(&format!(
                "\n### {}\n\n| Promise | Proven by |\n|---|---|\n",
                section.heading
            ));
            text.push_str(&rows.concat());
        }
    }
    text
}

fn missing() -> String {
    let mut text = "\n| Promise | Request | What is missing |\n|---|---|---|\n".to_owned();
    for row in rows() {
        if let Proof::NotServed { request, missing } = row.proof {
            text.push_str(&format!("| {} | `{request}` | {missing} |\n", cell(row.promise)));
        }
    }
    text
}

/// A test's name, which leads to its file.
fn link(name: &str, tests: &BTreeMap<String, String>) -> String {
    let file = tests.get(name).map(String::as_str).unwrap_or_default();
    format!("[`{name}`](../{file})")
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
