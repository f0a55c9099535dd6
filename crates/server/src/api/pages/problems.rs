//! The problems of a form, as `templates/pages/forms.html` shows them.

use playout_domain::error::Refusal;
use serde_json::Value;

/// The problems of a form: each beside its field, or one for the form as a whole.
#[derive(Debug, Default)]
pub struct Problems {
    by_field: Vec<(String, String)>,
    message: Option<String>,
}

impl From<&Refusal> for Problems {
    fn from(refusal: &Refusal) -> Self {
        let issues = refusal.details.as_ref().and_then(Value::as_array);
        let by_field: Vec<(String, String)> = issues.into_iter().flatten().filter_map(by_field).collect();
        let message = by_field.is_empty().then(|| refusal.message.clone());
        Self { by_field, message }
    }
}

fn by_field(issue: &Value) -> Option<(String, String)> {
    let name = issue["path"][0].as_str()?;
    Some((name.to_owned(), issue["message"].as_str()?.to_owned()))
}

impl Problems {
    /// The problem of the form as a whole.
    pub fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }

    /// The problem of this field, as a sentence.
    pub fn of(&self, name: &str) -> Option<String> {
        let found = self.by_field.iter().find(|(field, _)| field == name);
        found.map(|(_, message)| sentence(message))
    }

    /// Whether any field has a problem.
    pub fn is_beside_fields(&self) -> bool {
        !self.by_field.is_empty()
    }
}

/// `must be …` as a sentence under a field.
fn sentence(message: &str) -> String {
    let mut rest = message.chars();
    let first = rest.next().into_iter().flat_map(char::to_uppercase);
    let end = if message.ends_with('.') { "" } else { "." };
    first.chain(rest).collect::<String>() + end
}
