//! `/docs.md`: the reference as Markdown.

use super::contents::tags;
use super::error_table;
use super::operations::{self, Operation};
use super::schemas::{self, Part, Type, text_of};
use crate::api::openapi::document;

/// The whole text.
pub(super) fn text() -> String {
    let info = &document()["info"];
    let mut text = format!(
        "# Playout API\n\n{}\n\n{}\n",
        text_of(info, "summary"),
        text_of(info, "description").replace("](#", "](/docs#")
    );
    for (section, (tag, description)) in operations::sections().iter().zip(tags()) {
        text.push_str(&format!("\n## {tag}\n\n{description}\n"));
        section
            .operations
            .iter()
            .for_each(|operation| write(&mut text, operation));
    }
    text.push_str("\n## Errors\n\n| Code | Status | When |\n|---|---|---|\n");
    for row in error_table::rows() {
        let status = row
            .status
            .map_or("in `results`".to_owned(), |status| status.as_str().to_owned());
        text.push_str(&format!("| `{}` | {status} | {} |\n", row.code, row.meaning.0));
    }
    text.push_str("\n## Objects\n");
    for object in schemas::objects() {
        text.push_str(&format!("\n### {}\n\n{}\n\n", object.name, object.description.0));
        parts(&mut text, &object.parts);
    }
    text
}

fn write(text: &mut String, operation: &Operation) {
    text.push_str(&format!(
        "\n### {}\n\n`{} {}` (`{}`)\n\n{}\n",
        operation.summary,
        operation.verb(),
        operation.path,
        operation.id,
        operation.description.0
    ));
    if !operation.parameters.is_empty() {
        text.push_str("\nParameters:\n\n");
    }
    for parameter in &operation.parameters {
        let required = if parameter.is_required { ", required" } else { "" };
        text.push_str(&format!(
            "- `{}` ({}, in the {}{required}): {}\n",
            parameter.name,
            words(&parameter.words),
            parameter.location,
            one_line(parameter.description.0)
        ));
    }
    if let Some(body) = &operation.body {
        text.push_str(&format!("\nBody, `{}`:\n\n", body.content_type));
        parts(text, &body.parts);
    }
    text.push_str("\nResponses:\n\n");
    for response in &operation.responses {
        let named = response.words.as_ref();
        let named = named.map_or_else(String::new, |named| format!(" ({})", words(named)));
        text.push_str(&format!(
            "- `{}`{named}: {}\n",
            response.status,
            one_line(response.description.0)
        ));
    }
    if let Some(sample) = &operation.sample {
        text.push_str(&format!("\n```sh\n{}\n```\n", sample.command()));
        if !sample.variables.is_empty() {
            text.push('\n');
        }
        for variable in &sample.variables {
            text.push_str(&format!("- `{}`: {}\n", variable.name, variable.meaning.0));
        }
        if let Some(answer) = &sample.body {
            text.push_str(&format!("\n{}:\n\n```json\n{answer}\n```\n", sample.status));
        }
    }
}

fn parts(text: &mut String, parts: &[Part]) {
    for part in parts {
        match part {
            Part::Text(words) => text.push_str(&format!("{}\n\n", words.0)),
            Part::Fields(fields) => {
                for field in fields {
                    let optional = if field.is_required { "" } else { ", optional" };
                    text.push_str(&format!(
                        "- `{}` ({}{optional}): {}\n",
                        field.name,
                        words(&field.words),
                        one_line(field.description.0)
                    ));
                }
                text.push('\n');
            }
        }
    }
}

fn one_line(text: &str) -> String {
    text.replace('\n', " ")
}

/// A type in words, without links.
fn words(described: &Type) -> String {
    match described {
        Type::Object(name) => (*name).to_owned(),
        Type::Values(values) => values
            .iter()
            .map(|value| format!("`{value}`"))
            .collect::<Vec<_>>()
            .join(", "),
        Type::OneOf { types, bounds } => {
            let types: Vec<String> = types.iter().map(words).collect();
            types.join(" or ") + bounds
        }
        Type::ArrayOf(item) => format!("array of {}", words(item)),
        Type::Word(word) => (*word).to_owned(),
    }
}
