//! Verified examples: `examples.json` is a sequence of API calls. Requests are written by hand, with variables such as `$POST_ID`
//! for values of earlier responses; responses are recorded by a test, which fails when the service responds differently. The
//! reference shows each step as a `curl` command, and a test runs them all in a shell.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

static BUILT_IN: LazyLock<Examples> =
    LazyLock::new(|| serde_json::from_str(include_str!("examples.json")).unwrap_or_default());

/// A sequence of API calls.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
pub struct Examples {
    /// The values of the variables where the reference must show real ones.
    pub values: Map<String, Value>,
    /// The calls, in order.
    pub steps: Vec<Step>,
}

/// One call.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub struct Step {
    /// The operation's ID.
    pub operation: String,
    /// The caller, if it is not a program with a key.
    #[serde(rename = "as", skip_serializing_if = "Whom::is_program")]
    pub whom: Whom,
    /// The path's parameters.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub path: Map<String, Value>,
    /// The query's parameters.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub query: Map<String, Value>,
    /// Further headers.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub headers: Map<String, Value>,
    /// The JSON body.
    #[serde(skip_serializing_if = "Value::is_null")]
    pub body: Value,
    /// The parts of a form; `@name` is a file.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub form: Map<String, Value>,
    /// The fields of a form without files.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub fields: Map<String, Value>,
    /// The file whose bytes are the body: `@name`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub bytes: String,
    /// The file to which a response that is no text is written.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub output: String,
    /// Whether the response has no end.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub endless: bool,
    /// The variables that later steps need, each with its place in the response (RFC 6901).
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub save: Map<String, Value>,
    /// The response's status.
    pub status: u16,
    /// The response's body.
    #[serde(skip_serializing_if = "Value::is_null")]
    pub answer: Value,
}

/// The caller of a step.
#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Whom {
    /// A program with a workspace's key: `PLAYOUT_API_KEY`.
    #[default]
    Program,
    /// A person with a session: `PLAYOUT_SESSION`.
    Person,
    /// Anyone, without authentication.
    Anybody,
}

impl Whom {
    fn is_program(&self) -> bool {
        *self == Self::Program
    }

    /// The variable with the credentials.
    pub fn proof(self) -> Option<&'static str> {
        match self {
            Self::Program => Some("PLAYOUT_API_KEY"),
            Self::Person => Some("PLAYOUT_SESSION"),
            Self::Anybody => None,
        }
    }
}

impl Examples {
    /// The examples of the reference.
    pub fn built_in() -> &'static Self {
        &BUILT_IN
    }

    /// The first step that shows an operation.
    pub fn of(&self, operation: &str) -> Option<&Step> {
        self.steps.iter().find(|step| step.operation == operation)
    }

    /// The body that a step sends, with values for its variables.
    pub fn request(&self, step: &Step) -> Option<Value> {
        let fields = Value::Object(step.fields.clone());
        let body = if step.fields.is_empty() {
            &step.body
        } else {
            &fields
        };
        let body = Some(body).filter(|body| !body.is_null())?;
        Some(filled(body, &self.values))
    }
}

/// The value with its variables replaced.
pub fn filled(value: &Value, values: &Map<String, Value>) -> Value {
    match value {
        Value::String(text) => match variable_in(text) {
            Some(("", name)) => values.get(name).unwrap_or(value).clone(),
            Some((before, name)) => match values.get(name).and_then(Value::as_str) {
                Some(named) => format!("{before}{named}").into(),
                None => value.clone(),
            },
            None => value.clone(),
        },
        Value::Array(items) => items.iter().map(|item| filled(item, values)).collect(),
        Value::Object(map) => {
            let entries = map
                .iter()
                .map(|(key, value)| (key.clone(), filled(value, values)));
            Value::Object(entries.collect())
        }
        other => other.clone(),
    }
}

/// What is before the variable with which a text ends, and its name: `first-$POST_ID`.
pub fn variable_in(text: &str) -> Option<(&str, &str)> {
    let (before, name) = text.rsplit_once('$')?;
    let is_name = |c: char| c.is_ascii_uppercase() || c == '_';
    (!name.is_empty() && name.chars().all(is_name)).then_some((before, name))
}

impl Step {
    /// The step as a command for a shell in which `PLAYOUT_API_URL`, the credentials and the step's variables are set.
    pub fn curl(&self, method: &str, path: &str) -> String {
        let mut parts = vec![format!("curl -sS --fail-with-body \"{}\"", self.address(path))];
        if !method.eq_ignore_ascii_case("get") {
            let flag = if method.eq_ignore_ascii_case("head") {
                "--head".to_owned()
            } else {
                format!("-X {}", method.to_ascii_uppercase())
            };
            parts.push(flag);
        }
        if self.endless {
            parts.push("-N".to_owned());
        }
        if !self.output.is_empty() {
            parts.push(format!("--output {}", self.output));
        }
        let proof = self.whom.proof().into_iter();
        parts.extend(proof.map(|name| format!("-H \"Authorization: Bearer ${name}\"")));
        let headers = self.headers.iter();
        parts.extend(headers.map(|(name, value)| format!("-H \"{name}: {}\"", plain(value))));
        let form = self.form.iter();
        parts.extend(form.map(|(name, value)| format!("-F \"{name}={}\"", plain(value))));
        let fields = self.fields.iter();
        parts.extend(fields.map(|(name, value)| format!("--data-urlencode \"{name}={}\"", plain(value))));
        if !self.bytes.is_empty() {
            parts.push(format!("--data-binary \"{}\"", self.bytes));
        }
        if self.body.is_null() {
            return parts.join(" \\\n  ");
        }
        let body = serde_json::to_string_pretty(&self.body).unwrap_or_default();
        parts.push(format!("--json @- <<JSON\n{body}\nJSON"));
        parts.join(" \\\n  ")
    }

    fn address(&self, path: &str) -> String {
        let mut address = format!("$PLAYOUT_API_URL{path}");
        for (name, value) in &self.path {
            address = address.replace(&format!("{{{name}}}"), &plain(value));
        }
        for (index, (name, value)) in self.query.iter().enumerate() {
            address.push(if index == 0 { '?' } else { '&' });
            address.push_str(&format!("{name}={}", plain(value)));
        }
        address
    }
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
