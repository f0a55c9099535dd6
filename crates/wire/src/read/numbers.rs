//! Numbers that need not be whole, and objects that may be `null`.

use playout_domain::error::IssueCode;
use serde_json::Value;

use super::{Field, ObjectReader};

impl ObjectReader<'_> {
    /// An object parsed with `read`, or the meaning of `null`; `Some(None)` if the field is absent.
    pub fn object_or_null<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(&mut ObjectReader<'_>) -> Option<T>,
    ) -> Field<Option<Option<T>>> {
        let map = match self.map.get(name) {
            None => return Some(None),
            Some(Value::Null) => return Some(Some(None)),
            Some(Value::Object(map)) => map,
            Some(_) => return self.refuse(name, IssueCode::Type.with("must be an object or null")),
        };
        let mut reader = ObjectReader {
            map,
            path: self.path_to(name),
            issues: Vec::new(),
        };
        let value = read(&mut reader);
        self.issues.append(&mut reader.issues);
        value.map(|value| Some(Some(value)))
    }

    /// A required number, whole or not, within these bounds, converted with `convert`.
    pub fn number<T>(
        &mut self,
        name: &'static str,
        (least, most): (u32, u32),
        convert: impl FnOnce(f64) -> Option<T>,
    ) -> Field<T> {
        let value = self.required(name)?;
        match value.as_f64().and_then(convert) {
            Some(converted) => Some(converted),
            None => {
                let code = if value.is_number() {
                    IssueCode::Range
                } else {
                    IssueCode::Type
                };
                self.refuse(
                    name,
                    code.with(format!("must be a number from {least} to {most}")),
                )
            }
        }
    }
}
