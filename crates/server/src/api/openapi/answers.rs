//! The common parts of all operations' responses: errors, grouped by status, and headers.

use std::collections::BTreeMap;

use playout_domain::error::Code;
use serde_json::{Map, Value, json};

use crate::api::error::status_of;

/// The errors that every operation shares.
pub(super) const SHARED: &[(&str, &str, &[Code])] = &[
    ("Unauthorized", "401", &[Code::MissingApiKey, Code::InvalidApiKey]),
    ("Forbidden", "403", &[Code::InsufficientScope]),
    ("RequestTimeout", "408", &[Code::RequestTimeout]),
    ("RateLimited", "429", &[Code::RateLimited]),
    ("InternalError", "500", &[Code::InternalError]),
    ("Unavailable", "503", &[Code::Unavailable]),
];

/// The headers of responses.
pub(super) fn headers() -> Value {
    let text = |description: &str, example: &str| json!({ "description": description, "schema": { "type": "string" }, "example": example });
    let mut retry = text("Seconds until the next request is accepted.", "1");
    retry["schema"] = json!({ "type": "integer", "minimum": 1 });
    retry["example"] = json!(1);
    json!({
        "RequestId": text("The ID of the request, also in the service's log. An ID sent with the request is kept.", "019a9f00-0000-7000-8000-00000000000a"),
        "RateLimit": text("What is left of the caller's allowance, and after how many seconds more is.", "\"default\";r=57;t=3"),
        "RateLimitPolicy": text("The caller's allowance: `q` requests in `w` seconds.", "\"default\";q=120;w=60"),
        "RetryAfter": retry,
        "IdempotencyReplayed": text("The response was stored by an earlier request.", "true"),
        "ETag": text("The version of the resource: sent as `If-Match` with a change, or as `If-None-Match` with a read.", "\"6yW1Tn2nT0mUuXGmYh5d8g\""),
        "Authenticate": text("How to authenticate.", "Bearer"),
    })
}

/// Describes the `Idempotency-Key` parameter.
pub(super) fn describe_key(parameter: &mut Value) {
    parameter["description"] = json!(
        "Sent again with the same key within 24 hours, the request takes effect once, and the response is the first one."
    );
    parameter["schema"] =
        json!({ "type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$" });
}

/// The shared errors, by name.
pub(super) fn shared() -> Map<String, Value> {
    let entry = |(name, _, codes): &(&str, &str, &[Code])| ((*name).to_owned(), refusal(codes));
    SHARED.iter().map(entry).collect()
}

/// The responses for errors with these codes, by status; those in `shared` as references.
pub(super) fn refusals(codes: &[Code], shared: &[(&str, &str, &[Code])]) -> Map<String, Value> {
    let mut by_status: BTreeMap<String, Vec<Code>> = BTreeMap::new();
    for code in codes {
        by_status
            .entry(status_of(*code).as_u16().to_string())
            .or_default()
            .push(*code);
    }
    by_status
        .into_iter()
        .map(|(status, codes)| {
            let is_same = |known: &&(&str, &str, &[Code])| codes.iter().all(|code| known.2.contains(code));
            let shared = shared.iter().find(is_same);
            let response = match shared {
                Some((name, ..)) => json!({ "$ref": format!("#/components/responses/{name}") }),
                None => refusal(&codes),
            };
            (status, response)
        })
        .collect()
}

fn refusal(codes: &[Code]) -> Value {
    let meanings: Vec<String> = codes
        .iter()
        .map(|code| format!("- `{}`: {}", code.as_str(), code.meaning()))
        .collect();
    let schema = json!({ "$ref": "#/components/schemas/Error" });
    let examples: Map<String, Value> = codes
        .iter()
        .map(|code| (code.as_str().to_owned(), json!({ "value": example(*code) })))
        .collect();
    let mut extra = Map::new();
    match status_of(codes[0]).as_u16() {
        401 => extra.insert("WWW-Authenticate".to_owned(), header("Authenticate")),
        429 | 503 => extra.insert("Retry-After".to_owned(), header("RetryAfter")),
        _ => None,
    };
    json!({
        "description": meanings.join("\n"),
        "headers": common_headers(extra.into()),
        "content": { "application/json": { "schema": schema, "examples": examples } }
    })
}

fn example(code: Code) -> Value {
    let mut body = json!({ "code": code.as_str(), "message": code.meaning() });
    match code {
        Code::InvalidRequest => {
            body["message"] = "platformIds.0: must be a UUID".into();
            body["details"] =
                json!([{ "path": ["platformIds", 0], "code": "format", "message": "must be a UUID" }]);
        }
        Code::PostLimitReached | Code::InsufficientCredits => {
            body["details"] = json!({ "limit": 30, "used": 30, "resetsAt": "2026-12-01T00:00:00.000Z" });
        }
        Code::StorageLimitReached => {
            body["details"] = json!({ "limit": 2_000_000_000, "used": 1_999_000_000, "resetsAt": null });
        }
        Code::AccountLimitReached => {
            body["details"] = json!({ "limit": 2, "used": 2, "resetsAt": null });
        }
        Code::InsufficientScope => body["details"] = json!({ "required": ["publish"] }),
        Code::MediaInUse => {
            body["details"] = json!({ "postIds": ["019aa124-7a00-7000-8000-000000000004"] });
        }
        Code::MediaTooLarge => body["details"] = json!({ "limit": 250_000_000 }),
        _ => {}
    }
    body
}

/// `own`, with the headers of every response to a key or in a session.
pub(super) fn common_headers(own: Value) -> Value {
    let mut headers = json!({
        "x-request-id": header("RequestId"),
        "RateLimit": header("RateLimit"),
        "RateLimit-Policy": header("RateLimitPolicy"),
    });
    for (name, value) in own.as_object().into_iter().flatten() {
        headers[name] = value.clone();
    }
    headers
}

/// Removes the headers that only responses to a key or in a session have.
pub(super) fn without_rate_limit(response: &mut Value) {
    if let Some(headers) = response["headers"].as_object_mut() {
        headers.retain(|name, _| !name.starts_with("RateLimit"));
    }
}

pub(super) fn header(name: &str) -> Value {
    json!({ "$ref": format!("#/components/headers/{name}") })
}
