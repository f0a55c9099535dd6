//! An operation on the page: its parameters, its responses, and a command that calls it.

use serde_json::Value;

use super::contents::{anchor, operations_of, tags};
use super::markdown::Markdown;
use super::samples::samples;
use super::schemas::{Part, Type, description_of, parts_of, resolved, text_of, type_of};
use super::tabs::Tabs;
use super::variables::{Variable, variables_of};
use crate::api::openapi::examples::Examples;

/// A tag with its operations.
pub(super) struct Section {
    pub tag: &'static str,
    pub anchor: String,
    pub description: Markdown,
    pub operations: Vec<Operation>,
}

/// An operation.
pub(super) struct Operation {
    pub id: &'static str,
    pub method: &'static str,
    pub path: &'static str,
    pub summary: &'static str,
    pub description: Markdown,
    pub parameters: Vec<Parameter>,
    pub body: Option<Body>,
    pub responses: Vec<Response>,
    pub sample: Option<Sample>,
}

pub(super) struct Parameter {
    pub name: &'static str,
    pub words: Type,
    /// `path`, `query` or `header`.
    pub location: &'static str,
    pub is_required: bool,
    pub description: Markdown,
}

pub(super) struct Body {
    pub content_type: &'static str,
    pub parts: Vec<Part>,
}

pub(super) struct Response {
    pub status: &'static str,
    /// The type of its body, if the document names it.
    pub words: Option<Type>,
    pub description: Markdown,
}

/// A call and its response.
pub(super) struct Sample {
    /// The call in several languages, as a `curl` command first.
    pub calls: Tabs,
    /// What its variables stand for.
    pub variables: Vec<Variable>,
    pub status: u16,
    /// The response's body, if it has one.
    pub body: Option<String>,
}

impl Operation {
    /// The method in upper case.
    pub(super) fn verb(&self) -> String {
        self.method.to_uppercase()
    }
}

impl Sample {
    /// The call as a `curl` command.
    pub(super) fn command(&self) -> &str {
        self.calls.tabs.first().map_or("", |tab| &tab.code)
    }
}

impl Response {
    /// The first digit of the status.
    pub(super) fn class(&self) -> &'static str {
        &self.status[..1]
    }
}

/// The sections of the reference.
pub(super) fn sections() -> Vec<Section> {
    let section = |(tag, description)| Section {
        tag,
        anchor: anchor(tag),
        description: Markdown(description),
        operations: operations_of(tag)
            .map(|(method, path, operation)| read(method, path, operation))
            .collect(),
    };
    tags().map(section).collect()
}

fn read(method: &'static str, path: &'static str, operation: &'static Value) -> Operation {
    let id = text_of(operation, "operationId");
    let parameters = operation["parameters"].as_array();
    let responses = operation["responses"].as_object();
    Operation {
        id,
        method,
        path,
        summary: text_of(operation, "summary"),
        description: description_of(operation),
        parameters: parameters.into_iter().flatten().map(parameter).collect(),
        body: body(operation),
        responses: responses
            .into_iter()
            .flatten()
            .map(|(status, response)| self::response(status, response))
            .collect(),
        sample: sample(id, method, path),
    }
}

fn parameter(parameter: &'static Value) -> Parameter {
    Parameter {
        name: text_of(parameter, "name"),
        words: type_of(&parameter["schema"]),
        location: text_of(parameter, "in"),
        is_required: parameter["required"] == true,
        description: description_of(parameter),
    }
}

fn body(operation: &'static Value) -> Option<Body> {
    let (content_type, content) = operation["requestBody"]["content"].as_object()?.iter().next()?;
    Some(Body {
        content_type,
        parts: parts_of(resolved(&content["schema"])),
    })
}

fn response(status: &'static str, response: &'static Value) -> Response {
    let response = resolved(response);
    let schema = &response["content"]["application/json"]["schema"];
    Response {
        status,
        words: schema.get("$ref").is_some().then(|| type_of(schema)),
        description: description_of(response),
    }
}

fn sample(id: &'static str, method: &str, path: &str) -> Option<Sample> {
    let step = Examples::built_in().of(id)?;
    let body = (!step.answer.is_null()).then(|| serde_json::to_string_pretty(&step.answer));
    Some(Sample {
        calls: samples(id, step, method, path),
        variables: variables_of(&step.curl(method, path)),
        status: step.status,
        body: body.map(Result::unwrap_or_default),
    })
}
