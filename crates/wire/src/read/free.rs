//! Limits of JSON objects of any shape.

use serde_json::Value;

/// The most values in an object of any shape, at all depths; its length as JSON is limited too, because a list returns a thousand
/// of them.
pub(super) const MOST_VALUES: usize = 200;
pub(super) const MOST_OBJECT_BYTES: usize = 8192;

/// The number of values in a value, itself included.
pub(super) fn values_in(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(values_in).sum(),
        Value::Object(map) => map.values().map(values_in).sum(),
        _ => 0,
    }
}

/// Whether an entry of an object contains a U+0000.
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
