//! The parts of pages: forms, their fields and buttons, and the problems beside them.

use playout_domain::error::Refusal;
use serde_json::Value;

use crate::api::html::Html;

/// The problems of a form, by field.
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
    fn of(&self, name: &str) -> Option<&str> {
        let found = self.by_field.iter().find(|(field, _)| field == name);
        found.map(|(_, message)| message.as_str())
    }
}

impl Field<'_> {
    /// A password field: for the current password (`current-password`), or a new one (`new-password`).
    pub fn password<'a>(autocomplete: &'a str, hint: Option<&'a str>) -> Field<'a> {
        Field {
            name: "password",
            label: "Password",
            kind: "password",
            autocomplete,
            hint,
            ..Field::default()
        }
    }

    /// A field for a code of an authenticator app, or a recovery code.
    pub fn code(hint: &str) -> Field<'_> {
        Field {
            name: "code",
            label: "Code",
            kind: "text",
            autocomplete: "one-time-code",
            hint: Some(hint),
            ..Field::default()
        }
    }
}

/// A one-line input.
#[derive(Debug, Clone, Copy, Default)]
pub struct Field<'a> {
    /// Its name in the form, and the key of its problems.
    pub name: &'a str,
    /// Its label on the page.
    pub label: &'a str,
    /// The `type` of the input: `text`, `email`, `password`.
    pub kind: &'a str,
    /// What browsers and password managers may fill in (HTML, "Autofill").
    pub autocomplete: &'a str,
    /// Its present value. Never a password.
    pub value: &'a str,
    /// A hint below the label.
    pub hint: Option<&'a str>,
    /// Whether it may be left empty.
    pub is_optional: bool,
    /// Whether it is shown and sent, and cannot be changed.
    pub is_fixed: bool,
    /// Whether it gets the focus. Where there are problems, the first of them gets it.
    pub is_first: bool,
}

impl Html {
    /// A form that posts to `action`.
    pub fn form(&mut self, action: &str, fill: impl FnOnce(&mut Self)) -> &mut Self {
        self.raw("<form method=\"post\" action=\"")
            .text(action)
            .raw("\">");
        fill(self);
        self.raw("</form>")
    }

    /// A field with its label, its hint, and its problems.
    pub fn field(&mut self, field: Field<'_>, problems: &Problems) -> &mut Self {
        let name = field.name;
        self.raw("<label for=\"").text(name).raw("\">").text(field.label);
        if field.is_optional {
            self.raw(" <small>optional</small>");
        }
        self.raw("</label><input id=\"")
            .text(name)
            .raw("\" name=\"")
            .text(name);
        self.raw("\" type=\"")
            .text(field.kind)
            .raw("\" autocomplete=\"")
            .text(field.autocomplete);
        self.raw("\" value=\"").text(field.value).raw("\"");
        if !field.is_optional {
            self.raw(" required");
        }
        if field.is_fixed {
            self.raw(" readonly");
        }
        let problem = problems.of(name);
        if problem.is_some() {
            self.raw(" aria-invalid=\"true\"");
        }
        if problem.is_some() || field.is_first && problems.by_field.is_empty() {
            self.raw(" autofocus");
        }
        if problem.or(field.hint).is_some() {
            self.raw(" aria-describedby=\"").text(name).raw("-note\"");
        }
        self.raw(">");
        match (problem, field.hint) {
            (Some(problem), _) => self.note(name, "problem", &sentence(problem)),
            (None, Some(hint)) => self.note(name, "hint", hint),
            (None, None) => self,
        }
    }

    fn note(&mut self, name: &str, class: &str, text: &str) -> &mut Self {
        self.raw("<p id=\"")
            .text(name)
            .raw("-note\" class=\"")
            .text(class)
            .raw("\">");
        self.text(text).raw("</p>")
    }

    /// A choice of one of several, each with its value and its label. None is preselected.
    pub fn select(
        &mut self,
        (name, label): (&str, &str),
        options: &[(String, &str)],
        problems: &Problems,
    ) -> &mut Self {
        self.raw("<label for=\"").text(name).raw("\">").text(label);
        self.raw("</label><select id=\"")
            .text(name)
            .raw("\" name=\"")
            .text(name);
        self.raw("\" required><option value=\"\">Choose …</option>");
        for (value, text) in options {
            self.raw("<option value=\"")
                .text(value)
                .raw("\">")
                .text(text)
                .raw("</option>");
        }
        self.raw("</select>");
        match problems.of(name) {
            Some(problem) => self.note(name, "problem", &sentence(problem)),
            None => self,
        }
    }

    /// A hidden field.
    pub fn hidden(&mut self, name: &str, value: &str) -> &mut Self {
        self.raw("<input type=\"hidden\" name=\"").text(name);
        self.raw("\" value=\"").text(value).raw("\">")
    }

    /// The button that sends the form.
    pub fn button(&mut self, label: &str) -> &mut Self {
        self.raw("<button class=\"primary\">")
            .text(label)
            .raw("</button>")
    }

    /// The problems of the form as a whole.
    pub fn problem(&mut self, problems: &Problems) -> &mut Self {
        match &problems.message {
            Some(message) => self
                .raw("<p class=\"problem\" role=\"alert\">")
                .text(message)
                .raw("</p>"),
            None => self,
        }
    }
}

/// `must be …` as a sentence under a field.
fn sentence(message: &str) -> String {
    let mut rest = message.chars();
    let first = rest.next().into_iter().flat_map(char::to_uppercase);
    let end = if message.ends_with('.') { "" } else { "." };
    first.chain(rest).collect::<String>() + end
}
