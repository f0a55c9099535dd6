//! What the reference lists: tags, and the operations under each.

use serde_json::Value;

use crate::api::openapi::document;

pub(super) fn tags() -> impl Iterator<Item = (&'static str, &'static str)> {
    let tags = document()["tags"].as_array().into_iter().flatten();
    tags.map(|tag| {
        (
            tag["name"].as_str().unwrap_or_default(),
            tag["description"].as_str().unwrap_or_default(),
        )
    })
}

/// The operations with this tag, each with its method and path.
pub(super) fn operations_of(tag: &str) -> impl Iterator<Item = (&'static str, &'static str, &'static Value)> {
    let paths = document()["paths"].as_object().into_iter().flatten();
    let all = paths.flat_map(|(path, methods)| {
        let methods = methods.as_object().into_iter().flatten();
        methods.map(move |(method, operation)| (method.as_str(), path.as_str(), operation))
    });
    all.filter(move |(_, _, operation)| operation["tags"][0] == tag)
}

pub(super) fn anchor(name: &str) -> String {
    name.to_lowercase().replace(' ', "-")
}
