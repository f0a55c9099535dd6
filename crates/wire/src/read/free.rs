//! What is asked of a JSON object of any shape.

use serde_json::Value;

/// The most values in an object of any shape, at all depths, and its length as JSON. Whoever reads a list of a thousand pays for a
/// thousand of them.
pub(super) const MOST_VALUES: usize = 200;
pub(super) const MOST_OBJECT_BYTES: usize = 8192;

/// How many values there are in a value, itself among them.
pub(super) fn values_in(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(values_in).sum(),
        Value::Object(map) => map.values().map(values_in).sum(),
        _ => 0,
    }
}

/// Whether an entry of an object has a U+0000 anywhere in it.
pub(super) fn has_nul(key: &str, value: &Value) -> bool {
    fn in_value(value: &Value) -> bool {
        match value {
            Value::String(text) => text.contains('\0'),
            Value::Array(items) => items.iter().any(in_value),
            Value::Object(map) => map.iter().any(|(key, value)| has_nul(key, value)),
            Value::Null | Value::Bool(_) | Value::Number(_) => false,
        }
    }
    key.contains('\0') || in_value(value)
}
