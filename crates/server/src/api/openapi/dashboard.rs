//! The reference of the dashboard's API, a separate document: it requires a session, not a key, and the resources that it shares
//! with the public API are described there with examples.

use std::sync::LazyLock;

use axum::http::Method;
use playout_domain::error::Code;
use serde_json::{Map, Value, json};

use super::conditions;
use super::describe::{codes_of_shape, describe_body, idempotency_key, in_order, request_schemas, tags};
use super::{answers, variants};
use crate::api::access::{Needs, PREFIX, needs_of};
use crate::api::auth::X_ORGANIZATION_ID;
use crate::api::dashboard::routes;

/// The document's introduction, in Markdown.
const GUIDE: &str = include_str!("dashboard.md");

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
    let mut schemas = generated["components"]["schemas"].clone();
    let people = playout_wire::people::request_schemas().into_iter();
    let own = people
        .chain([playout_wire::me::request_schema()])
        .chain(playout_wire::second_factor::request_schemas())
        .chain(playout_wire::organizations::request_schemas())
        .chain(playout_wire::keys::request_schemas())
        .chain(playout_wire::batches::request_schemas())
        .chain(playout_wire::platforms::request_schemas());
    for (name, schema) in request_schemas().chain(own) {
        schemas[name] = schema;
    }
    variants::flatten(&mut schemas);
    let mut document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Playout, the dashboard's API",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": "The operations of a session: workspaces, members, keys, and everything of the public API.",
            "description": GUIDE,
            "contact": { "name": "The operator of this service" },
            "license": { "name": "Apache-2.0", "identifier": "Apache-2.0" }
        },
        "servers": [{ "url": "/", "description": "The service that served this document." }],
        "security": [{ "session": [] }, { "cookie": [] }],
        "tags": all_tags(),
        "paths": paths(&generated),
        "components": {
            "securitySchemes": {
                "session": { "type": "http", "scheme": "bearer", "description": "A session's token: `Authorization: Bearer …`." },
                "cookie": { "type": "apiKey", "in": "cookie", "name": "playout_session",
                    "description": "The same token, in a cookie; over https it is called `__Host-playout_session`. Requests that may change something must come from the service's own pages." }
            },
            "headers": answers::headers(),
            "schemas": schemas
        }
    });
    variants::remove_unused_schemas(&mut document);
    document
}

fn all_tags() -> Vec<Value> {
    let own = [
        ("Sessions", "Signing up, in and out, and the signed-in user."),
        (
            "Second factor",
            "Codes of an authenticator app beside the password, and recovery codes in case it is lost.",
        ),
        ("Organizations", "Workspaces, which the API calls organizations."),
        ("Members", "The members of a workspace and their roles."),
        ("Invitations", "How people join a workspace."),
        ("Keys", "The API keys of a workspace."),
        ("Audit", "The audit trail of a workspace."),
        ("Batches", "Several reads or changes in one request."),
        ("Events", "The live stream of changes."),
    ];
    let own = own.map(|(name, description)| json!({ "name": name, "description": description }));
    let shared = tags().as_array().cloned().unwrap_or_default();
    own.into_iter().chain(shared).collect()
}

fn paths(generated: &Value) -> Map<String, Value> {
    let paths = generated["paths"].as_object().into_iter().flatten();
    paths
        .map(|(path, methods)| {
            let path = format!("{PREFIX}{path}");
            let methods = methods.as_object().into_iter().flatten();
            let described: Map<String, Value> = methods
                .map(|(method, operation)| (method.clone(), describe(operation.clone(), (method, &path))))
                .collect();
            (path, described.into())
        })
        .collect()
}

/// Completes the description of a handler with what `api/access.rs` requires of its caller.
fn describe(mut operation: Value, (method, path): (&str, &str)) -> Value {
    conditions::describe(&mut operation);
    let method = Method::from_bytes(method.to_ascii_uppercase().as_bytes()).unwrap_or_default();
    let needs = needs_of(&method, path);
    let names_workspace = path.contains("{organizationId}");
    if matches!(needs, Some(Needs::Role(_))) && !names_workspace {
        add_header(&mut operation);
    }
    if let Some(Needs::Role(role)) = needs {
        operation["x-least-role"] = role.as_str().into();
    }
    if needs == Some(Needs::Nothing) {
        operation["security"] = json!([]);
    }
    let codes = in_order(codes_of(&operation, needs));
    operation["x-error-codes"] = codes.iter().map(|code| code.as_str()).collect();
    if let Some(body) = operation.get_mut("requestBody") {
        describe_body(body);
    }
    let is_idempotent = idempotency_key(&mut operation)
        .map(answers::describe_key)
        .is_some();
    let mut responses = operation["responses"].as_object().cloned().unwrap_or_default();
    for response in responses.values_mut() {
        response["headers"] = answers::common_headers(response["headers"].take());
        if is_idempotent {
            response["headers"]["Idempotency-Replayed"] = answers::header("IdempotencyReplayed");
        }
    }
    responses.extend(answers::refusals(&codes, &[]));
    if needs == Some(Needs::Nothing) {
        responses.values_mut().for_each(answers::without_rate_limit);
    }
    responses.sort_keys();
    operation["responses"] = responses.into();
    operation
}

pub(super) fn add_header(operation: &mut Value) {
    let header = json!({
        "name": X_ORGANIZATION_ID, "in": "header", "required": true,
        "description": "The workspace to act on.", "schema": { "type": "string", "format": "uuid" }
    });
    match operation.get_mut("parameters").and_then(Value::as_array_mut) {
        Some(parameters) => parameters.push(header),
        None => operation["parameters"] = json!([header]),
    }
}

/// The errors of an operation: those of the public API except its key's, and those of the session.
pub(super) fn codes_of(operation: &Value, needs: Option<Needs>) -> Vec<Code> {
    let mut codes = codes_of_shape(operation);
    if needs != Some(Needs::Nothing) {
        codes.push(Code::InvalidSession);
    }
    codes.extend([Code::Forbidden, Code::RateLimited]);
    codes
}

#[cfg(test)]
mod tests {
    use super::super::tests::references;
    use super::*;
    use crate::api::access::OPERATIONS;
    use std::collections::BTreeSet;

    #[test]
    fn the_committed_document_is_the_one_that_is_served() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../openapi-app.json");
        let served = text();
        if std::fs::read_to_string(path).unwrap_or_default() != served {
            std::fs::write(path, served).unwrap();
            panic!("openapi-app.json was out of date and is rewritten now; commit it");
        }
    }

    #[test]
    fn every_operation_is_in_the_table_of_who_may_call_it() {
        let described: BTreeSet<(String, String)> = document()["paths"]
            .as_object()
            .unwrap()
            .iter()
            .flat_map(|(path, methods)| {
                let methods = methods.as_object().unwrap().keys();
                methods.map(move |method| (method.to_uppercase(), path.clone()))
            })
            .collect();
        let listed = OPERATIONS
            .iter()
            .map(|(method, path, _)| ((*method).to_owned(), format!("{PREFIX}{path}")))
            .collect();
        assert_eq!(described, listed, "left: the document, right: api/access.rs");
    }

    #[test]
    fn every_operation_says_what_it_is() {
        for (path, methods) in document()["paths"].as_object().unwrap() {
            for (method, operation) in methods.as_object().unwrap() {
                for field in ["operationId", "summary", "description"] {
                    let text = operation[field].as_str().unwrap_or_default();
                    assert!(!text.is_empty(), "{method} {path} has no {field}");
                }
                assert_eq!(
                    operation["tags"].as_array().map(Vec::len),
                    Some(1),
                    "{method} {path}"
                );
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
}
