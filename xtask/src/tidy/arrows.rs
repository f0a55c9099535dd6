//! Which crate may use which, compared with the output of `cargo metadata`.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::failure::{Doing, Outcome};
use crate::machine::said;

const DOMAIN: &str = "playout-domain";
const JPEG: &str = "playout-jpeg";

/// Every crate of the workspace, and the crates of the workspace that it may use. Nothing else.
///
/// The domain uses none, nor does the reader of JPEGs. The siblings around them use these alone, never one another. The client uses the API, the
/// server everything, and the commands nothing: they see the product from outside.
const ARROWS: [(&str, &[&str]); 12] = [
    (DOMAIN, &[]),
    ("playout-wire", &[DOMAIN]),
    ("playout-store", &[DOMAIN]),
    (JPEG, &[]),
    ("playout-media", &[DOMAIN, JPEG]),
    ("playout-captions", &[DOMAIN, JPEG]),
    ("playout-tiktok", &[DOMAIN]),
    ("playout-protocol", &[]),
    ("playout-client", &[DOMAIN, "playout-wire"]),
    (
        "playout-server",
        &[
            DOMAIN,
            "playout-wire",
            "playout-store",
            "playout-media",
            "playout-captions",
            "playout-tiktok",
        ],
    ),
    (
        "playout-fuzz",
        &[
            DOMAIN,
            "playout-wire",
            "playout-media",
            "playout-captions",
            "playout-tiktok",
            "playout-server",
        ],
    ),
    ("xtask", &[]),
];

/// What the tests of a crate may use besides: those of the client start the service that it connects to, and the model of the
/// protocol calls the rule that it checks.
const IN_TESTS: [(&str, &[&str]); 2] = [
    (
        "playout-client",
        &["playout-server", "playout-store", "playout-tiktok"],
    ),
    ("playout-protocol", &[DOMAIN]),
];

/// Compares the workspace at `root` with the arrows; returns what is wrong.
///
/// # Errors
/// When `cargo metadata` fails.
pub fn check(root: &Path) -> Outcome<Vec<String>> {
    let mut cargo = Command::new("cargo");
    cargo
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root);
    let metadata: Value =
        serde_json::from_str(&said(&mut cargo)?).doing("reading what cargo metadata says")?;
    Ok(broken(&metadata))
}

fn broken(metadata: &Value) -> Vec<String> {
    let packages = metadata["packages"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    let ours: BTreeSet<&str> = packages
        .iter()
        .filter_map(|package| package["name"].as_str())
        .collect();
    let mut broken = Vec::new();
    for package in packages {
        let name = package["name"].as_str().unwrap_or_default();
        let Some((_, allowed)) = ARROWS.iter().find(|(from, _)| *from == name) else {
            broken.push(format!("{name}: a crate that the list of arrows does not know"));
            continue;
        };
        let in_tests = IN_TESTS.iter().find(|(from, _)| *from == name);
        let in_tests = in_tests.map_or(&[][..], |(_, allowed)| allowed);
        let uses = used(package).filter(|(to, _)| ours.contains(to) && *to != name);
        let may = |to: &str, is_test: bool| allowed.contains(&to) || is_test && in_tests.contains(&to);
        let wrong = uses.filter(|(to, is_test)| !may(to, *is_test));
        broken.extend(wrong.map(|(to, _)| format!("{name} uses {to}, which the arrows do not allow")));
    }
    broken
}

/// The names of all dependencies: ordinary, for builds and for tests, and whether each is for tests alone.
fn used(package: &Value) -> impl Iterator<Item = (&str, bool)> {
    package["dependencies"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|dependency| Some((dependency["name"].as_str()?, dependency["kind"] == "dev")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn package(name: &str, uses: &[&str]) -> Value {
        let dependencies: Vec<Value> = uses.iter().map(|name| json!({ "name": name })).collect();
        json!({ "name": name, "dependencies": dependencies })
    }

    #[test]
    fn arrows_on_the_list_are_fine() {
        let metadata = json!({ "packages": [
            package(DOMAIN, &["serde"]),
            package("playout-store", &[DOMAIN, "sqlx"]),
            package("playout-server", &[DOMAIN, "playout-store"]),
        ] });
        assert_eq!(broken(&metadata), [""; 0]);
    }

    #[test]
    fn siblings_do_not_use_one_another() {
        let metadata = json!({ "packages": [
            package("playout-wire", &[DOMAIN]),
            package("playout-store", &["playout-wire"]),
        ] });
        assert_eq!(
            broken(&metadata),
            ["playout-store uses playout-wire, which the arrows do not allow"]
        );
    }

    #[test]
    fn the_tests_of_the_client_may_start_the_service_but_the_client_may_not_use_it() {
        let mut client = package("playout-client", &["playout-wire", "playout-server"]);
        let metadata = |client: &Value| json!({ "packages": [client, package("playout-server", &[])] });
        assert_eq!(
            broken(&metadata(&client)),
            ["playout-client uses playout-server, which the arrows do not allow"]
        );
        client["dependencies"][1]["kind"] = json!("dev");
        assert_eq!(broken(&metadata(&client)), [""; 0]);
    }

    #[test]
    fn a_crate_that_nobody_drew_is_found() {
        let metadata = json!({ "packages": [package("playout-extra", &[])] });
        assert_eq!(
            broken(&metadata),
            ["playout-extra: a crate that the list of arrows does not know"]
        );
    }
}
