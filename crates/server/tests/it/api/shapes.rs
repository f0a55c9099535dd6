//! The shapes of everything the API answers, as a committed file: a field that vanishes, is renamed, moves or changes its
//! type breaks clients, and this test (`docs/contract.md#compatibility`).

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use playout_tiktok::sim::{Endpoint, FailRule, Fault, FaultAction, HoldPoint};
use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{CLIP, Db, Model, Options, Receiver, Reply, Takes, TestApp, captions};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/api/shapes.json");
const POSTS: &str = "/public/v1/posts";

/// Objects of free form: their keys are data.
const FREE: [&str; 4] = ["metadata", "settings", "details", "payload"];

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
    // Every limit is missing on one plan, and there on the other.
    let plans = tempfile::NamedTempFile::new().unwrap();
    let limits = "posts_per_month = 5\nconnected_accounts = 5\nstorage_bytes = 5\nai_credits_per_month = 5\nmax_video_bytes = 5";
    std::fs::write(&plans, format!("[plans.unlimited]\n[plans.limited]\n{limits}\n")).unwrap();
    let model = Model::that([Reply::Says(captions(3))]).await;
    let options = Options::default()
        .set("plans_file", plans.path().to_str().unwrap())
        .set("llm_url", &*model.url)
        .set("llm_model", "kite-1")
        .set("egress_allow", "127.0.0.1");
    let t = TestApp::start_with(Db::Sqlite, options).await;
    let platform = t.connect_business("kitestudio").await;
    let mut shapes: BTreeMap<&str, Shape> = BTreeMap::new();
    let mut note = |name: &'static str, sample: &Value| {
        shapes.entry(name).or_default().add(sample);
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
    for sample in slides(&t).await {
        note(sample.0, &sample.1);
    }
    for sample in webhooks(&t).await {
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
    let shown = shapes
        .into_iter()
        .map(|(name, shape)| (name.to_owned(), shape.shown()));
    Value::Object(shown.collect())
}

type Samples = Vec<(&'static str, Value)>;

async fn platforms(t: &TestApp, platform: &str) -> Samples {
    let list = t.api.get("/public/v1/platforms").await.ok();
    let schema = t
        .api
        .get(&format!("/public/v1/platforms/{platform}/schema"))
        .await
        .ok();
    let health = format!("/public/v1/platforms/{platform}/health");
    let asked = t.api.get(&format!("{health}?refresh=true")).await.ok();
    vec![
        ("platform health", t.api.get(&health).await.ok()),
        ("platform health", asked),
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
    t.clock.advance(Duration::from_secs(1));
    let clip = t
        .api
        .upload_form("clip.mp4", "video/mp4", CLIP, &[("folderId", place)])
        .await
        .ok();
    t.clock.advance(Duration::from_secs(1));
    let begun = t
        .api
        .request(Method::POST, "/public/v1/media/uploads")
        .header("Tus-Resumable", "1.0.0")
        .header("Upload-Length", "1000");
    let begun = t.api.send(begun).await.ok();
    let last = t.api.get("/public/v1/media?limit=1").await.ok();
    let list = t.api.get("/public/v1/media").await.ok();
    vec![
        ("media folder", folder),
        (
            "media folder list",
            t.api.get("/public/v1/media/folders").await.ok(),
        ),
        ("media object", begun),
        ("media object", clip),
        ("media object", list["media"][0].clone()),
        ("media object", list["media"][2].clone()),
        ("media list", last),
        ("media list", list),
    ]
}

async fn slides(t: &TestApp) -> Samples {
    let photo = t.api.upload_photo(300, 400).await;
    let slide = |index, caption| json!({ "index": index, "mediaId": photo, "caption": caption });
    let body = json!({ "slides": [slide(1, "Kite"), slide(2, "Kite \u{e000}")] });
    let wanted = json!({ "userRequest": "Kites", "slideCount": 3 });
    vec![
        (
            "slides",
            t.api.post("/public/v1/slides/composite", &body).await.ok(),
        ),
        (
            "captions",
            t.api.post("/public/v1/slides/captions", &wanted).await.ok(),
        ),
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
    let mut long = body.clone();
    long["content"] = "a".repeat(2201).into();
    let invalid = t.api.post("/public/v1/posts/validate", &long).await.ok();
    let results_of_long = t.api.post(POSTS, &long).await.ok();
    let valid = t.api.post("/public/v1/posts/validate", &body).await.ok();
    let id = results["results"][0]["post"]["root"]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    body["comments"] = json!([]);
    body["mode"] = json!("now");
    body["platformIds"] = json!([platform]);
    t.sim.fail(FailRule::next("spam_risk_text"));
    t.sim.inject(Fault::new(
        Endpoint::BusinessSettings,
        FaultAction::internal_error(),
    ));
    t.sim.hold(Endpoint::BusinessPhoto, HoldPoint::After);
    let refused = t.api.create_post(&body).await;
    // The first try ends before its handover; the second is caught in the middle of it.
    t.idle().await;
    t.clock.set(t.app.store.next_run_at().await.unwrap().unwrap());
    t.sim.held(Endpoint::BusinessPhoto, 1).await;
    let open = t.api.get(&format!("{POSTS}/{refused}/attempts")).await.ok();
    t.sim.release(Endpoint::BusinessPhoto);
    t.settled(&refused).await;
    let queued = t.group(&id).await;
    let page = t.api.get(&format!("{POSTS}?limit=1")).await.ok();
    let out = t
        .group_until(&id, |group| {
            group["root"]["releaseUrl"].is_string() && group["children"][1]["state"] == "PUBLISHED"
        })
        .await;
    let mut samples = vec![
        ("attempts", open),
        ("create results", results),
        ("create results", results_of_long),
        ("validate results", invalid),
        ("validate results", valid),
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

/// A webhook that accepts its deliveries, and is switched off then; and one at whose address nothing listens.
async fn webhooks(t: &TestApp) -> Samples {
    const HOOKS: &str = "/public/v1/webhooks";
    let receiver = Receiver::start().await;
    receiver.will([Takes::Answers(200, Vec::new(), "Taken".to_owned())]);
    let mut samples = Vec::new();
    for url in [receiver.url.as_str(), "http://127.0.0.1:1/"] {
        let body = json!({ "url": url, "events": ["post.failed"] });
        let made = t.api.post(HOOKS, &body).await.ok();
        let at = format!("{HOOKS}/{}", made["id"].as_str().unwrap());
        samples.push(("webhook with secret", made));
        let queued = t.api.post(&format!("{at}/test"), &Value::Null).await.ok();
        t.idle().await;
        let list = t.api.get(&format!("{at}/deliveries")).await.ok();
        samples.push(("webhook delivery", queued));
        samples.push(("webhook delivery", list["deliveries"][0].clone()));
        samples.push(("webhook delivery list", list));
        samples.push(("webhook", t.api.get(&at).await.ok()));
        samples.push((
            "webhook",
            t.api.patch(&at, &json!({ "disabled": true })).await.ok(),
        ));
    }
    samples.push(("webhook list", t.api.get(HOOKS).await.ok()));
    samples
}

/// The usage of a workspace whose plan has limits.
async fn limited(t: &TestApp) -> Value {
    let (api, _) = t.stranger_on(Some("limited"), "harborbakes").await;
    api.get("/public/v1/usage").await.ok()
}

/// What the samples of a value have been: kinds of single values, and what was in them where they were more.
#[derive(Default)]
struct Shape {
    samples: usize,
    objects: usize,
    kinds: BTreeSet<&'static str>,
    items: Option<Box<Shape>>,
    fields: Option<Vec<(String, Shape)>>,
}

impl Shape {
    fn add(&mut self, sample: &Value) {
        self.samples += 1;
        match sample {
            Value::Array(items) => {
                let shape = self.items.get_or_insert_default();
                items.iter().for_each(|item| shape.add(item));
            }
            Value::Object(map) => {
                self.objects += 1;
                map.iter().for_each(|(name, value)| self.add_field(name, value));
            }
            single => {
                self.kinds.insert(kind_of(single));
            }
        }
    }

    fn add_field(&mut self, name: &str, value: &Value) {
        let fields = self.fields.get_or_insert_default();
        let known = fields.iter().position(|(known, _)| known == name);
        let index = known.unwrap_or_else(|| {
            fields.push((name.to_owned(), Shape::default()));
            fields.len() - 1
        });
        let shape = &mut fields[index].1;
        // The schema's settings are described; everywhere else they are the client's or the provider's.
        if FREE.contains(&name) && value.get("fields").is_none() && !value.is_null() {
            shape.samples += 1;
            shape.kinds.insert("anything");
        } else {
            shape.add(value);
        }
    }

    /// How the file shows it: `null|uuid` for what is null or a UUID, a question mark after a field that is not always
    /// there, `null or` before what is more than a single value.
    fn shown(mut self) -> Value {
        if self.kinds.contains("string") {
            self.kinds
                .retain(|kind| !["uuid", "date-time", "uri"].contains(kind));
        }
        let kinds: Vec<&str> = self.kinds.into_iter().collect();
        let kinds = kinds.join("|");
        let objects = self.objects;
        let more = match (self.fields, self.items) {
            (None, None) => return kinds.into(),
            (Some(fields), None) => Value::Object(
                fields
                    .into_iter()
                    .map(|(name, shape)| shown_field(name, shape, objects))
                    .collect(),
            ),
            (None, Some(items)) if items.samples == 0 => json!([]),
            (None, Some(items)) => json!([items.shown()]),
            (Some(_), Some(_)) => panic!("an array and an object"),
        };
        match kinds.as_str() {
            "" => more,
            other => json!({ format!("{other} or"): more }),
        }
    }
}

fn shown_field(name: String, shape: Shape, objects: usize) -> (String, Value) {
    let mark = if shape.samples < objects { "?" } else { "" };
    (format!("{name}{mark}"), shape.shown())
}

fn kind_of(value: &Value) -> &'static str {
    let Value::String(text) = value else {
        return match value {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(number) if number.is_f64() => "number",
            _ => "integer",
        };
    };
    let is_time = text.len() == 24 && playout_domain::time::Time::parse(text).is_ok();
    match text.as_str() {
        _ if text.len() == 36 && text.parse::<uuid::Uuid>().is_ok() => "uuid",
        _ if is_time => "date-time",
        _ if text.starts_with("http://") || text.starts_with("https://") => "uri",
        _ => "string",
    }
}
