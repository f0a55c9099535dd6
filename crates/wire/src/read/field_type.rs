//! What a field may hold: parsed and described by one value.

use playout_domain::error::Violation;
use serde_json::Value;

use super::issues::Issues;

/// The type of a field with its bounds. It parses values and has a JSON schema.
pub(crate) trait FieldType: Sized {
    /// A parsed value.
    type Parsed;

    /// The schema of its values, `null` excluded, with this description.
    fn schema(self, description: &str) -> Value;

    /// Parses `value`, which is not `null`; `None` after recording at least one problem.
    fn parse(self, value: &Value, issues: &mut Issues) -> Option<Self::Parsed>;

    /// This type, with a check or a conversion of parsed values that the schema does not show.
    fn then<U, C>(self, check: C) -> Then<Self, C>
    where
        C: FnOnce(Self::Parsed) -> Result<U, Violation>,
    {
        Then { field: self, check }
    }

    /// This type, with a keyword of JSON Schema added or replaced; parsing does not depend on it.
    fn with<V: Into<Value>>(self, keyword: &'static str, value: V) -> With<Self, V> {
        With {
            field: self,
            keyword,
            value,
        }
    }

    /// This type, with a schema of its own, made from the description; parsing does not depend on it.
    fn described_as<D>(self, describe: D) -> DescribedAs<Self, D>
    where
        D: FnOnce(&str) -> Value,
    {
        DescribedAs {
            field: self,
            describe,
        }
    }
}

/// See [`FieldType::then`].
pub(crate) struct Then<F, C> {
    field: F,
    check: C,
}

impl<F: FieldType, U, C: FnOnce(F::Parsed) -> Result<U, Violation>> FieldType for Then<F, C> {
    type Parsed = U;

    fn schema(self, description: &str) -> Value {
        self.field.schema(description)
    }

    fn parse(self, value: &Value, issues: &mut Issues) -> Option<U> {
        let parsed = self.field.parse(value, issues)?;
        match (self.check)(parsed) {
            Ok(checked) => Some(checked),
            Err(violation) => issues.refuse(violation),
        }
    }
}

/// See [`FieldType::with`].
pub(crate) struct With<F, V> {
    field: F,
    keyword: &'static str,
    value: V,
}

impl<F: FieldType, V: Into<Value>> FieldType for With<F, V> {
    type Parsed = F::Parsed;

    fn schema(self, description: &str) -> Value {
        let mut schema = self.field.schema(description);
        schema[self.keyword] = self.value.into();
        schema
    }

    fn parse(self, value: &Value, issues: &mut Issues) -> Option<F::Parsed> {
        self.field.parse(value, issues)
    }
}

/// See [`FieldType::described_as`].
pub(crate) struct DescribedAs<F, D> {
    field: F,
    describe: D,
}

impl<F: FieldType, D: FnOnce(&str) -> Value> FieldType for DescribedAs<F, D> {
    type Parsed = F::Parsed;

    fn schema(self, description: &str) -> Value {
        (self.describe)(description)
    }

    fn parse(self, value: &Value, issues: &mut Issues) -> Option<F::Parsed> {
        self.field.parse(value, issues)
    }
}
