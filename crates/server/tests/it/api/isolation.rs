//! A key never sees another workspace's data: what is foreign looks exactly like what never was
//! (`docs/contract.md#isolation`).
//!
//! The table in `operations` names every operation and every place in which a request to it can name a resource. For each, a
//! stranger names a resource of ours, and one that never was: the answers must be the same to the byte.

mod operations;

use std::collections::BTreeSet;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use playout_server::api::openapi::{PREFIX, document};
use playout_wire::page::Cursor;
use reqwest::header::CONTENT_TYPE;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use self::operations::{Body, Kind, Operation, Place, operations};
use crate::harness::{Answer, Client, Db, Options, TestApp, on_both};

on_both!(
    what_is_foreign_looks_like_what_never_was,
    lists_and_counts_show_only_the_workspaces_own,
    the_same_account_in_two_workspaces_is_two_accounts,
);

const NOWHERE: &str = "0196f3a0-0000-7000-8000-000000000000";

/// One resource of each kind, by the names that stand for them.
struct Own {
    platform: String,
    post: String,
    comment: String,
    media: String,
    upload: String,
    folder: String,
    webhook: String,
    delivery: String,
    post_cursor: String,
    media_cursor: String,
    delivery_cursor: String,
}

impl Own {
    async fn create(api: &Client, platform: String) -> Self {
        let media = api.upload_photo(300, 400).await;
        api.upload_photo(90, 160).await;
        let upload = tus(
            api.request(Method::POST, "/public/v1/media/uploads"),
            "Upload-Length: 900",
        );
        let upload = api.send(upload).await.ok();
        let folder = api
            .post("/public/v1/media/folders", &json!({ "name": "Kites" }))
            .await
            .ok();
        let draft = json!({ "platformIds": [platform], "content": "Ours", "mode": "draft", "mediaIds": [media],
            "comments": [{ "content": "Ours too" }] });
        let post = api.create_post(&draft).await;
        api.create_post(&draft).await;
        let group = api.get(&format!("/public/v1/posts/{post}")).await.ok();
        let cursor = async |list: &str| {
            let page = api.get(&format!("/public/v1/{list}?limit=1")).await.ok();
            page["nextCursor"].as_str().unwrap().to_owned()
        };
        let hook = json!({ "url": "http://127.0.0.1:1/", "events": ["post.published"] });
        let hook = api.post("/public/v1/webhooks", &hook).await.ok();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let test = format!("/public/v1/webhooks/{}/test", text(&hook["id"]));
        let delivery = api.post(&test, &Value::Null).await.ok();
        api.post(&test, &Value::Null).await.ok();
        let deliveries = format!("webhooks/{}/deliveries", text(&hook["id"]));
        Self {
            platform,
            post,
            comment: text(&group["children"][0]["id"]),
            media,
            upload: text(&upload["id"]),
            folder: text(&folder["id"]),
            webhook: text(&hook["id"]),
            delivery: text(&delivery["id"]),
            post_cursor: cursor("posts").await,
            media_cursor: cursor("media").await,
            delivery_cursor: cursor(&deliveries).await,
        }
    }

    fn get(&self, kind: Kind) -> &str {
        match kind {
            Kind::Platform => &self.platform,
            Kind::Post => &self.post,
            Kind::Comment => &self.comment,
            Kind::Media => &self.media,
            Kind::Upload => &self.upload,
            Kind::Folder => &self.folder,
            Kind::Webhook => &self.webhook,
            Kind::Delivery => &self.delivery,
            Kind::PostCursor => &self.post_cursor,
            Kind::MediaCursor => &self.media_cursor,
            Kind::DeliveryCursor => &self.delivery_cursor,
        }
    }

    /// The same kind of name for what never was.
    fn never(&self, kind: Kind) -> String {
        match kind {
            Kind::PostCursor | Kind::MediaCursor | Kind::DeliveryCursor => {
                let cursor = Cursor::decode(self.get(kind)).unwrap();
                let id = uuid::Uuid::from_u128(cursor.id.as_u128() ^ 1);
                Cursor { id, ..cursor }.encode()
            }
            _ => NOWHERE.to_owned(),
        }
    }

    /// `template` with what is ours in place of the names.
    fn filled(&self, template: &str) -> String {
        let names = [
            ("{post}", &self.post),
            ("{media}", &self.media),
            ("{platform}", &self.platform),
            ("{webhook}", &self.webhook),
        ];
        names
            .iter()
            .fold(template.to_owned(), |text, (name, own)| text.replace(name, own))
    }

    /// Everything a key of ours sees.
    async fn all(&self, api: &Client) -> Vec<Value> {
        let mut seen = Vec::new();
        let post = format!("posts/{}", self.post);
        for path in [
            "platforms",
            "posts",
            "media",
            "media/folders",
            "usage",
            "webhooks",
            post.as_str(),
        ] {
            seen.push(api.get(&format!("/public/v1/{path}")).await.ok());
        }
        seen
    }
}

/// A request of a resumable upload with these headers.
fn tus(request: RequestBuilder, headers: &str) -> RequestBuilder {
    let request = request.header("Tus-Resumable", "1.0.0");
    headers
        .split(';')
        .filter_map(|header| header.split_once(": "))
        .fold(request, |request, (name, value)| request.header(name, value))
}

async fn ask(api: &Client, method: &str, place: &Place, own: &Own, it: &str) -> Answer {
    let fill = |template: &str| own.filled(template).replace("{it}", it);
    let path = format!("{PREFIX}{}", fill(place.path));
    let request = api.request(Method::from_bytes(method.as_bytes()).unwrap(), &path);
    match place.body {
        Body::None => api.send(request).await,
        Body::Json(text) => {
            api.send(request.header(CONTENT_TYPE, "application/json").body(fill(text)))
                .await
        }
        Body::Tus(headers) => {
            let coded = headers.replace("{it in base64}", &STANDARD.encode(it));
            api.send(tus(request, &coded)).await
        }
        Body::Form(name, text) => {
            let photo = crate::harness::jpeg(40, 30);
            api.upload_form("a.jpg", "image/jpeg", &photo, &[(name, &fill(text))])
                .await
        }
    }
}

/// Status, body and headers without the request's ID and the date; the requested resource is `{it}`.
fn seen(answer: &Answer, it: &str) -> (u16, String, Vec<(String, String)>) {
    let headers = answer
        .headers
        .iter()
        .filter(|(name, _)| *name != "x-request-id" && *name != "date");
    let headers = headers.map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()));
    let body = String::from_utf8(answer.body.clone()).unwrap();
    (answer.status, body.replace(it, "{it}"), headers.collect())
}

/// Webhooks may lead to this machine, where nothing listens.
fn may_send_here() -> Options {
    Options::default().set("egress_allow", "127.0.0.1")
}

/// Whether a query parameter of the reference can name a resource.
fn names_a_resource(parameter: &Value) -> bool {
    let name = parameter["name"].as_str().unwrap_or_default();
    parameter["in"] == "query"
        && (parameter["schema"]["format"] == "uuid" || name.ends_with("Id") || name == "cursor")
}

#[test]
fn the_table_has_every_query_parameter_that_names_a_resource() {
    for Operation(method, path, places) in operations() {
        let described = &document()["paths"][format!("{PREFIX}{path}")][method.to_lowercase()];
        let parameters = described["parameters"].as_array().into_iter().flatten();
        for parameter in parameters.filter(|parameter| names_a_resource(parameter)) {
            let named = format!("{}={{it}}", parameter["name"].as_str().unwrap());
            let is_tried = places.iter().any(|place| place.path.ends_with(&named));
            assert!(is_tried, "{method} {path} takes {named}");
        }
    }
}

#[test]
fn the_table_has_every_operation_of_the_reference() {
    let described = document()["paths"].as_object().unwrap();
    let described: BTreeSet<(String, String)> = described
        .iter()
        .filter(|(path, _)| path.starts_with(PREFIX))
        .flat_map(|(path, methods)| {
            methods
                .as_object()
                .unwrap()
                .keys()
                .map(move |method| (method.to_uppercase(), path.clone()))
        })
        .collect();
    let listed = operations()
        .iter()
        .map(|Operation(method, path, _)| ((*method).to_owned(), format!("{PREFIX}{path}")))
        .collect();
    assert_eq!(
        described, listed,
        "left: the reference, right: the table of operations"
    );
    for Operation(method, path, places) in operations() {
        let names_it = places
            .iter()
            .any(|place| place.path.split('?').next().unwrap().contains("{it}"));
        assert_eq!(names_it, path.contains('{'), "{method} {path}");
    }
}

async fn what_is_foreign_looks_like_what_never_was(db: Db) {
    let t = TestApp::start_with(db, may_send_here()).await;
    let ours = Own::create(&t.api, t.connect("kitestudio").await).await;
    // Cursors of the same moment would differ by the random part of their IDs.
    t.advance(std::time::Duration::from_secs(1)).await;
    let (stranger, platform) = t.stranger_with("harborbakes").await;
    let own = Own::create(&stranger, platform).await;
    let before = ours.all(&t.api).await;
    for Operation(method, path, places) in operations() {
        for place in &places {
            let (foreign, never) = (ours.get(place.it), ours.never(place.it));
            let theirs = ask(&stranger, method, place, &own, foreign).await;
            let nothing = ask(&stranger, method, place, &own, &never).await;
            let what = format!("{method} {path} naming a {:?}", place.it);
            assert_eq!(seen(&theirs, foreign), seen(&nothing, &never), "{what}");
            match place.answered {
                (status, code) if code.is_empty() || method == "HEAD" => {
                    assert_eq!(theirs.status, status, "{what}")
                }
                (status, code) => drop(theirs.refused(status, code)),
            }
        }
    }
    assert_eq!(ours.all(&t.api).await, before, "nothing of ours has changed");
}

async fn lists_and_counts_show_only_the_workspaces_own(db: Db) {
    let t = TestApp::start_with(db, may_send_here()).await;
    let ours = Own::create(&t.api, t.connect("kitestudio").await).await;
    t.api
        .post(
            "/public/v1/posts",
            &json!({ "platformIds": [ours.platform], "content": "Ours", "mode": "now",
        "mediaIds": [ours.media], "settings": { "privacy_level": "SELF_ONLY" } }),
        )
        .await
        .ok();
    t.idle().await;
    let stranger = t.stranger().await;
    for (list, name) in [
        ("platforms", "platforms"),
        ("platforms?include=all", "platforms"),
        ("posts", "posts"),
        ("media", "media"),
        ("media/folders", "folders"),
        ("webhooks", "webhooks"),
    ] {
        assert_eq!(
            stranger.get(&format!("/public/v1/{list}")).await.ok()[name],
            json!([]),
            "{list}"
        );
    }
    let usage = stranger.get("/public/v1/usage").await.ok();
    for count in [
        "/posts/used",
        "/storage/usedBytes",
        "/platforms/used",
        "/aiCredits/used",
    ] {
        assert_eq!(usage.pointer(count), Some(&json!(0)), "{count}");
    }
}

async fn the_same_account_in_two_workspaces_is_two_accounts(db: Db) {
    let t = TestApp::start(db).await;
    let ours = t.connect("kitestudio").await;
    let (stranger, theirs) = t.stranger_with("kitestudio").await;
    assert_ne!(ours, theirs);
    for (api, own, other) in [(&t.api, &ours, &theirs), (&stranger, &theirs, &ours)] {
        let list = api.get("/public/v1/platforms").await.ok();
        assert_eq!(
            (&list["platforms"][0]["id"], &list["platforms"][1]),
            (&json!(own), &Value::Null)
        );
        api.get(&format!("/public/v1/platforms/{other}/schema"))
            .await
            .refused(404, "platform_not_found");
    }
}
