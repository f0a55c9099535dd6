//! `auth login --scope`: what the key is to be allowed, and what the person grants.

use serde_json::json;

use super::{APPROVED, INVALID_SCOPE, sign_in_saying, told};
use crate::harness::Ran;

/// Signs in with these scopes; returns the outcome and the scopes that were requested.
fn sign_in_with(scopes: &[&str], word: &'static str) -> (Ran, Option<String>) {
    let arguments = [&["auth", "login", "--no-browser"], scopes].concat();
    let (_, ran, service) = sign_in_saying(&arguments, &[word], 600);
    let started = service.started.lock().unwrap();
    let scope = started.first().and_then(|body| body["scope"].as_str());
    (ran, scope.map(str::to_owned))
}

#[test]
fn a_sign_in_asks_for_the_scopes_that_are_named_and_reports_those_that_are_granted() {
    let scopes = ["--scope", "drafts,media", "--scope", "drafts"];
    let (ran, asked) = sign_in_with(&scopes, "approved read media");
    assert_eq!(ran.code, 0, "{ran:#?}");
    assert_eq!(asked.as_deref(), Some("drafts media"));
    assert_eq!(ran.json()["scopes"], json!(["read", "media"]));
    let (ran, _) = sign_in_with(&scopes, "approved workspace");
    assert_eq!(
        ran.json()["scopes"],
        json!(["read", "media", "drafts", "publish", "platforms", "webhooks"])
    );
}

#[test]
fn a_service_that_does_not_know_a_scope_ends_the_sign_in() {
    let (ran, _) = sign_in_with(&["--scope", "webhooks"], INVALID_SCOPE);
    ran.failed(1, INVALID_SCOPE);
}

#[test]
fn scopes_that_do_not_exist_or_go_with_a_key_are_usage_errors() {
    let (ran, asked) = sign_in_with(&["--scope", "everything"], APPROVED);
    let error = ran.failed(2, "usage");
    assert!(
        error["message"]
            .as_str()
            .unwrap()
            .contains("publish, platforms, webhooks"),
        "{error}"
    );
    assert_eq!(asked, None, "nothing is requested");
    let (ran, _) = sign_in_with(&["--scope", "read", "--api-key=-"], APPROVED);
    ran.failed(2, "usage");
    assert!(told(&ran)[0]["device"].is_null());
}
