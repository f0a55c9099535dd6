//! Describes the conditions of operations on one resource: `ETag`, `If-Match` and `If-None-Match` (`docs/contract.md#versions`).

use playout_domain::error::Code;
use serde_json::{Value, json};

use super::answers::{common_headers, header};

/// Reads that respond 304 to a client that has the version.
const READS: [&str; 4] = ["getPost", "getMedia", "getWebhook", "getPlatform"];

/// Changes that are made only of the version that the client names.
const CHANGES: [&str; 16] = [
    "updatePost",
    "schedulePost",
    "publishPost",
    "unschedulePost",
    "markPostPublished",
    "deletePost",
    "updateMedia",
    "deleteMedia",
    "renameFolder",
    "deleteFolder",
    "updateWebhook",
    "deleteWebhook",
    "updatePlatform",
    "deletePlatform",
    "appendToUpload",
    "terminateUpload",
];

/// Operations that create one resource.
const CREATES: [&str; 4] = ["uploadMedia", "createUpload", "createFolder", "createWebhook"];

/// Adds the conditions of an operation that has some.
pub(super) fn describe(operation: &mut Value) {
    let id = operation["operationId"].as_str().unwrap_or_default().to_owned();
    let is_in = |ids: &[&str]| ids.contains(&id.as_str());
    let (reads, changes) = (is_in(&READS), is_in(&CHANGES));
    if !reads && !changes && !is_in(&CREATES) {
        return;
    }
    for (status, response) in operation["responses"].as_object_mut().into_iter().flatten() {
        if ["200", "201"].contains(&status.as_str()) {
            response["headers"]["ETag"] = header("ETag");
        }
    }
    if reads {
        let text = "Responds 304 if the resource still has one of these versions: `ETag` values, or `*`.";
        add_parameter(operation, "If-None-Match", text);
        let headers = common_headers(json!({ "ETag": header("ETag") }));
        operation["responses"]["304"] =
            json!({ "description": "The resource has a version that the client has.", "headers": headers });
    }
    if changes {
        let text = "Changes the resource only if it still has one of these versions: `ETag` values, or `*`.";
        add_parameter(operation, "If-Match", text);
        if let Some(codes) = operation["x-error-codes"].as_array_mut() {
            codes.push(Code::PreconditionFailed.as_str().into());
        }
    }
}

fn add_parameter(operation: &mut Value, name: &str, description: &str) {
    let parameter = json!({
        "name": name, "in": "header", "required": false, "description": description,
        "schema": { "type": "string" },
    });
    match operation["parameters"].as_array_mut() {
        Some(parameters) => parameters.push(parameter),
        None => operation["parameters"] = json!([parameter]),
    }
}
