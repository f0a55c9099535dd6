//! The formats of identifiers and times in every response (`docs/contract.md#identifiers`,
//! `docs/contract.md#timestamps`).

use playout_domain::time::Time;
use serde_json::{Value, json};

use crate::harness::{Db, TestApp, on_both};

on_both!(identifiers_are_uuids_of_version_7_and_times_are_in_utc_with_milliseconds,);

/// Identifiers of the provider, which are its own.
const FOREIGN: [&str; 4] = ["providerAccountId", "releaseId", "publishId", "logId"];
/// Times whose names do not end in `At`.
const TIMES: [&str; 2] = ["scheduledFor", "start"];

/// How many values were looked at.
#[derive(Default)]
struct Seen {
    ids: usize,
    times: usize,
}

impl Seen {
    fn walk(&mut self, name: &str, value: &Value) {
        match value {
            // The contents of `settings` and `metadata` come from clients and providers.
            Value::Object(map) if name != "settings" && name != "metadata" => {
                map.iter().for_each(|(name, value)| self.walk(name, value));
            }
            Value::Array(items) => items.iter().for_each(|item| self.walk(name, item)),
            Value::String(text) if is_id(name) => {
                let id: uuid::Uuid = text.parse().unwrap();
                assert_eq!(
                    (id.to_string().as_str(), id.get_version_num()),
                    (text.as_str(), 7),
                    "{name}"
                );
                self.ids += 1;
            }
            Value::String(text) if name.ends_with("At") || TIMES.contains(&name) => {
                assert_eq!(Time::parse(text).unwrap().to_string(), *text, "{name}");
                assert!(text.len() == 24 && text.ends_with('Z'), "{name}: {text}");
                self.times += 1;
            }
            _ => {}
        }
    }
}

fn is_id(name: &str) -> bool {
    (name == "id" || name.ends_with("Id") || name.ends_with("Ids")) && !FOREIGN.contains(&name)
}

async fn identifiers_are_uuids_of_version_7_and_times_are_in_utc_with_milliseconds(db: Db) {
    let t = TestApp::start(db).await;
    let platform = t.connect_business("kitestudio").await;
    let folder = t
        .api
        .post("/public/v1/media/folders", &json!({ "name": "Kites" }))
        .await
        .ok();
    let place = folder["id"].as_str().unwrap();
    let file = crate::harness::jpeg(300, 400);
    let photo = t
        .api
        .upload_form("a.jpg", "image/jpeg", &file, &[("folderId", place)])
        .await
        .ok();
    let results = t.api.post("/public/v1/posts", &json!({
        "platformIds": [platform], "content": "Kites", "mode": "schedule", "scheduledFor": "2026-11-21T14:00:00+02:00",
        "mediaIds": [photo["id"]], "settings": { "privacy_level": "PUBLIC_TO_EVERYONE", "allow_comment": true },
        "comments": [{ "content": "First" }],
    })).await.ok();
    let post = results["results"][0]["post"]["root"]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    t.settled(&post).await;
    let mut seen = Seen::default();
    for answer in [&folder, &photo, &results] {
        seen.walk("", answer);
    }
    let schema = format!("platforms/{platform}/schema");
    let (group, attempts) = (format!("posts/{post}"), format!("posts/{post}/attempts"));
    for path in [
        "platforms",
        &schema,
        "media",
        "media/folders",
        "posts",
        &group,
        &attempts,
        "usage",
    ] {
        let (ids, times) = (seen.ids, seen.times);
        seen.walk("", &t.api.get(&format!("/public/v1/{path}")).await.ok());
        assert!(seen.times > times, "{path} shows a time");
        assert!(seen.ids > ids || path == "usage", "{path} shows an identifier");
    }
    assert!(
        seen.ids >= 25 && seen.times >= 20,
        "{} and {}",
        seen.ids,
        seen.times
    );
}
