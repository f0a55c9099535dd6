//! What could break a client between two versions of the reference (`docs/contract.md#compatibility`). `released.json` is the surface of the
//! last release: what a client may send and will receive, line by line. A release writes it anew (`CONTRIBUTING.md`).

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::document;

const RELEASED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/api/openapi/released.json");
/// Methods of a path, and what else it may hold.
const METHODS: [&str; 6] = ["get", "head", "post", "put", "patch", "delete"];

/// Everything that clients rely on, by its place, such as `POST /public/v1/posts request.content`.
type Surface = BTreeMap<String, Part>;

/// What is known of one place.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Part {
    /// The types, or `operation`, `response` and the like.
    is: BTreeSet<String>,
    /// The words that it may be; empty where it is no choice.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    words: BTreeSet<String>,
    /// Whether it must be sent, or always comes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    required: bool,
}

impl Part {
    fn of(is: &str) -> Self {
        let is = BTreeSet::from([is.to_owned()]);
        Self {
            is,
            ..Self::default()
        }
    }
}

/// Reads a document into its surface.
struct Reader<'a> {
    document: &'a Value,
    surface: Surface,
}

impl<'a> Reader<'a> {
    fn read(document: &'a Value) -> Surface {
        let surface = Surface::new();
        let mut reader = Self { document, surface };
        for (path, methods) in entries(&document["paths"]) {
            for method in METHODS {
                if let Some(operation) = methods.get(method) {
                    reader.operation(&format!("{} {path}", method.to_uppercase()), operation);
                }
            }
        }
        for (event, request) in entries(&document["webhooks"]) {
            let body = &request["post"]["requestBody"]["content"]["application/json"]["schema"];
            reader.schema(&format!("webhook {event} response"), body, true, &mut Vec::new());
        }
        reader.surface
    }

    fn operation(&mut self, name: &str, operation: &'a Value) {
        self.surface.insert(name.to_owned(), Part::of("operation"));
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let parameter = self.resolved(parameter);
            let (at, of) = (text(&parameter["in"]), text(&parameter["name"]));
            let is_required = parameter["required"] == true;
            self.schema(
                &format!("{name} request {at}:{of}"),
                &parameter["schema"],
                is_required,
                &mut Vec::new(),
            );
        }
        let body = self.resolved(&operation["requestBody"]);
        for (content_type, content) in entries(&body["content"]) {
            let place = format!("{name} request {content_type}");
            self.schema(
                &place,
                &content["schema"],
                body["required"] == true,
                &mut Vec::new(),
            );
        }
        for (status, response) in entries(&operation["responses"])
            .into_iter()
            .filter(|(status, _)| status.starts_with('2'))
        {
            let place = format!("{name} response {status}");
            self.surface.insert(place.clone(), Part::of("response"));
            for (content_type, content) in entries(&self.resolved(response)["content"]) {
                self.schema(
                    &format!("{place} {content_type}"),
                    &content["schema"],
                    true,
                    &mut Vec::new(),
                );
            }
        }
    }

    /// Adds a schema at a place, and what is below it. `above` has the references that lead here, which may be a circle.
    fn schema(&mut self, place: &str, schema: &'a Value, is_required: bool, above: &mut Vec<&'a str>) {
        if let Some(reference) = schema["$ref"].as_str() {
            if above.contains(&reference) {
                return;
            }
            above.push(reference);
            self.schema(place, self.resolved(schema), is_required, above);
            above.pop();
            return;
        }
        for choice in ["oneOf", "anyOf"] {
            for variant in schema[choice].as_array().into_iter().flatten() {
                let tag = self.tag_of(schema, variant);
                self.schema(&format!("{place}{tag}"), variant, is_required, above);
            }
        }
        let types = match &schema["type"] {
            Value::Array(types) => types.iter().map(text).map(str::to_owned).collect(),
            Value::String(one) => BTreeSet::from([one.clone()]),
            _ => BTreeSet::new(),
        };
        let words = schema["enum"]
            .as_array()
            .into_iter()
            .flatten()
            .chain(schema.get("const"));
        let part = self.surface.entry(place.to_owned()).or_default();
        part.words.extend(words.filter(|word| !word.is_null()).map(plain));
        part.is.extend(types);
        part.required |= is_required;
        let required: BTreeSet<&str> = schema["required"]
            .as_array()
            .into_iter()
            .flatten()
            .map(text)
            .collect();
        for (name, field) in entries(&schema["properties"]) {
            self.schema(
                &format!("{place}.{name}"),
                field,
                required.contains(name.as_str()),
                above,
            );
        }
        if schema["items"].is_object() {
            self.schema(&format!("{place}[]"), &schema["items"], true, above);
        }
    }

    /// What distinguishes a variant from the others: by its discriminator; nothing where it has none.
    fn tag_of(&self, schema: &Value, variant: &'a Value) -> String {
        let property = text(&schema["discriminator"]["propertyName"]);
        let word = &self.resolved(variant)["properties"][property];
        match word["const"].as_str().or_else(|| word["enum"][0].as_str()) {
            Some(word) => format!("<{word}>"),
            None => String::new(),
        }
    }

    fn resolved(&self, value: &'a Value) -> &'a Value {
        match value["$ref"].as_str() {
            Some(reference) => {
                let found = self.document.pointer(reference.trim_start_matches('#'));
                found.unwrap_or(&Value::Null)
            }
            None => value,
        }
    }
}

fn entries(value: &Value) -> Vec<(&String, &Value)> {
    value.as_object().into_iter().flatten().collect()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Each change from `old` to `new` that could break a client, in words.
fn breaking(old: &Surface, new: &Surface) -> Vec<String> {
    let mut found = Vec::new();
    for (place, before) in old {
        match new.get(place) {
            None if is_part_of_missing(place, new) => {}
            None => found.push(format!("{place} is gone")),
            Some(after) => found.extend(changes(place, before, after)),
        }
    }
    let is_new_demand = |(place, part): &(&String, &Part)| {
        is_request(place) && part.required && !old.contains_key(*place) && old.contains_key(parent(place))
    };
    found.extend(
        new.iter()
            .filter(is_new_demand)
            .map(|(place, _)| format!("{place} is required now")),
    );
    found
}

fn changes(place: &str, before: &Part, after: &Part) -> Vec<String> {
    let mut found = Vec::new();
    // A request may be wider than before, a response narrower.
    let (narrow, wide) = if is_request(place) {
        (after, before)
    } else {
        (before, after)
    };
    for kind in wide.is.difference(&narrow.is) {
        let verb = if is_request(place) { "takes no" } else { "may be" };
        found.push(format!("{place} {verb} {kind} now"));
    }
    if is_request(place) {
        let lost = before.words.difference(&after.words);
        found.extend(
            lost.filter(|_| !after.words.is_empty())
                .map(|word| format!("{place} takes no `{word}` any more")),
        );
        if before.words.is_empty() && !after.words.is_empty() {
            found.push(format!("{place} takes only some words now"));
        }
        if after.required && !before.required {
            found.push(format!("{place} is required now"));
        }
    } else if before.required && !after.required {
        found.push(format!("{place} may be missing now"));
    }
    found
}

fn is_request(place: &str) -> bool {
    place.contains(" request ")
}

/// The place that this one is in: an object, a body, an operation.
fn parent(place: &str) -> &str {
    match place.rfind(['.', '[', '<', ' ']) {
        Some(end) => place[..end]
            .trim_end_matches(" request")
            .trim_end_matches(" response"),
        None => place,
    }
}

/// Whether something that this place is in is gone, which is listed already.
fn is_part_of_missing(place: &str, new: &Surface) -> bool {
    let above = parent(place);
    above != place && above.contains(' ') && !new.contains_key(above)
}

fn released() -> Surface {
    let text = std::fs::read_to_string(RELEASED).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn no_change_since_the_last_release_can_break_a_client() {
    let found = breaking(&released(), &Reader::read(document()));
    assert!(
        found.is_empty(),
        "these break clients of the last release:\n{}",
        found.join("\n")
    );
}

#[test]
#[ignore = "writes the surface of this version: for each release, once"]
fn make() {
    let surface = serde_json::to_string_pretty(&Reader::read(document())).unwrap() + "\n";
    std::fs::write(RELEASED, surface).unwrap();
}

mod tests {
    use serde_json::json;

    use super::*;

    fn kites(change: impl Fn(&mut Value)) -> Surface {
        let mut document = json!({
            "paths": { "/kites": { "post": {
                "parameters": [{ "in": "query", "name": "q", "schema": { "type": "string" } }],
                "requestBody": { "required": true, "content": { "application/json": { "schema": { "$ref": "#/components/schemas/NewKite" } } } },
                "responses": {
                    "201": { "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Kite" } } } },
                    "400": { "content": { "application/json": { "schema": { "type": "object" } } } },
                },
            } } },
            "components": { "schemas": {
                "NewKite": { "type": "object", "required": ["color"], "properties": {
                    "color": { "type": "string", "enum": ["red", "blue"] }, "tail": { "type": ["string", "null"] },
                } },
                "Kite": { "type": "object", "required": ["id", "color"], "properties": {
                    "id": { "type": "string" }, "color": { "type": "string", "enum": ["red", "blue"] },
                    "next": { "$ref": "#/components/schemas/Kite" },
                } },
            } },
        });
        change(&mut document);
        Reader::read(&document)
    }

    #[track_caller]
    fn assert_breaks(expected: &[&str], change: impl Fn(&mut Value)) {
        let found = breaking(&kites(|_| {}), &kites(change));
        assert_eq!(found, expected);
    }

    #[test]
    fn what_is_added_breaks_nothing() {
        assert_breaks(&[], |new| {
            new["paths"]["/boats"] = new["paths"]["/kites"].clone();
            let schemas = &mut new["components"]["schemas"];
            schemas["NewKite"]["properties"]["string"] = json!({ "type": "integer" });
            schemas["NewKite"]["required"] = json!([]);
            schemas["Kite"]["properties"]["color"]["enum"] = json!(["red", "blue", "green"]);
            schemas["Kite"]["properties"]["wind"] = json!({ "type": "integer" });
        });
    }

    #[test]
    fn every_change_that_breaks_a_client_is_named() {
        let (request, response) = (
            "POST /kites request application/json",
            "POST /kites response 201 application/json",
        );
        assert_breaks(&["POST /kites is gone"], |new| new["paths"] = json!({}));
        let set = |at: &'static str, value: Value| {
            move |new: &mut Value| *new.pointer_mut(at).unwrap() = value.clone()
        };
        assert_breaks(
            &["POST /kites request query:q is gone"],
            set("/paths/~1kites/post/parameters", json!([])),
        );
        assert_breaks(
            &[&*format!("{request}.tail takes no null now")],
            set(
                "/components/schemas/NewKite/properties/tail/type",
                json!("string"),
            ),
        );
        assert_breaks(
            &[&*format!("{request}.tail is required now")],
            set("/components/schemas/NewKite/required", json!(["color", "tail"])),
        );
        assert_breaks(
            &[&*format!("{request}.color takes no `blue` any more")],
            set(
                "/components/schemas/NewKite/properties/color/enum",
                json!(["red"]),
            ),
        );
        assert_breaks(
            &[&*format!("{response}.id may be integer now")],
            set(
                "/components/schemas/Kite/properties/id/type",
                json!(["string", "integer"]),
            ),
        );
        assert_breaks(
            &[&*format!("{response}.color may be missing now")],
            set("/components/schemas/Kite/required", json!(["id"])),
        );
        assert_breaks(&["POST /kites response 201 is gone"], |new| {
            let responses = new.pointer_mut("/paths/~1kites/post/responses").unwrap();
            let created = responses.as_object_mut().unwrap().remove("201");
            responses["200"] = created.unwrap();
        });
        assert_breaks(&[&*format!("{request}.wind is required now")], |new| {
            let schema = new.pointer_mut("/components/schemas/NewKite").unwrap();
            schema["properties"]["wind"] = json!({ "type": "integer" });
            schema["required"] = json!(["color", "wind"]);
        });
    }
}
