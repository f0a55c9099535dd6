//! Schemas on the page: types in words, fields in lists.

use askama::Template;
use askama::filters::HtmlSafe;
use serde_json::Value;

use super::markdown::Markdown;
use crate::api::openapi::document;

/// An object of the API.
pub(super) struct Object {
    pub name: &'static str,
    pub description: Markdown,
    pub parts: Vec<Part>,
}

/// A part of a schema's description.
pub(super) enum Part {
    /// The text about a variant.
    Text(Markdown),
    /// The fields of the object, or of a variant.
    Fields(Vec<Field>),
}

/// A field of an object.
pub(super) struct Field {
    /// Its name; of an object that has none of its own, with the path to it: `slides[].index`.
    pub name: String,
    pub words: Type,
    pub is_required: bool,
    pub description: Markdown,
}

/// A type in words.
#[derive(Template)]
#[template(path = "reference/type.html")]
pub(super) enum Type {
    /// The name of an object.
    Object(&'static str),
    /// The values of an enum.
    Values(Vec<&'static str>),
    /// `bounds` may be empty.
    OneOf {
        types: Vec<Type>,
        bounds: String,
    },
    ArrayOf(Box<Type>),
    Word(&'static str),
}

/// Its template escapes what it shows.
impl HtmlSafe for Type {}

/// The objects of the reference.
pub(super) fn objects() -> Vec<Object> {
    let schemas = document()["components"]["schemas"].as_object();
    let object = |(name, schema): (&'static String, &'static Value)| Object {
        name,
        description: description_of(schema),
        parts: parts_of(schema),
    };
    schemas.into_iter().flatten().map(object).collect()
}

/// The target of a `$ref`, or the value itself.
pub(super) fn resolved(value: &'static Value) -> &'static Value {
    let pointer = value["$ref"].as_str().map(|text| text.trim_start_matches('#'));
    pointer
        .and_then(|pointer| document().pointer(pointer))
        .unwrap_or(value)
}

/// The text of a member that may be missing.
pub(super) fn text_of(value: &'static Value, member: &str) -> &'static str {
    value[member].as_str().unwrap_or_default()
}

pub(super) fn description_of(value: &'static Value) -> Markdown {
    Markdown(text_of(value, "description"))
}

/// The fields of an object; for a choice, those of each variant.
pub(super) fn parts_of(schema: &'static Value) -> Vec<Part> {
    let mut parts = Vec::new();
    let choices = ["oneOf", "anyOf"].map(|word| schema[word].as_array().into_iter().flatten());
    for variant in choices.into_iter().flatten().map(resolved) {
        parts.push(Part::Text(description_of(variant)));
        parts.extend(parts_of(variant));
    }
    if schema["properties"].is_object() {
        parts.push(Part::Fields(fields_of(schema, "")));
    }
    parts
}

/// The fields of an object, and after each those of the objects in it that have no name of their own.
fn fields_of(schema: &'static Value, path: &str) -> Vec<Field> {
    let required: Vec<&Value> = schema["required"].as_array().into_iter().flatten().collect();
    let mut fields = Vec::new();
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let own = format!("{path}{name}");
        let (inner, end) = match &property["items"] {
            Value::Null => (property, ""),
            items => (items, "[]"),
        };
        let inner = fields_of(inner, &format!("{own}{end}."));
        fields.push(Field {
            name: own,
            words: type_of(property),
            is_required: required.iter().any(|known| *known == name),
            description: description_of(property),
        });
        fields.extend(inner);
    }
    fields
}

/// A type in words.
pub(super) fn type_of(schema: &'static Value) -> Type {
    if let Some(reference) = schema["$ref"].as_str() {
        return Type::Object(reference.rsplit('/').next().unwrap_or_default());
    }
    if let Some(choices) = schema["oneOf"].as_array() {
        return Type::OneOf {
            types: choices.iter().map(type_of).collect(),
            bounds: String::new(),
        };
    }
    if let Some(values) = schema["enum"].as_array() {
        return Type::Values(values.iter().filter_map(Value::as_str).collect());
    }
    let types = match &schema["type"] {
        Value::Array(types) => types
            .iter()
            .filter_map(Value::as_str)
            .map(|word| base(word, schema))
            .collect(),
        Value::String(word) => vec![base(word, schema)],
        _ => vec![Type::Word("any")],
    };
    let bounds = bounds(schema);
    Type::OneOf { types, bounds }
}

fn base(word: &'static str, schema: &'static Value) -> Type {
    match (word, schema["format"].as_str()) {
        ("array", _) => Type::ArrayOf(Box::new(type_of(&schema["items"]))),
        ("string", Some(format)) => Type::Word(format),
        (word, _) => Type::Word(word),
    }
}

fn bounds(schema: &Value) -> String {
    let pairs = [
        ("minLength", "maxLength", "characters"),
        ("minimum", "maximum", ""),
        ("minItems", "maxItems", "items"),
    ];
    let mut text = String::new();
    for (least, most, unit) in pairs {
        let range = match (schema[least].as_u64(), schema[most].as_u64()) {
            (Some(least), Some(most)) => format!("{least} to {most} {unit}"),
            (None, Some(most)) => format!("at most {most} {unit}"),
            (Some(least), None) if least > 0 => format!("at least {least} {unit}"),
            _ => continue,
        };
        text.push_str(&format!(" · {}", range.trim_end()));
    }
    text
}
