//! A key never sees another workspace's data: what is foreign looks exactly like what never was
//! (`docs/contract.md#isolation`).
//!
//! The table names every operation and every place in which a request to it can name a resource. For each, a stranger
//! names a resource of ours, and one that never was: the answers must be the same to the byte.

use std::collections::BTreeSet;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use playout_server::api::openapi::{PREFIX, document};
use playout_wire::page::Cursor;
use reqwest::header::CONTENT_TYPE;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use crate::harness::{Answer, Client, Db, Options, TestApp, on_both};

on_both!(
    what_is_foreign_looks_like_what_never_was,
    lists_and_counts_show_only_the_workspaces_own,
    the_same_account_in_two_workspaces_is_two_accounts,
);

const NOWHERE: &str = "0196f3a0-0000-7000-8000-000000000000";

/// The headers with which bytes are added to a resumable upload.
const TUS_BYTES: &str = "Upload-Offset: 0;Content-Type: application/offset+octet-stream";

/// A kind of resource of which there is one in each workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Platform,
    Post,
    Comment,
    Media,
    /// A resumable upload that is under way.
    Upload,
    Folder,
    Webhook,
    /// Something that was sent to it.
    Delivery,
    /// A page after something.
    PostCursor,
    MediaCursor,
}

/// A place of a request that names a resource: there `{it}` stands for it. `{post}`, `{media}` and so on are the
/// stranger's own.
struct Place {
    it: Kind,
    /// What follows the prefix.
    path: &'static str,
    body: Body,
    /// What the stranger must be answered; the code is empty for a success.
    answered: (u16, &'static str),
}

#[derive(Clone, Copy)]
enum Body {
    None,
    Json(&'static str),
    /// Further parts of an upload form: a name and its text.
    Form(&'static str, &'static str),
    /// The headers of a resumable upload.
    Tus(&'static str),
}

/// An operation: its method, its template as in the reference, and the places in which it names resources.
struct Operation(&'static str, &'static str, Vec<Place>);

fn at(it: Kind, path: &'static str, body: Body, answered: (u16, &'static str)) -> Place {
    Place {
        it,
        path,
        body,
        answered,
    }
}

/// The places of an operation on a post: the root's ID or a comment's.
fn post_id(path: &'static str, body: Body) -> Vec<Place> {
    let place = |it| at(it, path, body, (404, "post_not_found"));
    vec![place(Kind::Post), place(Kind::Comment)]
}

fn media_id(body: Body) -> Place {
    at(Kind::Media, "/media/{it}", body, (404, "media_not_found"))
}

fn upload_id(body: Body) -> Place {
    at(
        Kind::Upload,
        "/media/uploads/{it}",
        body,
        (404, "media_not_found"),
    )
}

/// The places of a request that says what a new post is.
fn new_post(path: &'static str) -> Vec<Place> {
    let of = |it, body, answered| at(it, path, Body::Json(body), answered);
    let invalid = (400, "invalid_request");
    vec![
        of(
            Kind::Platform,
            r#"{"platformIds":["{it}"],"content":"x","mode":"draft"}"#,
            (200, ""),
        ),
        of(
            Kind::Platform,
            r#"{"platformIds":["{it}"],"content":"x","mode":"now","mediaIds":["{media}"]}"#,
            (200, ""),
        ),
        of(
            Kind::Media,
            r#"{"platformIds":["{platform}"],"content":"x","mode":"draft","mediaIds":["{media}","{it}"]}"#,
            invalid,
        ),
        of(
            Kind::Media,
            r#"{"platformIds":["{platform}"],"content":"x","mode":"draft","comments":[{"content":"x","mediaIds":["{it}"]}]}"#,
            invalid,
        ),
    ]
}

/// Every operation under `/public/v1`.
fn operations() -> Vec<Operation> {
    let schema = at(
        Kind::Platform,
        "/platforms/{it}/schema",
        Body::None,
        (404, "platform_not_found"),
    );
    let health = at(
        Kind::Platform,
        "/platforms/{it}/health",
        Body::None,
        (404, "platform_not_found"),
    );
    let others = vec![
        Operation("GET", "/platforms", vec![]),
        Operation("GET", "/platforms/{id}/schema", vec![schema]),
        Operation("GET", "/platforms/{id}/health", vec![health]),
        Operation("GET", "/usage", vec![]),
    ];
    let parts = [
        others,
        media_operations(),
        upload_operations(),
        folder_operations(),
        webhook_operations(),
        post_operations(),
        slide_operations(),
    ];
    parts.into_iter().flatten().collect()
}

fn media_operations() -> Vec<Operation> {
    let in_folder = |path, body| at(Kind::Folder, path, body, (404, "folder_not_found"));
    let list = vec![
        at(Kind::Folder, "/media?folderId={it}", Body::None, (200, "")),
        at(Kind::MediaCursor, "/media?cursor={it}", Body::None, (200, "")),
    ];
    let change = vec![
        media_id(Body::Json(r#"{"fileName":"mine.jpg"}"#)),
        in_folder("/media/{media}", Body::Json(r#"{"folderId":"{it}"}"#)),
    ];
    let upload = in_folder("/media", Body::Form("folderId", "{it}"));
    vec![
        Operation("GET", "/media", list),
        Operation("POST", "/media", vec![upload]),
        Operation("GET", "/media/{id}", vec![media_id(Body::None)]),
        Operation("PATCH", "/media/{id}", change),
        Operation("DELETE", "/media/{id}", vec![media_id(Body::None)]),
    ]
}

fn upload_operations() -> Vec<Operation> {
    let begin = Body::Tus("Upload-Length: 9;Upload-Metadata: folderId {it in base64}");
    let begin = at(Kind::Folder, "/media/uploads", begin, (404, "folder_not_found"));
    vec![
        Operation("POST", "/media/uploads", vec![begin]),
        Operation("HEAD", "/media/uploads/{id}", vec![upload_id(Body::Tus(""))]),
        Operation(
            "PATCH",
            "/media/uploads/{id}",
            vec![upload_id(Body::Tus(TUS_BYTES))],
        ),
        Operation("DELETE", "/media/uploads/{id}", vec![upload_id(Body::Tus(""))]),
    ]
}

fn slide_operations() -> Vec<Operation> {
    let image = |path, body| vec![at(Kind::Media, path, Body::Json(body), (400, "invalid_request"))];
    vec![
        Operation(
            "POST",
            "/slides/composite",
            image(
                "/slides/composite",
                r#"{"slides":[{"index":1,"mediaId":"{media}","caption":"x"},{"index":2,"mediaId":"{it}","caption":"x"}]}"#,
            ),
        ),
        Operation(
            "POST",
            "/slides/preview",
            image("/slides/preview", r#"{"mediaId":"{it}","caption":"x"}"#),
        ),
        Operation(
            "POST",
            "/slides/captions",
            image(
                "/slides/captions",
                r#"{"userRequest":"x","slideCount":3,"mediaIds":["{media}","{it}"]}"#,
            ),
        ),
    ]
}

fn folder_operations() -> Vec<Operation> {
    let folder_id = |body| {
        let place = at(
            Kind::Folder,
            "/media/folders/{it}",
            body,
            (404, "folder_not_found"),
        );
        vec![place]
    };
    let name = Body::Json(r#"{"name":"Mine now"}"#);
    vec![
        Operation("GET", "/media/folders", vec![]),
        Operation("POST", "/media/folders", vec![]),
        Operation("PATCH", "/media/folders/{id}", folder_id(name)),
        Operation("DELETE", "/media/folders/{id}", folder_id(Body::None)),
    ]
}

fn webhook_operations() -> Vec<Operation> {
    let by_id = |path, body| vec![at(Kind::Webhook, path, body, (404, "webhook_not_found"))];
    let again = at(
        Kind::Delivery,
        "/webhooks/deliveries/{it}/redeliver",
        Body::None,
        (404, "not_found"),
    );
    let change = Body::Json(r#"{"disabled":true}"#);
    vec![
        Operation("GET", "/webhooks", vec![]),
        Operation("POST", "/webhooks", vec![]),
        Operation("GET", "/webhooks/{id}", by_id("/webhooks/{it}", Body::None)),
        Operation("PATCH", "/webhooks/{id}", by_id("/webhooks/{it}", change)),
        Operation("DELETE", "/webhooks/{id}", by_id("/webhooks/{it}", Body::None)),
        Operation(
            "POST",
            "/webhooks/{id}/rotate-secret",
            by_id("/webhooks/{it}/rotate-secret", Body::None),
        ),
        Operation(
            "POST",
            "/webhooks/{id}/test",
            by_id("/webhooks/{it}/test", Body::None),
        ),
        Operation(
            "GET",
            "/webhooks/{id}/deliveries",
            by_id("/webhooks/{it}/deliveries", Body::None),
        ),
        Operation("POST", "/webhooks/deliveries/{id}/redeliver", vec![again]),
    ]
}

fn post_operations() -> Vec<Operation> {
    let list = vec![
        at(Kind::Platform, "/posts?platformId={it}", Body::None, (200, "")),
        at(Kind::PostCursor, "/posts?cursor={it}", Body::None, (200, "")),
    ];
    let with_media = [
        r#"{"mediaIds":["{it}"]}"#,
        r#"{"comments":[{"content":"x","mediaIds":["{it}"]}]}"#,
    ];
    let mut change = post_id("/posts/{it}", Body::Json(r#"{"content":"Mine now"}"#));
    change.extend(with_media.map(|body| {
        at(
            Kind::Media,
            "/posts/{post}",
            Body::Json(body),
            (400, "invalid_request"),
        )
    }));
    let schedule = post_id(
        "/posts/{it}/schedule",
        Body::Json(r#"{"scheduledFor":"2026-11-21T12:00:00Z"}"#),
    );
    let by_id = |path| post_id(path, Body::None);
    vec![
        Operation("GET", "/posts", list),
        Operation("POST", "/posts", new_post("/posts")),
        Operation("POST", "/posts/validate", new_post("/posts/validate")),
        Operation("GET", "/posts/{id}", by_id("/posts/{it}")),
        Operation("PATCH", "/posts/{id}", change),
        Operation("DELETE", "/posts/{id}", by_id("/posts/{it}")),
        Operation("GET", "/posts/{id}/attempts", by_id("/posts/{it}/attempts")),
        Operation(
            "POST",
            "/posts/{id}/mark-published",
            post_id("/posts/{it}/mark-published", Body::Json("{}")),
        ),
        Operation("POST", "/posts/{id}/publish", by_id("/posts/{it}/publish")),
        Operation("PATCH", "/posts/{id}/schedule", schedule),
    ]
}

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
        let cursor =
            async |list: &str| api.get(&format!("/public/v1/{list}?limit=1")).await.ok()["nextCursor"].take();
        let hook = json!({ "url": "http://127.0.0.1:1/", "events": ["post.published"] });
        let hook = api.post("/public/v1/webhooks", &hook).await.ok();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let test = format!("/public/v1/webhooks/{}/test", text(&hook["id"]));
        let delivery = api.post(&test, &Value::Null).await.ok();
        Self {
            platform,
            post,
            comment: text(&group["children"][0]["id"]),
            media,
            upload: text(&upload["id"]),
            folder: text(&folder["id"]),
            webhook: text(&hook["id"]),
            delivery: text(&delivery["id"]),
            post_cursor: text(&cursor("posts").await),
            media_cursor: text(&cursor("media").await),
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
        }
    }

    /// The same kind of name for what never was.
    fn never(&self, kind: Kind) -> String {
        match kind {
            Kind::PostCursor | Kind::MediaCursor => {
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

async fn ask(api: &Client, (method, place): (&str, &Place), own: &Own, it: &str) -> Answer {
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
            api.upload_form(("a.jpg", "image/jpeg", &photo), &[(name, &fill(text))])
                .await
        }
    }
}

/// Status, body and headers without the request's ID and the date; what was asked for is `{it}`.
fn seen(answer: &Answer, it: &str) -> (u16, String, Vec<(String, String)>) {
    let headers = answer
        .headers
        .iter()
        .filter(|(name, _)| *name != "x-request-id" && *name != "date");
    let headers = headers.map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()));
    let body = String::from_utf8(answer.body.clone()).unwrap();
    (answer.status, body.replace(it, "{it}"), headers.collect())
}

/// Webhooks may lead to this machine, where nobody listens.
fn may_send_here() -> Options {
    Options::default().set("egress_allow", "127.0.0.1")
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
        "left: the reference, right: the table of this file"
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
    // Cursors of one moment would be told apart by the chance in their IDs.
    t.advance(std::time::Duration::from_secs(1)).await;
    let (stranger, platform) = t.stranger_with("harborbakes").await;
    let own = Own::create(&stranger, platform).await;
    let before = ours.all(&t.api).await;
    for Operation(method, path, places) in operations() {
        for place in &places {
            let (foreign, never) = (ours.get(place.it), ours.never(place.it));
            let theirs = ask(&stranger, (method, place), &own, foreign).await;
            let nothing = ask(&stranger, (method, place), &own, &never).await;
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
