//! The device flow in the reference: its own paths and authentication, and OAuth's errors for the operations of clients.

use axum::http::{Method, StatusCode};
use playout_domain::error::Code;
use serde_json::{Map, Value, json};

use super::describe::{codes_of_shape, describe_body, in_order, set_example};
use super::examples::{Examples, Step};
use super::{answers, dashboard};
use crate::api::access::{Needs, needs_of};
use crate::api::oauth_device::standard::word_of;

/// Every operation of the flow, described.
pub(super) fn paths(generated: &Value, examples: &Examples) -> Map<String, Value> {
    let paths = generated["paths"].as_object().into_iter().flatten();
    paths
        .map(|(path, methods)| {
            let methods = methods.as_object().into_iter().flatten();
            let described = methods.map(|(method, operation)| {
                let described = describe(operation.clone(), (method, path), examples);
                (method.clone(), described)
            });
            (path.clone(), Value::Object(described.collect()))
        })
        .collect()
}

/// The authentication of people.
pub(super) fn security_schemes() -> Value {
    json!({
        "apiKey": {
            "type": "http", "scheme": "bearer",
            "description": "A workspace's API key: `Authorization: Bearer svc_sk_…`."
        },
        "session": {
            "type": "http", "scheme": "bearer",
            "description": "The token of a person's session: `Authorization: Bearer …`."
        },
        "cookie": {
            "type": "apiKey", "in": "cookie", "name": "playout_session",
            "description": "The same token, in a cookie; over https it is called `__Host-playout_session`. Requests that may change something must come from the service's own pages."
        }
    })
}

/// The schema of OAuth's errors.
pub(super) fn error_schema() -> Value {
    let text = |description: &str| json!({ "type": "string", "description": description });
    json!({
        "type": "object", "required": ["error"],
        "description": "An error in OAuth's form (RFC 6749 §5.2).",
        "properties": {
            "error": text("The code for programs; stable."),
            "error_description": text("What a developer reads."),
            "code": text("This API's own code, where the error is not the flow's."),
            "message": text("The message for people, where there is a `code`."),
            "details": { "description": "Structured detail, where there is a `code`." }
        }
    })
}

fn describe(mut operation: Value, (method, path): (&str, &str), examples: &Examples) -> Value {
    let method = Method::from_bytes(method.to_ascii_uppercase().as_bytes()).unwrap_or_default();
    let needs = needs_of(&method, path);
    if let Some(Needs::Role(role)) = needs {
        dashboard::add_header(&mut operation);
        operation["x-least-role"] = role.as_str().into();
    }
    if needs.is_none() && operation["requestBody"].is_object() {
        operation["parameters"] = json!([request_id()]);
    }
    operation["security"] = match needs {
        Some(_) => json!([{ "session": [] }, { "cookie": [] }]),
        None => json!([]),
    };
    let codes = codes_of(&operation, &method, needs);
    operation["x-error-codes"] = codes.iter().map(|code| code.as_str()).collect();
    let id = operation["operationId"].as_str().unwrap_or_default().to_owned();
    let example = examples.of(&id);
    if let Some(body) = operation.get_mut("requestBody") {
        describe_body(body);
        body["required"] = (!is_optional(body)).into();
        if let Some(request) = example.and_then(|step| examples.request(step)) {
            set_example(body, request);
        }
    }
    let mut responses = responses(&operation, &codes, example);
    if needs.is_none() {
        responses.values_mut().for_each(answers::without_rate_limit);
    }
    operation["responses"] = responses.into();
    operation
}

/// The ID under which the log has the request (`docs/contract.md#request-id`): without a key nothing else leads to it. Besides,
/// openapi-python-client 0.29 makes modules that cannot be imported of operations with two kinds of body and no optional
/// parameter.
fn request_id() -> Value {
    json!({
        "name": "x-request-id", "in": "header", "required": false, "schema": { "type": "string" },
        "description": "An ID of the request, by which it is found in the service's log."
    })
}

fn responses(operation: &Value, codes: &[Code], example: Option<&Step>) -> Map<String, Value> {
    let mut responses = operation["responses"].as_object().cloned().unwrap_or_default();
    for (status, response) in &mut responses {
        response["headers"] = answers::common_headers(response["headers"].take());
        if let Some(step) = example.filter(|step| step.status.to_string() == *status) {
            set_example(response, step.answer.clone());
        }
    }
    let mut refusals = answers::refusals(codes, &[]);
    if let Some(words) = operation["x-oauth-errors"].as_array() {
        let refusals = refusals.iter_mut();
        refusals.for_each(|(status, refusal)| speak_oauth(refusal, status, words));
    }
    responses.extend(refusals);
    responses.sort_keys();
    responses
}

/// The errors of an operation: for the operations of people, those of the dashboard.
fn codes_of(operation: &Value, method: &Method, needs: Option<Needs>) -> Vec<Code> {
    in_order(match needs {
        Some(_) => dashboard::codes_of(operation, needs),
        None if method.is_safe() => codes_of_shape(operation),
        None => [codes_of_shape(operation), vec![Code::RateLimited]].concat(),
    })
}

/// Whether a body may be absent.
fn is_optional(body: &Value) -> bool {
    let mut contents = body["content"].as_object().into_iter().flatten();
    let name = contents
        .next()
        .and_then(|(_, content)| content["schema"]["$ref"].as_str()?.rsplit('/').next());
    let schemas = playout_wire::devices::request_schemas();
    let schema = schemas.iter().find(|(known, _)| Some(*known) == name);
    schema.is_some_and(|(_, schema)| schema["required"] == json!([]))
}

/// Turns an error of this API into one of OAuth; status 400 also has the flow's own codes, `words`.
fn speak_oauth(refusal: &mut Value, status: &str, words: &[Value]) {
    let status: StatusCode = status.parse().unwrap_or_default();
    let general: Value = word_of(status).into();
    let content = &mut refusal["content"]["application/json"];
    for (_, example) in content["examples"].as_object_mut().into_iter().flatten() {
        example["value"]["error"] = general.clone();
        example["value"]["error_description"] = example["value"]["message"].clone();
    }
    if status == StatusCode::BAD_REQUEST {
        for word in words.iter().filter(|word| **word != general) {
            let name = word.as_str().unwrap_or_default();
            content["examples"][name] = json!({ "value": { "error": name } });
        }
    }
    content["schema"] = json!({ "$ref": "#/components/schemas/OAuthError" });
}
