//! An operation on the page: its parameters, its responses, and a command that calls it.

use serde_json::Value;

use super::contents::{anchor, operations_of};
use super::schemas;
use crate::api::html::{Html, escaped, markdown};
use crate::api::openapi::examples::Examples;

/// The operations under a tag.
pub(super) fn section(html: &mut Html, tag: &str, description: &str) {
    html.raw("<section id=\"")
        .text(&anchor(tag))
        .raw("\"><h2>")
        .text(tag)
        .raw("</h2>")
        .raw(&markdown(description));
    for (method, path, operation) in operations_of(tag) {
        article(html, (method, path), operation);
    }
    html.raw("</section>");
}

/// A method as a coloured word.
pub(super) fn badge(method: &str) -> String {
    format!(
        "<b class=\"method {method}\">{}</b> ",
        escaped(&method.to_uppercase())
    )
}

fn article(html: &mut Html, (method, path): (&str, &str), operation: &Value) {
    let id = operation["operationId"].as_str().unwrap_or_default();
    html.raw("<article id=\"")
        .text(id)
        .raw("\"><h3><a href=\"#")
        .text(id)
        .raw("\">")
        .text(operation["summary"].as_str().unwrap_or_default())
        .raw("</a></h3><p class=\"route\">")
        .raw(&badge(method))
        .raw("<code>")
        .text(path)
        .raw("</code></p><div class=\"columns\"><div class=\"prose\">")
        .raw(&markdown(operation["description"].as_str().unwrap_or_default()));
    parameters(html, operation);
    body(html, operation);
    answers(html, operation);
    html.raw("</div><div class=\"samples\">");
    samples(html, (method, path), operation);
    html.raw("</div></div></article>");
}

fn parameters(html: &mut Html, operation: &Value) {
    let Some(parameters) = operation["parameters"].as_array().filter(|all| !all.is_empty()) else {
        return;
    };
    html.raw("<h4>Parameters</h4><dl>");
    for parameter in parameters {
        html.raw("<dt><code>")
            .text(parameter["name"].as_str().unwrap_or_default())
            .raw("</code> <span class=\"type\">")
            .raw(&schemas::type_of(&parameter["schema"]))
            .raw(" · in the ")
            .text(parameter["in"].as_str().unwrap_or_default())
            .raw("</span>");
        if parameter["required"] == true {
            html.raw(" <span class=\"required\">required</span>");
        }
        html.raw("</dt><dd>")
            .raw(&markdown(parameter["description"].as_str().unwrap_or_default()))
            .raw("</dd>");
    }
    html.raw("</dl>");
}

fn body(html: &mut Html, operation: &Value) {
    let content = operation["requestBody"]["content"]
        .as_object()
        .and_then(|content| content.iter().next());
    let Some((content_type, content)) = content else {
        return;
    };
    html.raw("<h4>Body <span class=\"type\">")
        .text(content_type)
        .raw("</span></h4>");
    schemas::fields(html, schemas::resolved(&content["schema"]));
}

fn answers(html: &mut Html, operation: &Value) {
    html.raw("<h4>Answers</h4><dl class=\"answers\">");
    for (status, response) in operation["responses"].as_object().into_iter().flatten() {
        let response = schemas::resolved(response);
        html.raw("<dt><span class=\"status s")
            .text(&status[..1])
            .raw("\">")
            .text(status)
            .raw("</span>");
        let schema = &response["content"]["application/json"]["schema"];
        if schema.get("$ref").is_some() {
            html.raw(" <span class=\"type\">")
                .raw(&schemas::type_of(schema))
                .raw("</span>");
        }
        html.raw("</dt><dd>")
            .raw(&markdown(response["description"].as_str().unwrap_or_default()))
            .raw("</dd>");
    }
    html.raw("</dl>");
}

fn samples(html: &mut Html, (method, path): (&str, &str), operation: &Value) {
    let id = operation["operationId"].as_str().unwrap_or_default();
    let Some(step) = Examples::built_in().of(id) else {
        return;
    };
    html.raw("<pre class=\"curl\" data-operation=\"")
        .text(id)
        .raw("\" tabindex=\"0\"><code>")
        .text(&step.curl(method, path))
        .raw("</code></pre><p class=\"status-line\"><span class=\"status s2\">")
        .text(&step.status.to_string())
        .raw("</span></p>");
    if !step.answer.is_null() {
        let answer = serde_json::to_string_pretty(&step.answer).unwrap_or_default();
        html.raw("<pre class=\"answer\" tabindex=\"0\"><code>")
            .text(&answer)
            .raw("</code></pre>");
    }
}
