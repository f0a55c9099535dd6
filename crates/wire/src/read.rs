//! Parses a JSON body: collects every problem with its path, and keeps the valid fields.

mod free;
mod numbers;
mod positions;

use std::str::FromStr;

use playout_domain::error::{Issue, IssueCode, PathStep, Violation};
use playout_domain::text::{is_control, is_deceptive};
use playout_domain::time::Time;
use serde_json::{Map, Value};

use self::free::{MOST_OBJECT_BYTES, MOST_VALUES, has_nul, values_in};
use self::positions::Positions;

/// Parses one JSON object and collects its issues. Unknown fields are ignored; `null` counts as absent.
pub struct ObjectReader<'a> {
    map: &'a Map<String, Value>,
    path: Vec<PathStep>,
    issues: Vec<Issue>,
}

const NO_CONTROLS: &str = "must not contain control characters other than tab and line breaks";
/// PostgreSQL cannot store U+0000.
const NO_NUL: &str = "must not contain the character U+0000";

/// The most IDs of a list.
pub(crate) const MOST_IDS: usize = 200;

/// The value of a field; `None` after a problem, or if it is absent.
type Field<T> = Option<T>;

/// Parses `body` with `read`, which returns `None` if a required part is missing. Returns all problems at once, in document
/// order.
pub fn read_body<T>(
    body: &Value,
    read: impl FnOnce(&mut ObjectReader<'_>) -> Option<T>,
) -> Result<T, Vec<Issue>> {
    let Value::Object(map) = body else {
        let violation = IssueCode::Type.with("the body must be a JSON object");
        return Err(vec![Issue::at([], violation)]);
    };
    let mut reader = ObjectReader {
        map,
        path: Vec::new(),
        issues: Vec::new(),
    };
    let value = read(&mut reader);
    let mut issues = reader.issues;
    match value {
        Some(value) if issues.is_empty() => Ok(value),
        _ => {
            let mut positions = Positions::default();
            issues.sort_by_cached_key(|issue| positions.of(body, &issue.path));
            Err(issues)
        }
    }
}

impl<'a> ObjectReader<'a> {
    /// Records a problem with field `name`.
    pub fn problem(&mut self, name: &'static str, violation: Violation) {
        let path = self.path_to(name);
        self.issues.push(Issue::at(path, violation));
    }

    /// Whether the field is present and not `null`.
    pub fn has(&self, name: &str) -> bool {
        self.map.get(name).is_some_and(|value| !value.is_null())
    }

    /// Whether the document has both fields, `first` before `second`.
    pub fn is_before(&self, first: &str, second: &str) -> bool {
        let position = |name| self.map.keys().position(|key| key == name);
        matches!((position(first), position(second)), (Some(first), Some(second)) if first < second)
    }

    /// `Some(None)` if the field is absent or `null`, else the result of `read`.
    pub fn given<T>(&mut self, name: &str, read: impl FnOnce(&mut Self) -> Field<T>) -> Field<Option<T>> {
        match self.has(name) {
            true => read(self).map(Some),
            false => Some(None),
        }
    }

    /// A required text of at least one and at most `most` characters, without surrounding white space.
    pub fn trimmed_text(&mut self, name: &'static str, most: usize) -> Field<String> {
        let text = self.required(name).and_then(|value| self.as_text(name, value))?;
        self.bounded(name, text.trim(), most)
    }

    /// The name of a user or a workspace: [`Self::trimmed_text`] without deceptive characters.
    pub fn visible_name(&mut self, name: &'static str, most: usize) -> Field<String> {
        let text = self.trimmed_text(name, most)?;
        match text.chars().any(is_deceptive) {
            true => self.refuse(
                name,
                IssueCode::Format.with(
                    "must not contain control characters, or characters that change the direction of text",
                ),
            ),
            false => Some(text),
        }
    }

    /// An ID, or its absence: `null` or the word `null`. `Some(None)` if the field is absent.
    pub fn id_or_null<T: FromStr>(&mut self, name: &'static str) -> Field<Option<Option<T>>> {
        let Some(value) = self.map.get(name) else {
            return Some(None);
        };
        match value.as_str() {
            None if value.is_null() => Some(Some(None)),
            Some("null") => Some(Some(None)),
            text => match text.and_then(parse_uuid) {
                Some(id) => Some(Some(Some(id))),
                None => self.refuse(name, IssueCode::Format.with("must be a UUID or null")),
            },
        }
    }

    /// A required text of at least one and at most `most` characters.
    pub fn text(&mut self, name: &'static str, most: usize) -> Field<String> {
        let text = self.required(name).and_then(|value| self.as_text(name, value))?;
        self.bounded(name, text, most)
    }

    /// An optional text of at least one and at most `most` characters.
    pub fn optional_text(&mut self, name: &'static str, most: usize) -> Field<String> {
        let text = self.optional(name).and_then(|value| self.as_text(name, value))?;
        self.bounded(name, text, most)
    }

    /// A required text of at most `most` characters, which may be empty.
    pub fn text_or_empty(&mut self, name: &'static str, most: usize) -> Field<String> {
        let text = self.required(name).and_then(|value| self.as_text(name, value))?;
        match text {
            "" => Some(String::new()),
            text => self.bounded(name, text, most),
        }
    }

    /// One of a few words; `default` if it is absent.
    pub fn word_or<T: Copy>(&mut self, name: &'static str, words: &[(&str, T)], default: T) -> Field<T> {
        match self.has(name) {
            true => self.word(name, words),
            false => Some(default),
        }
    }

    /// A required field: one of a few words.
    pub fn word<T: Copy>(&mut self, name: &'static str, words: &[(&str, T)]) -> Field<T> {
        let text = self.required(name).and_then(|value| self.as_text(name, value))?;
        let found = words
            .iter()
            .find(|(word, _)| *word == text)
            .map(|(_, meaning)| *meaning);
        if found.is_none() {
            let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            self.problem(name, Violation::one_of(&known));
        }
        found
    }

    /// A required point in time.
    pub fn time(&mut self, name: &'static str) -> Field<Time> {
        let text = self.required(name).and_then(|value| self.as_text(name, value))?;
        self.as_time(name, text)
    }

    /// An optional point in time.
    pub fn optional_time(&mut self, name: &'static str) -> Field<Time> {
        let text = self.optional(name).and_then(|value| self.as_text(name, value))?;
        self.as_time(name, text)
    }

    /// An optional whole number from 0 to `most`.
    pub fn optional_count(&mut self, name: &'static str, most: u32) -> Field<u32> {
        let value = self.optional(name)?;
        self.as_count(name, value, (0, most))
    }

    /// A required whole number within these inclusive bounds.
    pub fn count(&mut self, name: &'static str, bounds: (u32, u32)) -> Field<u32> {
        let value = self.required(name)?;
        self.as_count(name, value, bounds)
    }

    /// A whole number within these bounds; `default` if it is absent.
    pub fn count_or(&mut self, name: &'static str, bounds: (u32, u32), default: u32) -> Field<u32> {
        match self.optional(name) {
            None => Some(default),
            Some(value) => self.as_count(name, value, bounds),
        }
    }

    /// An optional `true` or `false`; `Some(None)` if it is absent.
    pub fn optional_flag(&mut self, name: &'static str) -> Field<Option<bool>> {
        match self.optional(name) {
            None => Some(None),
            Some(Value::Bool(flag)) => Some(Some(*flag)),
            Some(_) => self.refuse(name, IssueCode::Type.with("must be true or false")),
        }
    }

    /// An optional object of any keys; empty when absent.
    pub fn optional_object(&mut self, name: &'static str) -> Field<Map<String, Value>> {
        match self.optional(name) {
            None => Some(Map::new()),
            Some(Value::Object(map)) if map.iter().any(|(key, value)| has_nul(key, value)) => {
                self.refuse(name, IssueCode::Format.with(NO_NUL))
            }
            Some(Value::Object(map)) if map.values().map(values_in).sum::<usize>() > MOST_VALUES => {
                let message = format!("must not hold more than {MOST_VALUES} values");
                self.refuse(name, IssueCode::TooLong.with(message))
            }
            Some(value @ Value::Object(map)) => match value.to_string().len() {
                ..=MOST_OBJECT_BYTES => Some(map.clone()),
                _ => self.refuse(
                    name,
                    IssueCode::TooLong.with(format!(
                        "must not be longer than {MOST_OBJECT_BYTES} bytes as JSON"
                    )),
                ),
            },
            Some(_) => self.refuse(name, IssueCode::Type.with("must be an object")),
        }
    }

    /// A required UUID.
    pub fn id<T: FromStr>(&mut self, name: &'static str) -> Field<T> {
        let value = self.required(name)?;
        match value.as_str().and_then(parse_uuid) {
            Some(id) => Some(id),
            None => self.refuse(name, Violation::no_uuid()),
        }
    }

    /// A required array of at least one of a few words, without duplicates.
    pub fn words<T: Copy + PartialEq>(&mut self, name: &'static str, words: &[(&str, T)]) -> Field<Vec<T>> {
        let value = self.required(name)?;
        let Value::Array(items) = value else {
            return self.refuse(name, no_array());
        };
        let before = self.issues.len();
        let mut found = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            let known = words.iter().find(|(word, _)| item.as_str() == Some(word));
            match known {
                Some((_, meaning)) if found.contains(meaning) => {
                    self.problem_at(name, index, listed_twice());
                }
                Some((_, meaning)) => found.push(*meaning),
                None => {
                    let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
                    self.problem_at(name, index, Violation::one_of(&known));
                }
            }
        }
        if items.is_empty() {
            return self.refuse(name, no_items());
        }
        (self.issues.len() == before).then_some(found)
    }

    /// A required array of at least one UUID, without duplicates.
    pub fn ids<T: FromStr + PartialEq>(&mut self, name: &'static str) -> Field<Vec<T>> {
        let value = self.required(name)?;
        let ids = self.as_ids(name, value)?;
        if ids.is_empty() {
            self.refuse(name, no_items())
        } else {
            Some(ids)
        }
    }

    /// An optional array of UUIDs, without duplicates; empty when absent.
    pub fn optional_ids<T: FromStr + PartialEq>(&mut self, name: &'static str) -> Field<Vec<T>> {
        match self.optional(name) {
            None => Some(Vec::new()),
            Some(value) => self.as_ids(name, value),
        }
    }

    /// An optional array of at most `most` objects, each parsed with `read`; empty when absent.
    pub fn optional_objects<T>(
        &mut self,
        name: &'static str,
        most: usize,
        read: impl Fn(&mut ObjectReader<'_>) -> Option<T>,
    ) -> Field<Vec<T>> {
        let items = match self.optional(name) {
            None => return Some(Vec::new()),
            Some(Value::Array(items)) => items,
            Some(_) => return self.refuse(name, no_array()),
        };
        self.each_object(name, items, most, read)
    }

    /// A required array of one to `most` objects, each parsed with `read`.
    pub fn objects<T>(
        &mut self,
        name: &'static str,
        most: usize,
        read: impl FnMut(&mut ObjectReader<'_>) -> Option<T>,
    ) -> Field<Vec<T>> {
        match self.required(name)? {
            Value::Array(items) if items.is_empty() => self.refuse(name, no_items()),
            Value::Array(items) => self.each_object(name, items, most, read),
            _ => self.refuse(name, no_array()),
        }
    }

    fn each_object<T>(
        &mut self,
        name: &'static str,
        items: &[Value],
        most: usize,
        mut read: impl FnMut(&mut ObjectReader<'_>) -> Option<T>,
    ) -> Field<Vec<T>> {
        if items.len() > most {
            let message = format!("must have at most {most} items; it has {}", items.len());
            return self.refuse(name, IssueCode::TooLong.with(message));
        }
        let items = items.iter().enumerate();
        let read_items = items.map(|(index, item)| self.object_at(name, index, item, &mut read));
        read_items.collect::<Vec<_>>().into_iter().collect()
    }

    fn object_at<T>(
        &mut self,
        name: &'static str,
        index: usize,
        item: &Value,
        read: impl FnOnce(&mut ObjectReader<'_>) -> Option<T>,
    ) -> Option<T> {
        let mut path = self.path_to(name);
        path.push(index.into());
        let Value::Object(map) = item else {
            let violation = IssueCode::Type.with("must be an object");
            self.issues.push(Issue::at(path, violation));
            return None;
        };
        let mut reader = ObjectReader {
            map,
            path,
            issues: Vec::new(),
        };
        let value = read(&mut reader);
        self.issues.append(&mut reader.issues);
        value
    }

    fn required(&mut self, name: &'static str) -> Field<&'a Value> {
        let value = self.optional(name);
        if value.is_none() {
            self.problem(name, Violation::required());
        }
        value
    }

    fn optional(&self, name: &str) -> Field<&'a Value> {
        self.map.get(name).filter(|value| !value.is_null())
    }

    fn as_text(&mut self, name: &'static str, value: &'a Value) -> Field<&'a str> {
        match value.as_str() {
            Some(text) => Some(text),
            None => self.refuse(name, IssueCode::Type.with("must be a string")),
        }
    }

    fn bounded(&mut self, name: &'static str, text: &str, most: usize) -> Field<String> {
        match text.chars().count() {
            0 => self.refuse(name, IssueCode::TooShort.with("must have at least 1 character")),
            length if length > most => self.refuse(
                name,
                IssueCode::TooLong.with(format!("must have at most {most} characters; it has {length}")),
            ),
            _ if text.contains(is_control) => self.refuse(name, IssueCode::Format.with(NO_CONTROLS)),
            _ => Some(text.to_owned()),
        }
    }

    fn as_count(&mut self, name: &'static str, value: &Value, (least, most): (u32, u32)) -> Field<u32> {
        match as_whole(value) {
            Some(number) if (least..=most).contains(&number) => Some(number),
            _ => {
                let is_whole = value.as_f64().is_some_and(|number| number.fract() == 0.0);
                let code = if is_whole {
                    IssueCode::Range
                } else {
                    IssueCode::Type
                };
                self.refuse(
                    name,
                    code.with(format!("must be a whole number from {least} to {most}")),
                )
            }
        }
    }

    fn as_time(&mut self, name: &'static str, text: &str) -> Field<Time> {
        match Time::parse(text) {
            Ok(time) => Some(time),
            Err(problem) => self.refuse(name, IssueCode::Format.with(problem.to_string())),
        }
    }

    fn as_ids<T: FromStr + PartialEq>(&mut self, name: &'static str, value: &Value) -> Field<Vec<T>> {
        let Value::Array(items) = value else {
            return self.refuse(name, no_array());
        };
        if items.len() > MOST_IDS {
            return self.refuse(
                name,
                IssueCode::TooLong.with(format!("must have at most {MOST_IDS} items")),
            );
        }
        let before = self.issues.len();
        let mut ids = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            match item.as_str().and_then(parse_uuid) {
                Some(id) if ids.contains(&id) => self.problem_at(name, index, listed_twice()),
                Some(id) => ids.push(id),
                None => self.problem_at(name, index, Violation::no_uuid()),
            }
        }
        (self.issues.len() == before).then_some(ids)
    }

    fn problem_at(&mut self, name: &'static str, index: usize, violation: Violation) {
        let mut path = self.path_to(name);
        path.push(index.into());
        self.issues.push(Issue::at(path, violation));
    }

    fn refuse<T>(&mut self, name: &'static str, violation: Violation) -> Field<T> {
        self.problem(name, violation);
        None
    }

    fn path_to(&self, name: &'static str) -> Vec<PathStep> {
        let mut path = self.path.clone();
        path.push(name.into());
        path
    }
}

fn listed_twice() -> Violation {
    IssueCode::Duplicate.with("is listed twice")
}

fn no_array() -> Violation {
    IssueCode::Type.with("must be an array")
}

fn no_items() -> Violation {
    IssueCode::TooShort.with("must have at least 1 item")
}

/// A whole number, also if written with a fraction of zero: JSON Schema counts 1.0 among the integers.
fn as_whole(value: &Value) -> Option<u32> {
    match value.as_u64() {
        Some(number) => u32::try_from(number).ok(),
        None => value
            .as_f64()
            .filter(|number| number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(number))
            .map(|number| number as u32),
    }
}

/// A UUID in its usual form, 36 characters with hyphens (RFC 9562 §4), as an ID of any noun.
pub fn parse_uuid<T: FromStr>(text: &str) -> Option<T> {
    (text.len() == 36).then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn all_problems_come_at_once_in_document_order() {
        let body = json!({"b": 1, "list": [{"x": 2}], "a": 3});
        let result = read_body(&body, |reader| {
            let a = reader.text("a", 5);
            let missing = reader.text("missing", 5);
            let list = reader.optional_objects("list", 3, |item| item.text("x", 5));
            let b = reader.time("b");
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
}
