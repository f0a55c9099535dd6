//! The positions of a body's parts, so that problems are listed in document order.

use std::collections::HashMap;

use playout_domain::error::PathStep;
use serde_json::{Map, Value};

/// The positions found so far. Each field is searched for once per object: an array of many wrong items has one path to it, and
/// its object may have many names.
#[derive(Default)]
pub(super) struct Positions {
    fields: HashMap<(*const Map<String, Value>, String), usize>,
}

impl Positions {
    /// The position of `path` in `body` at each level; absent parts come last.
    pub(super) fn of(&mut self, body: &Value, path: &[PathStep]) -> Vec<usize> {
        let mut position = Vec::with_capacity(path.len());
        let mut value = Some(body);
        for step in path {
            let (index, next) = match (step, value) {
                (PathStep::Index(index), Some(Value::Array(items))) => (*index, items.get(*index)),
                (PathStep::Index(index), _) => (*index, None),
                (PathStep::Field(name), Some(Value::Object(map))) => {
                    (self.of_field(map, name), map.get(name.as_ref()))
                }
                (PathStep::Field(_), _) => (usize::MAX, None),
            };
            position.push(index);
            value = next;
        }
        position
    }

    fn of_field(&mut self, map: &Map<String, Value>, name: &str) -> usize {
        let find = || map.keys().position(|key| key == name).unwrap_or(usize::MAX);
        let key = (std::ptr::from_ref(map), name.to_owned());
        *self.fields.entry(key).or_insert_with(find)
    }
}
