//! Stored JSON objects as text. A list shows the settings of its posts as they are stored; making values of a thousand of them, and text
//! again, takes as long as reading the posts.

use memchr::memchr2;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value};

/// The most digits of a number that is written back as it was read, whatever reads it.
const MOST_DIGITS: usize = 15;

/// A JSON object as `serde_json` writes it.
#[derive(Debug, Clone, Serialize)]
#[serde(transparent)]
pub struct ObjectText(Box<RawValue>);

impl ObjectText {
    /// Reads what is stored.
    ///
    /// # Errors
    /// When it is no JSON object.
    pub fn read(stored: &str) -> serde_json::Result<Self> {
        match compact(stored) {
            Some(text) if text.starts_with('{') => RawValue::from_string(text).map(Self),
            _ => {
                let values: Map<String, Value> = serde_json::from_str(stored)?;
                to_raw_value(&values).map(Self)
            }
        }
    }

    /// The same as values.
    pub fn values(&self) -> Map<String, Value> {
        serde_json::from_str(self.as_str()).unwrap_or_default()
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        self.0.get()
    }
}

impl PartialEq for ObjectText {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

/// The same without the spaces that PostgreSQL puts between the parts. `None` where reading and writing may change more than that: numbers
/// other than short whole ones, and characters that are escaped.
fn compact(stored: &str) -> Option<String> {
    let mut text = String::with_capacity(stored.len());
    let mut rest = stored;
    while let Some((between, quoted)) = rest.split_once('"') {
        push_compact(&mut text, between)?;
        let end = memchr2(b'"', b'\\', quoted.as_bytes())?;
        let (string, after) = quoted.split_at_checked(end)?;
        text.push('"');
        text.push_str(string);
        text.push('"');
        rest = after.strip_prefix('"')?;
    }
    push_compact(&mut text, rest)?;
    Some(text)
}

/// What stands between two strings.
fn push_compact(text: &mut String, between: &str) -> Option<()> {
    let (mut begins, mut digits) = (0, 0);
    for (index, byte) in between.bytes().enumerate() {
        match byte {
            b'0'..=b'9' if digits < MOST_DIGITS => digits += 1,
            b'0'..=b'9' | b'.' | b'E' | b'-' | b'\\' => return None,
            b'e' if digits > 0 => return None,
            b' ' | b'\t' | b'\n' | b'\r' => {
                text.push_str(between.get(begins..index)?);
                (begins, digits) = (index + 1, 0);
            }
            _ => digits = 0,
        }
    }
    text.push_str(between.get(begins..)?);
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            (-9i64..100).prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 20, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::vec((any::<String>(), inner), 0..4)
                    .prop_map(|entries| Value::Object(entries.into_iter().collect())),
            ]
        })
    }

    proptest! {
        /// As it is stored on SQLite, and nearly as PostgreSQL stores it.
        #[test]
        fn the_text_is_what_the_values_are_written_as(
            settings in prop::collection::vec(("[a-z_ \"]{0,8}", values()), 0..5), is_spaced: bool
        ) {
            let settings: Map<String, Value> = settings.into_iter().collect();
            let stored = match is_spaced {
                true => serde_json::to_string_pretty(&settings).unwrap().replace('\n', " "),
                false => serde_json::to_string(&settings).unwrap(),
            };
            let read: Map<String, Value> = serde_json::from_str(&stored).unwrap();
            let written = ObjectText::read(&stored).unwrap();
            prop_assert_eq!(written.as_str(), serde_json::to_string(&read).unwrap());
        }
    }

    #[test]
    fn spaces_between_the_parts_are_left_out() {
        for (stored, expected) in [
            (
                r#"{"a": [1, true], "b c": "d, e"}"#,
                r#"{"a":[1,true],"b c":"d, e"}"#,
            ),
            (r#"{"a": 1e2, "b": 1.50}"#, r#"{"a":100.0,"b":1.5}"#),
            (r#"{"a": "\u00e9\/", "b": -0}"#, r#"{"a":"é/","b":-0.0}"#),
            ("{\n}", "{}"),
        ] {
            assert_eq!(ObjectText::read(stored).unwrap().as_str(), expected);
        }
    }

    #[test]
    fn what_is_no_object_is_refused() {
        for stored in [
            "",
            "[]",
            "1",
            "null",
            "{",
            r#"{"a"}"#,
            r#"{"a":tru}"#,
            r#"{"a":1}}"#,
            r#"["#,
            r#"{"a" "b"}"#,
        ] {
            assert!(ObjectText::read(stored).is_err(), "{stored}");
        }
    }
}
