//! The settings of posts in the reference.

use serde_json::{Value, json};

/// Settings that have types, one schema for each provider, and the open map that a request accepts in any case: what an account
/// does not accept is an error of its entry in `results`, not of the request (`docs/contract.md#setting-fields`).
pub(super) fn schemas() -> [(&'static str, Value); 3] {
    let (name, known) = playout_tiktok::settings_schema();
    let reference = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
    let any = json!({
        "description": "Settings of the account's provider. `null` counts as absent.",
        "anyOf": [reference(name), reference("OtherSettings"), { "type": "null" }]
    });
    let other = json!({
        "type": "object", "additionalProperties": true,
        "description": "Settings by name: `settings.fields` of the platform's schema."
    });
    [("PostSettings", any), (name, known), ("OtherSettings", other)]
}
