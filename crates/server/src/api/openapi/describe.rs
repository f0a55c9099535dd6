//! What the descriptions of both APIs have in common.

use playout_domain::error::Code;
use serde_json::{Value, json};

use super::settings;

/// The schemas of the requests of both APIs. Settings of posts are an open map, beside which those that are known have types.
pub(super) fn request_schemas() -> impl Iterator<Item = (&'static str, Value)> {
    let media = playout_wire::media::request_schemas();
    let posts = playout_wire::posts::request_schemas()
        .into_iter()
        .map(|(name, schema)| (name, with_known_settings(schema)));
    media
        .into_iter()
        .chain(posts)
        .chain([playout_wire::posts::batch_schema()])
        .chain(settings::schemas())
        .chain(playout_wire::slides::request_schemas())
        .chain(playout_wire::webhooks::request_schemas())
}

fn with_known_settings(mut schema: Value) -> Value {
    if let Some(settings) = schema.pointer_mut("/properties/settings") {
        *settings =
            json!({ "$ref": "#/components/schemas/PostSettings", "description": settings["description"] });
    }
    schema
}

pub(super) fn tags() -> Value {
    json!([
        { "name": "Platforms", "description": "The connected accounts, and what each of them accepts." },
        { "name": "Posts", "description": "Create, schedule, change, follow and delete posts." },
        { "name": "Media", "description": "The images and videos of posts." },
        { "name": "Resumable uploads", "description": "Large files over bad connections: [tus 1.0](https://tus.io/protocols/resumable-upload)." },
        { "name": "Folders", "description": "The folders of media." },
        { "name": "Slides", "description": "Captions on images, and proposed captions." },
        { "name": "Webhooks", "description": "Your addresses, which receive events as they happen." },
        { "name": "Usage", "description": "What the plan allows, and what is used of it." }
    ])
}

/// A JSON body or a form is required; other bodies are bytes.
pub(super) fn describe_body(body: &mut Value) {
    let contents = body.get_mut("content").and_then(Value::as_object_mut);
    let mut is_read = false;
    for (content_type, content) in contents.into_iter().flatten() {
        if content_type == "application/offset+octet-stream" {
            content["schema"] = json!({ "type": "string", "format": "binary" });
        } else {
            is_read = true;
        }
    }
    if is_read {
        body["required"] = true.into();
    }
}

pub(super) fn set_example(holder: &mut Value, example: Value) {
    let contents = holder.get_mut("content").and_then(Value::as_object_mut);
    for (_, content) in contents.into_iter().flatten().filter(|_| !example.is_null()) {
        content["example"] = example.clone();
    }
}

/// The parameter of that name, where an operation accepts one.
pub(super) fn idempotency_key(operation: &mut Value) -> Option<&mut Value> {
    let mut parameters = operation.get_mut("parameters")?.as_array_mut()?.iter_mut();
    parameters.find(|parameter| parameter["name"] == "Idempotency-Key")
}

/// Sorted by status, without duplicates.
pub(super) fn in_order(mut codes: Vec<Code>) -> Vec<Code> {
    codes.sort_by_key(|code| (crate::api::error::status_of(*code).as_u16(), code.as_str()));
    codes.dedup();
    codes
}

/// The errors that an operation lists, and those that follow from its shape.
pub(super) fn codes_of_shape(operation: &Value) -> Vec<Code> {
    let own = operation["x-error-codes"].as_array().into_iter().flatten();
    let mut codes: Vec<Code> = own.filter_map(|word| Code::parse(word.as_str()?)).collect();
    let body = operation["requestBody"]["content"].as_object();
    if body.is_some_and(|content| content.contains_key("application/json")) {
        codes.extend([
            Code::InvalidJson,
            Code::InvalidRequest,
            Code::UnsupportedMediaType,
            Code::PayloadTooLarge,
        ]);
    }
    let parameters = operation["parameters"].as_array();
    if parameters.is_some_and(|parameters| !parameters.is_empty()) {
        codes.push(Code::InvalidRequest);
    }
    if idempotency_key(&mut operation.clone()).is_some() {
        codes.extend([Code::IdempotencyInProgress, Code::IdempotencyKeyReused]);
    }
    let is_upload = operation["tags"][0] == "Resumable uploads";
    let takes_its_time = is_upload || body.is_some_and(|content| !content.contains_key("application/json"));
    if !takes_its_time {
        codes.push(Code::RequestTimeout);
    }
    codes.extend([Code::InternalError, Code::Unavailable]);
    codes
}
