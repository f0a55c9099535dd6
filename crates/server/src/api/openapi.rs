//! The reference as a document (OpenAPI 3.1): the handlers' descriptions, and what applies to all of them.
//!
//! A handler lists its own errors in `x-error-codes`. Errors that follow from the shape of a request, or that every request can
//! get, are added here, so that no operation omits one.

mod answers;
#[cfg(test)]
mod breaking;
mod conditions;
pub mod dashboard;
pub mod dates;
mod describe;
mod device;
pub mod examples;
mod settings;
mod variants;
mod webhooks;

use std::sync::LazyLock;

use playout_domain::error::Code;
use serde_json::{Map, Value, json};

pub use super::key_access::PREFIX;
use super::key_access::{OPERATIONS, Operation};
use super::resources::routes;
use describe::{
    codes_of_shape, describe_body, idempotency_key, in_order, request_schemas, set_example, tags,
};
use examples::Examples;

/// The document's introduction, in Markdown.
const GUIDE: &str = include_str!("openapi/guide.md");
/// The description of the device flow.
const DEVICES: &str = "How a program without a browser gets a key (RFC 8628): it shows a code, and a person types the code at \
    `/device` and approves. No key is needed; what people do needs the token of a session, in the commands \
    `PLAYOUT_SESSION`, and the workspace that the key will belong to. Any OAuth client can do it: give it the base \
    address and a `client_id` of your choice.";

static DOCUMENT: LazyLock<Value> = LazyLock::new(assemble);

/// The whole document.
pub fn document() -> &'static Value {
    &DOCUMENT
}

/// The document, as committed and served.
pub fn text() -> String {
    let mut text = serde_json::to_string_pretty(document()).unwrap_or_default();
    text.push('\n');
    text
}

fn assemble() -> Value {
    let generated = serde_json::to_value(routes::operations()).unwrap_or_default();
    let of_devices = serde_json::to_value(super::oauth_device::operations()).unwrap_or_default();
    let examples = Examples::built_in();
    let mut schemas = generated["components"]["schemas"].clone();
    let answered = of_devices["components"]["schemas"]
        .as_object()
        .into_iter()
        .flatten();
    for (name, schema) in answered.map(|(name, schema)| (name.as_str(), schema.clone())) {
        schemas[name] = schema;
    }
    for (name, schema) in request_schemas().chain(playout_wire::devices::request_schemas()) {
        schemas[name] = schema;
    }
    for (name, schema) in webhooks::schemas() {
        schemas[name] = schema;
    }
    schemas["OAuthError"] = device::error_schema();
    variants::flatten(&mut schemas);
    let mut all_tags = tags();
    let last = json!({ "name": "Device authorization", "description": DEVICES });
    all_tags
        .as_array_mut()
        .into_iter()
        .for_each(|tags| tags.extend([webhooks::tag(), last.clone()]));
    let mut document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Playout",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": "Publish short videos and slideshows, now or on schedule, exactly once.",
            "description": GUIDE,
            "contact": { "name": "The operator of this service" },
            "license": { "name": "Apache-2.0", "identifier": "Apache-2.0" }
        },
        "servers": [{ "url": "/", "description": "The service that served this document." }],
        "security": [{ "apiKey": [] }],
        "tags": all_tags,
        "paths": paths(&generated, examples).into_iter().chain(device::paths(&of_devices, examples)).collect::<Map<_, _>>(),
        "webhooks": webhooks::section(),
        "components": {
            "securitySchemes": device::security_schemes(),
            "headers": answers::headers(),
            "responses": answers::shared(),
            "schemas": schemas
        }
    });
    variants::remove_unused_schemas(&mut document);
    document
}

fn paths(generated: &Value, examples: &Examples) -> Map<String, Value> {
    let paths = generated["paths"].as_object().into_iter().flatten();
    paths
        .map(|(path, methods)| {
            let methods = methods.as_object().into_iter().flatten();
            let described: Map<String, Value> = methods
                .map(|(method, operation)| {
                    let mut operation = operation.clone();
                    describe_scope(&mut operation, method, path);
                    (method.clone(), describe(operation, examples))
                })
                .collect();
            (format!("{PREFIX}{path}"), described.into())
        })
        .collect()
}

/// Names the scope that an operation needs at least.
fn describe_scope(operation: &mut Value, method: &str, path: &str) {
    let mut known = OPERATIONS.iter();
    let is_it = |(known, at, ..): &&Operation| known.eq_ignore_ascii_case(method) && *at == path;
    let Some((_, _, scope, _)) = known.find(is_it) else {
        return;
    };
    let about = operation["description"].as_str().unwrap_or_default();
    operation["description"] = format!("{about}\n\nNeeds the scope `{}`.", scope.as_str()).into();
    operation["x-required-scope"] = scope.as_str().into();
}

/// Completes the description of a handler.
fn describe(mut operation: Value, examples: &Examples) -> Value {
    conditions::describe(&mut operation);
    let codes = codes_of(&operation);
    operation["x-error-codes"] = codes.iter().map(|code| code.as_str()).collect();
    let id = operation["operationId"].as_str().unwrap_or_default().to_owned();
    let example = examples.of(&id);
    let request = example.and_then(|step| examples.request(step));
    if let (Some(request), Some(body)) = (request, operation.get_mut("requestBody")) {
        set_example(body, request);
    }
    if let Some(body) = operation.get_mut("requestBody") {
        describe_body(body);
    }
    let is_idempotent = idempotency_key(&mut operation)
        .map(answers::describe_key)
        .is_some();
    let mut responses = operation["responses"].as_object().cloned().unwrap_or_default();
    for (status, response) in &mut responses {
        response["headers"] = answers::common_headers(response["headers"].take());
        if is_idempotent {
            response["headers"]["Idempotency-Replayed"] = answers::header("IdempotencyReplayed");
        }
        if let Some(step) = example.filter(|step| step.status.to_string() == *status) {
            set_example(response, step.answer.clone());
        }
    }
    responses.extend(answers::refusals(&codes, answers::SHARED));
    responses.sort_keys();
    operation["responses"] = responses.into();
    operation
}

/// The errors of an operation: its own, those that follow from its shape, and those of every request with a key.
fn codes_of(operation: &Value) -> Vec<Code> {
    let mut codes = codes_of_shape(operation);
    codes.extend([
        Code::MissingApiKey,
        Code::InvalidApiKey,
        Code::InsufficientScope,
        Code::RateLimited,
    ]);
    in_order(codes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_committed_document_is_the_one_that_is_served() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../openapi.json");
        let served = text();
        if std::fs::read_to_string(path).unwrap_or_default() != served {
            std::fs::write(path, served).unwrap();
            panic!("openapi.json was out of date and is rewritten now; commit it");
        }
    }

    #[test]
    fn every_operation_says_what_it_is_and_shows_it() {
        for (path, methods) in document()["paths"].as_object().unwrap() {
            for (method, operation) in methods.as_object().unwrap() {
                let name = format!("{method} {path}");
                for field in ["operationId", "summary", "description"] {
                    let text = operation[field].as_str().unwrap_or_default();
                    assert!(!text.is_empty(), "{name} has no {field}");
                }
                assert_eq!(operation["tags"].as_array().map(Vec::len), Some(1), "{name}");
                let own = operation["x-error-codes"].as_array().unwrap();
                let least = if path.starts_with(PREFIX) { 4 } else { 2 };
                assert!(own.len() >= least, "{name}");
                let id = operation["operationId"].as_str().unwrap();
                assert!(Examples::built_in().of(id).is_some(), "{name} has no example");
            }
        }
    }

    #[test]
    fn every_reference_leads_somewhere() {
        let references = references(document());
        assert!(references.len() > 20);
        for reference in references {
            let pointer = reference.trim_start_matches('#');
            assert!(document().pointer(pointer).is_some(), "{reference}");
        }
    }

    /// Every `$ref` of a document.
    pub(super) fn references(document: &Value) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        variants::references(document, &mut found);
        found
    }
}
