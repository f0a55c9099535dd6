//! Flat schemas with names. `serde(flatten)` and tagged enums are derived as anonymous `allOf` and `oneOf`, for which generators of
//! clients make no types.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

/// Merges every `allOf` of the schemas into one object, and gives the variants of tagged enums names: `CreateResult` is one of
/// `CreateResultCreated` and `CreateResultFailed`, which its `discriminator` distinguishes.
pub(super) fn flatten(schemas: &mut Value) {
    let Some(schemas) = schemas.as_object_mut() else {
        return;
    };
    let known = schemas.clone();
    for (name, schema) in &known {
        let mut schema = merged(schema, &known);
        schemas.extend(take_variants(name, &mut schema, &known));
        schemas.insert(name.clone(), schema);
    }
}

/// Removes the schemas to which nothing refers.
pub(super) fn remove_unused_schemas(document: &mut Value) {
    loop {
        let mut used = BTreeSet::new();
        references(document, &mut used);
        let Some(schemas) = document["components"]["schemas"].as_object_mut() else {
            return;
        };
        let before = schemas.len();
        schemas.retain(|name, _| used.contains(&format!("#/components/schemas/{name}")));
        if schemas.len() == before {
            return;
        }
    }
}

/// Adds every `$ref` of a part of the document.
pub(super) fn references(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(map) => {
            found.extend(map.get("$ref").and_then(Value::as_str).map(str::to_owned));
            map.values().for_each(|value| references(value, found));
        }
        Value::Array(items) => items.iter().for_each(|value| references(value, found)),
        _ => {}
    }
}

/// One object instead of an `allOf`: the own fields, which are derived last, come first.
fn merged(schema: &Value, known: &Map<String, Value>) -> Value {
    let Some(parts) = schema["allOf"].as_array() else {
        return schema.clone();
    };
    let mut properties = Map::new();
    let mut required = Vec::new();
    for part in parts.iter().rev() {
        let part = merged(resolved(part, known), known);
        properties.extend(part["properties"].as_object().cloned().unwrap_or_default());
        required.extend(part["required"].as_array().cloned().unwrap_or_default());
    }
    let last = parts.last().map(|part| &part["description"]);
    let own = schema.get("description").or(last).unwrap_or(&Value::Null);
    json!({ "type": "object", "description": own, "required": required, "properties": properties })
}

fn resolved<'a>(schema: &'a Value, known: &'a Map<String, Value>) -> &'a Value {
    let name = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next());
    name.and_then(|name| known.get(name)).unwrap_or(schema)
}

/// The variants of a tagged enum by their names; leaves references to them.
fn take_variants(name: &str, schema: &mut Value, known: &Map<String, Value>) -> Map<String, Value> {
    let variants = schema["oneOf"].as_array().into_iter().flatten();
    let variants: Vec<Value> = variants.map(|variant| merged(variant, known)).collect();
    let Some(tag) = tag_of(&variants) else {
        return Map::new();
    };
    let (mut taken, mut mapping) = (Map::new(), Map::new());
    for variant in variants {
        let word = variant["properties"][&tag]["enum"][0]
            .as_str()
            .unwrap_or_default();
        let named = format!("{name}{}", capitalized(word));
        mapping.insert(word.to_owned(), format!("#/components/schemas/{named}").into());
        taken.insert(named, variant);
    }
    schema["oneOf"] = mapping.values().map(|path| json!({ "$ref": path })).collect();
    schema["discriminator"] = json!({ "propertyName": tag, "mapping": mapping });
    taken
}

/// The field that has one possible value in each variant.
fn tag_of(variants: &[Value]) -> Option<String> {
    let is_tag = |name: &&String| {
        let values = |variant: &Value| {
            variant["properties"][name.as_str()]["enum"]
                .as_array()
                .map(Vec::len)
        };
        variants.iter().all(|variant| values(variant) == Some(1))
    };
    let mut fields = variants.first()?["properties"].as_object()?.keys();
    fields.find(is_tag).cloned()
}

fn capitalized(word: &str) -> String {
    let (first, rest) = word.split_at(word.len().min(1));
    first.to_ascii_uppercase() + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::openapi::{dashboard, document};

    #[test]
    fn a_flattened_variant_has_its_name_and_all_of_its_fields() {
        let outlook =
            json!({ "type": "object", "required": ["at"], "properties": { "at": { "type": "string" } } });
        let status = |word: &str| {
            json!({ "type": "object", "required": ["status"], "description": word,
            "properties": { "status": { "type": "string", "enum": [word] } } })
        };
        let made = json!({ "allOf": [{ "$ref": "#/components/schemas/Outlook" }, status("made")] });
        let mut schemas = json!({ "Outlook": outlook, "Result": { "oneOf": [made, status("failed")] } });
        flatten(&mut schemas);
        let path = |name: &str| format!("#/components/schemas/{name}");
        assert_eq!(
            schemas["Result"],
            json!({
                "oneOf": [{ "$ref": path("ResultMade") }, { "$ref": path("ResultFailed") }],
                "discriminator": { "propertyName": "status",
                    "mapping": { "made": path("ResultMade"), "failed": path("ResultFailed") } }
            })
        );
        assert_eq!(schemas["ResultFailed"], status("failed"));
        assert_eq!(
            schemas["ResultMade"],
            json!({ "type": "object", "description": "made", "required": ["status", "at"],
                "properties": { "status": { "type": "string", "enum": ["made"] }, "at": { "type": "string" } } })
        );
    }

    /// A choice is between names, one of which may be `null`.
    fn unnamed(value: &Value, place: &str, found: &mut Vec<String>) {
        let is_named = |choice: &Value| choice.get("$ref").is_some() || *choice == json!({ "type": "null" });
        for (name, inner) in value.as_object().into_iter().flatten() {
            let place = format!("{place}/{name}");
            let choices = inner.as_array().into_iter().flatten();
            match name.as_str() {
                "allOf" => found.push(place.clone()),
                "oneOf" | "anyOf" if !choices.clone().all(is_named) => found.push(place.clone()),
                _ => {}
            }
            unnamed(inner, &place, found);
        }
        for inner in value.as_array().into_iter().flatten() {
            unnamed(inner, place, found);
        }
    }

    #[test]
    fn no_schema_of_the_references_is_an_anonymous_choice_or_union() {
        for document in [document(), dashboard::document()] {
            let mut found = Vec::new();
            unnamed(document, "", &mut found);
            assert_eq!(found, Vec::<String>::new());
            let results = &document["components"]["schemas"];
            assert_eq!(results["CreateResult"]["discriminator"]["propertyName"], "status");
            assert_eq!(
                results["ValidateResult"]["discriminator"]["propertyName"],
                "status"
            );
        }
    }

    #[test]
    fn every_error_has_one_of_two_schemas() {
        let mut names = BTreeSet::new();
        for methods in document()["paths"].as_object().unwrap().values() {
            for operation in methods.as_object().unwrap().values() {
                for (status, response) in operation["responses"].as_object().unwrap() {
                    let schema = &response["content"]["application/json"]["schema"];
                    if status.starts_with(['4', '5']) && response.get("$ref").is_none() {
                        names.insert(schema["$ref"].as_str().unwrap().to_owned());
                    }
                }
            }
        }
        let path = |name: &str| format!("#/components/schemas/{name}");
        assert_eq!(names, BTreeSet::from([path("Error"), path("OAuthError")]));
    }
}
