//! What a model is asked.

use serde_json::Value;

/// What a model is asked.
#[derive(Debug, Clone)]
pub struct Question {
    /// The conversation so far, in the form of the endpoint: `{ role, content }`.
    pub messages: Vec<Value>,
    /// What the answer shall look like: a JSON schema, and its name.
    pub schema: (&'static str, Value),
    /// How many tokens the answer may take.
    pub max_tokens: u32,
}
