//! Every response that a test gets must be in the reference: the status under the operation, and the error's code.

use playout_server::api::access::PREFIX;
use playout_server::api::openapi::{dashboard, document};
use reqwest::Method;
use serde_json::Value;

use super::Answer;

/// Asserts that the reference documents this response. Paths and methods that belong to no operation are skipped.
pub(super) fn check(method: &Method, path: &str, answer: &Answer) {
    let Some((name, operation)) = operation_of(method, path) else {
        return;
    };
    let status = answer.status.to_string();
    let described = &operation["responses"][&status];
    assert!(
        described.is_object(),
        "the reference does not know that {name} answers {status}: {}",
        String::from_utf8_lossy(&answer.body)
    );
    if method == Method::HEAD {
        return;
    }
    if answer.status < 400 {
        return check_content(&name, described, answer);
    }
    assert_eq!(answer.header("content-type"), "application/json", "{name}");
    let body: Value = serde_json::from_slice(&answer.body).unwrap();
    let is_known =
        |list: &str, word: &Value| operation[list].as_array().is_some_and(|list| list.contains(word));
    let is_known = match operation.get("x-oauth-errors") {
        Some(_) => {
            is_known_to_oauth(described, &body)
                && (body.get("code").is_none() || is_known("x-error-codes", &body["code"]))
        }
        None => is_known("x-error-codes", &body["code"]),
    };
    assert!(
        is_known,
        "the reference does not know that {name} answers {body:#}"
    );
}

/// Whether an OAuth error is among those of its status, in the characters that are allowed (RFC 6749 §5.2).
fn is_known_to_oauth(described: &Value, body: &Value) -> bool {
    let examples = described["content"]["application/json"]["examples"].as_object();
    let mut words = examples
        .into_iter()
        .flatten()
        .map(|(_, example)| &example["value"]["error"]);
    let is_plain = |text: &str| {
        let mut bytes = text.bytes();
        !text.is_empty() && bytes.all(|byte| matches!(byte, 0x20..=0x21 | 0x23..=0x5b | 0x5d..=0x7e))
    };
    let is_plain = |name: &str| body[name].as_str().is_some_and(is_plain);
    words.any(|word| *word == body["error"]) && is_plain("error") && is_plain("error_description")
}

/// A success has a body of a type that the reference names, or none where it names none.
fn check_content(name: &str, described: &Value, answer: &Answer) {
    match described["content"].as_object() {
        Some(types) => assert!(
            types.contains_key(answer.header("content-type")),
            "{name}: {answer:?}"
        ),
        None => assert!(answer.body.is_empty(), "{name}: {answer:?}"),
    }
}

fn operation_of(method: &Method, path: &str) -> Option<(String, &'static Value)> {
    let path = path.split('?').next().unwrap_or_default();
    let document = match path.starts_with(PREFIX) {
        true => dashboard::document(),
        false => document(),
    };
    let paths = document["paths"].as_object().unwrap();
    // A path without parameters takes precedence over one with, as in the router.
    let fixed = paths.get_key_value(path);
    let (template, methods) = fixed.or_else(|| paths.iter().find(|(template, _)| matches(template, path)))?;
    let lower = method.as_str().to_lowercase();
    let operation = methods.get(&lower).or_else(|| match *method {
        Method::HEAD => methods.get("get"),
        _ => None,
    })?;
    Some((format!("{method} {template}"), operation))
}

fn matches(template: &str, path: &str) -> bool {
    let (wanted, given): (Vec<&str>, Vec<&str>) = (template.split('/').collect(), path.split('/').collect());
    let fits =
        |(wanted, given): (&&str, &&str)| wanted == given || (wanted.starts_with('{') && !given.is_empty());
    wanted.len() == given.len() && wanted.iter().zip(&given).all(fits)
}
