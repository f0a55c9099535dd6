//! Reads JSON bodies field by field; unknown fields are ignored, wrong types are refused.

use serde_json::Value;

use crate::sim::answer::Refusal;
use crate::sim::call::Call;
use crate::sim::knobs::ParamCode;

/// A JSON object and where it is in the body.
#[derive(Clone, Copy)]
pub(super) struct Object<'a> {
    value: &'a Value,
    path: &'a str,
    code: ParamCode,
}

/// The body as JSON; an empty body is an empty object.
pub(super) fn read(call: &Call, code: ParamCode) -> Result<Value, Refusal> {
    if call.body.is_empty() {
        return Ok(Value::Object(serde_json::Map::new()));
    }
    let value = serde_json::from_slice(&call.body).ok().filter(Value::is_object);
    value.ok_or_else(|| invalid(code, "The request body is not valid JSON"))
}

/// A parameter is wrong.
pub(super) fn invalid(code: ParamCode, message: &str) -> Refusal {
    Refusal::new(400, code.as_str(), message)
}

impl<'a> Object<'a> {
    pub(super) fn root(value: &'a Value, code: ParamCode) -> Self {
        Self {
            value,
            path: "",
            code,
        }
    }

    /// A refusal that names the field.
    pub(super) fn refuse(&self, field: &str, problem: &str) -> Refusal {
        let dot = if self.path.is_empty() { "" } else { "." };
        invalid(self.code, &format!("{}{dot}{field} {problem}", self.path))
    }

    /// A refusal in the provider's own words.
    pub(super) fn wrong(&self, message: &str) -> Refusal {
        invalid(self.code, message)
    }

    fn get(&self, field: &str) -> Option<&'a Value> {
        self.value.get(field).filter(|value| !value.is_null())
    }

    pub(super) fn object(&self, field: &'a str) -> Result<Object<'a>, Refusal> {
        match self.get(field) {
            Some(value) if value.is_object() => Ok(Object {
                value,
                path: field,
                code: self.code,
            }),
            Some(_) => Err(self.refuse(field, "must be an object")),
            None => Err(self.refuse(field, "is required")),
        }
    }

    pub(super) fn text(&self, field: &str) -> Result<Option<&'a str>, Refusal> {
        match self.get(field) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(self.refuse(field, "must be a string")),
        }
    }

    pub(super) fn required_text(&self, field: &str) -> Result<&'a str, Refusal> {
        self.text(field)?
            .filter(|text| !text.is_empty())
            .ok_or_else(|| self.refuse(field, "is required"))
    }

    /// The text at `field`, if it is one of `words`.
    pub(super) fn find_word(&self, field: &str, words: &[&str]) -> Option<&'a str> {
        self.get(field)?.as_str().filter(|text| words.contains(text))
    }

    /// A text of at most `limit` UTF-16 units; empty when absent.
    pub(super) fn bounded_text(&self, field: &str, limit: usize) -> Result<String, Refusal> {
        let text = self.text(field)?.unwrap_or("");
        if text.encode_utf16().count() > limit {
            return Err(self.refuse(field, &format!("is longer than {limit} UTF-16 units")));
        }
        Ok(text.to_owned())
    }

    /// False when absent.
    pub(super) fn flag(&self, field: &str) -> Result<bool, Refusal> {
        match self.get(field) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(_) => Err(self.refuse(field, "must be a boolean")),
        }
    }

    pub(super) fn number(&self, field: &str) -> Result<Option<u64>, Refusal> {
        match self.get(field) {
            None => Ok(None),
            Some(value) => value
                .as_u64()
                .map(Some)
                .ok_or_else(|| self.refuse(field, "must be an integer, 0 or more")),
        }
    }

    pub(super) fn required_number(&self, field: &str) -> Result<u64, Refusal> {
        self.number(field)?
            .ok_or_else(|| self.refuse(field, "is required"))
    }

    pub(super) fn texts(&self, field: &str) -> Result<Vec<String>, Refusal> {
        let items = match self.get(field) {
            Some(Value::Array(items)) => items,
            Some(_) => return Err(self.refuse(field, "must be a list")),
            None => return Err(self.refuse(field, "is required")),
        };
        let texts = items.iter().map(|item| item.as_str().map(str::to_owned));
        texts
            .collect::<Option<_>>()
            .ok_or_else(|| self.refuse(field, "must be a list of strings"))
    }
}
