//! Types of fields that are numbers, or `true` and `false`.

use playout_domain::error::IssueCode;
use serde_json::{Value, json};

use super::field_type::FieldType;
use super::issues::Issues;

/// See [`whole_number`].
pub(crate) struct WholeNumber {
    least: u32,
    most: u32,
}

/// A whole number within these inclusive bounds.
pub(crate) fn whole_number((least, most): (u32, u32)) -> WholeNumber {
    WholeNumber { least, most }
}

impl FieldType for WholeNumber {
    type Parsed = u32;

    fn schema(self, description: &str) -> Value {
        json!({ "type": "integer", "description": description, "minimum": self.least, "maximum": self.most })
    }

    fn parse(self, value: &Value, issues: &mut Issues) -> Option<u32> {
        let Self { least, most } = self;
        match as_whole(value) {
            Some(number) if (least..=most).contains(&number) => Some(number),
            _ => {
                let is_whole = value.as_f64().is_some_and(|number| number.fract() == 0.0);
                let code = if is_whole {
                    IssueCode::Range
                } else {
                    IssueCode::Type
                };
                issues.refuse(code.with(format!("must be a whole number from {least} to {most}")))
            }
        }
    }
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

/// See [`number`].
pub(crate) struct AnyNumber<C> {
    least: u32,
    most: u32,
    convert: C,
}

/// A number, whole or not, within these bounds, converted with `convert`, which returns `None` outside of them.
pub(crate) fn number<T, C>((least, most): (u32, u32), convert: C) -> AnyNumber<C>
where
    C: FnOnce(f64) -> Option<T>,
{
    AnyNumber { least, most, convert }
}

impl<T, C: FnOnce(f64) -> Option<T>> FieldType for AnyNumber<C> {
    type Parsed = T;

    fn schema(self, description: &str) -> Value {
        json!({ "type": "number", "minimum": self.least, "maximum": self.most, "description": description })
    }

    fn parse(self, value: &Value, issues: &mut Issues) -> Option<T> {
        match value.as_f64().and_then(self.convert) {
            Some(converted) => Some(converted),
            None => {
                let code = if value.is_number() {
                    IssueCode::Range
                } else {
                    IssueCode::Type
                };
                let (least, most) = (self.least, self.most);
                issues.refuse(code.with(format!("must be a number from {least} to {most}")))
            }
        }
    }
}

/// See [`flag`].
pub(crate) struct Flag;

/// `true` or `false`.
pub(crate) fn flag() -> Flag {
    Flag
}

impl FieldType for Flag {
    type Parsed = bool;

    fn schema(self, description: &str) -> Value {
        json!({ "type": "boolean", "description": description })
    }

    fn parse(self, value: &Value, issues: &mut Issues) -> Option<bool> {
        match value {
            Value::Bool(flag) => Some(*flag),
            _ => issues.refuse(IssueCode::Type.with("must be true or false")),
        }
    }
}
