//! Schemas of words and requests (OpenAPI 3.1, that is JSON Schema 2020-12).
//!
//! Responses derive their schemas. Requests are parsed by hand, and so their schemas are beside the readers, built from these
//! parts.

use serde_json::{Value, json};
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, SchemaType, Type};
use utoipa::openapi::{Array, Object};

use crate::read::MOST_IDS;

/// Text without control characters ([`playout_domain::text::is_control`]).
const NO_CONTROLS: &str = r"^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f]*$";

/// A UUID, or the word `null`, in a query or a form.
pub(crate) const UUID_OR_NULL: &str =
    "^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}|null)$";

/// One of a few words.
pub(crate) fn word_of(words: &[&str]) -> Object {
    ObjectBuilder::new()
        .schema_type(SchemaType::Type(Type::String))
        .enum_values(Some(words.iter().copied()))
        .build()
}

/// One of a few words, or `null`.
pub(crate) fn word_or_null(words: &[&str]) -> Object {
    let words = words.iter().map(|word| Value::from(*word));
    ObjectBuilder::new()
        .schema_type(SchemaType::from_iter([Type::String, Type::Null]))
        .enum_values(Some(words.chain([Value::Null])))
        .build()
}

/// Some of a few words.
pub(crate) fn words_of(words: &[&str]) -> Array {
    ArrayBuilder::new().items(word_of(words)).build()
}

/// A request's object; `required` lists its required fields.
pub fn object(description: &str, required: &[&str], properties: Value) -> Value {
    json!({ "type": "object", "description": description, "required": required, "properties": properties })
}

/// A text with limits of its length.
pub fn text(description: &str, (least, most): (usize, usize)) -> Value {
    json!({ "type": "string", "description": description, "minLength": least, "maxLength": most, "pattern": NO_CONTROLS })
}

/// One of a few words.
pub fn word(description: &str, words: &[&str]) -> Value {
    json!({ "type": "string", "description": description, "enum": words })
}

/// A point in time.
pub fn time(description: &str) -> Value {
    json!({ "type": "string", "format": "date-time", "description": description })
}

/// A whole number.
pub fn integer(description: &str, (least, most): (u32, u32)) -> Value {
    json!({ "type": "integer", "description": description, "minimum": least, "maximum": most })
}

/// UUIDs, without duplicates, at most as many as are accepted.
pub fn ids(description: &str, least: usize) -> Value {
    let item = json!({ "type": "string", "format": "uuid" });
    let mut schema = json!({ "type": "array", "description": description, "items": item, "maxItems": MOST_IDS, "uniqueItems": true });
    if least > 0 {
        schema["minItems"] = least.into();
    }
    schema
}

/// Some of a few words, at least one, without duplicates.
pub fn words(description: &str, words: &[&str]) -> Value {
    let item = json!({ "type": "string", "enum": words });
    json!({ "type": "array", "description": description, "items": item, "minItems": 1, "uniqueItems": true })
}

/// True or false.
pub fn flag(description: &str) -> Value {
    json!({ "type": "boolean", "description": description })
}

/// An object of any keys and any values.
pub fn free(description: &str) -> Value {
    json!({ "type": "object", "description": description, "additionalProperties": true })
}

/// The same, or `null`, which counts as absent (`docs/contract.md#null-and-absent-fields`).
pub fn nullable(mut schema: Value) -> Value {
    let only = schema["type"].take();
    schema["type"] = json!([only, "null"]);
    schema
}

/// A reference to another schema.
pub fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}
