//! Types of fields that are strings: texts, words and points in time.

use playout_domain::error::{IssueCode, Violation};
use playout_domain::secret::Secret;
use playout_domain::text::{is_control, is_deceptive};
use playout_domain::time::Time;
use serde_json::{Value, json};

use super::field_type::FieldType;
use super::issues::{Issues, listed_twice, no_array, no_items};
use crate::schema;

const NO_CONTROLS: &str = "must not contain control characters other than tab and line breaks";

/// See [`text`].
pub(crate) struct Text {
    may_be_empty: bool,
    is_trimmed: bool,
    most: usize,
}

/// A text of one to `most` characters.
pub(crate) fn text(most: usize) -> Text {
    Text {
        may_be_empty: false,
        is_trimmed: false,
        most,
    }
}

/// A text of at most `most` characters.
pub(crate) fn text_or_empty(most: usize) -> Text {
    Text {
        may_be_empty: true,
        ..text(most)
    }
}

/// A text of one to `most` characters after its surrounding white space is removed.
pub(crate) fn trimmed_text(most: usize) -> Text {
    Text {
        is_trimmed: true,
        ..text(most)
    }
}

/// The name of a user or a workspace: [`trimmed_text`] without deceptive characters.
pub(crate) fn visible_name(most: usize) -> impl FieldType<Parsed = String> {
    trimmed_text(most).then(|text| match text.chars().any(is_deceptive) {
        true => Err(IssueCode::Format
            .with("must not contain control characters, or characters that change the direction of text")),
        false => Ok(text),
    })
}

/// A password, a token or a code of one to `most` characters.
pub(crate) fn secret(most: usize) -> impl FieldType<Parsed = Secret> {
    text(most).then(|text| Ok(Secret::new(text)))
}

impl FieldType for Text {
    type Parsed = String;

    fn schema(self, description: &str) -> Value {
        json!({
            "type": "string", "description": description,
            "minLength": usize::from(!self.may_be_empty), "maxLength": self.most, "pattern": schema::NO_CONTROLS,
        })
    }

    fn parse(self, value: &Value, issues: &mut Issues) -> Option<String> {
        let mut text = as_text(value, issues)?;
        if self.is_trimmed {
            text = text.trim();
        }
        issues.refuse(match text.chars().count() {
            0 if !self.may_be_empty => IssueCode::TooShort.with("must have at least 1 character"),
            length if length > self.most => IssueCode::TooLong.with(format!(
                "must have at most {} characters; it has {length}",
                self.most
            )),
            _ if text.contains(is_control) => IssueCode::Format.with(NO_CONTROLS),
            _ => return Some(text.to_owned()),
        })
    }
}

/// See [`time`].
pub(crate) struct Moment;

/// A point in time.
pub(crate) fn time() -> Moment {
    Moment
}

impl FieldType for Moment {
    type Parsed = Time;

    fn schema(self, description: &str) -> Value {
        json!({ "type": "string", "format": "date-time", "description": description })
    }

    fn parse(self, value: &Value, issues: &mut Issues) -> Option<Time> {
        match Time::parse(as_text(value, issues)?) {
            Ok(time) => Some(time),
            Err(problem) => issues.refuse(IssueCode::Format.with(problem.to_string())),
        }
    }
}

/// See [`word`].
pub(crate) struct Word<'a, T>(&'a [(&'a str, T)]);

/// One of a few words, each with its meaning.
pub(crate) fn word<'a, T: Copy>(words: &'a [(&'a str, T)]) -> Word<'a, T> {
    Word(words)
}

impl<T: Copy> FieldType for Word<'_, T> {
    type Parsed = T;

    fn schema(self, description: &str) -> Value {
        json!({ "type": "string", "description": description, "enum": names(self.0) })
    }

    fn parse(self, value: &Value, issues: &mut Issues) -> Option<T> {
        let text = as_text(value, issues)?;
        match self.0.iter().find(|(word, _)| *word == text) {
            Some((_, meaning)) => Some(*meaning),
            None => issues.refuse(Violation::one_of(&names(self.0))),
        }
    }
}

/// See [`words`].
pub(crate) struct Words<'a, T>(&'a [(&'a str, T)]);

/// An array of at least one of a few words, without duplicates.
pub(crate) fn words<'a, T: Copy + PartialEq>(words: &'a [(&'a str, T)]) -> Words<'a, T> {
    Words(words)
}

impl<T: Copy + PartialEq> FieldType for Words<'_, T> {
    type Parsed = Vec<T>;

    fn schema(self, description: &str) -> Value {
        let item = json!({ "type": "string", "enum": names(self.0) });
        json!({ "type": "array", "description": description, "items": item, "minItems": 1, "uniqueItems": true })
    }

    fn parse(self, value: &Value, issues: &mut Issues) -> Option<Vec<T>> {
        let Value::Array(items) = value else {
            return issues.refuse(no_array());
        };
        if items.is_empty() {
            return issues.refuse(no_items());
        }
        let mut found = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            let known = self.0.iter().find(|(word, _)| item.as_str() == Some(word));
            let violation = match known {
                Some((_, meaning)) if found.contains(meaning) => listed_twice(),
                Some((_, meaning)) => {
                    found.push(*meaning);
                    continue;
                }
                None => Violation::one_of(&names(self.0)),
            };
            issues.at(index, |issues| issues.add(violation));
        }
        (found.len() == items.len()).then_some(found)
    }
}

fn names<'a, T>(words: &[(&'a str, T)]) -> Vec<&'a str> {
    words.iter().map(|(word, _)| *word).collect()
}

fn as_text<'v>(value: &'v Value, issues: &mut Issues) -> Option<&'v str> {
    match value.as_str() {
        Some(text) => Some(text),
        None => issues.refuse(IssueCode::Type.with("must be a string")),
    }
}
