//! Which test proves which promise of the API: the tables of `docs/api-coverage.md`, which is written from them.

mod decisions;
mod found;
mod page;
mod resources;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use playout_server::api::openapi::document;
use reqwest::Method;

use crate::harness::{Db, TestApp};

/// The promises under one heading, in their order.
struct Section {
    heading: &'static str,
    rows: &'static [Row],
}

/// A promise and what there is to show for it.
struct Row {
    promise: &'static str,
    proof: Proof,
}

enum Proof {
    /// Paths of tests, as the sources name them.
    Tests(&'static [&'static str]),
    /// The part does not exist yet: a request that would reach it, and what is missing.
    NotServed {
        request: &'static str,
        missing: &'static str,
    },
}

/// `"Heading" { "promise" => [module::test, …]  "promise" => ("METHOD /path": "what is missing") }`.
macro_rules! sections {
    ($($heading:literal { $($promise:literal => $proof:tt)* })*) => {
        &[$(Section { heading: $heading, rows: &[$(Row { promise: $promise, proof: proof!($proof) }),*] }),*]
    };
}
use sections;

macro_rules! proof {
    ([$($test:path),+]) => { Proof::Tests(&[$(stringify!($test)),+]) };
    (($request:literal: $missing:literal)) => { Proof::NotServed { request: $request, missing: $missing } };
}
use proof;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn rows() -> impl Iterator<Item = &'static Row> {
    let sections = resources::SECTIONS.iter().chain(decisions::SECTIONS);
    sections.flat_map(|section| section.rows)
}

/// Fails where no test has one of these names.
pub(super) fn assert_tests_exist<'a>(names: impl IntoIterator<Item = &'a str>) {
    let tests = tests();
    let missing: BTreeSet<&str> = names
        .into_iter()
        .filter(|name| !tests.contains_key(*name))
        .collect();
    assert!(missing.is_empty(), "there are no such tests: {missing:#?}");
}

/// Every test of the workspace with the file that holds it.
fn tests() -> BTreeMap<String, String> {
    found::tests(&root())
}

#[test]
fn every_test_that_is_named_exists() {
    let named = rows().flat_map(|row| match row.proof {
        Proof::Tests(names) => names,
        Proof::NotServed { .. } => &[],
    });
    assert_tests_exist(named.copied());
}

#[test]
fn every_test_that_a_page_of_promises_names_exists() {
    let mut tests: BTreeSet<String> = tests().into_keys().collect();
    tests.extend(found::browser_tests(&root()));
    for page in ["docs/reliability.md", "docs/security.md"] {
        let text = std::fs::read_to_string(root().join(page)).unwrap();
        let quoted = text.split('`').skip(1).step_by(2);
        let is_test = |text: &&str| text.contains("::") || text.contains(".spec.ts: ");
        let named: Vec<&str> = quoted.filter(is_test).collect();
        assert!(named.len() > 40, "{page} names {} tests", named.len());
        let missing: BTreeSet<&&str> = named.iter().filter(|name| !tests.contains(**name)).collect();
        assert!(
            missing.is_empty(),
            "{page} names tests that do not exist: {missing:#?}"
        );
    }
}

#[test]
fn every_heading_has_its_promises() {
    let headings: Vec<&str> = resources::SECTIONS
        .iter()
        .map(|section| section.heading)
        .collect();
    assert_eq!(headings, resources::HEADINGS);
    for section in resources::SECTIONS {
        let is_silent = resources::SILENT.contains(&section.heading);
        assert_eq!(section.rows.is_empty(), is_silent, "{}", section.heading);
    }
}

#[test]
fn every_operation_and_every_code_of_the_reference_is_in_a_promise() {
    let promises: String = rows().map(|row| row.promise).collect();
    let assert_named = |text: &str| {
        let is_named = promises.contains(&format!("`{text}`"));
        assert!(
            is_named,
            "no row is about {text}: add one to api/coverage/decisions.rs"
        );
    };
    for (path, methods) in document()["paths"].as_object().unwrap() {
        let path = path.strip_prefix("/public/v1").unwrap_or(path);
        for (method, operation) in methods.as_object().unwrap() {
            assert_named(&format!("{} {path}", method.to_uppercase()));
            let codes = operation["x-error-codes"].as_array().unwrap();
            for code in codes.iter().map(|code| code.as_str().unwrap()) {
                assert_named(code);
            }
        }
    }
}

#[test]
fn the_committed_table_is_up_to_date() {
    let path = root().join("docs/api-coverage.md");
    let page = page::text(&tests());
    if std::fs::read_to_string(&path).unwrap_or_default() != page {
        std::fs::write(path, page).unwrap();
        panic!("docs/api-coverage.md was out of date and is rewritten now; commit it");
    }
}

#[tokio::test]
async fn what_is_listed_as_not_served_is_not() {
    let t = TestApp::start(Db::Sqlite).await;
    for row in rows() {
        let Proof::NotServed { request, .. } = row.proof else {
            continue;
        };
        let (method, path) = request.split_once(' ').unwrap();
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        let answer = t.api.send(t.api.request(method, path)).await;
        assert_eq!(
            answer.status, 404,
            "{request} is served: name the tests that prove {:?}",
            row.promise
        );
        answer.refused(404, "not_found");
    }
}
