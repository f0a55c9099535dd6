//! The shapes of everything the API answers, as a committed file: a field that vanishes, is renamed, moves or changes its
//! type breaks clients, and this test (contract §1, "Deprecation").

use serde_json::{Map, Value, json};

use crate::harness::{CLIP, Db, TestApp};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/api/shapes.json");
const POSTS: &str = "/public/v1/posts";

/// Objects of free form: their keys are data.
const FREE: [&str; 3] = ["metadata", "settings", "details"];

#[tokio::test]
async fn the_shapes_of_all_answers_are_those_that_clients_know() {
    let shapes = shapes().await;
    let text = serde_json::to_string_pretty(&shapes).unwrap() + "\n";
    if std::fs::read_to_string(FILE).unwrap_or_default() != text {
        std::fs::write(FILE, text).unwrap();
        panic!("shapes.json was out of date and is rewritten now; look at what changed, and commit it");
    }
}

/// The shape of each resource, from answers in which it is empty and answers in which it is full.
async fn shapes() -> Value {
    let t = TestApp::start(Db::Sqlite).await;
    let platform = t.connect_business("kitestudio").await;
    let mut shapes = Map::new();
    let mut note = |name: &str, sample: &Value| {
        let known = shapes.remove(name);
        let seen = shape(sample);
        shapes.insert(
            name.to_owned(),
            known.map_or(seen.clone(), |known| merged(known, seen)),
        );
    };
    for sample in platforms(&t, &platform).await {
        note(sample.0, &sample.1);
    }
    for sample in media(&t).await {
        note(sample.0, &sample.1);
    }
    for sample in posts(&t, &platform).await {
        note(sample.0, &sample.1);
    }
    note("usage", &t.api.get("/public/v1/usage").await.ok());
    note("usage", &limited(&t).await);
    note(
        "error",
        &t.api
            .post(POSTS, &json!({}))
            .await
            .refused(400, "invalid_request"),
    );
    note(
        "error",
        &t.api.get("/public/v1/nothing").await.refused(404, "not_found"),
    );
    shapes.sort_keys();
    shapes.into()
}

type Samples = Vec<(&'static str, Value)>;

async fn platforms(t: &TestApp, platform: &str) -> Samples {
    let list = t.api.get("/public/v1/platforms").await.ok();
    let schema = t
        .api
        .get(&format!("/public/v1/platforms/{platform}/schema"))
        .await
        .ok();
    vec![
        ("platform", list["platforms"][0].clone()),
        ("platform list", list),
        ("platform schema", schema["schema"].clone()),
        ("platform with schema", schema),
    ]
}

async fn media(t: &TestApp) -> Samples {
    let folder = t
        .api
        .post("/public/v1/media/folders", &json!({ "name": "Kites" }))
        .await
        .ok();
    let place = folder["id"].as_str().unwrap();
    t.api.upload_photo(300, 400).await;
    let clip = t
        .api
        .upload_form(("clip.mp4", "video/mp4", CLIP), &[("folderId", place)])
        .await
        .ok();
    let last = t.api.get("/public/v1/media?limit=1").await.ok();
    let list = t.api.get("/public/v1/media").await.ok();
    vec![
        ("media folder", folder),
        (
            "media folder list",
            t.api.get("/public/v1/media/folders").await.ok(),
        ),
        ("media object", clip),
        ("media object", list["media"][0].clone()),
        ("media object", list["media"][1].clone()),
        ("media list", last),
        ("media list", list),
    ]
}

async fn posts(t: &TestApp, platform: &str) -> Samples {
    let never = "0196f3a0-0000-7000-8000-000000000000";
    let photo = t.api.upload_photo(300, 400).await;
    let mut body = json!({
        "platformIds": [platform, never], "content": "Kites", "mode": "schedule", "scheduledFor": "2026-11-21T12:00:00Z",
        "mediaIds": [photo], "settings": { "privacy_level": "PUBLIC_TO_EVERYONE", "allow_comment": true },
        "comments": [{ "content": "First", "delayInMinutes": 1 }, { "content": "Second" }],
    });
    let results = t.api.post(POSTS, &body).await.ok();
    let invalid = t.api.post("/public/v1/posts/validate", &body).await.ok();
    let id = results["results"][0]["post"]["root"]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    body["comments"] = json!([]);
    body["mode"] = json!("now");
    body["platformIds"] = json!([platform]);
    t.sim.fail(playout_tiktok::sim::FailRule::next("spam_risk_text"));
    let refused = t.api.create_post(&body).await;
    t.settled(&refused).await;
    let queued = t.group(&id).await;
    let page = t.api.get(&format!("{POSTS}?limit=1")).await.ok();
    let out = t
        .group_until(&id, |group| {
            group["root"]["releaseUrl"].is_string() && group["children"][1]["state"] == "PUBLISHED"
        })
        .await;
    let mut samples = vec![
        ("create results", results),
        ("validate results", invalid),
        ("post list", page),
    ];
    samples.push(("post list", t.api.get(POSTS).await.ok()));
    for group in [queued, out, t.group(&refused).await] {
        let children = group["children"].as_array().unwrap().clone();
        samples.push(("post", group["root"].clone()));
        samples.extend(children.into_iter().map(|child| ("post", child)));
        samples.push(("post group", group));
    }
    for post in [&id, &refused] {
        let attempts = t.api.get(&format!("{POSTS}/{post}/attempts")).await.ok();
        samples.push(("attempts", attempts));
    }
    samples
}

/// The usage of a workspace whose plan has limits.
async fn limited(t: &TestApp) -> Value {
    let (api, _) = t.stranger_on(Some("free"), "harborbakes").await;
    api.get("/public/v1/usage").await.ok()
}

/// What kind of value it is: names of kinds for values, the merged shape of its items for an array.
fn shape(value: &Value) -> Value {
    match value {
        Value::Null => "null".into(),
        Value::Bool(_) => "boolean".into(),
        Value::Number(number) if number.is_f64() => "number".into(),
        Value::Number(_) => "integer".into(),
        Value::String(text) => kind_of(text).into(),
        Value::Array(items) => {
            let items = items.iter().map(shape).reduce(merged);
            Value::Array(items.into_iter().collect())
        }
        Value::Object(map) => map
            .iter()
            .map(|(name, value)| (name.clone(), field(name, value)))
            .collect(),
    }
}

fn field(name: &str, value: &Value) -> Value {
    // The schema's settings are described; everywhere else they are the client's or the provider's.
    let is_free = FREE.contains(&name) && value.get("fields").is_none() && !value.is_null();
    if is_free { "anything".into() } else { shape(value) }
}

fn kind_of(text: &str) -> &'static str {
    let is_time = text.len() == 24 && playout_domain::time::Time::parse(text).is_ok();
    match text {
        _ if text.len() == 36 && text.parse::<uuid::Uuid>().is_ok() => "uuid",
        _ if is_time => "date-time",
        _ if text.starts_with("http://") || text.starts_with("https://") => "uri",
        _ => "string",
    }
}

/// The shape of what is one or the other. A field that only one has gets a question mark.
fn merged(one: Value, other: Value) -> Value {
    match (one, other) {
        (one, other) if one == other => one,
        (Value::Array(one), Value::Array(other)) => {
            let items = one.into_iter().chain(other).reduce(merged);
            Value::Array(items.into_iter().collect())
        }
        (Value::Object(one), Value::Object(other)) => merged_fields(one, other),
        (Value::String(one), Value::String(other)) => either(&one, &other).into(),
        (Value::String(null), shape) | (shape, Value::String(null)) if null == "null" => {
            json!({ "null or": shape })
        }
        (one, other) => panic!("{one} and {other}"),
    }
}

/// `null|uuid` for what is null or a UUID. A text that happens to look like something is still a text.
fn either(one: &str, other: &str) -> String {
    let mut kinds: Vec<&str> = one.split('|').chain(other.split('|')).collect();
    if kinds.contains(&"string") {
        kinds.retain(|kind| ["string", "null"].contains(kind));
    }
    kinds.sort_unstable();
    kinds.dedup();
    kinds.join("|")
}

fn merged_fields(one: Map<String, Value>, mut other: Map<String, Value>) -> Value {
    let mut fields = Map::new();
    for (name, value) in one {
        let plain = name.trim_end_matches('?').to_owned();
        let theirs = other.shift_remove(&plain).map(|value| (plain.clone(), value));
        let theirs = theirs.or_else(|| Some((name.clone(), other.shift_remove(&name)?)));
        match theirs {
            Some((same, theirs)) if same == name => fields.insert(name, merged(value, theirs)),
            Some((_, theirs)) => fields.insert(name, merged(value, theirs)),
            None => fields.insert(format!("{plain}?"), value),
        };
    }
    for (name, value) in other {
        fields.insert(format!("{}?", name.trim_end_matches('?')), value);
    }
    fields.into()
}
