//! Schemas on the page: types in words, fields in lists.

use serde_json::Value;

use crate::api::html::{Html, escaped, markdown};
use crate::api::openapi::document;

/// All objects of the reference.
pub(super) fn section(html: &mut Html) {
    html.raw("<section id=\"objects\"><h2>Objects</h2>");
    for (name, schema) in document()["components"]["schemas"]
        .as_object()
        .into_iter()
        .flatten()
    {
        html.raw("<article id=\"object-")
            .text(name)
            .raw("\"><h3><a href=\"#object-")
            .text(name)
            .raw("\">")
            .text(name)
            .raw("</a></h3>");
        html.raw(&markdown(schema["description"].as_str().unwrap_or_default()));
        fields(html, schema);
        html.raw("</article>");
    }
    html.raw("</section>");
}

/// The target of a `$ref`, or the value itself.
pub(super) fn resolved(value: &Value) -> &Value {
    let pointer = value["$ref"].as_str().map(|text| text.trim_start_matches('#'));
    pointer
        .and_then(|pointer| document().pointer(pointer))
        .unwrap_or(value)
}

/// The fields of an object; for a choice, those of each variant.
pub(super) fn fields(html: &mut Html, schema: &Value) {
    for variant in schema["oneOf"].as_array().into_iter().flatten() {
        html.raw(&markdown(variant["description"].as_str().unwrap_or_default()));
        fields(html, variant);
    }
    let Some(properties) = schema["properties"].as_object() else {
        return;
    };
    let required: Vec<&Value> = schema["required"].as_array().into_iter().flatten().collect();
    html.raw("<dl>");
    for (name, property) in properties {
        html.raw("<dt><code>")
            .text(name)
            .raw("</code> <span class=\"type\">")
            .raw(&type_of(property))
            .raw("</span>");
        if !required.iter().any(|known| *known == name) {
            html.raw(" <span class=\"optional\">optional</span>");
        }
        html.raw("</dt><dd>")
            .raw(&markdown(property["description"].as_str().unwrap_or_default()))
            .raw("</dd>");
    }
    html.raw("</dl>");
}

/// A type in words, as HTML.
pub(super) fn type_of(schema: &Value) -> String {
    if let Some(name) = schema["$ref"]
        .as_str()
        .and_then(|reference| reference.rsplit('/').next())
    {
        let name = escaped(name);
        return format!("<a href=\"#object-{name}\">{name}</a>");
    }
    if let Some(choices) = schema["oneOf"].as_array() {
        return choices.iter().map(type_of).collect::<Vec<_>>().join(" or ");
    }
    if let Some(words) = schema["enum"].as_array() {
        let words = words.iter().filter_map(Value::as_str);
        return words
            .map(|word| format!("<code>{}</code>", escaped(word)))
            .collect::<Vec<_>>()
            .join(", ");
    }
    let words: Vec<String> = match &schema["type"] {
        Value::Array(types) => types
            .iter()
            .filter_map(Value::as_str)
            .map(|word| base(word, schema))
            .collect(),
        Value::String(word) => vec![base(word, schema)],
        _ => vec!["any".to_owned()],
    };
    words.join(" or ") + &bounds(schema)
}

fn base(word: &str, schema: &Value) -> String {
    match (word, schema["format"].as_str()) {
        ("array", _) => format!("array of {}", type_of(&schema["items"])),
        ("string", Some(format)) => escaped(format),
        (word, _) => escaped(word),
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
