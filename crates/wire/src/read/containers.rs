//! Types of fields that are objects or arrays of them, or that may hold anything.

use playout_domain::error::{IssueCode, Violation};
use serde_json::{Map, Value, json};

use super::field_type::FieldType;
use super::issues::{Issues, no_array, no_items};
use super::{ObjectReader, schema_of};
use crate::schema;

/// The most values in an object of any shape, at all depths; its length as JSON is limited too, because a list returns a thousand
/// of them.
const MOST_VALUES: usize = 200;
const MOST_OBJECT_BYTES: usize = 8192;
/// PostgreSQL cannot store U+0000.
const NO_NUL: &str = "must not contain the character U+0000";

/// See [`object`].
pub(crate) struct Object<R> {
    read: R,
}

/// An object, read with `read`. Its error names `null` too, because it is the type of optional fields.
pub(crate) fn object<T, R>(read: R) -> Object<R>
where
    R: FnOnce(&mut ObjectReader<'_>) -> Option<T>,
{
    Object { read }
}

impl<T, R: FnOnce(&mut ObjectReader<'_>) -> Option<T>> FieldType for Object<R> {
    type Parsed = T;

    fn schema(self, description: &str) -> Value {
        let mut schema = schema_of(self.read);
        schema["description"] = description.into();
        schema
    }

    fn parse(self, value: &Value, issues: &mut Issues) -> Option<T> {
        match value {
            Value::Object(map) => (self.read)(&mut ObjectReader::new(map, issues)),
            _ => issues.refuse(IssueCode::Type.with("must be an object or null")),
        }
    }
}

/// See [`objects`] and [`named_objects`].
pub(crate) struct Objects<R> {
    /// The name of the items' schema; `None`: it is part of this one, and there is at least one item.
    name: Option<&'static str>,
    most: usize,
    read: R,
}

/// An array of one to `most` objects, each read with `read`; their schema is part of the array's.
pub(crate) fn objects<T, R>(most: usize, read: R) -> Objects<R>
where
    R: FnMut(&mut ObjectReader<'_>) -> Option<T>,
{
    Objects {
        name: None,
        most,
        read,
    }
}

/// An array of at most `most` objects, each read with `read`; their schema is the one called `name`.
pub(crate) fn named_objects<T, R>(name: &'static str, most: usize, read: R) -> Objects<R>
where
    R: FnMut(&mut ObjectReader<'_>) -> Option<T>,
{
    Objects {
        name: Some(name),
        most,
        read,
    }
}

impl<T, R: FnMut(&mut ObjectReader<'_>) -> Option<T>> FieldType for Objects<R> {
    type Parsed = Vec<T>;

    fn schema(self, description: &str) -> Value {
        let most = self.most;
        match self.name {
            Some(name) => json!({
                "type": "array", "items": schema::reference(name), "maxItems": most, "description": description,
            }),
            None => json!({
                "type": "array", "description": description, "minItems": 1, "maxItems": most,
                "items": schema_of(self.read),
            }),
        }
    }

    fn parse(mut self, value: &Value, issues: &mut Issues) -> Option<Vec<T>> {
        let Value::Array(items) = value else {
            return issues.refuse(no_array());
        };
        if items.is_empty() && self.name.is_none() {
            return issues.refuse(no_items());
        }
        if items.len() > self.most {
            return issues.refuse(too_many_items(self.most, items.len()));
        }
        let read_item = |(index, item): (usize, &Value)| {
            issues.at(index, |issues| match item {
                Value::Object(map) => (self.read)(&mut ObjectReader::new(map, issues)),
                _ => issues.refuse(IssueCode::Type.with("must be an object")),
            })
        };
        let read_items: Vec<_> = items.iter().enumerate().map(read_item).collect();
        read_items.into_iter().collect()
    }
}

/// See [`any_items`].
pub(crate) struct AnyItems {
    name: &'static str,
    most: usize,
}

/// An array of one to `most` values of the schema called `name`, which are not read here.
pub(crate) fn any_items(name: &'static str, most: usize) -> AnyItems {
    AnyItems { name, most }
}

impl FieldType for AnyItems {
    type Parsed = Vec<Value>;

    fn schema(self, description: &str) -> Value {
        json!({
            "type": "array", "items": schema::reference(self.name), "minItems": 1, "maxItems": self.most,
            "description": description,
        })
    }

    fn parse(self, value: &Value, issues: &mut Issues) -> Option<Vec<Value>> {
        let Value::Array(items) = value else {
            return issues.refuse(no_array());
        };
        match items.len() {
            0 => issues.refuse(no_items()),
            length if length > self.most => issues.refuse(too_many_items(self.most, length)),
            _ => Some(items.clone()),
        }
    }
}

/// See [`any_object`].
pub(crate) struct AnyObject;

/// An object of any keys and any values, limited in their number and their length as JSON.
pub(crate) fn any_object() -> AnyObject {
    AnyObject
}

impl FieldType for AnyObject {
    type Parsed = Map<String, Value>;

    fn schema(self, description: &str) -> Value {
        json!({ "type": "object", "description": description, "additionalProperties": true })
    }

    fn parse(self, value: &Value, issues: &mut Issues) -> Option<Map<String, Value>> {
        let Value::Object(map) = value else {
            return issues.refuse(IssueCode::Type.with("must be an object"));
        };
        if map.iter().any(|(key, value)| has_nul(key, value)) {
            return issues.refuse(IssueCode::Format.with(NO_NUL));
        }
        if map.values().map(values_in).sum::<usize>() > MOST_VALUES {
            let message = format!("must not hold more than {MOST_VALUES} values");
            return issues.refuse(IssueCode::TooLong.with(message));
        }
        if value.to_string().len() > MOST_OBJECT_BYTES {
            let message = format!("must not be longer than {MOST_OBJECT_BYTES} bytes as JSON");
            return issues.refuse(IssueCode::TooLong.with(message));
        }
        Some(map.clone())
    }
}

fn too_many_items(most: usize, length: usize) -> Violation {
    IssueCode::TooLong.with(format!("must have at most {most} items; it has {length}"))
}

/// The number of values in a value, itself included.
fn values_in(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(values_in).sum(),
        Value::Object(map) => map.values().map(values_in).sum(),
        _ => 0,
    }
}

/// Whether an entry of an object contains a U+0000.
fn has_nul(key: &str, value: &Value) -> bool {
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

/// See [`anything`].
pub(crate) struct Anything;

/// Any value.
pub(crate) fn anything() -> Anything {
    Anything
}

impl FieldType for Anything {
    type Parsed = ();

    fn schema(self, description: &str) -> Value {
        json!({ "description": description })
    }

    fn parse(self, _value: &Value, _issues: &mut Issues) -> Option<()> {
        Some(())
    }
}
