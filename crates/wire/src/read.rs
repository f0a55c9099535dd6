//! Reads a JSON body, and describes it: one function per request yields both the parsed value and the JSON schema.
//!
//! Such a function asks an [`ObjectReader`] for each field by name, with its type ([`FieldType`]) and its description.
//! [`read_body`] runs it over a document; [`schema_of`] runs the same function without one. Because no field has a value there,
//! a reading function asks for all its fields before it returns early, and asks for the same ones whatever their values are.

mod containers;
mod field_type;
mod fixed_fields;
mod issues;
mod numbers;
mod other_names;
mod positions;
mod texts;
mod urls;
mod uuids;

use playout_domain::error::{Issue, IssueCode, Violation};
use serde_json::{Map, Value};

pub(crate) use self::containers::{any_items, any_object, anything, named_objects, object, objects};
pub(crate) use self::field_type::FieldType;
pub use self::fixed_fields::{Patch, fixed_fields, has_other_fields};
use self::issues::Issues;
pub(crate) use self::numbers::{flag, number, whole_number};
pub use self::other_names::field_called;
use self::positions::Positions;
pub(crate) use self::texts::{secret, text, text_or_empty, time, trimmed_text, visible_name, word, words};
pub use self::urls::CheckUrl;
pub(crate) use self::urls::checked_url;
pub use self::uuids::parse_uuid;
pub(crate) use self::uuids::{id, id_or_null, ids, nonempty_ids};
use crate::schema::{ObjectSchema, nullable};

/// Reads or describes one JSON object. Unknown fields are ignored; `null` counts as absent.
pub(crate) struct ObjectReader<'a> {
    source: Source<'a>,
    issues: &'a mut Issues,
}

enum Source<'a> {
    /// The object whose fields are read.
    Document(&'a Map<String, Value>),
    /// The schema to which the fields are added; no field has a value.
    Schema(&'a mut ObjectSchema),
}

/// Parses `body` with `read`, which returns `None` if a required part is missing. Returns all problems at once, in document
/// order.
pub(crate) fn read_body<T>(
    body: &Value,
    read: impl FnOnce(&mut ObjectReader<'_>) -> Option<T>,
) -> Result<T, Vec<Issue>> {
    let Value::Object(map) = body else {
        let violation = IssueCode::Type.with("the body must be a JSON object");
        return Err(vec![Issue::at([], violation)]);
    };
    let mut issues = Issues::default();
    let value = read(&mut ObjectReader::new(map, &mut issues));
    let mut issues = issues.into_found();
    match value {
        Some(value) if issues.is_empty() => Ok(value),
        _ => {
            let mut positions = Positions::default();
            issues.sort_by_cached_key(|issue| positions.of(body, &issue.path));
            Err(issues)
        }
    }
}

/// The schema of the object that `read` reads: its fields in the order in which `read` asks for them.
pub(crate) fn schema_of<T>(read: impl FnOnce(&mut ObjectReader<'_>) -> Option<T>) -> Value {
    let mut schema = ObjectSchema::default();
    read(&mut ObjectReader {
        source: Source::Schema(&mut schema),
        issues: &mut Issues::default(),
    });
    schema.into_json()
}

impl<'a> ObjectReader<'a> {
    fn new(map: &'a Map<String, Value>, issues: &'a mut Issues) -> Self {
        Self {
            source: Source::Document(map),
            issues,
        }
    }

    /// Describes the object itself. A field of type [`object`] has the description of the field instead.
    pub(crate) fn about(&mut self, description: &'static str) {
        if let Source::Schema(schema) = &mut self.source {
            schema.description = description;
        }
    }

    /// A required field; `None` after a problem, such as its absence, and in a description.
    pub(crate) fn required<F: FieldType>(
        &mut self,
        name: &'static str,
        field: F,
        description: &str,
    ) -> Option<F::Parsed> {
        if let Source::Schema(schema) = &mut self.source {
            schema.add_required(name, field.schema(description));
            return None;
        }
        match self.value(name) {
            Some(value) => self.issues.at(name, |issues| field.parse(value, issues)),
            None => self.refuse_missing(name),
        }
    }

    /// An optional field: `Some(None)` if it is absent or `null`; `None` after a problem, and in a description.
    pub(crate) fn optional<F: FieldType>(
        &mut self,
        name: &'static str,
        field: F,
        description: &str,
    ) -> Option<Option<F::Parsed>> {
        self.optional_if(true, name, field, description)
    }

    /// [`Self::optional`] in a document that meets `condition`, `Some(None)` in others. Described in either case.
    pub(crate) fn optional_if<F: FieldType>(
        &mut self,
        condition: bool,
        name: &'static str,
        field: F,
        description: &str,
    ) -> Option<Option<F::Parsed>> {
        if let Source::Schema(schema) = &mut self.source {
            schema.add_optional(name, nullable(field.schema(description)));
            return None;
        }
        match self.value(name).filter(|_| condition) {
            Some(value) => self
                .issues
                .at(name, |issues| field.parse(value, issues))
                .map(Some),
            None => Some(None),
        }
    }

    /// An optional field whose `null` has a meaning: `Some(None)` if it is absent, `Some(Some(None))` if it is `null`.
    pub(crate) fn optional_or_null<F: FieldType>(
        &mut self,
        name: &'static str,
        field: F,
        description: &str,
    ) -> Option<Option<Option<F::Parsed>>> {
        let is_null = self
            .document()
            .is_some_and(|map| map.get(name).is_some_and(Value::is_null));
        let value = self.optional(name, field, description)?;
        Some(match value {
            None if !is_null => None,
            value => Some(value),
        })
    }

    /// Describes an optional field that is not parsed.
    pub(crate) fn unread(&mut self, name: &'static str, field: impl FieldType, description: &str) {
        self.optional_if(false, name, field, description);
    }

    /// Records a problem with field `name`.
    pub(crate) fn problem(&mut self, name: &'static str, violation: Violation) {
        self.issues.at(name, |issues| issues.add(violation));
    }

    /// Records a problem with field `name` and returns `None`.
    pub(crate) fn refuse<T>(&mut self, name: &'static str, violation: Violation) -> Option<T> {
        self.problem(name, violation);
        None
    }

    /// Records that field `name` is missing, with the name that was probably meant for it, and returns `None`.
    pub(crate) fn refuse_missing<T>(&mut self, name: &'static str) -> Option<T> {
        let keys = self.document().into_iter().flat_map(Map::keys);
        let mut others = keys.filter(|key| *key != name);
        let is_meant = |key: &&String| begins_alike(key, name) || field_called(key) == Some(name);
        let violation = match others.find(is_meant) {
            Some(key) => IssueCode::Required.with(format!(
                "is required; there is {key:?} instead: did you mean {name}?"
            )),
            None => Violation::required(),
        };
        self.refuse(name, violation)
    }

    /// Whether the document has the field, and it is not `null`.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.value(name).is_some()
    }

    /// Whether the document has both fields, `first` before `second`.
    pub(crate) fn is_before(&self, first: &str, second: &str) -> bool {
        let position = |name| self.document()?.keys().position(|key| key == name);
        matches!((position(first), position(second)), (Some(first), Some(second)) if first < second)
    }

    /// The names of the document that are none of `fields`.
    pub(crate) fn other_fields(&self, fields: &[&str]) -> Vec<String> {
        let names = self.document().into_iter().flat_map(Map::keys);
        names
            .filter(|name| !fields.contains(&name.as_str()))
            .cloned()
            .collect()
    }

    /// Records a problem with each field of the document that is none of `fields`.
    pub(crate) fn refuse_others(&mut self, fields: &[&str]) {
        for name in self.other_fields(fields) {
            let violation = IssueCode::NotSupported
                .with(format!("is no field here; the fields are {}", fields.join(", ")));
            self.issues.at(name, |issues| issues.add(violation));
        }
    }

    fn value(&self, name: &str) -> Option<&'a Value> {
        self.document()?.get(name).filter(|value| !value.is_null())
    }

    fn document(&self) -> Option<&'a Map<String, Value>> {
        match &self.source {
            Source::Document(map) => Some(*map),
            Source::Schema(_) => None,
        }
    }
}

/// Whether two names begin with the same letters, however their words are joined.
fn begins_alike(key: &str, name: &str) -> bool {
    let letters = |text: &str| -> String {
        let letters = text.chars().filter(|character| character.is_ascii_alphanumeric());
        letters
            .take(ALIKE_LETTERS)
            .map(|letter| letter.to_ascii_lowercase())
            .collect()
    };
    let letters_of_name = letters(name);
    letters_of_name.len() == ALIKE_LETTERS && letters(key) == letters_of_name
}

/// So many letters at the beginning make two names alike.
const ALIKE_LETTERS: usize = 5;

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_field_that_is_missing_names_the_one_that_was_probably_meant() {
        let message = |body: Value| {
            let read = read_body(&body, |reader| reader.required("scheduledFor", text(5), ""));
            read.unwrap_err()[0].message.clone()
        };
        for key in ["scheduled_for", "schedule", "Scheduled-At", "publish_at"] {
            let expected = format!("is required; there is {key:?} instead: did you mean scheduledFor?");
            assert_eq!(message(json!({ "sch": 1, (key): "x" })), expected);
        }
        assert_eq!(message(json!({ "sch": 1, "caption": 2 })), "is required");
        assert_eq!(message(json!({ "scheduledFor": null })), "is required");
    }

    fn read_item(reader: &mut ObjectReader<'_>) -> Option<String> {
        reader.about("An item.");
        reader.required("x", text(5), "Its text.")
    }

    fn read_all(reader: &mut ObjectReader<'_>) -> Option<(String, Vec<String>, Option<bool>)> {
        reader.about("An example.");
        let a = reader.required("a", text(5), "A text.");
        let list = reader.required("list", objects(3, read_item), "The items.");
        let kind = reader.optional("kind", word(&[("yes", true), ("no", false)]), "Yes or no.");
        reader.unread("hint", anything(), "Ignored.");
        Some((a?, list?, kind?))
    }

    #[test]
    fn all_problems_come_at_once_in_document_order() {
        let body = json!({"b": 1, "list": [{"x": 2}], "a": 3});
        let result = read_body(&body, |reader| {
            let a = reader.required("a", text(5), "");
            let missing = reader.required("missing", text(5), "");
            let list = reader.required("list", objects(3, read_item), "");
            let b = reader.required("b", time(), "");
            Some((a?, missing?, list?, b?))
        });
        let paths: Vec<_> = result
            .unwrap_err()
            .into_iter()
            .map(|issue| json!(issue.path))
            .collect();
        assert_eq!(
            paths,
            [
                json!(["b"]),
                json!(["list", 0, "x"]),
                json!(["a"]),
                json!(["missing"])
            ]
        );
    }

    #[test]
    fn one_function_reads_a_document_and_describes_it() {
        let body = json!({"a": "b", "list": [{"x": "c"}], "kind": null, "hint": 7});
        let read = read_body(&body, read_all);
        assert_eq!(read, Ok(("b".to_owned(), vec!["c".to_owned()], None)));
        let mut expected = json!({
            "type": "object", "description": "An example.", "required": ["a", "list"],
            "properties": {
                "a": { "type": "string", "description": "A text.", "minLength": 1, "maxLength": 5 },
                "list": {
                    "type": "array", "description": "The items.", "minItems": 1, "maxItems": 3,
                    "items": {
                        "type": "object", "description": "An item.", "required": ["x"],
                        "properties": { "x": { "type": "string", "description": "Its text.", "minLength": 1, "maxLength": 5 } }
                    }
                },
                "kind": { "type": ["string", "null"], "description": "Yes or no.", "enum": ["yes", "no", null] },
                "hint": { "description": "Ignored." },
            }
        });
        for text in ["/properties/a", "/properties/list/items/properties/x"] {
            expected.pointer_mut(text).unwrap()["pattern"] = crate::schema::NO_CONTROLS.into();
        }
        assert_eq!(schema_of(read_all).to_string(), expected.to_string());
    }

    #[test]
    fn null_differs_from_absence_only_where_it_has_a_meaning() {
        let read = |body: Value| {
            read_body(&body, |reader| {
                let plain = reader.optional("plain", flag(), "");
                let or_null = reader.optional_or_null("orNull", flag(), "");
                Some((plain?, or_null?))
            })
        };
        assert_eq!(read(json!({})), Ok((None, None)));
        assert_eq!(
            read(json!({ "plain": null, "orNull": null })),
            Ok((None, Some(None)))
        );
        assert_eq!(
            read(json!({ "plain": true, "orNull": false })),
            Ok((Some(true), Some(Some(false))))
        );
    }
}
