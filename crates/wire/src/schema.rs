//! Schemas of words and requests (OpenAPI 3.1, that is JSON Schema 2020-12).
//!
//! Responses derive their schemas. Those of requests come from the functions that read them ([`crate::read`]).

use serde_json::{Map, Value, json};
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, SchemaType, Type};
use utoipa::openapi::{Array, Object};

/// Text without control characters ([`playout_domain::text::is_control`]).
pub(crate) const NO_CONTROLS: &str = r"^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f]*$";

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

/// The schema of a request's object, field by field.
#[derive(Default)]
pub(crate) struct ObjectSchema {
    /// What the object is.
    pub(crate) description: &'static str,
    required: Vec<&'static str>,
    properties: Map<String, Value>,
}

impl ObjectSchema {
    /// Adds a required field.
    pub(crate) fn add_required(&mut self, name: &'static str, schema: Value) {
        self.required.push(name);
        self.add_optional(name, schema);
    }

    /// Adds an optional field.
    pub(crate) fn add_optional(&mut self, name: &'static str, schema: Value) {
        self.properties.insert(name.to_owned(), schema);
    }

    /// The whole schema.
    pub(crate) fn into_json(self) -> Value {
        json!({
            "type": "object",
            "description": self.description,
            "required": self.required,
            "properties": self.properties,
        })
    }
}

/// The same, or `null`, which counts as absent (`docs/contract.md#null-and-absent-fields`). A schema of any value has it already.
pub(crate) fn nullable(mut schema: Value) -> Value {
    if let Some(only) = schema.get_mut("type") {
        *only = json!([only, "null"]);
    }
    if let Some(words) = schema.get_mut("enum").and_then(Value::as_array_mut) {
        words.push(Value::Null);
    }
    schema
}

/// Undoes [`nullable`]; returns whether it had been applied.
pub(crate) fn remove_null(schema: &mut Value) -> bool {
    let Some(types) = schema.get_mut("type").filter(|types| types.is_array()) else {
        return false;
    };
    *types = types[0].take();
    if let Some(words) = schema.get_mut("enum").and_then(Value::as_array_mut) {
        words.retain(|word| !word.is_null());
    }
    true
}

/// A reference to another schema.
pub(crate) fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}
