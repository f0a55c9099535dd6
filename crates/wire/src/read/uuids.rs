//! Types of fields that are UUIDs.

use std::str::FromStr;

use playout_domain::error::{IssueCode, Violation};
use playout_domain::post::MAX_MEDIA;
use serde_json::{Value, json};

use super::field_type::FieldType;
use super::issues::{Issues, listed_twice, no_array, no_items};
use crate::schema;

/// The most IDs of a list: as many as a post may have media.
const MOST_IDS: usize = MAX_MEDIA;

/// A UUID in its usual form, 36 characters with hyphens (RFC 9562 §4), as an ID of any noun.
pub fn parse_uuid<T: FromStr>(text: &str) -> Option<T> {
    (text.len() == 36).then(|| text.parse().ok()).flatten()
}

/// See [`id`].
pub(crate) struct Id<T> {
    parse: fn(&str) -> Option<T>,
}

/// A UUID.
pub(crate) fn id<T: FromStr>() -> Id<T> {
    Id { parse: parse_uuid }
}

impl<T> FieldType for Id<T> {
    type Parsed = T;

    fn schema(self, description: &str) -> Value {
        json!({ "type": "string", "format": "uuid", "description": description })
    }

    fn parse(self, value: &Value, issues: &mut Issues) -> Option<T> {
        match value.as_str().and_then(self.parse) {
            Some(id) => Some(id),
            None => issues.refuse(Violation::no_uuid()),
        }
    }
}

/// See [`id_or_null`].
pub(crate) struct IdOrNull<T>(Id<T>);

/// A UUID, or the word `null`, parsed as `None`.
pub(crate) fn id_or_null<T: FromStr>() -> IdOrNull<T> {
    IdOrNull(id())
}

impl<T> FieldType for IdOrNull<T> {
    type Parsed = Option<T>;

    fn schema(self, description: &str) -> Value {
        json!({ "type": "string", "pattern": schema::UUID_OR_NULL, "description": description })
    }

    fn parse(self, value: &Value, issues: &mut Issues) -> Option<Option<T>> {
        if value == "null" {
            return Some(None);
        }
        match value.as_str().and_then(self.0.parse) {
            Some(id) => Some(Some(id)),
            None => issues.refuse(IssueCode::Format.with("must be a UUID or null")),
        }
    }
}

/// See [`ids`].
pub(crate) struct Ids<T> {
    may_be_empty: bool,
    item: Id<T>,
}

/// An array of at most 200 UUIDs, without duplicates.
pub(crate) fn ids<T: FromStr + PartialEq>() -> Ids<T> {
    Ids {
        may_be_empty: true,
        item: id(),
    }
}

/// An array of one to 200 UUIDs, without duplicates.
pub(crate) fn nonempty_ids<T: FromStr + PartialEq>() -> Ids<T> {
    Ids {
        may_be_empty: false,
        item: id(),
    }
}

impl<T: PartialEq> FieldType for Ids<T> {
    type Parsed = Vec<T>;

    fn schema(self, description: &str) -> Value {
        let item = json!({ "type": "string", "format": "uuid" });
        let mut schema = json!({
            "type": "array", "description": description, "items": item, "maxItems": MOST_IDS, "uniqueItems": true,
        });
        if !self.may_be_empty {
            schema["minItems"] = 1.into();
        }
        schema
    }

    fn parse(self, value: &Value, issues: &mut Issues) -> Option<Vec<T>> {
        let Value::Array(items) = value else {
            return issues.refuse(no_array());
        };
        if items.is_empty() && !self.may_be_empty {
            return issues.refuse(no_items());
        }
        if items.len() > MOST_IDS {
            return issues.refuse(IssueCode::TooLong.with(format!("must have at most {MOST_IDS} items")));
        }
        let mut ids = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            let violation = match item.as_str().and_then(self.item.parse) {
                Some(id) if ids.contains(&id) => listed_twice(),
                Some(id) => {
                    ids.push(id);
                    continue;
                }
                None => Violation::no_uuid(),
            };
            issues.at(index, |issues| issues.add(violation));
        }
        (ids.len() == items.len()).then_some(ids)
    }
}
