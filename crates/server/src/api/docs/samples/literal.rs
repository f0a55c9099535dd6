//! JSON as a literal of a programming language, with variables of the environment in place of `$NAME`.

use serde_json::{Map, Value};

use crate::api::openapi::examples::variable_in;

/// The longest line of a sample.
const WIDTH: usize = 100;

/// How a language writes what differs.
pub(super) struct Dialect {
    /// A variable of the environment, after a text that may be empty.
    pub variable: fn(&str, &str) -> String,
    /// A key of an object.
    pub key: fn(&str) -> String,
    pub yes: &'static str,
    pub no: &'static str,
    pub null: &'static str,
    /// What is between the braces of an object on one line and its fields.
    pub padding: &'static str,
    /// How far a level is indented, in columns.
    pub step: usize,
}

impl Dialect {
    /// The literal, in lines where it does not fit into one; the first line begins at the column `indent` and `used` more.
    pub(super) fn literal(&self, value: &Value, indent: usize, used: usize) -> String {
        let line = self.on_one_line(value);
        if indent + used + line.len() <= WIDTH {
            return line;
        }
        let deeper = indent + self.step;
        let (open, close, items): (_, _, Vec<String>) = match value {
            Value::Array(items) => {
                let items = items.iter().map(|item| self.literal(item, deeper, 1));
                ('[', ']', items.collect())
            }
            Value::Object(fields) => {
                let fields = fields.iter().map(|(name, value)| {
                    let key = (self.key)(name);
                    let value = self.literal(value, deeper, key.len() + 3);
                    format!("{key}: {value}")
                });
                ('{', '}', fields.collect())
            }
            _ => return line,
        };
        let margin = " ".repeat(deeper);
        let items: Vec<String> = items.iter().map(|item| format!("{margin}{item},\n")).collect();
        format!("{open}\n{}{}{close}", items.concat(), " ".repeat(indent))
    }

    fn on_one_line(&self, value: &Value) -> String {
        match value {
            Value::Null => self.null.to_owned(),
            Value::Bool(true) => self.yes.to_owned(),
            Value::Bool(false) => self.no.to_owned(),
            Value::Number(number) => number.to_string(),
            Value::String(text) => self.text(text),
            Value::Array(items) => {
                let items: Vec<String> = items.iter().map(|item| self.on_one_line(item)).collect();
                format!("[{}]", items.join(", "))
            }
            Value::Object(fields) if fields.is_empty() => "{}".to_owned(),
            Value::Object(fields) => {
                let fields: Vec<String> = fields
                    .iter()
                    .map(|(name, value)| format!("{}: {}", (self.key)(name), self.on_one_line(value)))
                    .collect();
                format!("{{{0}{1}{0}}}", self.padding, fields.join(", "))
            }
        }
    }

    fn text(&self, text: &str) -> String {
        match variable_in(text) {
            Some((before, name)) => (self.variable)(before, name),
            None => quoted(text),
        }
    }
}

/// A string in quotation marks, as JSON, Python and TypeScript write it.
pub(super) fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// A value without quotation marks.
pub(super) fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The values as strings: headers and forms have no other.
pub(super) fn as_strings(values: &Map<String, Value>) -> Map<String, Value> {
    let strings = values
        .iter()
        .map(|(name, value)| (name.clone(), plain(value).into()));
    strings.collect()
}
