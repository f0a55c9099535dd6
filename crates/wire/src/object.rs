//! JSON objects whose keys are not ours: settings of posts and accounts, and what a provider reports about an account.

use playout_domain::object_text::ObjectText;
use serde::Serialize;
use serde_json::{Map, Value};

/// An object: values, or in a list the text that is stored.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum JsonObject {
    /// Values.
    Values(Map<String, Value>),
    /// Text, written as it is.
    Text(ObjectText),
}

impl From<Map<String, Value>> for JsonObject {
    fn from(values: Map<String, Value>) -> Self {
        Self::Values(values)
    }
}

impl From<ObjectText> for JsonObject {
    fn from(text: ObjectText) -> Self {
        Self::Text(text)
    }
}
