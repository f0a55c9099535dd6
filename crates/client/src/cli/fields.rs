//! `--json FIELDS`: chosen fields of a document.

use playout_client::{Error, Kind};
use serde_json::{Map, Value, json};

/// The names under which documents have a list.
const LISTS: [&str; 12] = [
    "posts",
    "platforms",
    "media",
    "folders",
    "webhooks",
    "deliveries",
    "attempts",
    "keys",
    "findings",
    "results",
    "slides",
    "rows",
];
/// The version of a post, which is beside the post itself.
const ETAG: &str = "etag";

/// The chosen fields of each item of a list, as an array; of a post, those of the post itself; of any other document, its own. A field of
/// a field is written with a dot. A field that an item lacks is `null`.
///
/// # Errors
/// `unknown_field` if no item has it; the message and the details list those that there are.
pub(super) fn choose(document: &Value, fields: &[String]) -> Result<Value, Error> {
    let has_all = |object: &Value| fields.iter().all(|field| find(object, field).is_some());
    if has_all(document) {
        return Ok(pick(document, fields));
    }
    if let Some(items) = LISTS.iter().find_map(|name| document[*name].as_array()) {
        check(items, fields)?;
        return Ok(items.iter().map(|item| pick(item, fields)).collect());
    }
    let object = match &document["root"] {
        Value::Object(root) => {
            let mut root = root.clone();
            let etag = document.get(ETAG).map(|etag| (ETAG.to_owned(), etag.clone()));
            root.extend(etag);
            Value::Object(root)
        }
        _ => document.clone(),
    };
    check(std::slice::from_ref(&object), fields)?;
    Ok(pick(&object, fields))
}

/// The fields in `--json=a,b`.
pub(super) fn split(text: &str) -> Vec<String> {
    let fields = text.split(',').map(|field| field.trim().to_owned());
    fields.filter(|field| !field.is_empty()).collect()
}

fn find<'a>(object: &'a Value, field: &str) -> Option<&'a Value> {
    field.split('.').try_fold(object, |value, name| value.get(name))
}

fn pick(object: &Value, fields: &[String]) -> Value {
    let chosen = fields
        .iter()
        .map(|field| (field.clone(), find(object, field).cloned().unwrap_or_default()));
    Value::Object(chosen.collect::<Map<_, _>>())
}

fn check(items: &[Value], fields: &[String]) -> Result<(), Error> {
    let unknown = fields
        .iter()
        .find(|field| items.iter().all(|item| find(item, field).is_none()));
    let (Some(unknown), false) = (unknown, items.is_empty()) else {
        return Ok(());
    };
    let mut known: Vec<&String> = Vec::new();
    for name in items.iter().filter_map(Value::as_object).flat_map(Map::keys) {
        if !known.contains(&name) {
            known.push(name);
        }
    }
    let known: Vec<&str> = known.iter().map(|name| name.as_str()).collect();
    let message = format!(
        "The command was done, but there is no field {unknown:?}; there are {}.",
        known.join(", ")
    );
    let details = json!({ "field": unknown, "known": known });
    Err(Error::new(Kind::Partial, "unknown_field", message).with_details(details))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(document: &Value, fields: &str) -> Result<Value, String> {
        choose(document, &split(fields)).map_err(|error| error.message)
    }

    #[test]
    fn fields_of_a_list_are_an_array() {
        let posts = json!({ "posts": [{ "id": 1, "a": { "b": 2 } }, { "id": 3 }], "nextCursor": null });
        assert_eq!(
            chosen(&posts, "id, a.b").unwrap(),
            json!([{ "id": 1, "a.b": 2 }, { "id": 3, "a.b": null }])
        );
        assert_eq!(
            chosen(&posts, "nextCursor").unwrap(),
            json!({ "nextCursor": null })
        );
        assert_eq!(chosen(&json!({ "posts": [] }), "id").unwrap(), json!([]));
    }

    #[test]
    fn fields_of_a_post_or_another_document_are_an_object() {
        let group = json!({ "root": { "id": 1, "state": "DRAFT" }, "children": [], "etag": "v" });
        assert_eq!(
            chosen(&group, "id,etag").unwrap(),
            json!({ "id": 1, "etag": "v" })
        );
        assert_eq!(chosen(&group, "state").unwrap(), json!({ "state": "DRAFT" }));
        assert_eq!(chosen(&group, "children").unwrap(), json!({ "children": [] }));
        assert_eq!(
            chosen(&json!({ "plan": "free" }), "plan").unwrap(),
            json!({ "plan": "free" })
        );
    }

    #[test]
    fn an_unknown_field_is_refused_with_those_there_are() {
        let message = chosen(&json!({ "posts": [{ "id": 1, "state": 2 }] }), "stat").unwrap_err();
        assert!(
            message.contains("\"stat\"") && message.contains("id, state"),
            "{message}"
        );
    }
}
